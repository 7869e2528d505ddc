"""The games by name: those of this project, and a user's own."""

from __future__ import annotations

import importlib
from types import ModuleType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from theogony.envs.core.game import GameSpec

GAMES = {  # name -> module with its `SPEC`
    "god_of_war": "theogony.envs.god_of_war.game",
    "innovation": "theogony.envs.innovation.game",
    "orbis": "theogony.envs.orbis.game",
    "push_of_faith": "theogony.envs.push_of_faith.game",
    "terra_mystica": "theogony.envs.terra_mystica.game",
}


class UnknownGame(ValueError):
    """There is no game of that name, or its module holds none."""


def register(name: str, module: str) -> None:
    """Give a game of your own a name: `register("my_game", "my_package.game")`. Raises ValueError for a taken name."""
    if not name.isidentifier():
        raise ValueError(f"a game cannot be called {name!r}: letters, digits and _ were expected")
    if GAMES.get(name, module) != module:
        raise ValueError(f"the name {name!r} is taken by {GAMES[name]}")
    GAMES[name] = module


def load(name: str) -> GameSpec:
    """The spec of a game: a name in `GAMES`, or a module of your own as "package.module" or "package.module:SPEC".

    Raises UnknownGame, which lists the known names.
    """
    path, _, attribute = GAMES.get(name, name).partition(":")
    if name not in GAMES and "." not in path and ":" not in name:
        raise UnknownGame(f"there is no game {name!r}; known games: {', '.join(GAMES)}")
    from theogony.envs.core.game import GameSpec

    spec = getattr(_module(name, path), attribute or "SPEC", None)
    if not isinstance(spec, GameSpec):
        raise UnknownGame(f"{name!r} is no game: module {path} has no GameSpec {attribute or 'SPEC'}")
    return spec


def load_registered(name: str) -> GameSpec:
    """The spec of a name in `GAMES` and of no other, for names that a stranger gives. Raises UnknownGame."""
    if name not in GAMES:
        raise UnknownGame(f"there is no game {name!r}; known games: {', '.join(GAMES)}")
    return load(name)


def _module(name: str, path: str) -> ModuleType:
    """The module of a game. Raises UnknownGame, with the line of the user's own code that fails."""
    try:
        return importlib.import_module(path)
    except Exception as error:
        from theogony.envs.core.faults import has_own_place, place_of

        if has_own_place(error):
            raise UnknownGame(f"{name!r} cannot be imported: {place_of(error)}") from error
        known = ", ".join(GAMES)
        raise UnknownGame(f"{name!r} is no game: {path} cannot be imported: {error}; known games: {known}") from error
