"""Which numbers of an observation belong to which member of a set of things, such as the spaces of a map."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from theogony.envs.core.features import FeatureLayout


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
    where, columns = layout.slices(), []
    for name in features:
        first = _first_axis(shapes[name], length)
        if first is None:
            raise ValueError(f"no axes of the feature {name} {shapes[name]} have the length {length}")
        entries = np.arange(where[name].start, where[name].stop).reshape(*shapes[name][:first], length, -1)
        columns.append(np.moveaxis(entries, first, 0).reshape(length, -1))
    return np.concatenate(columns, axis=1)


def _first_axis(shape: tuple[int, ...], length: int) -> int | None:
    """Where the axes begin that follow each other and have this length together."""
    spans = ((i, j) for i in range(len(shape)) for j in range(i + 1, len(shape) + 1))
    return next((i for i, j in spans if math.prod(shape[i:j]) == length), None)
