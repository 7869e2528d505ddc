"""Players in a page's own Python, run by Node: they decide as they do natively."""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from theogony.envs.core.registry import GAMES

pytestmark = [
    pytest.mark.slow,
    pytest.mark.xdist_group("wasm"),
    pytest.mark.skipif(shutil.which("node") is None, reason="Node is not installed"),
]
HERE = Path(__file__).parent
PLAYERS = HERE / "page_players.py"


def in_page(site: Path, game: str, file: Path, expression: str) -> tuple[Any, str]:
    """What an expression of a file comes to in the Python of a page, and what was said."""
    command = ["node", str(HERE / "page_python.mjs"), str(site), game, str(file), expression]
    done = subprocess.run(command, capture_output=True, text=True, timeout=900, check=False)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout), done.stderr


@pytest.mark.parametrize("game", sorted(GAMES))
def test_players_of_a_page_decide_as_natively(
    game: str, site: Path, play: Callable[..., subprocess.CompletedProcess[str]]
) -> None:
    """The same actions, and of searches and plans what they expect of each, to the last bit."""
    pytest.importorskip("torch")
    native = play(None, str(PLAYERS), game)
    assert native.returncode == 0, native.stderr
    found, said = in_page(site, game, PLAYERS, f"decided('{game}')")
    assert found == json.loads(native.stdout)
    assert "interpreted" not in said
