"""Codes, what they stand for, and where they lie in the flat observation."""

import pickle
from typing import Any

import numpy as np
import pytest

from theogony.envs.core.features import Feature, FeatureLayout

LAYOUT = FeatureLayout(
    Feature("first", (2,), "two bits"),
    Feature("grid", (2, 3), "a grid", -1, 4, 5),
    Feature("row", (2, 2), "of two kinds", 0, 2, (1, 7)),
    Feature("last", (1,), "one more", 0, 0.5, 10),
)


def test_bounds_and_places() -> None:
    assert LAYOUT.length == LAYOUT.dtype.itemsize == 13
    assert LAYOUT.low.tolist() == [0, 0, *[-1] * 6, 0, 0, 0, 0, 0]
    assert LAYOUT.high.tolist() == [1, 1, *[4] * 6, 2, 2, 2, 2, 0.5]
    assert LAYOUT.highest.tolist() == [1, 1, *[25] * 6, 2, 14, 2, 14, 5]
    assert LAYOUT.scales.tolist() == [1, 1, *[5] * 6, 1, 7, 1, 7, 10]
    assert LAYOUT.low.dtype == LAYOUT.high.dtype == np.float32 and LAYOUT.highest.dtype == np.uint8
    assert LAYOUT.slices() == {
        "first": slice(0, 2), "grid": slice(2, 8), "row": slice(8, 12), "last": slice(12, 13)
    }  # fmt: skip


def test_bounds_of_both_forms() -> None:
    for form, dtype in (("float", np.float32), ("compact", np.uint8)):
        low, high = LAYOUT.bounds(form)
        assert low.dtype == high.dtype == dtype and (low < high).all()


def test_records_are_views_of_the_codes() -> None:
    codes = np.zeros((3, LAYOUT.length), np.uint8)
    records = LAYOUT.records(codes)
    assert records.shape == (3,)
    records[1].grid[1, 2] = 15
    records[2].last[0] = 3
    assert codes[1].tolist() == [0, 0, 0, 0, 0, 0, 0, 15, 0, 0, 0, 0, 0]
    assert codes[2, LAYOUT.slices()["last"]].tolist() == [3]
    assert not codes[0].any()


@pytest.mark.parametrize("zero", [0, 1, 100])
def test_floats_are_rounded_quotients(zero: int) -> None:
    """Of all codes and scales, bit by bit: what a division in float32 gives, and in float64 that is then rounded."""
    codes = np.arange(256, dtype=np.uint8)
    for scale in (*range(1, 300), 997, 1000):
        layout = FeatureLayout(Feature("every", (256,), "", -zero / scale, (255 - zero) / scale, scale))
        floats, counts = layout.decode(codes), codes.astype(np.float32) - zero
        assert floats.tobytes() == (counts / np.float32(scale)).tobytes(), scale
        assert floats.tobytes() == (counts.astype(np.float64) / scale).astype(np.float32).tobytes()
        assert (layout.encode(floats) == codes).all()


def test_decoding_of_any_shape() -> None:
    codes = np.random.default_rng(0).integers(0, LAYOUT.highest + 1, size=(4, 3, LAYOUT.length), dtype=np.uint8)
    floats = LAYOUT.decode(codes)
    assert floats.shape == codes.shape and floats.dtype == np.float32
    assert floats.tobytes() == ((codes - LAYOUT.zeros) / LAYOUT.scales).astype(np.float32).tobytes()
    assert (floats >= LAYOUT.low).all() and (floats <= LAYOUT.high).all()
    assert LAYOUT.decode(codes[:, ::2]).tobytes() == floats[:, ::2].tobytes()  # not contiguous
    codes.flags.writeable = False
    assert LAYOUT.decode(codes).tobytes() == floats.tobytes()
    assert (LAYOUT.encode(floats) == codes).all()


@pytest.mark.parametrize(
    ("codes", "found"),
    [
        (np.zeros(LAYOUT.length + 1, np.uint8), rf"uint8 \({LAYOUT.length + 1},\)"),
        (np.zeros(2 * LAYOUT.length, np.uint8), r"uint8 \("),
        (np.uint8(1), "np.uint8"),
        (np.zeros(LAYOUT.length), rf"float64 \({LAYOUT.length},\)"),
        (np.zeros(LAYOUT.length, np.int8), r"int8 \("),
        ([0] * LAYOUT.length, r"\[0, 0"),
        (None, "None"),
    ],
)
def test_what_is_no_codes_is_not_decoded(codes: Any, found: str) -> None:
    with pytest.raises(ValueError, match=rf"codes are an array, uint8 \(\.\.\., {LAYOUT.length}\), not {found}"):
        LAYOUT.decode(codes)


def test_a_layout_can_be_sent() -> None:
    LAYOUT.decode(np.zeros(LAYOUT.length, np.uint8))
    other = pickle.loads(pickle.dumps(LAYOUT))
    assert other.dtype is LAYOUT.dtype and other.features == LAYOUT.features


def test_table_for_the_docs() -> None:
    lines = LAYOUT.table().splitlines()
    assert lines[0] == "| from | field | shape | bounds | scale | meaning |"
    assert lines[3] == "| 2 | `grid` | 2 x 3 | -1 to 4 | 5 | a grid |"
    assert lines[4] == "| 8 | `row` | 2 x 2 | 0 to 2 | 1, 7 | of two kinds |"
    assert len(lines) == 2 + 4


@pytest.mark.parametrize(
    ("feature", "message"),
    [
        ({"scale": 0}, r"feature x: its scale is 0; positive integers were expected"),
        ({"scale": 1.5}, r"its scale is 1\.5"),
        ({"scale": (1, 2)}, r"\(1, 2\) is no scale for the shape \(3,\)"),
        ({"scale": 100, "high": 3}, r"codes go up to 300 at high=3; at most 255 fit"),
        ({"low": 2, "high": 1}, r"bounds 2 to 1; the lower is 0 or below"),
        ({"low": 0.5}, r"bounds 0\.5 to 1; the lower is 0 or below"),
        ({"low": -1, "scale": (1, 2, 3)}, r"the same for all was expected as the code of 0\.0"),
    ],
)
def test_features_that_do_not_fit_into_bytes(feature: dict, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        Feature("x", (3,), "", **feature)


def test_names_are_those_of_records() -> None:
    with pytest.raises(ValueError, match="cannot be called 'size'"):
        FeatureLayout(Feature("size", (1,), ""))
