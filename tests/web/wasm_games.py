"""What games come to, as one digest a part: run with Numba and in WebAssembly, both must say the same.

python wasm_games.py GAME PLAYERS PART...
"""

from __future__ import annotations

import hashlib
import json
import sys
from typing import Any

import numpy as np

from theogony.envs.core.batch import Batch
from theogony.envs.core.game import Game
from theogony.envs.core.gamerecord import record_lines
from theogony.envs.core.players import KernelPlay, Views, make_player
from theogony.envs.core.position import Position
from theogony.envs.core.registry import load

MOST = 300  # decisions of a game


def positions(game: Game, content: Any) -> None:
    """Games by greedy and random decisions: positions, masks, views, scores, rewards."""
    for seed in range(2):
        position, play, stream = Position(game, seed), KernelPlay(game), np.array([seed + 5], np.uint64)
        while not position.over and position.now < MOST:
            position.play(play.choose(position, 0.3, stream))
            content.update(position.key() + position.observation.tobytes() + position.mask.tobytes())
        seats = (position.scores(), position.standings(), position.rewards(), position.observe(0))
        content.update(b"".join(array.tobytes() for array in seats) + np.float64(position.value(0)).tobytes())
        drawn = position.clone()
        drawn.resample(0, stream)
        content.update(drawn.key())


def record(game: Game, content: Any) -> None:
    """The record of a whole game by greedy and random decisions, and now and then a search."""
    position, play, stream = Position(game, 5), KernelPlay(game), np.array([9], np.uint64)
    search, rng = make_player("mcts:16", game), np.random.default_rng(4)
    while not position.over:
        if position.now % 10 == 3:
            position.play(int(search.act(Views.at(position), rng)[0]))
        else:
            position.play(play.choose(position, 0.3, stream))
    content.update("\n".join(record_lines(position)).encode())


def searches(game: Game, content: Any) -> None:
    """Searches by the game's own value and by the reference player's: visits and the values found."""
    for name in ("mcts:64", "mcts:64@reference"):
        player: Any = make_player(name, game)
        position, rng = Position(game, 11), np.random.default_rng(4)
        for _ in range(8):
            position.play(int(player.act(Views.at(position), rng)[0]))
            content.update(repr((sorted(player.search.results().items()), player.search.ranked())).encode())


def guided(game: Game, content: Any) -> None:
    """A few searches by the reference player, at the start and later in a game: visits and the values found; and what
    that player would do."""
    player: Any = make_player("mcts:64@reference", game)
    reference = make_player("reference", game)
    play, stream = KernelPlay(game), np.array([5], np.uint64)
    position, rng = Position(game, 11), np.random.default_rng(4)
    for decisions in (0, 12, 24):
        for _ in range(decisions):
            if not position.over:
                position.play(play.choose(position, 0.3, stream))
        while not position.over and position.mask.sum() < 2:
            position.play(int(position.legal_actions()[0]))
        for _ in range(2):
            if not position.over:
                content.update(reference.act(Views.at(position), rng).tobytes())
                position.play(int(player.act(Views.at(position), rng)[0]))
                content.update(repr((sorted(player.search.results().items()), player.search.ranked())).encode())


def batches(game: Game, content: Any) -> None:
    """Games side by side against greedy, with lookahead scores."""
    batch = Batch(game, 6, seed=3, seat="random", opponents="greedy:0.3", observation="float")
    for _ in range(40):
        batch.step(batch.sample())
        content.update(batch.states.tobytes() + batch.rows.tobytes() + batch.observations.tobytes())
    content.update(Views.of(batch).lookahead_scores(np.random.default_rng(0)).tobytes())


PARTS = {part.__name__: part for part in (positions, record, searches, guided, batches)}


def digest(name: str, players: int, part: str) -> str:
    content = hashlib.sha256()
    PARTS[part](load(name).configure({"players": players}), content)
    return content.hexdigest()


if __name__ == "__main__":
    print(json.dumps({part: digest(sys.argv[1], int(sys.argv[2]), part) for part in sys.argv[3:]}))
