"""Text and SVG of a position: for one seat, for the public (None), or for all eyes ("all")."""

from __future__ import annotations

from typing import Any


def lines(g: Any, who: Any) -> list[str]:
    """One line a seat, and the bid."""
    seats = range(int(g.players))
    shown = [str(int(g.dice[s])) if who in (s, "all") else "?" for s in seats]
    rows = [f"player_{s}: die {shown[s]}, strikes {int(g.strikes[s])}, last die {int(g.shown[s])}" for s in seats]
    return [*rows, f"bid {int(g.bid)}, player_{int(g.actor)} to decide" if g.over == 0 else "the game is over"]


def render_text(game: Any, g: Any, who: Any) -> str:
    """A few lines of text."""
    return "\n".join(lines(g, who))


def render_svg(game: Any, g: Any, who: Any) -> str:
    """The same lines as a picture."""
    texts = "".join(f'<text x="10" y="{20 * k + 20}">{line}</text>' for k, line in enumerate(lines(g, who)))
    return f'<svg xmlns="http://www.w3.org/2000/svg" width="320" height="140">{texts}</svg>'
