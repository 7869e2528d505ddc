"""The generators that players draw from. Their numbers follow from a seed, which they do not say.

NumPy keeps the seed of a generator beside it, as `rng.bit_generator.seed_seq.entropy`, and a deal begins from that seed
or from one next to it: a player that reads it knows every card. What a player gets holds a hash there instead.

Two forms, for two kinds of trust. `player_rng` draws the numbers of `np.random.default_rng(seed)`: nothing in it names
the seed, but a program that tries a list of seeds can tell which of them draws such numbers. `seen_rng` follows from
what the player is shown anyway, so that there is nothing to find.
"""

from __future__ import annotations

import contextlib
import hashlib
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from theogony.envs.core.players import Views


def player_rng(seed: int | Sequence[int]) -> np.random.Generator:
    """A generator that draws what `np.random.default_rng(seed)` does, without its seed."""
    return _without_seed(np.random.PCG64(seed))


@contextlib.contextmanager
def lent(rng: np.random.Generator) -> Iterator[np.random.Generator]:
    """An environment's own generator, lent to a player without its seed; what the player draws is drawn there."""
    copy = _without_seed(rng.bit_generator)
    yield copy
    rng.bit_generator.state = copy.bit_generator.state


def seen_rng(views: Views, own: Sequence[int]) -> np.random.Generator:
    """A generator that follows from what is seen, and from numbers that the player may know, such as its own seed."""
    return np.random.Generator(np.random.PCG64(_hash(repr(list(own)).encode(), views.seen, views.masks)))


def _without_seed(bits: Any) -> np.random.Generator:
    hidden = type(bits)(_hash(repr(bits.state).encode()))  # which decides what `spawn` gives
    hidden.state = bits.state
    return np.random.Generator(hidden)


def _hash(*parts: bytes | np.ndarray) -> int:
    content = b"".join(part if isinstance(part, bytes) else part.tobytes() for part in parts)
    return int.from_bytes(hashlib.sha256(content).digest(), "little")
