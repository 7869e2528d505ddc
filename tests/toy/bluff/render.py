"""Text of a position: for one seat, for the public (None), or for all eyes ("all"). The picture is made from it."""

from typing import Any


def render_text(game: Any, g: Any, who: Any) -> str:
    """One line a seat, and the bid."""
    rows = []
    for s in range(int(g.players)):
        die = int(g.dice[s]) if who in (s, "all") else "?"
        rows.append(f"player_{s}: die {die}, strikes {int(g.strikes[s])}, last die {int(g.shown[s])}")
    rows.append(f"bid {int(g.bid)}, player_{int(g.actor)} to decide" if g.over == 0 else "the game is over")
    return "\n".join(rows)
