"""Tianshou: its double DQN with action masks, one seat of a game against players inside the batch.

    python examples/tianshou_dqn.py --game push_of_faith --steps 200000

Needs the extra `examples`. Tianshou's Q-learning takes the mask from the observation, for its choices,
for those it explores with and for its targets. At the end it plays against a random player. With `--out FOLDER` it is
a program of the benchmark: `theogony benchmark run quick --agent examples/tianshou_dqn.py --track 200k`.
"""

from __future__ import annotations

import argparse
from typing import Any

import numpy as np
import torch
from gymnasium import spaces
from tianshou.algorithm.modelfree.dqn import DQN, DiscreteQLearningPolicy
from tianshou.algorithm.optim import AdamOptimizerFactory
from tianshou.data import Batch, Collector, CollectStats, VectorReplayBuffer
from tianshou.trainer import OffPolicyTrainerParams
from torch import nn

from theogony.benchmark import programs
from theogony.envs import load
from theogony.envs.core.game import Game
from theogony.envs.core.players import Views
from theogony.training.networks.layers import Decode
from theogony.training.rating.evaluate import Result, evaluate, table
from theogony.wrappers import TianshouBatch

GAMES, STORED = 64, 51_200  # games side by side, decisions to learn from
COLLECTED = 4 * GAMES  # decisions between two rounds of learning


class Values(nn.Module):
    """What every action is worth, (n, actions), legal or not."""

    def __init__(self, game: Game, width: int) -> None:
        super().__init__()
        self.decode = Decode(game.features)
        last = nn.Linear(width, game.actions.size)
        nn.init.zeros_(last.weight)  # nobody is thought good or bad before it was tried
        self.layers = nn.Sequential(nn.Linear(game.features.length, width), nn.ReLU(), last)

    def forward(self, obs: Any, state: Any = None, info: Any = None) -> tuple[torch.Tensor, Any]:
        """Values of codes (n, length) and, as Tianshou wants it, the state of a recurrent network: none."""
        return self.layers(self.decode(torch.as_tensor(obs))), state


class Learnt:
    """The agent as a player: it takes the best legal action."""

    name = "agent"

    def __init__(self, policy: DiscreteQLearningPolicy) -> None:
        self.policy = policy

    def act(self, views: Views, rng: np.random.Generator) -> np.ndarray:
        """An action for every view, int64 (n,)."""
        with torch.no_grad():
            seen: Any = Batch(obs=Batch(obs=views.codes, mask=views.masks), info={})
            return np.asarray(self.policy(seen).act)


def learn(game: Game, settings: argparse.Namespace) -> DiscreteQLearningPolicy:
    """Train for so many steps, with ever fewer actions drawn at random in the first half."""
    policy = DiscreteQLearningPolicy(
        model=Values(game, settings.width), action_space=spaces.Discrete(game.actions.size), eps_training=1.0
    )
    algorithm: DQN = DQN(
        policy=policy,
        optim=AdamOptimizerFactory(lr=settings.learning_rate),
        gamma=settings.gamma,
        n_step_return_horizon=settings.horizon,
        target_update_freq=250,
        huber_loss_delta=1.0,
    )
    seat = "all" if game.spec.cooperative else "random"
    reward = settings.reward or game.learning_reward
    envs: Any = TianshouBatch(game, GAMES, settings.seed, seat=seat, opponents=settings.opponents, reward=reward)
    buffer = VectorReplayBuffer(STORED, GAMES, ignore_obs_next=True)  # it is the next row
    collector = Collector[CollectStats](algorithm, envs, buffer, exploration_noise=True, raise_on_nan_in_buffer=False)

    def explore(epoch: int, step: int) -> None:
        policy.set_eps_training(max(0.05, 1.0 - 2 * step / settings.steps))

    algorithm.run_training(
        OffPolicyTrainerParams(
            training_collector=collector,
            max_epochs=1,
            epoch_num_steps=settings.steps,
            collection_step_num_env_steps=COLLECTED,
            update_step_num_gradient_steps_per_sample=settings.updates / COLLECTED,
            batch_size=256,
            training_fn=explore,
            show_progress=False,
            verbose=False,
        )
    )
    return policy


def main(arguments: list[str] | None = None) -> Result | None:
    """Train, then play against a random player; prints and returns how that went."""
    parser = programs.arguments(__doc__, 100_000)
    parser.add_argument("--opponents", default="random")
    parser.add_argument("--reward", help="by default the one that the game is learnt from soonest")
    parser.add_argument("--updates", type=int, default=8, help=f"for every {COLLECTED} decisions")
    parser.add_argument("--horizon", type=int, default=10, help="decisions between a position and its target")
    parser.add_argument("--gamma", type=float, default=0.99)
    parser.add_argument("--width", type=int, default=128)
    parser.add_argument("--learning-rate", type=float, default=1e-3)
    parser.add_argument("--eval-games", type=int, default=1000)
    settings = parser.parse_args(arguments)
    settings.steps = programs.decisions(parser, settings, lot=COLLECTED)
    torch.manual_seed(settings.seed)
    np.random.seed(settings.seed)  # Tianshou explores with it
    torch.set_num_threads(1)  # networks this small do not gain by more
    game = load(settings.game).configure(settings.options)
    policy = learn(game, settings)
    if settings.out:
        programs.hand_in(settings.out, policy.model.layers, game, settings.steps, vars(settings))
    if not settings.eval_games:
        return None
    result = evaluate(Learnt(policy), "random", game, settings.eval_games, settings.seed + 1)
    print(table([result]))
    return result


if __name__ == "__main__":
    main()
