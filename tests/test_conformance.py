"""Every game passes conformance; games with one thing wrong do not."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from broken import VARIANTS

from theogony.envs import GAMES, load
from theogony.envs.core.conformance import Case, Report, cases, check, check_case, check_game

TOY = Path(__file__).with_name("toy")
NAMES = [*GAMES, "bluff.game"]
CASES = [case for name in NAMES for case in cases(load(name), games=1, seed=0)]


def assert_holds(report: Report) -> None:
    assert report.checked
    assert report.ok, "\n".join(map(str, report.failures))


@pytest.mark.random_play
@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.game.spec.name}: {case.name}")
def test_conformance(case: Case) -> None:
    report = Report(case.game.spec.name)
    check_case(case, report)
    assert_holds(report)


@pytest.mark.parametrize("name", NAMES)
def test_conformance_across_processes(name: str) -> None:
    report = Report(name)
    check_game(list(cases(load(name), games=1, seed=0)), report)
    assert_holds(report)


@pytest.fixture(scope="module")
def found() -> dict[str, list[str]]:
    """What conformance finds in each broken variant: in an interpreter of their own, which need not compile them."""
    done = subprocess.run(
        [sys.executable, TOY / "broken.py"],
        env={**os.environ, "NUMBA_DISABLE_JIT": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


@pytest.mark.parametrize("name", VARIANTS)
def test_broken_game_is_noticed(name: str, found: dict[str, list[str]]) -> None:
    assert set(found[name]) == VARIANTS[name][1]


def test_overflow_that_only_compiled_code_hides() -> None:
    """The same variant in compiled code: the numbers of its record grow unnoticed there."""
    report = check(load("broken:overflow"), games=1, only=["interpreted_rules_agree"])
    assert [failure.property for failure in report.failures] == ["interpreted_rules_agree"]
    assert "overflow" in report.failures[0].message


def test_unknown_property() -> None:
    with pytest.raises(ValueError, match=r"no property 'speed'; known are .*games_repeat"):
        check(load("bluff.game"), only=["speed"])
