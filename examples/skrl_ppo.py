"""skrl: its PPO with action masks on a batch of games, one seat against players inside the batch.

    python examples/skrl_ppo.py

Needs the extra `examples`. skrl knows nothing of masks, so what is legal stands behind the
observation, as 0 and 1, and the policy cuts the two apart. At the end it plays against a random player.
"""

from __future__ import annotations

import argparse
from typing import Any

import gymnasium
import numpy as np
import torch
from gymnasium import spaces
from gymnasium.vector import VectorWrapper
from skrl.agents.torch.ppo import PPO, PPO_CFG
from skrl.envs.wrappers.torch import wrap_env
from skrl.memories.torch import RandomMemory
from skrl.models.torch import CategoricalMixin, DeterministicMixin, Model
from skrl.trainers.torch import SequentialTrainer
from torch import nn

from theogony.envs import load
from theogony.envs.core.game import Game
from theogony.envs.core.players import make_player
from theogony.training.rating.evaluate import Result, evaluate, table
from theogony.wrappers import BatchVectorEnv


class MaskBehind(VectorWrapper):
    """Observation and mask in one, float32 (n, length + actions)."""

    def __init__(self, env: Any) -> None:
        super().__init__(env)
        width = env.single_observation_space.shape[0] + env.single_action_space.n
        self.single_observation_space: Any = spaces.Box(0.0, 1.0, (width,), np.float32)
        self.observation_space: Any = gymnasium.vector.utils.batch_space(self.single_observation_space, env.num_envs)

    def reset(self, **arguments: Any) -> tuple[np.ndarray, dict]:
        """New games in all rows."""
        observations, infos = self.env.reset(**arguments)
        return self._joined(observations, infos), infos

    def step(self, actions: Any) -> tuple[np.ndarray, Any, Any, Any, dict]:
        """One decision in every game."""
        observations, rewards, terminated, truncated, infos = self.env.step(actions)
        return self._joined(observations, infos), rewards, terminated, truncated, infos

    def _joined(self, observations: Any, infos: dict) -> np.ndarray:
        return np.concatenate([observations, infos["action_mask"].astype(np.float32)], 1)


class Network(Model):
    """Two layers over the observation, and one of so many outputs."""

    def __init__(self, length: int, outputs: int, width: int, **spaces: Any) -> None:
        Model.__init__(self, **spaces, device="cpu")
        layers = nn.Linear(length, width), nn.ReLU(), nn.Linear(width, width), nn.ReLU()
        self.length = length
        self.layers = nn.Sequential(*layers, nn.Linear(width, outputs))


class Policy(CategoricalMixin, Network):
    """What is not legal has next to no probability."""

    def __init__(self, *arguments: Any, **spaces: Any) -> None:
        Network.__init__(self, *arguments, **spaces)
        CategoricalMixin.__init__(self)

    def compute(self, inputs: dict, role: str = "") -> tuple[torch.Tensor, dict]:
        """Logits (n, actions)."""
        seen = inputs["observations"]
        return self.layers(seen[:, : self.length]).masked_fill(seen[:, self.length :] == 0, -1e8), {}


class Value(DeterministicMixin, Network):
    """What a position is worth."""

    def __init__(self, *arguments: Any, **spaces: Any) -> None:
        Network.__init__(self, *arguments, **spaces)
        DeterministicMixin.__init__(self)

    def compute(self, inputs: dict, role: str = "") -> tuple[torch.Tensor, dict]:
        """Values (n, 1)."""
        return self.layers(inputs["observations"][:, : self.length]), {}


def make_envs(game: Game, settings: argparse.Namespace) -> MaskBehind:
    """Games in one batch; the agent has a seat drawn anew in each."""
    opponents: dict[str, Any] = {"opponents": settings.opponents, "reward": settings.reward or game.learning_reward}
    return MaskBehind(BatchVectorEnv(game, settings.num_envs, settings.seed, **opponents))


def make_agent(envs: Any, length: int, rollouts: int, learning_rate: float, width: int = 128) -> PPO:
    """PPO over both networks."""
    inside: Any = {"observation_space": envs.observation_space, "action_space": envs.action_space}
    models: Any = {
        "policy": Policy(length, envs.action_space.n, width, **inside),
        "value": Value(length, 1, width, **inside),
    }
    settings = PPO_CFG(
        rollouts=rollouts,
        learning_epochs=4,
        mini_batches=4,
        discount_factor=1.0,
        learning_rate=learning_rate,
        entropy_loss_scale=0.005,
        value_loss_scale=0.5,
    )
    settings.experiment.write_interval = settings.experiment.checkpoint_interval = 0  # nothing on disk
    memory = RandomMemory(memory_size=rollouts, num_envs=envs.num_envs, device="cpu")
    return PPO(models=models, memory=memory, cfg=settings, device="cpu", **inside)


def main(arguments: list[str] | None = None) -> Result:
    """Train, then play against a random player; prints and returns how that went."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--game", default="orbis")
    parser.add_argument("--opponents", default="random")
    parser.add_argument("--reward", help="by default the one that the game is learnt from soonest")
    parser.add_argument("--num-envs", type=int, default=64)
    parser.add_argument("--rollouts", type=int, default=18, help="decisions in each game between two updates")
    parser.add_argument("--total-steps", type=int, default=100_000)
    parser.add_argument("--learning-rate", type=float, default=1e-3)
    parser.add_argument("--eval-games", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=0)
    settings = parser.parse_args(arguments)
    torch.manual_seed(settings.seed)
    torch.set_num_threads(1)  # networks this small do not gain by more
    game = load(settings.game).configure({})
    games = make_envs(game, settings)
    envs = wrap_env(games, wrapper="gymnasium", verbose=False)
    agent = make_agent(envs, game.features.length, settings.rollouts, settings.learning_rate)
    plan = {"timesteps": settings.total_steps // settings.num_envs, "headless": True, "disable_progressbar": True}
    SequentialTrainer(env=envs, agents=agent, cfg={**plan, "close_environment_at_exit": False}).train()
    policy: Any = agent.policy

    @torch.no_grad()
    def learnt(observations: np.ndarray, masks: np.ndarray, seats: np.ndarray) -> np.ndarray:
        seen = np.concatenate([observations, masks.astype(np.float32)], 1)
        return policy.compute({"observations": torch.as_tensor(seen)})[0].argmax(1).numpy()

    result = evaluate(make_player(learnt, game), "random", game, settings.eval_games, settings.seed + 1)
    print(table([result]))
    return result


if __name__ == "__main__":
    main()
