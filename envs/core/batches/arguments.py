"""Arguments of a batch, looked at before compiled code sees them."""

from __future__ import annotations

import functools
import os
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

import numpy as np

from theogony.envs.core.arguments import seat_number
from theogony.envs.core.batches.kernels import ALL_SEATS, CALLER, KERNEL, OPPONENT, RANDOM_SEAT
from theogony.envs.core.game import Game, OptionError
from theogony.envs.core.players import Player, in_kernel, same_player
from theogony.envs.core.position import Position
from theogony.envs.core.thinking.opponents import Opponent
from theogony.envs.core.thinking.value_network import OWN_VALUE

SEVERAL = {"all": ALL_SEATS, "random": RANDOM_SEAT}  # what a caller plays besides one seat
MOST_GAMES, MOST_THREADS = 1 << 20, 1 << 10
FEW_DECISIONS, SAMPLES = 64, 20  # games that end so soon may leave a seat without any; random games to find out


def seat_mode(game: Game, seat: Any) -> int:
    """The seat of the caller as kernels take it. Raises OptionError."""
    if isinstance(seat, str) and seat in SEVERAL:
        return SEVERAL[seat]
    found = one_seat(game, seat, '"random" or "all"')
    most = game.options.max_decisions
    if 0 < most <= FEW_DECISIONS and not any(_decides(game, found, k) for k in range(SAMPLES)):
        raise OptionError(f"{game.spec.name}: seat={found} never decides in a game of max_decisions={most}")
    return found


def seat_option(mode: int) -> int | str:
    """What `seat_mode` was made of."""
    return next((word for word, several in SEVERAL.items() if several == mode), mode)


def _decides(game: Game, seat: int, seed: int) -> bool:
    """Whether a seat has a decision in one random game. A batch would look for such a game for ever."""
    position, rng = Position(game, seed), np.random.default_rng(seed)
    while not position.over and position.actor != seat:
        position.play(int(rng.choice(position.legal_actions())))
    return not position.over


def one_seat(game: Game, seat: Any, others: str = '"random"') -> int:
    """The number of a seat; `others` are the words that would have done as well. Raises OptionError."""
    try:
        return seat_number(seat, game.players)
    except ValueError:
        last, before = game.players - 1, "," if " or " in others else " or"
        raise OptionError(f"{game.spec.name}: seat={seat!r} is not 0 to {last}{before} {others}") from None


def count(value: Any, most: int, what: str) -> int:
    """A number of games or threads. Raises ValueError."""
    if not isinstance(value, int | np.integer) or isinstance(value, bool) or not 1 <= value <= most:
        raise ValueError(f"a batch has 1 to {most} {what}, not {value!r:.60}")
    return int(value)


def checked_actions(actions: Any, count: int, who: str) -> np.ndarray:
    """Actions as int64 (count,). Raises ValueError for another shape or kind."""
    if isinstance(actions, list | tuple) and any(isinstance(action, bool | np.bool_) for action in actions):
        raise ValueError(f"{who} gives {count} integer actions, not truth values")  # which NumPy would make 0 and 1
    array = np.asarray(actions)
    if array.shape != (count,) or array.dtype.kind not in "iu":
        raise ValueError(f"{who} gives {count} integer actions, not {array.dtype} of shape {array.shape}")
    return np.array(array, np.int64)  # contiguous and writable: for other arrays Numba would compile anew


# ---- Who plays the other seats of a batch: the table that its kernels read, and the players behind it, by number ---


def player_numbers(controllers: np.ndarray) -> np.ndarray:
    """The number of the player behind each controller; 0 for the caller, and for those that need no player."""
    return np.where(controllers <= KERNEL, KERNEL - controllers, controllers)


def needed_players(rows: np.ndarray, opponents: np.ndarray) -> set[int]:
    """Numbers of the players that play in a running game or may in the next."""
    numbers = player_numbers(np.concatenate([rows["controller"].ravel(), opponents["controller"]]))
    return {int(number) for number in np.unique(numbers) if number > CALLER}


class OpponentTable:
    """The opponents in force: `records` (OPPONENT), from which one is drawn for each seat of each game.

    `players` are those that the batch does not make of itself. A number stands for each of them, here, in `rows` and in
    a saved state, as long as a game needs it.
    """

    def __init__(self) -> None:
        self.records: np.ndarray = np.zeros(1, OPPONENT)
        self.players: dict[int, Player] = {}

    def put(self, opponents: Sequence[Opponent], rows: np.ndarray) -> None:
        """Other opponents; players that neither they nor the running games (`rows`) need are forgotten."""
        self.records = np.zeros(len(opponents), OPPONENT)
        reached = 0.0
        for entry, opponent in zip(self.records, opponents, strict=True):
            reached += opponent.weight
            inside = in_kernel(opponent.player)
            entry.cumulative, entry.greed = reached, 0.0 if inside is None else inside.greed
            if inside is None:
                entry.controller = self._number(opponent.player)
            else:
                entry.controller = KERNEL - (self._number(opponent.player) if len(inside.net) else 0)
        self.load(self.records, self.players, rows)

    def load(self, records: np.ndarray, players: Mapping[int, Player], rows: np.ndarray) -> None:
        """These records, and of these players those that they or the running games need."""
        self.records, used = records, needed_players(rows, records)
        self.players = {number: player for number, player in players.items() if number in used}

    def _number(self, player: Player) -> int:
        """The number of a player, a new one if it has none."""
        for number, known in self.players.items():
            if same_player(known, player):
                return number
        number = next(n for n in range(1, len(self.players) + 2) if n not in self.players)
        self.players[number] = player
        return number

    def weighed(self) -> list[tuple[float, str | Player]]:
        """The opponents as (weight, player); those that the kernel plays by name."""
        weights = np.diff(self.records["cumulative"], prepend=0.0)
        named = [f"greedy:{greed:g}" if greed > 0 else "random" for greed in self.records["greed"]]
        numbers = player_numbers(self.records["controller"])
        who = [self.players.get(int(n), name) for n, name in zip(numbers, named, strict=True)]
        return [(float(weight), player) for weight, player in zip(weights, who, strict=True)]

    def nets(self) -> tuple[np.ndarray, np.ndarray]:
        """The networks of the players inside the kernel, float32, one behind the other, and where that of each number
        ends, int64."""
        found = [OWN_VALUE] * (1 + max(self.players, default=0))
        for number, player in self.players.items():
            inside = in_kernel(player)
            found[number] = OWN_VALUE if inside is None else inside.net
        return np.concatenate(found), np.cumsum([len(net) for net in found])


# ---- The threads of a batch: its rows are cut into slices, and each slice is worked on by one thread -------------

T = TypeVar("T")
Slice = tuple[int, int, int]  # first scratch row, first row, end of the rows
SLICE_ROWS = 512  # fewer rows are not worth a thread of their own


@functools.cache
def _threads() -> ThreadPoolExecutor:
    """The one pool of the process, made when it is first needed."""
    return ThreadPoolExecutor(os.cpu_count() or 1, "theogony")


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_threads.cache_clear)  # a forked child has none of its parent's threads


def slices_of(size: int, threads: int, depth: int) -> list[Slice]:
    """At most `threads` slices of `size` rows; each has `depth` scratch rows of its own."""
    slices = max(1, min(threads, size // SLICE_ROWS))
    cuts = [size * k // slices for k in range(slices + 1)]
    return [(depth * k, cuts[k], cuts[k + 1]) for k in range(slices)]


def each_slice(slices: list[T], work: Callable[[T], None]) -> None:
    """Work on the first slice, or whatever is cut up, in this thread and on the others in the pool."""
    waiting = [_threads().submit(work, cut) for cut in slices[1:]]
    try:
        work(slices[0])
    finally:
        for future in waiting:
            future.result()
