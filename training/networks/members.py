"""Which numbers of an observation belong to which member of a set of things, such as the spaces of a map, and which
actions are about it."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from theogony.envs.core.actions import ActionCodec
from theogony.envs.core.features import FeatureLayout
from theogony.envs.core.game import Game
from theogony.training.config.sections import PointedMembers


class Pointed(NamedTuple):
    """One set of things with actions about them."""

    entries: np.ndarray  # int64 (members, numbers): where their numbers lie in an observation
    actions: np.ndarray  # int64 (members, actions): which actions are about each
    width: int  # of the layers


def pointed_in(game: Game, members: PointedMembers) -> Pointed:
    """The members of a pointer in a game. Raises ValueError naming what is not there."""
    entries = member_entries(game.features, members.features, members.length)
    return Pointed(entries, member_actions(game.actions, members.actions, len(entries)), members.width)


def pointed_actions(pointed: Mapping[str, Pointed]) -> list[int]:
    """Which action each number of `pointers.Pointers` belongs to."""
    return [int(action) for one in pointed.values() for action in one.actions.reshape(-1)]


def member_entries(layout: FeatureLayout, features: Sequence[str], length: int | None = None) -> np.ndarray:
    """Where each member's numbers lie in the flat observation, int64 (length, numbers of a member).

    The members are counted by one axis of each feature, or by several that follow each other: (3, 9, 5) has 3 members,
    9, 5, 27 or 45. All other axes belong to the member. Without `length` it is the longest single axis that all
    features share. Raises ValueError naming the feature, and what was expected.
    """
    shapes = {feature.name: feature.shape for feature in layout.features}
    for name in features:
        if name not in shapes:
            raise ValueError(f"there is no feature {name!r}; expected some of {', '.join(shapes)}")
    if length is None:
        length = max(set.intersection(*(set(shapes[name]) for name in features)), default=1)
        if length == 1:
            found = ", ".join(f"{name} {shapes[name]}" for name in features)
            raise ValueError(f"the features have no length in common, or only 1: {found}")
    where = layout.slices()
    columns = [_by_member(f"feature {name}", shapes[name], where[name].start, length) for name in features]
    return np.concatenate(columns, axis=1)


def member_actions(codec: ActionCodec, kinds: Sequence[str], length: int) -> np.ndarray:
    """The actions of these kinds by the member that they are about, int64 (length, actions of a member).

    The members are counted by axes of the block, as in `member_entries`. Raises ValueError naming the kind, and what
    was expected.
    """
    shapes = {block.kind: tuple(len(axis) for axis in block.axes) for block in codec.blocks}
    for kind in kinds:
        if kind not in shapes:
            raise ValueError(f"there is no kind of action {kind!r}; expected some of {', '.join(shapes)}")
    columns = [_by_member(f"action {kind!r}", shapes[kind], codec.first[kind], length) for kind in kinds]
    return np.concatenate(columns, axis=1)


def _by_member(what: str, shape: tuple[int, ...], start: int, length: int) -> np.ndarray:
    """The numbers from `start` on, in the order of this shape, by the axes that have this length."""
    first = _first_axis(shape, length)
    if first is None:
        raise ValueError(f"no axes of the {what} {shape} have the length {length}")
    numbers = np.arange(start, start + math.prod(shape)).reshape(*shape[:first], length, -1)
    return np.moveaxis(numbers, first, 0).reshape(length, -1)


def _first_axis(shape: tuple[int, ...], length: int) -> int | None:
    """Where the axes begin that follow each other and have this length together."""
    spans = ((i, j) for i in range(len(shape)) for j in range(i + 1, len(shape) + 1))
    return next((i for i, j in spans if math.prod(shape[i:j]) == length), None)
