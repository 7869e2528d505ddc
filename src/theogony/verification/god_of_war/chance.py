"""Recorded chance results as those that the rules draw, and whether they were drawn."""

from __future__ import annotations

from typing import Any

from theogony.envs.core.position import Position
from theogony.envs.core.verify import Differ, RecordingError
from theogony.envs.god_of_war.components.tables import designs, upgrade_types
from theogony.verification.god_of_war.format import Decision


def drawn(position: Position, chance: list[dict[str, Any]], step: Any, differ: Differ) -> list[int]:
    """Recorded chance results as draws: faces of the die, and those that shuffle a deck into its recorded order."""
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
    return results


def draws_of(wanted: list[int]) -> list[int]:
    """The draws with which a Fisher-Yates shuffle of the sorted cards ends in the wanted order."""
    cards, draws = sorted(wanted), []
    for i in range(len(cards) - 1, 0, -1):
        j = cards.index(wanted[i], 0, i + 1)
        draws.append(j)
        cards[i], cards[j] = cards[j], cards[i]
    return draws


def check_used(position: Position, results: list[int], step: Any, differ: Differ) -> None:
    """All recorded results must have been drawn, and no others."""
    used = int(position.g.rng[0])
    if used < len(results):
        differ(step, "chance", f"{len(results)} results", f"{used} of them used")
    if used > len(results):
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
