"""Search as a teacher of the value: games of `engine: td` in which every decision is searched (`td.search`).

A tree search by the network sees further than the network. Its action is played, and what it found that action to be
worth takes the place of what the network says, so that the λ-returns mix the search's values with the final reward.
A game follows from its number and the network alone, as in `selfplay.py`.
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import numpy as np

from theogony.envs.core.game import Game
from theogony.envs.core.players import resampled
from theogony.envs.core.position import Position
from theogony.envs.core.record import CUT_OFF, RUNNING
from theogony.envs.core.rng import mix, seed_bits
from theogony.training.learning.selfplay import GAMES, SAMPLE, Played, Table, joined
from theogony.training.players.search import Search, SearchOptions
from theogony.training.players.search_player import with_value


class SearchPlay:
    """Plays games by number as `SelfPlay` does, with a search of so many iterations for every decision."""

    def __init__(self, game: Game, iterations: int, threads: int, seed: int) -> None:
        self.game, self.seed = game, seed
        self.options = SearchOptions(iterations=iterations, rollout="turn")
        self._pool = ThreadPoolExecutor(threads, "theogony-search")
        self._stopped = False

    def play(self, table: Table, first: int, count: int) -> Played:
        """Games `first` to `first + count`, whose samples do not depend on the number of threads."""
        return joined(list(self._pool.map(lambda number: self._game(table, number), range(first, first + count))))

    def _game(self, table: Table, number: int) -> Played:
        """One game, all seats."""
        game, net = self.game, table.nets[: table.ends[0]]
        search = Search(game, with_value(self.options, game, net), net)
        rng = np.random.default_rng([self.seed, number])
        position = Position(game, int(mix(seed_bits(self.seed), number, GAMES)))
        states, samples = [game.new_states(0)], np.zeros(0, SAMPLE)
        while position.over == RUNNING and not self._stopped:
            legal, seat = position.legal_actions(), position.actor
            if len(legal) == 1:
                position.play(int(legal[0]))
                continue
            seen = resampled(position.clone(), rng)
            chosen = search.choose(seen.states, seen.now, rng.integers(2**64, size=1, dtype=np.uint64))
            visits, total = search.results()[chosen]
            explored = rng.random() < table.explore
            if explored:
                chosen = int(rng.choice(legal))
            seen.play(chosen)
            if seen.over == RUNNING:
                chain = 0 if game.spec.cooperative else seat
                states.append(seen.states[seen.now : seen.now + 1].copy())
                samples = np.append(samples, np.array([(seat, chain, explored, total / visits, 0.0)], SAMPLE))
            position.play(chosen)
        rewards = position.rewards(game.spec.rewards[table.reward])
        lambda_returns(samples, rewards, table.td_lambda, position.over == CUT_OFF)
        return Played(np.concatenate(states), samples, 1, float(rewards[0]))

    def stop(self) -> None:
        """End the threads, at the next decisions."""
        self._stopped = True
        self._pool.shutdown(wait=True)


def lambda_returns(samples: np.ndarray, rewards: np.ndarray, td_lambda: float, cut: bool) -> None:
    """Write the targets of one game, backwards along each chain, as the kernel of `selfplay.py` does."""
    ahead: dict[int, float] = {}
    for sample in samples[::-1]:
        last = float(sample["best"]) if cut else float(rewards[sample["seat"]])
        sample["target"] = target = ahead.get(int(sample["chain"]), last)
        trace = 0.0 if sample["explored"] else td_lambda
        ahead[int(sample["chain"])] = (1.0 - trace) * float(sample["best"]) + trace * target
