"""Behaviour cloning from search, with nothing but PyTorch: a network learns to decide as a search does.

    python examples/clone_search.py --game push_of_faith --teacher mcts:100 --steps 20000

The search plays games with itself; a share of its decisions is replaced by random ones, so that the network also sees
what follows a mistake. At the end it plays against a random player, without any search. With `--out FOLDER` it is a
program of the benchmark: `theogony benchmark run quick --agent examples/clone_search.py --track 200k`.
"""

from __future__ import annotations

import argparse

import numpy as np
import torch
from torch import nn

from theogony.benchmark import programs
from theogony.envs import load
from theogony.envs.core.game import Game
from theogony.envs.core.players import Views, make_player
from theogony.envs.core.position import Position
from theogony.envs.core.record import RUNNING
from theogony.training.rating.evaluate import Result, evaluate, table


class Learnt:
    """The network as a player: it takes the likeliest action."""

    name = "agent"

    def __init__(self, network: nn.Module) -> None:
        self.network = network

    def act(self, views: Views, rng: np.random.Generator) -> np.ndarray:
        """An action for every view, int64 (n,)."""
        with torch.no_grad():
            logits = self.network(torch.as_tensor(views.observations))
        return logits.masked_fill(torch.as_tensor(views.masks) == 0, -torch.inf).argmax(1).numpy()


def lessons(game: Game, teacher: str, steps: int, explore: float, seed: int) -> tuple[torch.Tensor, ...]:
    """So many decisions of the teacher: observations float32 (n, length), masks bool (n, actions), actions (n,)."""
    player, rng = make_player(teacher, game), np.random.default_rng(seed)
    seen, masks, chosen = [], [], []
    while True:
        position = Position(game, int(rng.integers(2**31)))  # never a deal of the benchmark: those are larger numbers
        while position.over == RUNNING:
            views = Views.at(position)
            action = int(player.act(views, rng)[0])
            seen.append(views.observations[0].copy())
            masks.append(views.masks[0] > 0)
            chosen.append(action)
            if len(chosen) == steps:
                return torch.tensor(np.array(seen)), torch.tensor(np.array(masks)), torch.tensor(chosen)
            lost = rng.random() < explore
            position.play(int(rng.choice(np.flatnonzero(views.masks[0]))) if lost else action)


def learn(game: Game, settings: argparse.Namespace) -> nn.Module:
    """A network that has learnt from all lessons a few times."""
    seen, masks, chosen = lessons(game, settings.teacher, settings.steps, settings.explore, settings.seed)
    width, actions = settings.width, game.actions.size
    network = nn.Sequential(nn.Linear(game.features.length, width), nn.ReLU(), nn.Linear(width, actions))
    optimizer = torch.optim.Adam(network.parameters(), lr=settings.learning_rate, weight_decay=1e-5)
    for _ in range(settings.epochs):
        for part in torch.randperm(len(chosen)).split(settings.batch_size):
            logits = network(seen[part]).masked_fill(~masks[part], -1e8)
            optimizer.zero_grad()
            nn.functional.cross_entropy(logits, chosen[part]).backward()
            optimizer.step()
    return network


def main(arguments: list[str] | None = None) -> Result | None:
    """Train, then play against a random player; prints and returns how that went."""
    parser = programs.arguments(__doc__, 20_000)
    parser.add_argument("--teacher", default="mcts:100")
    parser.add_argument("--explore", type=float, default=0.1, help="share of decisions that are random instead")
    parser.add_argument("--epochs", type=int, default=10)
    parser.add_argument("--batch-size", type=int, default=128)
    parser.add_argument("--width", type=int, default=256)
    parser.add_argument("--learning-rate", type=float, default=1e-3)
    parser.add_argument("--eval-games", type=int, default=1000)
    settings = parser.parse_args(arguments)
    settings.steps = programs.decisions(parser, settings)
    torch.manual_seed(settings.seed)
    torch.set_num_threads(1)  # networks this small do not gain by more
    game = load(settings.game).configure(settings.options)
    network = learn(game, settings)
    if settings.out:
        programs.hand_in(settings.out, network, game, settings.steps, vars(settings))
    if not settings.eval_games:
        return None
    result = evaluate(Learnt(network), "random", game, settings.eval_games, settings.seed + 1)
    print(table([result]))
    return result


if __name__ == "__main__":
    main()
