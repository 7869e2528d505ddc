"""Rules as they once were, with a fault that play at random never met: does the seeker find it?

A game is copied, its mended lines are put back as they were, and the copy is imported as a package of its own.
"""

from __future__ import annotations

import importlib
import shutil
import sys
from pathlib import Path
from typing import Any, NamedTuple

from theogony.envs.core.game import GameSpec

ROOT = Path(__file__).resolve().parents[2]


class Fault(NamedTuple):
    """A fault that was mended: the file of the game, and what stood there instead of what stands there now."""

    game: str
    file: str
    lines: tuple[tuple[str, str], ...]  # now, once
    said: str  # what the seeker must say


FAULTS = {
    "a river town without a tile": Fault(
        "terra_mystica",
        "rules/towns.py",
        (
            (
                "    if tile_left(g):\n        mark(mask, CONNECT, g.river_sites, ZERO)\n",
                "    mark(mask, CONNECT, g.river_sites, ZERO)\n",
            ),
            ("    g.river_sites = ZERO\n", "    g.river_sites = ZERO\n    if not tile_left(g):\n        return\n"),
        ),
        "no action is legal, and the game is not over",
    ),
}


def with_fault(fault: Fault, folder: Path) -> GameSpec:
    """The game with the fault. Raises AssertionError when the lines that were mended are no longer there."""
    name = f"once_{fault.game}"
    package = Path(shutil.copytree(ROOT / "envs" / fault.game, folder / name))
    for path in package.rglob("*.py"):
        path.write_text(path.read_text("utf-8").replace(f"theogony.envs.{fault.game}", name), "utf-8")
    path = package / fault.file
    text = path.read_text("utf-8")
    for now, once in fault.lines:
        if text.count(now) != 1:
            raise AssertionError(f"{fault.game}: {fault.file}: {now.strip()!r} is not there once: the soak must follow")
        text = text.replace(now, once)
    path.write_text(text, "utf-8")
    sys.path.insert(0, str(folder))
    module: Any = importlib.import_module(f"{name}.game")
    return module.SPEC
