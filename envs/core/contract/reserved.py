"""The seeds of the benchmark's deals: a published list that training never uses.

Deal k has the seed `FIRST + k`. The top 40 bits are the same in all of them, so the list is 2**24 seeds long. Games of
batches, of self-play and of teachers begin from `mix(seed, ...)`, 64 bits that look random: one of them lies in the
list with probability 2**-40, in ten million games of training therefore any does with probability 1e-5. Seeds that
people write down are refused where they are read (`is_reserved`).
"""

from __future__ import annotations

from typing import Any

from theogony.envs.core.rng import seed_bits

FIRST = 0xB0A2_D6A3_5E00_0000
COUNT = 1 << 24


def deal_seed(deal: int) -> int:
    """The seed of deal `deal`, 0 to COUNT - 1. Raises ValueError for another number."""
    if not 0 <= deal < COUNT:
        raise ValueError(f"deal {deal} is none of the benchmark: expected 0 to {COUNT - 1}")
    return FIRST + deal


def is_reserved(seed: Any) -> bool:
    """Whether a game from this seed is one of the benchmark's deals. Raises TypeError for what is no seed."""
    return FIRST <= seed_bits(seed) < FIRST + COUNT
