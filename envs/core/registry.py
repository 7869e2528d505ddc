"""The games by name: those of this project, and a user's own."""

from __future__ import annotations

import importlib
from pathlib import Path
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

    Raises UnknownGame, which lists the known names, and says how a module in the working directory is named.
    """
    if not isinstance(name, str):
        raise UnknownGame(f"the name of a game is a text, not {name!r:.60}; known games: {', '.join(GAMES)}")
    path, _, attribute = GAMES.get(name, name).partition(":")
    if name not in GAMES and not _names_a_module(name):
        known = f"known games: {', '.join(GAMES)}; {_how_to_name_ones_own(name)}"
        raise UnknownGame(f"there is no game {name!r:.60}{_meant(name)}; {known}")
    from theogony.envs.core.game import GameSpec

    module = _module(name, path)
    spec = getattr(module, attribute or "SPEC", None)
    if not isinstance(spec, GameSpec):
        others = [f"{path}:{key}" for key, value in vars(module).items() if isinstance(value, GameSpec)]
        hint = f"; it has {', '.join(others)}" if others else "; expected SPEC = assemble(__name__, ...) in it"
        raise UnknownGame(f"{name!r} is no game: module {path} has no GameSpec {attribute or 'SPEC'}{hint}")
    return spec


def load_registered(name: str) -> GameSpec:
    """The spec of a name in `GAMES` and of no other, for names that a stranger gives. Raises UnknownGame."""
    if name not in GAMES:
        raise UnknownGame(f"there is no game {name!r:.60}; known games: {', '.join(GAMES)}")
    return load(name)


def _module(name: str, path: str) -> ModuleType:
    """The module of a game. Raises UnknownGame, with the line of the user's own code that fails."""
    try:
        return importlib.import_module(path)
    except Exception as error:
        from theogony.envs.core.contract import has_own_place, place_of

        if has_own_place(error):
            raise UnknownGame(f"{name!r} cannot be imported: {place_of(error)}") from error
        hint = f"known games: {', '.join(GAMES)}; {_how_to_name_ones_own(name)}"
        raise UnknownGame(f"{name!r} is no game: {path} cannot be imported: {error}; {hint}") from error


def _names_a_module(name: str) -> bool:
    """Whether a name has the form "package.module" or "module:SPEC"."""
    path, _, attribute = name.partition(":")
    parts = [*path.split("."), attribute or "SPEC"]
    return ("." in path or ":" in name) and all(part.isidentifier() for part in parts)


def _meant(name: str) -> str:
    """The game that is probably meant: `orbi`, `Push of Faith`, `theogony/Orbis-v0`."""
    from theogony.envs.core.contract import did_you_mean

    near = did_you_mean(name.casefold().removeprefix("theogony/"), GAMES).removeprefix("; ")
    return f" ({near})" if near else ""


def _how_to_name_ones_own(name: str) -> str:
    """How a game of one's own is named: the one in the working directory that may be meant, else the form of names."""
    path = name.removeprefix(f"{Path.cwd()}/").removeprefix("./").partition(":")[0].rstrip("/").removesuffix(".py")
    words = path.replace("/", ".").split(".")
    for parts in (words, words[:-1]):  # the last word may be SPEC
        if parts and all(part.isidentifier() for part in parts):
            module = ".".join(parts)
            file, folder = Path(*parts).with_suffix(".py"), Path(*parts, "game.py")
            for there, called in ((file, module if len(parts) > 1 else f"{module}:SPEC"), (folder, f"{module}.game")):
                if there.is_file() and called != name:
                    return f"the game in {there} is named {called}"
    return "a game of your own is named by its module, package.game or module:SPEC"
