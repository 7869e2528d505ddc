"""Games of a learnt value for a policy network to learn from: what every legal action of a decision is worth to it.

The value plays all seats. Its best actions alone would lead through few positions, and a pupil makes mistakes that its
teacher never makes; so a share of decisions is drawn at random, a different share in each game. What is kept of a
decision is what its seat sees, never the position.

A game follows from its number alone, so that it does not matter which thread plays it.
"""

from __future__ import annotations

import functools
import itertools
from concurrent.futures import ThreadPoolExecutor
from typing import Any, NamedTuple

import numpy as np

from theogony.envs.core.game import Game, GameSpec
from theogony.envs.core.jit import rule
from theogony.envs.core.kernels import kernels, pick
from theogony.envs.core.memory import clear_record, copy_record
from theogony.envs.core.record import CUT_OFF, SEATS, record_dtype
from theogony.envs.core.rng import mix, uniform

CHUNK = 4  # games that a thread plays at a time
ROOM = 512  # decisions of such games to begin with; more is made when it is used up
DEALS, TEACHERS = 21, 22  # what the seed is mixed with: for games, for those who play them

CURSOR = record_dtype(
    ("game", "i8"),  # the next to begin
    ("running", "i1"),
    ("start", "i8"),  # where its decisions begin
    ("used", "i8"),  # decisions so far
    ("explore", "f8"),  # share of its decisions that are drawn at random
    ("reward", "f8"),  # sum of the rewards of seat 0 over the games that are over
    ("stream", "u8", (1,)),
    ("pay", "f8", (2, SEATS)),
)


class Teacher(NamedTuple):
    """The value that is taught, and how it plays."""

    net: np.ndarray  # float32: a packed network; empty: the game's own value
    explore: float  # share of decisions that are drawn at random, at most
    noise: float  # Gumbel noise on the values when it compares them, in rewards
    reward: int  # index in `GameSpec.rewards`
    shaping: float  # how much of the own value a return leaves out
    deep: bool  # look ahead over one's own turn, as far as the greedy player


class Taught(NamedTuple):
    """N decisions in the order of their games."""

    codes: np.ndarray  # uint8 (N, length): what the seat saw
    values: np.ndarray  # float32 (N, actions): what each action is worth to the teacher, nan where it is not legal
    returns: np.ndarray  # float32 (N,): the final reward of the seat, less what shaping has paid by then
    games: int
    reward: float  # mean final reward of seat 0

    @property
    def decisions(self) -> int:
        """How many there are to learn from."""
        return len(self.codes)


@functools.cache
def teaching_kernels(spec: GameSpec) -> Any:
    """`play` of a game: plays on from a cursor until its games are over or there is no room for another decision."""
    k = kernels(spec)
    legal, observe, own_value = spec.legal, spec.observe, spec.value
    setup, redraw, advance, rewards = k.setup, k.redraw, k.advance, k.rewards
    look, value_now, best_ahead = k.look, k.value_now, k.best_ahead

    @rule
    def begin(state, tables, cursor, teacher, seed):
        clear_record(state, 0)
        setup(state[0], tables[0], mix(seed, cursor.game, DEALS))
        cursor.stream[0] = mix(seed, cursor.game, TEACHERS)
        cursor.explore = teacher.explore * uniform(cursor.stream)
        cursor.game += 1
        cursor.running, cursor.start = 1, cursor.used

    @rule
    def judge(state, tables, mask, scratch, teacher, stream, values):
        """What every legal action is worth, on a copy in which all that the seat cannot know is drawn anew."""
        seat = np.int64(state[0].actor)
        copy_record(scratch.states, 0, state, 0)
        redraw(scratch.states[0], tables[0], seat, stream)
        look(scratch, 0, tables, seat, teacher.net)
        for action in range(mask.shape[0]):
            values[action] = np.nan
            if mask[action]:
                copy_record(scratch.states, 1, scratch.states, 0)
                advance(scratch.states[1], tables[0], action)
                if teacher.deep:
                    values[action] = best_ahead(scratch, 1, tables, seat, teacher.net, 0)
                else:
                    values[action] = value_now(scratch, 1, tables, seat, teacher.net, 0)

    @rule
    def decide(mask, values, cursor, noise):
        """The best action, or one drawn at random."""
        if cursor.explore > 0.0 and uniform(cursor.stream) < cursor.explore:
            return pick(mask, mask.shape[0], cursor.stream)
        chosen, most = -1, -np.inf
        for action in range(mask.shape[0]):
            if mask[action]:
                estimate = np.float64(values[action])
                if noise > 0.0:
                    estimate -= noise * np.log(-np.log(uniform(cursor.stream) + 1e-300) + 1e-300)
                if chosen < 0 or estimate > most:
                    chosen, most = action, estimate
        return chosen

    @rule
    def finish(state, tables, cursor, teacher, seats, returns):
        """The returns of the game that is over; a game that was cut off has none."""
        rewards(state, 0, tables, teacher.reward, cursor.pay[0], cursor.pay[1])
        for n in range(cursor.start, cursor.used):
            returns[n] = np.nan if state[0].over == CUT_OFF else cursor.pay[1, seats[n]] - returns[n]
        cursor.reward += cursor.pay[1, 0]
        cursor.running = 0

    @rule
    def play(state, tables, mask, scratch, cursors, teacher, features, values, seats, returns, seed, last):
        """Games up to `last`. Returns whether they are over; otherwise there must be room for more decisions."""
        cursor, g = cursors[0], state[0]
        while cursor.running or cursor.game < last:
            if not cursor.running:
                begin(state, tables, cursor, teacher, seed)
            while g.over == 0:
                n = cursor.used
                if n >= values.shape[0]:
                    return False
                mask[:] = 0
                legal(g, tables[0], mask)
                choices = 0
                for action in range(mask.shape[0]):
                    choices += mask[action]
                if choices == 1:
                    advance(g, tables[0], pick(mask, mask.shape[0], cursor.stream))
                    continue
                clear_record(features, n)
                observe(g, tables[0], g.actor, features[n])
                judge(state, tables, mask, scratch, teacher, cursor.stream, values[n])
                seats[n] = g.actor
                returns[n] = teacher.shaping * own_value(g, tables[0], np.int64(g.actor)) if teacher.shaping else 0.0
                cursor.used += 1
                advance(g, tables[0], decide(mask, values[n], cursor, teacher.noise))
            finish(state, tables, cursor, teacher, seats, returns)
        return True

    return play


class Teaching:
    """Plays games by number, some of them in each thread."""

    def __init__(self, game: Game, teacher: Teacher, threads: int, seed: int) -> None:
        self.game, self.teacher, self.seed = game, teacher, np.uint64(seed)
        self._play = teaching_kernels(game.spec)
        self._pool = ThreadPoolExecutor(threads, "theogony-teach")
        self._stopped = False

    def play(self, first: int, count: int) -> Taught:
        """Games `first` to `first + count`, whose decisions do not depend on the number of threads."""
        cuts = [*range(first, first + count, CHUNK), first + count]
        parts = list(self._pool.map(lambda cut: self._part(*cut), itertools.pairwise(cuts)))
        codes, values, returns = (np.concatenate([part[k] for part in parts]) for k in range(3))
        return Taught(codes, values, returns, count, sum(part[3] for part in parts) / count)

    def _part(self, first: int, last: int) -> tuple[np.ndarray, np.ndarray, np.ndarray, float]:
        game, room = self.game, ROOM
        scratch, state, mask = game.scratch(), game.new_states(1), np.zeros(game.actions.size, np.int8)
        cursors = np.zeros(1, CURSOR)
        cursors["game"] = last if self._stopped else first
        kept = [
            np.zeros((room, game.features.length), np.uint8),
            np.zeros((room, game.actions.size), np.float32),
            np.zeros(room, np.int8),
            np.zeros(room, np.float32),
        ]
        given = state, game.tables, mask, scratch, cursors, self.teacher
        while not self._play(*given, game.features.records(kept[0]), *kept[1:], self.seed, last):
            kept = [np.concatenate([array, np.zeros_like(array)]) for array in kept]
        used = int(cursors["used"][0])
        return kept[0][:used], kept[1][:used], kept[3][:used], float(cursors["reward"][0])

    def stop(self) -> None:
        """End the threads, at the next whole games."""
        self._stopped = True
        self._pool.shutdown(wait=True)
