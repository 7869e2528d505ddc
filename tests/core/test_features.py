"""The features record and the flat observation are the same bytes."""

import numpy as np
import pytest

from theogony.envs.core.features import Feature, FeatureLayout

LAYOUT = FeatureLayout(
    Feature("first", (2,), "two numbers"),
    Feature("grid", (2, 3), "a grid", -1, 4),
    Feature("last", (1,), "one more", 0, 0.5),
)


def test_bounds_and_places() -> None:
    assert LAYOUT.length == 9
    assert LAYOUT.low.tolist() == [0, 0, *[-1] * 6, 0]
    assert LAYOUT.high.tolist() == [1, 1, *[4] * 6, 0.5]
    assert LAYOUT.low.dtype == LAYOUT.high.dtype == np.float32
    assert LAYOUT.slices() == {"first": slice(0, 2), "grid": slice(2, 8), "last": slice(8, 9)}


def test_records_are_views_of_the_observations() -> None:
    observations = np.zeros((3, LAYOUT.length), np.float32)
    records = LAYOUT.records(observations)
    assert records.shape == (3,)
    records[1].grid[1, 2] = 3.5
    records[2].last[0] = 0.25
    assert observations[1].tolist() == [0, 0, 0, 0, 0, 0, 0, 3.5, 0]
    assert observations[2, LAYOUT.slices()["last"]].tolist() == [0.25]
    assert not observations[0].any()


def test_table_for_the_docs() -> None:
    lines = LAYOUT.table().splitlines()
    assert lines[0] == "| from | field | shape | bounds | meaning |"
    assert lines[3] == "| 2 | `grid` | 2 x 3 | -1 to 4 | a grid |"
    assert len(lines) == 2 + 3


def test_names_are_those_of_records() -> None:
    with pytest.raises(ValueError, match="cannot be called 'size'"):
        FeatureLayout(Feature("size", (1,), ""))
