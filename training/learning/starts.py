"""Positions of recorded games that games of `engine: td` begin from: `td.starts`.

Self-play sees only positions that its own way of playing leads to. What good players built there it never learns the
worth of, unless it is put there and plays on.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np

from theogony.envs.core.conformance.explore import recorded_starts
from theogony.envs.core.game import Game
from theogony.envs.core.record import from_bytes
from theogony.envs.core.verify import RecordingError
from theogony.training.config import ConfigError

KEY = "td.starts.files"


class Starts(NamedTuple):
    """What games begin from, as kernels take it."""

    share: float  # of the games; 0: all are dealt
    dealt: int  # the first rows of `tables` are those of games that are dealt
    states: np.ndarray  # records, one for each position
    rows: np.ndarray  # int64: the row of `tables` that each is played with


def dealt_only(variants: Sequence[Game]) -> Starts:
    """All games begin at their beginning."""
    rows = sum(len(game.tables) for game in variants)
    return Starts(0.0, rows, variants[0].new_states(0), np.zeros(0, np.int64))


def read_starts(files: Sequence[str], share: float, variants: Sequence[Game]) -> tuple[Starts, list[Game]]:
    """The positions of these games, or of the games in these folders, and the games that they are played with, whose
    rows of tables follow those of `variants`. Without files all games begin at their beginning.

    Raises ConfigError for files that cannot be read, and for games that show players something else.
    """
    none = dealt_only(variants)
    if not files:
        return none, []
    paths = [path for name in files for path in _in(Path(name))]
    try:
        cases = recorded_starts(variants[0].spec, paths, most=None)
    except (RecordingError, OSError) as error:
        raise ConfigError(f"{KEY}: {error}") from None
    for case in cases:
        if case.game.layout() != variants[0].layout():
            raise ConfigError(
                f"{KEY}: {case.game!r} shows its players something else than {variants[0]!r}; expected that"
            )
    content = b"".join(start.content for case in cases for start in case.starts)
    states = from_bytes(content, variants[0].state)
    rows = np.repeat(none.dealt + np.arange(len(cases)), [len(case.starts) for case in cases])
    return Starts(share, none.dealt, states, rows), [case.game for case in cases]


def _in(path: Path) -> list[Path]:
    """A file, or the files of a folder by name. Raises ConfigError where there is none."""
    found = sorted(inner for inner in path.iterdir() if inner.is_file()) if path.is_dir() else [path]
    if not found or not found[0].exists():
        raise ConfigError(f"{KEY}: {path}: expected a recorded game, or a folder of some")
    return found
