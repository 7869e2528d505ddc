"""Modules that are built once for all tests of this folder."""

from __future__ import annotations

import importlib.util
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from theogony.envs.core.jit import SPARING
from theogony.envs.core.portable.modules import source_digest
from theogony.envs.core.registry import GAMES as REGISTERED
from theogony.web import archives, folder
from theogony.web.link import LinkError, linker
from theogony.web.modules import configured, run

GAMES = Path(__file__).with_name("wasm_games.py")
ROOT = Path(__file__).parents[2]
KEPT = ROOT / "build" / "wasm-tests"
SHARED = ROOT.parent / "shared" / "reference" / "webassembly"
Played = Callable[..., subprocess.CompletedProcess[str]]


def not_here() -> str:
    """Why nothing can be built and run here; "" where it can."""
    if SPARING is None:
        return "rules are not compiled"
    if importlib.util.find_spec("wasmtime") is None:
        return "wasmtime is not installed"
    try:
        linker()
    except LinkError as error:
        return str(error)
    return ""


@pytest.hookimpl(tryfirst=True)  # before the groups that all tests have
def pytest_collection_modifyitems(items: list[Any]) -> None:
    """One worker builds for all tests that need modules."""
    for item in items:
        if item.path.parent == GAMES.parent and {"modules", "every_module", "play"} & set(item.fixturenames):
            item.add_marker(pytest.mark.xdist_group("wasm"))


def kept(names: Sequence[str]) -> list[Path]:
    """The files of the modules of games in their usual layouts. They are kept in build/, since building takes minutes;
    what is missing or of other rules is built, all at once, for as many tests as need it."""
    if reason := not_here():
        pytest.skip(reason)

    def there() -> dict[str, Path]:
        found = {path: json.loads(path.read_text()) for path in KEPT.glob("*.json")}
        return {about["game"]: path for path, about in found.items() if about["source"] == source_digest(about["game"])}

    missing = [name for name in reversed(REGISTERED) if name in names and name not in there()]
    if missing:  # what takes longest begins first
        run([partial(configured, name, [{}]) for name in missing], KEPT, os.cpu_count() or 1)
    return [file for name, path in there().items() if name in names for file in (path, path.with_suffix(".wasm"))]


@pytest.fixture(scope="session")
def modules(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a module of Push of Faith for two."""
    wanted = {name for item in request.session.items for name in getattr(item, "fixturenames", ())}
    folder = tmp_path_factory.mktemp("wasm")
    for file in kept(list(REGISTERED) if "every_module" in wanted else ["push_of_faith"]):
        if file.name.startswith("push_of_faith-"):
            shutil.copyfile(file, folder / file.name)
    return folder


@pytest.fixture(scope="session")
def every_module() -> Path:
    """The folder of a module of every game, in its usual layout."""
    kept(list(REGISTERED))
    return KEPT


@pytest.fixture(scope="session")
def play() -> Played:
    """`play(folder, *words)`: a Python with the modules of a folder; with Numba where the folder is None."""

    def call(folder: Path | None, *words: str) -> subprocess.CompletedProcess[str]:
        chosen = {"THEOGONY_BACKEND": "numba"}
        if folder is not None:
            chosen = {"THEOGONY_BACKEND": "wasm", "THEOGONY_WASM": str(folder)}
        command, environment = [sys.executable, *words], {**os.environ, **chosen}
        return subprocess.run(command, env=environment, capture_output=True, text=True, timeout=900, check=False)

    return call


@pytest.fixture(scope="session")
def bundle(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Pyodide, from `$THEOGONY_PYODIDE` or build/pyodide, and NumPy for it, from there or the reference material."""
    core = Path(os.environ.get("THEOGONY_PYODIDE") or ROOT / "build" / "pyodide")
    there = {name: next((p / name for p in (core, SHARED) if (p / name).is_file()), None)
             for name in (*archives.RUNTIME, archives.NUMPY)}  # fmt: skip
    missing = [name for name, path in there.items() if path is None]
    if missing:
        pytest.skip(f"{missing[0]} of Pyodide is not in {core}")
    made = tmp_path_factory.mktemp("pyodide")
    for name, path in there.items():
        shutil.copyfile(str(path), made / name)
    return made


@pytest.fixture(scope="session")
def site(every_module: Path, bundle: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The pages of all games, each for its usual number of players."""
    out = tmp_path_factory.mktemp("site")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("THEOGONY_WASM", str(every_module))
        patch.setattr("theogony.web.modules.layouts", lambda spec: [{}])
        folder.modules_of.cache_clear()
        folder.write(list(REGISTERED), out, bundle, 1, lambda done, of, name: None)
    folder.modules_of.cache_clear()
    return out
