"""Opponents that are kept for the evaluation: nobody trains against them.

A task names one `held:orbis-2p-3f2a9c1e04d7`, which is a folder in `held_back/`. The name ends with the first twelve
digits of the SHA-256 of its weights, so that a task, by its own digest, stands for the very same opponent. One that
thinks ahead has its search before it, `held:mcts:64@orbis-2p-3f2a9c1e04d7`.

`python -m theogony.benchmark.held_back RUN` makes one of the last checkpoint of a run, in half precision. How each was
trained is in `held_back/README.md`.
"""

from __future__ import annotations

import hashlib
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from theogony.benchmark.tasks import BenchmarkError
from theogony.envs.core.untrusted.files import make_folder, replace_file

if TYPE_CHECKING:
    from theogony.training.storage.header import CheckpointHeader

FOLDER = Path(__file__).with_name("held_back")
PREFIX = "held:"
DIGITS = 12
LARGEST = 500_000  # bytes of weights


def player_of(opponent: str) -> str:
    """The name by which a `held:` opponent is made: its folder, behind a search where it has one.

    Raises BenchmarkError when it is not at hand, or has changed.
    """
    from theogony.training.storage.checkpoint import POLICY

    search, at, name = opponent.removeprefix(PREFIX).rpartition("@")
    weights = FOLDER / name / POLICY
    if Path(name).name != name or not weights.is_file():
        raise BenchmarkError(f"{opponent}: there is no such opponent in {FOLDER}")
    if _digest(weights.read_bytes()) != name.rpartition("-")[2]:
        raise BenchmarkError(f"{opponent}: its weights have changed: {weights} has another SHA-256 than its name says")
    return f"{search}{at}{FOLDER / name}"


def keep(run: Path) -> Path:
    """Make the last checkpoint of a run an opponent. Returns its folder. Raises CheckpointError or BenchmarkError."""
    from theogony.training.players.reference import in_half_precision

    header, weights = in_half_precision(run)
    if len(weights) > LARGEST:
        raise BenchmarkError(f"{run}: has {len(weights):,} bytes of weights; expected at most {LARGEST:,}")
    return put(FOLDER, header, weights)


def put(place: Path, header: CheckpointHeader, weights: bytes) -> Path:
    """Write an agent into a folder of `place` that is named after its game, its table and its weights. Returns it.

    Raises OSError.
    """
    from theogony.training.storage.checkpoint import POLICY
    from theogony.training.storage.header import HEADER

    folder = place / f"{header.game}-{header.options['players']}p-{_digest(weights)}"
    make_folder(folder)
    replace_file(folder / POLICY, weights)
    replace_file(folder / HEADER, header.as_bytes())
    return folder


def _digest(weights: bytes) -> str:
    return hashlib.sha256(weights).hexdigest()[:DIGITS]


if __name__ == "__main__":
    for argument in sys.argv[1:]:
        try:
            print(f"{PREFIX}{keep(Path(argument)).name}")
        except ValueError as error:
            raise SystemExit(f"theogony.benchmark.held_back: {error}") from None
