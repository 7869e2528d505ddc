"""Games with plenty: pieces with which everybody has much and everything is cheap, so that supplies run out.

Rules must hold with all pieces that a game accepts. Ends that need a dozen towns in one game, say, are hardly ever met
with the printed pieces, and often with these.
"""

from __future__ import annotations

import copy
from collections.abc import Mapping
from typing import Any

from theogony.envs.core.conformance.base import Case
from theogony.envs.core.game import GameSpec

# What is put in place of the printed pieces; `*` stands for every key or place.
PLENTY: Mapping[str, Mapping[tuple[str, ...], str]] = {
    "terra_mystica": {
        ("factions", "*", "start"): "30 C 15 W 3 P",
        ("factions", "*", "income"): "20 C 10 W 2 P",
        ("factions", "*", "cost", "*"): "1 W 1 C",
        ("factions", "*", "digging", "spade", "*"): "1 W",
    },
}


def with_plenty(spec: GameSpec, name: str | None = None) -> Case:
    """The game for as many as can play it, with plenty; `name`: the game of which `spec` is a copy."""
    options = {"players": max(spec.players)}
    pieces = copy.deepcopy(spec.configure(options).components)
    for path, value in PLENTY[name or spec.name].items():
        _put(pieces, path, value)
    return Case(f"{options['players']} players, plenty", spec.configure(options, pieces), 1, 0)


def _put(pieces: Any, path: tuple[str, ...], value: str) -> None:
    """Write a value at every place that a path names. Raises KeyError where there is none."""
    key, *rest = path
    keys: list[Any] = [key] if key != "*" else list(pieces if isinstance(pieces, dict) else range(len(pieces)))
    for each in keys:
        if rest:
            _put(pieces[each], tuple(rest), value)
        elif isinstance(pieces, dict) and each not in pieces:
            raise KeyError(f"{each!r} is no piece of the game")
        else:
            pieces[each] = value
