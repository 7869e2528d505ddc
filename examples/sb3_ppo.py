"""Stable-Baselines3: MaskablePPO on a batch of games, one seat against players inside the batch.

    python examples/sb3_ppo.py

Needs the extra `train`. `theogony train` does this and more from a file. At the end the model plays
against a random player.
"""

from __future__ import annotations

import argparse

import numpy as np
import torch
from sb3_contrib import MaskablePPO

import theogony
from theogony.envs import load
from theogony.envs.core.players import make_player
from theogony.training.rating.evaluate import Result, evaluate, table


def main(arguments: list[str] | None = None) -> Result:
    """Train, then play against a random player; prints and returns how that went."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--game", default="orbis")
    parser.add_argument("--opponents", default="random")
    parser.add_argument("--reward", help="by default the one that the game is learnt from soonest")
    parser.add_argument("--num-envs", type=int, default=64)
    parser.add_argument("--n-steps", type=int, default=18, help="decisions in each game between two updates")
    parser.add_argument("--total-steps", type=int, default=100_000)
    parser.add_argument("--learning-rate", type=float, default=1e-3)
    parser.add_argument("--eval-games", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=0)
    settings = parser.parse_args(arguments)
    torch.set_num_threads(1)  # small networks: threads of PyTorch would only wait for each other
    game = load(settings.game).configure({})
    reward = settings.reward or game.learning_reward
    envs = theogony.make_vec(
        settings.game, settings.num_envs, opponents=settings.opponents, reward=reward, seed=settings.seed
    )
    rollout = {"n_steps": settings.n_steps, "batch_size": settings.n_steps * settings.num_envs // 4, "n_epochs": 4}
    model = MaskablePPO(
        "MlpPolicy", envs, learning_rate=settings.learning_rate, gamma=1.0, seed=settings.seed, device="cpu", **rollout
    )
    model.learn(settings.total_steps)

    def learnt(observations: np.ndarray, masks: np.ndarray, seats: np.ndarray) -> np.ndarray:
        return model.predict(observations, action_masks=masks, deterministic=True)[0]

    result = evaluate(make_player(learnt, game), "random", game, settings.eval_games, settings.seed + 1)
    print(table([result]))
    return result


if __name__ == "__main__":
    main()
