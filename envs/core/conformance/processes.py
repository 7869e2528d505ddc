"""Properties across processes: another hash seed, a spawned worker, interpreted instead of compiled; and of batches."""

from __future__ import annotations

import multiprocessing
import os
import pickle
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from typing import Any

import numpy as np

from theogony.envs.core.batch import Batch
from theogony.envs.core.batches.kernels import CALLER
from theogony.envs.core.conformance.base import RANDOM, Case, Chooser, digest, shape_of, walk
from theogony.envs.core.game import Game
from theogony.envs.core.jit import SPARING
from theogony.envs.core.position import Position
from theogony.envs.core.record import RUNNING, from_bytes, to_bytes
from theogony.envs.core.registry import load
from theogony.envs.core.rng import mixed

INTERPRETED = 40  # decisions compared for each case; interpreted rules are some hundred times slower
ROWS, STEPS = 4, 400  # size of the batch that is compared, and decisions in each of its rows


# ---------------------------------------------------------------------------------------------------- what is compared


def transcript(game: Game, seed: int, greed: float) -> list[str]:
    """One game as a digest of bytes, mask and observation after every decision."""
    return [digest(*shape_of(position)) for position in walk(game, seed, greed)]


def transcript_by_name(module: str, options: dict[str, Any], seed: int, greed: float) -> list[str]:
    """The `transcript` of a game that is loaded by name and configured anew, its components read again."""
    return transcript(load(module if ":" in module else f"{module}:SPEC").configure(options), seed, greed)


def consequences(game: Game, seed: int, before: bytes, action: int) -> dict[str, str]:
    """Everything that the rules say about one decision from the bytes of a position; "" is the start of a game."""
    position = Position(game, seed)
    if before:
        position.begin_at(from_bytes(before, game.state))
        position.play(action)
    found = {"state": digest(position.key()), "mask": digest(position.mask)}
    for seat in range(game.players):
        found[f"observation of seat {seat}"] = digest(position.observe_codes(seat))
    found["scores"] = repr(position.scores().tolist())
    found["standings"] = repr(position.standings().tolist())
    for kind in game.spec.rewards:
        found[f"{kind} rewards"] = repr(position.rewards(kind).tolist())
    for seat in range(game.players):
        found[f"value of seat {seat}"] = f"{float(position.clone().value(seat)):.9g}"
        other = position.clone()
        other.resample(seat, np.array([seed ^ seat], np.uint64))
        found[f"resample for seat {seat}"] = digest(other.key())
    return found


# ---------------------------------------------------------------------------------------------------- other processes


def in_fresh_interpreter(function: Callable, jobs: Sequence[tuple], **variables: str) -> list[Any]:
    """`function(*job)` for every job in a new Python process with these environment variables.

    Raises RuntimeError with the last lines that the process wrote when it fails.
    """
    path = os.pathsep.join(entry for entry in sys.path if entry)
    done = subprocess.run(
        [sys.executable, "-c", f"from {__name__} import do_jobs; do_jobs()"],
        input=pickle.dumps((function, list(jobs))),
        env={**os.environ, "PYTHONPATH": path, **variables},
        capture_output=True,
        check=False,
    )
    if done.returncode:
        lines = done.stderr.decode(errors="replace").strip().splitlines()
        raise RuntimeError("; ".join(line.strip() for line in lines[-3:]))
    return pickle.loads(done.stdout)


def do_jobs() -> None:
    """In that process: jobs come in on stdin, results go out on stdout. Integer overflow is an error, which compiled
    rules do not notice, and so is division by zero, which is one in compiled rules."""
    function, jobs = pickle.load(sys.stdin.buffer)
    out = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # whatever a game prints must not mix with the results
    with np.errstate(over="raise", divide="raise"):
        results = [function(*job) for job in jobs]
    with out:
        pickle.dump(results, out)


def _games(cases: list[Case]) -> list[tuple[Game, int, float]]:
    return [(case.game, seed, greed) for case in cases for seed, greed in case.plays()]


def _same_transcripts(jobs: list[tuple[Game, int, float]], found: list[list[str]]) -> Iterator[str]:
    for job, theirs in zip(jobs, found, strict=True):
        ours = transcript(*job)
        if ours != theirs:
            ply = next((k for k, (a, b) in enumerate(zip(ours, theirs, strict=False)) if a != b), "of the end")
            yield f"{job[0]!r}, seed {job[1]}: the position after decision {ply} is another there"


def hash_seed_decides_nothing(cases: list[Case]) -> Iterator[str]:
    """A fresh interpreter with another PYTHONHASHSEED plays the same games, byte by byte."""
    jobs = _games(cases)
    by_name = [(game.spec.module, game.options.model_dump(), seed, greed) for game, seed, greed in jobs]
    other = "1" if os.environ.get("PYTHONHASHSEED") != "1" else "2"
    yield from _same_transcripts(jobs, in_fresh_interpreter(transcript_by_name, by_name, PYTHONHASHSEED=other))


def spawned_workers_agree(cases: list[Case]) -> Iterator[str]:
    """A spawned worker, to which the game is pickled, plays the same games."""
    jobs = _games(cases)
    with ProcessPoolExecutor(1, multiprocessing.get_context("spawn")) as pool:
        found = list(pool.map(transcript, *zip(*jobs, strict=True)))
    yield from _same_transcripts(jobs, found)


def interpreted_rules_agree(cases: list[Case]) -> Iterator[str]:
    """Without compilation, and with overflow as an error, every rule gives the same."""
    jobs = [job for case in cases for job in _decisions(case)]
    found = in_fresh_interpreter(consequences, jobs, NUMBA_DISABLE_JIT="1")
    for (game, seed, before, action), theirs in zip(jobs, found, strict=True):
        ours = consequences(game, seed, before, action)
        for name in ours:
            if ours[name] != theirs[name]:
                what = f"after {game.actions.text(action)!r}" if before else "at the start"
                yield f"{game!r}, seed {seed}: {name} {what}: compiled {ours[name]}, interpreted {theirs[name]}"


def _decisions(case: Case) -> Iterator[tuple[Game, int, bytes, int]]:
    """Arguments of `consequences` for the start and for decisions spread over one game."""
    seed, _ = next(case.plays())
    keys, position = [], None
    for position in walk(case.game, seed):
        keys.append(position.key())
    yield case.game, seed, b"", 0
    if position is not None and position.actions:
        for k in np.unique(np.linspace(0, position.now - 1, INTERPRETED).astype(int)):
            yield case.game, seed, keys[k], position.actions[k]


# ---------------------------------------------------------------------------------------------------- batches


def batches_play_the_same(case: Case) -> Iterator[str]:
    """Every row of a batch plays as a single position does, through the ends of its games."""
    game, seed = case.game, case.seed
    batch = Batch(game, ROWS, seed, seat="all", reward="margin")
    singles = [Position(game, mixed(seed, row, 0)) for row in range(ROWS)]
    players = [Chooser(game, row, RANDOM) for row in range(ROWS)]
    episodes = [0] * ROWS
    for step in range(STEPS):
        for row, single in enumerate(singles):
            seen = to_bytes(batch.states[row : row + 1]), batch.masks[row].tobytes(), batch.codes[row].tobytes()
            if batch.rows[row].seat != single.actor or seen != shape_of(single):
                yield f"batch seed {seed}, row {row}, step {step}: the row differs from the single game"
                return
        actions = [player.choose(single) for player, single in zip(players, singles, strict=True)]
        batch.step(np.array(actions))
        for row, single in enumerate(singles):
            single.play(actions[row])
            if batch.rows[row].over != single.over:
                yield f"batch seed {seed}, row {row}, step {step}: over is {batch.rows[row].over}, not {single.over}"
                return
            if single.over != RUNNING:
                if batch.rows[row].rewards[: game.players].tolist() != single.rewards("margin").tolist():
                    yield f"batch seed {seed}, row {row}, step {step}: the rewards differ"
                episodes[row] += 1
                single.reset(mixed(seed, row, episodes[row]))


def no_rule_allocates(cases: list[Case]) -> Iterator[str]:
    """No compiled rule that a batch calls asks for memory: a device has none to give (`theogony/cuda`). Interpreted,
    there is nothing to look at."""
    if SPARING is None:
        return
    from theogony.envs.core.compile.cache import code_of
    from theogony.envs.core.compile.linking import ALLOCATES, Part

    for library in _libraries(Batch(cases[0].game, 1, 0)):
        if any(name.encode() in code_of(library) for name in ALLOCATES):
            also = "" if isinstance(library, Part) else ", or a rule that it calls,"
            yield f"{library.name}{also} asks for memory: keep arrays in the state, not new ones, lists or copies"


def _libraries(batch: Batch) -> Iterator[Any]:
    """The code of every rule that is on its own, of those that the kernels of a batch call."""
    import numba

    kernels, arrays, none = batch._kernels, batch._arrays, np.zeros(1, np.int64)
    seen: set[Any] = set()
    calls = {kernels.batch_start: (arrays, np.uint64(0), 0, 0, 0), kernels.batch_step: (arrays, none, CALLER, 0, 0, 0)}
    for kernel, arguments in calls.items():
        kernel.within.compile(tuple(map(numba.typeof, arguments)))
        waiting = [found.library for found in kernel.within.overloads.values()]
        while waiting:
            if (library := waiting.pop()) not in seen:
                seen.add(library)
                waiting.extend(library.needs)
                yield library
