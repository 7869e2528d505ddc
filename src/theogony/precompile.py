"""`theogony compile`: rules compiled in advance, for this user or for a wheel.

Every entry point that users meet is called once for every layout of a game (observations grow with the players). Each
layout is the task of a process of its own.
"""

from __future__ import annotations

import hashlib
import json
import os
import time
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor, as_completed
from multiprocessing import get_context
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

import numba
import numpy as np

from theogony.console import interrupt
from theogony.envs.core.compile import prebuilt
from theogony.envs.core.compile.cache_files import cache_folder, read_entry
from theogony.envs.core.game import Game, GameSpec
from theogony.envs.core.jit import INTERPRETED, SPARING, versions
from theogony.envs.core.position import Position
from theogony.envs.core.registry import load
from theogony.envs.core.untrusted.files import replace_file

Done = TypeVar("Done")


class Made(NamedTuple):
    """The outcome of one task."""

    game: str
    options: dict[str, Any]
    seconds: float  # of the processor
    compiled: int  # rules
    keys: list[str]  # of the machine code that was used


class Problem(ValueError):
    """A baseline that is unknown, or a folder in which nothing can be compiled for it."""


def meet(game: Game) -> None:
    """Call every compiled entry point of a game that users meet, on as little as possible."""
    from theogony import bench
    from theogony.envs.core.aec import GameEnv
    from theogony.envs.core.players import KernelPlay
    from theogony.training.players.plan_player import Planner, PlanOptions
    from theogony.training.players.search import Search, SearchOptions

    env = GameEnv(game)
    env.reset(seed=1)
    position, stream = env.position, np.array([7], np.uint64)
    position.play(KernelPlay(game).choose(position, 0.0, stream))
    position.undo()
    KernelPlay(game).choose(position, 1.0, stream)
    for ask in (position.observe, position.value):
        ask(0)
    for tell in (position.scores, position.standings, lambda: position.rewards("margin")):
        tell()
    for halving in (False, True):  # players and analyses, and the hints at a table
        Search(game, SearchOptions(iterations=1, halving=halving)).choose(position.states, position.now, stream)
    Planner(game, PlanOptions(1)).choose(position.states, position.now, stream)
    position.clone().resample(0, stream)
    _meet_pictures(position)
    bench.compiled_chooser(game)(np.ones(game.actions.size, np.int8))
    bench.playout_burst(game)(0.0)
    _meet_batch(game)


def _meet_pictures(position: Position) -> None:
    """Pictures and reasons of scores call rules as they need them: so at the start and at the end of a game."""
    game, dice = position.game, np.random.default_rng(1)
    for _ in range(2):
        for who in (None, 0, "all"):
            game.spec.render_text(game, position.g, who)
            game.spec.render_svg(game, position.g, who)
        if game.spec.breakdown is not None:
            game.spec.breakdown(game, position.g)
        while not position.over:
            position.play(dice.choice(position.legal_actions()))


def _meet_batch(game: Game) -> None:
    from theogony.envs.core.batch import Batch
    from theogony.envs.core.batches.shaping import Shaping
    from theogony.envs.core.players import GreedyPlayer, Views
    from theogony.envs.core.thinking.lookahead_scores import batch_lookahead

    batch = Batch(game, 2, seed=1, opponents="greedy", seat=0)
    batch.step(batch.sample())
    GreedyPlayer(game).act(Views.of(batch), np.random.default_rng(1))
    batch_lookahead(batch)
    Shaping(batch, "value", 1.0).begin()
    batch.load_state_dict(batch.state_dict())


def layouts(spec: GameSpec) -> list[dict[str, Any]]:
    """Options of which each makes other machine code of a game; its default is the first."""
    found: dict[Any, dict[str, Any]] = {}
    for options in ({}, *({**given, "players": n} for given in spec.option_sets for n in _players(spec, given))):
        game = spec.configure(options)
        found.setdefault((game.state, game.tables.dtype, game.features.dtype, game.actions.size), options)
    return list(found.values())


def _players(spec: GameSpec, given: dict[str, Any]) -> Iterable[int]:
    return (given["players"],) if "players" in given else spec.players


def task(name: str, options: dict[str, Any]) -> Made:
    """Compile one layout in this process, or find that it is compiled already."""
    from theogony.envs.core.compile.cache import machine_code
    from theogony.envs.core.compile.progress import COMPILING

    COMPILING.quiet = True  # the process that waits for this one says how far it is
    started = time.process_time()
    meet(load(name).configure(options))
    return Made(name, options, time.process_time() - started, COMPILING.done, machine_code())


def run(names: list[str], jobs: int, say: Callable[[int, int, str], None] = lambda done, of, text: None) -> list[Made]:
    """Compile games into the cache of this user, so many processes at once.

    The first layout of every game comes first, since the others use most of its code. `say` is told how many layouts
    are done, of how many, and which was the last. Raises Problem where this Numba keeps no rules.
    """
    if not INTERPRETED and SPARING is None:
        raise Problem(f"rules that Numba {numba.__version__} compiles cannot be kept: expected Numba {versions()}")
    wanted = {name: layouts(load(name)) for name in names}
    waves = (
        [(name, found[0]) for name, found in wanted.items()],
        [(name, options) for name, found in wanted.items() for options in found[1:]],
    )
    total, made = sum(map(len, waves)), []
    for wave in waves:  # a process a task: it holds the machine code of one layout, and tells exactly what that needs
        for one in each_alone(jobs, task, wave):
            made.append(one)
            say(len(made), total, one.game)
    return made


def each_alone(jobs: int, work: Callable[..., Done], given: Iterable[tuple[Any, ...]]) -> Iterator[Done]:
    """What comes of `work` with each of these arguments, as it is done: each in a new process, so many at once."""
    spawn = get_context("spawn")
    with ProcessPoolExecutor(jobs, spawn, interrupt.end_with_parent, max_tasks_per_child=1) as pool:
        for future in as_completed([pool.submit(work, *arguments) for arguments in given]):
            yield future.result()


def megabytes(keys: Iterable[str]) -> float:
    """Size of entries of the user's cache; what came with the package does not count."""
    paths = [cache_folder() / key for key in set(keys)]
    return sum(path.stat().st_size for path in paths if path.exists()) / 1e6


# ---------------------------------------------------------------------------------------------------- for a wheel


def aim_at(baseline: str) -> None:
    """Let this process and those that it starts compile for a baseline. Raises Problem."""
    if baseline not in prebuilt.BASELINES:
        raise Problem(f"baseline {baseline!r}: expected one of {', '.join(prebuilt.BASELINES)}")
    if not prebuilt.has(prebuilt.host_features(), baseline):
        raise Problem(f"baseline {baseline}: this processor lacks some of its features, and compiling runs the code")
    os.environ["NUMBA_CPU_NAME"], os.environ["NUMBA_CPU_FEATURES"] = baseline, prebuilt.BASELINES[baseline]
    os.environ["THEOGONY_PREBUILT"] = ""


def write_folder(folder: Path, baseline: str, keys: Iterable[str]) -> float:
    """Copy compiled rules out of the user's cache into a folder, with their manifest. Returns its size in megabytes.

    What else the folder holds of an earlier build is removed.
    """
    folder.mkdir(parents=True, exist_ok=True)
    folder.chmod(0o755)
    files, size = {}, 0
    for key in sorted(set(keys)):
        content = read_entry(key)
        files[key], size = hashlib.sha256(content).hexdigest(), size + len(content)
        replace_file(folder / key, content)
        (folder / key).chmod(0o644)
    manifest = {"baseline": baseline, "built_with": prebuilt.built_with(), "files": files}
    replace_file(folder / prebuilt.MANIFEST, json.dumps(manifest, indent=1).encode())
    (folder / prebuilt.MANIFEST).chmod(0o644)
    for path in folder.iterdir():
        if path.name not in files and path.name != prebuilt.MANIFEST:
            path.unlink()
    return size / 1e6
