"""A wheel holds every source and data file of the four parts."""

import os
import re
import subprocess
import sys
import zlib
from email import message_from_bytes
from importlib.metadata import version
from pathlib import Path
from shutil import copytree, ignore_patterns
from zipfile import ZipFile

import pytest

import theogony
from theogony.envs.core.compile import prebuilt

ROOT = Path(__file__).parents[1]
PARTS = ("envs", "wrappers", "training", "configs")


@pytest.fixture(scope="module")
def source(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the sources: setuptools leaves files behind where it builds."""
    source = tmp_path_factory.mktemp("source")
    for name in (*PARTS, "src"):
        if (ROOT / name).is_dir():
            copytree(ROOT / name, source / name, ignore=ignore_patterns("__pycache__", "*.egg-info"))
    for name in ("pyproject.toml", "setup.py", "README.md", "LICENSE"):
        (source / name).write_bytes((ROOT / name).read_bytes())
    return source


def build(source: Path, target: Path, **variables: str) -> Path:
    command = [sys.executable, "-m", "pip", "wheel", "--no-deps", "--no-build-isolation", "--no-index"]
    environment = {**os.environ, **variables}
    done = subprocess.run([*command, "-w", target, source], env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    return next(target.glob("*.whl"))


@pytest.fixture(scope="module")
def wheel_with_rules(source: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A wheel that carries compiled rules; built first, so that the next one could be found to hold its files."""
    compiled = tmp_path_factory.mktemp("compiled")
    for name in ("manifest.json", "step-0123"):
        (compiled / name).write_text("{}")
    return build(source, tmp_path_factory.mktemp("with_rules"), THEOGONY_COMPILED=str(compiled))


@pytest.fixture(scope="module")
def wheel(source: Path, wheel_with_rules: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build(source, tmp_path_factory.mktemp("wheel"), THEOGONY_COMPILED="")


@pytest.mark.slow
def test_a_wheel_may_carry_compiled_rules(wheel_with_rules: Path, wheel: Path) -> None:
    """Then it is for one Python and one system; where the rules are, `prebuilt.py` looks."""
    where = prebuilt.PACKAGED.as_posix().rpartition("theogony/")[2]
    inside = {f"theogony/{where}/{name}" for name in ("manifest.json", "step-0123")}
    files, pure = set(ZipFile(wheel_with_rules).namelist()), set(ZipFile(wheel).namelist())
    assert inside <= files and not inside & pure
    assert {name for name in files - inside if "dist-info" not in name} <= pure
    version = f"cp{sys.version_info.major}{sys.version_info.minor}"
    assert f"-{version}-{version}-" in wheel_with_rules.name and wheel.name.endswith("-py3-none-any.whl")


@pytest.mark.slow
def test_wheel_is_complete(wheel: Path) -> None:
    kinds = {".py", ".yaml", ".json", ".safetensors"}
    expected = {
        f"theogony/{path.relative_to(ROOT).as_posix()}"
        for part in PARTS
        for path in (ROOT / part).rglob("*")
        if path.suffix in kinds
    }
    assert {Path(name).suffix for name in expected} == kinds
    expected |= {path.relative_to(ROOT / "src").as_posix() for path in (ROOT / "src").rglob("*.py")}
    expected.add("theogony/py.typed")
    web = {path.name for path in (ROOT / "src" / "theogony" / "play" / "web").iterdir()}
    expected |= {f"theogony/play/web/{name}" for name in web}
    assert {"play.html", "play.js", "replay.js", "theogony.css"} <= web
    assert expected <= set(ZipFile(wheel).namelist())


@pytest.mark.slow
def test_wheel_holds_nothing_else(wheel: Path) -> None:
    tops = {name.split("/")[0] for name in ZipFile(wheel).namelist()}
    assert {re.sub(r"-.*\.", ".", top) for top in tops} == {"theogony", "theogony.dist-info"}


@pytest.mark.slow
def test_version_has_one_source(wheel: Path) -> None:
    assert wheel.name.split("-")[1] == theogony.__version__ == version("theogony")


@pytest.mark.slow
def test_links_of_the_readme_are_absolute(wheel: Path) -> None:
    """On the package index it stands alone; every link leads to something in the repository."""
    zipped = ZipFile(wheel)
    metadata = message_from_bytes(zipped.read(next(name for name in zipped.namelist() if name.endswith("/METADATA"))))
    assert metadata["Description-Content-Type"] == "text/markdown"
    targets = re.findall(r"\]\(([^)]*)\)", str(metadata.get_payload()))
    links, pictures = [], []
    for target in targets:
        assert re.match("https?://", target), target
        (pictures if "/raw/HEAD/" in target else links).append(target)
    assert "docs/play.gif" in {target.partition("/raw/HEAD/")[2] for target in pictures}
    for target in (*links, *pictures):
        _, inside, path = re.sub("/(blob|raw)/HEAD/", "\n", target).partition("\n")
        assert not inside or (ROOT / path.partition("#")[0]).is_file(), target


@pytest.mark.slow
def test_agents_come_along(wheel: Path) -> None:
    weights = {f"theogony/{path.relative_to(ROOT).as_posix()}" for path in (ROOT / "training").rglob("*.safetensors")}
    assert weights and weights <= set(ZipFile(wheel).namelist())


@pytest.mark.slow
def test_the_wheel_is_small(wheel: Path) -> None:
    assert wheel.stat().st_size < 20_000_000
    largest = max(ZipFile(wheel).infolist(), key=lambda file: file.compress_size)
    packer = zlib.compressobj(9, zlib.DEFLATED, -15)
    assert largest.compress_size <= len(packer.compress(ZipFile(wheel).read(largest)) + packer.flush())


def test_the_parts_are_links() -> None:
    """An editable installation is one plain path, which type checkers follow."""
    for part in PARTS:
        link = ROOT / "src" / "theogony" / part
        assert link.is_symlink() and link.readlink() == Path("..", "..", part)


def test_a_clone_beside_a_script_hides_nothing(tmp_path: Path) -> None:
    """A folder called theogony, as a clone is, is no package; the installed one is found behind it."""
    (tmp_path / "theogony" / "envs").mkdir(parents=True)
    (tmp_path / "script.py").write_text("import theogony; print(theogony.__version__)")
    done = subprocess.run([sys.executable, "script.py"], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.stdout.strip() == theogony.__version__, done.stderr
