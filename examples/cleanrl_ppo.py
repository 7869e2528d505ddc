"""PPO with action masks in one file, in the manner of CleanRL: PyTorch, a batch of games, and nothing hidden.

    python examples/cleanrl_ppo.py
    python examples/cleanrl_ppo.py --device cuda --num-envs 16384 --total-steps 100000000

Every row of `BatchVectorEnv` is a game in which the agent plays one seat; the others play inside, so that each step is
one decision of the agent in each game. It learns from the observation alone, and from points as they are made
(`shaping`). Beside a plain layer, `RowNet` judges each action by the entries of the observation that the action is
about (`game.action_rows`): the squares around a placement, the tile that a push brings. Before it has learnt anything
and at the end it plays against the random and the greedy player. With `--device cuda` games and networks are on a GPU
and nothing leaves it; points are not paid as they are made there.
"""

from __future__ import annotations

import argparse
import time
from dataclasses import dataclass, fields
from typing import Any

import numpy as np
import torch
from torch import nn
from torch.distributions import Categorical

import theogony
from theogony.envs import load
from theogony.envs.core.game import Game
from theogony.envs.core.players import make_player
from theogony.training.rating.evaluate import Result, evaluate, table
from theogony.wrappers import BatchVectorEnv

Envs = Any  # BatchVectorEnv, or theogony.cuda.batch.CudaVectorEnv, which gives the same as tensors on its device
SHAPED = ("points", "margin", "progress")  # rewards that grow while a game goes on


@dataclass
class Args:
    """What the command line can change."""

    game: str = "push_of_faith"  # with as many players as it has by default
    opponents: str = "random"  # or "greedy", "greedy:0.3": greedy in 30 % of its decisions
    reward: str = ""  # the one that the game is learnt from soonest, such as the own points
    shaping: str = ""  # what is paid out as it changes, by the rules alone: the same, if it can be; or "none"
    seed: int = 0
    num_envs: int = 64
    total_steps: int = 500_000
    n_steps: int = 36  # decisions in each game between two updates
    minibatches: int = 9
    epochs: int = 3
    learning_rate: float = 1e-3  # at the beginning; it falls to nothing
    gamma: float = 1.0  # games are short
    gae_lambda: float = 0.7
    clip: float = 0.2
    ent_coef: float = 0.003
    vf_coef: float = 8.0  # rewards are small numbers
    max_grad_norm: float = 0.5
    width: int = 256  # of the shared layer
    row_width: int = 128  # of the layers over rows of actions; 0: without
    eval_games: int = 1000
    device: str = "cpu"  # or "cuda": of the games and of the networks


class RowNet(nn.Module):
    """What is added to the logits of one kind of action: all its actions pass through the same layers."""

    places: torch.Tensor  # (actions of the kind, k)

    def __init__(self, first: int, places: np.ndarray, context: int, width: int) -> None:
        super().__init__()
        self.first = first
        self.register_buffer("places", torch.as_tensor(places.astype(np.int64)))
        self.row, self.context = nn.Linear(places.shape[1], width), nn.Linear(context, 2 * width, bias=False)
        self.last = nn.Linear(width, 1)

    def forward(self, logits: torch.Tensor, seen: torch.Tensor, hidden: torch.Tensor, masks: torch.Tensor):
        """The logits (n, actions) with what the rows of legal actions say; `seen` ends with a zero, which -1 names."""
        game, action = masks[:, self.first : self.first + len(self.places)].nonzero(as_tuple=True)
        rows = seen[game[:, None], self.places[action]]
        factor, shift = self.context(hidden)[game].chunk(2, 1)  # what is on the table decides what counts in a row
        judged = self.last(torch.relu(self.row(rows) * (1 + factor) + shift))[:, 0]
        return logits.index_put((game, self.first + action), judged, accumulate=True)


class Agent(nn.Module):
    """Policy and value over a shared layer, and layers over the rows of actions."""

    def __init__(self, game: Game, args: Args) -> None:
        super().__init__()
        self.body = nn.Sequential(nn.Linear(game.features.length, args.width), nn.ReLU())
        self.actor = nn.Linear(args.width, game.actions.size)
        self.critic = nn.Sequential(nn.Linear(args.width, 128), nn.ReLU(), nn.Linear(128, 1))
        nn.init.orthogonal_(self.actor.weight, 0.01)  # all actions nearly equal
        kinds = game.action_rows.items() if args.row_width else ()
        first = game.actions.first
        self.rows = nn.ModuleList(RowNet(first[k], rows.places, args.width, args.row_width) for k, rows in kinds)

    def forward(self, observations: torch.Tensor, masks: torch.Tensor) -> tuple[Categorical, torch.Tensor]:
        """How likely each action is, zero where it is not legal, and the value (n,) of the positions."""
        hidden = self.body(observations)
        logits, padded = self.actor(hidden), nn.functional.pad(observations, (0, 1))
        for net in self.rows:
            logits = net(logits, padded, hidden, masks)
        logits = logits.masked_fill(~masks, -1e8)
        return Categorical(logits=logits, validate_args=False), self.critic(hidden).squeeze(-1)

    @torch.no_grad()
    def act(self, observations: np.ndarray, masks: np.ndarray, seats: np.ndarray) -> np.ndarray:
        """The likeliest action for every view, int64 (n,): a policy as `theogony` takes it."""
        return self(torch.as_tensor(observations), torch.as_tensor(masks).bool())[0].logits.argmax(1).numpy()


class Rollout:
    """What `n_steps` steps of all games gave; the first axis is time."""

    def __init__(self, steps: int, envs: int, inputs: int, actions: int, device: Any) -> None:
        self.observations = torch.zeros(steps, envs, inputs, device=device)
        self.masks = torch.zeros(steps, envs, actions, dtype=torch.bool, device=device)
        self.actions = torch.zeros(steps, envs, dtype=torch.int64, device=device)
        self.logprobs, self.rewards, self.values, self.dones = torch.zeros(4, steps, envs, device=device)

    def advantages(self, next_value: torch.Tensor, gamma: float, gae_lambda: float) -> torch.Tensor:
        """How much better each step went than the value had said: generalised advantage estimation."""
        result, following = torch.zeros_like(self.rewards), torch.zeros_like(next_value)
        for t in reversed(range(len(result))):
            goes_on = 1.0 - self.dones[t]
            surprise = self.rewards[t] + gamma * next_value * goes_on - self.values[t]
            result[t] = following = surprise + gamma * gae_lambda * goes_on * following
            next_value = self.values[t]
        return result


def collect(envs: Envs, agent: Agent, rollout: Rollout, seen: tuple, gamma: float) -> tuple:
    """Play `n_steps` decisions in every game. `seen` is what the agent sees now; returns what it sees afterwards."""
    for t in range(len(rollout.rewards)):
        policy, values = agent(*seen)
        actions = policy.sample()
        rollout.observations[t], rollout.masks[t] = seen
        rollout.actions[t], rollout.logprobs[t], rollout.values[t] = actions, policy.log_prob(actions), values
        observations, rewards, terminated, truncated, infos = envs.step(actions)
        rollout.rewards[t], rollout.dones[t] = torch.as_tensor(rewards), torch.as_tensor(terminated | truncated)
        if truncated.any():  # a game that was cut off would have brought what its last view is worth
            cut, views = torch.as_tensor(truncated), torch.as_tensor(last_views(envs))
            rollout.rewards[t, cut] += gamma * agent.critic(agent.body(views[cut])).squeeze(-1)
        seen = torch.as_tensor(observations), torch.as_tensor(infos["action_mask"]).bool()  # of the next game, if over
    return seen


def last_views(envs: Envs) -> np.ndarray | torch.Tensor:
    """What was seen last in the games that have ended, (num_envs, length)."""
    return envs.batch.last_observations if isinstance(envs, BatchVectorEnv) else envs.last_observations()


def update(agent: Agent, optimizer: torch.optim.Optimizer, rollout: Rollout, advantages: torch.Tensor, args: Args):
    """PPO over the rollout in minibatches."""
    flat = {name: value.flatten(0, 1) for name, value in vars(rollout).items()}
    advantages = advantages.flatten()
    returns = advantages + flat["values"]
    for _ in range(args.epochs):
        for rows in torch.randperm(len(returns), device=returns.device).chunk(args.minibatches):
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
    envs, agent = games_of(args), Agent(game, args)
    device = "cpu" if isinstance(envs, BatchVectorEnv) else envs.device
    print(f"before learning\n{table(play(agent, game, args))}", flush=True)
    optimizer = torch.optim.Adam(agent.to(device).parameters(), lr=args.learning_rate)
    rollout = Rollout(args.n_steps, args.num_envs, game.features.length, game.actions.size, device)
    observations, infos = envs.reset(seed=args.seed)
    seen = torch.as_tensor(observations), torch.as_tensor(infos["action_mask"]).bool()
    updates, started = max(1, args.total_steps // (args.n_steps * args.num_envs)), time.perf_counter()
    for number in range(updates):
        optimizer.param_groups[0]["lr"] = args.learning_rate * (1 - number / updates)
        with torch.no_grad():
            seen = collect(envs, agent, rollout, seen, args.gamma)
            advantages = rollout.advantages(agent(*seen)[1], args.gamma, args.gae_lambda)
        update(agent, optimizer, rollout, advantages, args)
        if number % 20 == 19 and rollout.dones.any():
            steps, mean = (number + 1) * rollout.dones.numel(), rollout.rewards.sum() / rollout.dones.sum()
            pace = steps / (time.perf_counter() - started)
            print(f"{steps:>9,} steps, {pace:,.0f} a second, mean reward of a game {mean:+.3f}", flush=True)
    return agent.cpu()


def games_of(args: Args) -> Envs:
    """The games, on the processor or on a GPU."""
    game = load(args.game).configure({})
    reward = args.reward or game.learning_reward
    if args.device != "cpu":
        given = {"opponents": args.opponents, "reward": reward, "shaping": args.shaping or "none"}
        return theogony.make_vec(args.game, args.num_envs, device=args.device, **given)
    shaping = args.shaping or (reward if reward in SHAPED else "none")
    return BatchVectorEnv(game, args.num_envs, opponents=args.opponents, reward=reward, shaping=shaping)


def play(agent: Any, game: Game, args: Any) -> list[Result]:
    """How an agent with `act` does against the random and the greedy player, seats rotated."""
    player = make_player(agent.act, game)
    return [evaluate(player, other, game, args.eval_games, args.seed + 1) for other in ("random", "greedy")]


def parser(kind: type, what: str | None) -> argparse.ArgumentParser:
    """The command line that sets the fields of a dataclass."""
    found = argparse.ArgumentParser(description=what, formatter_class=argparse.RawDescriptionHelpFormatter)
    for field in fields(kind):
        given = type(field.default)
        found.add_argument(f"--{field.name.replace('_', '-')}", type=given, default=field.default, help=given.__name__)
    return found


def main(arguments: list[str] | None = None) -> list[Result]:
    """Train, then play against the random and the greedy player; prints and returns how that went."""
    args = Args(**vars(parser(Args, __doc__).parse_args(arguments)))
    results = play(train(args), load(args.game).configure({}), args)
    print(f"after {args.total_steps:,} decisions\n{table(results)}")
    return results


if __name__ == "__main__":
    main()
