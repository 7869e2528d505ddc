"""What holds in every position, for conformance tests and random play."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from theogony.envs.core.game import Game
from theogony.envs.core.untrusted.ranges import Ranges, declared
from theogony.envs.terra_mystica.components import LAND, SITES, in_set, land_set, pieces
from theogony.envs.terra_mystica.state import CULT_SPADES, DRAFT, FREE, NONE, NOT_IN_GAME, state_fields


def invariant(game: Game, g: Any) -> str | None:
    """The first thing that is wrong with a position, or None."""
    return next(_faults(game, g), None)


def _faults(game: Game, g: Any) -> Iterator[str]:
    yield from _map_faults(game, g)
    yield from _tile_faults(game, g)
    for seat in range(game.players):
        if g.faction[seat] != NONE:
            yield from (f"seat {seat}: {fault}" for fault in _seat_faults(game, g, seat))


def _map_faults(game: Game, g: Any) -> Iterator[str]:
    """Sets and arrays tell the same about colours, structures and bridges."""
    for colour in range(7):
        if not np.array_equal(g.colour[colour], land_set(np.flatnonzero(g.terrain == colour).tolist())):
            yield f"the set of colour {colour} differs from the terrain"
    if not np.array_equal(g.taken, land_set(np.flatnonzero(g.building != pieces.NO_STRUCTURE).tolist())):
        yield "the set of taken spaces differs from the structures"
    if [bool(int(g.bridges) >> k & 1) for k in range(SITES)] != [owner != NONE for owner in g.bridge_owner]:
        yield "the set of bridges differs from their owners"
    union, total = np.zeros(2, np.uint64), 0
    for seat in range(game.players):
        union |= g.own[seat]
        total += sum(int(word).bit_count() for word in g.own[seat])
    if not np.array_equal(union, g.taken) or total != sum(int(word).bit_count() for word in g.taken):
        yield "structures without owner, or with two"


def _tile_faults(game: Game, g: Any) -> Iterator[str]:
    """Every tile, card and spot is in one place."""
    t, players = game.tables[0], game.players
    if not np.array_equal(g.favor_supply + g.favors[:players].sum(0), t.favor_copies):
        yield "favor tiles are lost or new"
    towns = g.town_supply + g.towns[:players].sum(0)
    if not np.array_equal(towns[:5], t.town_copies[:5]) or (g.favors > 1).any() or (g.town_supply < 0).any():
        yield "town tiles are lost or new, or a favor tile is held twice"
    if g.towns_due > g.town_supply.sum():
        yield "more town tiles are due than there are"
    if int((g.card_place != NOT_IN_GAME).sum()) != players + 3:
        yield "bonus cards are lost or new"
    for seat in range(players):
        if g.card[seat] != NONE and g.card_place[g.card[seat]] != seat:
            yield f"seat {seat} holds a card that lies elsewhere"
    if any(g.card_coins[k] and g.card_place[k] != FREE for k in range(10)):
        yield "coins on a card that somebody holds"
    if any(sum(g.cult[:players, track] == pieces.TOP) > 1 for track in range(4)):
        yield "two markers on the top of a cult track"


def _seat_faults(game: Game, g: Any, seat: int) -> Iterator[str]:
    """Pieces within their limits, nothing below zero, points accounted for."""
    own = [k for k in range(LAND) if in_set(g.own[seat], k)]
    for kind in range(1, 6):
        count = sum(g.building[k] == kind for k in own)
        if count != g.built[seat, kind] or count > pieces.LIMITS[kind]:
            yield f"{count} {pieces.STRUCTURES[kind - 1]} on the map, counted as {g.built[seat, kind]}"
    home = game.tables[0].home[g.faction[seat]]
    if any(g.terrain[k] != home for k in own):
        yield "a structure on a foreign colour"
    numbers = (g.vp[seat], g.coins[seat], g.workers[seat], g.priests[seat], *g.bowls[seat], g.keys[seat])
    if min(int(n) for n in numbers) < 0:
        yield f"something is below zero: {[int(n) for n in numbers]}"
    if int(g.priests[seat]) + int(g.priests_away[seat]) > pieces.PRIESTS or int(g.bowls[seat].sum()) > 12:
        yield "too many priests or tokens of power"
    if int((g.spots == seat).sum()) != g.priests_away[seat]:
        yield "priests on the cult board are miscounted"
    if int((g.bridge_owner == seat).sum()) + int(g.bridges_left[seat]) != pieces.BRIDGES:
        yield "bridges are lost or new"
    if int(g.vp_from[seat].sum()) != g.vp[seat]:
        yield f"{int(g.vp[seat])} points, of which {int(g.vp_from[seat].sum())} are accounted for"
    if any(int(g.in_town[seat, w]) & ~int(g.own[seat, w]) for w in range(2)):
        yield "a town on a space of somebody else"


def ranges(game: Game) -> Ranges:
    """Lowest and highest value of each field: what bytes from a file must keep to before the rules see them."""
    return {"decision": (DRAFT, CULT_SPADES)} | declared(state_fields())
