"""Players of a page without torch: what is trained is read from arrays that were written when the page was built.

They are known by the names that they have everywhere: `reference`, `mcts:64@reference`, `gumbel:400` ...
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

from theogony.envs.core.game import Game
from theogony.envs.core.players import Player
from theogony.envs.core.thinking.player_names import PlayerError, register_player
from theogony.training.players.search.names import KINDS, parse_search
from theogony.training.players.search_player import SearchPlayer
from theogony.training.players.thinking import by_value, thinking_of
from theogony.web.policies import PlainPolicy, read_policy

REFERENCE = "reference"
VALUE, POLICY = "npy", "npz"  # how the file of a learnt value ends, and that of a policy


def learnt_file(game: Game, kind: str) -> str:
    """The name of the file with what the reference player of a game has learnt: a `VALUE` or a `POLICY`."""
    return f"{game.spec.name}-{game.players}p.{kind}"


def use(folder: Path) -> None:
    """Make trained players from the arrays of a folder from now on."""

    def learnt(name: str, game: Game) -> np.ndarray | PlainPolicy:
        value, policy = (folder / learnt_file(game, kind) for kind in (VALUE, POLICY))
        if name != REFERENCE:
            raise PlayerError(f'player {name!r}: expected "{REFERENCE}"')
        if value.is_file():
            return np.load(value, allow_pickle=False).astype(np.float32)
        if policy.is_file():
            return read_policy(policy, name, game)
        raise PlayerError(f"this page has no trained player for {game!r} with {game.players} seats")

    def reference(name: str, game: Game, draws: bool) -> Player:
        found = learnt(name, game)
        return found if isinstance(found, PlainPolicy) else by_value(name, thinking_of(game), game, found)

    def guided(name: str, game: Game, draws: bool) -> Player:
        guide = name.partition("@")[2]
        if not guide:
            return SearchPlayer(name, game, parse_search(name)[0])
        found = learnt(guide, game)
        if isinstance(found, PlainPolicy):
            return SearchPlayer(name, game, parse_search(name)[0], found)
        return by_value(name, name, game, found)

    register_player(REFERENCE, reference, '"reference"')
    for kind in KINDS:
        register_player(kind, guided, f'"{kind}:400"')
