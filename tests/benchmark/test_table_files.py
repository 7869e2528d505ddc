"""The tables of the report as files: CSV and LaTeX."""

import csv
import json
import re
from pathlib import Path

import pytest
from toy_tasks import TASKS, exploit_of, played, submission

from theogony.benchmark.exploit.file import write_exploit
from theogony.benchmark.report.entries import Pair, Ranked, read_entries
from theogony.benchmark.report.page import report
from theogony.benchmark.report.tables import suite_latex
from theogony.benchmark.results import Anchors, read_results
from theogony.envs import GAMES


def entry(folder: Path, file: Path, name: str) -> Path:
    """A submission under this name."""
    place = folder / f"entry-{len(list(folder.glob('*')))}"
    place.mkdir(parents=True)
    results = read_results(file)
    agent = results.agent.model_copy(update={"name": name})
    return submission(place, results.model_copy(update={"agent": agent}), name=json.dumps(name))


def rows(path: Path) -> list[dict[str, str]]:
    return list(csv.DictReader(path.read_text().splitlines()))


def test_tables_as_files(tmp_path: Path, first: Path, anchors: Anchors) -> None:
    """Numbers as they are; names that are neither a formula of a spreadsheet nor a command of LaTeX."""
    for name in ("a&b_100%", "x"):
        entry(tmp_path / "in", first, name)
    out = tmp_path / "out" / "leaderboard"
    report(tmp_path / "in", tmp_path / "out", TASKS, anchors)
    assert not [*out.glob("*.csv"), *out.glob("*.tex")]
    report(tmp_path / "in", tmp_path / "out", TASKS, anchors, csv=True, latex=True)
    entries = list(csv.DictReader((out / "entries.csv").read_text().splitlines()))
    overall = read_results(first).overall
    assert overall is not None
    assert [one["agent"] for one in entries] == ["a&b_100%", "x"]
    assert float(entries[0]["iqm"]) == overall.iqm and entries[0]["tasks"] == entries[0]["whole"] == "1"
    scores = list(csv.DictReader((out / "scores.csv").read_text().splitlines()))
    assert [(one["agent"], one["task"], float(one["score"])) for one in scores] == [
        (name, "tictactoe-2p-v1", overall.iqm) for name in ("a&b_100%", "x")
    ]
    latex = (out / "toys.tex").read_text()
    assert f"a\\&b\\_100\\% & 1 & 1 of 1 & {overall.iqm:.2f} [" in latex
    assert latex.count("{tabular}") == 2 and latex.count(" \\\\\n") == 3


@pytest.mark.parametrize(("text", "shown"), [("=1+1", "'=1+1"), ("@x", "'@x"), ("-", "-"), ("mcts:100", "mcts:100")])
def test_names_are_no_formulas_in_csv(tmp_path: Path, first: Path, anchors: Anchors, text: str, shown: str) -> None:
    entry(tmp_path / "in", first, text)
    report(tmp_path / "in", tmp_path / "out", TASKS, anchors, csv=True)
    rows = csv.DictReader((tmp_path / "out" / "leaderboard" / "entries.csv").read_text().splitlines())
    assert [row["agent"] for row in rows] == [shown]


def test_what_was_found_of_exploits_and_unseen_components_is_in_the_files(
    tmp_path: Path, anchors: Anchors, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("theogony.benchmark.report.entries.check_exploit", lambda *_: None)  # its learners are missing
    folder = entry(tmp_path / "in", played(tmp_path, "greedy", anchors=anchors), "greedy")
    (folder / "exploits").mkdir()
    write_exploit(exploit_of("greedy", ["WWWL" * 10, "WWDL" * 10]), folder / "exploits" / "one.json")
    report(tmp_path / "in", tmp_path / "out", TASKS, anchors, csv=True, latex=True)
    found, own = rows(tmp_path / "out" / "leaderboard" / "exploits.csv")
    assert (found["agent"], found["task"], found["by"]) == ("greedy", "tictactoe-2p-v1", "ppo")
    assert (float(found["won"]), found["deals"]) == (0.6875, "40")
    assert own["learnt"] == "" and own["by"] in ("random", "greedy"), "an opponent in the entry's own games"
    assert rows(tmp_path / "out" / "leaderboard" / "unseen.csv") == []
    [one] = read_entries(tmp_path / "in", TASKS, anchors)
    written = (tmp_path / "out" / "leaderboard" / "unseen.csv").read_text()
    assert written == "agent,task,printed,unseen,change,low,high\n"
    object.__setattr__(one, "left", Pair("", 0.9, 0.7, -0.2, -0.3, -0.1))
    latex = suite_latex(Ranked.of([one], one.tasks))
    assert "& kind & learnt & against greedy & beaten in & unseen \\\\" in latex
    row = next(line for line in latex.splitlines() if line.startswith("greedy"))
    assert "69\\% (" in row and row.endswith("& -0.20 (-0.30 to -0.10) \\\\")
    assert row.count("&") == 9


def test_the_paper_names_entries_and_figures_that_there_are() -> None:
    """Its figures are read from the results: none is written by hand."""
    root = Path(__file__).parents[2]
    text = (root / "paper/paper.tex").read_text("utf-8")
    named = re.findall(r"\\entry\{([^}#]+)\}\{([^}#]+)\}", text)
    assert len(named) > 5
    for agent, what in named:
        assert (root / "leaderboard/results" / agent / "metadata.yaml").is_file(), agent
        assert what in ("score", "low", "high", "before", "after")
    assert set(re.findall(r"\\gamerow\{[^}]+\}\{(\w+)\}", text)) == set(GAMES)
