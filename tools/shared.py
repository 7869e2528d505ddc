"""What several of these scripts need: how long a player thinks, and what pages of results are made of."""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import Any

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


def read_figures(path: Path) -> dict[str, Any]:
    """The figures of a file, none without the file."""
    return json.loads(path.read_text("utf-8")) if path.exists() else {}


def named(options: dict[str, Any]) -> str:
    """What stands behind a name for options that are not the defaults."""
    texts = {name: value if isinstance(value, str) else json.dumps(value) for name, value in options.items()}
    return "".join(f", `{name}={text}`" for name, text in texts.items())


def cell(result: dict[str, Any] | None) -> str:
    """A win rate with its interval and the number of games; nothing for what was not played."""
    if result is None:
        return ""
    return f"{result['win_rate']:.1%} ({result['low']:.1%} to {result['high']:.1%}, {result['games']})"
