"""Positions in the words of the recordings, and final positions of theirs as ours.

They count rows and columns from 0, where our texts have letters and numbers (`actions.CELL_NAMES`).
"""

from __future__ import annotations

import itertools
from collections import Counter
from typing import Any

import numpy as np

from theogony.envs.core.game import Game
from theogony.envs.core.record import ENDED, from_bytes, to_bytes
from theogony.envs.core.verify import RecordingError
from theogony.envs.orbis import state
from theogony.envs.orbis.actions import CELL_NAMES, SLOTS
from theogony.envs.orbis.breakdown import colour_numbers, whole_scoring
from theogony.envs.orbis.components import ANY, COLOUR_NAMES, COLOURS, DISPLAY, GOD_NAMES, IF_DONE, LEVELS, REGIONS
from theogony.envs.orbis.rules.effects import CHECKED, RATE, named_due
from theogony.envs.orbis.rules.pyramid import LEFT, RIGHT, SLOT_CELLS, bottom_width, lay, slot_open
from theogony.envs.orbis.rules.turn import decide, proceed

PHASES = dict.fromkeys((state.EFFECT, state.GAIN, state.GIVE, state.DESTROY), "effect") | {
    state.CHOOSE: "choose", state.GENERATE: "generate", state.COLLECT: "collect", state.PAY: "pay",
    state.PAY_ANY: "pay", state.PLACE: "place", state.TRIM: "limit", state.FINISH: "limit", state.REFILL: "refill",
    state.END: "end",
}  # fmt: skip
FACES = (None, "up", "wilderness")


def tile_id(game: Game, tile: int) -> str | None:
    """The printed id of a tile, None for no tile."""
    return None if tile == state.NONE else game.components["regions"][tile]["id"]


def state_view(game: Game, g: Any, gods: list[str]) -> dict[str, Any]:
    """The whole state; `gods` are those that were on offer at the start, in the order to name them."""
    t = game.tables[0]
    levels = [int(t.level[tile]) for tile in g.pile if tile != state.NONE]
    return {
        "turn": None if g.over else int(g.turns) + 1,
        "round": None if g.over else int(g.turns) // game.players + 1,
        "to_act": None if g.over else int(g.actor),
        "phase": "over" if g.over else PHASES[int(g.decision)],
        "current": _current(game, g),
        "display": [_position(game, g, k) for k in range(DISPLAY)],
        "piles_left": [levels.count(level) for level in range(1, LEVELS + 1)],
        "gods": legal_gods(g, gods, everybody=True),
        "seats": [_seat(game, g, t, seat) for seat in range(game.players)],
    }


def _current(game: Game, g: Any) -> dict[str, Any] | None:
    """The tile or god of the turn, as far as it has gone."""
    if g.decision == state.CHOOSE:
        return None
    if g.hand == state.NONE:
        return {"kind": "god", "god": GOD_NAMES[g.god[g.actor]]}
    return {
        "kind": "tile",
        "tile": tile_id(game, g.hand),
        "from": int(g.source),
        "lying": colour_numbers(g.lying[g.source]),
        "face": FACES[g.face],
        "placed": bool(g.cell != state.NONE),
    }


def _position(game: Game, g: Any, k: int) -> dict[str, Any]:
    tile = tile_id(game, g.display[k])
    return {"tile": tile, "worshippers": {} if tile is None else colour_numbers(g.lying[k])}


def _seat(game: Game, g: Any, t: Any, seat: int) -> dict[str, Any]:
    god = int(g.god[seat])
    open_yet = seat == g.actor and g.hand == state.NONE and g.decision in (state.EFFECT, state.GIVE)
    done = bool(g.taken[seat]) if god != state.NONE and t.end[god] == IF_DONE and not open_yet else None
    return {
        "realm": colour_numbers(g.realm[seat]),
        "rows": rows_view(game, g, seat),
        "farms": [name for colour, name in enumerate(COLOUR_NAMES) if g.farms[seat] >> colour & 1],
        "tiles_placed": int(g.placed[seat]),
        "god": None if god == state.NONE else GOD_NAMES[god],
        "death_done": done,
    }


def rows_view(game: Game, g: Any, seat: int) -> list[list[dict[str, Any] | None]]:
    """A pyramid by rows, the bottom one first; a row is one shorter than the row below."""
    width = int(bottom_width(g, seat))
    return [[_placed(game, g, seat, state.STRIDE * row + k) for k in range(max(0, width - row))] for row in range(4)]


def _placed(game: Game, g: Any, seat: int, cell: int) -> dict[str, Any] | None:
    if g.tiles[seat, cell] == state.NONE:
        return None
    wild = g.wild[seat] >> cell & 1
    status = "active" if g.active[seat] >> cell & 1 else "cancelled" if g.cancelled[seat] >> cell & 1 else None
    return {"tile": tile_id(game, g.tiles[seat, cell]), "face": "wilderness" if wild else "up", "status": status}


# ---------------------------------------------------------------------------------------------------- slots


def slot_text(game: Game, g: Any, seat: int, slot: int) -> str:
    """A slot in words that do not depend on any numbering."""
    if slot in (LEFT, RIGHT):
        first = bottom_width(g, seat) == 0
        return "bottom first" if first else "bottom left" if slot == LEFT else "bottom right"
    below = int(SLOT_CELLS[slot]) - state.STRIDE
    return f"on {tile_id(game, g.tiles[seat, below])} {tile_id(game, g.tiles[seat, below + 1])}"


def slot_of(game: Game, g: Any, seat: int, text: str) -> int:
    """The slot of such words, -1 when there is none: the first tile has one slot, not one at either end."""
    there = [slot for slot in range(SLOTS) if slot != LEFT or bottom_width(g, seat) > 0]
    return next((slot for slot in there if slot_text(game, g, seat, slot) == text), -1)


def legal_gods(g: Any, gods: list[str], everybody: bool = False) -> list[str]:
    """Gods on offer, for the acting seat only while it has none."""
    if g.god[g.actor] != state.NONE and not everybody:
        return []
    return [god for god in gods if g.offer >> GOD_NAMES.index(god) & 1]


# ---------------------------------------------------------------------------------------------------- end of a game


def scoring_json(game: Game, g: Any) -> dict[str, Any]:
    """The whole scoring, with the row and the column of each tile instead of its place."""
    found = whole_scoring(game, g)
    for seat in found["seats"]:
        for tile in seat["tiles"]:
            tile["row"], tile["col"] = divmod(CELL_NAMES.index(tile.pop("place")), state.STRIDE)
    return found


def final_position(game: Game, seats: list[dict[str, Any]]) -> Any:
    """An array of one finished position, built from the rows, god and realm of each seat.

    A seat is `{"rows": [[{"tile", "face", "status"}, ...], ...], "god", "death_done", "realm"}`. Raises
    RecordingError where a pyramid is not complete or breaks the placement rules.
    """
    states = game.new_states(1)
    g, t = states[0], game.tables[0]
    g.players = game.players
    g.tiles[:], g.display[:], g.pile[:] = -1, -1, -1
    g.source = g.hand = g.cell = -1
    g.over, g.turns = ENDED, (REGIONS + 1) * game.players
    if len(seats) != game.players:
        raise RecordingError(f"{len(seats)} seats, {game.players} were expected")
    for seat, content in enumerate(seats):
        if [len(row) for row in content["rows"]] != [5, 4, 3, 2]:
            raise RecordingError(f"seat {seat}: the rows are not 5, 4, 3 and 2 tiles")
        for row, tiles in enumerate(content["rows"]):
            for column, tile in enumerate(tiles):
                _lay(game, g, t, seat, state.STRIDE * row + column, tile)
        g.god[seat] = GOD_NAMES.index(content["god"])
        g.taken[seat] = t.end[g.god[seat]] == IF_DONE and bool(content["death_done"])
        g.realm[seat] = [content["realm"].get(colour, 0) for colour in COLOUR_NAMES]
    return states


def _lay(game: Game, g: Any, t: Any, seat: int, cell: int, tile: dict[str, Any]) -> None:
    """One tile with its status, by the rules of placement."""
    names = [region["id"] for region in game.components["regions"]]
    number = names.index(tile["tile"])
    face = state.UP if tile["face"] == "up" else state.WILDERNESS
    slot = RIGHT if cell < state.STRIDE else SLOT_CELLS.tolist().index(cell)
    if not slot_open(g, seat, t.colour[number] if face == state.UP else ANY, slot):
        raise RecordingError(f"seat {seat}: {tile['tile']} may not lie in {CELL_NAMES[cell]}")
    lay(g, t, seat, number, face, slot)
    if tile["status"] == "active":
        g.active[seat] |= 1 << cell
        g.counts[seat, CHECKED[t.effect[number]]] += 1
        g.cp[seat] += t.cp[number]
    elif tile["status"] == "cancelled":
        g.cancelled[seat] |= 1 << cell


# ---- What a seat may take, where it may place it and how it can pay for it


def slots(game: Game, g: Any, seat: int, colour: int) -> list[str]:
    """Where the rules allow a tile of a colour; ANY is a wilderness."""
    return [slot_text(game, g, seat, slot) for slot in range(SLOTS) if slot_open(g, seat, colour, slot)]


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
    while g.decision != state.PAY:
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
        rich = {one for one in realms if sum(one) >= sum(due)}
        if able := {one for one in rich if all(have >= need for have, need in zip(one, due, strict=False))}:
            return exchanges, able
        realms = {after for one in realms for after in _exchanged(one)}
        exchanges += 1
    return None, set()


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
