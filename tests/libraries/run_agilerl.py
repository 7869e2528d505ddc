"""What AgileRL's page on self-play does, in an environment of its own: `run_agilerl.py GAME...`.

Its DQN plays seat 0 of PettingZoo's environment by the masks, others play at random. A seat may decide several times in
a row, so a transition goes from one decision of the seat to its next, and not from turn to turn.
"""

import sys

import numpy as np
import torch
from agilerl.algorithms.dqn import DQN
from agilerl.components.data import Transition
from agilerl.components.replay_buffer import ReplayBuffer

import theogony


def play(game: str) -> int:
    """Games until it has learnt a few times; returns how many games there were."""
    env = theogony.make(game)
    space = env.observation_space("player_0")["observation"]
    agent = DQN(space, env.action_space("player_0"), batch_size=16, net_config={"latent_dim": 8})
    memory, rng = ReplayBuffer(max_size=500), np.random.default_rng(0)
    episodes, losses = 0, []
    while len(losses) < 2:
        env.reset(seed=episodes)
        episodes, before = episodes + 1, None
        for name in env.agent_iter():
            view, reward, terminated, truncated, _ = env.last()
            over = terminated or truncated
            if name != "player_0":
                env.step(None if over else int(rng.choice(np.flatnonzero(view["action_mask"]))))
                continue
            if before is not None:
                keep(memory, before, reward, view["observation"], over)
            action = None if over else int(agent.get_action(view["observation"], 0.5, view["action_mask"])[0])
            before = view["observation"], action
            env.step(action)
        if len(memory) >= 16:
            losses.append(agent.learn(memory.sample(16)))
    assert np.isfinite(losses).all()
    return episodes


def keep(memory: ReplayBuffer, before: tuple, reward: float, seen: np.ndarray, over: bool) -> None:
    """Put a transition into the memory."""
    moved = Transition(obs=before[0], action=before[1], reward=reward, next_obs=seen, done=over)
    rows = moved.to_tensordict().unsqueeze(0)
    rows.batch_size = [1]
    memory.add(rows)


if __name__ == "__main__":
    torch.set_num_threads(1)
    for game in sys.argv[1:]:
        print(game, play(game))
