"""One game in Python: a position with its history, played by action ids. Everything of one game stands on it."""

from __future__ import annotations

import functools
import secrets
from types import SimpleNamespace
from typing import Any, Literal

import numpy as np

from theogony.envs.core.actions import IllegalAction, action_id
from theogony.envs.core.arguments import checked_streams, seat_number
from theogony.envs.core.draw.places import picture_at
from theogony.envs.core.game import Game, GameSpec, configured
from theogony.envs.core.jit import direct
from theogony.envs.core.kernels import kernels
from theogony.envs.core.record import RUNNING, SEATS, from_bytes, state_hash, to_bytes
from theogony.envs.core.rng import seed_bits
from theogony.envs.core.untrusted.ranges import check_states


@functools.cache
def entry_points(
    spec: GameSpec, state: np.dtype, tables: np.dtype, features: np.dtype, floats: np.dtype, actions: int
) -> SimpleNamespace:
    """The kernels of the hot path, compiled for these layouts and free of Numba's dispatch."""
    k = kernels(spec)
    states, t, f, floating = np.zeros(1, state), np.zeros(1, tables), np.zeros(1, features), np.zeros(1, floats)
    masks = np.zeros((1, actions), np.int8)
    t.flags.writeable = False
    return SimpleNamespace(
        start=direct(k.start, states, 0, t, np.uint64(0), f, masks, floating),
        step=direct(k.step, states, 0, t, 0, f, masks, floating),
        show=direct(k.show, states, 0, t, f, masks, floating),
    )


NO_SEED = -1  # of a position that was not played from a seed
RUNS = 0xFF  # the highest status of a game that runs, which is its seat; above it stands how the game ended


class Position:
    """A game in play. `states[now]` is the position, the rows before it are its history (for `undo`).

    Of a game with several packs, `game` and `tables` are those of the pack that the seed draws.

    `status` is `over` and `actor` in one number, `over << 8 | actor`, as kernels return it.

    `mask` (int8), `observation` (float32) and `codes` (uint8, the same in its compact form), one row each, are of the
    seat that decides, zero when the game is over. They are the position's own, overwritten by the next decision: copy
    what you keep.

    >>> from theogony.envs import load
    >>> position = Position(load("push_of_faith").configure({"players": 2}), seed=7)
    >>> while not position.over:
    ...     position.play(int(position.legal_actions()[0]))
    >>> position.scores().shape
    (2,)
    >>> last = position.undo()
    >>> bool(position.over)
    False
    """

    def __init__(self, game: Game, seed: int | None = None) -> None:
        configured(game)
        self._dealer, self.game, self.tables = game, game, game.tables  # `reset` draws one of several packs
        self.kernels: Any = kernels(game.spec)
        self._action_count = game.actions.size  # read at every decision
        self.states: np.ndarray = game.new_states(64)
        self.mask: np.ndarray = np.zeros((1, game.actions.size), np.int8)
        self.codes: np.ndarray = np.zeros((1, game.features.length), np.uint8)
        self.features: np.ndarray = game.features.records(self.codes)
        self._use(game.features.floats())
        layouts = game.state, game.tables.dtype, game.features.dtype, self._floats.dtype
        self._enter = entry_points(game.spec, *layouts, game.actions.size)
        self.reset(seed)

    def __repr__(self) -> str:
        """The game, its options and the decision that is due."""
        due = "over" if self.over else f"decision {int(self.g.ply)}, seat {self.actor} to decide"
        return f"{self.game!r} {due}"

    def reset(self, seed: int | None = None) -> None:
        """A new game. Without a seed one is drawn from the operating system; `seed` tells which.

        A seed is any integer, of which 64 bits count. Raises TypeError.
        """
        self.seed: int = secrets.randbits(63) if seed is None else seed_bits(seed)
        if self._dealer.packs:
            self.game = self._dealer.dealt(self.seed)
            self.tables = self.game.tables
        self._episode_id = 0
        self.now: int = 0
        self.actions: list[int] = []
        self.status: int = self._enter.start(
            self.states, 0, self.tables, np.uint64(self.seed), self.features, self.mask, self._floats
        )

    @property
    def g(self) -> Any:
        """The state record of the position: a view, not a copy."""
        return self.states[self.now]

    @property
    def actor(self) -> int:
        """The seat that decides now (or decided last, when the game is over)."""
        return self.status & RUNS

    @property
    def episode_id(self) -> int:
        """A random number that stands for the game until its end (see `Views.episode_ids`); a copy has another."""
        if not self._episode_id:
            self._episode_id = 1 + secrets.randbits(62)
        return self._episode_id

    @property
    def over(self) -> int:
        """0 running, 1 ended by rule, 2 truncated at `max_decisions`."""
        return self.status >> 8

    def _use(self, floats: np.ndarray) -> None:
        """The record that observations are decoded into."""
        self._floats = floats
        self.observation: np.ndarray = floats["row"]

    def legal_actions(self) -> np.ndarray:
        """Ids of the legal actions, ascending; empty when the game is over."""
        return np.flatnonzero(self.mask[0])

    def play(self, action: int) -> None:
        """One decision of the acting seat. Raises IllegalAction and changes nothing when it is not legal."""
        number = action if type(action) is int else action_id(action)
        if self.now + 1 == len(self.states):
            self._make_room()
        status = -1
        if 0 <= number < self._action_count:  # compiled code takes integers of 64 bits
            status = self._enter.step(
                self.states, self.now, self.tables, number, self.features, self.mask, self._floats
            )
        if status < 0:
            raise self.illegal(number)
        self.status = status
        self.now += 1
        self.actions.append(number)

    def illegal(self, action: int) -> IllegalAction:
        """The error for an action that is not legal now, with its text and what would be legal."""
        if self.over != RUNNING:
            return IllegalAction(f"the game is over: action {action} cannot be played", action)
        legal = self.legal_actions()
        codec = self.game.actions
        shown = ", ".join(f"{codec.text(int(a))!r} ({a})" for a in legal[:12])
        more = f" and {len(legal) - 12} more" if len(legal) > 12 else ""
        text = f" ({codec.text(action)!r})" if 0 <= action < codec.size else f" (ids go from 0 to {codec.size - 1})"
        message = f"action {action}{text} is not legal for seat {self.actor}; legal: {shown}{more}"
        return IllegalAction(message, action, legal.tolist())

    def undo(self) -> int:
        """Take the last decision back and return it. Raises IndexError at the start (or at the point of a clone)."""
        if self.now == 0:
            raise IndexError("there is no decision to undo: this is the first position that is kept")
        self.now -= 1
        self.refresh()
        return self.actions.pop()

    def refresh(self) -> None:
        """Write mask and observation again, after the record was changed from outside."""
        self._enter.show(self.states, self.now, self.tables, self.features, self.mask, self._floats)
        self.status = int(self.g.over) << 8 | int(self.g.actor)

    def load(self, content: bytes) -> None:
        """Go on from the bytes of a position (see `key`); the history begins there.

        Raises ValueError, changing nothing, when a field is out of the range that the game declares, or against its
        invariant. That is a net for damaged files, and no proof: only positions that came up in play are safe in
        compiled rules (docs/safety.md). `seed` is `NO_SEED` then: the bytes were not played from it.
        """
        record = from_bytes(content, self.game.state)
        if len(record) != 1:
            raise ValueError(f"{len(content)} bytes are {len(record)} positions, one was expected")
        check_states(self.game, record, "the bytes")
        self.begin_at(record)
        self.seed = NO_SEED

    def begin_at(self, record: np.ndarray) -> None:
        """Go on from a position that came up in play (`states[k : k + 1]`): nothing is checked."""
        self._episode_id = 0
        self.now = 0
        self.actions = []
        self.states[:1].view(np.uint8)[:] = record.view(np.uint8)
        self.refresh()

    def clone(self) -> Position:
        """An independent copy of the position. Its history begins here, so it is cheap."""
        other = object.__new__(Position)
        other.game, other.kernels, other.tables, other.seed = self.game, self.kernels, self.tables, self.seed
        other._dealer = self._dealer
        other._action_count = self._action_count
        other._enter = self._enter
        other.states = self.game.new_states(64)
        other.states[:1].view(np.uint8)[:] = self.states[self.now : self.now + 1].view(np.uint8)
        other.now, other.actions, other.status, other._episode_id = 0, [], self.status, 0
        other.mask, other.codes = self.mask.copy(), self.codes.copy()
        other.features = self.game.features.records(other.codes)
        other._use(self._floats.copy())
        return other

    def key(self) -> bytes:
        """The bytes of the position: equal positions have equal keys."""
        return to_bytes(self.states[self.now : self.now + 1])

    def hash(self) -> str:
        """16 hexadecimal digits that stand for the position."""
        return state_hash(self.states[self.now : self.now + 1])

    def observe(self, seat: int) -> np.ndarray:
        """What a seat may know, a fresh float32 array of shape (length,). Valid at any time, also after the end.

        Raises ValueError for a seat that is not at the table.
        """
        return self.game.features.decode(self.observe_codes(seat))

    def observe_codes(self, seat: int) -> np.ndarray:
        """What a seat may know as codes, a fresh uint8 array of shape (length,). Valid at any time, also after the end.

        `game.features` says what codes stand for. Raises ValueError for a seat that is not at the table.
        """
        number = seat_number(seat, self.game.players)
        out = np.zeros((1, self.game.features.length), np.uint8)
        self.kernels.view(self.states, self.now, self.tables, number, self.game.features.records(out), 0)
        return out[0]

    def scores(self) -> np.ndarray:
        """Printed score of each seat, float64."""
        return self._seats(self.kernels.score)

    def standings(self) -> np.ndarray:
        """A number for each seat by which seats are ranked; equal for a shared place."""
        return self._seats(self.kernels.standing)

    def rewards(self, kind: str | None = None) -> np.ndarray:
        """Final rewards of each seat, float64: `kind` is one of `game.spec.rewards`, by default that of environments:
        "outcome" with two players, "rank" with more. Raises OptionError for another kind."""
        index = self.game.spec.reward_index(kind or self.game.usual_reward)
        scratch = np.zeros(SEATS)
        return self._seats(lambda s, i, t, out: self.kernels.rewards(s, i, t, index, scratch, out))

    def resample(self, seat: int, rng: np.ndarray) -> None:
        """Replace in place what the seat cannot know by a drawn alternative; `rng` is a one-element uint64 array.

        Seed and history, which tell what was there, are forgotten: `seed` is `NO_SEED`, nothing can be undone.
        Raises ValueError for a seat that is not at the table, and for another `rng`.
        """
        number, stream = seat_number(seat, self.game.players), checked_streams(rng)
        self.kernels.resample(self.states, self.now, self.tables, number, stream)
        self.begin_at(self.states[self.now : self.now + 1].copy())
        self.states[1:].view(np.uint8)[:] = 0
        self.seed = NO_SEED

    def svg(self, seat: int | Literal["all"] | None = None, *, interactive: bool = False, since: int = 1) -> str:
        """The position as an SVG picture: for a seat, for the public (None) or with everything ("all").

        What the last `since` decisions changed is framed, and the last one told; 0 does neither. With `interactive`
        the places of legal actions carry their ids (`data-actions="12 57"`) and a dashed frame, for the seat that
        decides and for "all". Raises ValueError for a viewer that is not at the table.
        """
        legal = self.legal_actions() if interactive and seat in (self.actor, "all") else ()
        return picture_at(self, self.now, seat, since, legal)

    def _repr_svg_(self) -> str:
        """What notebooks show: the picture for the public."""
        return self.svg()

    def value(self, seat: int) -> float:
        """The heuristic estimate of the seat's final reward. It sees hidden parts: `resample` first to be fair.

        Raises ValueError for a seat that is not at the table.
        """
        number = seat_number(seat, self.game.players)
        if self.now + 1 == len(self.states):
            self._make_room()
        scratch = self.now + 1  # `value` may write on the position it gets
        self.states[scratch : scratch + 1].view(np.uint8)[:] = self.states[self.now : self.now + 1].view(np.uint8)
        return self.kernels.value(self.states, scratch, self.tables, number)

    def _seats(self, kernel: Any) -> np.ndarray:
        out = np.zeros(SEATS)
        kernel(self.states, self.now, self.tables, out)
        return out[: self.game.players]

    def _make_room(self) -> None:
        states = self.game.new_states(2 * len(self.states))
        states[: len(self.states)].view(np.uint8)[:] = self.states.view(np.uint8)
        self.states = states

    def __getstate__(self) -> dict[str, Any]:
        kept = to_bytes(self.states[: self.now + 1])
        found = {"game": self.game, "seed": self.seed, "now": self.now, "actions": self.actions, "states": kept}
        return found | {"dealer": self._dealer} if self._dealer.packs else found

    def __setstate__(self, state: dict[str, Any]) -> None:
        Position.__init__(self, state["game"], 0)
        self._dealer = state.get("dealer", self.game)
        records = from_bytes(state["states"], self.game.state)
        self.states = self.game.new_states(max(64, 2 * len(records)))
        self.states[: len(records)].view(np.uint8)[:] = records.view(np.uint8)
        self.now, self.actions, self.seed = state["now"], list(state["actions"]), state["seed"]
        self.refresh()
