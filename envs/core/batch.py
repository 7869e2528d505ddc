"""Many games of one kind in one call: what vector environments, training and evaluation stand on."""

from __future__ import annotations

import os
import secrets
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Literal

import numpy as np

from theogony.envs.core.actions import IllegalAction
from theogony.envs.core.batch_kernels import (
    ALL_SEATS,
    CALLER,
    KERNEL,
    OPPONENT,
    RANDOM_SEAT,
    ROW,
    BatchArrays,
    batch_kernels,
    first_illegal,
    seed_streams,
)
from theogony.envs.core.batch_saved import generator, identity, packed, read_saved, saved_forms
from theogony.envs.core.game import Game, OptionError
from theogony.envs.core.opponents import OpponentSpec, parse_opponents
from theogony.envs.core.outside import Form
from theogony.envs.core.players import Player, Views, kernel_greed, same_player
from theogony.envs.core.position import Position
from theogony.envs.core.record import RUNNING
from theogony.envs.core.rng import mix, seed_bits
from theogony.envs.core.sampling import sample_rows

SLICE_ROWS = 512  # fewer rows are not worth a thread of their own
MOST_GAMES, MOST_THREADS = 1 << 20, 1 << 10
SAMPLER, NEXT_BATCH, PLAYERS = 1, 2, 3  # what a seed is mixed with: for `sample`, for the next `reset`, for players

_pool: ThreadPoolExecutor | None = None


def _threads() -> ThreadPoolExecutor:
    """The one pool of the process, made when it is first needed."""
    global _pool
    if _pool is None:
        _pool = ThreadPoolExecutor(os.cpu_count() or 1, "theogony")
    return _pool


def _drop_pool() -> None:
    """A forked child has none of its parent's threads."""
    global _pool
    _pool = None


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_drop_pool)


class Batch:
    """`size` games of one kind. Every row always waits for a decision: a game that ends is followed by the next.

    Args:
        game: a spec with its options in force.
        size: number of games played side by side.
        seed: game k of row i starts from `mix(seed, i, k)`; None draws one from the operating system.
        seat: "all" (the caller plays every seat), the caller's seat, or "random" (drawn for each game).
        opponents: who plays the other seats, see `theogony.envs.core.opponents`; drawn for each seat of each game.
        reward: "outcome" (default with two players), "rank" (default with more) or "margin".
        threads: rows are cut into so many slices, of at least `SLICE_ROWS` rows. Results do not depend on it.

    The arrays belong to the batch and are overwritten by the next step; copy what you keep:

    * `observations` float32 (size, length) and `masks` int8 (size, actions): what the seat due sees and may do;
    * `rows` records `ROW`: among them `seat` (due), `over` (how a game ended in this step: 0 not, 1 by rule, 2 cut
      off), `rewards` (size, 8), `ended_seat` and `ended_length` of that game, `episode` (games that are over);
    * `last_observations` float32 (size, length): the caller's last view of the game that ended, where `over` is set.
    """

    def __init__(
        self,
        game: Game,
        size: int,
        seed: int | None = None,
        *,
        seat: int | Literal["all", "random"] = "all",
        opponents: OpponentSpec = "random",
        reward: str | None = None,
        threads: int = 1,
    ) -> None:
        self.game = game
        self.size: int = _count(size, MOST_GAMES, "games")
        self.threads: int = _count(threads, MOST_THREADS, "threads")
        self.reward: str = reward or ("outcome" if game.players <= 2 else "rank")
        self._reward = game.spec.reward_index(self.reward)
        self.seat_mode: int = _seat_mode(game, seat)
        self.players: dict[int, Player] = {}  # the opponents that the kernel does not play, by number
        self._whole = True  # every row waits for the caller: no step stopped half-way
        self._kernels = batch_kernels(game.spec)
        try:
            self._make_arrays()
        except MemoryError as error:
            raise ValueError(f"there is not enough memory for {self.size} games of {game.spec.name}: {error}") from None
        self._use_opponents(np.zeros(1, OPPONENT))
        self.set_opponents(opponents)
        self._warm_up()
        self.reset(secrets.randbits(63) if seed is None else seed)

    def _make_arrays(self) -> None:
        game, size, layout = self.game, self.size, self.game.features
        slices = max(1, min(self.threads, size // SLICE_ROWS))
        depth = game.spec.lookahead + 1  # scratch rows of a slice
        cuts = [size * k // slices for k in range(slices + 1)]
        self._slices = [(depth * k, cuts[k], cuts[k + 1]) for k in range(slices)]
        self.states: np.ndarray = game.new_states(size)
        self.rows: np.ndarray = np.zeros(size, ROW)
        self.streams: np.ndarray = np.zeros(size, np.uint64)
        self.observations: np.ndarray = np.zeros((size, layout.length), np.float32)
        self.last_observations: np.ndarray = np.zeros((size, layout.length), np.float32)
        self.masks: np.ndarray = np.zeros((size, game.actions.size), np.int8)
        self._scratch = game.scratch(slices)

    def _warm_up(self) -> None:
        """Compile once, before threads could do it at the same time: calls over no rows."""
        none = np.zeros(self.size, np.int64)
        self._kernels.batch_start(self._arrays, np.uint64(0), 0, 0, 0)
        self._kernels.batch_step(self._arrays, none, CALLER, 0, 0, 0)
        sample_rows(self.masks, self.streams, none, 0, 0)

    def reset(self, seed: int | None = None) -> None:
        """Begin anew in every row. Without a seed, the next one follows from the last.

        A seed is any integer, of which 64 bits count; TypeError otherwise.
        """
        self._seed = np.uint64(mix(self._seed, 0, NEXT_BATCH) if seed is None else seed_bits(seed))
        self._whole = False
        seed_streams(self.streams, self._seed, SAMPLER)
        self._rng = generator(int(mix(self._seed, 0, PLAYERS)))
        self._each_slice(lambda cut: self._kernels.batch_start(self._arrays, self._seed, *cut))
        self._play_others()
        self._whole = True

    def step(self, actions: Any) -> None:
        """One decision of the caller in every row; then the others play until every row waits for the caller again.

        `actions` are integers (size,). Raises IllegalAction, with every game as it was, when one is not legal. When an
        opponent fails, its error is raised and the games stand half-way: from then on `step` raises
        RuntimeError, until `reset` or `load_state_dict`.
        """
        self._check_whole()
        checked = _checked(actions, self.size, "step")
        self._check_legal(checked, CALLER, "step")
        self._whole = False
        self._take(checked, CALLER)
        self._play_others()
        self._whole = True

    def _check_whole(self) -> None:
        if not self._whole:
            raise RuntimeError("a step stopped half-way, since an opponent failed: call reset() or load_state_dict()")

    def sample(self) -> np.ndarray:
        """A uniformly drawn legal action for every row, int64 (size,), from the batch's own streams."""
        actions = np.empty(self.size, np.int64)
        self._each_slice(lambda cut: sample_rows(self.masks, self.streams, actions, cut[1], cut[2]))
        return actions

    def ended(self) -> tuple[np.ndarray, np.ndarray]:
        """Rows whose game ended in the last step, and the final reward of the caller's seat in each (float64).

        With seat="all" the rewards are those of seat 0; `rows["rewards"]` has every seat's.
        """
        ended = np.flatnonzero(self.rows["over"])
        return ended, self.rows["rewards"][ended, np.maximum(self.rows["ended_seat"][ended], 0)]

    # ------------------------------------------------------------------------------------------------ opponents

    def set_opponents(self, spec: OpponentSpec) -> None:
        """Other opponents, in games that begin from now on; games in play keep theirs."""
        opponents = parse_opponents(spec, self.game)
        table = np.zeros(len(opponents), OPPONENT)
        reached = 0.0
        for entry, opponent in zip(table, opponents, strict=True):
            reached += opponent.weight
            greed = kernel_greed(opponent.player)
            entry.cumulative, entry.greed = reached, greed or 0.0
            entry.controller = KERNEL if greed is not None else self._number(opponent.player)
        self._use_opponents(table)
        used = self._controllers()
        self.players = {number: player for number, player in self.players.items() if number in used}

    @property
    def opponents(self) -> list[tuple[float, str | Player]]:
        """The opponents in force, as (weight, player); those that the kernel plays by name."""
        weights = np.diff(self._opponents["cumulative"], prepend=0.0)
        named = [f"greedy:{greed:g}" if greed > 0 else "random" for greed in self._opponents["greed"]]
        who = [self.players.get(int(c), name) for c, name in zip(self._opponents["controller"], named, strict=True)]
        return [(float(weight), player) for weight, player in zip(weights, who, strict=True)]

    def _use_opponents(self, table: np.ndarray) -> None:
        """Put a table of OPPONENT records in force."""
        self._opponents, layout = table, self.game.features
        self._arrays = BatchArrays(
            self.states, self.game.tables, self.rows, layout.records(self.observations), self.masks,
            layout.records(self.last_observations), table, *self._scratch, self.seat_mode, self._reward,
        )  # fmt: skip

    def _number(self, player: Player) -> int:
        """The number of a player, which stands for it in `rows` and in a saved state."""
        for number, known in self.players.items():
            if same_player(known, player):
                return number
        number = next(n for n in range(1, len(self.players) + 2) if n not in self.players)
        self.players[number] = player
        return number

    def _controllers(self) -> set[int]:
        """Numbers of the players that play in a running game or may in the next."""
        numbers = np.concatenate([self.rows["controller"].ravel(), self._opponents["controller"]])
        return {int(number) for number in np.unique(numbers) if number > CALLER}

    def _play_others(self) -> None:
        """Let players decide, each all rows that wait for it in one call, until every row waits for the caller."""
        due = self.rows["due"]
        while self.players and due.any():
            for number in np.unique(due[due > 0]):
                waiting, player = np.flatnonzero(due == number), self.players[int(number)]
                who = f"opponent {player.name!r:.60}"
                actions = np.zeros(self.size, np.int64)
                actions[waiting] = _checked(player.act(Views.of(self, waiting), self._rng), len(waiting), who)
                self._check_legal(actions, int(number), who)
                self._take(actions, int(number))

    # ------------------------------------------------------------------------------------------------ kernels

    def _each_slice(self, work: Callable[[tuple[int, int, int]], None]) -> None:
        """The first slice in this thread, the others in the pool."""
        waiting = [_threads().submit(work, cut) for cut in self._slices[1:]]
        try:
            work(self._slices[0])
        finally:
            for future in waiting:
                future.result()

    def _check_legal(self, actions: np.ndarray, due: int, who: str) -> None:
        row = first_illegal(self.masks, self.rows, actions, due)
        if row >= 0:
            raise self._illegal(row, int(actions[row]), who)

    def _take(self, actions: np.ndarray, due: int) -> None:
        """Play legal actions in the rows that wait for the controller `due`."""
        self._each_slice(lambda cut: self._kernels.batch_step(self._arrays, actions, due, *cut))

    def _illegal(self, row: int, action: int, who: str) -> IllegalAction:
        error = self.position(row).illegal(action)
        return IllegalAction(f"{who}, row {row}: {error}", action, error.legal)

    def position(self, row: int) -> Position:
        """An independent copy of one game, to look at, search from or draw."""
        position = Position(self.game, 0)
        position._begin_at(self.states[range(self.size)[row]][None])
        return position

    # ------------------------------------------------------------------------------------------------ saving

    def state_dict(self) -> dict[str, np.ndarray]:
        """All that decides how the batch goes on, as plain arrays (for `np.savez`), without the players themselves.

        Raises RuntimeError when a step stopped half-way.
        """
        self._check_whole()
        ended = self.rows["over"] != RUNNING
        return {
            "identity": np.array(identity(self)),
            "seed": np.array([self._seed], np.uint64),
            "states": _bytes_of(self.states),
            "rows": _bytes_of(self.rows),
            "streams": self.streams.copy(),
            "rng": packed(self._rng),
            "opponents": _bytes_of(self._opponents),
            "ended_observations": self.last_observations[ended],
        }

    def load_state_dict(self, state: Mapping[str, np.ndarray], players: Mapping[int, Player] | None = None) -> None:
        """Go on from a saved state, bit by bit as the saved batch would have.

        `players` are those of the saved batch by their numbers (its `players`); None: those this batch has.
        Raises ValueError, changing nothing, when the state is of another game, options or size, when a player is
        missing, or when a value is out of its range.
        """
        known = dict(self.players if players is None else players)
        saved = read_saved(self, state, known)
        self.players = {number: known[number] for number in saved.players}
        self._seed, self._rng = saved.seed, saved.rng
        self._use_opponents(saved.opponents)
        self.states.view(np.uint8)[:] = saved.states.view(np.uint8)
        self.rows.view(np.uint8)[:] = saved.rows.view(np.uint8)
        self.streams[:] = saved.streams
        self.last_observations[saved.rows["over"] != RUNNING] = saved.ended_observations
        self._kernels.batch_refresh(self._arrays)
        self._whole = True

    def saved_forms(self) -> dict[str, Form]:
        """What the arrays of a saved state must be, for `core.outside.read_arrays`."""
        return saved_forms(self)

    def __getstate__(self) -> dict[str, Any]:
        seat = {ALL_SEATS: "all", RANDOM_SEAT: "random"}.get(self.seat_mode, self.seat_mode)
        arguments = {"seat": seat, "reward": self.reward, "threads": self.threads}
        kept = {"players": self.players, "state": self.state_dict()}
        return {"game": self.game, "size": self.size, "arguments": arguments, **kept}

    def __setstate__(self, kept: dict[str, Any]) -> None:
        Batch.__init__(self, kept["game"], kept["size"], 0, **kept["arguments"])
        self.load_state_dict(kept["state"], kept["players"])


def _seat_mode(game: Game, seat: Any) -> int:
    if seat == "all":
        return ALL_SEATS
    if seat == "random":
        return RANDOM_SEAT
    if not isinstance(seat, int | np.integer) or isinstance(seat, bool) or not 0 <= seat < game.players:
        raise OptionError(f'{game.spec.name}: seat={seat!r} is not 0 to {game.players - 1}, "random" or "all"')
    return int(seat)


def _count(value: Any, most: int, what: str) -> int:
    """A number of games or threads. Raises ValueError."""
    if not isinstance(value, int | np.integer) or isinstance(value, bool) or not 1 <= value <= most:
        raise ValueError(f"a batch has 1 to {most} {what}, not {value!r:.60}")
    return int(value)


def _checked(actions: Any, count: int, who: str) -> np.ndarray:
    """Actions as int64 (count,). Raises ValueError for another shape or kind."""
    array = np.asarray(actions)
    if array.shape != (count,) or array.dtype.kind not in "iu":
        raise ValueError(f"{who} gives {count} integer actions, not {array.dtype} of shape {array.shape}")
    return np.array(array, np.int64)  # contiguous and writable: for other arrays Numba would compile anew


def _bytes_of(records: np.ndarray) -> np.ndarray:
    """A copy of records as bytes, uint8 (n, itemsize)."""
    return records.view(np.uint8).reshape(len(records), -1).copy()
