"""A wheel holds every source and data file of the four parts."""

import re
import subprocess
import sys
from importlib.metadata import version
from pathlib import Path
from shutil import copytree, ignore_patterns
from zipfile import ZipFile

import pytest

import theogony

ROOT = Path(__file__).parents[1]
PARTS = ("envs", "wrappers", "training", "configs")


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A wheel built from a copy of the sources: setuptools leaves files behind where it builds."""
    source, target = tmp_path_factory.mktemp("source"), tmp_path_factory.mktemp("wheel")
    for name in (*PARTS, "src"):
        if (ROOT / name).is_dir():
            copytree(ROOT / name, source / name, ignore=ignore_patterns("__pycache__", "*.egg-info"))
    for name in ("pyproject.toml", "setup.py", "README.md", "LICENSE"):
        (source / name).write_bytes((ROOT / name).read_bytes())
    command = [sys.executable, "-m", "pip", "wheel", "--no-deps", "--no-build-isolation", "--no-index"]
    done = subprocess.run([*command, "-w", target, source], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    return next(target.glob("*.whl"))


def test_wheel_is_complete(wheel: Path) -> None:
    kinds = {".py", ".yaml", ".json"}
    expected = {
        f"theogony/{path.relative_to(ROOT).as_posix()}"
        for part in PARTS
        for path in (ROOT / part).rglob("*")
        if path.suffix in kinds
    }
    assert {Path(name).suffix for name in expected} == kinds
    expected |= {"theogony/__init__.py", "theogony/py.typed"}
    assert expected <= set(ZipFile(wheel).namelist())


def test_wheel_holds_nothing_else(wheel: Path) -> None:
    tops = {name.split("/")[0] for name in ZipFile(wheel).namelist()}
    assert {re.sub(r"-.*\.", ".", top) for top in tops} == {"theogony", "theogony.dist-info"}


def test_version_has_one_source(wheel: Path) -> None:
    assert wheel.name.split("-")[1] == theogony.__version__ == version("theogony")


def test_type_checkers_see_every_part() -> None:
    """The links in .typing serve type checkers, which do not follow an editable installation."""
    links = ROOT / ".typing" / "theogony"
    names = {*PARTS, *(path.name for path in (ROOT / "src" / "theogony").iterdir() if path.name != "__pycache__")}
    for name in names:
        link = links / name
        assert link.is_symlink(), f"{name} is missing in .typing/theogony"
        assert link.readlink().parts[:2] == ("..", ".."), f"{name} must be a relative link"
    checked = (ROOT / ".typing" / "pyrightconfig.json").read_text(encoding="utf-8")
    for part in PARTS:
        assert f'"theogony/{part}"' in checked, f"pyright would silently leave out {part}"
