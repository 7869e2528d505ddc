"""Decisions per second: of the AEC environment, of raw playouts and of batches, beside PettingZoo's Connect Four.

Every figure is the median of several bursts. The bursts of all figures alternate, so that a machine which is busy for
a while slows all of them alike.
"""

from __future__ import annotations

import os
import platform
import random
import statistics
import time
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import numba
import numpy as np

from theogony import __version__
from theogony.envs.core.aec import GameEnv
from theogony.envs.core.batch import Batch
from theogony.envs.core.game import Game, GameSpec
from theogony.envs.core.jit import direct
from theogony.envs.core.kernels import kernels, pick

BATCH = 2048  # games side by side
YARDSTICK = "connect_four_v3"
Burst = Callable[[float], float]  # seconds -> decisions a second
MEASURES = {
    "aec_numpy": "AEC loop, action chosen by NumPy",
    "aec_sampler": "AEC loop, compiled sampler",
    "playouts": "raw playouts",
    "batch_1": f"{BATCH} games, 1 thread",
    "batch_2": f"{BATCH} games, 2 threads",
}


def run(
    specs: Iterable[GameSpec],
    seconds: float = 0.5,
    repeats: int = 5,
    track: Callable[[Iterable[Any], str], Iterable[Any]] = lambda items, label: items,
) -> dict[str, Any]:
    """Measure games with their default options.

    Args:
        specs: the games.
        seconds: length of a burst.
        repeats: bursts of each figure.
        track: wraps the list of bursts, for a progress bar.

    Returns:
        `{"machine": {...}, "figures": [{"game", "measure", "median", "bursts"}, ...]}`, decisions a second.
    """
    bursts: dict[tuple[str, str], Burst] = {}
    for spec in specs:
        bursts |= {(spec.name, name): burst for name, burst in _bursts_of(spec.configure()).items()}
    yardstick = _yardstick()
    if yardstick is not None:
        bursts[YARDSTICK, "aec_numpy"] = yardstick
    for burst in track(list(bursts.values()), "compiling"):
        burst(0.0)
    found: dict[tuple[str, str], list[float]] = {key: [] for key in bursts}
    for key in track([key for _ in range(repeats) for key in bursts], "measuring"):
        found[key].append(bursts[key](seconds))
    figures = [
        {"game": game, "measure": name, "median": statistics.median(rates), "bursts": rates}
        for (game, name), rates in found.items()
    ]
    return {"machine": machine(), "seconds": seconds, "figures": figures}


def machine() -> dict[str, Any]:
    """What the figures depend on besides the code."""
    return {
        "theogony": __version__,
        "python": platform.python_version(),
        "numba": numba.__version__,
        "numpy": np.__version__,
        "system": f"{platform.system()} {platform.machine()}",
        "processor": _processor(),
        "cores": os.cpu_count(),
    }


def _processor() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text("utf-8").splitlines()
        return next(line.partition(":")[2].strip() for line in lines if line.startswith("model name"))
    except (OSError, StopIteration):
        return platform.processor()


def table(result: dict[str, Any]) -> str:
    """The medians as a text table, one line a game."""
    medians = {(f["game"], f["measure"]): f["median"] for f in result["figures"]}
    games = list(dict.fromkeys(game for game, _ in medians))
    lines = [f"{'decisions/s':<18}" + "".join(f"{name:>14}" for name in MEASURES)]
    for game in games:
        cells = (medians.get((game, name)) for name in MEASURES)
        lines.append(f"{game:<18}" + "".join(f"{'' if rate is None else f'{rate:,.0f}':>14}" for rate in cells))
    return "\n".join(lines)


# ---------------------------------------------------------------------------------------------------- bursts


def _bursts_of(game: Game) -> dict[str, Burst]:
    return {
        "aec_numpy": aec_burst(GameEnv(game), choose_by_numpy),
        "aec_sampler": aec_burst(GameEnv(game), compiled_chooser(game)),
        "playouts": playout_burst(game),
        "batch_1": batch_burst(game, 1),
        "batch_2": batch_burst(game, 2),
    }


def _yardstick() -> Burst | None:
    """PettingZoo's Connect Four, where its library is installed."""
    try:
        from pettingzoo.classic import connect_four_v3
    except ImportError:
        return None
    return aec_burst(connect_four_v3.env(), choose_by_numpy)


def choose_by_numpy(mask: np.ndarray) -> int:
    """A uniformly drawn legal action by NumPy and one random number."""
    legal = np.flatnonzero(mask)
    return legal[int(random.random() * len(legal))]


def compiled_chooser(game: Game) -> Callable[[np.ndarray], int]:
    """What draws a legal action uniformly by the compiled sampler, as `choose_by_numpy` does with NumPy."""
    size, stream = game.actions.size, np.array([7], np.uint64)
    sample = direct(pick, np.zeros(size, np.int8), size, stream)
    return lambda mask: sample(mask, size, stream)


def aec_burst(env: Any, choose: Callable[[np.ndarray], int]) -> Burst:
    """Whole games of any AEC environment whose observation holds an `action_mask`."""
    env.reset(seed=7)

    def burst(seconds: float) -> float:
        decisions, start = 0, time.perf_counter()
        while True:
            env.reset()
            while True:
                observation, _, terminated, truncated, _ = env.last()
                if terminated or truncated:
                    break
                env.step(choose(observation["action_mask"]))
                decisions += 1
            elapsed = time.perf_counter() - start
            if elapsed >= seconds:
                return decisions / elapsed

    return burst


def playout_burst(game: Game) -> Burst:
    """Games inside the kernel, without observations."""
    states, mask = game.new_states(1), np.zeros(game.actions.size, np.int8)
    play, stream, seeds = kernels(game.spec).playouts, np.array([7], np.uint64), iter(range(2**62))

    def burst(seconds: float) -> float:
        decisions, games, start = 0, 1, time.perf_counter()
        while True:
            decisions += play(states, 0, game.tables, mask, np.uint64(next(seeds)), games, stream)
            elapsed = time.perf_counter() - start
            if elapsed >= seconds:
                return decisions / elapsed
            games = min(2 * games, 1000)

    return burst


def batch_burst(game: Game, threads: int) -> Burst:
    """A batch with observations, masks, autoreset and the compiled sampler."""
    batch: list[Batch] = []  # made in the first burst: its kernels take the longest to compile

    def burst(seconds: float) -> float:
        if not batch:
            batch.append(Batch(game, BATCH, seed=7, threads=threads))
        decisions, start = 0, time.perf_counter()
        while True:
            batch[0].step(batch[0].sample())
            decisions += BATCH
            elapsed = time.perf_counter() - start
            if elapsed >= seconds:
                return decisions / elapsed

    return burst
