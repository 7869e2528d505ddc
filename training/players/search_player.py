"""Players that search every decision, alone or by what a run has learnt."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any, Protocol

import numpy as np

from theogony.envs.core.game import Game
from theogony.envs.core.players import View, Views
from theogony.envs.core.rewards import KINDS
from theogony.envs.core.thinking.scratch import OneAtATime
from theogony.envs.core.thinking.value_network import OWN_VALUE, REWARD
from theogony.training.players.search import Search, SearchOptions
from theogony.training.players.search.options import TRUSTED

SURE = 0.02  # temperature of a prior by a learnt value, in rewards
FOCUSED = 0.01  # constant of PUCT by a learnt value, in whose rewards actions differ by hundredths
LONG = 100  # simulations, from which on a search comes past the first decisions of others again and again
WIDER = {"push_of_faith": 4.0, "innovation": 4.0}  # how much wider both are in such a search at a table of two
TRUST = 0.9  # how much of the prior is the policy's; the rest is the same for every action


class Guide(Protocol):
    """A policy that says how likely it would choose each action."""

    def probabilities(self, views: Views, rng: np.random.Generator) -> np.ndarray:
        """Float (n, actions), zero where an action is not legal."""
        ...


class ThinkingPlayer:
    """A player that thinks anew at every decision, by its `search`, in positions that its seat holds possible.

    Several threads may ask it, as copies of an environment share their players: it thinks for one at a time.
    """

    needs_positions = True
    search: Any

    def __init__(self, name: str, game: Game) -> None:
        self.name = name
        self.made_for: Game = game
        self._alone = OneAtATime()

    def act(self, views: Views, rng: np.random.Generator) -> np.ndarray:
        """A legal action for every view, int64 (n,)."""
        return np.array([self._choose(view, rng) for view in views])

    def _choose(self, view: View, rng: np.random.Generator, *prior: np.ndarray | None) -> int:
        legal = np.flatnonzero(view.mask)
        if len(legal) == 1:
            return int(legal[0])
        position = view.sample(rng)
        with self._alone:
            return self.search.choose(position.states, position.now, _stream(rng), *prior, position.tables)


class SearchPlayer(ThinkingPlayer):
    """A player that searches, with a policy that guides it or without."""

    search: Search

    def __init__(
        self, name: str, game: Game, options: SearchOptions, guide: Guide | None = None, net: np.ndarray = OWN_VALUE
    ) -> None:
        super().__init__(name, game)
        self.guide, self.learnt = guide, len(net) > 0
        self.search = Search(game, options, net)

    def act(self, views: Views, rng: np.random.Generator) -> np.ndarray:
        """A legal action for every view, int64 (n,)."""
        prior = self._priors(views, rng)
        return np.array([self._choose(view, rng, None if prior is None else prior[i]) for i, view in enumerate(views)])

    def improving(self, views: Views, rng: np.random.Generator) -> Iterator[int]:
        """What it would do in one view, the best so far every 50 milliseconds or so. The last is what `act` chooses."""
        prior, view = self._priors(views, rng), next(iter(views))
        legal = np.flatnonzero(view.mask)
        if len(legal) == 1:
            yield int(legal[0])
            return
        position, first = view.sample(rng), None if prior is None else prior[0]
        yield from self.search.improving(position.states, position.now, _stream(rng), first, position.tables)

    def _priors(self, views: Views, rng: np.random.Generator) -> np.ndarray | None:
        """What a policy says, with a little left for the actions it does not think of."""
        if self.guide is None:
            return None
        legal = views.masks > 0
        return TRUST * self.guide.probabilities(views, rng) + (1 - TRUST) * legal / legal.sum(1, keepdims=True)


def _stream(rng: np.random.Generator) -> np.ndarray:
    """The stream of one search, uint64 (1,)."""
    return rng.integers(2**64, size=1, dtype=np.uint64)


def with_value(options: SearchOptions, game: Game, net: np.ndarray) -> SearchOptions:
    """The options of a search by a learnt value, which maximises what was learnt.

    From a leaf everybody plays on by the value until the searching seat has ended its next turn, unless another way
    was asked for: of 300 games against greedy, searches of 32 simulations won 88 % so in Push of Faith, 86 % in Orbis;
    with the value of the leaf itself 77 % and 73 %. Sequential halving at the root won more than PUCT (84 % and 79 % of
    400 games in Push of Faith, 64 simulations).

    With PUCT's constant as it is without a learnt value, a node is worth what its likely actions are worth in the mean,
    however many simulations there are: 256 won no more than 64.

    Where several others decide before the own next turn, a long search tells the outcomes of chance apart. In one node
    for all of them an action means another tile each time, so that the own next turn looks poor the deeper the tree
    grows: with four in Push of Faith 1,600 simulations won 48 % so, 64 simulations 64 %
    (docs/lab/2026-11-26-search-at-larger-tables.md). At a table of two it looks at more actions of each node instead,
    where the values of actions lie far enough apart: 1,600 simulations won 94 % so in Push of Faith, 90 % before; in
    Orbis 90 %, 94 % before (docs/lab/2026-11-27-wider-priors.md).
    """
    reward: Any = KINDS[int(net[REWARD])]
    asked = options.rollout != "value" or options.depth == 0
    found = replace(options, reward=reward, temperature=SURE, exploration=FOCUSED)
    found = found if asked else replace(found, rollout="turn", depth=0)
    if options.flat:
        return found
    long = options.milliseconds is not None or options.iterations >= LONG
    larger = game.players > 2 and not game.spec.cooperative
    wide = WIDER.get(game.spec.name, 1.0) if long and game.players == 2 else 1.0
    found = replace(found, temperature=wide * SURE, exploration=wide * FOCUSED)
    return replace(found, halving=True, trust=TRUSTED, outcomes=long and larger)
