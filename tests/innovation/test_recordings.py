"""The reader of recordings: those of another implementation pass, and what is changed in them is reported."""

import copy
import gzip
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from recordings import outcome, write

from theogony.envs.innovation.game import SPEC

HERE = Path(__file__).parent
DATA = HERE / "data"
SHARED = HERE.parents[2] / "shared" / "reference" / "innovation"


def scenarios() -> list[dict[str, Any]]:
    with gzip.open(DATA / "scenarios.jsonl.gz", "rt") as file:
        return [json.loads(line) for line in file]


def test_two_actions_with_every_card() -> None:
    """A selection of the recorded dogma actions: the two of each card with the most choices, and the endings."""
    lines = scenarios()
    assert {line["card"] for line in lines} == set(range(105))
    assert outcome(SPEC, DATA / "scenarios.jsonl.gz") == ((len(lines), 0), "")


@pytest.mark.parametrize("name", ["2p_02", "3p_03", "4p_01"])
def test_whole_games(name: str) -> None:
    assert outcome(SPEC, DATA / f"{name}.jsonl.gz") == ((1, 0), "")


@pytest.mark.slow
@pytest.mark.skipif(not SHARED.is_dir(), reason="the whole reference is not here")
def test_all_recordings() -> None:
    counts, said = outcome(SPEC, SHARED / "scenarios.jsonl.gz")
    assert said == "" and counts == (2703, 0)
    for path in sorted((SHARED / "replays").glob("*.gz")):
        assert outcome(SPEC, path) == ((1, 0), "")


def with_choice(kind: str) -> dict[str, Any]:
    """A scenario with a choice of that kind out of several options, not declined."""
    return copy.deepcopy(
        next(
            line
            for line in scenarios()
            for choice in line["choices"][:1]
            if choice["kind"] == kind and choice["choice"] is not None and len(choice.get("options", [0, 0])) > 1
        )
    )


def damaged(change: str) -> dict[str, Any]:
    """A scenario in which one thing is changed."""
    line = with_choice("card")
    if change == "options":
        line["choices"][0]["options"].pop()
    elif change == "may_decline":
        line["choices"][0]["may_decline"] = not line["choices"][0]["may_decline"]
    elif change == "player":
        line["choices"][0]["player"] = (line["choices"][0]["player"] + 1) % line["players"]
    elif change == "events":
        line["events"].pop()
    elif change == "position":
        line["after"]["players"][0]["tucked"] += 1
    elif change == "sharing_bonus":
        line["sharing_bonus"] = not line["sharing_bonus"]
    elif change == "end":
        line["end"] = {"by": "points", "winners": [0]}
    return line


@pytest.mark.parametrize("change", ["options", "may_decline", "player", "events", "position", "sharing_bonus", "end"])
def test_a_changed_recording_is_reported(change: str, tmp_path: Path) -> None:
    counts, said = outcome(SPEC, write(tmp_path / "one.jsonl", [damaged(change)]))
    assert counts == (0, 1)
    assert change in said


def test_a_file_of_another_kind_is_refused(tmp_path: Path) -> None:
    counts, said = outcome(SPEC, write(tmp_path / "one.jsonl", [{"anything": 1}]))
    assert counts == (0, 1) and "neither" in said


def test_an_impossible_position_is_reported(tmp_path: Path) -> None:
    line = damaged("")
    line["before"]["players"][0]["hand"].append(line["before"]["players"][1]["hand"][0])
    counts, said = outcome(SPEC, write(tmp_path / "one.jsonl", [line]))
    assert counts == (0, 1) and "two places" in said


@pytest.mark.slow
def test_the_interpreted_rules_pass_too() -> None:
    """The same rules without compilation, with every overflow of a small integer an error."""
    code = (
        "import sys, pathlib, numpy as np; np.seterr(over='raise');"
        "from theogony.envs.core.verify import verify; from theogony.envs.innovation.game import SPEC;"
        "print(verify(SPEC, [pathlib.Path(p) for p in sys.argv[1:]]))"
    )
    files = [str(DATA / "scenarios.jsonl.gz"), str(DATA / "2p_02.jsonl.gz")]
    environment = {**os.environ, "NUMBA_DISABLE_JIT": "1"}
    ran = subprocess.run([sys.executable, "-c", code, *files], env=environment, capture_output=True, text=True)
    assert ran.stdout.strip() == f"({len(scenarios()) + 1}, 0)", ran.stdout + ran.stderr
