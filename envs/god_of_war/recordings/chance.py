"""Recorded chance results, fed to the rules in the order in which they ask for them."""

from __future__ import annotations

from typing import Any

from theogony.envs.core.position import Position
from theogony.envs.core.verify import Differ, RecordingError
from theogony.envs.god_of_war.components.tables import designs, upgrade_types
from theogony.envs.god_of_war.recordings.recording_format import Decision
from theogony.envs.god_of_war.state import FEED


def feed(position: Position, chance: list[dict[str, Any]], step: Any, differ: Differ) -> None:
    """Queue recorded chance results: faces of the die, and the draws that shuffle a deck into its recorded order."""
    names, faces = designs(position.game.components), [int(face) for face in position.tables[0].die]
    results: list[int] = []
    for result in chance:
        if "die" in result:
            if result["die"] not in faces:
                raise RecordingError(f"step {step}: the enemy die has no face {result['die']!r}")
            results.append(faces.index(result["die"]))
        elif "shuffle" in result:
            if unknown := set(result["deck"]) - set(names):
                raise RecordingError(f"step {step}: there are no cards {sorted(unknown)}")
            results += draws_of([names.index(card) for card in reversed(result["deck"])])
        elif "reveal" not in result:
            differ(step, "chance", result, "no chance result of this game")
    if len(results) > FEED:
        raise RecordingError(f"step {step}: {len(results)} chance results between two decisions, at most {FEED} fit")
    g = position.g
    g.feed[: len(results)] = results
    g.fed[:] = (0, len(results))


def draws_of(wanted: list[int]) -> list[int]:
    """The draws with which a Fisher-Yates shuffle of the sorted cards ends in the wanted order."""
    cards, draws = sorted(wanted), []
    for i in range(len(cards) - 1, 0, -1):
        j = cards.index(wanted[i], 0, i + 1)
        draws.append(j)
        cards[i], cards[j] = cards[j], cards[i]
    return draws


def check_fed(position: Position, more: bool, step: Any, differ: Differ) -> None:
    """All recorded results must have been used, and no others."""
    g = position.g
    if g.fed[1]:
        differ(step, "chance", f"{int(g.fed[1])} results", f"{int(g.fed[0])} of them used")
        g.feed[:] = 0
        g.fed[:] = 0
    if more:
        differ(step, "chance", "all results recorded", "more were drawn")


def compare_reveals(position: Position, line: Decision, differ: Differ) -> None:
    """Revealed cards follow from the order of the upgrade deck."""
    types = upgrade_types(position.game.components)
    deck = [types[card] for card in position.g.upgrade[: int(position.g.upgrade_cards)][::-1]]
    if line.kind == "scry":
        looked_at = len(line.action["top"]) + len(line.action["bottom"])
        deck = [*line.action["top"], *deck[looked_at:], *line.action["bottom"]]
    revealed = [result["reveal"] for result in line.chance if "reveal" in result]
    count = min(len(revealed), len(deck))
    if revealed[:count] != deck[:count]:
        differ(line.step, "chance", revealed, f"the upgrade deck begins with {deck[:count]}")
