"""Damaged data for every reader: what a stranger could send, made from what is right by a few changes.

`python tests/fuzzing.py GAME SEED COUNT [DECISIONS]` changes the components of a game COUNT times and plays those that
pass the checks. With NUMBA_DISABLE_JIT=1 the rules are interpreted: every index is checked, and every overflow.
"""

from __future__ import annotations

import copy
import json
import random
import sys
import traceback
import warnings
from collections.abc import Iterator
from typing import Any

import numpy as np

from theogony.envs import load
from theogony.envs.core.game import ComponentError, Game, GameSpec
from theogony.envs.core.position import Position

NUMBERS = (-(2**63), -129, -128, -2, -1, 0, 1, 2, 3, 4, 5, 9, 10, 12, 30, 99, 100, 127, 128, 255, 300, 32767, 2**31)
OTHERS = (None, True, 1.5, "", "x", "-1", "9 C", "\x1b[2J", [], {}, [0], [[]], {"a": 1})


def places(data: Any) -> Iterator[tuple[Any, Any]]:
    """Every (container, key) in plain data."""
    items = data.items() if isinstance(data, dict) else enumerate(data) if isinstance(data, list) else ()
    for key, value in list(items):
        yield data, key
        yield from places(value)


def changed(data: Any, rng: random.Random, changes: int = 2) -> Any:
    """A copy of plain data with a few entries replaced, swapped, doubled or removed; most of them small numbers."""
    data = copy.deepcopy(data)
    for _ in range(rng.randint(1, changes)):
        found = list(places(data))
        if not found:
            return data
        numbers = [(inside, key) for inside, key in found if type(inside[key]) is int]
        inside, key = rng.choice(numbers if numbers and rng.random() < 0.6 else found)
        kind = rng.random()
        if type(inside[key]) is int and kind < 0.8:
            inside[key] = rng.choice(NUMBERS) if kind < 0.4 else inside[key] + rng.choice((-2, -1, 1, 2, 5))
        elif kind < 0.75:
            other, name = rng.choice([place for place in found if type(place[0][place[1]]) is type(inside[key])])
            inside[key] = copy.deepcopy(other[name])
        elif kind < 0.85:
            inside[key] = copy.deepcopy(rng.choice(OTHERS))
        elif isinstance(inside, list) and kind < 0.93:
            inside.insert(rng.randrange(len(inside) + 1), copy.deepcopy(inside[key]))
        else:
            del inside[key]
    return data


def play(game: Game, seed: int, decisions: int) -> None:
    """Play at random and look at everything that rules work out. Raises what interpreted rules raise."""
    rng, position = random.Random(seed), Position(game, seed)
    for k in range(decisions):
        if position.over:
            break
        legal = position.legal_actions()
        if not len(legal):
            raise AssertionError(f"decision {k}: nothing is legal")
        if k % 10 == 0:
            look(position, k)
        position.play(int(rng.choice(legal)))
    look(position, decisions)


def look(position: Position, seed: int) -> None:
    """Scores, observations and values, of the position and of an alternative."""
    assert np.isfinite(position.scores()).all() and np.isfinite(position.standings()).all()
    other = position.clone()
    other.resample(position.actor, np.array([seed], np.uint64))
    for seat in range(position.game.players):
        assert np.isfinite(position.observe(seat)).all()
        assert np.isfinite(other.value(seat))


def components(spec: GameSpec, seed: int, count: int, decisions: int = 200) -> Iterator[tuple[bool, str]]:
    """Change the components of a game and play with them: whether they passed the checks, and what went wrong then."""
    rng = random.Random(seed)
    whole = json.loads(json.dumps(spec.configure().components))
    for _ in range(count):
        data, players = changed(whole, rng), rng.choice(spec.players)
        chosen = {**rng.choice(spec.option_sets), "players": players}
        if "heroes" in chosen:  # of so many players
            chosen = {"players": players}
        try:
            game = spec.configure(chosen, data)
        except ComponentError as error:
            yield False, "" if str(error).isprintable() else f"the message has several lines: {error}"
            continue
        try:
            play(game, rng.randrange(1000), decisions)
            yield True, ""
        except Exception:
            where = [f"{a} -> {b}" for a, b in differences(whole, data)]
            yield True, f"{spec.name}, players {players}: {'; '.join(where)}: {traceback.format_exc(limit=-2)}"


def differences(a: Any, b: Any, path: str = "") -> Iterator[tuple[str, str]]:
    """Where two plain data differ."""
    if isinstance(a, dict) and isinstance(b, dict) and a.keys() == b.keys():
        for key in a:
            yield from differences(a[key], b[key], f"{path}.{key}")
    elif isinstance(a, list) and isinstance(b, list) and len(a) == len(b):
        for k, (x, y) in enumerate(zip(a, b, strict=True)):
            yield from differences(x, y, f"{path}[{k}]")
    elif a != b:
        yield f"{path}: {a!r:.80}", f"{b!r:.80}"


def main() -> int:
    """Print what went wrong, then how many were tried and how many passed the checks."""
    spec, seed, count = load(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3])
    warnings.simplefilter("error", RuntimeWarning)  # of overflow, in NumPy's integers
    results = list(components(spec, seed, count, *map(int, sys.argv[4:])))
    for _, problem in results:
        if problem:
            print(problem)
    print(f"{spec.name}: {count} changed, {sum(passed for passed, _ in results)} played")
    return any(problem for _, problem in results)


if __name__ == "__main__":
    sys.exit(main())
