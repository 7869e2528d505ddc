"""How long a player thinks."""

from __future__ import annotations

import time

import numpy as np

from theogony.envs.core.game import Game
from theogony.envs.core.players import Views, make_player
from theogony.envs.core.position import Position

DECISIONS = 60  # of games from their beginning


def milliseconds(game: Game, name: str) -> float:
    """Of a processor, the mean of a player's first decisions that leave a choice, after one that compiles.

    All seats are the player's. Where a game is over sooner, another one follows.
    """
    player, rng, seconds = make_player(name, game), np.random.default_rng(1), []
    position, seed = Position(game, seed=1), 1
    player.act(Views.at(position), rng)
    while len(seconds) < DECISIONS:
        if position.over:
            seed += 1
            position = Position(game, seed=seed)
        started = time.process_time()
        action = int(player.act(Views.at(position), rng)[0])
        if len(position.legal_actions()) > 1:
            seconds.append(time.process_time() - started)
        position.play(action)
    return 1000 * float(np.mean(seconds))
