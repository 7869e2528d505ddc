"""What one seat (or the public) may see of a position, for text and pictures."""

from __future__ import annotations

from typing import Any, Literal

from theogony.envs.innovation.actions import NAMES
from theogony.envs.innovation.components import AGES, MAX_PLAYERS
from theogony.envs.innovation.position_json import cards_in
from theogony.envs.innovation.state import DECISIONS, ENDINGS, HANDS, NONE, SCORES, SUPPLY

Viewer = int | Literal["all"] | None  # a seat, everything, or only what is public


def check_viewer(game: Any, viewer: Viewer) -> None:
    """Raises ValueError when there is no such seat."""
    if viewer not in (None, "all", *range(game.players)):
        raise ValueError(f"there is no seat {viewer!r}: 0 to {game.players - 1}, None or 'all' was expected")


def known_cards(g: Any, place: int, viewer: Viewer) -> tuple[list[int], list[int]]:
    """The cards of a hand or score pile: those the viewer knows, and the others, by age."""
    words = (g.hand if place < SCORES else g.scored)[(place - HANDS) % MAX_PLAYERS]
    cards = cards_in(words)
    if viewer == "all":
        return cards, []
    known = cards_in(g.known[viewer]) if viewer is not None else []
    seen = [card for card in cards if card in known]
    return seen, [card for card in cards if card not in seen]


def status(game: Any, g: Any) -> str:
    """One line: the end, or who has to decide what."""
    if g.over:
        winners = [f"player {seat}" for seat in range(game.players) if g.winners >> seat & 1]
        return f"over ({ENDINGS[g.ended_by] or 'cut off'}): {' and '.join(winners) or 'nobody'} won"
    line = f"turn of player {g.turn}, actions left {g.actions_left}"
    if g.dogma != NONE:
        line += f"; dogma of {NAMES[g.dogma]}"
        if g.depth and g.frame_card[g.depth - 1] != g.dogma:
            line += f" > {NAMES[g.frame_card[g.depth - 1]]}"
    return f"{line}; player {g.actor} decides: {DECISIONS[g.decision]}"


def supply_heights(g: Any) -> list[int]:
    """Cards in the supply by age."""
    return [int(n) for n in g.height[SUPPLY : SUPPLY + AGES]]
