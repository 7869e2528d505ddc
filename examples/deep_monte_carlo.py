"""Deep Monte Carlo over the rows of actions, in the manner of DouZero, with what `cleanrl_ppo.py` has beside it.

    python examples/deep_monte_carlo.py

A network is given what a seat sees and the entries of it that an action is about (`game.action_rows`), and predicts
what the rest of the game will bring. The agent plays the action with the highest prediction, and at times any other.
When a game is over, each of its decisions is a target: what came of it. There is no bootstrap, no policy and no value.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import torch
from cleanrl_ppo import SHAPED, RowNet, parser, play
from torch import nn

from theogony.envs import load
from theogony.envs.core.game import Game
from theogony.training.rating.evaluate import Result, table
from theogony.wrappers import BatchVectorEnv


@dataclass
class Args:
    """What the command line can change."""

    game: str = "push_of_faith"  # with as many players as it has by default
    opponents: str = "random"
    reward: str = ""  # the one that the game is learnt from soonest, such as the own points
    shaping: str = ""  # what is paid out as it changes, by the rules alone: the same, if it can be; or "none"
    seed: int = 0
    num_envs: int = 128
    total_steps: int = 800_000
    n_steps: int = 36  # decisions in each game between two rounds of learning
    epsilon: float = 0.1  # share of decisions that are drawn, at the beginning; it falls to a tenth
    batch_size: int = 512
    epochs: int = 2
    learning_rate: float = 1e-3  # at the beginning; it falls to nothing
    width: int = 256  # of the shared layer
    row_width: int = 128  # of the layers over rows of actions; 0: without
    eval_games: int = 1000


class Expected(nn.Module):
    """What the rest of a game will bring after each action."""

    def __init__(self, game: Game, args: Args) -> None:
        super().__init__()
        self.body = nn.Sequential(nn.Linear(game.features.length, args.width), nn.ReLU())
        self.plain = nn.Linear(args.width, game.actions.size)
        self.state = nn.Linear(args.width, 1)
        first, kinds = game.actions.first, game.action_rows.items() if args.row_width else ()
        self.rows = nn.ModuleList(RowNet(first[k], rows.places, args.width, args.row_width) for k, rows in kinds)

    def forward(self, observations: torch.Tensor, masks: torch.Tensor) -> torch.Tensor:
        """The returns (n, actions) of the actions of `masks`; what stands at the others means nothing."""
        hidden = self.body(observations)
        found, padded = self.plain(hidden) + self.state(hidden), nn.functional.pad(observations, (0, 1))
        for net in self.rows:
            found = net(found, padded, hidden, masks)
        return found

    @torch.no_grad()
    def act(self, observations: np.ndarray, masks: np.ndarray, seats: np.ndarray) -> np.ndarray:
        """The best action of every view, int64 (n,): a policy as `theogony` takes it."""
        legal = torch.as_tensor(masks).bool()
        return self(torch.as_tensor(observations), legal).masked_fill(~legal, -torch.inf).argmax(1).numpy()


class Games:
    """The decisions of games that go on, and what came of those in games that are over."""

    def __init__(self, count: int) -> None:
        self.going: list[list[tuple]] = [[] for _ in range(count)]
        self.over: list[tuple] = []  # view, action, return

    def add(self, views: np.ndarray, actions: np.ndarray, rewards: np.ndarray, ended: np.ndarray) -> None:
        """Take in a decision of every game."""
        for game, *decision, end in zip(self.going, views, actions, rewards, ended, strict=True):
            game.append(tuple(decision))
            if end:
                result = 0.0
                for view, action, reward in reversed(game):
                    result += reward
                    self.over.append((view, action, result))
                game.clear()

    def taken(self) -> list[torch.Tensor]:
        """Views, actions and returns of games that are over, which are forgotten here."""
        columns = [np.array(column) for column in zip(*self.over, strict=True)]
        self.over.clear()
        return [torch.as_tensor(column) for column in columns]


def collect(envs: BatchVectorEnv, agent: Expected, games: Games, seen: tuple, steps: int, epsilon: float) -> tuple:
    """Play `steps` decisions in every game, a share of them drawn. Returns what the agent sees afterwards."""
    for _ in range(steps):
        views, masks = seen
        actions = agent.act(views, masks, np.zeros(len(masks), np.int64))
        drawn = envs.np_random.random(len(actions)) < epsilon
        actions[drawn] = (envs.np_random.random(masks.shape) * masks).argmax(1)[drawn]
        after, rewards, terminated, truncated, infos = envs.step(actions)
        games.add(views, actions, rewards, terminated | truncated)
        seen = after, infos["action_mask"]
    return seen


def learn(agent: Expected, optimizer: torch.optim.Optimizer, games: Games, args: Args) -> None:
    """Bring what is expected of the actions that were played nearer to what came of them."""
    views, actions, returns = games.taken()
    for _ in range(args.epochs):
        for rows in torch.randperm(len(actions)).split(args.batch_size):
            played = torch.zeros(len(rows), agent.plain.out_features, dtype=torch.bool)
            played[torch.arange(len(rows)), actions[rows]] = True
            loss = (agent(views[rows], played)[played] - returns[rows].float()).square().mean()
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()


def train(args: Args) -> Expected:
    """A network that has played `total_steps` decisions."""
    torch.manual_seed(args.seed)
    torch.set_num_threads(1)  # networks this small do not gain by more
    game = load(args.game).configure({})
    reward = args.reward or game.learning_reward
    shaping = args.shaping or (reward if reward in SHAPED else "none")
    envs = BatchVectorEnv(game, args.num_envs, opponents=args.opponents, reward=reward, shaping=shaping)
    agent, games = Expected(game, args), Games(args.num_envs)
    print(f"before learning\n{table(play(agent, game, args))}", flush=True)
    optimizer = torch.optim.Adam(agent.parameters(), lr=args.learning_rate)
    views, infos = envs.reset(seed=args.seed)
    seen = views, infos["action_mask"]
    rounds = max(1, args.total_steps // (args.n_steps * args.num_envs))
    for number in range(rounds):
        left = 1 - number / rounds
        optimizer.param_groups[0]["lr"] = args.learning_rate * left
        seen = collect(envs, agent, games, seen, args.n_steps, args.epsilon * max(left, 0.1))
        if games.over:
            learn(agent, optimizer, games, args)
    return agent


def main(arguments: list[str] | None = None) -> list[Result]:
    """Train, then play against the random and the greedy player; prints and returns how that went."""
    args = Args(**vars(parser(Args, __doc__).parse_args(arguments)))
    results = play(train(args), load(args.game).configure({}), args)
    print(f"after {args.total_steps:,} decisions\n{table(results)}")
    return results


if __name__ == "__main__":
    main()
