"""`make test` is the command of the README and of CI: it brings what tests need, and says what was skipped."""

import json
import os
import re
import subprocess
from functools import partial
from pathlib import Path

import chosen
import needs
import pytest

ROOT = Path(__file__).parents[1]


def test_ci_runs_what_the_readme_says_and_nothing_more() -> None:
    block = re.findall(r"^```\n(.*?)^```", (ROOT / "README.md").read_text("utf-8"), re.M | re.S)[0]
    commands = re.findall(r"^make \w+", block, re.M)
    assert commands == ["make train", "make test", "make play"]
    assert re.findall(r"\bmake .*", (ROOT / ".ci" / "run").read_text("utf-8")) == ["make test"]


def test_a_workflow_tries_the_commands_in_a_bare_clone() -> None:
    bare = (ROOT / ".github/workflows/test.yml").read_text("utf-8").partition("\n  bare:\n")[2]
    assert "command: [train, test]" in bare and "run: make ${{ matrix.command }}" in bare and "setup-python" not in bare


@pytest.mark.parametrize(
    ("reason", "command"),
    [
        ("no Chromium is installed", "sudo apt-get install -y --no-install-recommends chromium npm && make test"),
        ("Node is not installed", "sudo apt-get install -y --no-install-recommends chromium npm && make test"),
        ("pyodide.mjs of Pyodide is not in build/pyodide", "make test"),
        ("open_spiel is not installed", "make test"),
        ("could not import 'ray': make rllib installs it", "make rllib"),
        ("could not import 'mlflow': No module named 'mlflow'", ".venv/bin/python -m pip install mlflow"),
        ("no environment for verifiers: `make hubs` makes it", "make hubs"),
        ("the reference material is not here", ""),
    ],
)
def test_one_command_brings_what_a_skipped_test_needs(reason: str, command: str) -> None:
    assert needs.brings(reason, ["chromium", "npm"]) == command


def test_skipped_tests_stand_below_the_command_that_brings_them() -> None:
    lines = needs.told({"make rllib installs it": 2, "ray is\nnot here": 5, "the reference material is not here": 1})
    assert lines == [
        "make rllib brings:", "     5  ray is not here", "     2  make rllib installs it",
        "of this machine or this run, nothing to bring:", "     1  the reference material is not here",
    ]  # fmt: skip


def program(folder: Path, name: str, text: str) -> None:
    """A program on the path."""
    (folder / name).write_text(f"#!/bin/sh\n{text}\n")
    (folder / name).chmod(0o755)


@pytest.mark.skipif(os.name == "nt", reason="shell scripts stand for programs")
@pytest.mark.parametrize("root", [True, False])
def test_programs_are_installed_by_root_alone(root: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where one cannot be installed, the others are."""
    program(tmp_path, "apt-get", f'echo "$@" >> {tmp_path}/asked; [ "$5" != ffmpeg ]')
    program(tmp_path, "npm", "exit 1")
    monkeypatch.setenv("PATH", f"{tmp_path}")
    monkeypatch.setattr(os, "geteuid", lambda: 0 if root else 1000)
    needs.install_programs()
    install = "install -y --no-install-recommends"
    wanted = ["update", *(f"{install} {name}" for name in ("chromium", "ffmpeg", "bubblewrap", "nodejs"))]
    asked = tmp_path / "asked"
    assert (asked.read_text().splitlines() if asked.exists() else []) == (wanted if root else [])


@pytest.mark.skipif(os.name == "nt", reason="shell scripts stand for programs")
def test_pyodide_is_there_whole_or_not_at_all(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(needs, "ROOT", tmp_path)
    packed = "mkdir package; echo x > package/pyodide.mjs; tar czf pyodide-0.28.3.tgz package; rm -r package"
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    program(tmp_path, "npm", "echo no network >&2; exit 1")
    needs.fetch_pyodide()
    assert list((tmp_path / "build").iterdir()) == []
    program(tmp_path, "npm", packed)
    needs.fetch_pyodide()
    assert [path.name for path in (tmp_path / "build").iterdir()] == ["pyodide"]
    assert (tmp_path / "build/pyodide/pyodide.mjs").is_file()


SITE, PAGES, DEVICE = "tests/test_site.py", "tests/web/test_wasm.py", "tests/cuda/test_bit_equal.py"


@pytest.mark.parametrize(
    ("files", "left"),
    [
        (None, []), ([], [SITE, PAGES, DEVICE]), (["docs/core.md"], [PAGES, DEVICE]),
        (["envs/orbis/rules/turn.py"], [SITE]), (["tests/web/conftest.py"], [SITE, DEVICE]),
        (["tests/test_site.py"], [PAGES, DEVICE]), (["src/theogony/web/link.py"], [DEVICE]),
        (["envs/orbis/render/svg.py", "envs/orbis/vocabulary.py"], [SITE, DEVICE]),
        (["envs/orbis/story.py", "src/theogony/cuda/emit.py"], [SITE]),
    ],
)  # fmt: skip
def test_long_tests_run_where_something_that_they_are_about_has_changed(files: list[str] | None, left: list) -> None:
    assert [test for test in (SITE, PAGES, DEVICE, "tests/core/test_jit.py") if chosen.left_out(test, files)] == left


def test_what_has_changed_is_read_from_the_repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Commits since the main branch, or those of a day on it, and what is not committed."""
    root = tmp_path / "whole"
    root.mkdir()
    monkeypatch.setattr(chosen, "ROOT", root)
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(tmp_path.parent))
    assert chosen.changed() is None

    def git(*words: str) -> None:
        names = ["-c", "user.name=a", "-c", "user.email=a@b", "-c", "init.defaultBranch=main"]
        subprocess.run(["git", *names, *words], cwd=root, check=True, capture_output=True)

    def commit(name: str, hour: int) -> None:
        monkeypatch.setenv("GIT_COMMITTER_DATE", f"{1_700_000_000 + 3600 * hour} +0000")
        (root / name).write_text("x")
        git("add", name)
        git("commit", "-m", name)

    git("init")
    commit("first", 0)
    assert chosen.changed() == []
    commit("second", 1)
    commit("third", 2)
    assert chosen.changed() == ["third"], "the history is younger than a day"
    commit("landed", 26)
    commit("too", 27)
    assert chosen.changed() == ["landed", "too"]
    git("clone", "--depth=2", root.as_uri(), str(tmp_path / "shallow"))
    git("checkout", "-b", "other")
    commit("other", 28)
    (root / "new").touch()
    assert chosen.changed() == ["other", "new"]
    root = tmp_path / "shallow"
    monkeypatch.setattr(chosen, "ROOT", root)
    assert chosen.changed() == [], "what came before is not here, and was published as it is"
    (root / "new").touch()
    assert chosen.changed() == ["new"]
    (root / "new").unlink()
    git("fetch", "--depth=3")
    assert chosen.changed() == ["landed", "too"]


def test_what_takes_longest_begins(tmp_path: Path) -> None:
    assert (
        chosen.scope("tests/a.py::test_b[x@y]@orbis") == "orbis" and chosen.scope("tests/a.py::t[x@y]") == "tests/a.py"
    )
    report = partial(pytest.TestReport, location=("", 0, ""), keywords={}, outcome="passed", longrepr=None, when="call")
    took = {
        "tests/a.py::one@orbis": 2.0,
        "tests/b.py::two@orbis": 3.0,
        "tests/c.py::three": 7.5,
        "tests/d.py::four": 0.1,
    }
    chosen.note([report(name, duration=seconds) for name, seconds in took.items()], tmp_path / "noted")
    assert json.loads((tmp_path / "noted").read_text()) == {"orbis": 5.0, "tests/c.py": 7.5}


class Named:
    """A test by its name, in a group or none."""

    def __init__(self, nodeid: str, group: str = "") -> None:
        self.nodeid, self.group = nodeid, group

    def get_closest_marker(self, name: str) -> pytest.Mark | None:
        return pytest.Mark(name, (self.group,), {}) if self.group else None


def test_scopes_stay_together_in_their_order() -> None:
    items = [Named("a.py::1"), Named("a.py::2", "orbis"), Named("b.py::3"), Named("a.py::4"), Named("c.py::5", "orbis")]
    chosen.longest_first(items, {"orbis": 1.0, "b.py": 3.0})  # pyright: ignore[reportArgumentType]
    assert [item.nodeid[-1] for item in items] == ["3", "2", "5", "1", "4"]
