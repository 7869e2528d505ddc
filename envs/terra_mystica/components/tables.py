"""The read-only record `t`: the pieces as arrays, and the options as flags."""

from __future__ import annotations

import functools
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from theogony.envs.core.record import record_dtype, tables_header
from theogony.envs.terra_mystica.components import pieces

COLOURS = ("yellow", "brown", "black", "blue", "green", "gray", "red")  # the wheel, in order (§7)
LETTERS = "YUKBGSR"
WHEEL = np.array([[min((a - b) % 7, (b - a) % 7) for b in range(7)] for a in range(7)])  # steps between two colours
LAND, RIVER, SITES = 77, 36, 29  # spaces of the printed board and its bridge sites (§2)
DIRECTIONS = ((0, -2), (0, 2), (-1, -1), (-1, 1), (1, -1), (1, 1))  # to the six spaces around, as (row, half-space)
REACHES = 7  # shipping levels 0-6 (Mermaids 5 and a bonus card), or spaces skipped


@dataclass(frozen=True)
class Map:
    """The board by indices: land spaces 0-76 and river spaces 0-35 in reading order."""

    land: list[str]  # labels
    river: list[str]
    places: dict[str, tuple[int, int]]  # label -> (row, half-space column), for drawing
    terrain: np.ndarray  # int8 (77,): printed colour
    beside: list[list[int]]  # land spaces that share an edge
    banks: list[list[int]]  # land spaces that touch each river space
    sites: list[tuple[int, int]]  # bridge sites
    sail: np.ndarray  # uint64 (7, 77, 2): spaces reached over at most so many river spaces
    fly: np.ndarray  # uint64 (7, 77, 2): spaces reached by skipping at most so many spaces


def land_set(spaces: Iterable[int]) -> np.ndarray:
    """A pair of uint64 for land spaces."""
    words = [0, 0]
    for space in spaces:
        words[space >> 6] |= 1 << (space & 63)
    return np.array(words, np.uint64)


def in_set(pair: Any, space: int) -> bool:
    """Whether a set of land spaces holds one."""
    return bool(int(pair[space >> 6]) >> (space & 63) & 1)


def build_map(rows: Sequence[str]) -> Map:
    """The board from its rows of letters. Raises ValueError when it has not the printed counts of spaces."""
    return _build_map(tuple(rows))


@functools.cache
def _build_map(rows: tuple[str, ...]) -> Map:
    places, kinds = _read_rows(rows)
    land = [label for label in places if not label.startswith("r")]
    river = [label for label in places if label.startswith("r")]
    around = {label: _around(label, places) for label in places}
    sites = [
        (a, b)
        for a, first in enumerate(land)
        for b, second in enumerate(land)
        if a < b and _is_site(first, second, around)
    ]
    if (len(land), len(river), len(sites)) != (LAND, RIVER, SITES):
        raise ValueError(
            f"the map has {len(land)} land spaces, {len(river)} river spaces and {len(sites)} bridge sites, "
            f"expected {LAND}, {RIVER} and {SITES}"
        )
    number = {label: k for k, label in enumerate(land)}
    lands = {label: sorted(number[n] for n in around[label] if n in number) for label in places}
    return Map(
        land, river, places, np.array([kinds[label] for label in land], np.int8),
        [lands[label] for label in land], [lands[label] for label in river], sites,
        _reaches(land, around, number, over_land=False), _reaches(land, around, number, over_land=True),
    )  # fmt: skip


def _read_rows(rows: Sequence[str]) -> tuple[dict[str, tuple[int, int]], dict[str, int]]:
    """Where each labelled space lies, and the colour of each land space."""
    places: dict[str, tuple[int, int]] = {}
    kinds: dict[str, int] = {}
    rivers = 0
    for r, row in enumerate(rows):
        count = 0
        for c, letter in enumerate(row.split()):
            if letter == ".":
                label = f"r{rivers}"
                rivers += 1
            elif letter in LETTERS:
                count += 1
                label = f"{chr(65 + r)}{count}"
                kinds[label] = LETTERS.index(letter)
            else:
                raise ValueError(f"row {r + 1} has the letter {letter!r}; known are {LETTERS} and . for a river")
            places[label] = (r, 2 * c + r % 2)
    return places, kinds


def _around(label: str, places: dict[str, tuple[int, int]]) -> set[str]:
    row, x = places[label]
    near = {(row + down, x + right) for down, right in DIRECTIONS}
    return {other for other, place in places.items() if place in near}


def _is_site(a: str, b: str, around: dict[str, set[str]]) -> bool:
    """Two land spaces two apart whose two common neighbours are both river (§2)."""
    common = around[a] & around[b]
    return b not in around[a] and len(common) == 2 and all(label.startswith("r") for label in common)


def _reaches(land: list[str], around: dict[str, set[str]], number: dict[str, int], *, over_land: bool) -> np.ndarray:
    """For each distance and land space the land spaces reached over so many river (or any) spaces between."""
    out = np.zeros((REACHES, len(land), 2), np.uint64)
    for start in land:
        reached: set[str] = set()
        seen, front = {start}, {start}
        for distance in range(1, REACHES):
            front = {n for label in front for n in around[label] if over_land or n.startswith("r")} - seen
            seen |= front
            reached |= {n for label in front for n in around[label] if n in number} - {start}
            out[distance, number[start]] = land_set(number[label] for label in reached)
    return out


# ---- The read-only record `t`: the pieces as arrays, and the options as flags ------------------------------------

FLAGS = (
    "extra_towns", "ship_card", "temple_tile", "passing_order",  # optional pieces (§16)
    "draft", "random_first", "cultists_power",
    "town_of_six", "one_special", "convert_always", "free_spades", "priest_back", "both_caps", "lean_setup",
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
        ("income_word", "u8", (14, 6, 9)),  # the same, 16 bits each, to be added up at once
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
        ("favor_word", "u8", (12,)),  # the same as one word
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


def build_tables(data: dict[str, Any], flags: dict[str, bool]) -> np.ndarray:
    """The tables record, as an array of one."""
    tables = np.zeros(1, tables_dtype())
    t = tables[0]
    for name, value in flags.items():
        t[name] = value
    _map_tables(t, build_map(data["map"]))
    t.ship_cost[:] = pieces.SHIP_COST
    for f, name in enumerate(pieces.FACTIONS):
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
    t.start[f] = pieces.goods(faction["start"])
    t.bowls[f], t.cults[f] = faction["bowls"], faction["cults"]
    t.first_dwellings[f], t.lone_cost[f] = faction["first_dwellings"], faction["lone_trading_house"]
    t.income[f, 0, :] = pieces.goods(faction["income"])[:4]
    for k, kind in enumerate(pieces.STRUCTURES, 1):
        t.cost[f, k] = pieces.goods(faction["cost"][kind])
        slots = np.cumsum([pieces.goods(slot)[:4] for slot in faction["slots"][kind]], axis=0)
        t.income[f, k, 1 : 1 + len(slots)] = slots
    t.income_word[f] = side_by_side(t.income[f])
    ship, dig = faction["shipping"], faction["digging"]
    t.skips[f], t.ship_start[f], t.ship_max[f] = 1, 1, 1
    if ship is not None:
        t.skips[f], t.ship_start[f], t.ship_max[f] = 0, ship["start"], ship["max"]
        t.ship_vp[f, : len(ship["vp"])] = ship["vp"]
    t.dig_max[f], t.dig_cost[f] = dig["max"], pieces.goods(dig["cost"])
    for level in range(3):
        t.spade_cost[f, level] = pieces.goods(dig["spade"][min(level, len(dig["spade"]) - 1)])


def side_by_side(four: np.ndarray) -> np.ndarray:
    """Four goods (..., 4) as one word, uint64 (...), 16 bits each."""
    return np.ascontiguousarray(four, np.uint16).view(np.uint64)[..., 0]


def _tile_tables(t: Any, tiles: dict[str, Any]) -> None:
    for k, name in enumerate(pieces.BONUS):
        card = tiles["bonus"][name]
        t.bonus_income[k] = pieces.goods(card["income"])[:4]
        for what, vp in card["pass_vp"].items():
            t.bonus_pass[k, 6 if what == "ship" else 1 + pieces.STRUCTURES.index(what)] = vp
    for k, name in enumerate(pieces.FAVOR):
        tile = tiles["favor"][name]
        t.favor_copies[k], t.favor_steps[k] = tile["copies"], tile["steps"]
        t.favor_cult[k] = pieces.CULTS.index(tile["cult"])
        t.favor_income[k] = pieces.goods(tile["income"])[:4]
        t.favor_word[k] = side_by_side(t.favor_income[k])
        for what, vp in tile["build_vp"].items():
            t.favor_build[k, 1 + pieces.STRUCTURES.index(what)] = vp
        if tile["pass_vp"]:
            t.favor_pass[:] = tile["pass_vp"]
    for k, name in enumerate(pieces.TOWN):
        tile = tiles["town"][name]
        t.town_copies[k], t.town_vp[k], t.town_keys[k] = tile["copies"], tile["vp"], tile["keys"]
        t.town_steps[k], t.town_gain[k] = tile["steps"], pieces.goods(tile["gain"])
    for k, name in enumerate(pieces.SCORING):
        tile = tiles["scoring"][name]
        for what in tile["scores"]:
            t.score_vp[k, 1 + pieces.SCORES.index(what)] = tile["vp"]
        t.score_cult[k] = -1 if tile["cult"] is None else pieces.CULTS.index(tile["cult"])
        t.score_every[k], t.score_reward[k] = tile["every"], pieces.goods(tile["reward"])
