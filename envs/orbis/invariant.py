"""What holds in every position, for conformance tests and random play."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from theogony.envs.core.game import Game
from theogony.envs.core.untrusted.ranges import Ranges, any_value, set_of
from theogony.envs.orbis.actions import CELL_NAMES, DISPLAY_NAMES
from theogony.envs.orbis.components import COLOURS, CONDITIONAL, DISPLAY, FARM, FOREST, GODS, MAX_PLAYERS, REGIONS
from theogony.envs.orbis.rules.pyramid import PYRAMID
from theogony.envs.orbis.state import CELLS, CHOOSE, FINISH, LIMIT, NONE, PAY, STRIDE, WILDERNESS


def invariant(game: Game, g: Any) -> str | None:
    """The first thing that is wrong with a position, or None."""
    return next(_faults(game, g), None)


def _faults(game: Game, g: Any) -> Iterator[str]:
    yield from _tile_faults(game, g)
    yield from _god_faults(game, g)
    yield from _turn_faults(game, g)
    for seat in range(game.players):
        yield from (f"seat {seat}: {fault}" for fault in _pyramid_faults(game, g, seat))


def _tile_faults(game: Game, g: Any) -> Iterator[str]:
    """Every tile in use is in one place, and the display is full but for the tile in hand (rules §2)."""
    in_hand = [int(g.hand)] if g.hand != NONE and g.cell == NONE else []
    tiles = [int(tile) for part in (g.display, g.pile, g.tiles.reshape(-1)) for tile in part if tile != NONE]
    if sorted(tiles + in_hand) != sorted(game.tables[0].in_use[: game.tables[0].deck].tolist()):
        yield f"tiles are not conserved: {sorted(tiles + in_hand)}"
    holes = [name for name, tile in zip(DISPLAY_NAMES, g.display, strict=True) if tile == NONE]
    if holes != ([DISPLAY_NAMES[g.source]] if g.hand != NONE else []):
        yield f"the display has holes at {holes}"
    levels = [int(game.tables[0].level[tile]) for tile in g.pile if tile != NONE]
    if levels != sorted(levels) or len(levels) + g.drawn != REGIONS * game.players:
        yield f"the piles are out of order: levels {levels}, {g.drawn} drawn"
    if g.lying.min() < 0 or g.realm.min() < 0 or g.due.min() < 0:
        yield "there are fewer than no worshippers somewhere"


def _god_faults(game: Game, g: Any) -> Iterator[str]:
    """Each god is on offer, taken once, or out of the game."""
    taken = [int(god) for god in g.god if god != NONE]
    offered = [god for god in range(GODS) if g.offer >> god & 1]
    if len(set(taken + offered)) != game.tables[0].offer or len(taken + offered) != game.tables[0].offer:
        yield f"gods taken {taken} and on offer {offered}"


def _turn_faults(game: Game, g: Any) -> Iterator[str]:
    """Turns go around; each seat takes a tile or its god in each of them; at most ten worshippers stay."""
    if g.turn != g.actor or not 0 <= g.actor < game.players or not CHOOSE <= g.decision <= FINISH:
        yield f"seat {g.actor} decides {g.decision} in the turn of seat {g.turn}"
    if not g.over and (g.actor - g.first) % game.players != g.turns % game.players:
        yield f"seat {g.actor} is to act in turn {g.turns}"
    if bool(g.over == 1) != (g.turns == (REGIONS + 1) * game.players):
        yield f"over is {g.over} after {g.turns} turns"
    for seat in range(game.players):
        done = (g.turns + game.players - 1 - (seat - g.first) % game.players) // game.players
        running = seat == g.actor and not g.over
        now = running and (g.cell != NONE or (g.hand == NONE and g.decision != CHOOSE))
        if g.placed[seat] + (g.god[seat] != NONE) != done + now:
            yield f"seat {seat} has {g.placed[seat]} tiles and god {g.god[seat]} after {done} turns"
        if not (running and g.decision != CHOOSE) and g.realm[seat].sum() > LIMIT:
            yield f"seat {seat} keeps {g.realm[seat].tolist()}"


def _pyramid_faults(game: Game, g: Any, seat: int) -> Iterator[str]:
    """The pyramid obeys the placement rules (§4), and what is counted along the way is what lies there."""
    t = game.tables[0]
    cells = [cell for cell in range(g.tiles.shape[1]) if g.tiles[seat, cell] != NONE]
    tiles = [int(g.tiles[seat, cell]) for cell in cells]
    names = ", ".join(CELL_NAMES[cell] for cell in cells)
    if not set(cells) <= set(PYRAMID) or len(cells) != g.placed[seat]:
        yield f"tiles lie in {names}; {g.placed[seat]} are counted"
    width = sum(cell < STRIDE for cell in cells)
    if any(cell >= STRIDE and not {cell - STRIDE, cell - STRIDE + 1} <= set(cells) for cell in cells):
        yield f"one of the tiles in {names} lies on nothing"
    if sorted(cells)[:width] != list(range(width)):
        yield f"the bottom row has a gap: {names}"
    up = [(cell, tile) for cell, tile in zip(cells, tiles, strict=True) if not g.wild[seat] >> cell & 1]
    found = np.zeros(COLOURS, np.int64) + int(g.wild[seat])
    for cell, tile in up:
        found[t.colour[tile]] |= 1 << cell
        if cell >= STRIDE and not (found[t.colour[tile]] >> (cell - STRIDE)) & 3:
            yield f"the tile in {CELL_NAMES[cell]} has no support of its colour"
    if found.tolist() != g.colours[seat].tolist():
        yield f"colours are {found.tolist()}, counted as {g.colours[seat].tolist()}"
    yield from _count_faults(t, g, seat, up)


def _count_faults(t: Any, g: Any, seat: int, up: list[tuple[int, int]]) -> Iterator[str]:
    def bits(cells: list[int]) -> int:
        return sum(1 << cell for cell in cells)

    def is_active(cell: int) -> bool:
        return bool(g.active[seat] >> cell & 1)

    checked = [cell for cell, tile in up if t.effect[tile] in CONDITIONAL]
    waiting = [int(g.cell)] if seat == g.actor and PAY <= g.decision < FINISH and g.hand != NONE else []
    done = bits([cell for cell in checked if cell not in waiting])
    if g.active[seat] & g.cancelled[seat] or (g.active[seat] | g.cancelled[seat]) != done:
        yield f"active {g.active[seat]:b}, cancelled {g.cancelled[seat]:b}, of {done:b}"
    counts = [sum(is_active(cell) and t.effect[tile] == effect for cell, tile in up) for effect in CONDITIONAL]
    certain = [tile for cell, tile in up if t.effect[tile] != FOREST and (cell not in checked or is_active(cell))]
    expected = {
        "counts": counts,
        "icons": sum(int(t.icons[tile]) for _, tile in up),
        "cp": sum(int(t.cp[tile]) for tile in certain),
        "forests": bits([cell for cell, tile in up if t.effect[tile] == FOREST]),
        "farms": bits(sorted({int(t.parts[tile].argmax()) for _, tile in up if t.effect[tile] == FARM})),
    }
    for name, value in expected.items():
        if np.asarray(g[name][seat]).tolist() != value:
            yield f"{name} are {value}, counted as {g[name][seat]}"


# ---- The range of every field of the state: what bytes from a file must keep to before the rules see them --------


def ranges(game: Game) -> Ranges:
    """Lowest and highest value of each field; -1 is nothing."""
    return {
        "decision": (CHOOSE, FINISH),
        "first": (0, MAX_PLAYERS - 1),
        **dict.fromkeys(("display", "pile", "hand", "tiles"), (NONE, len(game.t.level) - 1)),
        **dict.fromkeys(("turns", "lying", "due", "realm", "icons"), (0, 127)),
        **dict.fromkeys(("begun", "taken"), (0, 1)),
        **dict.fromkeys(("placed", "counts"), (0, REGIONS)),
        **dict.fromkeys(("wild", "colours", "forests", "active", "cancelled"), set_of(CELLS)),
        "drawn": (0, REGIONS * MAX_PLAYERS),
        "offer": set_of(GODS),
        "source": (NONE, DISPLAY - 1),
        "face": (0, WILDERNESS),
        "cell": (NONE, CELLS - 1),
        "farms": set_of(COLOURS),
        "god": (NONE, GODS - 1),
        "cp": any_value(game.state["cp"]),
    }
