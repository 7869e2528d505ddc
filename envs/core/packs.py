"""Packs: component data that a game draws by itself, named by a seed: `components="random:7"`.

`random:0-99` names a hundred of them. Every game that begins then draws one, which follows from the seed of the game
alone, so a single position and a row of a batch play the same pack.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, TypeVar

import numpy as np

from theogony.envs.core.jit import rule
from theogony.envs.core.rng import mix

PRINTED = "printed"
MOST_PACKS = 1000  # in one name: the tables of all are kept in memory
MOST_SEED = 2**31 - 1
EXPECTED = f'expected "{PRINTED}", "random:SEED" or "random:FIRST-LAST", numbers from 0 to {MOST_SEED}'
NAME = re.compile(r"random:([0-9]{1,10})(?:-([0-9]{1,10}))?")
PACK = np.uint64(0x9ACC0FC0A7D5)  # what the seed of a game is mixed with

Item = TypeVar("Item")


def packs_named(name: str) -> range:
    """The seeds of the packs that a value of the option `components` names; none for the printed ones.

    Raises ValueError for what is no such name.

    >>> packs_named("printed"), packs_named("random:7"), packs_named("random:0-99")
    (range(0, 0), range(7, 8), range(0, 100))
    """
    if name == PRINTED:
        return range(0)
    found = NAME.fullmatch(name)
    if found is None or int(found[2] or found[1]) > MOST_SEED:
        raise ValueError(EXPECTED)
    first, last = int(found[1]), int(found[2] or found[1])
    if not 0 <= last - first < MOST_PACKS:
        raise ValueError(f"from 1 to {MOST_PACKS} packs were expected, FIRST not above LAST")
    return range(first, last + 1)


@rule
def pack_of(seed, packs):
    """Which of so many packs the game with this seed is played with."""
    if packs == 1:
        return np.int64(0)
    return np.int64(mix(seed, 0, PACK) % np.uint64(packs))


class Draw:
    """Random choices for generators, the same with every version of NumPy: 64 raw bits of PCG64 for each."""

    def __init__(self, seed: int, game: str) -> None:
        self._bits = np.random.PCG64(np.random.SeedSequence([seed, *game.encode()]))

    def below(self, n: int) -> int:
        """An unbiased integer from 0 to n - 1, for n up to 2**32."""
        least = 2**64 % n  # below it lies what would make small numbers likelier
        while True:
            word = int(self._bits.random_raw())
            if word >= least:
                return word % n

    def between(self, low: int, high: int) -> int:
        """An integer from low to high, both included."""
        return low + self.below(high - low + 1)

    def chance(self, share: float) -> bool:
        """True with this probability."""
        return self.below(2**32) < share * 2**32

    def choice(self, items: Sequence[Item]) -> Item:
        """One of the items."""
        return items[self.below(len(items))]

    def shuffled(self, items: Any) -> list[Any]:
        """The items in random order, as a new list."""
        left = list(items)
        for k in range(len(left) - 1, 0, -1):
            other = self.below(k + 1)
            left[k], left[other] = left[other], left[k]
        return left

    def sample(self, items: Any, count: int) -> list[Any]:
        """So many different items, in random order."""
        return self.shuffled(items)[:count]
