"""Scratch memory of players: arrays that are made once, so that looking ahead allocates nothing, and a lock on them."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from theogony.envs.core.record import SEATS
from theogony.envs.core.thinking.value_network import WIDEST

if TYPE_CHECKING:
    from theogony.envs.core.game import Game


class Scratch(NamedTuple):
    """Row s of each array belongs to one position that is thought about."""

    states: np.ndarray
    masks: np.ndarray  # int8 (rows, actions)
    seen: np.ndarray  # records: what a seat sees of the position, for a value network
    inputs: np.ndarray  # the same memory, codes (rows, length)
    layers: np.ndarray  # float32 (rows, 3, WIDEST): the first layer before its activation, and two to work in
    pay: np.ndarray  # float64 (rows, 2, SEATS): standings and final rewards


def make_scratch(game: Game, rows: int) -> Scratch:
    """Scratch of so many rows for a game."""
    inputs = np.zeros((rows, game.features.length), np.uint8)
    return Scratch(
        states=game.new_states(rows),
        masks=np.zeros((rows, game.actions.size), np.int8),
        seen=game.features.records(inputs),
        inputs=inputs,
        layers=np.zeros((rows, 3, WIDEST), np.float32),
        pay=np.zeros((rows, 2, SEATS)),
    )


class OneAtATime:
    """`with self._alone:` around what works in memory of the player's own, such as the tree of a search: one is asked
    at a time, though a player may be asked from several threads.

    A copy, or what comes out of a pickle, is another lock, which is free.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()

    def __reduce__(self) -> tuple[Any, ...]:
        return OneAtATime, ()

    def __enter__(self) -> None:
        self._lock.acquire()

    def __exit__(self, *_: object) -> None:
        self._lock.release()
