"""The tile list as the read-only record `t`, which every rule gets."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np

from theogony.envs.core.record import record_dtype, tables_header
from theogony.envs.orbis.components import pieces
from theogony.envs.orbis.components.checks import check_enough, regions_in_use

FACE_COLUMNS = "colour 5, cost by colour and any 6, effect 8, its parts by colour and any 6, CP, mythology"
FACE_SCALES = (
    *[1] * pieces.COLOURS,
    *[2] * (pieces.COLOURS + 1),
    *[1] * len(pieces.EFFECTS),
    *[6] * (pieces.COLOURS + 1),
    5,
    13,
)
COST = slice(pieces.COLOURS, 2 * pieces.COLOURS)  # where the cost by colour stands among them; "any" follows
FACE = len(FACE_SCALES)  # numbers that describe a tile in the display
CELL_COLUMNS = "counts as colour 5, is wilderness, active, cancelled, a forest's condition by colour and any 6, its CP"
CELL_SCALES = (*[1] * (pieces.COLOURS + 3), *[6] * (pieces.COLOURS + 1), 5)
CELL = len(CELL_SCALES)  # numbers that describe a tile in a pyramid


def tables_dtype(tiles: int) -> np.dtype:
    """The read-only record `t` that every rule gets."""
    return record_dtype(
        *tables_header(),
        ("random_first", "i1"),  # A29: the seed decides who begins
        ("farm_waives_one", "i1"),  # A1: a farm waives one worshipper, not the whole part
        ("free_wilderness", "i1"),  # A4: a tile that could be paid may be turned over
        ("optional_gains", "i1"),  # A38: a conversion may be declined
        ("most_needs_one", "i1"),  # A20: "most" needs at least one
        ("tie_by_temples_only", "i1"),  # A24: only mythology values on temple tiles break a tie
        ("same_colour_exchange", "i1"),  # A45: three of a colour for one of the same
        ("late_exchange", "i1"),  # A44: exchange at the end of a turn also with ten worshippers or fewer
        (
            "in_use",
            "i1",
            (pieces.REGIONS * pieces.MAX_PLAYERS + pieces.DISPLAY,),
        ),  # tiles of this game by level, the others -1
        ("deck", "i1"),  # how many they are
        ("level", "i1", (tiles,)),
        ("colour", "i1", (tiles,)),
        ("cost", "i1", (tiles, pieces.COLOURS + 1)),
        ("effect", "i1", (tiles,)),
        ("parts", "i1", (tiles, pieces.COLOURS + 1)),  # what the effect gives, waives, needs or takes, by colour
        ("number", "i1", (tiles,)),  # the sum of `parts`
        ("cp", "i1", (tiles,)),
        ("mythology", "i1", (tiles,)),  # 0: none
        ("icons", "i1", (tiles,)),  # temples for the ranking
        ("face", "u1", (tiles, FACE)),  # the whole tile as the display shows it to an observer
        ("laid", "u1", (tiles, CELL)),  # and as a pyramid does
        ("offer", "i1"),  # gods on offer
        ("tokens", "i1", (pieces.MAX_PLAYERS,)),  # temple tokens, best first
        ("on_take", "i1", (pieces.GODS,)),  # worshippers to gain (positive) or to discard (negative)
        ("end", "i1", (pieces.GODS,)),
        ("what", "i1", (pieces.GODS,)),
        ("needs", "i1", (pieces.GODS, len(pieces.COUNTED))),
        ("god_cp", "i1", (pieces.GODS,)),
    )


def build_tables(data: dict[str, Any], players: int) -> np.ndarray:
    """The tables record for a player count, as an array of one; options that rules read are still 0. Raises
    ComponentError for tiles that do not make a game."""
    check_enough(data, players, "the tile list")
    tables = np.zeros(1, tables_dtype(len(data["regions"])))
    t = tables[0]
    setup = data["setup"][str(players)]
    t.offer = setup["gods"]
    t.tokens[: len(setup["temple_tokens"])] = sorted(setup["temple_tokens"], reverse=True)
    number = {tile["id"]: k for k, tile in enumerate(data["regions"])}
    used = sorted(regions_in_use(data, players), key=lambda tile: tile["level"])
    t.in_use[:], t.deck = -1, len(used)
    t.in_use[: len(used)] = [number[tile["id"]] for tile in used]
    for k, tile in enumerate(data["regions"]):
        effect = tile["effect"]
        t.level[k], t.cp[k], t.mythology[k] = tile["level"], tile["cp"], tile["mythology"] or 0
        t.colour[k] = pieces.COLOUR_NAMES.index(tile["colour"])
        t.cost[k] = worshippers(tile["cost"])
        t.effect[k] = pieces.EFFECTS.index(effect["type"])
        t.parts[k] = worshippers(effect_parts(effect))
        t.number[k] = t.parts[k].sum()
        t.icons[k] = effect.get("temples", 0)
        t.face[k], t.laid[k] = _face(t, k), _laid(t, k)
    for god in data["gods"]:
        _write_god(t, pieces.GOD_NAMES.index(god["id"]), god)
    return tables


def _face(t: Any, k: int) -> np.ndarray:
    """A tile as codes, in the order of FACE_COLUMNS."""
    colour, effect = np.eye(pieces.COLOURS)[t.colour[k]], np.eye(len(pieces.EFFECTS))[t.effect[k]]
    return np.concatenate([colour, t.cost[k], effect, t.parts[k], [t.cp[k], t.mythology[k]]])


def _laid(t: Any, k: int) -> np.ndarray:
    """A tile in a pyramid as codes, in the order of CELL_COLUMNS; only a forest's condition still matters there."""
    condition = [*t.parts[k], t.cp[k]] if t.effect[k] == pieces.FOREST else [0] * (pieces.COLOURS + 2)
    return np.concatenate([np.eye(pieces.COLOURS)[t.colour[k]], [0, 0, 0], condition])


def effect_parts(effect: dict[str, Any]) -> dict[str, int]:
    """The worshippers or neighbours an effect speaks of, as colour (or "any") -> number."""
    match effect["type"]:
        case "conversion":
            return {effect["gain"]: effect["count"]}
        case "farm":
            return {effect["waives"]: 1}
        case "village":
            return {"any": effect["discard"]}
        case "volcano":
            return effect["destroy"]
        case "irrigation":
            return dict(Counter(effect["below"]))
        case "forest":
            return {effect["neighbour_colour"]: effect["count"]}
    return {}


def worshippers(by_colour: dict[str, int]) -> list[int]:
    """Numbers in the order white, yellow, green, blue, red, any."""
    return [by_colour.get(colour, 0) for colour in (*pieces.COLOUR_NAMES, "any")]


def _write_god(t: Any, k: int, god: dict[str, Any]) -> None:
    take, end = god["on_take"], god["end"]
    if take is not None:
        t.on_take[k] = take["count"] if take["type"] == "gain" else -take["count"]
    t.end[k], t.god_cp[k] = pieces.GOD_ENDS.index(end["type"]), end["cp"]
    if "what" in end:
        t.what[k] = pieces.COUNTED.index(end["what"])
    for what, needed in end.get("needs", {}).items():
        t.needs[k, pieces.COUNTED.index(what)] = needed
