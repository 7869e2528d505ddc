"""`theogony benchmark compare`: one agent beside another. Trials, and the order of play."""

from pathlib import Path

import numpy as np
import pytest
from toy_tasks import SUITE, TASKS, played, submission
from typer.testing import CliRunner

from theogony.benchmark.check.verify import verify
from theogony.benchmark.play import run as running
from theogony.benchmark.report import compare
from theogony.benchmark.rescore import measure
from theogony.benchmark.results.file import read_results, write_results
from theogony.benchmark.tasks import BenchmarkError, Suite
from theogony.cli import app


@pytest.fixture(scope="module")
def greedy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return played(tmp_path_factory.mktemp("greedy"), "greedy")


@pytest.fixture(scope="module")
def random(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return played(tmp_path_factory.mktemp("random"), "random")


def test_an_agent_is_compared_task_by_task_on_the_deals_of_both(greedy: Path, random: Path) -> None:
    [row] = compare.differences(*compare.read_agents(greedy), *compare.read_agents(random))
    mine, theirs = (np.mean([one.rewards for one in read_results(path).games]) for path in (greedy, random))
    assert (row.mine, row.theirs) == (pytest.approx(mine), pytest.approx(theirs))
    assert row.low <= mine - theirs <= row.high and row.low > 0


def test_the_same_games_differ_by_nothing(random: Path) -> None:
    """Deals are paired: those of both agents are drawn together."""
    [agent] = compare.read_agents(random)
    [row] = compare.differences(agent, agent)
    assert (row.low, row.high) == (0, 0)
    assert compare.table(agent, agent).splitlines()[-1].endswith("+0.000 (+0.000 to +0.000)")


def test_a_folder_of_several_suites_is_compared_in_the_one_that_both_played(
    tmp_path: Path, greedy: Path, random: Path
) -> None:
    """Files of other suites lie beside those that count, and come first by their names."""
    theirs = read_results(random)
    other = [task.model_copy(update={"id": "another", "digest": "another"}) for task in theirs.tasks]
    submission(tmp_path, theirs)
    write_results(theirs.model_copy(update={"suite": "first", "tasks": other}), tmp_path / "first-0.json")
    write_results(theirs, tmp_path / "toys-1.json")
    told = compare.compared([greedy, tmp_path])
    assert told.startswith("greedy beside random in toys, mean rewards, 1 and 2 seeds\n") and "tictactoe-2p-v1" in told


def test_what_cannot_be_compared_is_named(tmp_path: Path, greedy: Path, random: Path) -> None:
    theirs = read_results(random)
    other = [task.model_copy(update={"digest": "of another form"}) for task in theirs.tasks]
    write_results(theirs.model_copy(update={"tasks": other}), tmp_path / "other.json")
    with pytest.raises(BenchmarkError, match=r"tictactoe-2p-v1: greedy and random played it in other forms"):
        compare.compared([greedy, tmp_path / "other.json"])
    none = [task.model_copy(update={"id": "another"}) for task in theirs.tasks]
    write_results(theirs.model_copy(update={"tasks": none}), tmp_path / "none.json")
    with pytest.raises(BenchmarkError, match="greedy and random have no task in common"):
        compare.compared([greedy, tmp_path / "none.json"])
    told = CliRunner().invoke(app, ["benchmark", "compare", str(greedy)])
    assert told.exit_code == 2 and "expected two at least" in told.output


def test_a_trial_has_the_first_deals_scored_by_what_0_and_1_got_in_them(
    greedy: Path, random: Path, tmp_path: Path
) -> None:
    anchors, trial = measure(random, [greedy]), SUITE.trial(2)
    asked = running.Asked(trial, "greedy", tmp_path / "trial.json", "greedy")
    few, all_deals = running.run(asked, 1, anchors=anchors), read_results(greedy)
    assert [one.results for one in few.games] == [one.results[:2] for one in all_deals.games], "the same games"
    assert [score.score for score in few.scores] == [1.0]
    with pytest.raises(BenchmarkError, match="digest"):
        verify(tmp_path / "trial.json", TASKS, anchors)


def test_the_first_deal_of_every_task_comes_before_the_second_of_any() -> None:
    short = SUITE.tasks[0].model_copy(update={"id": "short-2p-v1", "deals": 1})
    jobs = running.jobs_of(Suite("toys", (*SUITE.tasks, short)))
    assert [(job.task.id, job.deal) for job in jobs[::2]][:3] == [
        ("tictactoe-2p-v1", 0),
        ("short-2p-v1", 0),
        ("tictactoe-2p-v1", 1),
    ]
