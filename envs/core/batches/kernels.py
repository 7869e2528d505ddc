"""Kernels of a batch: many games in one call, each run on to the next decision of the caller.

Beside the arrays of `theogony.envs.core.kernels` there are `rows`, the bookkeeping of a batch (`ROW`).
"""

from __future__ import annotations

import functools
from types import SimpleNamespace
from typing import Any, NamedTuple

import numpy as np

from theogony.envs.core.game import GameSpec
from theogony.envs.core.jit import offered, rule
from theogony.envs.core.kernels import kernels, pick
from theogony.envs.core.memory import borrowed, clear_record, copy_record, fetch_record
from theogony.envs.core.packs import pack_of
from theogony.envs.core.record import CUT_OFF, RUNNING, SEATS, record_dtype
from theogony.envs.core.rng import below, mix, uniform
from theogony.envs.core.thinking.scratch import Scratch

CALLER = 0  # controllers: the caller decides; a positive number is a player that is asked outside
# The kernel decides, greedily in a share of its decisions, else at random: by the game's own value, or by the network
# of the player with number n, which stands as KERNEL - n.
KERNEL = -1

ROW = record_dtype(
    ("seed", "u8"),  # the batch's; game k of row i starts from mix(seed, i, k)
    ("stream", "u8", (1,)),  # random numbers of the players inside the kernel
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
    ("scores", "f8", (SEATS,)),  # printed scores of that game
    ("standing", "f8", (SEATS,)),  # who is before whom at its end, by the rules: more is better
)
LAST = np.uint64(2**64 - 1)  # an episode number that no game reaches: for the stream of a row
OPPONENT = record_dtype(("cumulative", "f8"), ("controller", "i2"), ("greed", "f4"))


@rule
def seed_streams(streams, seed, purpose):
    """A stream of its own for every row."""
    for i in range(streams.shape[0]):
        streams[i] = mix(seed, i, purpose)


@rule
def packs_of(rows, packs, out):
    """The pack of every row's game."""
    for i in range(out.shape[0]):
        out[i] = pack_of(mix(rows[i].seed, i, rows[i].episode), packs)


@rule
def first_illegal(masks, rows, actions, due):
    """The first row that waits for the controller `due` and whose action is not legal; -1 when all are."""
    for i in range(rows.shape[0]):
        if rows[i].due == due:
            action = actions[i]
            if action < 0 or action >= masks.shape[1] or masks[i, action] == 0:
                return i
    return -1


class BatchArrays(NamedTuple):
    """Everything the kernels of a batch work on; row i of each array is game i, but for `opponents` and the scratch."""

    states: np.ndarray
    tables: np.ndarray  # a record for each pack
    rows: np.ndarray  # ROW
    packs: np.ndarray  # uint32: which row of the tables is that of the game
    features: np.ndarray
    masks: np.ndarray
    last_features: np.ndarray  # the caller's last view of the game that ended
    last_worth: np.ndarray  # float64: what the game's own value says of it for the caller, where it was cut off
    opponents: np.ndarray  # OPPONENT
    nets: np.ndarray  # float32: the networks of the players inside the kernel, one after another
    net_ends: np.ndarray  # int64: where that of player n ends; of player 0, the game's own value, it is empty
    scratch: Scratch  # `lookahead + 1` rows for each slice
    seat_mode: int  # seat of the caller, or one of the next two
    reward: int  # index in `KINDS`


ALL_SEATS, RANDOM_SEAT = -2, -1


@functools.cache
def batch_kernels(spec: GameSpec) -> Any:
    """Many games in one call: rows first..last, each run on to where the caller is waited for.

    `b` is a `BatchArrays`, `s` the first scratch row of the slice.
    """
    k = kernels(spec)
    legal, observe, score, standing, value = spec.legal, spec.observe, spec.score, spec.standing, spec.value
    setup, advance, refresh, choose, rewards = k.setup, k.advance, k.refresh, k.choose, k.rewards

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
        seed = mix(row.seed, i, row.episode)
        b.packs[i] = pack_of(seed, b.tables.shape[0])
        setup(b.states[i], b.tables[b.packs[i]], seed)
        row.length = 0
        seat_players(b, i, np.int64(b.states[i].players))

    @rule
    def finish(b, i, s):
        """Note how the game ended: rewards, standings, the caller's last view of it, and what a game was worth that
        was cut off."""
        g, row = b.states[i], b.rows[i]
        row.over = g.over
        row.ended_seat = row.learner
        row.ended_length = row.length
        pack = b.packs[i]
        rewards(b.states, i, b.tables[pack : pack + 1], b.reward, row.standing, row.rewards)
        score(g, b.tables[pack], row.scores)
        standing(g, b.tables[pack], row.standing)  # `rewards` may have left something else there
        clear_record(b.last_features, i)
        seat = np.int64(row.learner)
        if g.over == CUT_OFF:
            copy_record(b.scratch.states, s, b.states, i)  # `value` may write on what it judges
            b.scratch.states[s].over = RUNNING
            b.last_worth[i] = value(b.scratch.states[s], b.tables[pack], max(seat, np.int64(0)))
        observe(g, b.tables[pack], seat if seat >= 0 else np.int64(g.actor), b.last_features[i])

    @rule
    def run_row(b, i, s, seen=True):
        """Run row i on to the next decision of the caller (or one of its players), through the end of a game."""
        g, row = b.states[i], b.rows[i]
        pack = b.packs[i]
        while True:
            if g.over != 0:
                if row.length > 0:  # a game that ends before the caller's first decision is not an episode
                    finish(b, i, s)
                row.episode += 1
                new_game(b, i)
                pack = b.packs[i]
                continue
            controller = np.int64(row.controller[g.actor])
            if controller > KERNEL:
                break
            mask = b.masks[i]
            mask[:] = 0
            legal(g, b.tables[pack], mask)
            n = KERNEL - controller
            net = b.nets[b.net_ends[max(n - 1, 0)] : b.net_ends[n]]
            greed = row.greed[g.actor]
            tables = b.tables[pack : pack + 1]
            advance(g, tables[0], choose(b.states, i, tables, mask, b.scratch, s, greed, row.stream, net))
        row.due = row.controller[g.actor]
        row.seat = g.actor
        if seen:
            refresh(g, b.tables[pack], b.features, b.masks, i)

    @rule
    def fetch(b, i):
        """Let the memory of row i come: many games are more than the caches of a core hold."""
        fetch_record(b.states, i)
        fetch_record(b.features, i)
        fetch_record(b.rows, i)

    @rule
    def batch_start(b, seed, s, first, last):
        """Begin a game in every row, from episode 0."""
        b = borrowed(b)
        for i in range(first, last):
            clear_record(b.rows, i)
            b.rows[i].seed = seed
            b.rows[i].stream[0] = mix(seed, i, LAST)
            new_game(b, i)
            run_row(b, i, s)

    @rule
    def batch_step(b, actions, due, s, first, last):
        """Take `actions[i]`, which are legal, in every row that waits for the controller `due`."""
        b = borrowed(b)
        for i in range(first, last):
            if i + 1 < last:
                fetch(b, i + 1)
            row = b.rows[i]
            if row.due != due:
                continue
            if due == CALLER:
                row.over = 0
                row.length += 1
            advance(b.states[i], b.tables[b.packs[i]], actions[i])
            run_row(b, i, s)

    @rule
    def batch_play(b, streams, decisions, s, first, last):
        """So many decisions of the caller in every row, drawn from its stream; what follows the last is seen."""
        b = borrowed(b)
        for i in range(first, last):
            row, mask = b.rows[i], b.masks[i]
            for _ in range(decisions):
                row.over = 0
                row.length += 1
                advance(b.states[i], b.tables[b.packs[i]], pick(mask, mask.shape[0], streams[i : i + 1]))
                run_row(b, i, s, False)
                mask[:] = 0
                legal(b.states[i], b.tables[b.packs[i]], mask)
            refresh(b.states[i], b.tables[b.packs[i]], b.features, b.masks, i)

    @rule
    def batch_refresh(b):
        """Observations and masks of all rows, after the states were written from outside."""
        b = borrowed(b)
        packs_of(b.rows, b.tables.shape[0], b.packs)
        for i in range(b.states.shape[0]):
            refresh(b.states[i], b.tables[b.packs[i]], b.features, b.masks, i)

    found = SimpleNamespace(batch_start=batch_start, batch_step=batch_step, batch_refresh=batch_refresh)
    found = offered(spec, found, tuple(vars(found)))
    found.batch_play = batch_play  # for a device alone
    return found
