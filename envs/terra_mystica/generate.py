"""Maps drawn anew: the printed rivers, and on the land as many spaces of each colour, balanced in their neighbourhood.

No two spaces of a colour touch; every colour has about as many neighbours one, two and three spades away as printed
ones have, and about as many spaces on a river. Factions and tiles stay: players see them by their number.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from theogony.envs.core.packs import Draw
from theogony.envs.terra_mystica.components import BOARD, COLOURS, DATA, LAND, LETTERS, WHEEL, load_components

NEIGHBOURS = ((8, 15), (10, 16), (8, 18))  # of a colour, one, two and three spades away: as printed, from least to most
ON_RIVERS = (6, 10)  # spaces of a colour beside a river, likewise
TOUCHING = 20  # a pair of a colour that touches weighs as much as so many neighbours too few
SWAPS = 4000  # tried before a map is begun anew; most are done after some hundreds

AROUND = [np.array(spaces, np.int64) for spaces in BOARD.beside]
BANKS = sorted({space for spaces in BOARD.banks for space in spaces})


class Counts(NamedTuple):
    """Of each colour, how many neighbours so many spades away, int64 (7, 4), and how many spaces on rivers, (7,)."""

    near: np.ndarray
    banks: np.ndarray


def generate(options: Any, draw: Draw) -> dict[str, Any]:
    """Pieces of the form of the folder `data`, with another map."""
    printed = load_components(DATA)
    while (terrain := _balanced(draw)) is None:
        pass
    colours = iter(terrain)
    rows = [[LETTERS[next(colours)] if letter != "." else letter for letter in row.split()] for row in printed["map"]]
    return {**printed, "map": [" ".join(row) for row in rows]}


def counts_of(terrain: Any) -> Counts:
    """The statistics of a map, given by the colours of its land spaces."""
    land = np.asarray(terrain, np.int64)
    near = np.zeros((len(COLOURS), 4), np.int64)
    for space, around in enumerate(AROUND):
        np.add.at(near[land[space]], WHEEL[land[space], land[around]], 1)
    return Counts(near, np.bincount(land[BANKS], minlength=len(COLOURS)))


def fault_of(counts: Counts) -> int:
    """How far a map is from balance; 0 where it is balanced."""
    out = TOUCHING * int(counts.near[:, 0].sum())
    for away, (least, most) in enumerate(NEIGHBOURS, 1):
        out += _beyond(counts.near[:, away], least, most)
    return out + _beyond(counts.banks, *ON_RIVERS)


def _beyond(found: np.ndarray, least: int, most: int) -> int:
    return int(np.maximum(found - most, 0).sum() + np.maximum(least - found, 0).sum())


def _balanced(draw: Draw) -> list[int] | None:
    """Colours of the land spaces, by swaps that make a random map no worse; None where that did not end."""
    terrain = draw.shuffled(space % len(COLOURS) for space in range(LAND))
    fault = fault_of(counts_of(terrain))
    for _ in range(SWAPS):
        if fault == 0:
            return terrain
        one, other = draw.below(LAND), draw.below(LAND)
        terrain[one], terrain[other] = terrain[other], terrain[one]
        found = fault_of(counts_of(terrain))
        if found > fault:
            terrain[one], terrain[other] = terrain[other], terrain[one]
        else:
            fault = found
    return None
