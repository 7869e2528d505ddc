"""Batches to try things on, for the tests of batches."""

from functools import cache

from theogony.envs import load
from theogony.envs.core.batch import Batch
from theogony.envs.core.game import Game

ARRAYS = ("codes", "masks", "states", "rows", "streams")


@cache
def game(**options) -> Game:
    return load("push_of_faith").configure(options)


def last_legal(observations, masks, seats):
    """A policy: the legal action with the highest id."""
    return masks.shape[1] - 1 - masks[:, ::-1].argmax(1)


def play(batch: Batch, steps: int) -> Batch:
    for _ in range(steps):
        batch.step(batch.sample())
    return batch


def assert_same(one: Batch, other: Batch) -> None:
    for name in ARRAYS:
        assert getattr(one, name).tobytes() == getattr(other, name).tobytes(), name
    ended = one.rows["over"] != 0
    assert one.last_codes[ended].tobytes() == other.last_codes[ended].tobytes()
