"""`--dist loadgroup` gives a game to one worker: some pairs of pytest and pytest-xdist ignore groups without a word.
The run ends with what was skipped."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import chosen
import pytest

TESTS = """
import os
from pathlib import Path

import pytest

BROWSER = pytest.param("browser-of-innovation", marks=pytest.mark.xdist_group("browser"))


@pytest.mark.parametrize("number", range(8))
@pytest.mark.parametrize("about", ["orbis", "innovation", BROWSER])
def test_of(number, about):
    (Path(__file__).parent / f"{about}-{os.environ['PYTEST_XDIST_WORKER']}").touch()


def test_left_out():
    pytest.skip("make rllib installs what it needs")
"""


@pytest.mark.parametrize(
    ("test", "changed", "runs"),
    [
        ("tests/test_conformance.py::test_all[orbis]", "envs/orbis/rules/turn.py", True),
        ("tests/test_conformance.py::test_all[orbis]", "envs/innovation/rules/turn.py", False),
        ("tests/test_conformance.py::test_all[orbis]", "envs/core/position.py", True),
        ("tests/test_conformance.py::test_all[orbis]", "tests/test_conformance.py", True),
        ("tests/cuda/test_bit_equal.py::test_games[orbis]", "envs/orbis/render/svg.py", False),
        ("tests/training/test_kills.py::test_killed", "src/theogony/console/interrupt.py", True),
        ("tests/test_cli.py::test_commands", "README.md", False),
        ("tests/fence/test_fence.py::test_what_stands_in_no_table", "README.md", True),
    ],
)
def test_a_long_test_runs_where_its_subject_has_changed(test: str, changed: str, runs: bool) -> None:
    assert chosen.left_out(test, [changed]) != runs
    assert not chosen.left_out(test, None)  # nobody knows what has changed


@pytest.mark.slow
def test_one_worker_has_a_game(tmp_path: Path) -> None:
    for name in ("conftest.py", "needs.py", "chosen.py"):
        shutil.copyfile(Path(__file__).with_name(name), tmp_path / name)
    (tmp_path / "test_dealt.py").write_text(TESTS)
    apart = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST")}
    command = [sys.executable, "-m", "pytest", "-n", "2", "--dist", "loadgroup", "-v", "-p", "no:cacheprovider"]
    done = subprocess.run(command, cwd=tmp_path, env=apart, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    workers = [len(list(tmp_path.glob(f"{about}-gw*"))) for about in ("orbis", "innovation", "browser-of-innovation")]
    assert workers == [1, 1, 1], done.stdout
    assert "[browser-of-innovation-0]@browser " in done.stdout  # a group of its own, not one of this game's
    *_, command, skipped, last = done.stdout.splitlines()
    assert command == "make rllib brings:" and skipped.split()[0] == "1" and "24 passed, 1 skipped" in last
