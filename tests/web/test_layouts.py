"""A whole game for every number of players, in the modules that `make wasm` builds, which takes minutes."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from theogony.envs.core.portable.modules import source_digest
from theogony.envs.core.registry import GAMES as REGISTERED
from theogony.envs.core.registry import load
from theogony.precompile import layouts
from theogony.web.modules import name_of

ROOT = Path(__file__).parents[2]
BUILT = ROOT / "build" / "wasm"
GAMES = str(Path(__file__).with_name("wasm_games.py"))
PARTS = ("positions", "record")


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted(REGISTERED))
def test_records_of_every_layout_are_those_of_numba(
    name: str, play: Callable[..., subprocess.CompletedProcess[str]]
) -> None:
    """Byte for byte. Positions, observations and masks of two more games as well."""
    there = {path.stem: json.loads(path.read_text())["source"] for path in BUILT.glob(f"{name}-*.json")}
    current = {module for module, source in there.items() if source == source_digest(name)}
    if not current:
        pytest.skip("`make wasm` has built no modules of these rules")
    games = [load(name).configure(options) for options in layouts(load(name))]
    assert {name_of(game) for game in games} <= current
    assert sorted(game.players for game in games) == sorted(load(name).players)
    for game in games:
        native, portable = (play(where, GAMES, name, str(game.players), *PARTS) for where in (None, BUILT))
        assert native.returncode == 0 and portable.returncode == 0, native.stderr + portable.stderr
        assert json.loads(native.stdout) == json.loads(portable.stdout), game
        assert portable.stderr == "", game  # such as that rules are interpreted
