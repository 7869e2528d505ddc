"""A policy that plays from the observation alone, in three stages: a value, what it teaches, and MaskablePPO.

    python examples/distil_ppo.py --game orbis --steps 200000

From rewards alone a policy needs millions of decisions before it plays better than at random. A value that looks one
decision ahead learns far faster, and can then say at every decision what each action is worth. So three tenths of the
decisions teach a value by self-play (`td.yaml`), half of them are its lessons to a policy (`distil.yaml`), and in the
last ones the policy learns what wins against greedy play (`taught.yaml`). A team is taught by greedy play in place of a
value. With `--out FOLDER` it is a program of the benchmark:
`theogony benchmark run quick --agent examples/distil_ppo.py --track 200k`.
"""

from __future__ import annotations

import argparse
import json
import tempfile
from pathlib import Path
from typing import Any

import torch
from torch import nn

from theogony.benchmark import programs
from theogony.envs import load
from theogony.envs.core.game import Game
from theogony.envs.core.players import make_player
from theogony.training.config.file import config_file, load_config
from theogony.training.learning.train import carry_out
from theogony.training.rating.evaluate import Result, evaluate, table
from theogony.training.storage.checkpoint import latest, read_policy

NETWORK = {"shared": [256], "policy": [256], "value": [64]}
SHARES = {"value": 0.3, "practice": 0.2}  # of the decisions; the others are lessons
VALUE: dict[str, Any] = {"environment": {"num_envs": 16, "threads": 1}, "algorithm.batch_size": 256}
LESSONS: dict[str, Any] = {
    "environment": {"num_envs": 32, "threads": 1},
    "algorithm.batch_size": 64,
    "algorithm.net_arch": NETWORK,
}
PRACTICE: dict[str, Any] = {
    "environment.num_envs": 64,
    "algorithm.n_steps": 64,
    "algorithm.batch_size": 512,
    "algorithm.n_epochs": 2,
    "algorithm.clip_range": 0.1,
    "algorithm.ent_coef": 0.0005,
    "algorithm.learning_rate": {"start": 2e-4, "end": 1e-5},
    "algorithm.net_arch": NETWORK,
}
RIVALS = {"opponents": [{"player": "greedy"}]}  # of PPO, but for a team
ROLLOUT: int = PRACTICE["environment.num_envs"] * PRACTICE["algorithm.n_steps"]  # the least that PPO learns from
LEAST = 2 * ROLLOUT  # decisions that all stages need
NEVER = 10**11  # evaluations on the way: the benchmark measures


class OfFloats(nn.Module):
    """The policy as a network of observations float32 (n, length), as a program of the benchmark hands it in."""

    scales: torch.Tensor
    zeros: torch.Tensor

    def __init__(self, policy: Any, game: Game) -> None:
        super().__init__()
        self.policy = policy
        self.register_buffer("scales", torch.from_numpy(game.features.scales.copy()))
        self.register_buffer("zeros", torch.from_numpy(game.features.zeros.copy()))

    def forward(self, observations: torch.Tensor) -> torch.Tensor:
        """One number for every action, float32 (n, actions)."""
        return self.policy.judge(observations * self.scales + self.zeros)[0]


def stage(file: str, game: Game, steps: int, seed: int, folder: Path, changes: dict[str, Any]) -> None:
    """Train by a file of the package, with changes to it. Raises ConfigError or CheckpointError."""
    settings = {
        "options": game.options.model_dump(mode="json", exclude_unset=True),
        "seed": seed,
        "folder": str(folder),
        "algorithm.total_steps": steps,
        "evaluation": {"every": NEVER, "games": 2, "final_games": 2, "against": ["random"]},
        "checkpoint_every": NEVER,
        **changes,
    }
    path = config_file(Path(game.spec.name) / file)
    carry_out(load_config(path, [f"{key}={json.dumps(value)}" for key, value in settings.items()]), folder, False)


def learn(game: Game, steps: int, seed: int, folder: Path) -> Any:
    """The policy after all stages."""
    team = game.spec.cooperative
    practice = max(round(SHARES["practice"] * steps / ROLLOUT), 1) * ROLLOUT
    alone = 0 if team else round(SHARES["value"] * steps)
    if alone:
        paid = game.learning_reward if game.players == 2 else "rank"
        stage("td", game, alone, seed, folder / "value", {**VALUE, "reward": paid})
    won = {"reward": game.usual_reward, "shaping": "value" if team else "none"}
    taught = {"distil.teacher": "greedy" if team else str(folder / "value")}
    stage("distil", game, steps - alone - practice, seed, folder / "lessons", {**LESSONS, **won, **taught})
    begun = {"start_from": str(folder / "lessons"), **({} if team else RIVALS)}
    stage("taught", game, practice, seed, folder / "practice", {**PRACTICE, **won, **begun})
    return read_policy(latest(folder / "practice"), game)


def main(arguments: list[str] | None = None) -> Result | None:
    """Train, then play against a random player; prints and returns how that went."""
    parser = programs.arguments(__doc__, 200_000)
    parser.add_argument("--eval-games", type=int, default=1000)
    settings: argparse.Namespace = parser.parse_args(arguments)
    steps = programs.decisions(parser, settings, least=LEAST)
    game = load(settings.game).configure(settings.options)
    with tempfile.TemporaryDirectory() as folder:
        policy = learn(game, steps, settings.seed, Path(folder))
        practice = Path(folder) / "practice"
        if settings.out:
            programs.hand_in(settings.out, OfFloats(policy, game), game, steps, vars(settings))
        if not settings.eval_games:
            return None
        against = "team" if game.spec.cooperative else "random"
        result = evaluate(make_player(str(practice), game), against, game, settings.eval_games, settings.seed + 1)
    print(table([result]))
    return result


if __name__ == "__main__":
    main()
