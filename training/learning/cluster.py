"""Ray: the cluster of a training file, and workers on it that play the games of `engine: td`.

A game follows from its number and the network that plays it, so a part that a lost worker was playing is played again
by another, and what is learnt does not depend on who played. Ray starts lost workers anew as long as it can; when none
is left, the learner's own process plays.
"""

from __future__ import annotations

import importlib
import importlib.util
import logging
import os
import socket
from collections import deque
from collections.abc import Sequence
from threading import Lock
from typing import Any, TypeVar

import numpy as np

from theogony.envs.core.game import Game
from theogony.envs.core.registry import load
from theogony.training.config import ConfigError, modules
from theogony.training.config.engines import TdConfig
from theogony.training.learning.searching import Searched, SearchPlay
from theogony.training.learning.selfplay import CHUNK, Played, SelfPlay, SelfPlayTable, Starts, joined

PARTS = 2  # that the games of an update are cut into, for each worker: the quick ones play more of them


def connect(address: str | None, cpus: int, key: str) -> None:
    """To the cluster of `address` or of RAY_ADDRESS; without either, to one on this machine.

    Raises ConfigError, naming `key`, where none answers.
    """
    ray: Any = importlib.import_module("ray")
    address = address or os.environ.get("RAY_ADDRESS")
    quiet: dict[str, Any] = {"logging_level": logging.ERROR, "ignore_reinit_error": True}
    try:
        if address is None:
            ray.init("local", num_cpus=cpus, include_dashboard=False, **quiet)
        else:
            host, _, port = address.rpartition(":")
            if host and port.isdecimal() and "/" not in host:  # Ray would try for minutes
                socket.create_connection((host, int(port)), timeout=10).close()
            ray.init(address, **quiet)
    except Exception as error:  # Ray raises plain Exception when a machine is too busy to start it
        reason = str(error).splitlines()[0]
        if address is None:
            raise ConfigError(f"engine: Ray did not start on this machine: {reason}") from error
        raise ConfigError(f"{key}: no Ray cluster answers at {address!r}: {reason}") from error


class GamesWorker:
    """What runs on the cluster. It is made from plain data: a game's name and the options of its variants."""

    def __init__(
        self,
        game: str,
        variants: list[dict[str, Any]],
        starts: Starts,
        searched: Searched,
        threads: int,
        seed: int,
        allowed: bool,
    ) -> None:
        if allowed:
            modules.allow()
        games = [load(game).configure(options) for options in variants]
        self._play = here(games, _own(starts), searched, threads, seed)

    def play(self, table: SelfPlayTable, first: int, count: int) -> Played:
        """Games `first` to `first + count`."""
        return self._play.play(_own(table), first, count)

    def process(self) -> int:
        """The id of its process."""
        return os.getpid()


class ClusterPlay:
    """`SelfPlay` on a cluster."""

    def __init__(self, config: TdConfig, variants: Sequence[Game], starts: Starts) -> None:
        self._ray: Any = importlib.import_module("ray")
        connect(config.ray.address, config.ray.workers * config.environment.threads, "ray.address")
        how = searched_of(config), config.environment.threads, config.seed
        self._here = here(variants, starts, *how)
        dealt = [{**config.options, **change} for change in ({}, *config.td.variants)]
        kind = self._ray.remote(num_cpus=config.environment.threads, max_restarts=-1)(GamesWorker)
        given = (
            config.game,
            [*dealt, *(game.options.model_dump() for game in variants[len(dealt) :])],
            starts,
            *how,
            modules.allowed(),
        )
        self.workers = [kind.remote(*given) for _ in range(config.ray.workers)]
        self.lost = 0  # parts of games that a worker was lost with
        self._stopped, self._playing = False, Lock()

    def play(self, table: SelfPlayTable, first: int, count: int) -> Played:
        """Games `first` to `first + count`, whose samples do not depend on the workers."""
        size = max(CHUNK, -(-count // (PARTS * len(self.workers))))
        parts = [(n, min(size, first + count - n)) for n in range(first, first + count, size)]
        with self._playing:
            played = self._gather(table, parts)
        return joined([played[part] for part in parts])

    def _gather(self, table: SelfPlayTable, parts: list[tuple[int, int]]) -> dict[tuple[int, int], Played]:
        """All parts, each by a worker; a worker that is lost rests until the next update."""
        ray, shared = self._ray, self._ray.put(table)
        waiting, idle = deque(parts), list(self.workers)
        flying: dict[Any, tuple[Any, tuple[int, int]]] = {}
        played: dict[tuple[int, int], Played] = {}
        while waiting or flying:
            while waiting and idle:
                worker, part = idle.pop(), waiting.popleft()
                flying[worker.play.remote(shared, *part)] = worker, part
            if not flying:  # nobody is left
                part = waiting.popleft()
                played[part] = self._here.play(table, *part)
                continue
            (ready, *_), _ = ray.wait(list(flying), num_returns=1)
            worker, part = flying.pop(ready)
            try:
                played[part] = ray.get(ready)
                idle.append(worker)
            except ray.exceptions.RayTaskError:
                raise  # the game itself failed, and would everywhere
            except ray.exceptions.RayError:
                if self._stopped:
                    raise
                self.lost += 1
                waiting.appendleft(part)
        return played

    def stop(self) -> None:
        """End the workers, whatever they play, and leave the cluster."""
        self._stopped = True
        for worker in self.workers:
            self._ray.kill(worker)
        with self._playing:
            self._here.stop()
            self._ray.shutdown()


Arrays = TypeVar("Arrays", SelfPlayTable, Starts)


def _own(given: Arrays) -> Arrays:
    """Copies of its arrays: what comes from Ray is read-only, for which kernels are not compiled."""
    return given._replace(**{k: v.copy() for k, v in given._asdict().items() if isinstance(v, np.ndarray)})


def searched_of(config: TdConfig) -> Searched:
    """How the decisions of a run's games are searched; no simulations: they are not."""
    return Searched(config.td.search, config.td.tried)


def here(
    variants: Sequence[Game], starts: Starts, searched: Searched, threads: int, seed: int
) -> SelfPlay | SearchPlay:
    """Who plays in this process: the network, or searches by it."""
    if searched.simulations:
        return SearchPlay(variants, searched, threads, seed)
    return SelfPlay(variants, threads, seed, starts)


def players_of(config: TdConfig, variants: Sequence[Game], starts: Starts) -> SelfPlay | SearchPlay | ClusterPlay:
    """Who plays the games of a run: workers on a cluster where the file asks for some, else threads of this process.

    Without Ray the same file runs, and learns the same. `variants` includes the games that `starts` are played with.
    """
    if config.ray.workers and importlib.util.find_spec("ray") is not None:
        return ClusterPlay(config, variants, starts)
    if config.ray.workers:
        print("Ray is not installed here: threads of this process play, and what is learnt is the same", flush=True)
    return here(variants, starts, searched_of(config), config.environment.threads, config.seed)
