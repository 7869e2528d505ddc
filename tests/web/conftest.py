"""Modules that are built once for all tests of this folder."""

from __future__ import annotations

import importlib.util
import os
import subprocess
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from theogony.envs.core.jit import SPARING
from theogony.web.link import LinkError, linker
from theogony.web.modules import configured, run

GAMES = Path(__file__).with_name("wasm_games.py")
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


def pytest_collection_modifyitems(items: list[Any]) -> None:
    """One worker builds for all tests that need modules."""
    for item in items:
        if item.path.parent == GAMES.parent and {"modules", "play"} & set(item.fixturenames):
            item.add_marker(pytest.mark.xdist_group("wasm"))


@pytest.fixture(scope="session")
def modules(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a module of Push of Faith for two."""
    if reason := not_here():
        pytest.skip(reason)
    folder = tmp_path_factory.mktemp("wasm")
    run([partial(configured, "push_of_faith", [{}])], folder, 1)
    return folder


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
