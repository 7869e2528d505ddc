"""The player that is a policy network."""

from __future__ import annotations

import numpy as np

from theogony.envs.core.game import Game
from theogony.envs.core.players import Views
from theogony.training.networks.policy import AgentPolicy, act, probabilities
from theogony.wrappers.sb3_vec import with_scores


class NetworkPlayer:
    """A policy network: its likeliest action, or with `draws` an action drawn from it.

    `game` is the one that it was made for; without it the network is played wherever its inputs fit.
    """

    def __init__(self, name: str, policy: AgentPolicy, draws: bool = False, game: Game | None = None) -> None:
        self.name, self.policy, self.draws, self.made_for = name, policy, draws, game
        self.needs_positions = policy.lookahead > 0  # which is worked out by looking ahead

    def drawing(self) -> NetworkPlayer:
        """The same network, which draws its actions, as it does while it learns."""
        return NetworkPlayer(self.name, self.policy, draws=True, game=self.made_for)

    def act(self, views: Views, rng: np.random.Generator) -> np.ndarray:
        """A legal action for every view, int64 (n,)."""
        return act(self.policy, self._seen(views, rng), views.masks, rng if self.draws else None)

    def probabilities(self, views: Views, rng: np.random.Generator) -> np.ndarray:
        """How likely the policy would choose each action, float64 (n, actions)."""
        return probabilities(self.policy, self._seen(views, rng), views.masks)

    def _seen(self, views: Views, rng: np.random.Generator) -> np.ndarray:
        """What the network takes in, in the form in which it takes it."""
        seen = views.codes if self.policy.is_compact else views.observations
        return with_scores(seen, views.lookahead_scores(rng)) if self.policy.lookahead else seen
