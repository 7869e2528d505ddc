"""Language models on the leaderboard: rows of their own kind, marked where their transcripts were played again."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from theogony.benchmark.report import ready
from theogony.benchmark.report.page import report
from theogony.benchmark.tasks import BenchmarkError
from theogony.cli import app
from theogony.models.ask import ModelError
from theogony.models.run import Measurement, measure
from theogony.models.verify import verify


@pytest.mark.slow
def test_a_model_has_a_row_of_its_own_kind(asked: Callable[..., Measurement], tmp_path: Path) -> None:
    folder = tmp_path / "in" / "scripted"
    folder.mkdir(parents=True)
    (folder / "metadata.yaml").write_text("name: a|model\nauthors: x\ndescription: x\ntrained: false\n")
    one = asked("first", games=2, out=folder / "results.json", name="a|model")
    results, _ = measure(one)
    page = report(tmp_path / "in", tmp_path / "out").read_text()
    rating = results.figures.ratings[0]
    row = next(line for line in page.splitlines() if line.startswith("| push_of_faith-2p |"))
    assert row.startswith("| push_of_faith-2p | a&#124;model | language model | listed | ")
    assert f"{rating.points:+.0f} (" in row and "| 100% |" in row and row.endswith("| 2 | - |")

    marks = tmp_path / "in" / "verified.json"
    done = CliRunner().invoke(app, ["benchmark", "verify", str(one.out), "--mark", str(marks)])
    assert done.exit_code == 0, done.output
    assert "| 2 | replayed (2) |" in report(tmp_path / "in", tmp_path / "out").read_text()

    data = json.loads(one.out.read_text("utf-8"))
    data["figures"]["ratings"][0]["points"] += 100
    one.out.write_text(json.dumps(data), "utf-8")
    with pytest.raises(BenchmarkError, match="figures"):
        report(tmp_path / "in", tmp_path / "out")


def folder_of(tmp_path: Path) -> Path:
    """The folder of a submission, without its results."""
    folder = tmp_path / "in" / "mine"
    folder.mkdir(parents=True)
    (folder / "metadata.yaml").write_text("name: m\nauthors: x\ndescription: x\ntrained: false\n")
    return folder


def test_a_submission_is_checked_and_verified_by_its_folder(asked: Callable[..., Measurement], tmp_path: Path) -> None:
    folder = folder_of(tmp_path)
    results, _ = measure(asked("first", games=2, out=folder / "results.json", name="m"))
    told = CliRunner().invoke(app, ["benchmark", "submit", str(folder)])
    assert told.exit_code == 0 and "is ready" in told.output, told.output
    told = CliRunner().invoke(app, ["benchmark", "verify", str(folder)])
    assert told.exit_code == 0 and "2 games and 36 replies played again" in told.output, told.output

    (folder / "results.games" / results.games[0].transcript).unlink()
    [said] = ready.missing(folder)
    assert "results.games" in said and "No such file" in said
    (folder / "metadata.yaml").unlink()
    assert ready.missing(folder)[0].startswith("metadata.yaml is missing")


def test_a_submission_under_another_name_or_without_a_rating_is_not_ready(
    asked: Callable[..., Measurement], tmp_path: Path
) -> None:
    folder = folder_of(tmp_path)
    measure(asked("first", games=2, out=folder / "results.json", name="other"))
    assert "is of 'other', but metadata.yaml is of 'm'" in ready.missing(folder)[0]
    measure(asked("first", games=2, out=folder / "results.json", name="m", against="greedy:0.7"))
    [said] = ready.missing(folder)
    assert said.startswith("push_of_faith-2p: not rated") and "greedy@reference" in said


FORGED: list[tuple[str, Callable[[dict[str, Any]], Any], str]] = [
    ("a table twice, with easier options", lambda d: d["tables"].append({**d["tables"][0], "options": {}}), "once"),
    ("a game of a table that is not there", lambda d: d["games"][0].update(table="orbis-2p"), "each that was played"),
    ("a table that no table is called", lambda d: d["tables"][0].update(name="evil"), "tables.0.name"),
    ("a table for millions", lambda d: d["tables"][0].update(name="orbis-99999999p"), "tables.0.name"),
    ("signs that steer a terminal", lambda d: d["games"][0].update(transcript="\x1b[2J"), "cannot be printed"),
    ("a name that steers one", lambda d: d.update(name="\x1b[2J"), "cannot be printed"),
    ("a program without its digest", lambda d: d.update(kind="program"), "sha256"),
    ("a language model with one", lambda d: d.update(sha256="0" * 64), "sha256"),
    ("no game at all", lambda d: d.update(games=[]), "at least one"),
    ("a reward without end", lambda d: d["games"][0].update(reward=float("inf")), "."),
    ("a result that is none", lambda d: d["games"][0].update(result="WW"), "result"),
    ("negative tokens", lambda d: d["games"][0].update(read=-5), "read"),
    ("true as a number", lambda d: d["games"][0].update(seat=True), "seat"),
]


@pytest.mark.parametrize(("change", "said"), [case[1:] for case in FORGED], ids=[case[0] for case in FORGED])
def test_a_forged_file_is_named_in_a_line(
    asked: Callable[..., Measurement], tmp_path: Path, change: Callable[[dict[str, Any]], Any], said: str
) -> None:
    """By whoever reads it, the leaderboard before anything is verified too."""
    folder = tmp_path / "in" / "forged"
    folder.mkdir(parents=True)
    (folder / "metadata.yaml").write_text("name: m\nauthors: x\ndescription: x\ntrained: false\n")
    one = asked("first", games=2, out=folder / "results.json", name="m")
    measure(one)
    data = json.loads(one.out.read_text("utf-8"))
    change(data)
    one.out.write_text(json.dumps(data), "utf-8")
    for reads in (lambda: report(tmp_path / "in", tmp_path / "out"), lambda: verify(one.out)):
        with pytest.raises((ModelError, BenchmarkError), match=said) as caught:
            reads()
        assert "\n" not in str(caught.value) and "\x1b" not in str(caught.value)


def test_a_row_with_other_options_says_that_its_rating_is_rough(
    asked: Callable[..., Measurement], tmp_path: Path
) -> None:
    """Nobody stands among others by an easier table."""
    folder = tmp_path / "in" / "other"
    folder.mkdir(parents=True)
    (folder / "metadata.yaml").write_text("name: m\nauthors: x\ndescription: x\ntrained: false\n")
    options = {"components": "random:7"}
    measure(asked("first", games=2, out=folder / "results.json", name="m", options=options, settings={"tries": 9}))
    page = report(tmp_path / "in", tmp_path / "out").read_text()
    row = next(line for line in page.splitlines() if line.startswith("| push_of_faith-2p |"))
    assert "rough: the ladder was measured with another" in row and "| listed, 9 tries |" in row
