"""Theogony: modern board games as reinforcement-learning environments.

`games()` names them, `make()` gives a PettingZoo AEC environment, `make_vec()` many games in one Stable-Baselines3
`VecEnv`; importing the package registers the Gymnasium ids (`theogony/PushOfFaith-v0` ...).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from theogony.envs.core.aec import GameEnv

__version__ = "0.1.0"
__all__ = ["__version__", "games", "make"]


def games() -> list[str]:
    """Names of the registered games."""
    from theogony.envs import GAMES

    return list(GAMES)


def make(name: str, **arguments: Any) -> GameEnv:
    """The AEC environment of a game: `make("push_of_faith", players=3, reward="rank", render_mode="ansi")`.

    `name` is a registered game or the module of your own ("package.module:SPEC"). Raises UnknownGame or OptionError.
    """
    from theogony.envs import load
    from theogony.envs.core.aec import env_function

    return env_function(load(name))(**arguments)
