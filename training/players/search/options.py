"""How a searching player thinks, and its names:

* `mcts:400`: 400 simulations of information-set tree search a decision; from the leaves eight random decisions are
  played, and then the game's `value` counts;
* `mcts:50ms`: as many as 50 milliseconds allow; such games do not repeat;
* `mcts:400x2`: two trees of 400 simulations each, on two threads;
* `mcts:400:random`, `mcts:400:greedy`: from the leaves games are played to their end, at random or greedily;
* `mcts:400:value`: the game's `value` of the leaf itself counts;
* `mcts:400:turn`: all play on by `value` until the searching seat has ended its next turn, and there it counts;
* `mcts:64@runs/x`: a learnt value of a run (`engine: td`) takes the place of the game's and says what to look at first,
  with `turn` unless another way is named; a policy says which actions of the position to look at first; so does
  `mcts:64@reference`;
* `gumbel:400`: sequential halving at the root: rounds in which all actions are visited alike, by the same deals, and
  the worse half leaves; a search by a learnt value always does so;
* `flat:400`: every action tried equally often, no tree.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import Literal, NamedTuple

from theogony.envs.core.game import GameSpec
from theogony.envs.core.rewards import KINDS as REWARDS
from theogony.envs.core.thinking.player_names import PlayerError, PlayerName, parse_player

ROLLOUTS = ("random", "greedy", "value", "turn")
PRIORS = ("uniform", "value")
MOST_THREADS = 64


@dataclass(frozen=True)
class SearchOptions:
    """How a searching player thinks.

    Args:
        iterations: simulations a decision.
        milliseconds: when set, the budget of a decision instead.
        rollout: how a leaf is valued. "random" and "greedy" play on to the end; "value" takes the game's `value` after
            `depth` random decisions, "turn" when everybody has played on by it until the searching seat has ended its
            next turn.
        depth: random decisions before "value".
        prior: weighs the actions of a node "uniform" or by the value after them.
        temperature: of that prior, in rewards.
        exploration: PUCT's constant.
        reward: what is maximised.
        trust: how many visits the value that a prior found counts for.
        flat: try every action equally often instead of building a tree.
        halving: choose at the root by sequential halving, with the same deals for all actions.
        outcomes: tell what follows an action apart by what the searching seat sees of it, such as the tile that was
            drawn. Without, one node stands for all of that.
        threads: trees that are grown at once, each with that budget.
    """

    iterations: int = 400
    milliseconds: float | None = None
    rollout: Literal["random", "greedy", "value", "turn"] = "random"
    depth: int = 0
    prior: Literal["uniform", "value"] = "value"
    temperature: float = 0.1
    exploration: float = 0.1
    reward: Literal["outcome", "rank", "margin", "progress", "points"] = "margin"
    trust: float = 0.0
    flat: bool = False
    halving: bool = False
    outcomes: bool = False
    threads: int = 1

    def __post_init__(self) -> None:
        if self.iterations < 1 or (self.milliseconds is not None and self.milliseconds <= 0):
            raise ValueError(f"a search needs iterations or milliseconds above 0, not {self.iterations}")
        if not 1 <= self.threads <= MOST_THREADS:
            raise ValueError(f"a search has 1 to {MOST_THREADS} threads, not {self.threads}")
        for name, value, known in (("rollout", self.rollout, ROLLOUTS), ("prior", self.prior, PRIORS),
                                   ("reward", self.reward, REWARDS)):  # fmt: skip
            if value not in known:
                raise ValueError(f"search: {name}={value!r} is not one of {', '.join(known)}")

    def settings(self, spec: GameSpec) -> Settings:
        """The options as kernels take them."""
        return Settings(
            ROLLOUTS.index(self.rollout), self.depth, PRIORS.index(self.prior), self.temperature, self.exploration,
            self.trust, spec.reward_index(self.reward), self.flat, self.outcomes,
        )  # fmt: skip


class Settings(NamedTuple):
    """What kernels take of `SearchOptions`: choices by their index, `reward` by that in `KINDS`."""

    rollout: int
    depth: int
    prior: int
    temperature: float
    exploration: float
    trust: float
    reward: int
    flat: bool
    outcomes: bool


# ---- Names -----------------------------------------------------------------------------------------------------------

TRUSTED = 4.0  # visits that an action's value before the search counts for, with sequential halving
USUAL = SearchOptions(rollout="value", depth=8)  # of what was tried against greedy, good in all games and fast
KINDS = {
    "mcts": USUAL,
    "gumbel": replace(USUAL, halving=True, trust=TRUSTED),
    "flat": replace(USUAL, flat=True, prior="uniform"),
}
EXPECTED = 'simulations or milliseconds, then perhaps a rollout, as in "mcts:400", "mcts:50ms" or "mcts:400:greedy"'
BUDGET = re.compile(r"([1-9]\d*)(ms)?(?:x([1-9]\d*))?", re.ASCII)
MOST = 999_999_999  # simulations or milliseconds: visits are counted in 32 bits


def parse_search(player: str | PlayerName) -> tuple[SearchOptions, str | None]:
    """The options of a searching player and what guides it. Raises PlayerError saying what was expected."""
    name = parse_player(player)
    kind, _, rest = name.settings.partition(":")
    budget, colon, rollout = rest.partition(":")
    if colon and rollout not in ROLLOUTS:
        raise PlayerError(f"player {name.text!r}: there is no rollout {rollout!r}; expected {', '.join(ROLLOUTS)}")
    if name.guide == "":
        raise PlayerError(f'player {name.text!r}: expected a run behind "@", as in "mcts:400@runs/x"')
    options = _with_budget(KINDS[kind], budget, name.text)
    return (replace(options, rollout=rollout, depth=0) if colon else options), name.guide


def _with_budget(options: SearchOptions, budget: str, name: str) -> SearchOptions:
    """The options with what "400", "50ms" or "400x2" allows. Raises PlayerError."""
    found = BUDGET.fullmatch(budget)
    if found is None:
        raise PlayerError(f"player {name!r:.60}: expected {EXPECTED}")
    number, unit, threads = found.groups()
    if len(number) > len(str(MOST)):
        what = "milliseconds" if unit else "simulations"
        raise PlayerError(f"player {name!r:.60}: a search has at most {MOST:,} {what}")
    if threads and (len(threads) > 2 or int(threads) > MOST_THREADS):
        raise PlayerError(f"player {name!r:.60}: a search has at most {MOST_THREADS} threads")
    found = {"milliseconds": float(number)} if unit else {"iterations": int(number)}
    return replace(options, **found, threads=int(threads or 1))
