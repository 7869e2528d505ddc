"""Ray: the cluster of a training file, and workers on it that play the games of `td`, `distil` and `sb3`.

What a worker gives follows from what it is given: the number of a game and the network that plays it, or the games of
some rows as they stand. So a part that a lost worker was playing is played again by another, and what is learnt does
not depend on who played. New workers come for lost ones while there is room; when none is left, the learner's own
process plays.
"""

from __future__ import annotations

import functools
import importlib.util
import os
from collections.abc import Callable
from threading import Lock
from typing import Any, NamedTuple

import numpy as np

from theogony.envs.core.batch import Batch
from theogony.envs.core.batches.arguments import seat_option
from theogony.envs.core.batches.kernels import CALLER, BatchArrays, batch_kernels
from theogony.envs.core.game import Game
from theogony.envs.core.record import RUNNING
from theogony.training.config import ConfigError
from theogony.training.config.engines import Ray
from theogony.training.learning.selfplay import CHUNK, SelfPlayTable, joined
from theogony.training.rating import arena

PARTS = 2  # that the games of an update are cut into, for each worker: the quick ones play more of them


def connect(address: str | None, cpus: int, key: str) -> Any:
    """Return Ray, connected to the cluster of `address` or of RAY_ADDRESS; without either, to one on this machine.

    Raises ConfigError, naming `key`, where none answers.
    """
    address = address or os.environ.get("RAY_ADDRESS")
    return arena.connect(address, lambda why: ConfigError(f"{'engine' if address is None else key}: {why}"), cpus)


def joined_cluster(settings: Ray, threads: int) -> tuple[Any, int]:
    """Return Ray, connected to the cluster of a training file, and how many workers of so many threads play there."""
    ray = connect(settings.address, settings.workers * threads, "ray.address")
    return ray, settings.workers or max(1, int(ray.cluster_resources().get("CPU", 1)) // threads)


def is_asked_for(settings: Ray) -> bool:
    """Whether workers of a cluster play. Those that may be anywhere do without Ray: what is learnt is the same."""
    if settings.workers and settings.address is None and importlib.util.find_spec("ray") is None:
        print("Ray is not installed here: threads of this process play, and what is learnt is the same", flush=True)
        return False
    return bool(settings.workers or settings.address)


# ---- `engine: td` and `engine: distil`: games from their beginning to their end -----------------------------------


class ClusterPlay:
    """Games by number on a cluster: workers play parts of them by what `make` makes, and `here` where none is left."""

    def __init__(self, settings: Ray, make: Callable[[], Any], here: Any) -> None:
        self._ray, workers = joined_cluster(settings, here.threads)
        self._here, self._playing = here, Lock()
        self.cluster = arena.Cluster(functools.partial(PartsWorker, make), self._play_here, workers, here.threads)

    def _play_here(self, part: tuple[int, int], *shared: Any) -> Any:
        return self._here.play(*shared, *part)

    def play(self, *given: Any) -> Any:
        """What `here` plays when it is given the same, the first game and how many at the end, whoever plays it."""
        *shared, first, count = given
        size = max(CHUNK, -(-count // (PARTS * len(self.cluster.workers))))
        parts = [(n, min(size, first + count - n)) for n in range(first, first + count, size)]
        with self._playing:
            played = dict(self.cluster.each(parts, *shared))
        return joined([played[number] for number in range(len(parts))])

    def stop(self) -> None:
        """End the workers, whatever they play, and leave the cluster."""
        self.cluster.stop()
        with self._playing:
            self._here.stop()
            self._ray.shutdown()


class PartsWorker:
    """Plays parts of an update by what `make` makes."""

    def __init__(self, make: Callable[[], Any]) -> None:
        self._games = make()

    def play(self, part: tuple[int, int], *shared: Any) -> Any:
        """Games from the first number of `part` on, as many as its second says."""
        return self._games.play(*map(_own, shared), *part)


def _own(table: SelfPlayTable) -> SelfPlayTable:
    """Copies of its arrays: what comes from Ray is read-only, for which kernels are not compiled."""
    return table._replace(**{k: v.copy() for k, v in table._asdict().items() if isinstance(v, np.ndarray)})


def players_of(settings: Ray, make: Callable[[], Any]) -> Any:
    """Who plays the games of a run: workers on a cluster where its file asks for some, else threads of this process."""
    return ClusterPlay(settings, make, make()) if is_asked_for(settings) else make()


# ---- `engine: sb3`: one decision in every row of a batch ---------------------------------------------------------

NOBODY = np.iinfo(np.int16).min  # a controller that is never due


class Part(NamedTuple):
    """Rows of a batch in which a decision is played: their numbers, who is due, what it does, and their games."""

    at: np.ndarray
    due: int
    actions: np.ndarray
    games: list[np.ndarray]  # `states`, `rows` and `packs` as bytes


class Decided(NamedTuple):
    """The games after it with what is seen of them, and the places in `at` of those that ended, with what is kept."""

    games: list[np.ndarray]
    seen: list[np.ndarray]  # `features` and `masks`
    ended: np.ndarray
    kept: list[np.ndarray]  # `last_features` and `last_worth`


def _parts(b: BatchArrays) -> list[list[np.ndarray]]:
    """The games of a batch, what is seen of them, and what is kept of ended ones: the bytes of each row."""
    found = (b.states, b.rows, b.packs), (b.features, b.masks), (b.last_features, b.last_worth)
    return [[array.view(np.uint8).reshape(len(array), -1) for array in arrays] for arrays in found]


class RowsWorker:
    """Plays decisions in rows of a batch, each under its own number, which its next games follow from."""

    def __init__(self, game: Game, size: int, seat: Any, reward: str) -> None:
        batch = Batch(game, size, 0, seat=seat, reward=reward)
        self._arrays, self._kernels = batch._arrays, batch_kernels(batch.game.spec)
        self._arrays.rows["due"] = NOBODY

    def play(self, part: Part, opponents: dict[str, np.ndarray]) -> Decided:
        """A decision in each of these rows, and on to the next that the kernel does not make."""
        at, b = part.at, self._arrays._replace(**{name: array.copy() for name, array in opponents.items()})
        for array, given in zip(_parts(b)[0], part.games, strict=True):
            array[at] = given
        b.rows["over"][at] = RUNNING
        actions = np.zeros(len(b.rows), np.int64)
        actions[at] = part.actions
        self._kernels.batch_step(b, actions, part.due, 0, int(at[0]), int(at[-1]) + 1)
        ended = np.flatnonzero(b.rows["over"][at] != RUNNING)
        games, seen, kept = _parts(b)
        decided = Decided(
            [one[at] for one in games], [one[at] for one in seen], ended, [one[at[ended]] for one in kept]
        )
        b.rows["due"][at] = NOBODY
        return decided


class ClusterRows:
    """Plays the decisions of a batch on a cluster; the batch itself holds all games, and goes on without it."""

    def __init__(self, settings: Ray, batch: Batch) -> None:
        self._ray, workers = joined_cluster(settings, 1)
        make = functools.partial(RowsWorker, batch.game, batch.size, seat_option(batch.seat_mode), batch.reward)
        self._here = functools.cache(make)
        self.cluster = arena.Cluster(make, lambda *given: self._here().play(*given), workers)
        self._batch = batch
        batch._take = self._take  # in place of its own

    def _take(self, actions: np.ndarray, due: int) -> None:
        """Play legal actions in the rows that wait for the controller `due`."""
        b = self._batch._arrays
        games, seen, kept = _parts(b)
        cuts = np.array_split(np.flatnonzero(b.rows["due"] == due), len(self.cluster.workers))
        parts = [Part(at, due, actions[at], [array[at] for array in games]) for at in cuts if len(at)]
        over = b.rows["over"].copy()
        opponents = {"opponents": b.opponents, "nets": b.nets, "net_ends": b.net_ends}
        for number, decided in self.cluster.each(parts, opponents):
            at = parts[number].at
            for array, given in zip((*games, *seen), (*decided.games, *decided.seen), strict=True):
                array[at] = given
            for array, given in zip(kept, decided.kept, strict=True):
                array[at[decided.ended]] = given
            if due != CALLER:  # a game that ended before in this step
                b.rows["over"][at] = np.where(b.rows["over"][at] != RUNNING, b.rows["over"][at], over[at])

    def stop(self) -> None:
        """End the workers, and leave the cluster."""
        self.cluster.stop()
        self._ray.shutdown()
