"""`TimeLimit`: an AEC environment that is truncated after a number of decisions."""

from __future__ import annotations

import copy
from typing import Any

from gymnasium.utils import EzPickle
from pettingzoo import AECEnv
from pettingzoo.utils import BaseWrapper

from theogony.envs.core.actions import IllegalAction
from theogony.envs.core.arguments import whole_number


class Parts(list):
    """An environment taken apart: (class, attributes) of each wrapper and of what is inside, the outermost first."""


def take_apart(env: Any) -> Any:
    """What to copy or pickle for an environment so that it keeps its place in the game.

    Most of PettingZoo's environments are `EzPickle`: copied or pickled they begin anew, from the arguments of their
    constructor. Those are taken apart; others are returned as they are.
    """
    if not isinstance(env.unwrapped, EzPickle):
        return env
    parts = Parts()
    while env is not None:
        attributes = dict(vars(env))
        inside = attributes.pop("env", None)
        parts.append((type(env), attributes))
        env = inside
    return parts


def put_together(parts: Any) -> Any:
    """The environment that `take_apart` has taken apart."""
    if not isinstance(parts, Parts):
        return parts
    env = None
    for kind, attributes in reversed(parts):
        outer = object.__new__(kind)
        outer.__dict__.update(attributes)
        if env is not None:
            outer.__dict__["env"] = env
        env = outer
    return env


def clone_env(env: Any) -> Any:
    """A copy of an environment in mid-game: its own `clone` where it has one, which is cheaper."""
    return env.clone() if hasattr(env, "clone") else put_together(copy.deepcopy(take_apart(env)))


class CopiesWithEnv:
    """Copying and pickling in mid-game for a class whose attribute `env` is an AEC environment."""

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "env": take_apart(self.__dict__["env"])}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self.__dict__["env"] = put_together(state["env"])


# ---- `TimeLimit`: an AEC environment that is truncated after a number of decisions -------------------------------


class TimeLimit(CopiesWithEnv, BaseWrapper[str, Any, Any]):
    """Truncates every agent after `decisions` decisions of all agents together. A game that ends by its rules at that
    very moment is a termination.

    `clone`, `undo` and `key` are those of the environment inside, where it has them.
    """

    def __init__(self, env: AECEnv[str, Any, Any], decisions: int) -> None:
        """Raises ValueError for what is no number of decisions."""
        super().__init__(env)
        self.decisions: int = whole_number(decisions, "a time limit is a number of decisions")
        self.elapsed: int = 0
        self.cut_off: bool = False

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin a new game and count from zero."""
        self.env.reset(seed=seed, options=options)
        self.elapsed = 0
        self.cut_off = False

    def step(self, action: Any) -> None:
        """One decision; None for an agent whose game has ended."""
        agent = self.env.agent_selection
        if not self.env.agents:
            raise IllegalAction("the game is over and every agent has left it: call reset()", action)
        if self.cut_off:
            self.env.unwrapped._was_dead_step(action)  # the environment inside believes that the game goes on
            return
        alive = not (self.env.terminations[agent] or self.env.truncations[agent])
        self.env.step(action)
        self.elapsed += alive
        if alive and self.elapsed >= self.decisions and not all(self.env.terminations.values()):
            self._cut()

    def _cut(self) -> None:
        self.cut_off = True
        for agent in self.env.agents:
            self.env.truncations[agent] = not self.env.terminations[agent]

    @property
    def infos(self) -> dict[str, dict[str, Any]]:
        """The infos inside; their action masks are one everywhere once it is truncated."""
        infos = self.env.infos
        if self.cut_off:
            for info in infos.values():
                if "action_mask" in info:
                    info["action_mask"][:] = 1
        return infos

    def observe(self, agent: str) -> Any:
        """The observation inside; its action mask is one everywhere once it is truncated."""
        observation = self.env.observe(agent)
        if self.cut_off and isinstance(observation, dict) and "action_mask" in observation:
            observation["action_mask"][:] = 1
        return observation

    def last(self, observe: bool = True) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """Observation, cumulative reward, terminated, truncated and info of the agent that is to act."""
        if not self.cut_off:
            return self.env.last(observe)
        return super().last(observe)

    def clone(self) -> TimeLimit:
        """An independent copy in mid-game."""
        other = copy.copy(self)
        other.env = clone_env(self.env)
        return other

    def undo(self) -> int:
        """Take the last decision back and return it; a truncated game goes on. Raises IndexError."""
        action = self.env.undo()  # pyright: ignore[reportAttributeAccessIssue]
        self.elapsed -= 1
        self.cut_off = False
        return action
