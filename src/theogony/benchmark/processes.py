"""Jobs over all processors, in the order in which they are done."""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import threading
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed

import numpy as np

from theogony.benchmark.agents import Agent, views_of
from theogony.benchmark.games import Dealt, Job, Table
from theogony.console import interrupt
from theogony.envs.core.players import Views, make_player
from theogony.envs.core.position import Position

THREADS = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")


def play(agent: Agent, jobs: Sequence[Job], workers: int) -> Iterator[Dealt]:
    """The results of all jobs, by so many processes."""
    if workers == 1 or len(jobs) < 2:
        table = Table(agent)
        yield from map(table.play, jobs)
        return
    _compile(agent, jobs)
    for name in THREADS:  # of the processes below; small networks would only wait for each other
        os.environ.setdefault(name, "1")
    context = multiprocessing.get_context("spawn")
    pool = ProcessPoolExecutor(min(workers, len(jobs)), context, _open, (agent,))
    try:
        with interrupt.held_back():
            futures = [pool.submit(_play_here, job) for job in jobs]
        for future in as_completed(futures):
            yield future.result()
    except BaseException:
        interrupt.end_children()
        raise
    finally:
        pool.shutdown(cancel_futures=True)


def _compile(agent: Agent, jobs: Sequence[Job]) -> None:
    """One decision of everybody, so that their rules are compiled once and not by every process."""
    for task in {job.task.id: job.task for job in jobs}.values():
        game = task.make_game()
        for name in {agent.player_for(game), *task.opponents} - {"team"}:
            position = Position(game, 0)
            views = views_of(position, agent.kind) if name == agent.player_for(game) else Views.at(position)
            with contextlib.suppress(Exception):  # it will fail again where that counts
                make_player(name, game).act(views, np.random.default_rng(0))


_table: Table | None = None  # of this process


def _open(agent: Agent) -> None:
    global _table
    threading.Thread(target=_end_with_parent, daemon=True).start()
    _table = Table(agent)


def _end_with_parent() -> None:
    """A process whose parent was killed has nobody left to play for."""
    parent = multiprocessing.parent_process()
    assert parent is not None
    parent.join()
    os._exit(1)


def _play_here(job: Job) -> Dealt:
    assert _table is not None
    return _table.play(job)
