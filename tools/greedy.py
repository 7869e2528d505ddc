"""How strong greedy play is: `python tools/greedy.py GAME [GAMES] [KEY=VALUE ...]`, for every number of players.

One greedy player against players at random, its seat rotated, and greedy players among themselves (a quarter as many
games): mean printed scores, the share of games won (a shared win counts as its share), and decisions of a game.
"""

from __future__ import annotations

import sys

import numpy as np

from theogony.envs import load
from theogony.envs.core.game import Game, GameSpec
from theogony.envs.core.players import KernelPlay
from theogony.envs.core.position import Position


class GreedyTable:
    """A table at which some seats play greedily and the others at random."""

    def __init__(self, game: Game) -> None:
        self.player = KernelPlay(game)
        self.position, self.dice = Position(game, 0), np.array([5], np.uint64)

    def play(self, seed: int, greedy: set[int]) -> tuple[np.ndarray, np.ndarray, int]:
        """A game: scores and rewards of the seats, and how many decisions it took."""
        p = self.position
        p.reset(seed)
        while not p.over:
            p.play(self.player.choose(p, float(p.actor in greedy), self.dice))
        return p.scores(), p.rewards("outcome"), int(p.g.ply)


def line(spec: GameSpec, players: int, games: int) -> str:
    """The figures of one number of players."""
    table, everybody = GreedyTable(spec.configure({"players": players})), set(range(players))
    mine, others, won, lengths, among = [], [], [], [], []
    for seed in range(games):
        seat = seed % players
        scores, rewards, length = table.play(seed, {seat})
        mine.append(scores[seat])
        others.append(np.delete(scores, seat).mean())
        won.append((rewards[seat] * (players - 1) + 1) / players)
        lengths.append(length)
    for seed in range(games // 4):
        scores, _, _ = table.play(seed, everybody)
        among.append(scores.mean())
    figures = f"{np.mean(others):>9.1f}{np.mean(mine):>9.1f}{np.mean(won):>8.1%}{np.mean(among):>9.1f}"
    return f"{players:>7}{figures}{np.mean(lengths):>11.0f}"


def team_line(spec: GameSpec, players: int, games: int, options: dict[str, str]) -> str:
    """The figures of one number of players in a cooperative game."""
    table = GreedyTable(spec.configure({"players": players, **options}))
    played = [table.play(seed, set(range(players))) for seed in range(games)]
    won = np.mean([rewards[0] > 0 for _, rewards, _ in played])
    score, length = np.mean([scores[0] for scores, _, _ in played]), np.mean([length for _, _, length in played])
    return f"{players:>7}{won:>8.1%}{score:>8.2f}{length:>11.0f}"


def main() -> None:
    """Print a table."""
    spec, games = load(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 400
    if spec.cooperative:
        options = dict(argument.split("=", 1) for argument in sys.argv[3:])
        print(f"{'players':>7}{'won':>8}{'score':>8}{'decisions':>11}")
        for players in spec.players:
            print(team_line(spec, players, games, options), flush=True)
        return
    print(f"{'players':>7}{'random':>9}{'greedy':>9}{'won':>8}{'among':>9}{'decisions':>11}")
    for players in spec.players:
        print(line(spec, players, games), flush=True)


if __name__ == "__main__":
    main()
