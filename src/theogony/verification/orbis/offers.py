"""What a seat may take, where it may place it and how it can pay for it, in the words of the recordings."""

from __future__ import annotations

import itertools
from collections import Counter
from typing import Any

import numpy as np

from theogony.envs.core.game import Game
from theogony.envs.core.record import from_bytes, to_bytes
from theogony.envs.orbis.actions import SLOTS
from theogony.envs.orbis.breakdown import colour_numbers
from theogony.envs.orbis.components import ANY, COLOUR_NAMES, COLOURS, DISPLAY, REGIONS
from theogony.envs.orbis.rules.effects import RATE, named_due
from theogony.envs.orbis.rules.pyramid import slot_open
from theogony.envs.orbis.rules.turn import decide, proceed
from theogony.envs.orbis.state import PAY
from theogony.verification.orbis.snapshot import slot_text, tile_id


def slots(game: Game, g: Any, seat: int, colour: int) -> list[str]:
    """Where the rules allow a tile of a colour; ANY is a wilderness."""
    return [slot_text(game, g, seat, slot) for slot in range(SLOTS) if slot_open(g, seat, colour, slot)]


def wilderness_slots(game: Game, g: Any) -> list[str]:
    """Where the acting seat may place a wilderness; none when the pyramid is full."""
    return slots(game, g, int(g.actor), ANY)


def legal_tiles(game: Game, g: np.ndarray) -> list[dict[str, Any]]:
    """What taking each display tile would mean for the acting seat; `g` is an array of one position."""
    if g[0].placed[g[0].actor] == REGIONS:
        return []
    return [_legal_tile(game, g, position) for position in range(DISPLAY)]


def _legal_tile(game: Game, states: np.ndarray, position: int) -> dict[str, Any]:
    """Steps 1 and 2 on a copy; then the cost, and every way to pay it after the fewest exchanges."""
    t = game.tables[0]
    copy = from_bytes(to_bytes(states), game.state)
    g = copy[0]
    decide(g, t, position)
    while g.decision != PAY:
        proceed(g, t)
    seat, tile = int(g.actor), int(g.hand)
    due = [int(named_due(g, t, seat, tile, colour)) for colour in range(COLOURS)] + [int(t.cost[tile, ANY])]
    exchanges, realms = _fewest_exchanges(tuple(g.realm[seat].tolist()), due)
    payments = sorted({payment for realm in realms for payment in _payments(realm, due)})
    found = slots(game, g, seat, int(t.colour[tile]))
    return {
        "pos": position,
        "tile": tile_id(game, tile),
        "realm_after_collecting": colour_numbers(g.realm[seat]),
        "due": {name: number for name, number in zip((*COLOUR_NAMES, "any"), due, strict=True) if number},
        "exchanges_needed": exchanges,
        "payments": [colour_numbers(payment) for payment in payments],
        "slots": found,
        "face_up": exchanges is not None and bool(found),
    }


def _fewest_exchanges(realm: tuple[int, ...], due: list[int]) -> tuple[int | None, set[tuple[int, ...]]]:
    """The least number of exchanges that makes a cost payable, and the realms it can lead to; None: it never is."""
    realms, exchanges = {realm}, 0
    while realms:
        if able := {one for one in realms if _payable(one, due)}:
            return exchanges, able
        realms = {after for one in realms for after in _exchanged(one)}
        exchanges += 1
    return None, set()


def _payable(realm: tuple[int, ...], due: list[int]) -> bool:
    return all(have >= need for have, need in zip(realm, due, strict=False)) and sum(realm) >= sum(due)


def _exchanged(realm: tuple[int, ...]) -> set[tuple[int, ...]]:
    found = set()
    for give, get in itertools.permutations(range(COLOURS), 2):
        if realm[give] >= RATE:
            after = list(realm)
            after[give] -= RATE
            after[get] += 1
            found.add(tuple(after))
    return found


def _payments(realm: tuple[int, ...], due: list[int]) -> set[tuple[int, ...]]:
    """All sets of worshippers that pay a cost: the named ones, and any others for the "any" part."""
    named = due[:COLOURS]
    left = [have - need for have, need in zip(realm, named, strict=True)]
    found = set()
    for colours in itertools.combinations_with_replacement(range(COLOURS), due[ANY]):
        extra = Counter(colours)
        if all(extra[colour] <= left[colour] for colour in range(COLOURS)):
            found.add(tuple(named[colour] + extra[colour] for colour in range(COLOURS)))
    return found
