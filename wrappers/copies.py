"""Copies of AEC environments in mid-game."""

from __future__ import annotations

import copy
from typing import Any

from gymnasium.utils import EzPickle


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
