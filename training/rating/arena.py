"""The arena: jobs, such as a deal that somebody plays, by processes or a Ray cluster, and what came of them on disk.

Tournaments, evaluations, the benchmark, exploiters and datasets give it jobs, and a worker that plays one: `make()`
makes it, once in each process. What a job gives follows from the job alone: not from who played it, nor from stops.
"""

from __future__ import annotations

import contextlib
import functools
import importlib
import multiprocessing
import os
import pickle
import socket
import sys
from collections import Counter, deque
from collections.abc import Callable, Container, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Generic, Protocol, TypeVar

import numpy as np

from theogony.console import interrupt
from theogony.console.extras import install
from theogony.console.progress import Progress
from theogony.envs.core.game import Game
from theogony.envs.core.players import Player, Views, make_player
from theogony.envs.core.position import Position
from theogony.envs.core.record import ENDED
from theogony.envs.core.untrusted.files import naming, replace_file
from theogony.envs.core.untrusted.outside import parse_json, read_bytes
from theogony.training.players.threads import one_thread

Job = TypeVar("Job")
Done = TypeVar("Done")
Taken = TypeVar("Taken", contravariant=True)
Given = TypeVar("Given", covariant=True)
THREADS = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")  # of a process among many


class Worker(Protocol[Taken, Given]):
    """What plays jobs, in one process."""

    def warm_up(self, jobs: Sequence[Taken], /) -> None:
        """One decision of everybody, so that their rules are compiled before several processes do it at once."""
        ...

    def play(self, job: Taken, /) -> Given:
        """What a job gives."""
        ...


def each(
    make: Callable[[], Worker[Job, Done]], jobs: Sequence[Job], workers: int | None = None, cluster: str | None = None
) -> Iterator[Done]:
    """Return the results of all jobs, in the order in which they are done. Raises ClusterError.

    Args:
        workers: So many processes play, by default one for each processor.
        cluster: In their place the Ray cluster at this address; "auto": at RAY_ADDRESS, or on this machine.
    """
    if not jobs:
        return
    worker, workers = make(), workers or processors()
    with one_thread():
        if cluster is not None:
            with connected(cluster) as ray:
                count = max(1, min(int(ray.cluster_resources().get("CPU", 1)), len(jobs)))
                yield from (done for _, done in Cluster(make, worker.play, count).each(jobs))
        elif workers == 1 or len(jobs) == 1:
            yield from map(worker.play, jobs)
        else:
            worker.warm_up(jobs)
            yield from _in_processes(make, jobs, workers)


def processors() -> int:
    """Processors that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


# ---- One game --------------------------------------------------------------------------------------------------------

Decide = Callable[[Position], Any]  # the action of a seat in a position


def seated(player: Player, rng: np.random.Generator) -> Decide:
    """A player in a seat, with the generator of that seat."""
    return lambda position: player.act(Views.at(position), rng)[0]


def play_out(position: Position, seats: Sequence[Decide], may_fail: Container[int] = ()) -> tuple[int, str] | None:
    """Play a game to its end. Returns the seat that broke it off, by an error or an action that is not legal, and how;
    None when it ended. Of seats that may not fail errors are raised."""
    while not position.over:
        seat = position.actor
        try:
            position.play(seats[seat](position))
        except Exception as error:  # whatever it is: the player's fault, and no reason to stop
            if seat not in may_fail:
                raise
            return seat, f"{type(error).__name__}: {error}"
    return None


def places_of(position: Position) -> list[int]:
    """The place of each seat when a game is over, from 1 on; a truncated game is drawn, and lost for a team."""
    standings, over = position.standings(), position.over
    if position.game.spec.cooperative:
        return [1 if over == ENDED and standing > 0 else 2 for standing in standings]
    return [1 + int(over == ENDED and (standings > standing).sum()) for standing in standings]


# ---- Processes of this machine ---------------------------------------------------------------------------------------


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


# ---- A Ray cluster ---------------------------------------------------------------------------------------------------
#
# Its machines need the same Theogony and, by the same paths, the files of players and a folder of records.

TOLD = ("THEOGONY_ALLOW_MODULES", "THEOGONY_FENCE")  # variables that hold for workers too
PATIENCE = 30.0  # seconds until this process plays where no worker is left
MOST_LOST = 20  # workers that one job may be lost with: more, and it is the job that ends them


class ClusterError(ValueError):
    """There is no Ray, or no cluster, or its workers end: says what was expected."""


def connect(address: str | None, problem: Callable[[str], Exception], cpus: int = 0, **more: Any) -> Any:
    """Return Ray, connected to a cluster: that of `address`, None for a new one on this machine with so many `cpus`.

    Raises what `problem` makes of a text. `more` goes to `ray.init`.
    """
    try:
        ray: Any = importlib.import_module("ray")
    except ModuleNotFoundError:
        how = install("rllib")
        raise problem(f"needs Ray, which is not installed here: {how}, in an environment of its own") from None
    settings: dict[str, Any] = {"logging_level": "ERROR", "ignore_reinit_error": True, **more}
    try:
        if address is None:
            ray.init("local", num_cpus=cpus, include_dashboard=False, **settings)
        else:
            host, _, port = address.rpartition(":")
            if host and port.isdecimal() and "/" not in host:  # Ray would try for minutes
                socket.create_connection((host, int(port)), timeout=10).close()
            ray.init(address, **settings)
    except Exception as error:  # Ray raises plain Exception when a machine is too busy to start it
        reason = str(error).strip().splitlines()[0]
        found = "Ray did not start on this machine" if address is None else f"no Ray cluster answers at {address!r}"
        raise problem(f"{found}: {reason}") from error
    return ray


class Cluster:
    """So many workers on the Ray cluster to which this process is connected, each with `cpus` processors.

    A job that a worker was lost with is played by another, and a new worker comes for the lost one where there is room.
    Once none has come for a while, this process plays, by `here`, until one does.
    """

    def __init__(self, make: Callable[[], Any], here: Callable[..., Any], workers: int, cpus: int = 1) -> None:
        self._ray: Any = importlib.import_module("ray")
        kind = self._ray.remote(num_cpus=cpus)(_Remote)
        self._begin = functools.partial(kind.remote, pickle.dumps(make), _surroundings())
        self._here, self._stopped = here, False
        self.workers = [self._begin() for _ in range(workers)]
        self._idle: list[Any] = []
        self._coming = {worker.process.remote(): worker for worker in self.workers}  # as soon as there is room
        self.lost = 0  # jobs that a worker was lost with
        self._patience = PATIENCE  # none any more once nobody came, until one does

    def each(self, jobs: Sequence[Any], *shared: Any) -> Iterator[tuple[int, Any]]:
        """Return the number of every job with what it gives, in the order in which they are done; `play` is given
        `shared` behind the job. Raises what a job raises, and ClusterError for one that ends its workers."""
        put = [self._ray.put(one) for one in shared]
        waiting, losses = deque(range(len(jobs))), Counter[int]()
        busy: dict[Any, tuple[Any, int]] = {}
        while waiting or busy:
            while waiting and self._idle:
                worker, job = self._idle.pop(), waiting.popleft()
                busy[worker.play.remote(jobs[job], *put)] = worker, job
            calls = [*self._coming, *busy]
            ended, _ = self._ray.wait(calls, num_returns=1, timeout=None if busy else self._patience)
            if not ended:  # nobody is left, nor came
                job, self._patience = waiting.popleft(), 0.0
                yield job, self._here(jobs[job], *shared)
                continue
            worker, job = busy.pop(ended[0]) if ended[0] in busy else (self._coming.pop(ended[0]), None)
            try:
                done = self._given(ended[0])
            except _Lost as lost:
                self._replace(worker)
                if job is not None:
                    waiting.appendleft(job)
                    losses[job] += 1
                    self.lost += 1
                    if losses[job] > MOST_LOST:
                        raise ClusterError(f"{MOST_LOST} workers of the cluster ended over one job: {lost}") from None
                continue
            self._idle.append(worker)
            self._patience = PATIENCE
            if job is not None:
                yield job, done

    def _given(self, call: Any) -> Any:
        """What a call gives. Raises _Lost when its worker was, and what the job raised, which it would everywhere."""
        try:
            return self._ray.get(call)
        except self._ray.exceptions.RayTaskError as error:
            raise error.cause from None
        except self._ray.exceptions.RayError as error:
            if self._stopped:
                raise
            raise _Lost(str(error).strip().splitlines()[0]) from None

    def _replace(self, worker: Any) -> None:
        """Let a new worker come in the place of one that was lost."""
        new = self._begin()
        self.workers[self.workers.index(worker)] = new
        self._coming[new.process.remote()] = new

    def stop(self) -> None:
        """End the workers, whatever they play."""
        self._stopped = True
        for worker in self.workers:
            self._ray.kill(worker)


class _Lost(Exception):
    """A worker is lost."""


class _Remote:
    """A worker on a machine of the cluster, made with its first job: what is wrong with it is an error of the job."""

    def __init__(self, make: bytes, around: Surroundings) -> None:
        _settle(around)
        self._make = make

    @functools.cached_property
    def _worker(self) -> Any:
        return pickle.loads(self._make)()

    def play(self, job: Any, *shared: Any) -> Any:
        """What a job gives."""
        with one_thread():
            return self._worker.play(job, *shared)

    def process(self) -> int:
        """The id of its process."""
        return os.getpid()


@contextlib.contextmanager
def connected(address: str) -> Iterator[Any]:
    """Ray, connected to the cluster that `--cluster` names. Raises ClusterError."""
    named = os.environ.get("RAY_ADDRESS", "auto") if address == "auto" else address
    ray = connect(named, lambda reason: ClusterError(f"--cluster: {reason}"), log_to_driver=False)
    try:
        yield ray
    finally:
        with contextlib.suppress(Exception):
            ray.shutdown()


class ThinksThere:
    """A player that decides on the cluster to which this process is connected, as it would here; any thread may ask.

    What it is asked and its generator travel with every decision, so that each may be made by another machine.
    """

    needs_positions = True

    def __init__(self, name: str, game: Game) -> None:
        self.name, self.made_for = name, game
        self._ray: Any = importlib.import_module("ray")
        decide = self._ray.remote(num_cpus=1, max_retries=MOST_LOST)(_decide_there)
        self._decide = functools.partial(decide.remote, name, _surroundings())

    def act(self, views: Views, rng: np.random.Generator) -> np.ndarray:
        """A legal action for every view, int64 (n,). Raises ClusterError."""
        try:
            actions, rng.bit_generator.state = self._ray.get(self._decide(self.made_for, views, rng))
        except self._ray.exceptions.RayTaskError as error:
            raise error.cause from None
        except self._ray.exceptions.RayError as error:
            raise ClusterError(f"--cluster: {str(error).strip().splitlines()[0]}") from None
        return actions


_players: dict[tuple[str, Game], Player] = {}  # of this process, which decides for others


def _decide_there(
    name: str, around: Surroundings, game: Game, views: Views, rng: np.random.Generator
) -> tuple[np.ndarray, Any]:
    """What a player decides, and where its generator stands then."""
    if (name, game) not in _players:
        _settle(around)
        _players[name, game] = make_player(name, game)
    with one_thread():
        return _players[name, game].act(views, rng), rng.bit_generator.state


Surroundings = tuple[str, list[str], dict[str, str]]  # working directory, where modules are found, variables


def _surroundings() -> Surroundings:
    """What a process of the cluster takes over from this one."""
    return os.getcwd(), sys.path, {name: os.environ[name] for name in TOLD if name in os.environ}


def _settle(around: Surroundings) -> None:
    """Let a process of the cluster find what the command finds."""
    place, path, told = around
    with contextlib.suppress(OSError):
        os.chdir(place)
    sys.path.extend(one for one in path if one not in sys.path)
    os.environ.update(told)


# ---- What was played so far, as a file of JSON lines: each is written at once, and a run that was stopped goes on ----

LARGEST, LONGEST = 4 << 30, 1 << 24  # bytes of a file, and of a line


@dataclass(frozen=True)
class Store:
    """The file of games that are under way; `problem` is raised, with the place, for what is none."""

    path: Path
    problem: type[ValueError]
    largest: int = LARGEST

    def read(self, mend: bool = True) -> Iterator[tuple[str, bytes]]:
        """Each line behind its place, for messages. Behind the last one, what a kill cut off is removed, or is an error
        with `mend=False`; whoever refuses a line before leaves the file as it is."""
        content = read_bytes(self.path, str(self.path), self.problem, self.largest)
        *lines, rest = content.split(b"\n")
        for number, line in enumerate(lines, 1):
            what = f"{self.path}: line {number}"
            parse_json(line, what, self.problem, LONGEST)
            yield what, line
        if rest and not mend:
            raise self.problem(f"{self.path}: its last line is cut off")
        if rest:
            replace_file(self.path, content[: len(content) - len(rest)])

    def begin(self, line: bytes) -> None:
        """Make the file, with its first line."""
        replace_file(self.path, line + b"\n")

    def add(self, line: bytes) -> None:
        """Write one more line."""
        with naming(self.path), self.path.open("ab") as file:
            file.write(line + b"\n")


class Keyed(Protocol):
    """A job, or what came of it, under the same name."""

    @property
    def key(self) -> Any: ...


Outcome = TypeVar("Outcome", bound=Keyed)


class Kept(Generic[Outcome]):
    """What came of jobs so far, by the key of each. A subclass has it on disk, and goes on from there."""

    def __init__(self) -> None:
        self.done: dict[Any, Outcome] = {}

    def keep(self, done: Outcome) -> None:
        """Write down what came of a job, at once."""

    def play(
        self,
        make: Callable[[], Worker[Any, Outcome]],
        jobs: Sequence[Keyed],
        label: str,
        workers: int | None = None,
        cluster: str | None = None,
        tell: Callable[[Progress, Outcome], None] = lambda *_: None,
        unit: str = "deals",
    ) -> list[Outcome]:
        """Play the jobs that are not done, by `each`. Returns what came of all, in the order of the jobs.

        Args:
            label: What the progress is called.
            tell: Is given the progress with each result.
            unit: What jobs are called.
        """
        left = [job for job in jobs if job.key not in self.done]
        with Progress(label, len(jobs), unit, len(jobs) - len(left)) as progress:
            for done in each(make, left, workers, cluster):
                self.done[done.key] = done
                self.keep(done)
                progress.add()
                tell(progress, done)
        return [self.done[job.key] for job in jobs]
