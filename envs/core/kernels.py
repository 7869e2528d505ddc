"""Kernels: compiled functions over arrays of positions, made once per game from its rules.

Every kernel takes arrays and an index, never a record: Numba unpacks arrays from Python several times faster. Arrays
that occur everywhere: `states` (records), `tables` (one record), `features` (records of uint8 codes, see
`theogony.envs.core.features`), `masks` (int8, one row a position).
"""

from __future__ import annotations

import functools
from types import SimpleNamespace
from typing import Any

import numpy as np

from theogony.envs.core.features import decode
from theogony.envs.core.game import GameSpec
from theogony.envs.core.jit import offered, rule
from theogony.envs.core.memory import borrowed, bytes_of, clear_record, copy_record, word_at
from theogony.envs.core.record import CUT_OFF, ENDED
from theogony.envs.core.rewards import POINTS, PROGRESS, final_rewards
from theogony.envs.core.rng import below, mix, next_u64, uniform, wrapping
from theogony.envs.core.thinking.lookahead import lookahead_kernels

CALLED = (  # from Python; the others only from rules
    "start", "step", "show", "view", "legal_mask", "decide", "score", "standing", "rewards", "resample", "value",
    "choose", "playouts",
)  # fmt: skip
EACH, TOP = np.uint64(0x0101010101010101), np.uint64(56)  # times `EACH`, the top byte of a word is the sum of all


@wrapping
def ones(word):
    """The sum of the eight mask entries in a word."""
    return np.int64((word * EACH) >> TOP)


@rule
def pick(mask, size, rng):
    """A uniformly drawn legal action of an int8 mask; -1 when there is none. Counts eight entries at a time."""
    words = size // 8
    total = 0
    for k in range(words):
        total += ones(word_at(mask, 8 * k))
    for k in range(8 * words, size):
        total += mask[k]
    if total == 0:
        return -1
    left = below(rng, total)
    start = 0
    for k in range(words):
        count = ones(word_at(mask, 8 * k))
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


@functools.cache
def kernels(spec: GameSpec) -> Any:
    """All kernels of a game, as attributes. Compiled at their first call for each layout of state and features."""
    k = _single(spec)
    vars(k).update(vars(_players(spec, k)))
    return offered(spec, k, CALLED)


@rule
def no_progress(g, t):
    """Of a game that pays no such reward."""
    return 0.0


def _single(spec: GameSpec) -> SimpleNamespace:
    """One position at a time: what the AEC environment, records and verify call."""
    game_setup, legal, apply, observe = spec.setup, spec.legal, spec.apply, spec.observe
    game_score, game_standing, game_resample, game_value = spec.score, spec.standing, spec.resample, spec.value
    cooperative, progress, points = spec.cooperative, spec.progress or no_progress, _points(spec)

    @rule
    def setup(g, t, seed):
        """A new game in a record of zeros."""
        g.rng[0] = mix(seed, 0, 0)
        g.players = t.players
        game_setup(g, t)

    @rule
    def redraw(g, t, seat, rng):
        """Draw anew what a seat cannot know: the dice to come, and what the game names."""
        g.rng[0] = next_u64(rng)
        game_resample(g, t, seat, rng)

    @rule
    def advance(g, t, action):
        """One decision, counted, and cut off at the limit."""
        apply(g, t, action)
        g.ply += 1
        if g.over == 0 and 0 < t.max_decisions <= g.ply:
            g.over = CUT_OFF

    @rule
    def refresh(g, t, features, masks, j):
        """Observation and mask of the acting seat into row j; zeros when the game is over."""
        clear_record(features, j)
        masks[j, :] = 0
        if g.over == 0:
            observe(g, t, g.actor, features[j])
            legal(g, t, masks[j])

    @rule
    def show(states, i, tables, features, masks, floats):
        """Observation and mask of the acting seat of position i into row 0, and the observation decoded into `floats`.

        `floats` is what `FeatureLayout.floats` makes; it becomes zeros when the game is over.
        """
        refresh(states[i], tables[0], features, masks, 0)
        if states[i].over == 0:
            row = floats[0].row
            decode(bytes_of(features)[: row.shape[0]], floats[0].runs, floats[0].units, row)
        else:
            floats[0].row[:] = 0.0

    @rule
    def start(states, i, tables, seed, features, masks, floats):
        """A new game from a seed into position i, with observation and mask in row 0."""
        masks = borrowed(masks)
        clear_record(states, i)
        setup(states[i], tables[0], seed)
        show(states, i, tables, features, masks, floats)
        return (np.int64(states[i].over) << 8) | np.int64(states[i].actor)

    @rule
    def step(states, i, tables, action, features, masks, floats):
        """Decide in position i, writing the new position to i + 1. Returns over << 8 | actor, or -1 when illegal."""
        if action < 0 or action >= masks.shape[1] or masks[0, action] == 0:
            return np.int64(-1)
        masks = borrowed(masks)
        copy_record(states, i + 1, states, i)
        g = states[i + 1]
        advance(g, tables[0], action)
        show(states, i + 1, tables, features, masks, floats)
        return (np.int64(g.over) << 8) | np.int64(g.actor)

    @rule
    def view(states, i, tables, seat, features, j):
        """What one seat may know of position i, into row j."""
        clear_record(features, j)
        observe(states[i], tables[0], seat, features[j])

    @rule
    def legal_mask(states, i, tables, mask):
        mask = borrowed(mask)
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
        if kind == POINTS and g.over == ENDED:
            game_score(g, tables[0], out)
            for seat in range(np.int64(g.players)):
                out[seat] = min(max(points(g, tables[0], seat, out[seat]), -1.0), 1.0)

    @rule
    def resample(states, i, tables, seat, rng):
        redraw(states[i], tables[0], seat, rng)

    @rule
    def value(states, i, tables, seat):
        return game_value(states[i], tables[0], seat)

    found = (
        setup, redraw, advance, refresh, show, start, step, view, legal_mask, decide, score, standing, rewards,
        resample, value,
    )  # fmt: skip
    return SimpleNamespace(**{f.__name__: f for f in found})


def _points(spec: GameSpec) -> Any:
    """What the own points of a seat are worth: by the game's outlook, else as they are, beyond `par`."""
    outlook, par = spec.outlook, spec.par or 0.0
    if outlook is None:

        @rule
        def points(g, t, seat, score):
            return (score - par) / t.scale

    else:

        @rule
        def points(g, t, seat, score):
            return outlook(g, t, seat)

    return points


def _players(spec: GameSpec, single: SimpleNamespace) -> SimpleNamespace:
    """Players inside the kernel, and raw playouts.

    `scratch` is what they think in (`theogony.envs.core.thinking.scratch`), `net` the value that they ask: a network,
    or the game's own where it is empty (`theogony.envs.core.thinking.value_network`).
    """
    legal, setup, advance = spec.legal, single.setup, single.advance
    ahead = lookahead_kernels(spec, single)
    imagine, tried, own_tried = ahead.imagine, ahead.tried, ahead.own_tried

    @rule
    def greedy(states, i, tables, mask, scratch, s, rng, net):
        """The legal action with the best value ahead, on a resampled copy; ties at random.

        Uses `lookahead + 1` rows of `scratch` from row s.
        """
        scratch = borrowed(scratch)
        seat, own = np.int64(states[i].actor), net.shape[0] == 0
        imagine(states, i, tables, seat, scratch, s, rng, net)
        best, best_value, ties = -1, 0.0, 0
        for action in range(mask.shape[0]):
            if mask[action] == 0:
                continue
            if own:
                estimate = own_tried(scratch.states, scratch.masks, s, tables, action, seat)
            else:
                estimate = tried(scratch, s, tables, action, seat, net, s, True)
            if best < 0 or estimate > best_value:
                best, best_value, ties = action, estimate, 1
            elif estimate == best_value:
                ties += 1
                if below(rng, ties) == 0:
                    best = action
        return best

    @rule
    def choose(states, i, tables, mask, scratch, s, greed, rng, net):
        """An action of a player inside the kernel: greedy with probability `greed`, else uniform."""
        if greed > 0.0 and (greed >= 1.0 or uniform(rng) < greed):
            return greedy(states, i, tables, mask, scratch, s, rng, net)
        return pick(mask, mask.shape[0], rng)

    @rule
    def playouts(states, i, tables, mask, seed, games, rng):
        """Play whole games at random in position i. Returns the number of decisions."""
        g = states[i]
        t = tables[0]
        mask = borrowed(mask)
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

    return SimpleNamespace(**vars(ahead), greedy=greedy, choose=choose, playouts=playouts)
