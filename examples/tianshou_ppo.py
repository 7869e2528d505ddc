"""Tianshou: its PPO with action masks, one seat of a game against players inside the environment.

    python examples/tianshou_ppo.py --game push_of_faith --epochs 20

Needs `pip install 'theogony[examples]'`. Tianshou's PPO knows nothing of masks, so they travel in the observation and
the actor applies them. At the end it plays against a random player.
"""

from __future__ import annotations

import argparse
from typing import Any

import gymnasium
import numpy as np
import torch
from gymnasium import spaces
from tianshou.algorithm.modelfree.ppo import PPO
from tianshou.algorithm.modelfree.reinforce import ProbabilisticActorPolicy
from tianshou.algorithm.optim import AdamOptimizerFactory
from tianshou.data import Batch, Collector, CollectStats, VectorReplayBuffer
from tianshou.env import DummyVectorEnv
from tianshou.trainer import OnPolicyTrainerParams
from torch import nn
from torch.distributions import Categorical

import theogony
from theogony.envs.core.features import FeatureLayout
from theogony.envs.core.players import Views
from theogony.training.networks.decode import Decode
from theogony.training.rating.evaluate import Result, evaluate, table
from theogony.wrappers import SingleAgentEnv


class MaskInObservation(gymnasium.Wrapper):
    """A view is `{"obs": uint8 (length,), "mask": bool (actions,)}`."""

    def __init__(self, env: SingleAgentEnv) -> None:
        super().__init__(env)
        self.seat = env
        actions: Any = env.action_space
        inner: Any = {"obs": env.observation_space, "mask": spaces.MultiBinary(int(actions.n))}
        self.observation_space = spaces.Dict(inner)

    def reset(self, **arguments: Any) -> tuple[dict, dict]:
        """A new game."""
        observation, _ = self.env.reset(**arguments)
        return self._view(observation), {}

    def step(self, action: Any) -> tuple[dict, float, bool, bool, dict]:
        """One decision of the seat; the others play until it is due again."""
        observation, reward, terminated, truncated, _ = self.env.step(int(action))
        return self._view(observation), float(reward), terminated, truncated, {}

    def _view(self, observation: Any) -> dict:
        return {"obs": observation, "mask": self.seat.action_masks()}


class MaskedActor(nn.Module):
    """Logits (n, actions) of views; what is not legal has next to none."""

    def __init__(self, layout: FeatureLayout, actions: int, width: int = 64) -> None:
        super().__init__()
        first = nn.Linear(layout.length, width)
        self.layers = nn.Sequential(Decode(layout), first, nn.ReLU(), nn.Linear(width, actions))

    def forward(self, obs: Any, state: Any = None, info: Any = None) -> tuple[torch.Tensor, Any]:
        """Logits and, as Tianshou wants it, the state of a recurrent network: none."""
        logits = self.layers(torch.as_tensor(obs.obs))
        return logits.masked_fill(~torch.as_tensor(obs.mask, dtype=torch.bool), -1e8), state


class Critic(nn.Module):
    """Values (n, 1) of views."""

    def __init__(self, layout: FeatureLayout, width: int = 64) -> None:
        super().__init__()
        self.layers = nn.Sequential(Decode(layout), nn.Linear(layout.length, width), nn.ReLU(), nn.Linear(width, 1))

    def forward(self, obs: Any) -> torch.Tensor:
        """Values (n, 1)."""
        return self.layers(torch.as_tensor(obs.obs))


def make_envs(game: str, number: int, opponents: str) -> DummyVectorEnv:
    """So many games; the agent has a seat drawn anew in each."""

    def make() -> MaskInObservation:
        env = theogony.make(game, observation="compact")  # uint8 codes, which the networks decode
        return MaskInObservation(SingleAgentEnv(env, seat="random", opponents=opponents))

    return DummyVectorEnv([make for _ in range(number)])


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
    parser.add_argument("--epochs", type=int, default=20)
    parser.add_argument("--epoch-steps", type=int, default=4096)
    parser.add_argument("--learning-rate", type=float, default=1e-3)
    parser.add_argument("--eval-games", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=0)
    settings = parser.parse_args(arguments)
    torch.manual_seed(settings.seed)
    torch.set_num_threads(1)  # networks this small do not gain by more
    game = theogony.make(settings.game).game
    algorithm = make_algorithm(game.features, game.actions.size, settings.learning_rate)
    envs, rows = make_envs(settings.game, 16, settings.opponents), 512
    envs.seed(settings.seed)
    collector = Collector[CollectStats](algorithm, envs, VectorReplayBuffer(16 * rows, 16))
    algorithm.run_training(
        OnPolicyTrainerParams(
            training_collector=collector,
            max_epochs=settings.epochs,
            epoch_num_steps=settings.epoch_steps,
            collection_step_num_env_steps=min(1024, settings.epoch_steps),
            update_step_num_repetitions=4,
            batch_size=256,
            show_progress=False,
        )
    )
    learnt = Learnt(algorithm.policy.actor)
    result = evaluate(learnt, "random", game, settings.eval_games, settings.seed + 1)
    print(table([result]))
    return result


if __name__ == "__main__":
    main()
