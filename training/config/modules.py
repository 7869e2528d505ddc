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
from typing import TYPE_CHECKING

from theogony.envs.core.registry import GAMES, UnknownGame, load, load_registered
from theogony.envs.core.thinking.player_names import OWN, kind_of
from theogony.envs.core.untrusted.outside_yaml import read_yaml
from theogony.training.config.schema import Config

if TYPE_CHECKING:
    from theogony.envs.core.game import GameSpec

VARIABLE = "THEOGONY_ALLOW_MODULES"
DEPTH = 3  # folders above a file of a run, `checkpoints/000000000480/header.json` being the deepest


def how_to_consent() -> str:
    """What to type where something was refused: on the command line, the same command with the flag."""
    program = Path(sys.argv[0]).name
    if program in ("theogony", "theogony.exe"):
        return f"if you trust it, type: {shlex.join(['theogony', *sys.argv[1:], '--allow-modules'])}"
    if program == "__main__.py":
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
    players = [(f"opponents.{i}.player", opponent.player) for i, opponent in enumerate(config.opponents)]
    players += [(f"evaluation.against.{i}", name) for i, name in enumerate(config.evaluation.against)]
    if config.league is not None:
        players += [(f"league.anchors.{i}", name) for i, name in enumerate(config.league.anchors)]
    players.append(("distil.teacher", config.distil.teacher))
    for key, name in players:
        if kind_of(name) == OWN:
            yield key, f"{name!r} is a module, which executes code"
    for key, address in (("rllib.address", config.rllib.address), ("ray.address", config.ray.address)):
        if address is not None:
            yield key, f"the cluster at {address!r} can execute code here"
