"""What a suite takes, told before it is played."""

from pathlib import Path

import pytest
from toy_tasks import SUITE, TASK
from typer.testing import CliRunner

from theogony.benchmark.play.cost import Cost, costs, said
from theogony.benchmark.play.run import Asked
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
    assert "0.030 hours" in lines[2] and "150 games" in lines[3] and "0.150 hours" in lines[3]
    assert "2 trainings of 200,000 decisions at most" in lines[4] and "greedy stood in" in lines[4]


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
