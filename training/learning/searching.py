"""Search as a teacher of the value: games of `engine: td` in which every decision is searched (`td.search`).

A tree search by the network sees further than the network. Its action is played, and what it found that action to be
worth takes the place of what the network says, so that the λ-returns mix the search's values with the final reward.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from theogony.envs.core.game import Game
from theogony.envs.core.players import resampled
from theogony.envs.core.position import Position
from theogony.envs.core.record import CUT_OFF, RUNNING
from theogony.envs.core.rewards import KINDS
from theogony.envs.core.rng import mix, seed_bits
from theogony.training.learning.numbered import NumberedGames
from theogony.training.learning.selfplay import GAMES, SAMPLE, Played, SelfPlayTable, joined
from theogony.training.players.search import Search, SearchOptions
from theogony.training.players.search_player import with_value


class SearchPlay(NumberedGames):
    """Games of `engine: td` as `SelfPlay` has them, with a search of so many simulations for every decision."""

    def __init__(self, variants: Sequence[Game], iterations: int, threads: int, seed: int) -> None:
        super().__init__(threads, "theogony-search")
        self.variants, self.seed = [pack for game in variants for pack in game.packs or (game,)], seed
        self.options = SearchOptions(iterations=iterations, rollout="turn")

    def play(self, table: SelfPlayTable, first: int, count: int) -> Played:
        """Games `first` to `first + count`, whose samples do not depend on the number of threads."""
        return joined(self.parts(lambda number, _: self._game(table, number), first, count, chunk=1))

    def _game(self, table: SelfPlayTable, number: int) -> Played:
        """One game, all seats."""
        variant = number % len(self.variants)
        game, net = self.variants[variant], table.nets[: table.ends[0]]
        search = Search(game, with_value(self.options, game, net), net)
        rng = np.random.default_rng([self.seed, number])
        position = Position(game, int(mix(seed_bits(self.seed), number, GAMES)))
        states, samples = [game.new_states(0)], np.zeros(0, SAMPLE)
        while position.over == RUNNING and not self.stopped:
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
                sample = seat, chain, variant, explored, total / visits, 0.0
                samples = np.append(samples, np.array([sample], SAMPLE))
            position.play(chosen)
        rewards = position.rewards(KINDS[table.reward])
        lambda_returns(samples, rewards, table.td_lambda, position.over == CUT_OFF)
        return Played(np.concatenate(states), samples, 1, float(rewards[0]))


def lambda_returns(samples: np.ndarray, rewards: np.ndarray, td_lambda: float, cut: bool) -> None:
    """Write the targets of one game, backwards along each chain, as the kernel of `selfplay.py` does."""
    ahead: dict[int, float] = {}
    for sample in samples[::-1]:
        last = float(sample["best"]) if cut else float(rewards[sample["seat"]])
        sample["target"] = target = ahead.get(int(sample["chain"]), last)
        trace = 0.0 if sample["explored"] else td_lambda
        ahead[int(sample["chain"])] = (1.0 - trace) * float(sample["best"]) + trace * target
