"""Names of players: one grammar for `opponents=`, training files, `theogony evaluate`, `imitate` and tournaments.

What a name begins with is its kind, and each kind has a maker. Core knows `random` and `greedy`
(`theogony.envs.core.players`); the package adds those of `theogony.training`: `reference`, `greedy@reference`, `mcts`,
`plan` and runs. This file imports nothing that is slow, so that naming a player costs nothing before one is made.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from theogony.envs.core.players import Player

Maker = Callable[[str, Any, bool], "Player"]  # name, game, draws: see `make_player`
OWN_NAME = re.compile(r"\w+(\.\w+)*:[A-Za-z_]\w*")  # "package.module:Class"
FILES = (".onnx", ".pt", ".zip")  # how names of files end that are players
OWN, RUN = "own", "run"  # the kinds of names of modules, and of all that are no other kind: folders of runs

_makers: dict[str, Maker] = {}
_examples: dict[str, str] = {}


class PlayerError(ValueError):
    """There is no player of that name, or it cannot play here: says what was expected."""


def register_player(kind: str, maker: Maker, example: str) -> None:
    """Let `maker(name, game, draws)` make the players whose names begin with `kind`, such as `example`."""
    _makers[kind], _examples[kind] = maker, example


def kind_of(name: str) -> str:
    """What a player's name begins with, and its `@` where that makes another kind ("greedy@"); `OWN` for a module of
    one's own, `RUN` for all else."""
    settings, at, _ = name.partition("@")
    kind = settings.partition(":")[0]
    if at and kind + at in _makers:
        return kind + at
    if kind in _makers and kind not in (OWN, RUN):
        return kind
    return OWN if OWN_NAME.fullmatch(name) else RUN


def maker_of(name: str) -> Maker:
    """What makes the player of a name. Raises PlayerError when there is none."""
    kind = kind_of(name)
    if kind not in _makers:
        raise no_player(name)
    return _makers[kind]


def no_player(name: str) -> PlayerError:
    """The error for a name that nobody has; one that looks like a file's is said not to be there."""
    of_a_file = "/" in name or name.endswith(FILES)
    missing = ": there is no such file or folder" if of_a_file else ""
    return PlayerError(f"there is no player {name!r}{missing}; expected {', '.join(sorted(_examples.values()))}")
