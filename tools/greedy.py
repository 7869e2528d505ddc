"""How strong greedy play is: `python tools/greedy.py GAME [GAMES] [KEY=VALUE ...]`, for every number of players.

One greedy player against players at random, its seat rotated, and greedy players among themselves (a quarter as many
games): mean printed scores, the share of games won (a shared win counts as its share), and decisions of a game. In a
cooperative game all seats play greedily.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable

import numpy as np

from theogony.envs import load
from theogony.envs.core.game import Game
from theogony.envs.core.players import KernelPlay
from theogony.envs.core.position import Position

FORMS = {"random": ".1f", "greedy": ".1f", "won": ".1%", "among": ".1f", "score": ".2f", "decisions": ".0f"}


def played(game: Game, seats: Iterable[set[int]], dice: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Play games with greedy players in these seats: scores and rewards float64 (games, seats), decisions (games,)."""
    player, position = KernelPlay(game), Position(game, 0)
    found = []
    for seed, greedy in enumerate(seats):
        position.reset(seed)
        while not position.over:
            position.play(player.choose(position, float(position.actor in greedy), dice))
        found.append((position.scores(), position.rewards("outcome"), int(position.g.ply)))
    scores, rewards, lengths = (np.array(of, float) for of in zip(*found, strict=True))
    return scores, rewards, lengths


def figures(game: Game, games: int) -> dict[str, float]:
    """Return the figures of one number of players."""
    n, everybody, dice = game.players, set(range(game.players)), np.array([5], np.uint64)
    if game.spec.cooperative:
        scores, rewards, lengths = played(game, [everybody] * games, dice)
        return {"won": (rewards[:, 0] > 0).mean(), "score": scores[:, 0].mean(), "decisions": lengths.mean()}
    scores, rewards, lengths = played(game, [{seed % n} for seed in range(games)], dice)
    mine = np.arange(n) == np.arange(games)[:, None] % n
    among, *_ = played(game, [everybody] * (games // 4), dice)
    won = ((rewards[mine] * (n - 1) + 1) / n).mean()
    strength = {"random": scores[~mine].mean(), "greedy": scores[mine].mean(), "won": won, "among": among.mean()}
    return {**strength, "decisions": lengths.mean()}


def main() -> None:
    """Print a table."""
    spec, games = load(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 400
    options = dict(argument.split("=", 1) for argument in sys.argv[3:])
    for players in spec.players:
        found = figures(spec.configure({"players": players, **options}), games)
        if players == spec.players[0]:
            print(f"{'players':>7}" + "".join(f"{name:>11}" for name in found))
        print(f"{players:>7}" + "".join(f"{one:>11{FORMS[name]}}" for name, one in found.items()), flush=True)


if __name__ == "__main__":
    main()
