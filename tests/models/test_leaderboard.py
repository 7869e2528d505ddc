"""Language models on the leaderboard: rows of their own kind, marked where their transcripts were played again."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from typer.testing import CliRunner

from theogony.benchmark.report.page import report
from theogony.benchmark.tasks import BenchmarkError
from theogony.cli import app
from theogony.models.measure import Asked, measure


@pytest.mark.slow
def test_a_model_has_a_row_of_its_own_kind(asked: Callable[..., Asked], tmp_path: Path) -> None:
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
