"""Opponents by name."""

import pytest

from theogony.envs.core.opponents import parse_opponents


def policy(observations, masks, seats):
    return masks.argmax(1)


def test_every_form_is_understood() -> None:
    assert parse_opponents("random") == [(1.0, 0.0, None)]
    assert parse_opponents("greedy") == [(1.0, 1.0, None)]
    assert parse_opponents("greedy:0.3") == [(1.0, 0.3, None)]
    assert parse_opponents(policy) == [(1.0, 0.0, policy)]
    mixed = parse_opponents([(1, "random"), (2.0, "greedy"), (1, policy)])
    assert mixed == [(0.25, 0.0, None), (0.5, 1.0, None), (0.25, 0.0, policy)]


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("clever", "'clever': expected \"random\""),
        ("random:0.5", "'random:0.5': expected"),
        ("greedy:2", "'greedy:2': the share of greedy decisions is a number from 0 to 1"),
        ("greedy:much", "'greedy:much': the share"),
        (7, "opponents=7: expected"),
        ([], r"opponents=\[\]: expected"),
        (["random"], r"'random' is no pair \(weight, opponent\)"),
        ([("1", "random")], "weight '1' is not a number"),
        ([(-1, "random")], "weight -1 is not a finite number"),
        ([(float("nan"), "random")], "weight nan is not a finite number"),
        ([(0, "random")], "all weights are zero"),
        ([(1, 5)], "opponent 5: expected"),
    ],
)
def test_errors_name_what_is_wrong(spec, message) -> None:
    with pytest.raises(ValueError, match=message):
        parse_opponents(spec)
