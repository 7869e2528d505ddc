"""RLlib: IMPALA with action masks, one seat of a game against players inside the environment.

    .venv-rllib/bin/python examples/rllib_impala.py --steps 200000

Ray pins an older Gymnasium, so it has an environment of its own: `make rllib`. RLlib's module for masks is made for its
PPO alone; a module of one's own is short. At the end the network plays against a random player. With `--out FOLDER` it
is a program of the benchmark: `theogony benchmark run quick --agent ".venv-rllib/bin/python examples/rllib_impala.py"
--track 200k`.
"""
# pyright: reportMissingImports=false

from __future__ import annotations

import argparse
import logging
import shutil
from typing import Any

import gymnasium
import numpy as np
import ray
import torch
from gymnasium import spaces
from ray.rllib.algorithms.impala import IMPALAConfig
from ray.rllib.core.columns import Columns
from ray.rllib.core.rl_module.apis.value_function_api import ValueFunctionAPI
from ray.rllib.core.rl_module.rl_module import RLModuleSpec
from ray.rllib.core.rl_module.torch import TorchRLModule
from torch import nn

import theogony
from theogony.benchmark import programs
from theogony.envs import load
from theogony.envs.core.players import make_player
from theogony.training.rating.evaluate import Result, evaluate, table
from theogony.wrappers import SingleAgentEnv

NEVER = -1e8  # the logit of an action that is not legal


class MaskedGame(gymnasium.ObservationWrapper):
    """A game for RLlib, made from plain data. An observation is a dict of `observations` and `action_mask`, float32
    (length,) and (actions,)."""

    def __init__(self, settings: dict[str, Any]) -> None:
        game = theogony.make(settings["game"], reward=settings["reward"], **settings["options"])
        self.seat = SingleAgentEnv(game, opponents=settings["opponents"])  # drawn for each game
        super().__init__(self.seat)
        legal = spaces.Box(0.0, 1.0, (self.seat.action_space.n,), np.float32)
        self.observation_space = spaces.Dict({"observations": self.seat.observation_space, "action_mask": legal})

    def observation(self, observation: np.ndarray) -> dict[str, np.ndarray]:
        """The observation with its mask."""
        return {"observations": observation, "action_mask": self.seat.action_masks().astype(np.float32)}


class MaskedNetwork(TorchRLModule, ValueFunctionAPI):
    """Logits of the legal actions, and the value; each from a hidden layer of its own."""

    def setup(self) -> None:
        """Make the layers."""
        length, width = self.observation_space["observations"].shape[0], self.model_config["width"]
        self.policy = nn.Sequential(nn.Linear(length, width), nn.ReLU(), nn.Linear(width, self.action_space.n))
        self.value = nn.Sequential(nn.Linear(length, width), nn.ReLU(), nn.Linear(width, 1))

    def _forward(self, batch: dict[str, Any], **_: Any) -> dict[str, Any]:
        seen, legal = batch[Columns.OBS]["observations"], batch[Columns.OBS]["action_mask"]
        return {Columns.ACTION_DIST_INPUTS: self.policy(seen).masked_fill(legal == 0, NEVER)}

    def compute_values(self, batch: dict[str, Any], embeddings: Any = None) -> torch.Tensor:
        """What positions are worth, (n,)."""
        return self.value(batch[Columns.OBS]["observations"])[:, 0]


def plain(settings: argparse.Namespace) -> dict[str, Any]:
    """What a worker makes a game of."""
    game = load(settings.game).configure(settings.options)
    return {
        "game": settings.game,
        "options": settings.options,
        "opponents": settings.opponents,
        "reward": settings.reward or game.learning_reward,
    }


def impala(settings: argparse.Namespace) -> IMPALAConfig:
    """RLlib's settings: a batch is `fragment` decisions in each of `num_envs` games."""
    return (
        IMPALAConfig()
        .environment(MaskedGame, env_config=plain(settings))
        .env_runners(
            num_env_runners=settings.workers,
            num_envs_per_env_runner=settings.num_envs // max(1, settings.workers),
            rollout_fragment_length=settings.fragment,
        )
        .learners(num_learners=0)  # in this process
        .rl_module(rl_module_spec=RLModuleSpec(module_class=MaskedNetwork, model_config={"width": settings.width}))
        .training(
            train_batch_size_per_learner=settings.num_envs * settings.fragment,
            lr=settings.learning_rate,
            gamma=1.0,
            entropy_coeff=0.003,
            vf_loss_coeff=0.5,
            grad_clip=0.5,
            grad_clip_by="global_norm",
        )
        .reporting(min_time_s_per_iteration=0)  # one batch an iteration, so that decisions can be counted
        .debugging(seed=settings.seed, log_level="ERROR")
    )


def learn(settings: argparse.Namespace) -> tuple[nn.Module, int]:
    """Train for no more than `steps` decisions, in whole batches. Returns the layers that choose, and the decisions."""
    algorithm, batch, steps = impala(settings).build_algo(), settings.num_envs * settings.fragment, 0
    while steps + batch <= settings.steps:
        steps = algorithm.train()["env_runners"].get("num_env_steps_sampled_lifetime", steps)
    layers = algorithm.get_module().policy
    algorithm.stop()
    shutil.rmtree(algorithm.logdir)  # what RLlib keeps in ~/ray_results: nothing
    return layers, int(steps)


def choose(layers: nn.Module, observations: np.ndarray, masks: np.ndarray) -> np.ndarray:
    """The likeliest legal action in each row, int64 (n,)."""
    with torch.no_grad():
        return layers(torch.as_tensor(observations)).masked_fill(torch.as_tensor(masks) == 0, NEVER).argmax(1).numpy()


def parsed(arguments: list[str] | None) -> argparse.Namespace:
    """The arguments. Ends the process with one line where one makes no sense: Ray's errors are long."""
    parser = programs.arguments(__doc__, 200_000)
    parser.add_argument("--opponents", default="random")
    parser.add_argument("--reward", help="by default the one that the game is learnt from soonest")
    parser.add_argument("--workers", type=int, default=0, help="processes that play; 0: the learner's own")
    parser.add_argument("--num-envs", type=int, default=16, help="games side by side, which the workers share evenly")
    parser.add_argument("--fragment", type=int, default=10, help="decisions in each game between two updates")
    parser.add_argument("--width", type=int, default=128)
    parser.add_argument("--learning-rate", type=float, default=1e-3)
    parser.add_argument("--eval-games", type=int, default=1000)
    settings = parser.parse_args(arguments)
    least = {"workers": 0, "num_envs": max(1, settings.workers), "fragment": 1, "width": 1, "eval_games": 0}
    for name, number in least.items():
        if getattr(settings, name) < number:
            parser.error(f"--{name.replace('_', '-')}: expected at least {number}, not {getattr(settings, name)}")
    settings.steps = programs.decisions(parser, settings, lot=settings.num_envs * settings.fragment)
    try:
        MaskedGame(plain(settings)).close()
    except (TypeError, ValueError) as error:
        parser.error(str(error))
    return settings


def main(arguments: list[str] | None = None) -> Result | None:
    """Train, then play against a random player; prints and returns how that went."""
    settings = parsed(arguments)
    torch.set_num_threads(1)  # networks this small do not gain by more
    logging.getLogger("ray").setLevel(logging.ERROR)
    game = load(settings.game).configure(settings.options)
    with ray.init("local", num_cpus=settings.workers + 1, include_dashboard=False, logging_level=logging.ERROR):
        layers, steps = learn(settings)
    if settings.out:
        programs.hand_in(settings.out, layers, game, steps, vars(settings))
    if not settings.eval_games:
        return None
    player = make_player(lambda observations, masks, seats: choose(layers, observations, masks), game)
    result = evaluate(player, "random", game, settings.eval_games, settings.seed + 1)
    print(table([result]))
    return result


if __name__ == "__main__":
    main()
