"""Which opponents somebody else may name: none that thinks for minutes."""

import pytest

from theogony.wrappers.text.opponents import check_opponent


@pytest.mark.parametrize(
    ("opponents", "expected"),
    [
        ("mcts:10000:greedy", "expected at most mcts:100:greedy or mcts:1000ms"),
        ("gumbel:51x2:greedy", "expected at most mcts:100:greedy or"),
        ("flat:5001:random", "expected at most mcts:5000:random or"),
        ("mcts:501:turn", "expected at most mcts:500:turn or"),
        ("mcts:11:greedy@reference", "expected at most mcts:10:greedy@reference or"),
        ("mcts:5001@reference", "expected at most mcts:5000@reference or"),
        ("mcts:" + 5000 * "9", "expected at most mcts:10000 or"),
        ("mcts:1x" + 5000 * "9", "expected at most mcts:10000 or"),
    ],
)
def test_opponents_that_think_for_minutes_are_refused(opponents: str, expected: str) -> None:
    """By how long one simulation takes: a game that is played greedily to its end takes a hundred times as long."""
    with pytest.raises(ValueError, match=f"would think too long; {expected}"):
        check_opponent(opponents)


@pytest.mark.parametrize(
    "opponents",
    ["random", "greedy:0.3", "reference", "mcts:10000", "mcts:100:greedy", "mcts:5000:random", "mcts:1600@reference",
     "mcts:500msx2:greedy", "plan:32x8", "plan:16x8@reference", "mcts:64:value@reference"],
)  # fmt: skip
def test_opponents_that_think_for_seconds_may_play(opponents: str) -> None:
    check_opponent(opponents)
