"""TorchRL: a game in `PettingZooWrapper`, a policy with action masks that plays all seats, and steps of REINFORCE.

    python examples/torchrl_rollout.py --game push_of_faith --games 1000

Needs the extra `examples`. In a tensordict all seats stand side by side under "players"; `mask` says
which of them decides, `action_mask` what it may do. At the end the policy plays against a random player.
"""

from __future__ import annotations

import argparse
import warnings
from typing import Any

import numpy as np
import torch
from tensordict import TensorDict
from tensordict.nn import TensorDictModule
from torch import nn
from torchrl.envs import PettingZooWrapper
from torchrl.modules import MaskedCategorical, ProbabilisticActor

import theogony
from theogony.envs import load
from theogony.envs.core.features import FeatureLayout
from theogony.envs.core.players import Views
from theogony.training.networks.layers import Decode
from theogony.training.rating.evaluate import Result, evaluate, table

GROUP = "players"


def make_env(game: str, seed: int) -> PettingZooWrapper:
    """A game with all its seats in one group, so that one forward pass serves them."""
    env = theogony.make(game, observation="compact")  # uint8 codes, which the network decodes
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="PettingZoo in TorchRL")  # about its version
        return PettingZooWrapper(env, use_mask=True, group_map={GROUP: env.possible_agents}, seed=seed)


def make_policy(env: PettingZooWrapper, layout: FeatureLayout, width: int = 64) -> ProbabilisticActor:
    """A network that all seats share; what is not legal has probability zero."""
    actions = env.observation_spec[GROUP, "action_mask"].shape[-1]
    network = nn.Sequential(Decode(layout), nn.Linear(layout.length, width), nn.ReLU(), nn.Linear(width, actions))
    keys: Any = {"logits": (GROUP, "logits"), "mask": (GROUP, "action_mask")}
    return ProbabilisticActor(
        TensorDictModule(network, in_keys=[(GROUP, "observation", "observation")], out_keys=[(GROUP, "logits")]),
        in_keys=keys,
        out_keys=[(GROUP, "action")],
        distribution_class=MaskedCategorical,
        spec=env.full_action_spec[GROUP, "action"],
        return_log_prob=False,
    )


class Learnt:
    """The policy as a player: it takes the likeliest action."""

    name = "policy"

    def __init__(self, policy: ProbabilisticActor) -> None:
        self.policy = policy

    def act(self, views: Views, rng: np.random.Generator) -> np.ndarray:
        """An action for every view, int64 (n,)."""
        mask = torch.as_tensor(views.masks).bool()
        seen = {"observation": {"observation": torch.as_tensor(views.codes)}, "action_mask": mask}
        with torch.no_grad():
            found: Any = self.policy.get_dist(TensorDict({GROUP: TensorDict(seen, [len(mask)])}, [len(mask)]))
        return found.probs.argmax(1).numpy()


def play(env: PettingZooWrapper, policy: ProbabilisticActor) -> TensorDict:
    """One game to its end; the first axis is time, the axis below "players" the seats."""
    with torch.no_grad():
        return env.rollout(10_000, policy)


def reinforce(policy: ProbabilisticActor, optimizer: torch.optim.Optimizer, games: list[TensorDict]) -> float:
    """Make what the winners did likelier, and what the losers did less. Returns the loss."""
    loss = torch.zeros(())
    for game in games:
        final = game["next", GROUP, "reward"][-1].squeeze(-1)  # one number a seat
        decided = game[GROUP, "mask"]  # (time, seats): who was to decide
        log_prob = policy.get_dist(game).log_prob(game[GROUP, "action"])
        loss = loss - (log_prob * final)[decided].mean() / len(games)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    return loss.item()


def main(arguments: list[str] | None = None) -> Result:
    """Learn by playing against itself, then play against a random player; prints and returns how that went."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--game", default="push_of_faith")
    parser.add_argument("--games", type=int, default=200)
    parser.add_argument("--games-an-update", type=int, default=4)
    parser.add_argument("--learning-rate", type=float, default=1e-3)
    parser.add_argument("--eval-games", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=0)
    settings = parser.parse_args(arguments)
    torch.manual_seed(settings.seed)
    torch.set_num_threads(1)  # networks this small do not gain by more
    env, game = make_env(settings.game, settings.seed), load(settings.game).configure({})
    policy = make_policy(env, game.features)
    optimizer = torch.optim.Adam(policy.parameters(), lr=settings.learning_rate)
    for number in range(0, settings.games, settings.games_an_update):
        games = [play(env, policy) for _ in range(settings.games_an_update)]
        loss = reinforce(policy, optimizer, games)
        if number // settings.games_an_update % 10 == 0:
            print(f"game {number + 1}: {len(games[0])} decisions, loss {loss:+.3f}")
    result = evaluate(Learnt(policy), "random", game, settings.eval_games, settings.seed + 1)
    print(table([result]))
    return result


if __name__ == "__main__":
    main()
