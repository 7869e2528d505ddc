"""One rule for seeds, everywhere: any integer, of which 64 bits count."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import theogony
from theogony.envs import load
from theogony.envs.core.batch import Batch
from theogony.envs.core.position import Position
from theogony.wrappers import BatchVectorEnv, SingleAgentEnv, TimeLimit

GAME = load("push_of_faith").configure()


def of_env(seed: Any) -> bytes:
    env = theogony.make("push_of_faith")
    env.reset(seed=seed)
    return env.key()


def of_time_limit(seed: Any) -> bytes:
    env = TimeLimit(theogony.make("push_of_faith"), 5)
    env.reset(seed=seed)
    return env.unwrapped.key()  # type: ignore[attr-defined]


def of_batch_reset(seed: Any) -> bytes:
    batch = Batch(GAME, 3, 0)
    batch.reset(seed)
    return batch.states.tobytes()


def of_vec_env(seed: Any) -> bytes:
    vec = theogony.make_vec("push_of_faith", 3)
    vec.seed(seed)
    return vec.reset().tobytes()


PLACES: dict[str, Callable[[Any], bytes]] = {
    "position": lambda seed: Position(GAME, seed).key(),
    "environment": of_env,
    "time limit": of_time_limit,
    "batch": lambda seed: Batch(GAME, 3, seed).states.tobytes(),
    "reset of a batch": of_batch_reset,
    "make_vec": lambda seed: theogony.make_vec("push_of_faith", 3, seed=seed).reset().tobytes(),
    "seed of a VecEnv": of_vec_env,
    "Gymnasium's vector environment": lambda seed: BatchVectorEnv(GAME, 3).reset(seed=seed)[0].tobytes(),
    "single agent": lambda seed: SingleAgentEnv(theogony.make("push_of_faith")).reset(seed=seed)[0].tobytes(),
}


@pytest.mark.parametrize("place", PLACES)
def test_any_integer_is_a_seed(place: str) -> None:
    begin = PLACES[place]
    assert begin(-3) == begin(2**64 - 3) == begin(2**80 - 3)
    assert begin(5) == begin(np.int8(5)) == begin(np.uint64(5)) == begin(2**64 + 5) != begin(-3)
    assert begin(2**63) == begin(np.uint64(2**63)) == begin(-(2**63))


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("seed", [5.0, "5", True, np.True_, np.float32(5), [5], b"5"])
def test_nothing_else_is(place: str, seed: Any) -> None:
    with pytest.raises(TypeError, match="a seed is an integer, not "):
        PLACES[place](seed)


def test_a_position_tells_the_seed_that_counts() -> None:
    assert Position(GAME, -1).seed == 2**64 - 1
