"""Search as a teacher of the value: games of `engine: td` in which every decision is searched (`td.search`).

A tree search by the network sees further than the network. Its action is played, and what it found that action to be
worth takes the place of what the network says, so that the λ-returns mix the search's values with the final reward.

It looked at other actions too, and throws away what it found. With `td.tried` the value learns from those as well, as
Descent does (Cohen-Solal 2020): from every action with so many simulations, what they found on average.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from theogony.envs.core.game import Game
from theogony.envs.core.players import resampled
from theogony.envs.core.position import Position
from theogony.envs.core.record import CUT_OFF, RUNNING
from theogony.envs.core.rewards import KINDS
from theogony.envs.core.rng import mixed
from theogony.training.learning.selfplay import GAMES, SAMPLE, NumberedGames, Played, SelfPlayTable, joined
from theogony.training.players.search import Search, SearchOptions
from theogony.training.players.search_player import with_value


class Searched(NamedTuple):
    """How every decision is searched."""

    simulations: int
    tried: int = 0  # simulations of an action that is learnt from although it was not played; 0: none is


class SearchPlay(NumberedGames):
    """Games of `engine: td` as `SelfPlay` has them, with a search for every decision."""

    def __init__(self, variants: Sequence[Game], searched: Searched, threads: int, seed: int) -> None:
        super().__init__(threads, "theogony-search")
        self.tried = searched.tried
        self.variants, self.seed = [pack for game in variants for pack in game.packs or (game,)], seed
        self.options = SearchOptions(iterations=searched.simulations, rollout="turn")

    def play(self, table: SelfPlayTable, first: int, count: int) -> Played:
        """Games `first` to `first + count`, whose samples do not depend on the number of threads."""
        return joined(self.parts(lambda number, _: self._game(table, number), first, count, chunk=1))

    def _game(self, table: SelfPlayTable, number: int) -> Played:
        """One game, all seats."""
        variant = number % len(self.variants)
        game, net = self.variants[variant], table.nets[: table.ends[0]]
        search = Search(game, with_value(self.options, game, net), net)
        rng = np.random.default_rng([self.seed, number])
        position = Position(game, mixed(self.seed, number, GAMES))
        states, samples = [game.new_states(0)], np.zeros(0, SAMPLE)
        others, found = [game.new_states(0)], np.zeros(0, SAMPLE)  # what else was tried, and what it was worth
        while position.over == RUNNING and not self.stopped:
            legal, seat = position.legal_actions(), position.actor
            if len(legal) == 1:
                position.play(int(legal[0]))
                continue
            seen = resampled(position.clone(), rng)
            chosen = search.choose(seen.states, seen.now, rng.integers(2**64, size=1, dtype=np.uint64))
            results, chain = search.results(), 0 if game.spec.cooperative else seat
            visits, total = results[chosen]
            explored = rng.random() < table.explore
            if explored:
                chosen = int(rng.choice(legal))
            for action, worth in self._tried(results, chosen):
                if (after := _afterstate(seen, action)) is not None:
                    others.append(after)
                    found = np.append(found, _sample(seat, chain, variant, False, worth, worth))
            seen.play(chosen)
            if seen.over == RUNNING:
                states.append(seen.states[seen.now : seen.now + 1].copy())
                samples = np.append(samples, _sample(seat, chain, variant, explored, total / visits, 0.0))
            position.play(chosen)
        rewards = position.rewards(KINDS[table.reward])
        paid = np.full_like(rewards, table.truncation) if position.over == CUT_OFF else rewards
        lambda_returns(samples, paid, table.td_lambda)
        return Played(np.concatenate([*states, *others]), np.concatenate([samples, found]), 1, float(rewards[0]))

    def _tried(self, results: dict[int, tuple[int, float]], chosen: int) -> list[tuple[int, float]]:
        """The actions besides the chosen one that the search tried often enough, and what each was worth on average."""
        enough = max(self.tried, 1)
        found = {action: total / visits for action, (visits, total) in results.items() if visits >= enough}
        return [(action, worth) for action, worth in found.items() if self.tried and action != chosen]


def _afterstate(seen: Position, action: int) -> np.ndarray | None:
    """The record of the position behind an action, None where the game ends."""
    after = seen.clone()
    after.play(action)
    return after.states[after.now : after.now + 1].copy() if after.over == RUNNING else None


def lambda_returns(samples: np.ndarray, rewards: np.ndarray, td_lambda: float) -> None:
    """Write the targets of one game, backwards along each chain, as the kernel of `selfplay.py` does; a reward that is
    NaN is what the network thought of the end."""
    ahead: dict[int, float] = {}
    for sample in samples[::-1]:
        paid = float(rewards[sample["seat"]])
        last = float(sample["best"]) if np.isnan(paid) else paid
        sample["target"] = target = ahead.get(int(sample["chain"]), last)
        trace = 0.0 if sample["explored"] else td_lambda
        ahead[int(sample["chain"])] = (1.0 - trace) * float(sample["best"]) + trace * target


def _sample(seat: int, chain: int, variant: int, explored: bool, best: float, target: float) -> np.ndarray:
    """One sample; by names, since a record's fields have an order of their own in memory."""
    one = np.zeros(1, SAMPLE)
    one["seat"], one["chain"], one["variant"], one["explored"] = seat, chain, variant, explored
    one["best"], one["target"] = best, target
    return one
