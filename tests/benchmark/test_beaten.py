"""How far entries can be beaten, as the report says it: what exploiters won and what an entry's own games show."""

from collections.abc import Mapping
from pathlib import Path

import numpy as np
import pytest
from toy_tasks import TASK

from theogony.benchmark.report.entries import Bound, bounds_of, worst_of
from theogony.benchmark.report.tables import bounds_table
from theogony.benchmark.results import Results, Series, read_results
from theogony.benchmark.tasks import Task, Tasks

TABLE = Task(**TASK).id
LADDER = "tictactoe-2p-ladder-v1"
OTHER = "tictactoe-2p-other-v1"  # with other options
TASKS = Tasks(suites={}, tasks=[Task(**{**TASK, "id": one}) for one in (TABLE, LADDER)]
              + [Task(**{**TASK, "id": OTHER, "options": {"players": 2, "size": 4}})])  # fmt: skip
Letters = Mapping[str, tuple[str, ...]]


@pytest.fixture(scope="module")
def run(first: Path) -> Results:
    return read_results(first)


def with_games(run: Results, letters: Letters, task: str = TABLE, seed: int = 0, sha: str | None = None) -> Results:
    """The results of an agent that has played a task alone: against each opponent a letter a deal, for each seat."""
    games = [
        Series(task=task, against=name, seat=seat, results=one, rewards=[0.0] * len(one))
        for name, seats in letters.items()
        for seat, one in enumerate(seats)
    ]
    deals = len(games[0].results)
    played = run.tasks[0].model_copy(update={"id": task, "deals": deals, "opponents": dict.fromkeys(letters)})
    agent = run.agent.model_copy(update={"seed": seed, "sha256": {task: sha}})
    return run.model_copy(update={"tasks": [played], "games": games, "agent": agent})


def bounds(*runs: Results, others: tuple[Results, ...] = ()) -> tuple[Bound, ...]:
    return bounds_of(runs, [*runs, *others], [], TASKS)


def test_the_strongest_is_chosen_on_some_deals_and_measured_on_others(run: Results) -> None:
    lucky, better = ("LW" * 20, "LW" * 20), ("LLLW" * 10, "LLWL" * 10)
    (found,) = bounds(with_games(run, {"random": ("W" * 40,) * 2, "greedy": better}))
    assert (found.by, found.won, found.deals, found.players) == ("greedy", 0.75, 20, 2)
    assert found.low < 0.75 < found.high and found.says_more and found.task == TABLE
    (found,) = bounds(with_games(run, {"lucky": lucky, "greedy": better}))
    assert (found.by, found.won) == ("lucky", 0.0) and not found.says_more, "what was chosen by is not counted"


def test_drawn_games_count_half_and_crashes_are_lost(run: Results) -> None:
    (found,) = bounds(with_games(run, {"greedy": ("D" * 40, "C" * 40)}))
    assert found.won == 0.75


def test_choosing_does_not_flatter(run: Results) -> None:
    """Eight opponents that are as strong as the entry: the highest of eight figures would be far above half."""
    rng, found, highest = np.random.default_rng(3), [], []
    for _ in range(150):
        letters = rng.choice(["W", "L"], size=(8, 2, 20))
        names = {f"greedy:0.{k}": tuple("".join(seat) for seat in one) for k, one in enumerate(letters)}
        found.append(bounds(with_games(run, names))[0].won)
        highest.append((letters == "L").mean(axis=(1, 2)).max())
    assert abs(np.mean(found) - 0.5) < 0.025 < 0.08 < np.mean(highest) - 0.5


def test_tables_of_more_and_teams_do_not_count(run: Results) -> None:
    assert not bounds(with_games(run, {"greedy": ("L" * 10,) * 3}))
    assert not bounds(with_games(run, {"team": ("L" * 10,), "greedy": ("L" * 10,) * 2}))


def test_games_of_another_suite_count_where_the_agent_is_the_same(run: Results) -> None:
    mine = with_games(run, {"greedy": ("WL" * 10,) * 2}, sha="a" * 64)
    ladder: Letters = {"plan:32@reference": ("L" * 20,) * 2}
    (found,) = bounds(mine, others=(with_games(run, ladder, LADDER, sha="a" * 64),))
    assert (found.task, found.by, found.won) == (LADDER, "plan:32@reference", 1.0)
    others = (
        with_games(run, ladder, LADDER, sha="b" * 64),
        with_games(run, ladder, LADDER, seed=1, sha="a" * 64),
        with_games(run, ladder, OTHER, sha="a" * 64),
    )
    assert [one.task for one in bounds(mine, others=others)] == [TABLE], "other weights, another seed, another table"


def test_seeds_that_are_apart_widen_the_interval(run: Results) -> None:
    alike = [with_games(run, {"greedy": ("LLLWWLLL" * 5,) * 2}, seed=seed) for seed in range(4)]
    apart = [with_games(run, {"greedy": (letter * 40,) * 2}, seed=k) for k, letter in enumerate("LLLW")]
    (same,), (other,) = bounds(*alike), bounds(*apart)
    assert same.won == other.won == 0.75
    assert other.high - other.low > 1.5 * (same.high - same.low)


def bound(won: float, low: float, players: int = 2, by: str = "ppo", learnt: int | None = 1000) -> Bound:
    return Bound(TABLE, by, learnt, won, low, won + 0.05, 100, players)


def test_the_highest_is_the_one_that_is_surely_high_at_a_table_of_two() -> None:
    assert worst_of([bound(0.9, 0.6), bound(0.8, 0.75), bound(0.95, 0.9, players=4)]) == bound(0.8, 0.75)
    assert worst_of([bound(0.95, 0.9, players=4)]) is None


def test_a_line_says_by_whom_and_what_a_copy_wins() -> None:
    held, few = bound(0.9, 0.85, by="held:orbis-2p-0123", learnt=None), bound(0.4, 0.3)
    _, _, _, *lines = bounds_table([("entry", [few, held, bound(0.3, 0.27, players=4)])])
    assert lines == [
        f"| entry | {TABLE} | held back | 90.0% (85.0% to 95.0%) | 50% | 100 |",
        f"| entry | {TABLE} | ppo, learnt from 1,000 decisions | 40.0% (30.0% to 45.0%) | 50% | 100 |",
        f"| entry | {TABLE} | ppo, learnt from 1,000 decisions | 30.0% (27.0% to 35.0%) | 25% | 100 |",
    ]
