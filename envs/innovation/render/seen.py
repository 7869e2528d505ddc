"""What one seat (or the public) may see of a position, for text and pictures."""

from __future__ import annotations

from typing import Any, Literal

from theogony.envs.core.draw.people import seat_does, seat_word, seats_do
from theogony.envs.innovation.actions import name_of
from theogony.envs.innovation.breakdown import icons_of
from theogony.envs.innovation.cards import effects_of
from theogony.envs.innovation.components import AGES, MAX_PLAYERS
from theogony.envs.innovation.state import (
    DECISIONS,
    ENDINGS,
    HANDS,
    INITIAL_MELD,
    NONE,
    SCORES,
    SIDE,
    SUPPLY,
    cards_in,
    pile_of,
)

ENDED = {"": "cut off", "achievements": "by achievements", "points": "by points: a card above 10 was due",
         "card": "by what a card says"}  # fmt: skip

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


def seen_pile(g: Any, pile: int, viewer: Viewer) -> list[tuple[int, bool]]:
    """The cards of a pile of a board from the top down, and whether the viewer knows that each lies there.

    The cards of which it does not know where they lie (ruling R11) take their places in the order of their numbers.
    """
    cards = pile_of(g, pile)
    if viewer in ("all", pile // SIDE):
        return [(card, True) for card in cards]
    mixed = iter(sorted(set(cards) & set(cards_in(g.mixed))))
    return [(next(mixed), False) if card in cards_in(g.mixed) else (card, True) for card in cards]


def status(game: Any, g: Any, viewer: Viewer = None) -> str:
    """One line: the end, or who has to decide what."""
    if g.over:
        winners = [seat for seat in range(game.players) if g.winners >> seat & 1]
        return f"over ({ENDED[ENDINGS[g.ended_by]]}): {seats_do(winners, viewer, 'won', 'won')}"
    if g.decision == INITIAL_MELD:
        return f"all choose a first card; {_does(game, g, viewer)}"
    left = int(g.actions_left)
    line = f"{_turn_of(int(g.turn), viewer)}, {left} action{'' if left == 1 else 's'} left"
    if g.dogma != NONE:
        line += f"; dogma of {name_of(game, g.dogma)}"
        if g.depth and g.frame_card[g.depth - 1] != g.dogma:
            line += f" > {name_of(game, g.frame_card[g.depth - 1])}"
    own = DECISIONS[g.decision] == "action" and g.actor == g.turn
    return line if own else f"{line}; {_does(game, g, viewer)}"


def _does(game: Any, g: Any, viewer: Viewer) -> str:
    """Who decides what."""
    seat = int(g.actor)
    does = game.vocabulary.name("phase", DECISIONS[g.decision])
    return seat_does(seat, viewer, does, name=seat_word(seat, viewer))


def _turn_of(seat: int, viewer: Viewer) -> str:
    return "your turn" if seat == viewer else f"turn of {seat_word(seat)}"


def reach(game: Any, g: Any, card: int, seat: int, viewer: Viewer = None) -> str:
    """Who would share a seat's top card, and whom its demand would strike, with the icons of now (§5)."""
    icon = game.components["cards"][card]["dogma"]
    counts = [icons_of(g, other)[icon] for other in range(game.players)]
    others = [other for other in range(game.players) if other != seat]
    demands = [effect.demand for effect in effects_of(game, card)]
    weaker = [other for other in others if counts[other] < counts[seat]]
    stronger = [other for other in others if counts[other] >= counts[seat]]
    parts = [f"used by {seat_word(seat, viewer)} now ({counts[seat]} {game.vocabulary.name('icon', icon)})"]
    if any(demands):
        parts.append(f"the demand strikes {_players(weaker, counts, viewer)}")
    if not all(demands):
        parts.append(
            f"{_players(stronger, counts, viewer)} {'share' if len(stronger) > 1 or viewer in stronger else 'shares'}"
        )
    return f"{parts[0]}: {', '.join(parts[1:])}"


def _players(seats: list[int], counts: list[int], viewer: Viewer) -> str:
    return " and ".join(f"{seat_word(seat, viewer)} ({counts[seat]})" for seat in seats) or "nobody"


def supply_heights(g: Any) -> list[int]:
    """Cards in the supply by age."""
    return [int(n) for n in g.height[SUPPLY : SUPPLY + AGES]]
