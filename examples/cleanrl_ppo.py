"""PPO with action masks in one file, in the manner of CleanRL: PyTorch, a batch of games, and nothing hidden.

    python examples/cleanrl_ppo.py

Every row of `BatchVectorEnv` is a game in which the agent plays one seat; the others play inside, so that each step is
one decision of the agent in each game. At the end it plays against a random player.
"""

from __future__ import annotations

import argparse
from dataclasses import dataclass, fields

import numpy as np
import torch
from torch import nn
from torch.distributions import Categorical

from theogony.envs import load
from theogony.envs.core.players import make_player
from theogony.training.rating.evaluate import Result, evaluate, table
from theogony.wrappers import BatchVectorEnv


@dataclass
class Args:
    """What the command line can change."""

    game: str = "orbis"  # with as many players as it has by default
    opponents: str = "random"  # or "greedy", "greedy:0.3": greedy in 30 % of its decisions
    reward: str = ""  # the one that the game is learnt from soonest: in most how far ahead at the end
    seed: int = 0
    num_envs: int = 128
    total_steps: int = 300_000
    n_steps: int = 64  # decisions in each game between two updates
    minibatches: int = 16
    epochs: int = 3
    learning_rate: float = 1e-3  # at the beginning; it falls to nothing
    gamma: float = 1.0  # the reward comes at the end of a short game
    gae_lambda: float = 0.95
    clip: float = 0.2
    ent_coef: float = 0.005
    vf_coef: float = 0.5
    max_grad_norm: float = 0.5
    width: int = 128
    eval_games: int = 1000


def layer(inputs: int, outputs: int, gain: float = 2**0.5) -> nn.Linear:
    """A linear layer that begins orthogonal."""
    linear = nn.Linear(inputs, outputs)
    nn.init.orthogonal_(linear.weight, gain)
    nn.init.zeros_(linear.bias)
    return linear


class Agent(nn.Module):
    """Policy and value over two shared layers."""

    def __init__(self, inputs: int, actions: int, width: int) -> None:
        super().__init__()
        self.body = nn.Sequential(layer(inputs, width), nn.ReLU(), layer(width, width), nn.ReLU())
        self.actor, self.critic = layer(width, actions, 0.01), layer(width, 1, 1.0)

    def forward(self, observations: torch.Tensor, masks: torch.Tensor) -> tuple[Categorical, torch.Tensor]:
        """How likely each action is, zero where it is not legal, and the value (n,) of the positions."""
        hidden = self.body(observations)
        logits = self.actor(hidden).masked_fill(~masks, -1e8)
        return Categorical(logits=logits, validate_args=False), self.critic(hidden).squeeze(-1)

    @torch.no_grad()
    def act(self, observations: np.ndarray, masks: np.ndarray, seats: np.ndarray) -> np.ndarray:
        """The likeliest action for every view, int64 (n,): a policy as `theogony` takes it."""
        return self(torch.as_tensor(observations), torch.as_tensor(masks).bool())[0].logits.argmax(1).numpy()


class Rollout:
    """What `n_steps` steps of all games gave; the first axis is time."""

    def __init__(self, steps: int, envs: int, inputs: int, actions: int) -> None:
        self.observations = torch.zeros(steps, envs, inputs)
        self.masks = torch.zeros(steps, envs, actions, dtype=torch.bool)
        self.actions = torch.zeros(steps, envs, dtype=torch.int64)
        self.logprobs, self.rewards, self.values, self.dones = (torch.zeros(steps, envs) for _ in range(4))

    def advantages(self, next_value: torch.Tensor, gamma: float, gae_lambda: float) -> torch.Tensor:
        """How much better each step went than the value had said: generalised advantage estimation."""
        result, following = torch.zeros_like(self.rewards), torch.zeros_like(next_value)
        for t in reversed(range(len(result))):
            goes_on = 1.0 - self.dones[t]
            surprise = self.rewards[t] + gamma * next_value * goes_on - self.values[t]
            result[t] = following = surprise + gamma * gae_lambda * goes_on * following
            next_value = self.values[t]
        return result


def collect(envs: BatchVectorEnv, agent: Agent, rollout: Rollout, seen: tuple, gamma: float) -> tuple:
    """Play `n_steps` decisions in every game. `seen` is what the agent sees now; returns what it sees afterwards."""
    for t in range(len(rollout.rewards)):
        policy, values = agent(*seen)
        actions = policy.sample()
        rollout.observations[t], rollout.masks[t] = seen
        rollout.actions[t], rollout.logprobs[t], rollout.values[t] = actions, policy.log_prob(actions), values
        observations, rewards, terminated, truncated, infos = envs.step(actions.numpy())
        for row in np.flatnonzero(truncated):  # a game that was cut off would have brought what its last view is worth
            last = torch.as_tensor(infos["final_obs"][row])
            rewards[row] += gamma * agent.critic(agent.body(last)).item()
        rollout.rewards[t], rollout.dones[t] = torch.as_tensor(rewards), torch.as_tensor(terminated | truncated)
        seen = torch.as_tensor(observations), torch.as_tensor(infos["action_mask"]).bool()  # of the next game, if over
    return seen


def update(agent: Agent, optimizer: torch.optim.Optimizer, rollout: Rollout, advantages: torch.Tensor, args: Args):
    """PPO over the rollout in minibatches."""
    flat = {name: value.flatten(0, 1) for name, value in vars(rollout).items()}
    advantages = advantages.flatten()
    returns = advantages + flat["values"]
    for _ in range(args.epochs):
        for rows in torch.randperm(len(returns)).chunk(args.minibatches):
            policy, values = agent(flat["observations"][rows], flat["masks"][rows])
            ratio = (policy.log_prob(flat["actions"][rows]) - flat["logprobs"][rows]).exp()
            gain = advantages[rows]
            gain = (gain - gain.mean()) / (gain.std() + 1e-8)
            policy_loss = -torch.min(gain * ratio, gain * ratio.clamp(1 - args.clip, 1 + args.clip)).mean()
            value_loss = 0.5 * (values - returns[rows]).square().mean()
            loss = policy_loss + args.vf_coef * value_loss - args.ent_coef * policy.entropy().mean()
            optimizer.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(agent.parameters(), args.max_grad_norm)
            optimizer.step()


def train(args: Args) -> Agent:
    """An agent that has played `total_steps` decisions."""
    torch.manual_seed(args.seed)
    torch.set_num_threads(1)  # networks this small do not gain by more
    game = load(args.game).configure({})
    envs = BatchVectorEnv(game, args.num_envs, opponents=args.opponents, reward=args.reward or game.learning_reward)
    agent = Agent(game.features.length, game.actions.size, args.width)
    optimizer = torch.optim.Adam(agent.parameters(), lr=args.learning_rate)
    rollout = Rollout(args.n_steps, args.num_envs, game.features.length, game.actions.size)
    observations, infos = envs.reset(seed=args.seed)
    seen = torch.as_tensor(observations), torch.as_tensor(infos["action_mask"]).bool()
    updates = max(1, args.total_steps // (args.n_steps * args.num_envs))
    for number in range(updates):
        optimizer.param_groups[0]["lr"] = args.learning_rate * (1 - number / updates)
        with torch.no_grad():
            seen = collect(envs, agent, rollout, seen, args.gamma)
            advantages = rollout.advantages(agent(*seen)[1], args.gamma, args.gae_lambda)
        update(agent, optimizer, rollout, advantages, args)
        if number % 10 == 9 and rollout.dones.any():
            steps, mean = (number + 1) * rollout.dones.numel(), rollout.rewards.sum() / rollout.dones.sum()
            print(f"{steps:>9,} steps, mean reward {mean:+.3f}", flush=True)
    return agent


def main(arguments: list[str] | None = None) -> Result:
    """Train, then play against a random player; prints and returns how that went."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for field in fields(Args):
        kind = type(field.default)
        parser.add_argument(
            f"--{field.name.replace('_', '-')}", type=kind, default=field.default, help=f"{kind.__name__}"
        )
    args = Args(**vars(parser.parse_args(arguments)))
    game = load(args.game).configure({})
    player = make_player(train(args).act, game)
    result = evaluate(player, "random", game, args.eval_games, args.seed + 1)
    print(table([result]))
    return result


if __name__ == "__main__":
    main()
