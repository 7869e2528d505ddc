"""The games, one folder each, and `core`, which they stand on.

`load` finds a game by its name; `from theogony.envs import push_of_faith_v0` is the PettingZoo module of a game.
"""

from __future__ import annotations

import importlib
from types import ModuleType

from theogony.envs.core.registry import GAMES, UnknownGame, load, register

__all__ = ["GAMES", "UnknownGame", "load", "register"]


def __getattr__(name: str) -> ModuleType:
    """`<game>_v<n>`: the PettingZoo module of a game, imported when it is first asked for."""
    game, _, version = name.rpartition("_v")
    if game in GAMES and version.isdigit():
        package = GAMES[game].rpartition(".")[0]
        try:
            return importlib.import_module(f"{package}.{name}")
        except ModuleNotFoundError as error:
            if error.name != f"{package}.{name}":
                raise
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
