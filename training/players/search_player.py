"""Players that search, by name.

* `mcts:400`: 400 iterations of information-set tree search a decision; from the leaves eight random decisions are
  played, and then the game's `value` counts;
* `mcts:50ms`: as many as 50 milliseconds allow; such games do not repeat;
* `mcts:400:random`, `mcts:400:greedy`: from the leaves games are played to their end, at random or greedily;
* `mcts:400:value`: the game's `value` of the leaf itself counts;
* `mcts:64@runs/x`: a learnt value of a run (`engine: td`) counts at the leaves and says what to look at first; a policy
  says which actions of the position to look at first; so does `mcts:64@reference`;
* `gumbel:400`: sequential halving at the root: rounds in which all actions are visited alike, by the same deals, and
  the worse half leaves; a search by a learnt value always does so, but against the clock;
* `flat:400`: every action tried equally often, no tree.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any, Protocol

import numpy as np

from theogony.envs.core.game import Game
from theogony.envs.core.player_names import PlayerError
from theogony.envs.core.players import View, Views
from theogony.envs.core.value_network import OWN_VALUE, REWARD
from theogony.training.players.search import Search, SearchOptions
from theogony.training.players.search.options import ROLLOUTS

TRUSTED = 4.0  # visits that an action's value before the search counts for, with sequential halving
USUAL = SearchOptions(rollout="value", depth=8)  # of what was tried against greedy, good in all games and fast
KINDS = {
    "mcts": USUAL,
    "gumbel": replace(USUAL, halving=True, trust=TRUSTED),
    "flat": replace(USUAL, flat=True, prior="uniform"),
}
EXPECTED = 'iterations or milliseconds, then perhaps a rollout, as in "mcts:400", "mcts:50ms" or "mcts:400:greedy"'
BUDGET = re.compile(r"([1-9]\d{0,8})(ms)?")
SURE = 0.02  # temperature of a prior by a learnt value, in rewards
TRUST = 0.9  # how much of the prior is the policy's; the rest is the same for every action


class Guide(Protocol):
    """A policy that says how likely it would choose each action."""

    def probabilities(self, views: Views, rng: np.random.Generator) -> np.ndarray:
        """Float (n, actions), zero where an action is not legal."""
        ...


class SearchPlayer:
    """A player that searches every decision anew, in positions that its seat holds possible."""

    needs_positions = True

    def __init__(
        self,
        name: str,
        game: Game,
        options: SearchOptions,
        guide: Guide | None = None,
        net: np.ndarray = OWN_VALUE,
    ) -> None:
        self.name, self.guide = name, guide
        self.search = Search(game, options, net)

    def act(self, views: Views, rng: np.random.Generator) -> np.ndarray:
        """A legal action for every view, int64 (n,)."""
        prior = None if self.guide is None else _prior(self.guide.probabilities(views, rng), views.masks)
        return np.array([self._choose(view, None if prior is None else prior[i], rng) for i, view in enumerate(views)])

    def _choose(self, view: View, prior: np.ndarray | None, rng: np.random.Generator) -> int:
        legal = np.flatnonzero(view.mask)
        if len(legal) == 1:
            return int(legal[0])
        position = view.sample(rng)
        stream = rng.integers(2**64, size=1, dtype=np.uint64)
        return self.search.choose(position.states, position.now, stream, prior)


def with_value(options: SearchOptions, game: Game, net: np.ndarray) -> SearchOptions:
    """The options of a search by a learnt value: its leaves are not played on, and it maximises what was learnt.

    Sequential halving at the root won more games than PUCT (84 % and 79 % against greedy in Push of Faith, 400 games
    of 64 iterations); a search against the clock has no number of iterations to divide.
    """
    reward: Any = game.spec.rewards[int(net[REWARD])]
    depth = 0 if options.rollout == "value" else options.depth
    found = replace(options, reward=reward, depth=depth, temperature=SURE)
    return found if options.flat or options.milliseconds is not None else replace(found, halving=True, trust=TRUSTED)


def _prior(probabilities: np.ndarray, masks: np.ndarray) -> np.ndarray:
    """What a policy says, with a little left for the actions it does not think of."""
    legal = masks > 0
    return TRUST * probabilities + (1 - TRUST) * legal / legal.sum(1, keepdims=True)


def parse_search(name: str) -> tuple[SearchOptions, str | None]:
    """The options of a searching player and the run that guides it. Raises PlayerError saying what was expected."""
    settings, at, run = name.partition("@")
    kind, _, rest = settings.partition(":")
    budget, colon, rollout = rest.partition(":")
    found = BUDGET.fullmatch(budget)
    if found is None:
        raise PlayerError(f"player {name!r}: expected {EXPECTED}")
    if colon and rollout not in ROLLOUTS:
        raise PlayerError(f"player {name!r}: there is no rollout {rollout!r}; expected {', '.join(ROLLOUTS)}")
    if at and not run:
        raise PlayerError(f'player {name!r}: expected a run behind "@", as in "mcts:400@runs/x"')
    if kind == "gumbel" and found[2]:
        raise PlayerError(f'player {name!r}: sequential halving divides iterations; expected them, as in "gumbel:128"')
    number = int(found[1])
    options = replace(KINDS[kind], **({"milliseconds": float(number)} if found[2] else {"iterations": number}))
    return (replace(options, rollout=rollout, depth=0) if colon else options), (run or None)
