"""Offline reinforcement learning from tables: DiscreteCQL of d3rlpy, then games against random and greedy.

    theogony dataset push_of_faith --parquet --out data --player greedy --against random --games 4000
    python examples/offline_cql.py data --player greedy

Needs the extras `train` and `data`, and `pip install d3rlpy`. CQL learns from the rewards of all seats, whoever played
them. The table at the end has three players in the same games: CQL, the same network before it learnt anything, and a
network that was cloned from `--player` alone (`clone_tables.py`). Illegal actions are masked when it plays; what d3rlpy
learns knows of no masks.
"""

from __future__ import annotations

import argparse
import importlib
import json
from pathlib import Path
from typing import Any

import numpy as np
import torch
from clone_tables import learn
from torch import nn

from theogony.dataset.offline import episodes
from theogony.envs import load
from theogony.envs.core.game import Game
from theogony.envs.core.players import make_player
from theogony.training.rating.evaluate import Result, evaluate, table


def transitions(d3rlpy: Any, folder: Path, game: Game) -> Any:
    """The games of the training split as a dataset of d3rlpy."""
    found = list(episodes(folder, "train", None, game.features))
    joined = {
        name: np.concatenate([one[name] for one in found])
        for name in ("actions", "rewards", "terminations", "truncations")
    }
    return d3rlpy.dataset.MDPDataset(
        np.concatenate([one["observations"][:-1] for one in found]),
        joined["actions"][:, None],
        joined["rewards"].astype(np.float32)[:, None],
        joined["terminations"].astype(np.float32),
        joined["truncations"].astype(np.float32),
        action_space=d3rlpy.ActionSpace.DISCRETE,
        action_size=game.actions.size,
    )


def main(arguments: list[str] | None = None) -> dict[str, list[Result]]:
    """Learn, then play; prints and returns how that went, by player."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path, help="what theogony dataset --parquet wrote")
    parser.add_argument("--player", default="greedy", help="whose decisions are cloned, for comparison")
    parser.add_argument("--steps", type=int, default=10_000)
    parser.add_argument("--alpha", type=float, default=1.0, help="weight of the conservative loss")
    parser.add_argument("--epochs", type=int, default=8, help="of cloning")
    parser.add_argument("--width", type=int, default=256)
    parser.add_argument("--learning-rate", type=float, default=1e-3)
    parser.add_argument("--eval-games", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=0)
    settings = parser.parse_args(arguments)
    d3rlpy: Any = importlib.import_module("d3rlpy")
    d3rlpy.seed(settings.seed)
    torch.set_num_threads(1)  # networks this small do not gain by more
    about = json.loads((settings.folder / "statistics.json").read_text("utf-8"))
    game = load(about["game"]).configure(about["options"])

    def played(net: Any) -> list[Result]:
        def policy(observations: np.ndarray, masks: np.ndarray, seats: np.ndarray) -> np.ndarray:
            with torch.no_grad():
                found = net(torch.from_numpy(observations)).masked_fill(torch.from_numpy(masks) == 0, -torch.inf)
            return found.argmax(1).numpy()

        player = make_player(policy, game)
        return [evaluate(player, other, game, settings.eval_games, settings.seed + 1) for other in ("random", "greedy")]

    cql = d3rlpy.algos.DiscreteCQLConfig(
        learning_rate=settings.learning_rate,
        batch_size=256,
        gamma=1.0,
        alpha=settings.alpha,
        target_update_interval=500,
        encoder_factory=d3rlpy.models.VectorEncoderFactory([settings.width]),
    ).create(device="cpu:0")
    dataset = transitions(d3rlpy, settings.folder, game)
    cql.build_with_dataset(dataset)

    def values(observations: torch.Tensor) -> torch.Tensor:
        return cql.impl.q_function[0](observations).q_value

    found = {"untrained": played(values)}
    cql.fit(
        dataset,
        n_steps=settings.steps,
        n_steps_per_epoch=min(settings.steps, 5000),
        logger_adapter=d3rlpy.logging.NoopAdapterFactory(),
        show_progress=False,
    )
    found["CQL"] = played(values)
    cloned = nn.Sequential(
        nn.Linear(game.features.length, settings.width), nn.ReLU(), nn.Linear(settings.width, game.actions.size)
    )
    learn(cloned, game, settings.folder, settings)
    found["cloned"] = played(cloned)
    for name, rows in found.items():
        print(f"\n{name}\n{table(rows)}")
    return found


if __name__ == "__main__":
    main()
