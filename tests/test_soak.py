"""`make soak` at a tiny scale: its checks notice what they are for, and it goes on where it was stopped."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from broken import VARIANTS
from checked_play import CheckedPlay
from once import FAULTS, with_fault

from theogony.envs import load

SOAK = Path(__file__).parent / "soak"

NOTICED = {  # variant -> what of `CheckedPlay` notices it, and how
    "feature_out_of_bounds": ("play", "leaves its bounds"),
    "mask_empty": ("play", "no action is legal"),
    "wrong_bound": ("play", "longer than its bound"),
    "leak_in_observation": ("hidden", "observation of a seat shows"),
    "leak_in_mask": ("hidden", "mask of a seat shows"),
}


@pytest.mark.parametrize("name", NOTICED)
def test_checked_play_notices(name: str) -> None:
    assert name in VARIANTS
    what, sentence = NOTICED[name]
    game = load(f"broken:{name}").configure({"players": 3})
    with pytest.raises(AssertionError, match=f"seed 7, game .*: .*{sentence}"):
        list(CheckedPlay(game, 7).run(what, 3000))


def test_checked_play_finds_nothing_wrong() -> None:
    game = CheckedPlay(load("bluff.game").configure({"players": 3}), 7)
    for what in ("play", "masks", "hidden"):
        assert sum(game.run(what, 500)) == 500
    game.texts(5)
    game.refusals(5)
    assert game.tally.audited == 1000 and game.tally.games > 10


@pytest.mark.parametrize("name", FAULTS)
def test_mended_fault_can_be_put_back(name: str, tmp_path: Path) -> None:
    """The copy has rules of its own, and plays; a fault whose lines are gone is not passed over."""
    fault = FAULTS[name]
    spec = with_fault(fault, tmp_path)
    assert spec.legal.__module__.startswith(f"once_{fault.game}.") and spec.name == f"once_{fault.game}"
    assert Path(spec.legal.py_func.__code__.co_filename).is_relative_to(tmp_path)
    with pytest.raises(AssertionError, match="the soak must follow"):
        with_fault(fault._replace(lines=(("no such line", ""),)), tmp_path / "again")


def soak(folder: Path, *arguments: str) -> str:
    """What the command prints. Bluff is small, and compiles quickly."""
    path = os.pathsep.join(entry for entry in sys.path if entry)
    done = subprocess.run(
        [sys.executable, SOAK / "soak.py", "--only", "bluff.game", "--scale", "0.00001", "--results",
         folder / "results.json", "--report", folder / "report.md", *arguments],
        env={**os.environ, "PYTHONPATH": path, "NUMBA_DISABLE_JIT": "1"},
        capture_output=True,
        text=True,
        check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.mark.slow
def test_soak_goes_on_and_reports(tmp_path: Path) -> None:
    first = soak(tmp_path, "--part", "hidden", "--part", "bounds")
    assert first.startswith("2 parts, of which 0 are finished")
    assert soak(tmp_path, "--part", "hidden", "--part", "bounds") == "2 parts, of which 2 are finished\n"
    results = json.loads((tmp_path / "results.json").read_text())
    assert set(results) == {"hidden:bluff.game:", "bounds:bluff.game:"}
    assert results["bounds:bluff.game:"]["found"]["decisions"] >= 100
    said = (tmp_path / "report.md").read_text()
    assert re.search(r"^\| positions drawn anew .* \| as it is; not yet: .*orbis", said, re.M)


@pytest.mark.slow
def test_results_of_other_rules_are_done_again(tmp_path: Path) -> None:
    from digests import part_digest
    from parts import Part
    from soak import Results

    part, results = Part("play", "bluff.game", "2 players"), Results(tmp_path / "results.json")
    results.note(part, 10, {"found": {"decisions": 10}})
    again = Results.read(tmp_path / "results.json")
    assert again.has(part, 10) and not again.has(part, 11)
    again.parts[part.key]["digest"] = "0" * len(part_digest("play", "bluff.game"))
    assert not again.has(part, 10) and not again.told()[part]["fresh"]


def test_a_row_that_is_out_of_date_says_so() -> None:
    from parts import Part
    from report import report

    held = {"day": "2026-01-02", "found": {"positions": 500, "texts": 5}, "fresh": True}
    parts = {Part("hidden", game, ""): held | {"fresh": game != "orbis"} for game in ("orbis", "innovation")}
    said = report(parts, [(Part("hidden", "orbis", ""), 10)])
    assert "| 1,000 positions | 2026-01-02 | changed since: orbis |" in said and "1 of 2 parts are older" in said
    assert report({part: held for part in parts}, []).count("as it is |") == 1
    failed = report({Part("kills", "", "training"): {"failed": "seed 7", "fresh": True}}, [])
    assert "What failed:\n\n* `kills::training`: seed 7" in failed and "Nothing of this failed" not in failed
    assert len((SOAK.parents[1] / "docs/reliability.md").read_text("utf-8").split()) < 350  # with the bars of its table
