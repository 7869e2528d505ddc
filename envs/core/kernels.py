"""Kernels: compiled functions over arrays of positions, made once per game from its rules.

Every kernel takes arrays and an index, never a record: Numba unpacks arrays from Python several times faster. Arrays
that occur everywhere: `states` (records), `tables` (one record), `features` (records over the float32 observations),
`masks` (int8, one row a position), `rows` (the bookkeeping of a batch, `ROW`).
"""

from __future__ import annotations

import functools
from types import SimpleNamespace
from typing import Any, NamedTuple

import numpy as np

from theogony.envs.core.game import GameSpec
from theogony.envs.core.jit import rule
from theogony.envs.core.memory import clear_record, copy_record, word_at
from theogony.envs.core.record import CUT_OFF, ENDED, SEATS, record_dtype
from theogony.envs.core.rewards import PROGRESS, final_rewards
from theogony.envs.core.rng import below, mix, uniform

CALLER = 0  # controllers: the caller decides; a positive number is a policy of the caller's
BYTES = np.uint64(255)  # a word of eight mask entries, modulo 255, is their sum
KERNEL = -1  # the kernel decides, greedily in a share of its decisions, else at random

ROW = record_dtype(
    ("seed", "u8"),  # the batch's; game k of row i starts from mix(seed, i, k)
    ("stream", "u8", (1,)),  # dice of the players inside the kernel
    ("episode", "i8"),  # k
    ("due", "i2"),  # controller that is waited for
    ("seat", "i1"),  # seat that is waited for
    ("learner", "i1"),  # seat of the caller; -1: it plays all seats
    ("over", "i1"),  # how the last game ended, if it ended in this step
    ("ended_seat", "i1"),  # the caller's seat in the game that ended
    ("length", "i4"),  # decisions of the caller in the running game
    ("ended_length", "i4"),  # and in the game that ended
    ("controller", "i2", (SEATS,)),
    ("greed", "f4", (SEATS,)),  # share of greedy decisions of a seat that the kernel plays
    ("rewards", "f8", (SEATS,)),  # of the game that ended in this step
    ("standing", "f8", (SEATS,)),  # scratch
)
LAST = np.uint64(2**64 - 1)  # an episode number that no game reaches: for the stream of a row
OPPONENT = record_dtype(("cumulative", "f8"), ("controller", "i2"), ("greed", "f4"))


@rule
def pick(mask, size, rng):
    """A uniformly drawn legal action of an int8 mask; -1 when there is none. Counts eight entries at a time."""
    words = size // 8
    total = 0
    for k in range(words):
        total += np.int64(word_at(mask, 8 * k) % BYTES)
    for k in range(8 * words, size):
        total += mask[k]
    if total == 0:
        return -1
    left = below(rng, total)
    start = 0
    for k in range(words):
        count = np.int64(word_at(mask, 8 * k) % BYTES)
        if left < count:
            break
        left -= count
        start += 8
    for k in range(start, size):
        if mask[k]:
            if left == 0:
                return k
            left -= 1
    return -1


@rule
def sample_masks(masks, streams, actions, first, last):
    """Draw a legal action for rows first..last of `masks` into `actions`; `streams` has a uint64 a row."""
    for i in range(first, last):
        actions[i] = pick(masks[i], masks.shape[1], streams[i : i + 1])


@rule
def seed_streams(streams, seed, purpose):
    """A stream of its own for every row."""
    for i in range(streams.shape[0]):
        streams[i] = mix(seed, i, purpose)


@rule
def first_illegal(masks, rows, actions, due):
    """The first row that waits for the controller `due` and whose action is not legal; -1 when all are."""
    for i in range(rows.shape[0]):
        if rows[i].due == due:
            action = actions[i]
            if action < 0 or action >= masks.shape[1] or masks[i, action] == 0:
                return i
    return -1


@functools.cache
def kernels(spec: GameSpec) -> Any:
    """All kernels of a game, as attributes. Compiled at their first call for each layout of state and features."""
    k = _single(spec)
    vars(k).update(vars(_players(spec, k)))
    vars(k).update(vars(_batch(spec, k)))
    return k


@rule
def no_progress(g, t):
    """Of a game that pays no such reward."""
    return 0.0


def _single(spec: GameSpec) -> SimpleNamespace:
    """One position at a time: what the AEC environment, records and verify call."""
    setup, legal, apply, observe = spec.setup, spec.legal, spec.apply, spec.observe
    game_score, game_standing, game_resample, game_value = spec.score, spec.standing, spec.resample, spec.value
    cooperative, progress = spec.cooperative, spec.progress or no_progress

    @rule
    def advance(g, t, action):
        """One decision, counted, and cut off at the limit."""
        apply(g, t, action)
        g.ply += 1
        if g.over == 0 and 0 < t.max_decisions <= g.ply:
            g.over = CUT_OFF

    @rule
    def refresh(states, i, tables, features, masks, j):
        """Observation and mask of the acting seat of position i into row j; zeros when the game is over."""
        g = states[i]
        clear_record(features, j)
        masks[j, :] = 0
        if g.over == 0:
            observe(g, tables[0], g.actor, features[j])
            legal(g, tables[0], masks[j])

    @rule
    def start(states, i, tables, seed, features, masks):
        """A new game from a seed into position i, with observation and mask in row 0."""
        clear_record(states, i)
        setup(states[i], tables[0], seed)
        refresh(states, i, tables, features, masks, 0)
        return (np.int64(states[i].over) << 8) | np.int64(states[i].actor)

    @rule
    def step(states, i, tables, action, features, masks):
        """Decide in position i, writing the new position to i + 1. Returns over << 8 | actor, or -1 when illegal."""
        if action < 0 or action >= masks.shape[1] or masks[0, action] == 0:
            return np.int64(-1)
        copy_record(states, i + 1, states, i)
        g = states[i + 1]
        advance(g, tables[0], action)
        refresh(states, i + 1, tables, features, masks, 0)
        return (np.int64(g.over) << 8) | np.int64(g.actor)

    @rule
    def view(states, i, tables, seat, features, j):
        """What one seat may know of position i, into row j."""
        clear_record(features, j)
        observe(states[i], tables[0], seat, features[j])

    @rule
    def legal_mask(states, i, tables, mask):
        mask[:] = 0
        if states[i].over == 0:
            legal(states[i], tables[0], mask)

    @rule
    def decide(states, i, tables, action):
        """One decision in place, unchecked."""
        advance(states[i], tables[0], action)

    @rule
    def score(states, i, tables, out):
        game_score(states[i], tables[0], out)

    @rule
    def standing(states, i, tables, out):
        game_standing(states[i], tables[0], out)

    @rule
    def rewards(states, i, tables, kind, standings, out):
        """Final rewards of every seat into `out`; `standings` is scratch of the same length."""
        g = states[i]
        game_standing(g, tables[0], standings)
        game_score(g, tables[0], out)
        final_rewards(kind, cooperative, g.over, g.players, tables[0].scale, standings, out)
        if kind == PROGRESS and g.over == ENDED:
            out[: g.players] = progress(g, tables[0])

    @rule
    def resample(states, i, tables, seat, rng):
        game_resample(states[i], tables[0], seat, rng)

    @rule
    def value(states, i, tables, seat):
        return game_value(states[i], tables[0], seat)

    names = (advance, refresh, start, step, view, legal_mask, decide, score, standing, rewards, resample, value)
    return SimpleNamespace(**{f.__name__: f for f in names})


def _players(spec: GameSpec, single: SimpleNamespace) -> SimpleNamespace:
    """Players inside the kernel, and raw playouts."""
    setup, legal = spec.setup, spec.legal
    game_resample, game_value = spec.resample, spec.value
    advance, lookahead = single.advance, spec.lookahead

    @rule
    def value_now(scratch, masks, s, tables, seat):
        """The value of `scratch[s]` for a seat."""
        return game_value(scratch[s], tables[0], seat)

    ahead = [value_now]  # ahead[d]: the best value while the seat goes on deciding, at most d decisions
    for _ in range(lookahead - 1):
        ahead.append(_one_further(ahead[-1], value_now, legal, advance))
    best_ahead = ahead[-1]

    @rule
    def greedy(states, i, tables, mask, scratch, scratch_masks, s, rng):
        """The legal action with the best value ahead, on a resampled copy; ties at random.

        Uses `lookahead + 1` rows of `scratch` and `scratch_masks` from row s.
        """
        seat = np.int64(states[i].actor)
        copy_record(scratch, s, states, i)
        game_resample(scratch[s], tables[0], seat, rng)
        best, best_value, ties = -1, 0.0, 0
        for action in range(mask.shape[0]):
            if mask[action] == 0:
                continue
            copy_record(scratch, s + 1, scratch, s)
            advance(scratch[s + 1], tables[0], action)
            estimate = best_ahead(scratch, scratch_masks, s + 1, tables, seat)
            if best < 0 or estimate > best_value:
                best, best_value, ties = action, estimate, 1
            elif estimate == best_value:
                ties += 1
                if below(rng, ties) == 0:
                    best = action
        return best

    @rule
    def choose(states, i, tables, mask, scratch, scratch_masks, s, greed, rng):
        """An action of a player inside the kernel: greedy with probability `greed`, else uniform."""
        if greed > 0.0 and (greed >= 1.0 or uniform(rng) < greed):
            return greedy(states, i, tables, mask, scratch, scratch_masks, s, rng)
        return pick(mask, mask.shape[0], rng)

    @rule
    def playouts(states, i, tables, mask, seed, games, rng):
        """Play whole games at random in position i. Returns the number of decisions."""
        g = states[i]
        t = tables[0]
        decisions = 0
        for k in range(games):
            clear_record(states, i)
            setup(g, t, mix(seed, i, k))
            while g.over == 0:
                mask[:] = 0
                legal(g, t, mask)
                advance(g, t, pick(mask, mask.shape[0], rng))
                decisions += 1
        return decisions

    return SimpleNamespace(value_now=value_now, best_ahead=best_ahead, greedy=greedy, choose=choose, playouts=playouts)


def _one_further(best_after: Any, value_now: Any, legal: Any, advance: Any) -> Any:
    """One decision more of the same seat, and then `best_after`: a chain, since Numba cannot cache recursion."""

    @rule
    def best_ahead(scratch, masks, s, tables, seat):
        g = scratch[s]
        if g.over != 0 or g.actor != seat:
            return value_now(scratch, masks, s, tables, seat)
        mask = masks[s]
        mask[:] = 0
        legal(g, tables[0], mask)
        best = -np.inf
        for action in range(mask.shape[0]):
            if mask[action]:
                copy_record(scratch, s + 1, scratch, s)
                advance(scratch[s + 1], tables[0], action)
                best = max(best, best_after(scratch, masks, s + 1, tables, seat))
        return best

    return best_ahead


class BatchArrays(NamedTuple):
    """Everything the kernels of a batch work on; row i of each array is game i, but for `opponents` and the scratch."""

    states: np.ndarray
    tables: np.ndarray
    rows: np.ndarray  # ROW
    features: np.ndarray
    masks: np.ndarray
    last_features: np.ndarray  # the caller's last view of the game that ended
    opponents: np.ndarray  # OPPONENT
    scratch: np.ndarray  # `lookahead + 1` states for each slice
    scratch_masks: np.ndarray
    seat_mode: int  # seat of the caller, or one of the next two
    reward: int  # index in `GameSpec.rewards`


ALL_SEATS, RANDOM_SEAT = -2, -1


def _batch(spec: GameSpec, k: SimpleNamespace) -> SimpleNamespace:
    """Many games in one call: rows first..last, each run on to where the caller is waited for.

    `b` is a `BatchArrays`, `s` the first scratch row of the slice.
    """
    setup, legal, observe = spec.setup, spec.legal, spec.observe
    advance, refresh, choose, rewards = k.advance, k.refresh, k.choose, k.rewards

    @rule
    def seat_players(b, i, players):
        """Who plays where in the game that begins: the caller's seat, and an opponent drawn for every other."""
        row = b.rows[i]
        if b.seat_mode == ALL_SEATS:
            row.learner = -1
        elif b.seat_mode == RANDOM_SEAT:
            row.learner = below(row.stream, players)
        else:
            row.learner = b.seat_mode
        for seat in range(players):
            row.controller[seat] = CALLER
            row.greed[seat] = 0.0
            if row.learner >= 0 and seat != row.learner:
                draw = uniform(row.stream)
                o = 0
                while o < b.opponents.shape[0] - 1 and draw >= b.opponents[o].cumulative:
                    o += 1
                row.controller[seat] = b.opponents[o].controller
                row.greed[seat] = b.opponents[o].greed

    @rule
    def new_game(b, i):
        row = b.rows[i]
        clear_record(b.states, i)
        setup(b.states[i], b.tables[0], mix(row.seed, i, row.episode))
        row.length = 0
        seat_players(b, i, np.int64(b.states[i].players))

    @rule
    def finish(b, i):
        """Note how the game ended: rewards, and the caller's last view of it."""
        g, row = b.states[i], b.rows[i]
        row.over = g.over
        row.ended_seat = row.learner
        row.ended_length = row.length
        rewards(b.states, i, b.tables, b.reward, row.standing, row.rewards)
        clear_record(b.last_features, i)
        seat = np.int64(row.learner)
        observe(g, b.tables[0], seat if seat >= 0 else np.int64(g.actor), b.last_features[i])

    @rule
    def run_row(b, i, s):
        """Run row i on to the next decision of the caller (or one of its policies), through the end of a game."""
        g, t, row = b.states[i], b.tables[0], b.rows[i]
        while True:
            if g.over != 0:
                if row.length > 0:  # a game that ends before the caller's first decision is not an episode
                    finish(b, i)
                row.episode += 1
                new_game(b, i)
                continue
            if row.controller[g.actor] != KERNEL:
                break
            mask = b.masks[i]
            mask[:] = 0
            legal(g, t, mask)
            greed = row.greed[g.actor]
            advance(g, t, choose(b.states, i, b.tables, mask, b.scratch, b.scratch_masks, s, greed, row.stream))
        row.due = row.controller[g.actor]
        row.seat = g.actor
        refresh(b.states, i, b.tables, b.features, b.masks, i)

    @rule
    def batch_start(b, seed, s, first, last):
        """Begin a game in every row, from episode 0."""
        for i in range(first, last):
            clear_record(b.rows, i)
            b.rows[i].seed = seed
            b.rows[i].stream[0] = mix(seed, i, LAST)
            new_game(b, i)
            run_row(b, i, s)

    @rule
    def batch_step(b, actions, due, s, first, last):
        """Take `actions[i]`, which are legal, in every row that waits for the controller `due`."""
        for i in range(first, last):
            row = b.rows[i]
            if row.due != due:
                continue
            if due == CALLER:
                row.over = 0
                row.length += 1
            advance(b.states[i], b.tables[0], actions[i])
            run_row(b, i, s)

    @rule
    def batch_refresh(b):
        """Observations and masks of all rows, after the states were written from outside."""
        for i in range(b.states.shape[0]):
            refresh(b.states, i, b.tables, b.features, b.masks, i)

    return SimpleNamespace(batch_start=batch_start, batch_step=batch_step, batch_refresh=batch_refresh)
