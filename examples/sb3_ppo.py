"""Stable-Baselines3: MaskablePPO with rows of actions on a batch of games, one seat against players inside the batch.

    python examples/sb3_ppo.py

Ten minutes of `--option late_exchange=false --total-steps 1000000 --greedy 0.5 --rows 256 --epochs 4 --learning-rate
7e-4` play Orbis about as well as greedy.

Needs the extra `train`. `theogony train` does this and more from a file. The network sees the observation alone, and
points are paid as they are made, by the rules alone (`shaping`). Before it has learnt anything and at the end it plays
against the random and the greedy player. `--rows 0` is SB3's own network, for comparison.
"""

from __future__ import annotations

import argparse
from typing import Any

import numpy as np
import torch
import yaml
from sb3_contrib import MaskablePPO

import theogony
from theogony.envs import load
from theogony.envs.core.game import Game
from theogony.envs.core.players import make_player
from theogony.training.networks.policy import AgentPolicy
from theogony.training.rating.evaluate import Result, evaluate, table

SHAPED = ("points", "margin", "progress")  # rewards that grow while a game goes on


def main(arguments: list[str] | None = None) -> Result:
    """Train; prints what it wins before and after, and returns how it went against a random player."""
    settings = _settings(arguments)
    torch.set_num_threads(1)  # small networks: threads of PyTorch would only wait for each other
    options = dict(settings.option)
    game = load(settings.game).configure(options)
    reward = settings.reward or game.learning_reward
    shaping = reward if reward in SHAPED else "none"
    envs: Any = theogony.make_vec(
        settings.game, settings.num_envs, opponents=settings.opponents, reward=reward, shaping=shaping,
        seed=settings.seed, **options,
    )  # fmt: skip
    model = MaskablePPO(
        AgentPolicy, envs, learning_rate=lambda left: settings.learning_rate * max(left, 0.05), gamma=1.0,
        gae_lambda=0.8, ent_coef=0.003, vf_coef=4.0, n_steps=settings.n_steps, batch_size=settings.batch_size,
        n_epochs=settings.epochs, policy_kwargs=_network(game, settings.rows), seed=settings.seed, device="cpu",
    )  # fmt: skip

    def learnt(observations: np.ndarray, masks: np.ndarray, seats: np.ndarray) -> np.ndarray:
        return model.predict(observations, action_masks=masks, deterministic=True)[0]

    def played() -> list[Result]:
        policy, games, seed = make_player(learnt, game), settings.eval_games, settings.seed + 1
        results = [evaluate(policy, player, game, games, seed) for player in ("random", "greedy")]
        print(table(results), flush=True)
        return results

    half = settings.total_steps // 2 // settings.num_envs * settings.num_envs

    def meet_greedy(*_: Any) -> bool:
        if settings.greedy and model.num_timesteps == half:
            mixture = [(1 - settings.greedy, settings.opponents), (settings.greedy, "greedy")]
            envs.set_opponents([(share, player) for share, player in mixture if share])
        return True

    played()
    model.learn(settings.total_steps, callback=meet_greedy)
    return played()[0]


def _network(game: Game, width: int) -> dict[str, Any]:
    """Plain layers, and layers over the rows of actions where the game has such."""
    layers = {"net_arch": {"pi": [256, 64], "vf": [256, 64]}}
    return layers | ({"rows": [width], "game": game} if width and game.action_rows else {})


def _option(text: str) -> tuple[str, Any]:
    """An option of the game with its value. Raises ArgumentTypeError."""
    name, equals, value = text.partition("=")
    if not (name and equals):
        raise argparse.ArgumentTypeError(f"{text!r:.60}: expected NAME=VALUE, such as players=3")
    return name, yaml.safe_load(value)


def _share(text: str) -> float:
    """A number from 0 to 1. Raises ValueError."""
    if not 0 <= float(text) <= 1:
        raise argparse.ArgumentTypeError(f"{text:.20}: expected a share from 0 to 1")
    return float(text)


def _settings(arguments: list[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--game", default="orbis")
    parser.add_argument("--option", type=_option, action="append", default=[], help="of the game, such as players=3")
    parser.add_argument("--opponents", default="random")
    parser.add_argument("--greedy", type=_share, default=0.0, help="share of games against it in the second half")
    parser.add_argument("--reward", help="by default the one that the game is learnt from soonest")
    parser.add_argument("--rows", type=int, default=128, help="width of the layer over rows of actions; 0: none")
    parser.add_argument("--num-envs", type=int, default=64)
    parser.add_argument("--n-steps", type=int, default=36, help="decisions in each game between two updates")
    parser.add_argument("--batch-size", type=int, default=256)
    parser.add_argument("--epochs", type=int, default=3)
    parser.add_argument("--total-steps", type=int, default=100_000)
    parser.add_argument("--learning-rate", type=float, default=1e-3, help="at the beginning; it falls to a twentieth")
    parser.add_argument("--eval-games", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=0)
    return parser.parse_args(arguments)


if __name__ == "__main__":
    main()
