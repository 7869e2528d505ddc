"""The players that training makes: networks, and those that search. Names are those of `core.player_names`.

The package's root registers `reference`, `search` and `run` below under their kinds; `import theogony` does not import
this file, and a search without a run needs no torch.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from theogony.envs.core.game import Game
from theogony.envs.core.player_names import RUN, PlayerError, kind_of, no_player
from theogony.envs.core.players import Player
from theogony.training.players.search_player import KINDS, SearchPlayer, parse_search

if TYPE_CHECKING:
    from theogony.training.players.network import NetworkPlayer


def reference(name: str, game: Game, draws: bool) -> Player:
    """The trained agent that comes with a game. Raises CheckpointError when there is none for these options."""
    if name != "reference":
        raise PlayerError(f'player {name!r}: expected "reference"')
    from theogony.training.players.network import NetworkPlayer
    from theogony.training.players.reference import reference_network

    return NetworkPlayer(name, reference_network(game), draws)


def search(name: str, game: Game, draws: bool) -> Player:
    """A searching player, with or without the guidance of a run."""
    options, guide = parse_search(name)
    return SearchPlayer(name, game, options, None if guide is None else load_player(guide, game))


def run(name: str, game: Game, draws: bool) -> Player:
    """The agent of a run or of a checkpoint, or one that was made elsewhere: a file."""
    if Path(name).is_file():
        from theogony.training.players.elsewhere import from_file

        return from_file(name, game)
    return load_player(name, game, draws)


def load_player(path: str | Path, game: Game, draws: bool = False) -> NetworkPlayer:
    """The agent of a checkpoint, or of the last one of a run. Raises CheckpointError when it is of another game."""
    if not Path(path).exists():
        raise no_player(str(path))
    from theogony.training.players.network import NetworkPlayer
    from theogony.training.storage.checkpoint import checkpoint_path, read_policy

    return NetworkPlayer(str(path), read_policy(checkpoint_path(Path(path)), game), draws)


def run_of(name: str) -> str | None:
    """The path of the run in a player's name, where there is one: "runs/x", "mcts:400@runs/x"."""
    kind = kind_of(name)
    if kind in KINDS:
        return parse_search(name)[1]
    return name if kind == RUN else None
