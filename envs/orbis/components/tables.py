"""The tile list as the read-only record `t`, which every rule gets."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np

from theogony.envs.core.record import record_dtype, tables_header
from theogony.envs.orbis.components.checks import regions_in_use
from theogony.envs.orbis.components.models import (
    COLOUR_NAMES,
    COLOURS,
    COUNTED,
    DISPLAY,
    EFFECTS,
    GOD_ENDS,
    GOD_NAMES,
    GODS,
    MAX_PLAYERS,
    REGIONS,
)

FACE_COLUMNS = (
    "colour 5, cost by colour and any over 2, effect 8, its parts by colour and any over 6, CP / 5, mythology / 13"
)
FACE = COLOURS + (COLOURS + 1) + len(EFFECTS) + (COLOURS + 1) + 2  # numbers that describe a tile


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
        ("in_use", "i1", (REGIONS * MAX_PLAYERS + DISPLAY,)),  # tiles of this game by level, the others -1
        ("deck", "i1"),  # how many they are
        ("level", "i1", (tiles,)),
        ("colour", "i1", (tiles,)),
        ("cost", "i1", (tiles, COLOURS + 1)),
        ("effect", "i1", (tiles,)),
        ("parts", "i1", (tiles, COLOURS + 1)),  # what the effect gives, waives, needs or takes, by colour
        ("number", "i1", (tiles,)),  # the sum of `parts`
        ("cp", "i1", (tiles,)),
        ("mythology", "i1", (tiles,)),  # 0: none
        ("icons", "i1", (tiles,)),  # temples for the ranking
        ("face", "f4", (tiles, FACE)),  # the whole tile as features
        ("offer", "i1"),  # gods on offer
        ("tokens", "i1", (MAX_PLAYERS,)),  # temple tokens, best first
        ("on_take", "i1", (GODS,)),  # worshippers to gain (positive) or to discard (negative)
        ("end", "i1", (GODS,)),
        ("what", "i1", (GODS,)),
        ("needs", "i1", (GODS, len(COUNTED))),
        ("god_cp", "i1", (GODS,)),
    )


def build_tables(data: dict[str, Any], players: int) -> np.ndarray:
    """The tables record for a player count, as an array of one; options that rules read are still 0."""
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
        t.colour[k] = COLOUR_NAMES.index(tile["colour"])
        t.cost[k] = worshippers(tile["cost"])
        t.effect[k] = EFFECTS.index(effect["type"])
        t.parts[k] = worshippers(effect_parts(effect))
        t.number[k] = t.parts[k].sum()
        t.icons[k] = effect.get("temples", 0)
        t.face[k] = _face(t, k)
    for god in data["gods"]:
        _write_god(t, GOD_NAMES.index(god["id"]), god)
    return tables


def _face(t: Any, k: int) -> np.ndarray:
    """A tile as numbers of about 0 to 1, in the order of FACE_COLUMNS."""
    colour, effect = np.eye(COLOURS)[t.colour[k]], np.eye(len(EFFECTS))[t.effect[k]]
    rest = [t.cp[k] / 5, t.mythology[k] / 13]
    return np.concatenate([colour, t.cost[k] / 2, effect, t.parts[k] / 6, rest])


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
    return [by_colour.get(colour, 0) for colour in (*COLOUR_NAMES, "any")]


def _write_god(t: Any, k: int, god: dict[str, Any]) -> None:
    take, end = god["on_take"], god["end"]
    if take is not None:
        t.on_take[k] = take["count"] if take["type"] == "gain" else -take["count"]
    t.end[k], t.god_cp[k] = GOD_ENDS.index(end["type"]), end["cp"]
    if "what" in end:
        t.what[k] = COUNTED.index(end["what"])
    for what, needed in end.get("needs", {}).items():
        t.needs[k, COUNTED.index(what)] = needed
