"""Names of players: one grammar for `opponents=`, training files, `theogony evaluate`, `imitate` and tournaments.

What a name begins with is its kind, and each kind has a maker. Core knows `random` and `greedy`
(`theogony.envs.core.players`); the package adds those of `theogony.training`: `reference`, `greedy@reference`, `mcts`,
`plan` and runs. This file imports nothing that is slow, so that naming a player costs nothing before one is made.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from theogony.envs.core.game import Game
    from theogony.envs.core.players import Player

OWN_NAME = re.compile(r"\w+(\.\w+)*:[A-Za-z_]\w*")  # "package.module:Class"
FILES = (".onnx", ".pt", ".zip")  # how names of files end that are players
OWN, RUN = "own", "run"  # the kinds of names of modules, and of all that are no other kind: folders of runs
REFERENCES = ("reference", "reference-policy")  # the agents that come with a game


@dataclass(frozen=True)
class PlayerName:
    """A player's name, taken apart: whoever looks at a name before a player is made, and whoever makes it, has these.

    `kind` is what it begins with, and its `@` where that makes another kind ("greedy@"); `OWN` for a module of one's
    own, `RUN` for all else. `settings` stand before the first `@`, and behind it is the `guide`: the name of a
    reference player, or a path, whatever it looks like; None without an `@`. A name of kind `OWN` or `RUN` is all
    settings.
    """

    text: str
    kind: str
    settings: str
    guide: str | None = None

    def __str__(self) -> str:
        return self.text

    @property
    def run(self) -> str | None:
        """The path of the run or file that it plays by; None where it has none, or plays by a reference player."""
        return self.text if self.kind == RUN else self.guide if self.guide not in (None, "", *REFERENCES) else None

    @property
    def of_package(self) -> bool:
        """Whether it is made of what comes with the package alone: it names no module and no path."""
        return self.kind != OWN and self.run is None

    def by(self, run: str | Path) -> PlayerName:
        """One that thinks alike and plays by another run or reference player."""
        if self.kind == RUN:
            return run_name(run)
        return PlayerName(f"{self.settings}@{run}", self.kind, self.settings, str(run))


Maker = Callable[[PlayerName, Any, bool], "Player"]  # name, game, draws: see `make_player`
_makers: dict[str, Maker] = {}
_examples: dict[str, str] = {}


class PlayerError(ValueError):
    """There is no player of that name, or it cannot play here: says what was expected."""


def register_player(kind: str, maker: Maker, example: str) -> None:
    """Let `maker(name, game, draws)` make the players whose names begin with `kind`, such as `example`."""
    _makers[kind], _examples[kind] = maker, example


def parse_player(name: str | PlayerName) -> PlayerName:
    """A player's name, taken apart; one that was before is taken as it is."""
    if isinstance(name, PlayerName):
        return name
    settings, at, guide = name.partition("@")
    kind = settings.partition(":")[0]
    if at and kind + at in _makers:
        return PlayerName(name, kind + at, settings, guide)
    if kind in _makers and kind not in (OWN, RUN):
        return PlayerName(name, kind, settings, guide if at else None)
    return PlayerName(name, OWN if OWN_NAME.fullmatch(name) else RUN, name)


def run_name(path: str | Path) -> PlayerName:
    """The name of the player of a run or a file, whatever its path looks like."""
    return PlayerName(str(path), RUN, str(path))


def maker_of(name: PlayerName) -> Maker:
    """What makes the player of a name. Raises PlayerError when there is none."""
    if name.kind not in _makers:
        raise no_player(name.text)
    return _makers[name.kind]


def no_player(name: str) -> PlayerError:
    """The error for a name that nobody has; one that looks like a file's is said not to be there."""
    of_a_file = "/" in name or name.endswith(FILES)
    missing = ": there is no such file or folder" if of_a_file else ""
    return PlayerError(f"there is no player {name!r}{missing}; expected {', '.join(sorted(_examples.values()))}")


def check_made_for(player: Any, game: Game) -> None:
    """Raise PlayerError when a player was made for another game, or for another table of it: what it holds, weights or
    room to think in, fits no other.

    Players of this project have the game as `made_for`. One without it, such as a function of the user's, may play
    anything. Other components, or several packs, make no difference as long as the layouts are the same.
    """
    made_for: Game | None = getattr(player, "made_for", None)
    if made_for is None or made_for is game:
        return
    same_table = made_for.spec is game.spec and made_for.players == game.players
    if not same_table or made_for.layout() != game.layout():
        raise PlayerError(f"player {player.name!r:.60} was made for {made_for!r}, and cannot play {game!r}")
