"""Players of a page without torch: what is trained is read from arrays that were written when the page was built.

They are known by the names that they have everywhere: `reference`, `mcts:64@reference`, `gumbel:400` ...
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

from theogony.envs.core.game import Game
from theogony.envs.core.players import GreedyPlayer, Player
from theogony.envs.core.thinking.player_names import PlayerError, register_player
from theogony.training.players.search.names import KINDS, parse_search
from theogony.training.players.search_player import SearchPlayer, with_value

REFERENCE = "reference"


def weights_file(game: Game) -> str:
    """The name of the file with the learnt value of the reference player of a game."""
    return f"{game.spec.name}-{game.players}p.npy"


def use(folder: Path) -> None:
    """Make trained players from the arrays of a folder from now on."""

    def reference(name: str, game: Game, draws: bool) -> GreedyPlayer:
        path = folder / weights_file(game)
        if name != REFERENCE:
            raise PlayerError(f'player {name!r}: expected "{REFERENCE}"')
        if not path.is_file():
            raise PlayerError(f"this page has no trained player for {game!r} with {game.players} seats")
        return GreedyPlayer(game, net=np.load(path, allow_pickle=False).astype(np.float32), name=name)

    def search(name: str, game: Game, draws: bool) -> Player:
        options, guide = parse_search(name)
        if guide is None:
            return SearchPlayer(name, game, options)
        net = reference(guide, game, draws).net
        return SearchPlayer(name, game, with_value(options, game, net), net=net)

    register_player(REFERENCE, reference, '"reference"')
    for kind in KINDS:
        register_player(kind, search, f'"{kind}:400"')
