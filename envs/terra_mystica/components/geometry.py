"""The map: spaces and their labels, who touches whom, bridge sites, and what shipping and tunnelling reach.

Sets of land spaces are pairs of uint64 (space k is bit k % 64 of word k // 64); sets of river spaces are one uint64.
"""

from __future__ import annotations

import functools
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

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
