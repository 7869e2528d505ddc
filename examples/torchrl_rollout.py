"""TorchRL: a game in `PettingZooWrapper`, a policy with action masks that plays all seats, and steps of REINFORCE.

    python examples/torchrl_rollout.py --game push_of_faith --games 20

Needs `pip install 'theogony[examples]'`. In a tensordict all seats stand side by side under "players"; `mask` says
which of them decides, `action_mask` what it may do.
"""

from __future__ import annotations

import argparse
import warnings
from typing import Any

import torch
from tensordict import TensorDict
from tensordict.nn import TensorDictModule
from torch import nn
from torchrl.envs import PettingZooWrapper
from torchrl.modules import MaskedCategorical, ProbabilisticActor

import theogony
from theogony.envs.core.features import FeatureLayout
from theogony.training.networks.decode import Decode

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


def play(env: PettingZooWrapper, policy: ProbabilisticActor) -> TensorDict:
    """One game to its end; the first axis is time, the axis below "players" the seats."""
    with torch.no_grad():
        return env.rollout(10_000, policy)


def reinforce(policy: ProbabilisticActor, optimizer: torch.optim.Optimizer, game: TensorDict) -> float:
    """Make what the winners did likelier. Returns the loss."""
    final = game["next", GROUP, "reward"][-1].squeeze(-1)  # one number a seat
    decided = game[GROUP, "mask"]  # (time, seats): who was to decide
    log_prob = policy.get_dist(game).log_prob(game[GROUP, "action"])
    loss = -(log_prob * final)[decided].mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    return loss.item()


def main(arguments: list[str] | None = None) -> list[TensorDict]:
    """Play and learn; prints a line a game and returns the games."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--game", default="push_of_faith")
    parser.add_argument("--games", type=int, default=20)
    parser.add_argument("--seed", type=int, default=0)
    settings = parser.parse_args(arguments)
    torch.manual_seed(settings.seed)
    torch.set_num_threads(1)  # networks this small do not gain by more
    env = make_env(settings.game, settings.seed)
    policy = make_policy(env, theogony.make(settings.game).game.features)
    optimizer = torch.optim.Adam(policy.parameters(), lr=1e-3)
    games = []
    for number in range(settings.games):
        game = play(env, policy)
        loss = reinforce(policy, optimizer, game)
        final: Any = game["next", GROUP, "reward"][-1]
        rewards = ", ".join(f"{reward:+.2f}" for reward in final.flatten().tolist())
        print(f"game {number + 1}: {len(game)} decisions, rewards {rewards}, loss {loss:+.3f}")
        games.append(game)
    return games


if __name__ == "__main__":
    main()
