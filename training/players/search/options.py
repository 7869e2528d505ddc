"""How a searching player thinks."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, NamedTuple

from theogony.envs.core.game import GameSpec
from theogony.envs.core.rewards import KINDS

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
                                   ("reward", self.reward, KINDS)):  # fmt: skip
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
