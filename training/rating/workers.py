"""Jobs over several processes, or over a Ray cluster, in the order in which they are done.

What plays them is made once in each process: `make()` gives it. Tournaments and the benchmark play their deals so.
"""

from __future__ import annotations

import contextlib
import importlib
import multiprocessing
import os
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from typing import Any, Protocol, TypeVar

from theogony.console import interrupt
from theogony.console.extras import install
from theogony.training.players.threads import one_thread

Job = TypeVar("Job")
Done = TypeVar("Done")
Taken = TypeVar("Taken", contravariant=True)
Given = TypeVar("Given", covariant=True)
THREADS = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")  # of a process among many


class ClusterError(ValueError):
    """There is no Ray, or no cluster: says what was expected."""


class Worker(Protocol[Taken, Given]):
    """What plays jobs, in one process."""

    def warm_up(self, jobs: Sequence[Taken], /) -> None:
        """One decision of everybody, so that their rules are compiled before several processes do it at once."""
        ...

    def play(self, job: Taken, /) -> Given:
        """What a job gives."""
        ...


def each(make: Callable[[], Worker[Job, Done]], jobs: Sequence[Job], workers: int) -> Iterator[Done]:
    """The results of all jobs, by so many processes of this machine."""
    if not jobs:
        return
    worker = make()
    with one_thread():
        if workers == 1 or len(jobs) == 1:
            yield from map(worker.play, jobs)
        else:
            worker.warm_up(jobs)
            yield from _in_processes(make, jobs, workers)


def _in_processes(make: Callable[[], Worker[Job, Done]], jobs: Sequence[Job], workers: int) -> Iterator[Done]:
    for name in THREADS:
        os.environ.setdefault(name, "1")
    context = multiprocessing.get_context("spawn")
    pool = ProcessPoolExecutor(min(workers, len(jobs)), context, _open, (interrupt.WithParent(), make))
    try:
        with interrupt.held_back():
            futures = [pool.submit(_play_here, job) for job in jobs]
        for future in as_completed(futures):
            yield future.result()
    except BaseException:
        interrupt.end_children()  # not to wait for games that nobody wants any more
        raise
    finally:
        pool.shutdown(cancel_futures=True)


_worker: Any = None  # of this process


def _open(_: Any, make: Callable[[], Worker[Job, Done]]) -> None:
    global _worker
    _worker = make()


def _play_here(job: Any) -> Any:
    with one_thread():
        return _worker.play(job)


def processors() -> int:
    """Processors that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


# ---------------------------------------------------------------------------------------------------- a cluster


def on_cluster(make: Callable[[], Worker[Job, Done]], jobs: Sequence[Job]) -> Iterator[Done]:
    """The results of all jobs, in the order in which they are done, by a Ray cluster that is running.

    A worker plays on each of its processors.

    Its machines need the same Theogony and, by the same paths, the files of the players. Raises ClusterError.
    """
    ray = _connected()
    try:
        remote = ray.remote(num_cpus=1)(_Remote)
        count = max(1, min(int(ray.cluster_resources().get("CPU", 1)), len(jobs)))
        pool = importlib.import_module("ray.util").ActorPool([remote.remote(make) for _ in range(count)])
        yield from pool.map_unordered(lambda actor, job: actor.play.remote(job), jobs)
    except ray.exceptions.RayError as error:
        reason = str(error).strip().splitlines()[-1]
        raise ClusterError(f"--distributed: a worker of the cluster failed: {reason}") from error
    finally:
        with contextlib.suppress(Exception):
            ray.shutdown()


def _connected() -> Any:
    """Ray, connected to the cluster that RAY_ADDRESS names, or to the one of this machine. Raises ClusterError."""
    try:
        ray = importlib.import_module("ray")
    except ModuleNotFoundError:
        raise ClusterError(
            f"--distributed needs Ray, which is not installed here: {install('rllib')}, in an environment of its own"
        ) from None
    address = os.environ.get("RAY_ADDRESS", "auto")
    try:
        ray.init(address, log_to_driver=False, logging_level="ERROR")
    except Exception as error:  # Ray raises many kinds of them
        reason = str(error).strip().splitlines()[0]
        raise ClusterError(f"--distributed: no Ray cluster answers at {address!r}: {reason}") from error
    return ray


class _Remote:
    """A worker on a machine of the cluster."""

    def __init__(self, make: Callable[[], Any]) -> None:
        for name in THREADS:
            os.environ.setdefault(name, "1")
        self._worker = make()

    def play(self, job: Any) -> Any:
        """What a job gives."""
        with one_thread():
            return self._worker.play(job)
