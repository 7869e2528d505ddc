"""What the seeker counts and steers by: gauges of the record, marks of the actions. Both come from the spec alone."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from theogony.envs.core.game import Game

BESIDE = ("rng", "ply")  # fields of the header that are no supply


@dataclass(frozen=True)
class Gauge:
    """A run of integers in the record: a field, a row of it, or one number."""

    name: str
    field: int
    start: int
    width: int
    count: int
    sets: bool


def gauges(state: np.dtype) -> list[list[Gauge]]:
    """The gauges of every integer field of a record: all of it, each of its rows, each of its numbers."""
    found, start = [], 0
    for number, name in enumerate(state.names or ()):
        kind = state[name]
        base, shape, first = kind.base, kind.shape, start
        start += kind.itemsize  # the record is packed
        if name in BESIDE or base.kind not in "iu":
            continue
        size, width = int(np.prod(shape, dtype=int)), base.itemsize
        sets = base.kind == "u" and width >= 4  # large unsigned numbers are sets
        rows = [Gauge(name, number, first, width, size, sets)]
        for length in {size // shape[0], 1} if shape else ():
            rows += [
                Gauge(f"{name} {k} of {length}", number, first + k * length * width, width, length, sets)
                for k in range(size // length)
                if length < size
            ]
        found.append(rows)
    return found


def gauge_sums(content: np.ndarray, gauge: Gauge) -> np.ndarray:
    """The sum of a gauge in every record of `content`, uint8 (n, itemsize); int64 (n,)."""
    run = np.ascontiguousarray(content[:, gauge.start : gauge.start + gauge.width * gauge.count])
    if gauge.sets:
        return np.unpackbits(run, axis=1).sum(1, dtype=np.int64)
    return run.view(f"i{gauge.width}").sum(1, dtype=np.int64)


class Supplies:
    """Which fields never rise while a game goes on: what is taken from them does not come back. Learnt from play."""

    def __init__(self, fields: list[list[Gauge]]) -> None:
        self.fields: list[list[Gauge]] = fields
        self.falls: np.ndarray = np.zeros(len(fields), bool)
        self.rises: np.ndarray = np.zeros(len(fields), bool)

    def watch(self, content: np.ndarray) -> None:
        """Learn from positions of one game in their order, uint8 (n, itemsize)."""
        for k in np.flatnonzero(~self.rises):
            change = np.diff(gauge_sums(content, self.fields[k][0]))
            self.falls[k] |= (change < 0).any()
            self.rises[k] |= (change > 0).any()

    def known(self) -> np.ndarray:
        """The numbers of those fields."""
        return np.flatnonzero(self.falls & ~self.rises)


def marks_of(game: Game) -> tuple[np.ndarray, int]:
    """The marks of each action, int32 (actions, n), its kind first; and how many marks there are."""
    codec = game.actions
    decoded = [codec.decode(action) for action in range(codec.size)]
    number: dict[object, int] = {}
    marks = np.full((codec.size, 2 + max(len(arguments) for _, arguments in decoded)), -1, np.int32)
    for action, (kind, arguments) in enumerate(decoded):
        for k, mark in enumerate([("kind", kind), ("action", action), *(("argument", each) for each in arguments)]):
            marks[action, k] = number.setdefault(mark, len(number))
    return marks, len(number)
