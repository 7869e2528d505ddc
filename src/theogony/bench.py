"""Decisions per second of every game, with PettingZoo's Connect Four in the same run as a yardstick.

The measurements take turns (machines are noisy), each figure is the median of its repeats, and everything is compiled
before the clock starts.
"""

from __future__ import annotations

import json
import os
import platform
import random
import statistics
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from theogony.envs.core.aec import GameEnv
from theogony.envs.core.batch import Batch
from theogony.envs.core.files import replace_file
from theogony.envs.core.game import GameSpec
from theogony.envs.core.kernels import kernels, pick

GAMES_IN_BATCH = 2048
YARDSTICK = "connect_four_v3 (PettingZoo)"
Measure = Callable[[float], float]  # seconds to spend -> decisions per second


def run(specs: list[GameSpec], *, seconds: float, repeats: int, track: Any = None) -> dict[str, Any]:
    """Measure the games, by default options. Returns the machine and the figures: game -> what -> decisions/s."""
    measures: dict[tuple[str, str], Measure] = {}
    for spec in specs:
        measures.update({(spec.name, what): measure for what, measure in _of(spec).items()})
    if yardstick := _connect_four():
        measures[YARDSTICK, "AEC, NumPy"] = yardstick
    for measure in measures.values():
        measure(0.0)  # compiles
    found: dict[tuple[str, str], list[float]] = {key: [] for key in measures}
    turns = [key for _ in range(repeats) for key in measures]
    for key in track(turns, "measuring") if track else turns:
        found[key].append(measures[key](seconds))
    figures: dict[str, dict[str, float]] = {}
    for (game, what), rates in found.items():
        figures.setdefault(game, {})[what] = round(statistics.median(rates))
    return {"machine": machine(), "seconds": seconds, "repeats": repeats, "figures": figures}


def machine() -> dict[str, Any]:
    """What the figures were measured on."""
    load = os.getloadavg()[0] if hasattr(os, "getloadavg") else None
    return {"platform": platform.platform(), "python": platform.python_version(), "cores": os.cpu_count(), "load": load}


def table(result: dict[str, Any]) -> str:
    """The figures as text, a line each, with the ratio to the yardstick where the same was measured."""
    figures = result["figures"]
    yard = figures.get(YARDSTICK, {})
    lines = [f"{'game':<30}{'what':<34}{'decisions/s':>14}"]
    for game, rates in figures.items():
        for what, rate in rates.items():
            ratio = f"   {rate / yard[what]:.1f} x connect_four_v3" if what in yard and game != YARDSTICK else ""
            lines.append(f"{game:<30}{what:<34}{rate:>14,.0f}{ratio}")
    return "\n".join(lines)


def write_json(result: dict[str, Any], path: Path) -> None:
    """The same as JSON, all of the file or none of it."""
    replace_file(path, (json.dumps(result, indent=1) + "\n").encode())


# ---------------------------------------------------------------------------------------------------- measurements


def _of(spec: GameSpec) -> dict[str, Measure]:
    game = spec.configure({})
    many = f"batch of {GAMES_IN_BATCH:,}"
    return {
        "AEC, NumPy": lambda seconds: _aec(GameEnv(game), _choose_numpy, seconds),
        "AEC, compiled sampler": lambda seconds: _aec(GameEnv(game), _choose_compiled(), seconds),
        "raw playouts": lambda seconds: _raw(spec, seconds),
        f"{many}, 1 thread": _batch(game, 1),
        f"{many}, 2 threads": _batch(game, 2),
    }


def _aec(env: Any, choose: Callable[[np.ndarray], int], seconds: float) -> float:
    """The plain loop: `last()`, a uniform legal action, `step()`; resets are part of it."""
    decisions, seed, started = 0, 0, time.perf_counter()
    while True:
        env.reset(seed=seed)
        seed += 1
        while True:
            observation, _, terminated, truncated, _ = env.last()
            if terminated or truncated:
                break
            env.step(choose(observation["action_mask"]))
            decisions += 1
        passed = time.perf_counter() - started
        if passed >= seconds:
            return decisions / passed


def _choose_numpy(mask: np.ndarray) -> int:
    legal = np.flatnonzero(mask)
    return int(legal[int(random.random() * len(legal))])


def _choose_compiled() -> Callable[[np.ndarray], int]:
    stream = np.array([1], np.uint64)
    return lambda mask: pick(mask, len(mask), stream)


def _raw(spec: GameSpec, seconds: float) -> float:
    """Whole games at random inside the kernel, one thread, without observations."""
    game, k = spec.configure({}), kernels(spec)
    states, mask, stream = game.new_states(1), np.zeros(game.actions.size, np.int8), np.array([1], np.uint64)
    decisions, seed, started = 0, 0, time.perf_counter()
    while True:
        decisions += k.playouts(states, 0, game.tables, mask, seed, 200 if seconds else 1, stream)
        seed += 1
        passed = time.perf_counter() - started
        if passed >= seconds:
            return decisions / passed


def _batch(game: Any, threads: int) -> Measure:
    """Every seat played from outside: observation, mask, compiled sampler, games that end followed by new ones."""
    batch = Batch(game, GAMES_IN_BATCH, 0, threads=threads)

    def measure(seconds: float) -> float:
        steps, started = 0, time.perf_counter()
        while True:
            batch.step(batch.sample())
            steps += 1
            passed = time.perf_counter() - started
            if passed >= seconds:
                return steps * batch.size / passed

    return measure


def _connect_four() -> Measure | None:
    """PettingZoo's own game; None where pygame is not installed."""
    try:
        from pettingzoo.classic import connect_four_v3
    except ImportError:
        return None
    return lambda seconds: _aec(connect_four_v3.env(), _choose_numpy, seconds)
