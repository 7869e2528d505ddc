"""RLlib: its PPO with action masks, one seat of a game against players inside the environment.

    .venv-rllib/bin/python examples/rllib_ppo.py

Ray pins an older Gymnasium, so it has an environment of its own: `make rllib`. RLlib steps many games side by side and
asks one network for all of them; its own module for masks keeps what is not legal from being drawn. `theogony train`
with `engine: rllib` lets all seats learn from each other, from a file. At the end the network plays against a random
player.
"""
# pyright: reportMissingImports=false

from __future__ import annotations

import argparse
import logging
import math
import shutil
from typing import Any

import gymnasium
import numpy as np
import ray
import torch
from gymnasium import spaces
from ray.rllib.algorithms.algorithm import Algorithm
from ray.rllib.algorithms.ppo import PPOConfig
from ray.rllib.core.rl_module.default_model_config import DefaultModelConfig
from ray.rllib.core.rl_module.rl_module import RLModuleSpec
from ray.rllib.examples.rl_modules.classes.action_masking_rlm import ActionMaskingTorchRLModule

import theogony
from theogony.envs import load
from theogony.envs.core.players import make_player
from theogony.training.rating.evaluate import Result, evaluate, table
from theogony.wrappers import SingleAgentEnv


class MaskedGame(gymnasium.ObservationWrapper):
    """A game for RLlib, made from plain data. An observation is what its module for masks expects: a dict of
    `observations` and `action_mask`, float32 (length,) and (actions,)."""

    def __init__(self, settings: dict[str, Any]) -> None:
        game = theogony.make(settings["game"], reward=settings["reward"])
        self.seat = SingleAgentEnv(game, opponents=settings["opponents"])  # drawn for each game
        super().__init__(self.seat)
        legal = spaces.Box(0.0, 1.0, (self.seat.action_space.n,), np.float32)
        self.observation_space = spaces.Dict({"observations": self.seat.observation_space, "action_mask": legal})

    def observation(self, observation: np.ndarray) -> dict[str, np.ndarray]:
        """The observation with its mask."""
        return {"observations": observation, "action_mask": self.seat.action_masks().astype(np.float32)}


def plain(settings: argparse.Namespace) -> dict[str, Any]:
    """What a worker makes a game of."""
    reward = settings.reward or load(settings.game).configure({}).learning_reward
    return {"game": settings.game, "opponents": settings.opponents, "reward": reward}


def ppo(settings: argparse.Namespace) -> PPOConfig:
    """RLlib's settings: a batch is `n_steps` decisions in each of `num_envs` games, cut into four."""
    batch = settings.num_envs * settings.n_steps
    network = DefaultModelConfig(fcnet_hiddens=[128, 128], fcnet_activation="relu")
    return (
        PPOConfig()
        .environment(MaskedGame, env_config=plain(settings))
        .env_runners(
            num_env_runners=settings.workers, num_envs_per_env_runner=settings.num_envs // max(1, settings.workers)
        )
        .rl_module(rl_module_spec=RLModuleSpec(module_class=ActionMaskingTorchRLModule, model_config=network))
        .training(
            train_batch_size_per_learner=batch,
            minibatch_size=math.ceil(batch / 4),
            num_epochs=4,
            lr=settings.learning_rate,
            gamma=1.0,
            lambda_=0.95,
            clip_param=0.2,
            entropy_coeff=0.005,
            vf_loss_coeff=0.5,
            vf_clip_param=float("inf"),  # RLlib would learn nothing from large errors
            use_kl_loss=False,
            grad_clip=0.5,
        )
        .debugging(seed=settings.seed, log_level="ERROR")
    )


def choose(algorithm: Algorithm, observations: np.ndarray, masks: np.ndarray) -> np.ndarray:
    """The likeliest legal action in each row, int64 (n,)."""
    seen = {"observations": torch.as_tensor(observations), "action_mask": torch.as_tensor(masks, dtype=torch.float32)}
    with torch.no_grad():
        return algorithm.get_module().forward_inference({"obs": seen})["action_dist_inputs"].argmax(1).numpy()


def learn(settings: argparse.Namespace) -> Algorithm:
    """PPO after at least `total_steps` decisions. Ray is to be running."""
    algorithm, steps = ppo(settings).build_algo(), 0
    while steps < settings.total_steps:
        steps = algorithm.train()["env_runners"]["num_env_steps_sampled_lifetime"]
    return algorithm


def parsed(arguments: list[str] | None) -> argparse.Namespace:
    """The arguments. Ends the process with one line where one makes no sense: Ray's errors are long."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--game", default="orbis")
    parser.add_argument("--opponents", default="random")
    parser.add_argument("--reward", help="by default the one that the game is learnt from soonest")
    parser.add_argument("--workers", type=int, default=0, help="processes that play; 0: the learner's own")
    parser.add_argument("--num-envs", type=int, default=64, help="games side by side, which the workers share evenly")
    parser.add_argument("--n-steps", type=int, default=18, help="decisions in each game between two updates")
    parser.add_argument("--total-steps", type=int, default=100_000)
    parser.add_argument("--learning-rate", type=float, default=1e-3)
    parser.add_argument("--eval-games", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=0)
    settings = parser.parse_args(arguments)
    least = {
        "workers": 0,
        "num_envs": max(1, settings.workers),
        "n_steps": 1,
        "total_steps": 1,
        "eval_games": 1,
        "seed": 0,
    }
    for name, number in least.items():
        if getattr(settings, name) < number:
            parser.error(f"--{name.replace('_', '-')}: expected at least {number}, not {getattr(settings, name)}")
    try:
        MaskedGame(plain(settings)).close()
    except ValueError as error:
        parser.error(str(error))
    return settings


def main(arguments: list[str] | None = None) -> Result:
    """Train, then play against a random player; prints and returns how that went."""
    settings = parsed(arguments)
    torch.set_num_threads(1)  # networks this small do not gain by more
    logging.getLogger("ray").setLevel(logging.ERROR)
    with ray.init("local", num_cpus=settings.workers + 1, include_dashboard=False, logging_level=logging.ERROR):
        algorithm = learn(settings)
        game = load(settings.game).configure({})
        player = make_player(lambda observations, masks, seats: choose(algorithm, observations, masks), game)
        result = evaluate(player, "random", game, settings.eval_games, settings.seed + 1)
        algorithm.stop()
        shutil.rmtree(algorithm.logdir)  # what RLlib keeps in ~/ray_results: nothing
    print(table([result]))
    return result


if __name__ == "__main__":
    main()
