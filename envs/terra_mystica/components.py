"""The printed pieces: board, factions and tiles, read from JSON files, checked and turned into read-only tables."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import numpy as np
from pydantic import BaseModel, ConfigDict, Field

from theogony.envs.core.checked import checked
from theogony.envs.core.game import ComponentError, read_components
from theogony.envs.core.record import record_dtype, tables_header
from theogony.envs.terra_mystica.geometry import COLOURS, LAND, REACHES, RIVER, SITES, Map, build_map, land_set

DATA = Path(__file__).with_name("data")
FACTIONS = (
    "alchemists", "auren", "chaosmagicians", "cultists", "darklings", "dwarves", "engineers",
    "fakirs", "giants", "halflings", "mermaids", "nomads", "swarmlings", "witches",
)  # fmt: skip
(ALCHEMISTS, AUREN, CHAOS_MAGICIANS, CULTISTS, DARKLINGS, DWARVES, ENGINEERS,
 FAKIRS, GIANTS, HALFLINGS, MERMAIDS, NOMADS, SWARMLINGS, WITCHES) = range(14)  # fmt: skip
STRUCTURES = ("D", "TP", "TE", "SH", "SA")  # a space without structure has the number 0
NO_STRUCTURE, D, TP, TE, SH, SA = range(6)
LIMITS = (0, 8, 4, 3, 1, 1)  # pieces of each structure (rules §1)
POWER_VALUE = np.array((0, 1, 2, 2, 3, 3), np.int64)
CULTS = ("FIRE", "WATER", "EARTH", "AIR")
GOODS = ("C", "W", "P", "PW", "S")  # coins, workers, priests, power, spades
COIN, WORKER, PRIEST, POWER, SPADE = range(5)
BONUS = tuple(f"BON{k}" for k in range(1, 11))
FAVOR = tuple(f"FAV{k}" for k in range(1, 13))
TOWN = tuple(f"TW{k}" for k in range(1, 9))
SCORING = tuple(f"SCORE{k}" for k in range(1, 10))
SCORES = (*STRUCTURES, "SPADE", "TOWN")  # what a scoring tile may count, from number 1 on
SCORE_SPADE, SCORE_TOWN = 6, 7
BON1, BON2, BON4, BON10 = 0, 1, 3, 9
FAV5, FAV6, FAV10, FAV11, FAV12 = 4, 5, 9, 10, 11
TW6, TW7 = 5, 6
SCORE1, SCORE9 = 0, 8
SHIP_COST = (4, 0, 1, 0, 0)  # of an advance in shipping (rules §6.2)
MAX_PLAYERS, ROUNDS, BRIDGES, PRIESTS, TOP = 5, 6, 3, 7, 10
STRICT = ConfigDict(extra="forbid")

GoodsText = Annotated[str, Field(pattern=r"^(\d+ (C|W|P|PW|S)( \d+ (C|W|P|PW|S))*)?$")]
Colour = Annotated[str, Field(pattern="^(" + "|".join(COLOURS) + ")$")]
Small = Annotated[int, Field(ge=0, le=100)]


class Shipping(BaseModel):
    model_config = STRICT
    start: Small
    max: Annotated[int, Field(ge=0, lt=REACHES)]
    vp: list[Small]


class Digging(BaseModel):
    model_config = STRICT
    max: Annotated[int, Field(ge=0, le=2)]
    spade: Annotated[list[GoodsText], Field(min_length=1, max_length=3)]
    cost: GoodsText


class Faction(BaseModel):
    """One faction board: start, costs, income of each slot in the order it is emptied."""

    model_config = STRICT
    home: Colour
    start: GoodsText
    bowls: Annotated[list[Small], Field(min_length=3, max_length=3)]
    cults: Annotated[list[Small], Field(min_length=4, max_length=4)]
    first_dwellings: Annotated[int, Field(ge=1, le=3)]
    income: GoodsText
    cost: dict[str, GoodsText]
    lone_trading_house: Small
    slots: dict[str, list[GoodsText]]
    shipping: Shipping | None
    digging: Digging


class BonusCard(BaseModel):
    model_config = STRICT
    income: GoodsText
    pass_vp: dict[str, Small] = {}


class FavorTile(BaseModel):
    model_config = STRICT
    copies: Small
    cult: str
    steps: Small
    income: GoodsText = ""
    build_vp: dict[str, Small] = {}
    pass_vp: list[Small] = []


class TownTile(BaseModel):
    model_config = STRICT
    copies: Small
    vp: Small
    gain: GoodsText
    keys: Small
    steps: Small = 0


class ScoringTile(BaseModel):
    """`every` steps on `cult` give the reward; without a cult every priest on the cult board does."""

    model_config = STRICT
    scores: list[str]
    vp: Small
    reward: GoodsText
    cult: str | None = None
    every: Small = 1


class Tiles(BaseModel):
    model_config = STRICT
    bonus: dict[str, BonusCard]
    favor: dict[str, FavorTile]
    town: dict[str, TownTile]
    scoring: dict[str, ScoringTile]


class Components(BaseModel):
    """All pieces: `map` (rows of letters), `factions`, `tiles`."""

    model_config = STRICT
    map: list[str]
    factions: dict[str, Faction]
    tiles: Tiles


def load_components(folder: str | Path) -> dict[str, Any]:
    """The pieces of a folder: map.json, factions.json and tiles.json. Raises ComponentError naming what is wrong."""
    folder = Path(folder)
    board = read_components(folder / "map.json")
    rows = board.get("rows") if isinstance(board, dict) else None
    raw = {"map": rows} | {name: read_components(folder / f"{name}.json") for name in ("factions", "tiles")}
    pieces = checked(Components, raw, str(folder), ComponentError)
    try:
        build_map(pieces.map)
    except ValueError as error:
        raise ComponentError(f"{folder / 'map.json'}: {error}") from None
    check_names(folder, pieces)
    return pieces.model_dump()


def check_names(folder: Path, pieces: Components) -> None:
    tiles = pieces.tiles
    known = [("factions", pieces.factions, FACTIONS), ("bonus cards", tiles.bonus, BONUS)]
    known += [
        ("favor tiles", tiles.favor, FAVOR),
        ("town tiles", tiles.town, TOWN),
        ("scoring tiles", tiles.scoring, SCORING),
    ]
    for what, found, expected in known:
        if set(found) != set(expected):
            wrong = ", ".join(sorted(set(found) ^ set(expected)))
            raise ComponentError(f"{folder}: {what}: {wrong} missing or unknown; expected are {', '.join(expected)}")
    for name, faction in pieces.factions.items():
        for k, kind in enumerate(STRUCTURES, 1):
            if kind not in faction.cost or len(faction.slots.get(kind, [])) != LIMITS[k]:
                raise ComponentError(f"{folder}: {name}: {kind} needs a cost and {LIMITS[k]} slots")
        if sum(faction.bowls) != 12:
            raise ComponentError(f"{folder}: {name}: its bowls hold {sum(faction.bowls)} power, expected 12")
    for name, tile in {**tiles.favor, **tiles.scoring}.items():
        if tile.cult is not None and tile.cult not in CULTS:
            raise ComponentError(f"{folder}: {name}: cult {tile.cult!r} is none of {', '.join(CULTS)}")


def goods(text: str) -> list[int]:
    """Coins, workers, priests, power and spades of a text like "2 C 1 PW"."""
    words = text.split()
    out = [0] * len(GOODS)
    for number, name in zip(words[::2], words[1::2], strict=True):
        out[GOODS.index(name)] += int(number)
    return out


FLAGS = (
    "extra_towns", "ship_card", "temple_tile", "passing_order",  # optional pieces (rules §16)
    "draft", "random_first", "cultists_power",
    "town_of_six", "one_special", "convert_always", "free_spades", "priest_back", "both_caps", "lean_setup", "lean_end",
)  # fmt: skip


def tables_dtype() -> np.dtype:
    """The read-only record `t` that every rule gets. Goods are coins, workers, priests, power, spades."""
    return record_dtype(
        *tables_header(),
        *((flag, "i1") for flag in FLAGS),
        ("terrain", "i1", (LAND,)),
        ("beside", "u8", (LAND, 2)),  # spaces that share an edge
        ("banks", "u8", (RIVER, 2)),  # spaces around a river space
        ("rivers", "u8", (LAND,)),  # river spaces around a space
        ("far", "u8", (2, REACHES, LAND, 2)),  # spaces reached by ship, or by tunnel and carpet
        ("ends", "i1", (SITES, 2)),  # of each bridge site
        ("sites", "u4", (LAND,)),  # bridge sites of a space
        ("home", "i1", (14,)),
        ("start", "i1", (14, 5)),
        ("bowls", "i1", (14, 3)),
        ("cults", "i1", (14, 4)),
        ("first_dwellings", "i1", (14,)),
        ("cost", "i1", (14, 6, 5)),
        ("lone_cost", "i1", (14,)),  # coins for a trading house without neighbours
        ("income", "i1", (14, 6, 9, 4)),  # of so many emptied slots; row 0 is the base income
        ("skips", "i1", (14,)),  # 1: no shipping, but tunnelling or carpet flight
        ("ship_start", "i1", (14,)),
        ("ship_cost", "i1", (5,)),
        ("ship_max", "i1", (14,)),
        ("ship_vp", "i1", (14, REACHES)),
        ("dig_max", "i1", (14,)),
        ("dig_cost", "i1", (14, 5)),
        ("spade_cost", "i1", (14, 3, 5)),
        ("bonus_income", "i1", (10, 4)),
        ("bonus_pass", "i1", (10, 7)),  # for each structure, and at 6 for each shipping level
        ("favor_copies", "i1", (12,)),
        ("favor_cult", "i1", (12,)),
        ("favor_steps", "i1", (12,)),
        ("favor_income", "i1", (12, 4)),
        ("favor_build", "i1", (12, 6)),
        ("favor_pass", "i1", (5,)),  # FAV12, by trading houses
        ("town_copies", "i1", (8,)),
        ("town_vp", "i1", (8,)),
        ("town_gain", "i1", (8, 5)),
        ("town_keys", "i1", (8,)),
        ("town_steps", "i1", (8,)),
        ("weights", "f8", (64,)),  # of the heuristic
        ("score_vp", "i1", (9, 8)),
        ("score_cult", "i1", (9,)),  # -1: for each priest on the cult board
        ("score_every", "i1", (9,)),
        ("score_reward", "i1", (9, 5)),
    )


def build_tables(data: dict[str, Any], players: int, cut_off: int, flags: dict[str, bool]) -> np.ndarray:
    """The tables record, as an array of one."""
    tables = np.zeros(1, tables_dtype())
    t = tables[0]
    t.players, t.max_decisions, t.scale = players, cut_off, 80.0
    for name, value in flags.items():
        t[name] = value
    _map_tables(t, build_map(data["map"]))
    t.ship_cost[:] = SHIP_COST
    for f, name in enumerate(FACTIONS):
        _faction_tables(t, f, data["factions"][name])
    _tile_tables(t, data["tiles"])
    return tables


def _map_tables(t: Any, board: Map) -> None:
    t.terrain[:] = board.terrain
    t.beside[:] = [land_set(spaces) for spaces in board.beside]
    t.banks[:] = [land_set(spaces) for spaces in board.banks]
    for river, spaces in enumerate(board.banks):
        for space in spaces:
            t.rivers[space] |= np.uint64(1 << river)
    t.far[0], t.far[1] = board.sail, board.fly
    t.ends[:] = board.sites
    for site, (a, b) in enumerate(board.sites):
        t.sites[a] |= np.uint32(1 << site)
        t.sites[b] |= np.uint32(1 << site)


def _faction_tables(t: Any, f: int, faction: dict[str, Any]) -> None:
    t.home[f] = COLOURS.index(faction["home"])
    t.start[f] = goods(faction["start"])
    t.bowls[f], t.cults[f] = faction["bowls"], faction["cults"]
    t.first_dwellings[f], t.lone_cost[f] = faction["first_dwellings"], faction["lone_trading_house"]
    t.income[f, 0, :] = goods(faction["income"])[:4]
    for k, kind in enumerate(STRUCTURES, 1):
        t.cost[f, k] = goods(faction["cost"][kind])
        slots = np.cumsum([goods(slot)[:4] for slot in faction["slots"][kind]], axis=0)
        t.income[f, k, 1 : 1 + len(slots)] = slots
    ship, dig = faction["shipping"], faction["digging"]
    t.skips[f], t.ship_start[f], t.ship_max[f] = 1, 1, 1
    if ship is not None:
        t.skips[f], t.ship_start[f], t.ship_max[f] = 0, ship["start"], ship["max"]
        t.ship_vp[f, : len(ship["vp"])] = ship["vp"]
    t.dig_max[f], t.dig_cost[f] = dig["max"], goods(dig["cost"])
    for level in range(3):
        t.spade_cost[f, level] = goods(dig["spade"][min(level, len(dig["spade"]) - 1)])


def _tile_tables(t: Any, tiles: dict[str, Any]) -> None:
    for k, name in enumerate(BONUS):
        card = tiles["bonus"][name]
        t.bonus_income[k] = goods(card["income"])[:4]
        for what, vp in card["pass_vp"].items():
            t.bonus_pass[k, 6 if what == "ship" else 1 + STRUCTURES.index(what)] = vp
    for k, name in enumerate(FAVOR):
        tile = tiles["favor"][name]
        t.favor_copies[k], t.favor_steps[k] = tile["copies"], tile["steps"]
        t.favor_cult[k] = CULTS.index(tile["cult"])
        t.favor_income[k] = goods(tile["income"])[:4]
        for what, vp in tile["build_vp"].items():
            t.favor_build[k, 1 + STRUCTURES.index(what)] = vp
        if tile["pass_vp"]:
            t.favor_pass[:] = tile["pass_vp"]
    for k, name in enumerate(TOWN):
        tile = tiles["town"][name]
        t.town_copies[k], t.town_vp[k], t.town_keys[k] = tile["copies"], tile["vp"], tile["keys"]
        t.town_steps[k], t.town_gain[k] = tile["steps"], goods(tile["gain"])
    for k, name in enumerate(SCORING):
        tile = tiles["scoring"][name]
        for what in tile["scores"]:
            t.score_vp[k, 1 + SCORES.index(what)] = tile["vp"]
        t.score_cult[k] = -1 if tile["cult"] is None else CULTS.index(tile["cult"])
        t.score_every[k], t.score_reward[k] = tile["every"], goods(tile["reward"])
