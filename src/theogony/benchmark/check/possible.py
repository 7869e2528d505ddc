"""Which rewards a game can pay, by how it ended: a results file may claim no others."""

from __future__ import annotations

from theogony.benchmark.play.games import Letter, lost_reward
from theogony.envs.core.game import Game

CLOSE = 2e-6  # rewards are rounded to six digits


def possible(letter: Letter, reward: float, kind: str, game: Game) -> bool:
    """Whether a game with this end can pay this."""
    if kind == "progress" and letter == "L":
        return -CLOSE < reward < 1.0 - CLOSE
    return any(abs(reward - value) < CLOSE for value in rewards_of(letter, kind, game))


def rewards_of(letter: Letter, kind: str, game: Game) -> list[float]:
    """The rewards of a letter, as `core/rewards.py` pays them; of a team that lost by progress, all from 0 to 1.

    A win is the first place alone. A draw is one shared by two or more, or a game that was cut off, which pays
    nothing; a team has none.
    """
    others = game.players - 1
    if letter == "C":
        return [lost_reward(kind, game)]
    if game.spec.cooperative:
        return {"W": [1.0], "D": [], "L": [-1.0, 0.0]}[letter]
    shared = range(2, game.players + 1)
    paid = {
        "outcome": {
            "W": [1.0],
            "D": [0.0, *((game.players / winners - 1.0) / others for winners in shared)],
            "L": [-1.0 / others],
        },
        "rank": {
            "W": [1.0],
            "D": [0.0, *((game.players - winners) / others for winners in shared)],
            "L": [ahead / others for ahead in range(-others, others - 1)],
        },
    }
    return paid[kind][letter]
