"""Modules of the user's own, which execute code when they are named: in a file only with consent.

Naming a module on the command line, or in Python, is consent. A training file, and the one inside a run, may come from
a stranger: what it names is only imported with `--allow-modules`, or where THEOGONY_ALLOW_MODULES is 1.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator

from theogony.envs.core.registry import GAMES
from theogony.training.config import Config

VARIABLE = "THEOGONY_ALLOW_MODULES"
OWN = re.compile(r"\w+(\.\w+)*:[A-Za-z_]\w*")  # a player: "package.module:Class"
BUILT_IN = ("random", "greedy", "mcts", "flat")  # what stands before the colon of other players
CONSENT = "say --allow-modules if you trust it"


def allow() -> None:
    """Let files name modules, in this process and in those that it starts."""
    os.environ[VARIABLE] = "1"


def allowed() -> bool:
    """Whether files may name modules."""
    return os.environ.get(VARIABLE) == "1"


def is_own(player: str) -> bool:
    """Whether a player's name is that of a module."""
    return OWN.fullmatch(player) is not None and player.partition(":")[0] not in BUILT_IN


def named_in(config: Config) -> Iterator[tuple[str, str]]:
    """(key, what it leads to) of everything in a training file that executes code which is not this project's."""
    if config.game not in GAMES and ("." in config.game or ":" in config.game):
        yield "game", f"{config.game!r} is a module, which executes code"
    players = [(f"opponents.{i}.player", opponent.player) for i, opponent in enumerate(config.opponents)]
    players += [(f"evaluation.against.{i}", name) for i, name in enumerate(config.evaluation.against)]
    if config.league is not None:
        players += [(f"league.anchors.{i}", name) for i, name in enumerate(config.league.anchors)]
    for key, name in players:
        if is_own(name):
            yield key, f"{name!r} is a module, which executes code"
    if config.rllib.address is not None:
        yield "rllib.address", f"the cluster at {config.rllib.address!r} can execute code here"
