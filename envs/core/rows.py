"""Rows of actions: for each action, the places of the observation that it is about.

An observation is flat, and a plain layer has to learn for every action anew what makes it good. But a placement is
about the squares around its cell, a tile to take is about what lies on that tile. A game says so in a table of indices
for each kind of action, and a network can judge all actions of a kind by the same layers:

    rows = game.action_rows["place"]
    seen = rows.look_up(observation)  # (actions of the kind, columns)

Nothing is computed and nothing is added: a row holds what the observation holds.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from theogony.envs.core.actions import ActionCodec
    from theogony.envs.core.features import FeatureLayout

NOTHING = -1  # the place of what there is not, such as a square beyond the edge; it reads as zero


class Rows:
    """What the actions of one kind are about.

    Args:
        count: actions of the kind.
        alike: why two actions whose rows are equal may do different things; empty where they may not.
        columns: by name, places of the flat observation, integers (count, ...), or (1, ...) where they are the same for
            all actions; `NOTHING` reads as zero.

    `places` is int32 (count, k), read-only; `columns` names stretches of it. Kinds of action with the same names and
    lengths of columns can be judged by the same layers. Raises ValueError naming the column that does not fit.

    >>> rows = Rows(2, tile=np.array([[0, 1], [2, 3]]), own=np.array([[4]]))
    >>> rows.places.tolist()
    [[0, 1, 4], [2, 3, 4]]
    >>> rows.look_up(np.array([5, 6, 7, 8, 9])).tolist()
    [[5, 6, 9], [7, 8, 9]]
    """

    def __init__(self, count: int, alike: str = "", **columns: Any) -> None:
        if not columns:
            raise ValueError("rows have no columns")
        parts, self.columns, self.alike = [], dict[str, slice](), alike
        for name, places in columns.items():
            array = np.asarray(places)
            if array.dtype.kind not in "iu" or array.ndim < 1 or len(array) not in (1, count):
                found = f"{array.dtype} {array.shape}"
                raise ValueError(f"column {name!r} is {found}; integers ({count}, ...) were expected")
            array = array.reshape(len(array), -1)
            parts.append(np.broadcast_to(array, (count, array.shape[1])))
            start = sum(part.shape[1] for part in parts[:-1])
            self.columns[name] = slice(start, start + array.shape[1])
        self.places: np.ndarray = np.concatenate(parts, axis=1).astype(np.int32)
        self.places.flags.writeable = False

    @property
    def layers(self) -> tuple[tuple[str, int], ...]:
        """The names and lengths of the columns: equal for kinds of action that can share layers."""
        return tuple((name, where.stop - where.start) for name, where in self.columns.items())

    def look_up(self, observations: np.ndarray) -> np.ndarray:
        """The rows in observations (..., length), floats or codes: a fresh array (..., count, k) of their type."""
        padded = np.concatenate([observations, np.zeros_like(observations[..., :1])], axis=-1)
        return padded[..., self.places]  # the last entry, which `NOTHING` names, is zero

    def __repr__(self) -> str:
        return f"<Rows of {len(self.places)} actions: {', '.join(f'{name} {length}' for name, length in self.layers)}>"


def sharing(rows: Mapping[str, Rows]) -> list[dict[str, Rows]]:
    """Kinds of action by those that can share layers."""
    groups: dict[Any, dict[str, Rows]] = {}
    for kind, table in rows.items():
        groups.setdefault(table.layers, {})[kind] = table
    return list(groups.values())


def units(rows: Mapping[str, Rows], layout: FeatureLayout) -> tuple[np.ndarray, np.ndarray]:
    """The scale and the code of 0.0 of every column of kinds that share layers, both float32 (k,).

    Raises ValueError naming a column whose entries have several: a network that reads codes could not tell them apart.
    """
    columns = next(iter(rows.values())).columns
    places = np.concatenate([table.places for table in rows.values()])
    there = places != NOTHING
    found = []
    for unit, other in ((layout.scales, 1.0), (layout.zeros, 0.0)):
        low = np.where(there, unit[places], np.inf).min(axis=0)
        high = np.where(there, unit[places], -np.inf).max(axis=0)
        _refuse(columns, low < high, "entries of several scales")
        found.append(np.where(there.any(axis=0), low, other).astype(np.float32))
    _refuse(columns, (found[1] != 0) & ~there.all(axis=0), f"{NOTHING}, but 0 is not the code of 0.0 there")
    return found[0], found[1]


def _refuse(columns: Mapping[str, slice], wrong: Any, what: str) -> None:
    for name, where in columns.items():
        if wrong[where].any():
            raise ValueError(f"column {name!r} has {what}")


def check_rows(rows: Mapping[str, Rows], layout: FeatureLayout, actions: ActionCodec) -> None:
    """Raise ValueError for rows that do not fit the actions or observations of a game, naming kind and column."""
    counts = {block.kind: len(block.actions) for block in actions.blocks}
    for kind, table in rows.items():
        if kind not in counts:
            raise ValueError(f"rows of {kind!r}: there is no such kind of action; expected some of {', '.join(counts)}")
        if len(table.places) != counts[kind]:
            raise ValueError(f"rows of {kind!r}: {len(table.places)} rows for {counts[kind]} actions")
        wrong = (table.places < NOTHING) | (table.places >= layout.length)
        _refuse(table.columns, wrong.any(axis=0), f"places that are not from {NOTHING} to {layout.length - 1}")
    for group in sharing(rows):
        units(group, layout)
