"""The components as a game plays them: with the health and the strengths that its options make of them."""

from __future__ import annotations

from typing import Any
from weakref import WeakKeyDictionary

from theogony.envs.god_of_war.components.in_force import in_force
from theogony.envs.god_of_war.state import settings

_FOUND: WeakKeyDictionary[Any, dict[str, Any]] = WeakKeyDictionary()


def played(game: Any) -> dict[str, Any]:
    """The component data of a game with the numbers in force; texts and pictures read these."""
    if game not in _FOUND:
        _FOUND[game] = in_force(game.components, settings(game.options))
    return _FOUND[game]


def scene_of(game: Any, scenario: int) -> dict[str, Any]:
    """The scene of a scenario, counted from 0."""
    return next(scene for scene in played(game)["scenes"] if scene["id"] == scenario + 1)
