"""A batch of games with the interface of PufferLib's native environments: results stand in arrays that stay in place.

    python examples/puffer_env.py --game push_of_faith --num-envs 256

Needs nothing but Theogony: with PufferLib, let `PufferGames` inherit from `pufferlib.PufferEnv`, and pass the buffer
that its vectorization allocates. Its policies know nothing of masks, so an observation is the codes of the position and
behind them what is legal, as 0 and 1: the first layer cuts them apart.
"""

from __future__ import annotations

import argparse
import time
from types import SimpleNamespace
from typing import Any

import numpy as np
from gymnasium import spaces

from theogony.envs import load
from theogony.envs.core.batch import Batch
from theogony.envs.core.record import CUT_OFF, ENDED


class PufferGames:
    """`num_agents` games, of each one seat; `arguments` are those of `Batch`, `options` those of the game.

    In `observations` uint8 (num_agents, length + actions), `rewards` float32, `terminals` and `truncations` bool
    (num_agents,) every step writes anew. A game that ends is followed by the next in the same step.
    """

    def __init__(
        self, game: str, num_envs: int = 256, buf: Any = None, seed: int = 0, options: Any = None, **arguments: Any
    ) -> None:
        configured = load(game).configure(options or {})
        self.batch = Batch(configured, num_envs, seed, **{"seat": "random", **arguments})
        self.length, actions = configured.features.length, configured.actions.size
        self.num_agents: int = num_envs
        self.single_observation_space = spaces.Box(0, 255, (self.length + actions,), np.uint8)
        self.single_action_space = spaces.Discrete(actions)
        if buf is None:
            buf = SimpleNamespace(
                observations=np.zeros((num_envs, self.length + actions), np.uint8),
                rewards=np.zeros(num_envs, np.float32),
                terminals=np.zeros(num_envs, bool),
                truncations=np.zeros(num_envs, bool),
            )
        self.observations, self.rewards = buf.observations, buf.rewards
        self.terminals, self.truncations = buf.terminals, buf.truncations

    def reset(self, seed: int | None = None) -> tuple[np.ndarray, list[dict[str, float]]]:
        """New games in all rows."""
        self.batch.reset(seed)
        self._show()
        return self.observations, []

    def step(self, actions: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray, list[dict]]:
        """One decision in every game. Infos: means over the games that ended in this step."""
        self.batch.step(actions)
        self._show()
        over = self.batch.rows["over"]
        self.terminals[:], self.truncations[:] = over == ENDED, over == CUT_OFF
        ended, final = self.batch.ended()
        self.rewards[:] = 0
        self.rewards[ended] = final
        lengths = self.batch.rows["ended_length"][ended]
        infos = [{"episode_return": float(final.mean()), "episode_length": float(lengths.mean())}] if len(ended) else []
        return self.observations, self.rewards, self.terminals, self.truncations, infos

    def _show(self) -> None:
        self.observations[:, : self.length] = self.batch.codes
        self.observations[:, self.length :] = self.batch.masks

    def close(self) -> None:
        """Nothing is held open."""


def main(arguments: list[str] | None = None) -> None:
    """Play at random; prints decisions a second."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--game", default="push_of_faith")
    parser.add_argument("--num-envs", type=int, default=256)
    parser.add_argument("--steps", type=int, default=1000, help="decisions in each game")
    settings = parser.parse_args(arguments)
    env = PufferGames(settings.game, settings.num_envs)
    observations, _ = env.reset(seed=1)
    rng, begin = np.random.default_rng(1), time.perf_counter()
    for _ in range(settings.steps):
        legal = observations[:, env.length :]
        env.step((legal * rng.random(legal.shape)).argmax(1))
    rate = settings.steps * env.num_agents / (time.perf_counter() - begin)
    print(f"{settings.game}: {rate:,.0f} decisions a second")


if __name__ == "__main__":
    main()
