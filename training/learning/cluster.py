"""Ray: the cluster of a training file, and workers on it that play the games of `engine: td`.

A game follows from its number and the network that plays it, so a part that a lost worker was playing is played again
by another, and what is learnt does not depend on who played. New workers come for lost ones while there is room; when
none is left, the learner's own process plays.
"""

from __future__ import annotations

import functools
import importlib.util
import os
from collections.abc import Sequence
from threading import Lock
from typing import Any

import numpy as np

from theogony.envs.core.game import Game
from theogony.envs.core.registry import load
from theogony.training.config import ConfigError
from theogony.training.config.engines import TdConfig
from theogony.training.learning.searching import Searched, SearchPlay
from theogony.training.learning.selfplay import CHUNK, Played, SelfPlay, SelfPlayTable, Starts, joined
from theogony.training.rating import arena

PARTS = 2  # that the games of an update are cut into, for each worker: the quick ones play more of them


def connect(address: str | None, cpus: int, key: str) -> Any:
    """Return Ray, connected to the cluster of `address` or of RAY_ADDRESS; without either, to one on this machine.

    Raises ConfigError, naming `key`, where none answers.
    """
    address = address or os.environ.get("RAY_ADDRESS")
    return arena.connect(address, lambda why: ConfigError(f"{'engine' if address is None else key}: {why}"), cpus)


class GamesWorker:
    """Plays parts of an update. It is made from plain data: a game's name and the options of its variants."""

    def __init__(self, game: str, variants: list[dict[str, Any]], *how: Any) -> None:
        self._play = here([load(game).configure(options) for options in variants], *how)

    def play(self, part: tuple[int, int], table: SelfPlayTable) -> Played:
        """Games from the first number of `part` on, as many as its second says."""
        return self._play.play(_own(table), *part)


class ClusterPlay:
    """`SelfPlay` on a cluster."""

    def __init__(self, config: TdConfig, variants: Sequence[Game], starts: Starts) -> None:
        threads, workers = config.environment.threads, config.ray.workers
        self._ray = connect(config.ray.address, workers * threads, "ray.address")
        dealt = [{**config.options, **change} for change in ({}, *config.td.variants)]
        dealt += [game.options.model_dump() for game in variants[len(dealt) :]]
        how = starts, searched_of(config), threads, config.seed
        self._here, self._playing = here(variants, *how), Lock()
        make = functools.partial(GamesWorker, config.game, dealt, *how)
        self.cluster = arena.Cluster(make, self._play_here, workers, threads)

    def _play_here(self, part: tuple[int, int], table: SelfPlayTable) -> Played:
        return self._here.play(table, *part)

    def play(self, table: SelfPlayTable, first: int, count: int) -> Played:
        """Games `first` to `first + count`, whose samples do not depend on the workers."""
        size = max(CHUNK, -(-count // (PARTS * len(self.cluster.workers))))
        parts = [(n, min(size, first + count - n)) for n in range(first, first + count, size)]
        with self._playing:
            played = dict(self.cluster.each(parts, table))
        return joined([played[number] for number in range(len(parts))])

    def stop(self) -> None:
        """End the workers, whatever they play, and leave the cluster."""
        self.cluster.stop()
        with self._playing:
            self._here.stop()
            self._ray.shutdown()


def _own(table: SelfPlayTable) -> SelfPlayTable:
    """Copies of its arrays: what comes from Ray is read-only, for which kernels are not compiled."""
    return table._replace(**{k: v.copy() for k, v in table._asdict().items() if isinstance(v, np.ndarray)})


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
