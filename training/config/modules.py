"""Modules of the user's own, which execute code when they are named: in a file only with consent.

Naming a module on the command line, or in Python, is consent. A training file, and the one inside a run, may come from
a stranger: what it names is only imported with `--allow-modules`, or where THEOGONY_ALLOW_MODULES is 1.
"""

from __future__ import annotations

import os
import shlex
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from theogony.envs.core.registry import GAMES, UnknownGame, load, load_registered
from theogony.envs.core.thinking.player_names import OWN, parse_player
from theogony.envs.core.untrusted.outside_yaml import read_yaml
from theogony.training.config.engines import Config
from theogony.training.config.sections import Names, Section

if TYPE_CHECKING:
    from theogony.envs.core.game import GameSpec

VARIABLE = "THEOGONY_ALLOW_MODULES"
DEPTH = 3  # folders above a file of a run, `checkpoints/000000000480/header.json` being the deepest


def how_to_consent() -> str:
    """What to type where something was refused: on the command line, the same command with the flag."""
    path = Path(sys.argv[0])
    if path.name in ("theogony", "theogony.exe"):
        return f"if you trust it, type: {shlex.join(['theogony', *sys.argv[1:], '--allow-modules'])}"
    if path.parts[-2:] == ("theogony", "__main__.py"):  # other programs are run by `python -m` too
        return f"if you trust it, type: {shlex.join(['python', '-m', 'theogony', *sys.argv[1:], '--allow-modules'])}"
    return f"say --allow-modules if you trust it, or set {VARIABLE}=1"


def allow() -> None:
    """Let files name modules, in this process and in those that it starts."""
    os.environ[VARIABLE] = "1"


def allowed() -> bool:
    """Whether files may name modules."""
    return os.environ.get(VARIABLE) == "1"


def is_module(game: str) -> bool:
    """Whether a game's name is that of a module."""
    return game not in GAMES and ("." in game or ":" in game)


def find_game(name: str, path: Path) -> GameSpec:
    """The game of a file of a run: a registered one, or that which the run's own `config.yaml` names by module.

    Raises UnknownGame where there is none, or where files may not name modules.
    """
    if name in GAMES:
        return load_registered(name)
    for folder in list(path.absolute().parents)[:DEPTH]:
        config = folder / "config.yaml"
        if config.is_file():
            content = read_yaml(config, str(config), UnknownGame)[0]
            module = content.get("game") if isinstance(content, dict) else None
            if isinstance(module, str) and is_module(module):
                if allowed():
                    return load(module)
                what = f"{module!r} is a module, which executes code"
                raise UnknownGame(f"{config}: game: {what}; {how_to_consent()}")
    return load_registered(name)


def named_in(config: Config) -> Iterator[tuple[str, str]]:
    """(key, what it leads to) of everything in a training file that executes code which is not this project's."""
    if is_module(config.game):
        yield "game", f"{config.game!r} is a module, which executes code"
    for key, kind, value in _marked(config):
        if kind is Names.PLAYER and parse_player(value).kind == OWN:
            yield key, f"{value!r} is a module, which executes code"
        elif kind is Names.CLUSTER:
            yield key, f"the cluster at {value!r} can execute code here"


def _marked(section: Section, prefix: str = "") -> Iterator[tuple[str, Names, str]]:
    """(dotted key, what it names, value) of the keys whose type is marked with `Names`, here and in all below."""
    for name, field in type(section).model_fields.items():
        kinds = [one for one in field.metadata if isinstance(one, Names)]
        for key, value in _parts(f"{prefix}{name}", getattr(section, name)):
            if isinstance(value, Section):
                yield from _marked(value, f"{key}.")
            elif kinds and value is not None:
                yield key, kinds[0], value


def _parts(key: str, value: Any) -> Iterator[tuple[str, Any]]:
    """(dotted key, value) of what a list or a mapping holds; of all else itself."""
    if isinstance(value, list | dict):
        pairs = enumerate(value) if isinstance(value, list) else value.items()
        yield from ((f"{key}.{part}", one) for part, one in pairs)
    else:
        yield key, value
