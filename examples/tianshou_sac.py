"""Tianshou: its discrete SAC with action masks, one seat of a game against players inside the batch.

    python examples/tianshou_sac.py --game push_of_faith --steps 200000

Needs the extra `examples`. Tianshou's SAC knows nothing of masks; the actor applies them, so that what is
not legal has probability zero in its choices, its entropy and its targets. At the end it plays against a random player.
With `--out FOLDER` it is a program of the benchmark: `theogony benchmark run quick --agent examples/tianshou_sac.py
--track 200k`.
"""

from __future__ import annotations

import argparse
from typing import Any

import numpy as np
import torch
from gymnasium import spaces
from tianshou.algorithm.modelfree.discrete_sac import DiscreteSAC, DiscreteSACPolicy
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


class Network(nn.Module):
    """A number for every action, (n, actions), of Tianshou's batches of codes and masks."""

    def __init__(self, game: Game, width: int) -> None:
        super().__init__()
        self.decode = Decode(game.features)
        last = nn.Linear(width, game.actions.size)
        nn.init.zeros_(last.weight)  # all actions are alike before any was tried
        self.layers = nn.Sequential(nn.Linear(game.features.length, width), nn.ReLU(), last)

    def forward(self, obs: Any) -> torch.Tensor:
        """What every action is worth, legal or not: a critic."""
        return self.layers(self.decode(torch.as_tensor(obs.obs)))


class Actor(Network):
    """Logits; what is not legal has next to none."""

    def forward(self, obs: Any, state: Any = None, info: Any = None) -> Any:
        """Logits and, as Tianshou wants it, the state of a recurrent network: none."""
        return super().forward(obs).masked_fill(torch.as_tensor(obs.mask) == 0, -1e8), state


class Learnt:
    """The agent as a player: it takes the likeliest action."""

    name = "agent"

    def __init__(self, actor: nn.Module) -> None:
        self.actor = actor

    def act(self, views: Views, rng: np.random.Generator) -> np.ndarray:
        """An action for every view, int64 (n,)."""
        with torch.no_grad():
            logits, _ = self.actor(Batch(obs=views.codes, mask=views.masks))
        return logits.argmax(1).numpy()


def learn(game: Game, settings: argparse.Namespace) -> Actor:
    """Train for so many steps. Returns the actor."""
    actor = Actor(game, settings.width)
    optimiser = AdamOptimizerFactory(lr=settings.learning_rate)
    algorithm = DiscreteSAC(
        policy=DiscreteSACPolicy(actor=actor, action_space=spaces.Discrete(game.actions.size)),
        policy_optim=optimiser,
        critic=Network(game, settings.width),
        critic_optim=optimiser,
        gamma=settings.gamma,
        alpha=settings.alpha,
        n_step_return_horizon=settings.horizon,
    )
    seat = "all" if game.spec.cooperative else "random"
    reward = settings.reward or game.learning_reward
    envs: Any = TianshouBatch(game, GAMES, settings.seed, seat=seat, opponents=settings.opponents, reward=reward)
    buffer = VectorReplayBuffer(STORED, GAMES, ignore_obs_next=True)  # it is the next row
    collector = Collector[CollectStats](algorithm, envs, buffer, raise_on_nan_in_buffer=False)
    algorithm.run_training(
        OffPolicyTrainerParams(
            training_collector=collector,
            max_epochs=1,
            epoch_num_steps=settings.steps,
            collection_step_num_env_steps=COLLECTED,
            update_step_num_gradient_steps_per_sample=settings.updates / COLLECTED,
            batch_size=256,
            show_progress=False,
            verbose=False,
        )
    )
    return actor


def main(arguments: list[str] | None = None) -> Result | None:
    """Train, then play against a random player; prints and returns how that went."""
    parser = programs.arguments(__doc__, 100_000)
    parser.add_argument("--opponents", default="random")
    parser.add_argument("--reward", help="by default the one that the game is learnt from soonest")
    parser.add_argument("--updates", type=int, default=8, help=f"for every {COLLECTED} decisions")
    parser.add_argument("--horizon", type=int, default=10, help="decisions between a position and its target")
    parser.add_argument("--gamma", type=float, default=0.99)
    parser.add_argument("--alpha", type=float, default=0.01, help="what entropy is worth")
    parser.add_argument("--width", type=int, default=128)
    parser.add_argument("--learning-rate", type=float, default=1e-3)
    parser.add_argument("--eval-games", type=int, default=1000)
    settings = parser.parse_args(arguments)
    settings.steps = programs.decisions(parser, settings, lot=COLLECTED)
    torch.manual_seed(settings.seed)
    torch.set_num_threads(1)  # networks this small do not gain by more
    game = load(settings.game).configure(settings.options)
    actor = learn(game, settings)
    if settings.out:
        programs.hand_in(settings.out, actor.layers, game, settings.steps, vars(settings))
    if not settings.eval_games:
        return None
    result = evaluate(Learnt(actor), "random", game, settings.eval_games, settings.seed + 1)
    print(table([result]))
    return result


if __name__ == "__main__":
    main()
