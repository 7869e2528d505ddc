"""How much a seat could guess of the other's hand in Innovation, beyond what it can rule out.

Search draws hidden cards evenly among those that are possible. Here the reference player plays itself, one decision
ahead, and a network learns from what a seat sees which cards the other holds. If it says more than an even draw, search
would gain from drawing as it says.

    python tools/belief.py [STEPS]
"""

from __future__ import annotations

import argparse

import numpy as np
import torch
from torch import nn

from theogony.envs.core.batch import Batch
from theogony.envs.core.players import Views, make_player
from theogony.envs.core.registry import load
from theogony.envs.innovation.components import CARDS
from theogony.envs.innovation.state import cards_in

ROWS, SHARE, EPOCHS = 64, 0.04, 6


def positions(steps: int) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor, torch.Tensor]:
    """For each hidden card of the other's hand: what was seen, possible cards, the card, the game's number."""
    game = load("innovation").configure()
    batch = Batch(game, ROWS, 5, seat="random", opponents="greedy@reference", observation="float")
    player, rng, age = make_player("greedy@reference", game), np.random.default_rng(1), np.asarray(game.tables[0].age)
    seen, possible, held, games = [], [], [], []
    for _ in range(steps):
        for row in np.flatnonzero(rng.random(ROWS) < SHARE):
            g, seat = batch.states[row], int(batch.rows[row]["seat"])
            unknown = np.ones(CARDS, bool)
            unknown[cards_in(g["known"][seat])] = False
            for card in cards_in(g["hand"][1 - seat]):
                others = unknown & (age == age[card])
                if unknown[card] and others.sum() > 1:
                    seen.append(batch.observations[row].copy())
                    possible.append(others)
                    held.append(card)
                    games.append(ROWS * int(batch.rows[row]["episode"]) + row)
        batch.step(np.asarray(player.act(Views.of(batch), rng)))
    return torch.tensor(np.array(seen)), torch.tensor(np.array(possible)), torch.tensor(held), torch.tensor(games)


def main() -> None:
    """Play, learn from four of five games, and print the mean logarithm of the likelihood in the others."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("steps", nargs="?", type=int, default=6000, help="decisions in each of 64 games side by side")
    if (steps := parser.parse_args().steps) < 100:
        parser.error(f"steps={steps}: at least 100 was expected, or there are too few cards to learn from")
    seen, possible, held, games = positions(steps)
    test = games % 5 == 0
    print(f"{len(held)} cards, {int(test.sum())} of them in games that nothing learns from")
    print(f"even draw: {-torch.log(possible[test].sum(1).float()).mean().item():.3f}")
    models = {
        "a weight for each card": (nn.Linear(1, CARDS), torch.ones(len(held), 1)),
        "a network": (nn.Sequential(nn.Linear(seen.shape[1], 256), nn.ReLU(), nn.Linear(256, CARDS)), seen),
    }
    for name, (model, inputs) in models.items():
        optimizer = torch.optim.AdamW(model.parameters(), 1e-3, weight_decay=1e-2)
        for epoch in range(EPOCHS):
            for rows in torch.randperm(int((~test).sum())).split(256):
                chosen = torch.nonzero(~test).ravel()[rows]
                loss = -likelihood(model, inputs[chosen], possible[chosen], held[chosen]).mean()
                optimizer.zero_grad()
                loss.backward()
                optimizer.step()
            with torch.no_grad():
                found = likelihood(model, inputs[test], possible[test], held[test]).mean().item()
            print(f"{name}, epoch {epoch + 1}: {found:.3f}", flush=True)


def likelihood(model: nn.Module, inputs: torch.Tensor, possible: torch.Tensor, held: torch.Tensor) -> torch.Tensor:
    """The logarithm of what the model gives the card that is held, among the possible ones."""
    shares = torch.log_softmax(model(inputs).masked_fill(~possible, -1e9), 1)
    return shares[torch.arange(len(held)), held]


if __name__ == "__main__":
    main()
