"""Tianshou: its PPO with action masks, one seat of a game against players inside the batch.

    python examples/tianshou_ppo.py --game push_of_faith --total-steps 100000

Needs the extra `examples`. Tianshou's PPO knows nothing of masks, so they travel in the observation and
the actor applies them. At the end it plays against a random player.
"""

from __future__ import annotations

import argparse
from typing import Any

import numpy as np
import torch
from gymnasium import spaces
from tianshou.algorithm.modelfree.ppo import PPO
from tianshou.algorithm.modelfree.reinforce import ProbabilisticActorPolicy
from tianshou.algorithm.optim import AdamOptimizerFactory
from tianshou.data import Batch, Collector, CollectStats, VectorReplayBuffer
from tianshou.trainer import OnPolicyTrainerParams
from torch import nn
from torch.distributions import Categorical

from theogony.envs import load
from theogony.envs.core.features import FeatureLayout
from theogony.envs.core.players import Views
from theogony.training.networks.decode import Decode
from theogony.training.rating.evaluate import Result, evaluate, table
from theogony.wrappers import TianshouBatch

GAMES, ROWS = 64, 18  # games side by side, decisions in each between two updates


class MaskedActor(nn.Module):
    """Logits (n, actions) of views; what is not legal has next to none."""

    def __init__(self, layout: FeatureLayout, actions: int, width: int = 128) -> None:
        super().__init__()
        first, last = nn.Linear(layout.length, width), nn.Linear(width, actions)
        nn.init.orthogonal_(last.weight, 0.01)  # all actions are alike before any was tried
        self.layers = nn.Sequential(Decode(layout), first, nn.ReLU(), nn.Linear(width, width), nn.ReLU(), last)

    def forward(self, obs: Any, state: Any = None, info: Any = None) -> tuple[torch.Tensor, Any]:
        """Logits and, as Tianshou wants it, the state of a recurrent network: none."""
        logits = self.layers(torch.as_tensor(obs.obs))
        return logits.masked_fill(~torch.as_tensor(obs.mask, dtype=torch.bool), -1e8), state


class Critic(nn.Module):
    """Values (n, 1) of views."""

    def __init__(self, layout: FeatureLayout, width: int = 128) -> None:
        super().__init__()
        first, last = nn.Linear(layout.length, width), nn.Linear(width, 1)
        self.layers = nn.Sequential(Decode(layout), first, nn.ReLU(), nn.Linear(width, width), nn.ReLU(), last)

    def forward(self, obs: Any) -> torch.Tensor:
        """Values (n, 1)."""
        return self.layers(torch.as_tensor(obs.obs))


def make_algorithm(layout: FeatureLayout, actions: int, learning_rate: float) -> PPO:
    """PPO over the masked actor."""
    actor: Any = MaskedActor(layout, actions)  # any module will do
    policy = ProbabilisticActorPolicy(
        actor=actor,
        dist_fn=lambda logits: Categorical(logits=logits),
        deterministic_eval=True,
        action_space=spaces.Discrete(actions),
        action_scaling=False,
        action_bound_method=None,
    )
    return PPO(policy=policy, critic=Critic(layout), optim=AdamOptimizerFactory(lr=learning_rate), gamma=1.0)


class Learnt:
    """The agent as a player: it takes the likeliest action."""

    name = "agent"

    def __init__(self, actor: Any) -> None:
        self.actor = actor

    def act(self, views: Views, rng: np.random.Generator) -> np.ndarray:
        """An action for every view, int64 (n,)."""
        with torch.no_grad():
            logits, _ = self.actor(Batch(obs=views.codes, mask=views.masks))
        return logits.argmax(1).numpy()


def main(arguments: list[str] | None = None) -> Result:
    """Train, then play against a random player; prints and returns how that went."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--game", default="push_of_faith")
    parser.add_argument("--opponents", default="random")
    parser.add_argument("--reward", default="margin", help="how far ahead at the end tells more than won or lost")
    parser.add_argument("--total-steps", type=int, default=100_000)
    parser.add_argument("--learning-rate", type=float, default=1e-3)
    parser.add_argument("--eval-games", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=0)
    settings = parser.parse_args(arguments)
    torch.manual_seed(settings.seed)
    torch.set_num_threads(1)  # networks this small do not gain by more
    game = load(settings.game).configure({})
    algorithm = make_algorithm(game.features, game.actions.size, settings.learning_rate)
    envs: Any = TianshouBatch(game, GAMES, settings.seed, opponents=settings.opponents, reward=settings.reward)
    collector = Collector[CollectStats](algorithm, envs, VectorReplayBuffer(GAMES * ROWS, GAMES))
    algorithm.run_training(
        OnPolicyTrainerParams(
            training_collector=collector,
            max_epochs=1,
            epoch_num_steps=settings.total_steps // (GAMES * ROWS) * GAMES * ROWS,
            collection_step_num_env_steps=GAMES * ROWS,
            update_step_num_repetitions=4,
            batch_size=256,
            show_progress=False,
            verbose=False,
        )
    )
    learnt = Learnt(algorithm.policy.actor)
    result = evaluate(learnt, "random", game, settings.eval_games, settings.seed + 1)
    print(table([result]))
    return result


if __name__ == "__main__":
    main()
