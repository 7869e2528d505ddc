"""Training by a program of the user's own: called as it is said, in the results file, within its track."""

import json
from pathlib import Path
from typing import Any

import pytest
import yaml
from toy_tasks import SUITE, TASK, TASKS, content

from theogony.benchmark import run as running
from theogony.benchmark import tasks
from theogony.benchmark.programs import arguments, decisions
from theogony.benchmark.report.page import report
from theogony.benchmark.results import read_results
from theogony.benchmark.tasks import BenchmarkError, Track
from theogony.benchmark.tuning import TunedProgram
from theogony.benchmark.verify import verify
from theogony.envs.core.contract import deal_seed
from theogony.training.config import ConfigError
from theogony.training.learning import tune

pytest.importorskip("onnx", reason="onnx is not installed")
pytest.importorskip("onnxruntime", reason="onnxruntime is not installed")
STEPS = 2000
ARGUMENTS = """\
import argparse, json, pathlib
parser = argparse.ArgumentParser()
for name in ("game", "options", "seed", "steps", "out", "width"):
    parser.add_argument(f"--{name}")
given = parser.parse_args()
out = pathlib.Path(given.out)
"""
LEARNER = f"""{ARGUMENTS}
import time, torch
from theogony.benchmark.programs import hand_in
from theogony.envs import load
game = load(given.game).configure(json.loads(given.options))
torch.manual_seed(int(given.seed))
network = torch.nn.Linear(game.features.length, game.actions.size)
hand_in(out, network, game, int(given.steps), {{"width": given.width}})
(out / "call.txt").write_text(str(time.time_ns()))
"""
STATES = f"{ARGUMENTS}(out / 'policy.onnx').write_bytes(b'x')\n(out / 'training.json').write_text('%s')"


@pytest.fixture(autouse=True)
def _small(monkeypatch: pytest.MonkeyPatch) -> None:
    """A track of few decisions; programs find the toy where the tests do."""
    monkeypatch.setitem(tasks.TRACKS, "200k", Track(STEPS, 1e9))
    monkeypatch.setenv("PYTHONPATH", str(Path(__file__).parents[1] / "toy"))


def program(folder: Path, source: str = LEARNER) -> str:
    (folder / "learner.py").write_text(source)
    return f"{folder / 'learner.py'} --width 3"


def trained(folder: Path, player: str, out: str = "agent.json", seed: int = 0, **how: Any) -> Path:
    asked = running.Asked(SUITE, player, folder / out, "agent", seed, how.get("track", "200k"))
    running.run(asked, workers=1, anchors={})
    return folder / out


@pytest.fixture(scope="module")
def first(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("programs")
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(tasks.TRACKS, "200k", Track(STEPS, 1e9))
        patch.setenv("PYTHONPATH", str(Path(__file__).parents[1] / "toy"))
        return trained(folder, program(folder))


@pytest.mark.slow
def test_what_it_learnt_is_in_the_file(first: Path) -> None:
    results = read_results(first)
    (one,), (times,) = results.training, results.seconds.training
    assert results.agent.track == "200k" and results.agent.trained and results.agent.kind == "observation-only"
    assert one.decisions == STEPS and one.config["settings"] == {"width": "3"} and len(one.config["sha256"]) == 64
    assert 0 < times.cpu and 0 < times.wall
    assert "SHA-256 of the agent compared in 1 of 1 tasks" in verify(first, TASKS, {})


@pytest.mark.slow
def test_it_learns_once_and_the_same_from_the_same_seed(first: Path, tmp_path: Path) -> None:
    before, call = content(first), first.parent / "agent.runs" / str(TASK["id"]) / "call.txt"
    called = call.read_text()
    first.unlink()
    assert content(trained(first.parent, program(first.parent))) == before
    assert call.read_text() == called
    other = read_results(trained(tmp_path, program(tmp_path), seed=1))
    assert other.agent.sha256 != before["agent"]["sha256"]


@pytest.mark.slow
def test_its_options_are_searched(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """`theogony tune` calls it with options of a space, measures what it left, and goes on."""
    pytest.importorskip("optuna")
    space = tmp_path / "space.yaml"
    space.write_text("width: {low: 2, high: 9}")
    entries = ["game=tictactoe:SPEC", "evaluation.against=[random]"]
    searched = TunedProgram.of(program(tmp_path), entries)
    search = tune.Asked(searched, tmp_path / "search", 2, 300, 4, seed=0, space=space)
    tune.run(search)
    told = capsys.readouterr().out
    assert "trial 0: --width 3\n" in told and "the best of 2 trials of 300 steps" in told
    assert len(list((tmp_path / "search").glob("run-*/policy.onnx"))) == 2
    best = yaml.safe_load((tmp_path / "search" / tune.BEST).read_text())
    assert best["agent"].startswith(f"{tmp_path / 'learner.py'} --width ") and told.rstrip().endswith(best["agent"])
    program(tmp_path, f"{LEARNER}# another")
    with pytest.raises(ConfigError, match="is of another search: file differs"):
        tune.run(search)


@pytest.mark.parametrize(
    ("entries", "expected"),
    [
        ([], "command line: game: Field required"),
        (["game=chess"], "command line: .*chess"),
        (["game=orbis", "options.players=9"], "command line: .*players"),
        (["game=orbis", "seed=3"], "command line: seed: "),
        (["game=orbis"], "learner.py --width 3: has no values to search by default; expected --space FILE"),
    ],
)
def test_what_is_wrong_with_a_search_of_its_options_is_said(tmp_path: Path, entries: list[str], expected: str) -> None:
    with pytest.raises(ConfigError, match=expected) as error:
        tune.run(tune.Asked(TunedProgram.of(program(tmp_path), entries), tmp_path / "search", 2, 300, 4, 0, None))
    assert "\n" not in str(error.value) and not (tmp_path / "search").exists()


def test_another_program_in_the_same_place_is_refused(first: Path) -> None:
    with pytest.raises(BenchmarkError, match="holds another training: sha256 differs"):
        trained(first.parent, program(first.parent, f"{LEARNER}# another"))
    program(first.parent)


def test_what_another_agent_learnt_is_not_removed(tmp_path: Path) -> None:
    """A training file's run lies where the program's would."""
    other = tmp_path / "agent.runs" / str(TASK["id"])
    other.mkdir(parents=True)
    (other / "config.yaml").write_text("game: push_of_faith\n")
    with pytest.raises(BenchmarkError, match="holds another training; remove it"):
        trained(tmp_path, program(tmp_path))
    assert (other / "config.yaml").is_file()


@pytest.mark.parametrize(
    ("line", "least", "found"),
    [
        ("--steps 1000", 1, 768),
        ("--steps 1000 --most 600", 1, 512),
        ("--steps 256", 1, 256),
        ("--steps 255", 1, "--steps: expected at least 256 decisions, found 255"),
        ("--steps 1000 --most 0", 1, "--steps: expected at least 256 decisions, found 0"),
        ("--steps 1000", 2000, "--steps: expected at least 2000 decisions, found 1000"),
    ],
)
def test_decisions_come_in_whole_lots(
    line: str, least: int, found: int | str, capsys: pytest.CaptureFixture[str]
) -> None:
    parser = arguments("a program", 200_000)
    if isinstance(found, int):
        assert decisions(parser, parser.parse_args(line.split()), 256, least) == found
        return
    with pytest.raises(SystemExit):
        decisions(parser, parser.parse_args(line.split()), 256, least)
    assert found in capsys.readouterr().err


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("raise SystemExit('no such game')", "ended with 1: no such game"),
        (ARGUMENTS, r"ended without leaving .*policy\.onnx"),
        (f"{ARGUMENTS}(out / 'policy.onnx').write_bytes(b'x')", "training.json: cannot be read"),
        (STATES % '{"decisions": -1}', "decisions: Input should be greater than or equal to 0"),
        (STATES % '{"decisions": 9999}', "learnt from 9,999 decisions, 2,000 were asked for"),
        (STATES % '{"decisions": 5}', "policy.onnx: cannot be read"),
        (f"{ARGUMENTS}(out / 'training.json').symlink_to('/etc/passwd')", "training.json: is left .* and is no file"),
        (f"{ARGUMENTS}import os\nos.mkfifo(out / 'training.json')", "Operation not permitted"),
        (f"{ARGUMENTS}open('/etc/passwd')", "No such file or directory: '/etc/passwd'"),
        (f"{ARGUMENTS}(out.parent / 'x').write_text('x')", "Read-only file system|ended without leaving"),
    ],
)
def test_a_program_that_fails_is_named(tmp_path: Path, source: str, expected: str) -> None:
    with pytest.raises(ValueError, match=expected):
        trained(tmp_path, program(tmp_path, source))
    assert not (tmp_path / "agent.runs" / "x").exists(), "what it wrote beside its folder was not on this machine"


def test_what_breaks_the_rules_of_a_track_is_refused(tmp_path: Path) -> None:
    player = program(tmp_path)
    with pytest.raises(BenchmarkError, match="is a deal of the benchmark, which training never uses"):
        trained(tmp_path, player, seed=deal_seed(7))
    with pytest.raises(BenchmarkError, match="expected another track than 1h"):
        trained(tmp_path, player, track="1h")
    with pytest.raises(BenchmarkError, match="a training file or a program needs a track"):
        running.Asked(SUITE, player, tmp_path / "x.json", "x")
    with pytest.raises(BenchmarkError, match=r"nothing\.py: cannot be read"):
        trained(tmp_path, "nothing.py")


@pytest.mark.parametrize(
    ("key", "value", "expected"),
    [
        ("seed", 3, "the seed is 3, but the agent's is 0"),
        ("seed", deal_seed(3), "is a deal of the benchmark"),
        ("sha256", None, "sha256: Input should be a valid string"),
        ("steps", 10**9, "was asked for 1,000,000,000 decisions; expected 2,000 of"),
        ("program", "other.py", r"other\.py was asked for"),
    ],
)
def test_a_changed_training_is_refused(first: Path, tmp_path: Path, key: str, value: Any, expected: str) -> None:
    data = json.loads(first.read_text())
    data["training"][0]["config"][key] = value
    (tmp_path / "changed.json").write_text(json.dumps(data))
    with pytest.raises(BenchmarkError, match=expected):
        verify(tmp_path / "changed.json", TASKS, {})


def test_a_program_in_a_track_of_time_is_refused(first: Path, tmp_path: Path) -> None:
    data = json.loads(first.read_text())
    data["agent"]["track"] = "1h"
    (tmp_path / "changed.json").write_text(json.dumps(data))
    with pytest.raises(BenchmarkError, match="a program is given a number of decisions, and 1h is a track of time"):
        verify(tmp_path / "changed.json", TASKS, {})


@pytest.mark.slow
def test_what_it_learnt_plays_the_same_games_again(first: Path) -> None:
    assert "24 games played anew; SHA-256 of the agent compared in 1 of 1 tasks" in verify(first, TASKS, {}, games=1000)


def test_the_report_has_it_in_its_track_without_a_curve(first: Path, tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "toys-0.json").write_bytes(first.read_bytes())
    (tmp_path / "in" / "metadata.yaml").write_text("name: agent\nauthors: x\ndescription: x\ntrained: true\n")
    report(tmp_path / "in", tmp_path / "out", TASKS, {})
    page = (tmp_path / "out" / "leaderboard" / "toys.md").read_text()
    assert "## toys: at most 200,000 decisions learnt from, observation-only" in page
    assert "Learning curves" not in page
