"""Rows of actions: places of the observation, looked up and checked."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest

import theogony
from theogony.envs import load
from theogony.envs.core.conformance import Case
from theogony.envs.core.conformance.positions import rows_tell_actions_apart
from theogony.envs.core.features import Feature, FeatureLayout
from theogony.envs.core.game import SpecError
from theogony.envs.core.rows import NOTHING, Rows, check_rows, units

GAME = load("push_of_faith").configure({"players": 2})


def test_nothing_reads_as_zero_and_lengths_are_kept() -> None:
    rows = Rows(2, tile=np.array([[1, 0], [NOTHING, 2]]), own=np.array([[3]]))
    seen = np.array([[10, 11, 12, 13], [20, 21, 22, 23]], np.uint8)
    assert rows.look_up(seen).tolist() == [[[11, 10, 13], [0, 12, 13]], [[21, 20, 23], [0, 22, 23]]]
    assert rows.look_up(seen).dtype == np.uint8
    assert rows.columns == {"tile": slice(0, 2), "own": slice(2, 3)}


@pytest.mark.parametrize(
    ("columns", "message"),
    [
        ({}, "rows have no columns"),
        ({"tile": np.zeros((3, 2), int)}, r"column 'tile' is int64 \(3, 2\); integers \(2, ...\) were expected"),
        ({"tile": np.zeros((2, 2))}, "column 'tile' is float64"),
    ],
)
def test_columns_that_do_not_fit_are_named(columns: dict, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        Rows(2, **columns)


LAYOUT = FeatureLayout(Feature("a", (2,), "", scale=3), Feature("b", (2,), "", -1, 1, scale=2))


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        ({"throw": Rows(1, x=[[0]])}, "rows of 'throw': there is no such kind of action; expected some of push, token"),
        ({"token": Rows(8, x=[[0]])}, "rows of 'token': 8 rows for 9 actions"),
        ({"token": Rows(9, x=[[0], *[[4]] * 8])}, "column 'x' has places that are not from -1 to 3"),
        ({"token": Rows(9, x=[[0], *[[2]] * 8])}, "column 'x' has entries of several scales"),
        ({"token": Rows(9, x=[[2], *[[NOTHING]] * 8])}, "column 'x' has -1, but 0 is not the code of 0.0 there"),
    ],
)
def test_rows_that_do_not_fit_a_game_are_refused(rows: dict[str, Rows], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        check_rows(rows, LAYOUT, GAME.actions)


def test_a_spec_with_rows_that_do_not_fit_says_so() -> None:
    spec = dataclasses.replace(GAME.spec, action_rows=lambda game: {"throw": Rows(1, x=[[0]])})
    with pytest.raises(SpecError, match="push_of_faith: rows of 'throw'"):
        _ = spec.configure({"players": 2}).action_rows


def test_units_decode_a_column() -> None:
    rows = {"token": Rows(9, x=[[2], *[[3]] * 8], y=[[1], *[[NOTHING]] * 8])}
    scales, zeros = units(rows, LAYOUT)
    assert (scales.tolist(), zeros.tolist()) == ([2, 3], [2, 0])


def test_conformance_finds_actions_that_rows_do_not_tell_apart() -> None:
    """All pushes look alike where rows show one square of the map; a game may say why that is right."""
    for alike, found in (("", 1), ("they differ in where the marker is", 0)):
        rows = {"push": Rows(12, alike, square=[[30]])}
        spec = dataclasses.replace(GAME.spec, action_rows=lambda game, rows=rows: rows)
        case = Case("two", spec.configure({"players": 2}), 1, 0)
        sentences = list(rows_tell_actions_apart(case))
        assert len(sentences) == found
        assert all("have the same row and do not do the same" in sentence for sentence in sentences)


def test_every_environment_has_them() -> None:
    names = {"push", "token", "place"}
    assert set(theogony.make("push_of_faith").action_rows) == names
    assert set(theogony.make_vec("push_of_faith", 2).action_rows) == names
    import gymnasium

    env = gymnasium.make("theogony/PushOfFaith-v0")
    seen, _ = env.reset(seed=0)
    rows = env.unwrapped.action_rows["place"]  # pyright: ignore[reportAttributeAccessIssue]
    assert rows.look_up(seen).shape == (100, rows.places.shape[1])
