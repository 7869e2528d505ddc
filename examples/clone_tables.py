"""Behaviour cloning from tables: a network learns from Parquet files alone, then plays against random and greedy.

    theogony dataset push_of_faith --parquet --out data --player greedy --against random --games 2000
    python examples/clone_tables.py data --player greedy

Needs the extras `train` and `data`. The table at the end has three players in the same games: the network, the same
network before it learnt anything, and the player who made the data.
"""

from __future__ import annotations

import argparse
import copy
import json
from pathlib import Path

import numpy as np
import torch
from torch import nn

from theogony.dataset.games import bytes_of, read
from theogony.envs import load
from theogony.envs.core.game import Game
from theogony.envs.core.players import make_player
from theogony.training.rating.evaluate import Result, evaluate, table


def lessons(folder: Path, split: str, player: str) -> tuple[torch.Tensor, ...]:
    """A player's decisions with a choice: codes uint8 (n, length), masks bool (n, actions), actions (n,)."""
    codes, masks, actions = [], [], []
    for batch in read(folder, split, ["player", "view", "mask", "action"]):
        legal = bytes_of(batch["mask"]) > 0
        own = (np.array(batch["player"].to_pylist()) == player) & (legal.sum(1) > 1)
        codes.append(bytes_of(batch["view"])[own])
        masks.append(legal[own])
        actions.append(batch["action"].to_numpy()[own])
    return tuple(torch.from_numpy(np.concatenate(parts)) for parts in (codes, masks, actions))


def logits(network: nn.Module, game: Game, codes: torch.Tensor, masks: torch.Tensor) -> torch.Tensor:
    """What the network says of each action; of those that are not legal, next to minus infinity."""
    return network(torch.from_numpy(game.features.decode(codes.numpy()))).masked_fill(~masks, -1e8)


def learn(network: nn.Module, game: Game, folder: Path, settings: argparse.Namespace) -> None:
    """Fit the network; prints how often it agrees with the player in deals that it has not learnt from."""
    codes, masks, actions = lessons(folder, "train", settings.player)
    seen, allowed, chosen = lessons(folder, "validation", settings.player)
    optimizer = torch.optim.Adam(network.parameters(), settings.learning_rate, weight_decay=1e-5)
    for epoch in range(settings.epochs):
        for part in torch.randperm(len(actions)).split(512):
            loss = nn.functional.cross_entropy(logits(network, game, codes[part], masks[part]), actions[part].long())
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        with torch.no_grad():
            agrees = (logits(network, game, seen, allowed).argmax(1) == chosen).float().mean()
        print(f"epoch {epoch + 1}: agrees in {agrees:.1%} of {len(chosen)} decisions held out", flush=True)


def main(arguments: list[str] | None = None) -> dict[str, list[Result]]:
    """Learn, then play; prints and returns how that went, by player."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path, help="what theogony dataset --parquet wrote")
    parser.add_argument("--player", default="greedy", help="whose decisions are learnt")
    parser.add_argument("--epochs", type=int, default=8)
    parser.add_argument("--width", type=int, default=256)
    parser.add_argument("--learning-rate", type=float, default=1e-3)
    parser.add_argument("--eval-games", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=0)
    settings = parser.parse_args(arguments)
    torch.manual_seed(settings.seed)
    torch.set_num_threads(1)  # networks this small do not gain by more
    about = json.loads((settings.folder / "statistics.json").read_text("utf-8"))
    game = load(about["game"]).configure(about["options"])
    layers = nn.Linear(game.features.length, settings.width), nn.ReLU(), nn.Linear(settings.width, game.actions.size)
    network = nn.Sequential(*layers)
    untrained = copy.deepcopy(network)
    learn(network, game, settings.folder, settings)

    def played(net: nn.Module) -> list[Result]:
        def policy(observations: np.ndarray, masks: np.ndarray, seats: np.ndarray) -> np.ndarray:
            with torch.no_grad():
                found = net(torch.from_numpy(observations)).masked_fill(torch.from_numpy(masks) == 0, -torch.inf)
            return found.argmax(1).numpy()

        return results(make_player(policy, game))

    def results(player: object) -> list[Result]:
        made = make_player(player, game)  # pyright: ignore[reportArgumentType]
        return [evaluate(made, other, game, settings.eval_games, settings.seed + 1) for other in ("random", "greedy")]

    found = {"cloned": played(network), "untrained": played(untrained), settings.player: results(settings.player)}
    for name, rows in found.items():
        print(f"\n{name}\n{table(rows)}")
    return found


if __name__ == "__main__":
    main()
