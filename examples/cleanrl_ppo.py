"""PPO with action masks in one file, in the manner of CleanRL: PyTorch, a batch of games, and nothing hidden.

    python examples/cleanrl_ppo.py --total-steps 1000000

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
from theogony.envs.core.features import FeatureLayout
from theogony.envs.core.players import Views
from theogony.training.networks.decode import Decode
from theogony.training.rating.evaluate import Result, evaluate, table
from theogony.wrappers import BatchVectorEnv


@dataclass
class Settings:
    """What the command line can change."""

    game: str = "push_of_faith"  # with as many players as it has by default
    opponents: str = "random"  # or "greedy", "greedy:0.3": greedy in 30 % of its decisions
    reward: str = "margin"  # how far ahead at the end, which tells more than won or lost
    seed: int = 0
    num_envs: int = 64
    total_steps: int = 100_000
    n_steps: int = 36  # decisions in each game between two updates
    minibatches: int = 4
    epochs: int = 4
    learning_rate: float = 1e-3
    gamma: float = 1.0
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

    def __init__(self, layout: FeatureLayout, actions: int, width: int) -> None:
        super().__init__()
        first, second = layer(layout.length, width), layer(width, width)
        self.body = nn.Sequential(Decode(layout), first, nn.ReLU(), second, nn.ReLU())  # codes become floats first
        self.actor, self.critic = layer(width, actions, 0.01), layer(width, 1, 1.0)

    def forward(self, observations: torch.Tensor, masks: torch.Tensor) -> tuple[Categorical, torch.Tensor]:
        """How likely each action is, zero where it is not legal, and the value (n,) of the positions."""
        hidden = self.body(observations)
        logits = self.actor(hidden).masked_fill(~masks, -1e8)
        return Categorical(logits=logits, validate_args=False), self.critic(hidden).squeeze(-1)


class Rollout:
    """What `n_steps` steps of all games gave; the first axis is time."""

    def __init__(self, steps: int, envs: int, observation_length: int, actions: int) -> None:
        self.observations = torch.zeros(steps, envs, observation_length, dtype=torch.uint8)
        self.masks = torch.zeros(steps, envs, actions, dtype=torch.bool)
        self.actions = torch.zeros(steps, envs, dtype=torch.int64)
        self.logprobs, self.rewards, self.values = (torch.zeros(steps, envs) for _ in range(3))
        self.dones = torch.zeros(steps, envs)  # the game ended with this step

    def advantages(self, last_value: torch.Tensor, gamma: float, gae_lambda: float) -> torch.Tensor:
        """How much better each step went than the value had said: generalised advantage estimation."""
        result, following = torch.zeros_like(self.rewards), torch.zeros_like(last_value)
        next_value = last_value
        for t in reversed(range(len(result))):
            goes_on = 1.0 - self.dones[t]
            surprise = self.rewards[t] + gamma * next_value * goes_on - self.values[t]
            result[t] = following = surprise + gamma * gae_lambda * goes_on * following
            next_value = self.values[t]
        return result


def masks_of(infos: dict) -> torch.Tensor:
    """What is legal in every game, bool (num_envs, actions)."""
    return torch.as_tensor(infos["action_mask"]).bool()


def collect(envs: BatchVectorEnv, agent: Agent, rollout: Rollout, seen: tuple, gamma: float) -> tuple:
    """Play `n_steps` decisions in every game. `seen` is what the agent sees now; returns what it sees afterwards."""
    observations, masks = seen
    for t in range(len(rollout.rewards)):
        with torch.no_grad():
            policy, rollout.values[t] = agent(observations, masks)
        actions = policy.sample()
        rollout.observations[t], rollout.masks[t] = observations, masks
        rollout.actions[t], rollout.logprobs[t] = actions, policy.log_prob(actions)
        found, rewards, terminated, truncated, infos = envs.step(actions.numpy())
        rollout.rewards[t] = torch.as_tensor(rewards)
        for row in np.flatnonzero(truncated):  # a game that was cut off would have brought what its last view is worth
            with torch.no_grad():
                last = torch.as_tensor(infos["final_obs"][row]).unsqueeze(0)
                rollout.rewards[t, row] += gamma * agent.critic(agent.body(last)).item()
        rollout.dones[t] = torch.as_tensor(terminated | truncated)
        observations, masks = torch.as_tensor(found), masks_of(infos)  # of the next game where one has ended
    return observations, masks


def update(agent: Agent, optimizer: torch.optim.Optimizer, rollout: Rollout, advantages: torch.Tensor, s: Settings):
    """PPO: several passes over the rollout in minibatches."""
    flat = {name: value.flatten(0, 1) for name, value in vars(rollout).items()}
    advantages = advantages.flatten()
    returns = advantages + flat["values"]
    for _ in range(s.epochs):
        for rows in torch.randperm(len(returns)).chunk(s.minibatches):
            policy, values = agent(flat["observations"][rows], flat["masks"][rows])
            ratio = (policy.log_prob(flat["actions"][rows]) - flat["logprobs"][rows]).exp()
            gain = advantages[rows]
            gain = (gain - gain.mean()) / (gain.std() + 1e-8)
            policy_loss = -torch.min(gain * ratio, gain * ratio.clamp(1 - s.clip, 1 + s.clip)).mean()
            value_loss = 0.5 * (values - returns[rows]).square().mean()
            loss = policy_loss + s.vf_coef * value_loss - s.ent_coef * policy.entropy().mean()
            optimizer.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(agent.parameters(), s.max_grad_norm)
            optimizer.step()


class Learnt:
    """The agent as a player: it takes the likeliest action."""

    name = "agent"

    def __init__(self, agent: Agent) -> None:
        self.agent = agent

    def act(self, views: Views, rng: np.random.Generator) -> np.ndarray:
        """An action for every view, int64 (n,)."""
        with torch.no_grad():
            policy, _ = self.agent(torch.as_tensor(views.codes), torch.as_tensor(views.masks).bool())
        return policy.logits.argmax(1).numpy()


def train(s: Settings) -> Agent:
    """An agent that has played `total_steps` decisions."""
    torch.manual_seed(s.seed)
    torch.set_num_threads(1)  # networks this small do not gain by more
    game = load(s.game).configure({})
    envs = BatchVectorEnv(
        game, s.num_envs, seat="random", opponents=s.opponents, reward=s.reward, observation="compact"
    )
    length, actions = game.features.length, game.actions.size
    agent = Agent(game.features, actions, s.width)
    optimizer = torch.optim.Adam(agent.parameters(), lr=s.learning_rate, eps=1e-5)
    rollout = Rollout(s.n_steps, s.num_envs, length, actions)
    observations, infos = envs.reset(seed=s.seed)
    seen = torch.as_tensor(observations), masks_of(infos)
    updates = max(1, s.total_steps // (s.n_steps * s.num_envs))
    for number in range(updates):
        optimizer.param_groups[0]["lr"] = s.learning_rate * (1 - number / updates)
        seen = collect(envs, agent, rollout, seen, s.gamma)
        with torch.no_grad():
            last_value = agent(*seen)[1]
        update(agent, optimizer, rollout, rollout.advantages(last_value, s.gamma, s.gae_lambda), s)
        ended = rollout.dones.bool()
        if number % 10 == 9 and ended.any():
            steps = (number + 1) * rollout.dones.numel()
            print(f"{steps:>9,} steps, mean reward {rollout.rewards[ended].mean():+.3f}")
    return agent


def main(arguments: list[str] | None = None) -> Result:
    """Train, then play against a random player; prints and returns how that went."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for field in fields(Settings):
        kind = type(field.default)
        parser.add_argument(
            f"--{field.name.replace('_', '-')}", type=kind, default=field.default, help=f"{kind.__name__}"
        )
    settings = Settings(**vars(parser.parse_args(arguments)))
    game = load(settings.game).configure({})
    result = evaluate(Learnt(train(settings)), "random", game, settings.eval_games, settings.seed + 1)
    print(table([result]))
    return result


if __name__ == "__main__":
    main()
