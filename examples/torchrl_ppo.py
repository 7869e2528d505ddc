"""TorchRL: its PPO with action masks on a batch of games, one seat against players inside the batch.

    python examples/torchrl_ppo.py --total-steps 100000

Needs the extra `examples`. At the end the policy plays against a random player.
"""

from __future__ import annotations

import argparse
from typing import Any

import numpy as np
import torch
from tensordict import TensorDict
from tensordict.nn import TensorDictModule, TensorDictSequential
from torch import nn
from torchrl.collectors import Collector
from torchrl.modules import MaskedCategorical, ProbabilisticActor, ValueOperator
from torchrl.objectives import ClipPPOLoss
from torchrl.objectives.value import GAE

from theogony.envs import load
from theogony.envs.core.game import Game
from theogony.envs.core.players import Views
from theogony.training.networks.layers import Decode
from theogony.training.rating.evaluate import Result, evaluate, table
from theogony.wrappers import TorchRLBatch

GAMES, ROWS = 64, 18  # games side by side, decisions in each between two updates
EPOCHS, PARTS = 4, 4  # how often a decision is learnt, in how many parts


def make_network(game: Game, outputs: int, scale: float, width: int = 128) -> nn.Module:
    """Two layers over the codes, and one of so many outputs."""
    first, last = nn.Linear(game.features.length, width), nn.Linear(width, outputs)
    nn.init.orthogonal_(last.weight, scale)
    return nn.Sequential(Decode(game.features), first, nn.ReLU(), nn.Linear(width, width), nn.ReLU(), last)


def make_policy(env: TorchRLBatch, game: Game) -> ProbabilisticActor:
    """What is not legal has probability zero."""
    network = make_network(game, game.actions.size, 0.01)
    keys: Any = {"logits": "logits", "mask": "action_mask"}
    return ProbabilisticActor(
        TensorDictModule(network, in_keys=["observation"], out_keys=["logits"]),
        in_keys=keys,
        distribution_class=MaskedCategorical,
        spec=env.action_spec,
        return_log_prob=True,
    )


class Learnt:
    """The policy as a player: it takes the likeliest action."""

    name = "policy"

    def __init__(self, policy: TensorDictSequential) -> None:
        self.policy = policy

    def act(self, views: Views, rng: np.random.Generator) -> np.ndarray:
        """An action for every view, int64 (n,)."""
        seen = {"observation": torch.as_tensor(views.codes), "action_mask": torch.as_tensor(views.masks > 0)}
        with torch.no_grad():
            found: Any = self.policy.get_dist(TensorDict(seen, [len(views.masks)]))
        return found.probs.argmax(1).numpy()


def learn(game: Game, env: TorchRLBatch, settings: argparse.Namespace) -> ProbabilisticActor:
    """Train for so many steps, in whole rollouts."""
    policy, critic = make_policy(env, game), ValueOperator(make_network(game, 1, 1.0))
    advantage = GAE(gamma=1.0, lmbda=0.95, value_network=critic, shifted=False)
    loss = ClipPPOLoss(policy, critic, entropy_coeff=0.005, critic_coeff=0.5, normalize_advantage=True)
    optimizer = torch.optim.Adam(loss.parameters(), lr=settings.learning_rate, eps=1e-5)
    rollout = GAMES * ROWS
    updates = max(1, settings.total_steps // rollout)
    frames: dict[str, Any] = {"frames_per_batch": rollout, "total_frames": updates * rollout}
    collector = Collector(env, policy, **frames, auto_register_policy_transforms=False)  # for recurrent ones
    for number, played in enumerate(collector):
        optimizer.param_groups[0]["lr"] = settings.learning_rate * (1 - number / updates)
        with torch.no_grad():
            advantage(played)
        decisions = played.reshape(-1)
        for _ in range(EPOCHS):
            for part in torch.randperm(rollout).chunk(PARTS):
                parts = loss(decisions[part])
                optimizer.zero_grad()
                (parts["loss_objective"] + parts["loss_critic"] + parts["loss_entropy"]).backward()
                nn.utils.clip_grad_norm_(loss.parameters(), 0.5)
                optimizer.step()
    return policy


def main(arguments: list[str] | None = None) -> Result:
    """Train, then play against a random player; prints and returns how that went."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--game", default="orbis")
    parser.add_argument("--opponents", default="random")
    parser.add_argument("--reward", help="by default the one that the game is learnt from soonest")
    parser.add_argument("--total-steps", type=int, default=100_000)
    parser.add_argument("--learning-rate", type=float, default=1e-3)
    parser.add_argument("--eval-games", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=0)
    settings = parser.parse_args(arguments)
    torch.manual_seed(settings.seed)
    torch.set_num_threads(1)  # networks this small do not gain by more
    game = load(settings.game).configure({})
    reward = settings.reward or game.learning_reward
    env = TorchRLBatch(game, GAMES, settings.seed, opponents=settings.opponents, reward=reward)
    result = evaluate(Learnt(learn(game, env, settings)), "random", game, settings.eval_games, settings.seed + 1)
    print(table([result]))
    return result


if __name__ == "__main__":
    main()
