"""The commands that play a row of the leaderboard again: the program takes them as they are printed."""

import shlex
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import typer
from toy_tasks import TASKS
from typer.core import TyperGroup
from typer.main import get_command
from typer.testing import CliRunner

from theogony.benchmark.report.entries import Entry
from theogony.benchmark.report.page import again_commands, commands, report, seeds_as_text
from theogony.benchmark.results import METADATA, Anchors, read_metadata, read_results, results_files, write_results
from theogony.benchmark.tasks import BenchmarkError, Suite, shipped
from theogony.benchmark.training import kind_of_training
from theogony.cli import app
from theogony.commands.benchmarking import _seeds

RESULTS = Path(__file__).parents[2] / "leaderboard" / "results"


def parsed(line: str) -> dict[str, Any]:
    """The parameters that the program makes of a line of a shell, without running it."""
    command, words = get_command(app), shlex.split(line)[1:]
    while isinstance(command, TyperGroup):
        named = command.get_command(typer.Context(command), words[0])
        assert named is not None
        command, words = named, words[1:]
    return command.make_context(command.name, list(words)).params


@pytest.fixture(scope="module")
def entries() -> dict[str, Entry]:
    """Rows of the project: of five seeds, of a program, of some tasks, with settings behind its file."""
    names = ("td-1m", "tianshou-sac", "td-search-8", "td-from-nothing")
    return {name: entry_of(RESULTS / name) for name in names}


def entry_of(folder: Path) -> Entry:
    runs = [read_results(file) for file in results_files(folder)]
    mine = [run for run in runs if run.suite == "medium"]
    return Entry(read_metadata(folder / METADATA), mine, place=folder.name)


@pytest.mark.parametrize("name", ["td-1m", "tianshou-sac", "td-search-8", "td-from-nothing"])
def test_the_program_takes_the_commands_of_a_row(entries: dict[str, Entry], name: str) -> None:
    entry, members = entries[name], [task.id for task in shipped().suite("medium")]
    first, second = commands(entry, members)
    asked, compared = parsed(first), parsed(second)
    agent = entry.runs[0].agent
    assert (asked["agent"], asked["track"]) == (agent.player, agent.track)
    assert _seeds(asked["seeds"]) == [run.agent.seed for run in entry.runs]
    chosen = Suite.named(asked["suite"], only=asked["only"])
    assert [task.id for task in chosen.tasks] == [task.id for task in entry.runs[0].tasks]
    assert ("--only" in first) == (name == "td-search-8"), "it has two of the tasks"
    assert asked["out"] == f"mine/medium-{name}/{{seed}}.json"
    assert compared["files"] == [Path(f"mine/medium-{name}"), Path(f"leaderboard/results/{name}")]


def test_settings_of_every_training_on_the_leaderboard_are_read() -> None:
    """What a training file may hold has changed since some were written: their results files changed with it."""
    files = [file for folder in RESULTS.iterdir() if folder.is_dir() for file in results_files(folder)]
    trained = [one for file in files for one in read_results(file).training if "program" not in one.config]
    assert len(trained) > 500
    kinds = {(one.config.get("engine", "sb3"), kind_of_training(one)) for one in trained}
    assert kinds == {("sb3", "observation-only"), ("sb3", "lookahead"), ("td", "lookahead")}


def test_a_command_can_be_pasted(entries: dict[str, Entry]) -> None:
    first, second = commands(entries["td-1m"], [task.id for task in shipped().suite("medium")])
    assert first == (
        "theogony benchmark run medium --agent 'configs/{game}/td.yaml' --track 1M --seeds 0-4 "
        "--out 'mine/medium-td-1m/{seed}.json'"
    )
    assert second == "theogony benchmark compare mine/medium-td-1m leaderboard/results/td-1m"


@pytest.mark.parametrize("seeds", [[0], [0, 1, 2, 3, 4], [3, 1], [0, 1, 5, 7, 8, 9]])
def test_seeds_are_written_as_they_are_read(seeds: list[int]) -> None:
    assert _seeds(seeds_as_text(seeds)) == sorted(seeds)


def test_spaces_behind_commas_are_no_part_of_a_name() -> None:
    assert _seeds("0, 2-3 ,5") == [0, 2, 3, 5]
    two = ["orbis-2p-v2", "innovation-2p-v4"]
    for suite in (Suite.named("standard", only=", ".join(two)), Suite.named(", ".join(two))):
        assert [task.id for task in suite.tasks] == two
    assert Suite.named(", ".join(two)).name == ",".join(two)
    with pytest.raises(BenchmarkError, match="orbis 2p: is no task of the suite standard; it has"):
        Suite.named("standard", only="orbis 2p")


HARMLESS = ["random; rm -rf y", "my.py --width 64", ".venv/bin/python3 my.py", "$(touch x)", "```", "it's:one"]
REFUSED = ["rm -rf x.py", "python -c 'evil' x.py", "-x", "a\nb", "sh 'unclosed x.py"]


def of(entry: Entry, player: str) -> Entry:
    [run, *_] = entry.runs
    return replace(entry, runs=[run.model_copy(update={"agent": run.agent.model_copy(update={"player": player})})])


@pytest.mark.parametrize("player", HARMLESS)
def test_a_shell_obeys_nothing_of_an_agent(entries: dict[str, Entry], player: str) -> None:
    lines = list(again_commands([of(entries["tianshou-sac"], player)], []))
    [first, _] = lines[lines.index("```") + 1 : -1]
    assert parsed(first)["agent"] == player
    assert [line for line in lines if line.startswith("`")] == ["```"] * 2, "nor does the block end early"


@pytest.mark.parametrize("player", REFUSED)
def test_what_would_run_another_program_has_no_command(entries: dict[str, Entry], player: str) -> None:
    text = "\n".join(again_commands([of(entries["tianshou-sac"], player)], []))
    assert "theogony benchmark" not in text and "no command that can be pasted unread" in text


def test_the_page_of_a_suite_has_them(tmp_path: Path, first: Path, anchors: Anchors) -> None:
    folder = tmp_path / "in" / "blind"
    folder.mkdir(parents=True)
    results = read_results(first)
    write_results(results, folder / "seed-0.json")
    about = f"name: {results.agent.name}\nauthors: x\ndescription: x\ntrained: false\n"
    (folder / METADATA).write_text(about)
    report(tmp_path / "in", tmp_path / "out", TASKS, anchors)
    lines = (tmp_path / "out" / "leaderboard" / "toys.md").read_text().splitlines()
    assert list(told(lines)) == [
        "theogony benchmark run toys --agent own_players:First --seeds 0 --out 'mine/toys-blind/{seed}.json'",
        "theogony benchmark compare mine/toys-blind leaderboard/results/blind",
    ]


def told(lines: list[str]) -> Iterator[str]:
    yield from (line for line in lines if line.startswith("theogony "))


def test_run_makes_the_folder_of_its_results(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A folder that is no folder is said before anything is played."""
    (tmp_path / "file").write_text("")
    words = ["benchmark", "run", "quick", "--agent", "random", "--only", "orbis-2p-small-v1", "--deals", "1"]
    refused = CliRunner().invoke(app, [*words, "--out", str(tmp_path / "file" / "{seed}.json")])
    assert refused.exit_code == 2 and "is no folder" in refused.output
    out = tmp_path / "mine" / "orbis" / "0.json"
    done = CliRunner().invoke(app, [*words, "--out", str(out.with_name("{seed}.json")), "--workers", "1"])
    assert done.exit_code == 0 and out.is_file()


def test_more_deals_than_a_task_has_are_said_not_to_be_there(tmp_path: Path) -> None:
    words = ["benchmark", "run", "quick", "--agent", "random", "--only", "orbis-2p-small-v1", "--workers", "1"]
    done = CliRunner().invoke(app, [*words, "--deals", "100", "--out", str(tmp_path / "whole.json")])
    assert done.exit_code == 0 and "--deals 100: no task has more than 20, so all are played" in done.output
    assert "a trial" not in done.output
