"""The printed pieces: region tiles, gods and setups, read from a JSON file and turned into read-only tables."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Annotated, Any, Literal

import numpy as np
from pydantic import BaseModel, ConfigDict, Field

from theogony.envs.core.checked import checked
from theogony.envs.core.game import ComponentError, read_components
from theogony.envs.core.record import record_dtype, tables_header

DEFAULT_TILES = Path(__file__).with_name("data") / "tiles.json"
COLOUR_NAMES = ("white", "yellow", "green", "blue", "red")
WHITE = 0
COLOURS, ANY = 5, 5  # ANY follows the colours where something may be of any of them
REGIONS = 14  # a finished pyramid
DISPLAY = 9
LEVELS = 3
MAX_PLAYERS = 4

EFFECTS = ("conversion", "holy_stone", "farm", "village", "volcano", "irrigation", "forest", "temple")
CONVERSION, HOLY_STONE, FARM, VILLAGE, VOLCANO, IRRIGATION, FOREST, TEMPLE = range(len(EFFECTS))
GOD_NAMES = (
    "apprentice_goddess",
    "idle_goddess",
    "god_of_technology",
    "god_of_balance",
    "god_of_death",
    "goddess_of_love",
    "god_of_the_sea",
    "goddess_of_fire",
    "goddess_of_nature",
    "god_of_harvest",
)
GODS = len(GOD_NAMES)
GOD_ENDS = ("flat", "wilderness_penalty_waived", "fewest", "set", "if_on_take_done", "most")
FLAT, WAIVED, FEWEST, SET, IF_DONE, MOST = range(len(GOD_ENDS))
# What gods count, in the order of `scoring.count`.
COUNTED = ("active_village", "active_volcano", "active_irrigation", "active_forest", "temple", "wilderness")

FACE_COLUMNS = (
    "colour 5, cost by colour and any over 2, effect 8, its parts by colour and any over 6, CP / 5, mythology / 13"
)
FACE = COLOURS + (COLOURS + 1) + len(EFFECTS) + (COLOURS + 1) + 2  # numbers that describe a tile

Colour = Literal["white", "yellow", "green", "blue", "red"]
ColourOrAny = Literal["white", "yellow", "green", "blue", "red", "any"]
Counted = Literal["active_village", "active_volcano", "active_irrigation", "active_forest", "temple", "wilderness"]
Amount = Annotated[int, Field(ge=1, le=10)]
Points = Annotated[int, Field(ge=0, le=50)]


class Piece(BaseModel):
    """Part of a tile file. Keys that are not known are ignored."""

    model_config = ConfigDict(extra="ignore", strict=True)


class Conversion(Piece):
    type: Literal["conversion"]
    gain: ColourOrAny
    count: Annotated[int, Field(ge=1, le=2)]


class HolyStone(Piece):
    type: Literal["holy_stone"]


class Farm(Piece):
    type: Literal["farm"]
    waives: Colour


class Village(Piece):
    type: Literal["village"]
    discard: Amount


class Volcano(Piece):
    type: Literal["volcano"]
    destroy: Annotated[dict[ColourOrAny, Amount], Field(min_length=1)]


class Irrigation(Piece):
    type: Literal["irrigation"]
    below: Annotated[list[Colour], Field(min_length=1, max_length=2)]


class Forest(Piece):
    type: Literal["forest"]
    neighbour_colour: ColourOrAny
    count: Annotated[int, Field(ge=1, le=6)]


class Temple(Piece):
    type: Literal["temple"]
    temples: Annotated[int, Field(ge=1, le=5)]


class Region(Piece):
    """One region tile. Worshippers are written as colour -> number; "any" is one of any colour."""

    id: Annotated[str, Field(pattern=r"^\S+$")]
    level: Annotated[int, Field(ge=1, le=LEVELS)]
    colour: Colour
    cost: dict[ColourOrAny, Amount]
    effect: Annotated[
        Conversion | HolyStone | Farm | Village | Volcano | Irrigation | Forest | Temple, Field(discriminator="type")
    ]
    cp: Points
    stars: Literal["none", "white", "purple"]
    mythology: Annotated[int, Field(ge=1, le=100)] | None


class OnTake(Piece):
    type: Literal["optional_discard", "gain"]
    count: Amount
    colour: str


class Flat(Piece):
    type: Literal["flat", "wilderness_penalty_waived", "if_on_take_done"]
    cp: Points


class Compared(Piece):
    type: Literal["fewest", "most"]
    what: Counted
    cp: Points


class Needed(Piece):
    type: Literal["set"]
    needs: dict[Counted, Amount]
    cp: Points


class God(Piece):
    id: str
    on_take: OnTake | None
    end: Annotated[Flat | Compared | Needed, Field(discriminator="type")]


class Setup(Piece):
    gods: Annotated[int, Field(ge=1, le=GODS)]
    temple_tokens: Annotated[list[Points], Field(max_length=MAX_PLAYERS)]
    remove_stars: list[Literal["white", "purple"]]


class TileFile(Piece):
    setup: dict[Literal["2", "3", "4"], Setup]
    gods: list[God]
    regions: Annotated[list[Region], Field(max_length=127)]


def load_tiles(path: str | Path) -> dict[str, Any]:
    """A checked tile file as plain data. Raises ComponentError naming the file, the tile and what was expected."""
    return check_tiles(read_components(path), path)


def check_tiles(data: Any, path: str | Path) -> dict[str, Any]:
    """The content of a tile file, checked; `path` says in messages where it comes from. Raises ComponentError."""
    tiles = checked(TileFile, data, str(path), ComponentError).model_dump()
    gods = [god["id"] for god in tiles["gods"]]
    if sorted(gods) != sorted(GOD_NAMES):
        odd = ", ".join(sorted(set(gods) ^ set(GOD_NAMES))) or "one is listed twice"
        raise ComponentError(f"{path}: gods: the ten printed gods were expected; missing, unknown or double: {odd}")
    seen: set[str] = set()
    for tile in tiles["regions"]:
        if tile["id"] in seen:
            raise ComponentError(f"{path}: tile {tile['id']} is listed twice")
        seen.add(tile["id"])
        if tile["colour"] != "white" and tile["mythology"] is not None:
            raise ComponentError(f"{path}: tile {tile['id']}: only a white tile has a mythology value")
    return tiles


def check_enough(data: dict[str, Any], players: int, path: str | Path) -> None:
    """Raises ComponentError when the tiles do not make a game of that many players (rules §2)."""
    if str(players) not in data["setup"]:
        raise ComponentError(f"{path}: setup: there is none for {players} players")
    used = regions_in_use(data, players)
    needed = REGIONS * players + DISPLAY
    if len(used) != needed:
        raise ComponentError(f"{path}: {len(used)} tiles for {players} players, but a game takes exactly {needed}")
    first = sum(tile["level"] == 1 for tile in used)
    if first < DISPLAY:
        raise ComponentError(f"{path}: {first} tiles of level 1 for {players} players, but the display takes {DISPLAY}")
    if data["setup"][str(players)]["gods"] < players:
        raise ComponentError(f"{path}: setup.{players}: a god for each player was expected")


def regions_in_use(data: dict[str, Any], players: int) -> list[dict[str, Any]]:
    """The region tiles of a player count: all but those with the stars that are taken out (rules §2)."""
    removed = data["setup"][str(players)]["remove_stars"]
    return [tile for tile in data["regions"] if tile["stars"] not in removed]


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
    t.players, t.scale = players, 25.0
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
