"""What a suite takes, told before it is played."""

from pathlib import Path

import pytest
from toy_tasks import SUITE, TASK
from typer.testing import CliRunner

from theogony.benchmark.games import Dealt, Outcome
from theogony.benchmark.run import Asked, Cost, costs, foretold, in_a_line, run, said
from theogony.cli import app


def test_every_game_of_the_suite_is_counted(tmp_path: Path) -> None:
    asked = Asked(SUITE, "greedy", tmp_path / "x.json", "greedy")
    (found,) = costs(asked)
    assert found[:2] == (TASK["id"], 6 * 2 * 2) and found.seconds > 0
    assert list(tmp_path.iterdir()) == [], "nothing is kept"


def test_cheap_tasks_come_first_and_seeds_are_added_up(tmp_path: Path) -> None:
    asked = Asked(SUITE, "td.yaml", tmp_path / "x.json", "td", track="200k")
    lines = said(asked, [Cost("short", 10, 36.0), Cost("longer", 20, 72.0)], 5).splitlines()
    assert [line.split()[0] for line in lines[:2]] == ["short", "longer"]
    assert "108 s of a processor" in lines[2] and "150 games" in lines[3] and "9 min 0 s" in lines[3]
    assert lines[4].startswith("learning is not in these figures: before the games come 10 trainings of at most")
    assert "200,000 decisions each" in lines[4] and "greedy stood in" in lines[4]


def test_an_agent_that_learns_is_told_what_it_takes_before_it_begins(tmp_path: Path) -> None:
    asked = Asked(SUITE, "td.yaml", tmp_path / "x.json", "td", track="1h")
    assert in_a_line(asked, [Cost("short", 10, 36.0), Cost("longer", 20, 72.0)], 5) == (
        "benchmark toys: 10 trainings of at most one hour of the processor each, then 150 games, which take about "
        "9 min 0 s of a processor if what was learnt plays as fast as greedy"
    )


def test_the_command_says_it_once_and_not_where_something_was_learnt(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One line on stderr for all seeds; nothing is trained or played here."""
    monkeypatch.setattr("theogony.benchmark.run.costs", lambda _: [Cost("orbis-2p-small-v1", 40, 36.0)])
    monkeypatch.setattr("theogony.benchmark.run.run", lambda *_: None)
    monkeypatch.setattr("theogony.benchmark.run.table", lambda _: "")
    words = ["benchmark", "run", "quick", "--only", "orbis-2p-small-v1", "--agent", "td.yaml", "--track", "200k"]
    words += ["--seeds", "0-1", "--out", str(tmp_path / "{seed}.json")]
    told = CliRunner().invoke(app, words)
    assert told.exit_code == 0, told.output
    assert told.stderr == (
        "benchmark quick: 2 trainings of at most 200,000 decisions each, then 80 games, which take about 72 s of "
        "a processor if what was learnt plays as fast as greedy\n"
    )
    (tmp_path / "0.runs").mkdir()
    assert CliRunner().invoke(app, words).stderr == ""


def test_after_the_first_deals_a_run_tells_what_all_take(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Once, on stderr, and from the games that count: nothing is played twice."""
    run(Asked(SUITE, "greedy", tmp_path / "x.json", "greedy"), 1, anchors={})
    told = capsys.readouterr().err
    assert told.count("benchmark toys: by the first deals, 24 games take about 1 s of a processor") == 1
    run(Asked(SUITE.trial(1), "greedy", tmp_path / "y.json", "greedy"), 1, anchors={})
    assert "by the first deals" not in capsys.readouterr().err, "it is over by then"


def test_it_is_known_only_from_the_first_deal_of_every_task() -> None:
    games = [Outcome(seat=seat, result="W", reward=1.0, error=None, record=None) for seat in range(2)]
    dealt = [
        Dealt(task=TASK["id"], against=against, deal=deal, games=games, cpu=360.0, agent_cpu=0.0)
        for against, deal in (("random", 0), ("random", 1), ("greedy", 1), ("greedy", 0))
    ]
    assert foretold(SUITE, dealt[:3]) is None
    assert str(foretold(SUITE, dealt)).endswith("24 games take about 72 min of a processor")


@pytest.mark.slow
def test_the_command_plays_a_deal_and_writes_no_file(tmp_path: Path) -> None:
    words = [
        "benchmark",
        "run",
        "quick",
        "--agent",
        "random",
        "--only",
        "orbis-2p-small-v1",
        "--cost",
        "--seeds",
        "0-1",
    ]
    found = CliRunner().invoke(app, [*words, "--out", str(tmp_path / "{seed}.json")])
    assert found.exit_code == 0 and "80 games" in found.output and "2 seeds" in found.output
    assert list(tmp_path.iterdir()) == []
