"""`theogony benchmark compare`: one agent beside another. Trials, and the order of play."""

import csv
import re
from pathlib import Path

import numpy as np
import pytest
from toy_tasks import SUITE, TASKS, played, submission
from typer.testing import CliRunner

from theogony.benchmark import run as running
from theogony.benchmark import score as statistics
from theogony.benchmark.keeping import measure
from theogony.benchmark.report import compare
from theogony.benchmark.report.compare import as_text, compare_latex
from theogony.benchmark.results import Anchors, Crash, Results, read_results, write_results
from theogony.benchmark.tasks import BenchmarkError, Suite
from theogony.benchmark.verify import verify
from theogony.cli import app

SHIPPED = Path(__file__).parents[2] / "leaderboard" / "results"


@pytest.fixture(scope="module")
def greedy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return played(tmp_path_factory.mktemp("greedy"), "greedy")


@pytest.fixture(scope="module")
def random(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return played(tmp_path_factory.mktemp("random"), "random")


@pytest.fixture(scope="module")
def scored(tmp_path_factory: pytest.TempPathFactory, anchors: Anchors) -> tuple[Path, Path]:
    """Results with scores: of greedy play, which is 1, and of random play, which is 0."""
    folder = tmp_path_factory.mktemp("scored")
    return played(folder, "greedy", anchors=anchors), played(folder, "random", anchors=anchors)


def test_an_agent_is_compared_task_by_task_on_the_deals_of_both(greedy: Path, random: Path) -> None:
    found = compare.compare(*compare.read_agents(greedy), *compare.read_agents(random))
    [row] = found.rows
    mine, theirs = (np.mean([one.rewards for one in read_results(path).games]) for path in (greedy, random))
    assert (row.rewards.mine, row.rewards.theirs) == (pytest.approx(mine), pytest.approx(theirs))
    assert row.rewards.low <= mine - theirs <= row.rewards.high and row.rewards.is_clear
    assert row.scores is found.overall is None
    assert "\nno scores: what 0 and 1 are is not known, or not the same for both\n" in as_text(found)


def test_scores_are_compared_over_all_tasks(scored: tuple[Path, Path]) -> None:
    """Of one task the interquartile mean is its score: greedy play is 1 here and random play 0."""
    [found] = compare.comparisons(scored)
    [row], overall = found.rows, found.overall
    assert row.scores is not None and overall is not None
    assert overall.iqm[:2] == row.scores[:2] == (1.0, pytest.approx(0, abs=1e-5))
    assert overall.iqm.low < overall.iqm.difference and overall.iqm.high == pytest.approx(1.0)
    assert overall.better == 1.0 and overall.low <= overall.high
    over, better, _ = as_text(found).splitlines()[-3:]
    assert over.startswith("interquartile mean over 1 task: 1.00 beside 0.00, ahead by +1.00 (")
    assert better.startswith("probability of improvement: 1.00 (")


def test_the_interval_over_all_is_of_deals_and_of_seeds() -> None:
    """The figures of rows of the leaderboard; beside itself an agent of several seeds is ahead by nothing, with an
    interval that is of the seeds."""
    results = Path(__file__).parents[2] / "leaderboard" / "results"
    [found] = compare.comparisons([results / "td-1m", results / "greedy"])
    assert found.overall is not None and found.overall.tasks == 12
    for agent, figure in ((found.mine, found.overall.iqm.mine), (found.theirs, found.overall.iqm.theirs)):
        runs = [run for run in agent.runs if run.suite == "medium"]
        assert figure == statistics.iqm(np.array([[score.score for score in run.scores] for run in runs]))
    assert found.overall.iqm.low < found.overall.iqm.difference < found.overall.iqm.high and found.overall.iqm.is_clear
    assert found.overall.low <= found.overall.better <= found.overall.high
    itself = compare.compare(found.mine, found.mine).overall
    assert itself is not None and itself.iqm.difference == 0 and itself.iqm.low < 0 < itself.iqm.high
    assert itself.better == 0.5


def test_scores_by_other_measures_are_not_compared(tmp_path: Path, scored: tuple[Path, Path]) -> None:
    theirs = read_results(scored[1])
    [task] = theirs.tasks
    assert task.anchor is not None
    other = task.model_copy(update={"anchor": task.anchor.model_copy(update={"player": "another"})})
    write_results(theirs.model_copy(update={"tasks": [other]}), tmp_path / "other.json")
    [found] = compare.comparisons([scored[0], tmp_path / "other.json"])
    assert found.overall is None and found.rows[0].scores is None and found.rows[0].rewards.is_clear


def test_figures_for_a_paper(tmp_path: Path, scored: tuple[Path, Path]) -> None:
    """A file of all comparisons, CSV and LaTeX."""
    table, latex = tmp_path / "table.csv", tmp_path / "table.tex"
    words = ["benchmark", "compare", str(scored[0]), str(scored[1]), str(scored[0])]
    told = CliRunner().invoke(app, [*words, "--csv", str(table), "--latex", str(latex)])
    assert told.exit_code == 0 and f"{table}: written\n{latex}: written\n" in told.output
    lines = list(csv.DictReader(table.read_text().splitlines()))
    kinds = [(line["mine"], line["theirs"], line["task"]) for line in lines]
    tasks = ("tictactoe-2p-v1", "interquartile mean")
    assert kinds == [("greedy", other, task) for other in ("random", "greedy") for task in tasks]
    assert (float(lines[0]["my_score"]), float(lines[0]["score_high"])) == (1.0, 1.0)
    assert float(lines[0]["reward_ahead"]) > 0 and lines[0]["improvement"] == ""
    assert (lines[1]["my_reward"], float(lines[1]["improvement"]), lines[1]["my_seeds"]) == ("", 1.0, "1")
    text = latex.read_text()
    assert text.count("\\begin{tabular}{lrrr}") == text.count("\\end{tabular}") == 1
    assert "task & greedy & random & greedy \\\\" in text and "tictactoe-2p-v1 & 1.00 & 0.00 & 1.00 \\\\" in text
    assert "ahead by &  & +1.00 [" in text and "] & +0.00 [+0.00, +0.00] \\\\" in text
    assert "probability of improvement &  & 1.00 [" in text and "] & 0.50 [0.50, 0.50] \\\\" in text


def test_a_star_is_where_two_agents_are_told_apart() -> None:
    agent = compare.Agent("mine", [read_results(SHIPPED / "reference" / "standard-0.json.gz")])
    others = [
        compare.Agent(name, [read_results(SHIPPED / name / "standard-0.json.gz")]) for name in ("greedy", "reference")
    ]
    text = compare_latex([compare.compare(agent, other) for other in others])
    assert text.count("\\begin{tabular}") == 1 and re.search(r"orbis-2p-v2 & 1\.00 & 0\.\d\d\* & 1\.00 ", text)


def test_beside_one_other_every_difference_is_in_the_table(tmp_path: Path, scored: tuple[Path, Path]) -> None:
    latex = tmp_path / "table.tex"
    told = CliRunner().invoke(app, ["benchmark", "compare", *map(str, scored), "--latex", str(latex)])
    text = latex.read_text()
    assert told.exit_code == 0 and "task & greedy & random & difference \\\\" in text
    assert "tictactoe-2p-v1 & 1.00 & 0.00 & +1.00 [" in text
    assert "interquartile mean & 1.00 & 0.00 & +1.00 [" in text and "in brackets 95 % intervals; measured" in text


def test_the_same_games_differ_by_nothing(random: Path) -> None:
    """Deals are paired: those of both agents are drawn together."""
    [agent] = compare.read_agents(random)
    found = compare.compare(agent, agent)
    assert (found.rows[0].rewards.low, found.rows[0].rewards.high) == (0, 0)
    assert "+0.000 (+0.000 to +0.000) " in as_text(found) and "*" not in as_text(found)


def test_a_folder_of_several_suites_is_compared_in_the_one_that_both_played(
    tmp_path: Path, greedy: Path, random: Path
) -> None:
    """Files of other suites lie beside those that count, and come first by their names."""
    theirs = read_results(random)
    other = [task.model_copy(update={"id": "another", "digest": "another"}) for task in theirs.tasks]
    submission(tmp_path, theirs)
    write_results(theirs.model_copy(update={"suite": "first", "tasks": other}), tmp_path / "first-0.json")
    write_results(_with(theirs, seed=1), tmp_path / "toys-1.json")
    [told] = map(as_text, compare.comparisons([greedy, tmp_path]))
    assert told.startswith("greedy beside random in toys, 1 and 2 seeds\n") and "tictactoe-2p-v1" in told
    with pytest.raises(BenchmarkError, match=r"has played toys, not second"):
        compare.comparisons([greedy, tmp_path], "second")


def test_the_suite_is_chosen_where_both_have_played_several() -> None:
    """Else that of most tasks counts, and the others are named."""
    results = Path(__file__).parents[2] / "leaderboard" / "results"
    [found] = compare.comparisons([results / "greedy-0.25", results / "greedy"])
    assert (found.mine.runs[0].suite, found.also) == ("ladder", [])
    both = [results / "mcts-100", results / "greedy"]
    told = [as_text(*compare.comparisons(both, suite)) for suite in ("", "ladder")]
    assert "greedy in medium" in told[0] and told[0].count("both have played ladder and standard and unseen") == 1
    assert "greedy in ladder" in told[1] and "both have played" not in told[1]


def test_files_of_two_agents_are_no_seeds_of_one(tmp_path: Path, greedy: Path, random: Path) -> None:
    """They were: the mean of both, under the name of the first."""
    submission(tmp_path, read_results(random))
    write_results(read_results(greedy), tmp_path / "x.json")
    with pytest.raises(BenchmarkError, match=r"of 'random' .* in toys-0\.json and of 'greedy' .*: expected one"):
        compare.comparisons([tmp_path, greedy])
    write_results(read_results(random), tmp_path / "x.json")
    with pytest.raises(BenchmarkError, match=r"x\.json and toys-0\.json|toys-0\.json and x\.json are the same agent"):
        compare.comparisons([greedy, tmp_path])


def test_what_is_not_alike_is_said(greedy: Path, random: Path) -> None:
    """Agents of another kind, few seeds of what learnt, games that an agent broke off."""
    [mine], [theirs] = compare.read_agents(greedy), compare.read_agents(random)
    run = theirs.runs[0]
    crash = Crash(task=run.tasks[0].id, against="greedy", deal=0, seat=0, error="x")
    other = _with(run, trained=True, track="200k").model_copy(update={"crashes": [crash], "theogony": "0.0.1"})
    told = as_text(compare.compare(mine, compare.Agent("random", [other])))
    assert "greedy (lookahead, without a track) and random (observation-only, track 200k): the" in told
    assert "random has learnt with 1 of 5 seeds" in told and "measured by theogony 0.0.1 and" in told
    assert "random has lost 1 of 24 games by an error or an illegal action" in told
    assert "not alike" not in as_text(compare.compare(mine, mine))


def _with(results: Results, **of_the_agent: object) -> Results:
    """The same results, of an agent that differs so."""
    return results.model_copy(update={"agent": results.agent.model_copy(update=of_the_agent)})


def test_what_cannot_be_compared_is_named(tmp_path: Path, greedy: Path, random: Path) -> None:
    theirs = read_results(random)
    other = [task.model_copy(update={"digest": "of another form"}) for task in theirs.tasks]
    write_results(theirs.model_copy(update={"tasks": other}), tmp_path / "other.json")
    with pytest.raises(BenchmarkError, match=r"tictactoe-2p-v1: greedy and random played it in other forms"):
        compare.comparisons([greedy, tmp_path / "other.json"])
    none = [task.model_copy(update={"id": "another"}) for task in theirs.tasks]
    write_results(theirs.model_copy(update={"tasks": none}), tmp_path / "none.json")
    with pytest.raises(BenchmarkError, match=r"greedy \(toys\) and random \(toys\) have no task in common"):
        compare.comparisons([greedy, tmp_path / "none.json"])
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
    with pytest.raises(BenchmarkError, match=r"tictactoe-2p-v1: a trial of 2 of its 6 deals .*, no result"):
        verify(tmp_path / "trial.json", TASKS, anchors)
    with pytest.raises(BenchmarkError, match=r"greedy has played 2 deals of it and random 6: a trial"):
        compare.comparisons([tmp_path / "trial.json", random])


def test_the_first_deal_of_every_task_comes_before_the_second_of_any() -> None:
    short = SUITE.tasks[0].model_copy(update={"id": "short-2p-v1", "deals": 1})
    jobs = running.jobs_of(Suite("toys", (*SUITE.tasks, short)))
    assert [(job.task.id, job.deal) for job in jobs[::2]][:3] == [
        ("tictactoe-2p-v1", 0),
        ("short-2p-v1", 0),
        ("tictactoe-2p-v1", 1),
    ]
