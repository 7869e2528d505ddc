"""Recordings of other programs, for the tests of their readers."""

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from theogony.envs.core.game import GameSpec
from theogony.envs.core.verify import verify


def outcome(spec: GameSpec, path: Path) -> tuple[tuple[int, int], str]:
    """What `verify` finds in a file: (passed, failed) and everything that was said."""
    said: list[str] = []
    counts = verify(spec, [path], said.append)
    return counts, "\n".join(said)


def write(path: Path, lines: Iterable[Any]) -> Path:
    """Write a recording, a line for each of these. Returns its path."""
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return path
