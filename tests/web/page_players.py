"""What the players of a page decide, as JSON: natively and in a page's own Python it must be the same.

python page_players.py GAME natively; in a page's Python `decided(GAME)` is called.
"""

from __future__ import annotations

import json
import sys
from typing import Any

import numpy as np

from theogony.envs.core.players import KernelPlay, Views, make_player
from theogony.envs.core.position import Position
from theogony.envs.core.registry import load

ALIKE = ("reference", "greedy@reference", "mcts:64@reference", "mcts:40x2@reference", "mcts:100", "gumbel:32:greedy")
BY_VALUE = ("plan:8@reference", "plan:4x2@reference")  # where a policy does not judge plans
STEPS = (0, 9, 20)  # decisions that are played before each pair of questions


def decided(name: str) -> dict[str, Any]:
    """By player: what it chooses at some decisions, and what its search says of all actions."""
    game = load(name).configure({})
    names = ALIKE if name == "god_of_war" else ALIKE + BY_VALUE
    return {who: _decisions(game, make_player(who, game)) for who in names}


def _decisions(game: Any, player: Any) -> list[Any]:
    position, play = Position(game, 11), KernelPlay(game)
    stream, rng, found = np.array([5], np.uint64), np.random.default_rng(4), []
    for steps in STEPS:
        for _ in range(steps):
            if not position.over:
                position.play(play.choose(position, 0.3, stream))
        while not position.over and position.mask.sum() < 2:
            position.play(int(position.legal_actions()[0]))
        for _ in range(2):
            if not position.over:
                action = int(player.act(Views.at(position), rng)[0])
                search = getattr(player, "search", None)
                found.append([action, repr(search.ranked()) if search and position.mask.sum() > 1 else ""])
                position.play(action)
    return [*found, position.hash()]


if __name__ == "__main__":
    print(json.dumps(decided(sys.argv[1])))
