"""`theogony benchmark submit`: what a submission lacks, and whether its games can be played anew."""

import shutil
from pathlib import Path

import pytest
from toy_tasks import TASKS, played, submission
from typer.testing import CliRunner

from theogony.benchmark.report import ready
from theogony.benchmark.results import read_results, write_results
from theogony.benchmark.tasks import BenchmarkError
from theogony.cli import app

RESULTS = Path(__file__).parents[2] / "leaderboard" / "results"


@pytest.fixture(scope="module")
def greedy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return played(tmp_path_factory.mktemp("greedy"), "greedy")


@pytest.fixture
def toys(monkeypatch: pytest.MonkeyPatch) -> None:
    """The tasks of the tests in place of those of the package."""
    for module in ("report.ready", "verify"):
        monkeypatch.setattr(f"theogony.benchmark.{module}.shipped", lambda: TASKS)
    monkeypatch.setattr("theogony.benchmark.verify.shipped_anchors", dict)


@pytest.mark.usefixtures("toys")
def test_a_submission_that_lacks_nothing_is_ready(tmp_path: Path, greedy: Path) -> None:
    assert ready.missing(submission(tmp_path, read_results(greedy))) == []


@pytest.mark.usefixtures("toys")
def test_everything_that_a_submission_lacks_is_said_at_once(tmp_path: Path, greedy: Path) -> None:
    results = read_results(greedy)
    folder = submission(tmp_path, results, trained="true")
    (folder / "toys-1.json.partial").write_text("")
    unfinished, seeds = ready.missing(folder)
    assert unfinished == f"{folder}/toys-1.json.partial: the run has not ended: go on with the command that began it"
    assert seeds.endswith("1 training seeds are too few; expected 5 of an agent that learns")
    (folder / "metadata.yaml").unlink()
    write_results(results.model_copy(update={"figures": []}), folder / "toys-0.json")
    metadata, _, figures = ready.missing(folder)
    assert metadata.startswith("metadata.yaml is missing; it holds at least\nname: ...")
    assert "figures" in figures


def test_a_folder_without_results_is_refused_in_a_sentence(tmp_path: Path) -> None:
    told = CliRunner().invoke(app, ["benchmark", "submit", str(tmp_path)])
    assert told.exit_code == 1
    assert f"* {tmp_path}: holds no results file: expected one *.json for each seed" in told.output
    with pytest.raises(BenchmarkError, match="expected a folder with metadata"):
        ready.missing(tmp_path / "nowhere")


@pytest.mark.usefixtures("toys")
def test_what_the_report_would_refuse_of_exploits_is_not_ready(tmp_path: Path, greedy: Path) -> None:
    """A file of another table, then one that is no such file: the report ends with the same sentence."""
    folder = submission(tmp_path, read_results(greedy))
    (folder / "exploits").mkdir()
    shutil.copy(RESULTS / "greedy" / "exploits" / "orbis-2p.json", folder / "exploits")
    [said] = ready.missing(folder)
    assert said.startswith(f"{folder}/exploits/orbis-2p.json: there is no task orbis-2p")
    (folder / "exploits" / "orbis-2p.json").write_text("{}")
    assert "is no result of benchmark exploit" in ready.missing(folder)[0]


@pytest.mark.slow
def test_an_exploit_of_another_entry_is_not_ready(tmp_path: Path) -> None:
    folder = tmp_path / "greedy-0.25"
    shutil.copytree(RESULTS / "greedy-0.25", folder)
    (folder / "exploits").mkdir()
    shutil.copy(RESULTS / "greedy" / "exploits" / "orbis-2p.json", folder / "exploits")
    told = CliRunner().invoke(app, ["benchmark", "submit", str(folder)])
    assert told.exit_code == 1 and "is of another agent or table than the results beside it" in told.output


@pytest.mark.usefixtures("toys")
@pytest.mark.parametrize(
    ("player", "said"),
    [
        ("greedy", None),
        ("own_players:First", "checked and not replayed: in 1 of 1 tasks"),
        ("elsewhere/{task}", "checked and not replayed: in 1 of 1 tasks"),
        ("mcts:5ms", "it thinks by time"),
    ],
)
def test_an_agent_that_is_not_at_hand_is_said(tmp_path: Path, greedy: Path, player: str, said: str | None) -> None:
    results = read_results(greedy)
    agent = results.agent.model_copy(update={"player": player})
    found = ready.not_replayed(submission(tmp_path, results.model_copy(update={"agent": agent})))
    assert found is None if said is None else found is not None and said in found


@pytest.mark.usefixtures("toys")
def test_the_command_says_that_it_is_ready_and_what_it_can_become(tmp_path: Path) -> None:
    """A class of one's own is ready without being at hand."""
    own = read_results(played(tmp_path, "own_players:First"))
    (tmp_path / "in").mkdir()
    told = CliRunner().invoke(app, ["benchmark", "submit", str(submission(tmp_path / "in", own))])
    assert told.exit_code == 0, told.output
    first, second = told.output.splitlines()
    assert first.startswith("it can become checked and not replayed: in 1 of 1 tasks") and "is ready: copy" in second
