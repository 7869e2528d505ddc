"""An agent that somebody brings along: a network or a class for each seed, and what is said where it does not fit."""

import shutil
from pathlib import Path

import numpy as np
import pytest
from toy_tasks import SUITE, TASKS, played, submission
from typer.testing import CliRunner

from theogony.benchmark import run as running
from theogony.benchmark.agents import filled
from theogony.benchmark.results import read_metadata, read_results
from theogony.benchmark.tasks import BenchmarkError, Suite
from theogony.benchmark.verify import verify
from theogony.cli import app
from theogony.envs.core.players import PlayerError

BY_SEED = "own_{seed}:Player"
MODULE = "import numpy as np\n\n\nclass Player:\n    def __init__(self, game):\n        self.game = game\n\n"
ACT = "    def act(self, views, rng):\n        return views.masks.argmax(1)\n"


@pytest.fixture
def modules(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A class for each of two seeds, in modules of their own."""
    monkeypatch.syspath_prepend(str(tmp_path))
    for seed in (0, 1):
        (tmp_path / f"own_{seed}.py").write_text(f"{MODULE}    seed = {seed}\n\n{ACT}")
    return tmp_path


def test_what_is_played_stands_in_place_of_braces() -> None:
    task = TASKS.tasks[0]
    assert filled("nets/{game}-{players}p-{seed}.onnx", task, task.make_game(), 3) == "nets/tictactoe-2p-3.onnx"


def test_each_seed_has_an_agent_of_its_own(modules: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    files = [modules / f"{seed}.json" for seed in (0, 1)]
    for seed, out in enumerate(files):
        running.run(running.Asked(SUITE, BY_SEED, out, "mine", seed), 1, anchors={})
    first, second = (read_results(file).agent for file in files)
    assert first.player == second.player == BY_SEED and first.sha256 != second.sha256 and first.trained
    assert "a class is imported with --allow-modules only" in verify(files[1], TASKS, {}, games=2)
    monkeypatch.setenv("THEOGONY_ALLOW_MODULES", "1")
    assert "2 games played anew; SHA-256 of the agent compared in 1 of 1 tasks" in verify(files[1], TASKS, {}, games=2)


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_a_network_beside_its_results_is_found_by_its_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    torch = pytest.importorskip("torch")
    pytest.importorskip("onnxruntime")
    game = TASKS.tasks[0].make_game()
    (tmp_path / "nets").mkdir()
    monkeypatch.chdir(tmp_path)
    torch.onnx.export(
        torch.nn.Linear(game.features.length, game.actions.size),
        (torch.zeros(2, game.features.length),),
        "nets/0.onnx",
        input_names=["observations"],
        dynamic_axes={"observations": {0: "n"}},
        dynamo=False,
    )
    out = tmp_path / "mine" / "results.json"
    out.parent.mkdir()
    running.run(running.Asked(SUITE, "nets/{seed}.onnx", out, "mine"), 1, anchors={})
    assert "its weights are not beside the results file" in verify(out, TASKS, {}, games=2)
    shutil.copy("nets/0.onnx", out.parent)
    assert "2 games played anew; SHA-256 of the agent compared in 1 of 1 tasks" in verify(out, TASKS, {}, games=2)


def test_a_kind_that_there_is_not_is_refused(modules: Path) -> None:
    (modules / "own_0.py").write_text(f"{MODULE}    kind = 'Search'\n\n{ACT}")
    problem = "kind is 'Search'; expected one of observation-only, lookahead, search"
    with pytest.raises(PlayerError, match=rf"task tictactoe-2p-v1: player 'own_0:Player': {problem}"):
        running.run(running.Asked(SUITE, BY_SEED, modules / "x.json", "mine"), 1, anchors={})


@pytest.mark.parametrize("given", ["3", "np.zeros((len(views), 5))", "np.zeros(0, int)"])
def test_what_act_returned_is_said(modules: Path, given: str) -> None:
    (modules / "own_0.py").write_text(f"{MODULE}    def act(self, views, rng):\n        return {given}\n")
    results = running.run(running.Asked(SUITE, BY_SEED, modules / "x.json", "mine"), 1, anchors={})
    shape = np.shape(eval(given, {"np": np, "views": [0]}))
    assert f"of shape {shape}; expected one action for each view" in results.crashes[0].error


def test_the_suffix_of_a_module_is_left_out(tmp_path: Path) -> None:
    with pytest.raises(PlayerError, match=r"as module:Class: own_0:Player without \.py"):
        played(tmp_path, "own_0.py:Player")


@pytest.mark.parametrize(
    ("changed", "problem"),
    [({"trained": "perhaps"}, "trained: "), ({"url": "x"}, "url: "), ({"name": "[a, b]"}, "name: ")],
)
def test_metadata_that_do_not_fit_say_which_fields_there_are(
    tmp_path: Path, first: Path, changed: dict[str, str], problem: str
) -> None:
    folder = submission(tmp_path, read_results(first), **changed)
    with pytest.raises(BenchmarkError, match=rf"metadata\.yaml: {problem}.*; expected texts as name, authors"):
        read_metadata(folder / "metadata.yaml")


def test_a_folder_without_metadata_is_no_submission(tmp_path: Path) -> None:
    with pytest.raises(BenchmarkError, match=r"holds no metadata\.yaml: expected a submission"):
        verify(tmp_path, TASKS, {})


def test_results_are_called_so() -> None:
    words = ["benchmark", "run", "quick", "--agent", "greedy", "--out", "mine.csv"]
    told = CliRunner().invoke(app, words)
    assert told.exit_code == 2 and "expected a name that ends in .json or .json.gz" in told.output


def test_the_tasks_of_a_game_are_named() -> None:
    with pytest.raises(
        BenchmarkError, match=r"no suite or task 'orbis-3p'; tasks of that game are orbis-2p-small-v1, .*"
    ):
        Suite.named("orbis-3p")
    with pytest.raises(
        BenchmarkError, match=r"orbis-2p-v2: is no task of the suite quick; it has push_of_faith-2p-small"
    ):
        Suite.named("quick", only="orbis-2p-v2")
    with pytest.raises(BenchmarkError, match="expected one suite alone, or ids of tasks; suites are quick"):
        Suite.named("quick,medium")
