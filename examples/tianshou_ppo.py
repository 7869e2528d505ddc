"""Tianshou: its PPO with action masks, one seat of a game against players inside the batch.

    python examples/tianshou_ppo.py --total-steps 100000

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
from tianshou.utils.net.discrete import dist_fn_categorical_from_logits
from torch import nn

from theogony.envs import load
from theogony.envs.core.players import make_player
from theogony.training.rating.evaluate import Result, evaluate, table
from theogony.wrappers import TianshouBatch

GAMES, ROWS = 64, 18  # games side by side, decisions in each between two updates


def layers(inputs: int, outputs: int, width: int = 128) -> nn.Sequential:
    """Two hidden layers, and one of so many outputs."""
    hidden = nn.Linear(inputs, width), nn.ReLU(), nn.Linear(width, width), nn.ReLU()
    return nn.Sequential(*hidden, nn.Linear(width, outputs))


class Actor(nn.Module):
    """Logits (n, actions) of views; what is not legal has next to none."""

    def __init__(self, inputs: int, actions: int) -> None:
        super().__init__()
        self.layers = layers(inputs, actions)
        last: Any = self.layers[-1]
        nn.init.orthogonal_(last.weight, 0.01)  # all actions are alike before any was tried

    def forward(self, obs: Any, state: Any = None, info: Any = None) -> tuple[torch.Tensor, Any]:
        """Logits and, as Tianshou wants it, the state of a recurrent network: none."""
        logits = self.layers(torch.as_tensor(obs.obs))
        return logits.masked_fill(~torch.as_tensor(obs.mask, dtype=torch.bool), -1e8), state


class Critic(nn.Module):
    """Values (n, 1) of views."""

    def __init__(self, inputs: int) -> None:
        super().__init__()
        self.layers = layers(inputs, 1)

    def forward(self, obs: Any) -> torch.Tensor:
        """Values (n, 1)."""
        return self.layers(torch.as_tensor(obs.obs))


def make_ppo(inputs: int, actions: int, learning_rate: float) -> PPO:
    """PPO over actor and critic."""
    actor: Any = Actor(inputs, actions)
    policy = ProbabilisticActorPolicy(
        actor=actor,
        dist_fn=dist_fn_categorical_from_logits,
        action_space=spaces.Discrete(actions),
        action_scaling=False,
        action_bound_method=None,
    )
    return PPO(policy=policy, critic=Critic(inputs), optim=AdamOptimizerFactory(lr=learning_rate), gamma=1.0)


def main(arguments: list[str] | None = None) -> Result:
    """Train, then play against a random player; prints and returns how that went."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--game", default="orbis")
    parser.add_argument("--opponents", default="random")
    parser.add_argument("--reward", help="by default the one that the game is learnt from soonest")
    parser.add_argument("--total-steps", type=int, default=100_000)
    parser.add_argument("--learning-rate", type=float, default=1e-3)
    parser.add_argument("--eval-games", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=0)
    args = parser.parse_args(arguments)
    torch.manual_seed(args.seed)
    torch.set_num_threads(1)  # networks this small do not gain by more
    game = load(args.game).configure({})
    how: Any = {"opponents": args.opponents, "reward": args.reward or game.learning_reward, "observation": "float"}
    envs: Any = TianshouBatch(game, GAMES, args.seed, **how)
    ppo = make_ppo(game.features.length, game.actions.size, args.learning_rate)
    collector = Collector[CollectStats](ppo, envs, VectorReplayBuffer(GAMES * ROWS, GAMES))
    plan = OnPolicyTrainerParams(
        training_collector=collector,
        max_epochs=1,
        epoch_num_steps=args.total_steps // (GAMES * ROWS) * GAMES * ROWS,
        collection_step_num_env_steps=GAMES * ROWS,
        update_step_num_repetitions=4,
        batch_size=256,
        show_progress=False,
        verbose=False,
    )
    ppo.run_training(plan)

    @torch.no_grad()
    def learnt(observations: np.ndarray, masks: np.ndarray, seats: np.ndarray) -> np.ndarray:
        return ppo.policy.actor(Batch(obs=observations, mask=masks))[0].argmax(1).numpy()

    result = evaluate(make_player(learnt, game), "random", game, args.eval_games, args.seed + 1)
    print(table([result]))
    return result


if __name__ == "__main__":
    main()
