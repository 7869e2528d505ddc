"""SHA-256 of what a player plays by."""

from __future__ import annotations

import hashlib
import importlib.util
from pathlib import Path

from theogony.envs.core.game import Game
from theogony.envs.core.thinking.player_names import OWN, REFERENCES, PlayerError, PlayerName, parse_player
from theogony.envs.core.untrusted.outside import read_bytes

LARGEST = 1 << 32  # bytes of an agent's file


def digest_of(player: str | PlayerName, game: Game) -> str | None:
    """SHA-256 of what a player plays by: weights, a file, the source of a module; None for players without any.

    Raises PlayerError or CheckpointError where it is missing.
    """
    name = parse_player(player)
    if name.kind == OWN:
        return _of_module(name.text)
    if name.run is not None:
        return _of_path(Path(name.run))
    reference = name.kind if name.kind in REFERENCES else name.guide
    if not reference:
        return None
    from theogony.training.players.reference import reference_folder

    return _of_path(reference_folder(game, reference))


def _of_path(path: Path) -> str:
    if path.is_file():
        return hashlib.sha256(read_bytes(path, str(path), PlayerError, LARGEST)).hexdigest()
    if not path.exists():
        raise PlayerError(f"there is no player {str(path)!r}: no such file or folder")
    from theogony.training.storage.checkpoint import POLICY, checkpoint_path

    weights = checkpoint_path(path) / POLICY
    return hashlib.sha256(read_bytes(weights, str(weights), PlayerError, LARGEST)).hexdigest()


def _of_module(player: str) -> str | None:
    found = importlib.util.find_spec(player.partition(":")[0])
    if found is None or found.origin is None or not Path(found.origin).is_file():
        return None
    return _of_path(Path(found.origin))
