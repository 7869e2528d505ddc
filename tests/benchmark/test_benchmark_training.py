"""Training inside the benchmark: within its track, stoppable, and in the results file; opponents nobody trains on."""

import csv
import json
import math
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml
from toy_tasks import SUITE, TASKS, content
from typer.testing import CliRunner

from theogony.benchmark import agents, tasks
from theogony.benchmark import run as running
from theogony.benchmark.report.page import report
from theogony.benchmark.results import read_results
from theogony.benchmark.tasks import BenchmarkError, Suite, Track
from theogony.benchmark.verify import verify
from theogony.commands import benchmarking
from theogony.envs.core.contract import deal_seed
from theogony.training.config import ConfigError
from theogony.training.learning import train
from theogony.training.learning.engine import Training

pytestmark = pytest.mark.slow  # agents are trained for most of it
STEPS = 2000
FILE: dict[str, Any] = {
    "game": "tictactoe:SPEC",
    "engine": "td",
    "environment": {"num_envs": 16},
    "algorithm": {"total_steps": 10**6, "batch_size": 64, "learning_rate": 1e-3},
    "td": {"widths": [8]},
}


@pytest.fixture(autouse=True)
def _small(monkeypatch: pytest.MonkeyPatch) -> None:
    """A track of a few seconds, and a training file that may name the toy."""
    monkeypatch.setitem(tasks.TRACKS, "200k", Track(STEPS, 1e9))
    monkeypatch.setenv("THEOGONY_ALLOW_MODULES", "1")


def training_file(folder: Path, **changes: Any) -> Path:
    path = folder / "agent.yaml"
    path.write_text(yaml.safe_dump({**FILE, **changes}), "utf-8")
    return path


def trained(
    folder: Path, file: Path | str, out: str = "agent.json", track: tasks.TrackName = "200k", seed: int = 0
) -> Path:
    asked = running.Asked(SUITE, str(file), folder / out, "agent", seed, track)
    running.run(asked, workers=1, anchors={})
    return folder / out


@pytest.fixture(scope="module")
def first(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("trained")
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(tasks.TRACKS, "200k", Track(STEPS, 1e9))
        patch.setenv("THEOGONY_ALLOW_MODULES", "1")
        return trained(folder, training_file(folder))


def test_what_was_trained_is_in_the_file(first: Path) -> None:
    results = read_results(first)
    (one,), (times,) = results.training, results.seconds.training
    assert STEPS * 0.9 <= one.decisions <= STEPS and results.agent.track == "200k" and results.agent.trained
    assert [point.decisions for point in one.curve] == sorted(point.decisions for point in one.curve)
    assert len(one.curve) == len(times.curve) >= 5 and one.curve[-1].decisions == one.decisions
    assert 0 < times.cpu and times.curve[-1][1] == times.cpu
    assert one.config["seed"] == 0 and STEPS * 0.9 < one.config["algorithm"]["total_steps"] < STEPS
    assert "SHA-256 of the agent compared in 1 of 1 tasks" in verify(first, TASKS, {})


def test_many_games_at_a_time_end_within_the_track(tmp_path: Path) -> None:
    """A learnt value learns from whole games: 100 of them have some 800 decisions."""
    file = trained(tmp_path, training_file(tmp_path, environment={"num_envs": 100}))
    assert STEPS / 2 < read_results(file).training[0].decisions <= STEPS
    verify(file, TASKS, {})


def test_the_same_seed_gives_the_same_file_and_another_does_not(first: Path, tmp_path: Path) -> None:
    file = first.with_name("agent.yaml")
    assert content(trained(tmp_path, file)) == content(first)
    other = read_results(trained(tmp_path, file, "other.json.gz", seed=1))
    assert other.agent.sha256 != read_results(first).agent.sha256


def test_a_stopped_training_goes_on(first: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file, whole = first.with_name("agent.yaml"), train.save

    def stop(training: Training[Any]) -> None:
        whole(training)
        if training.steps > STEPS // 2:
            raise KeyboardInterrupt

    monkeypatch.setattr(train, "save", stop)
    with pytest.raises(KeyboardInterrupt):
        trained(tmp_path, file)
    monkeypatch.setattr(train, "save", whole)
    assert content(trained(tmp_path, file)) == content(first)


def test_another_training_in_the_same_place_is_refused(tmp_path: Path) -> None:
    trained(tmp_path, training_file(tmp_path))
    changed = training_file(tmp_path, td={"widths": [16]})
    with pytest.raises(BenchmarkError, match="holds another training: td differs"):
        trained(tmp_path, changed)
    other = training_file(tmp_path, engine="sb3", td={})
    with pytest.raises(BenchmarkError, match=r"holds another training: \w+ differs"):
        trained(tmp_path, other)


def test_a_track_of_time_ends_by_the_clock(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(tasks.TRACKS, "1h", Track(math.inf, 0.3))
    results = read_results(trained(tmp_path, training_file(tmp_path), track="1h"))
    assert 0.3 <= results.seconds.training[0].cpu < 3 and results.training[0].decisions < 10**6


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({"game": "orbis"}, "trains orbis, but tictactoe-2p-v1 is of tictactoe:SPEC"),
        ({"start_from": "runs/x"}, "start_from: an agent of a track begins with nothing learnt"),
        ({"engine": "rllib", "td": {}}, "engine: rllib is not trained within a track"),
        ({"engine": "sb3", "td": {}, "environment": {"num_envs": 256}}, "a rollout has 9,216 decisions"),
        ({"environment": {"num_envs": 400}}, "a rollout has .* decisions, too many for the track of 200k"),
        (
            {"opponents": [{"player": str(agents.HELD_BACK / "orbis-2p-0")}], "td": {"opponents": 0.5}},
            "is kept for the evaluation, and nobody trains against it",
        ),
    ],
)
def test_what_breaks_the_rules_of_a_track_is_refused(tmp_path: Path, changes: dict[str, Any], expected: str) -> None:
    file = training_file(tmp_path, **changes)
    with pytest.raises(ValueError, match=expected):
        trained(tmp_path, file)


def test_settings_behind_a_training_file_are_in_force(tmp_path: Path) -> None:
    """They go before those of the file; what the task says is not theirs to change."""
    file = training_file(tmp_path)
    results = read_results(trained(tmp_path, f"{file} td.td_lambda=0.5 td.widths='[8, 4]'"))
    assert results.training[0].config["td"]["td_lambda"] == 0.5
    assert results.training[0].config["td"]["widths"] == [8, 4]
    for wrong, expected in (
        ("options.players=3", "options.players is set by the task, the track and the seed of the benchmark"),
        ("td.lambda=0.5", "td.lambda"),
        ("td.widths='[8", "No closing quotation; expected settings such as td.search=8"),
    ):
        with pytest.raises(ValueError, match=expected):
            trained(tmp_path, f"{file} {wrong}", "wrong.json")


def test_a_reserved_seed_of_training_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="is a deal of the benchmark, which training never uses"):
        trained(tmp_path, training_file(tmp_path), seed=deal_seed(7))


def test_a_training_file_needs_a_track_and_a_player_none(tmp_path: Path) -> None:
    cases: list[tuple[str, tasks.TrackName | None]] = [("agent.yaml", None), ("greedy", "1M")]
    for player, track in cases:
        with pytest.raises(
            BenchmarkError, match="a training file or a program needs a track, and nothing else has one"
        ):
            running.Asked(SUITE, player, tmp_path / "x.json", "x", 0, track)
    with pytest.raises(BenchmarkError, match="there is no track '5M'; tracks are 200k, 1M, 10M, 1h"):
        tasks.track_named("5M")


# ---------------------------------------------------------------------------------------------------- verification


def _more_decisions(data: dict[str, Any]) -> None:
    data["training"][0]["decisions"] = 10 * STEPS


def _other_seed(data: dict[str, Any]) -> None:
    data["training"][0]["config"]["seed"] = 3


def _reserved_seed(data: dict[str, Any]) -> None:
    data["training"][0]["config"]["seed"] = deal_seed(3)


def _more_learnt(data: dict[str, Any]) -> None:
    data["training"][0]["config"]["start_from"] = "runs/x"


def _no_training(data: dict[str, Any]) -> None:
    data["training"] = []


def _other_game(data: dict[str, Any]) -> None:
    data["training"][0]["config"]["game"] = "orbis"


def _other_table(data: dict[str, Any]) -> None:
    data["training"][0]["config"]["options"] = {"players": 3}


def _longer_file(data: dict[str, Any]) -> None:
    data["training"][0]["config"]["algorithm"]["total_steps"] = 10**9


def _other_engine(data: dict[str, Any]) -> None:
    data["training"][0]["config"]["engine"] = "distil"


def _hardly_any_file(data: dict[str, Any]) -> None:
    data["training"][0]["config"] = {"game": "tictactoe:SPEC"}


def _observation_only(data: dict[str, Any]) -> None:
    data["agent"]["kind"] = "observation-only"


def _before_it_began(data: dict[str, Any]) -> None:
    data["seconds"]["training"][0]["cpu"] = -3.0


def _backwards(data: dict[str, Any]) -> None:
    data["training"][0]["curve"].reverse()


def _all_won(data: dict[str, Any]) -> None:
    data["training"][0]["curve"][0]["won"]["greedy"] = 2.0


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        (_more_decisions, "training of tictactoe-2p-v1: 20,000 decisions are more than the track of 200k allows"),
        (_other_seed, "the seed is 3, but the agent's is 0"),
        (_reserved_seed, "is a deal of the benchmark"),
        (_more_learnt, "begins with nothing learnt"),
        (_no_training, "training: expected one for each of 1 tasks"),
        (_other_game, "is of orbis with .*; expected tictactoe:SPEC with"),
        (_other_table, "'players': 3}; expected tictactoe:SPEC with {'players': 2}"),
        (_longer_file, "total_steps: 1,000,000,000 are more than the track of 200k allows"),
        (_other_engine, "engine: distil is not trained within a track"),
        (_hardly_any_file, "training of tictactoe-2p-v1: algorithm: Field required"),
        (_observation_only, "is no observation-only agent: its kind is lookahead"),
        (_before_it_began, "greater than or equal to 0"),
        (_backwards, "the decisions of its curve do not go forward"),
        (_all_won, "less than or equal to 1"),
    ],
)
def test_a_changed_training_is_refused(
    first: Path, tmp_path: Path, change: Callable[[dict[str, Any]], None], expected: str
) -> None:
    data = json.loads(first.read_text())
    change(data)
    (tmp_path / "changed.json").write_text(json.dumps(data))
    with pytest.raises(BenchmarkError, match=expected):
        verify(tmp_path / "changed.json", TASKS, {})


def test_a_changed_checkpoint_is_named(first: Path, tmp_path: Path) -> None:
    """The runs beside the results file are those that were measured."""
    out = trained(tmp_path, first.with_name("agent.yaml"), seed=2)
    verify(out, TASKS, {})
    weights = next((tmp_path / "agent.runs").rglob("checkpoints/*/policy.safetensors"))
    for path in weights.parents[1].glob("*/policy.safetensors"):
        content = bytearray(path.read_bytes())
        content[-1] ^= 1
        path.write_bytes(bytes(content))
    with pytest.raises(ValueError, match=r"damaged|has SHA-256"):
        verify(out, TASKS, {})


def test_the_report_draws_learning_curves(first: Path, tmp_path: Path) -> None:
    (tmp_path / "in" / "agent").mkdir(parents=True)
    (tmp_path / "in" / "agent" / "toys-0.json").write_bytes(first.read_bytes())
    about = "name: agent\nauthors: somebody\ndescription: a test\ntrained: true\n"
    (tmp_path / "in" / "agent" / "metadata.yaml").write_text(about)
    report(tmp_path / "in", tmp_path / "out", TASKS, {})
    page = (tmp_path / "out" / "leaderboard" / "toys.md").read_text()
    assert "## toys: at most 200,000 decisions learnt from, lookahead" in page
    for axis in ("decisions", "time"):
        name = f"toys-200k-{axis}.svg"
        assert f"![Learning curves over {axis}]({name})" in page
        svg = (tmp_path / "out" / "leaderboard" / name).read_text()
        assert "tictactoe-2p-v1" in svg and svg.count('<g id="mean-') == 1
    report(tmp_path / "in", tmp_path / "out", TASKS, {}, csv=True)
    rows = list(csv.DictReader((tmp_path / "out" / "leaderboard" / "curves.csv").read_text().splitlines()))
    results = read_results(first)
    [curve], [times] = [one.curve for one in results.training], [one.curve for one in results.seconds.training]
    found = [(int(row["decisions"]), float(row["cpu"]), {row["against"]: float(row["won"])}) for row in rows]
    assert found == [(point.decisions, cpu, point.won) for point, (_, cpu) in zip(curve, times, strict=True)]


# ---------------------------------------------------------------------------------------------------- the command


def test_some_tasks_of_a_suite() -> None:
    suite = Suite.named("quick", only="orbis-2p-small-v1")
    assert suite.name == "quick" and [task.id for task in suite.tasks] == ["orbis-2p-small-v1"]
    with pytest.raises(BenchmarkError, match="is no task of the suite quick"):
        Suite.named("quick", only="orbis-2p-v2")


@pytest.mark.parametrize(("text", "seeds"), [("3", [3]), ("0-2", [0, 1, 2]), ("4,1", [4, 1]), ("0-1,1", [0, 1])])
def test_seeds_of_the_command(text: str, seeds: list[int]) -> None:
    assert benchmarking._seeds(text) == seeds


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (["--seeds", "x"], "expected numbers such as"),
        (["--seeds", "4-1"], "the smaller one first"),
        (["--seeds", "0-1", "--out", "one.json"], "expected {seed} in it"),
        (["--track", "5M"], "there is no track '5M'"),
        (["--track", "1M"], "a training file or a program needs a track"),
    ],
)
def test_wrong_usage_is_one_line(arguments: list[str], expected: str, tmp_path: Path, monkeypatch: Any) -> None:
    from theogony.cli import app

    monkeypatch.chdir(tmp_path)
    result = CliRunner().invoke(app, ["benchmark", "run", "quick", "--agent", "random", *arguments])
    said = f"{result.output} {result.exception}"
    assert result.exit_code != 0 and expected in " ".join(said.replace("│", " ").split())
