"""The choosing of the player that looks for trouble, compiled: what was seen least, and supplies driven to their ends.

A *mark* is something an action can have been seen with: its kind, each of its arguments, itself. A *transition* is
(decision before, kind of action, decision after, fields of the record that changed), as a hash. A *gauge* is a run of
integers in the record, a supply say, of which the sum is read. A *script* is what was played in an earlier game: the
seats follow it as far as it is legal, and leave it now and then.
"""

from __future__ import annotations

import functools
from types import SimpleNamespace
from typing import Any, NamedTuple

import numpy as np

from theogony.envs.core.game import GameSpec
from theogony.envs.core.jit import rule
from theogony.envs.core.kernels import kernels, pick
from theogony.envs.core.memory import copy_record
from theogony.envs.core.record import SEATS, record_dtype
from theogony.envs.core.rng import below, mix

RANDOM, RARE, NOVEL, STEER, LINGER = range(5)  # styles of a seat
CANDIDATES = 8  # legal actions, drawn, that are looked at one decision ahead
STEERED = 32  # the same of a seat that steers
OWED = 3  # decisions that follow from an action at once, and that a seat that steers looks through
WHIM = 12  # one decision in so many is drawn, whatever the style
AHEAD = 6  # decisions of a seat in the script of which the first legal one is taken
CHANGES = 62  # fields are told apart up to so many; those beyond share a bit with an earlier one

PLAN = record_dtype(
    ("style", "i1", (SEATS,)),
    ("sensible", "i1", (SEATS,)),  # among equals the seat takes what the game's `value` likes
    ("sign", "i4"),  # of the gauge: 1 hoards, -1 starves
    ("start", "i4"),  # the gauge: byte in the record, bytes, bytes of each number
    ("length", "i4"),
    ("width", "i4"),
    ("supply", "i4"),  # whether it is a supply that is to be used up
    ("script", "i4"),  # how much of the script there is
    ("told", "i4", (SEATS,)),  # where each seat is in it
    ("stray", "i4"),  # one decision in so many leaves it
)


class Seen(NamedTuple):
    """What the kernel works on. `T` decisions fit; `bytes` and `ahead_bytes` are views of the two arrays of states."""

    states: np.ndarray  # (T + 1,): the game so far, a position each
    bytes: np.ndarray  # uint8 (T + 1, itemsize)
    ahead: np.ndarray  # (2,): what a candidate leads to, and a copy for `value`
    ahead_bytes: np.ndarray
    tables: np.ndarray
    mask: np.ndarray  # int8 (actions,)
    mask_ahead: np.ndarray
    plan: np.ndarray  # PLAN (1,)
    worth: np.ndarray  # int64 (8, 256): what a byte of the gauge counts, by its place in its number
    script: np.ndarray  # int32 (T, 2): seats and actions
    told: np.ndarray  # int16 (T + 1, SEATS): where each seat was in it
    barred: np.ndarray  # int8, by mark: kinds of action that are not played where another is legal
    marks: np.ndarray  # int32 (actions, n): marks of each action, -1 for none
    fields: np.ndarray  # int32 (fields, 2): bytes from which and to which each field of the record lies
    counts: np.ndarray  # int64: how often each mark was seen
    transitions: np.ndarray  # int32 (a power of two,): how often each transition was seen
    changes: np.ndarray  # int64 (CHANGES,): how often each field changed
    actions: np.ndarray  # int64 (T,): what was played
    before: np.ndarray  # int32 (T,): how often that transition had been seen before
    withheld: np.ndarray  # int32 (T,): the mark of a barred kind that would have been legal; -1: none was
    rng: np.ndarray  # uint64 (1,)


@rule
def gauge(b, content):
    """The sum of the gauge's numbers in a record's bytes."""
    plan, total = b.plan[0], np.int64(0)
    for k in range(plan.length):
        total += b.worth[k % plan.width, content[plan.start + k]]
    return total


@rule
def rarity(b, action):
    """How seldom the marks of an action were seen: 1 for each that never was."""
    total = 0.0
    for k in range(b.marks.shape[1]):
        mark = b.marks[action, k]
        if mark >= 0:
            total += 1.0 / (1.0 + b.counts[mark])
    return total


@rule
def changed(fields, one, other):
    """The fields in which the bytes of two records differ, as bits."""
    bits = np.int64(0)
    for f in range(fields.shape[0]):
        for k in range(fields[f, 0], fields[f, 1]):
            if one[k] != other[k]:
                bits |= np.int64(1) << (f % CHANGES)
                break
    return bits


@rule
def transition(b, g, one, after, other, action):
    """The place of a transition in the table of counts."""
    decisions = np.int64(g.decision) << 8 | np.int64(after.decision) & 255
    key = mix(changed(b.fields, one, other), b.marks[action, 0], decisions)
    return np.int64(key & np.uint64(b.transitions.shape[0] - 1))


@rule
def bar(b):
    """Take actions of barred kinds out of the mask, unless nothing else is legal. Returns one of them, drawn, or -1."""
    found, drawn, other = 0, -1, False
    for action in range(b.mask.shape[0]):
        if b.mask[action] and b.barred[b.marks[action, 0]]:
            found += 1
            if below(b.rng, found) == 0:
                drawn = action
        elif b.mask[action]:
            other = True
    if drawn < 0 or not other:
        return -1
    for action in range(b.mask.shape[0]):
        if b.barred[b.marks[action, 0]]:
            b.mask[action] = 0
    return drawn


@rule
def told(b, seat):
    """What the script tells a seat to do: the first of its next few decisions that is legal; -1 for none."""
    plan, passed = b.plan[0], 0
    for place in range(plan.told[seat], plan.script):
        if b.script[place, 0] == seat:
            if b.mask[b.script[place, 1]]:
                plan.told[seat] = place + 1
                return np.int64(b.script[place, 1])
            passed += 1
            if passed == AHEAD:
                break
    return -1


@rule
def note(b, k, action):
    """Count what decision k showed."""
    one, other = b.bytes[k], b.bytes[k + 1]
    place = transition(b, b.states[k], one, b.states[k + 1], other, action)
    b.before[k] = b.transitions[place]
    b.transitions[place] += 1
    for m in range(b.marks.shape[1]):
        if b.marks[action, m] >= 0:
            b.counts[b.marks[action, m]] += 1
    bits = changed(b.fields, one, other)
    for f in range(CHANGES):
        b.changes[f] += (bits >> f) & 1


@rule
def rarest(b):
    """The legal action whose marks were seen least; ties at random."""
    best, best_rarity, ties = -1, 0.0, 0
    for action in range(b.mask.shape[0]):
        if b.mask[action]:
            found = rarity(b, action)
            if best < 0 or found > best_rarity:
                best, best_rarity, ties = action, found, 1
            elif found == best_rarity:
                ties += 1
                if below(b.rng, ties) == 0:
                    best = action
    return best


@functools.cache
def seeker_kernels(spec: GameSpec) -> Any:
    """`roam`, for the rules of a game; `b` is a `Seen`."""
    legal, value = spec.legal, spec.value
    advance = kernels(spec).advance

    @rule
    def pay(b, seat, decision):
        """Play on in `ahead` while what was played has its seat decide more: a town is there, but not its tile yet."""
        after = b.ahead[0]
        for _ in range(OWED):
            if after.over or after.actor != seat or after.decision == decision:
                return
            b.mask_ahead[:] = 0
            legal(after, b.tables[0], b.mask_ahead)
            action = pick(b.mask_ahead, b.mask_ahead.shape[0], b.rng)
            if action < 0:
                return
            advance(after, b.tables[0], action)

    @rule
    def appeal(b, k, action, seat, style, sensible):
        """What a seat of this style thinks of an action, from where it leads. Writes on `ahead`."""
        g, after = b.states[k], b.ahead[0]
        copy_record(b.ahead, 0, b.states, k)
        advance(after, b.tables[0], action)
        if style == STEER:
            pay(b, seat, np.int64(g.decision))
            found = 1000.0 * b.plan[0].sign * gauge(b, b.ahead_bytes[0])
        elif style == NOVEL:
            found = -1000.0 * b.transitions[transition(b, g, b.bytes[k], after, b.ahead_bytes[0], action)]
        elif style == LINGER:  # what is due stays due; the game goes on
            same = after.decision == g.decision and after.actor == g.actor
            found = -1e6 if after.over else 1000.0 if same else 0.0
        else:
            found = 0.0
        if sensible:
            copy_record(b.ahead, 1, b.ahead, 0)
            found += value(b.ahead[1], b.tables[0], seat)
        else:
            found += rarity(b, action)
        return found

    @rule
    def seek(b, k):
        """An action for position k, whose mask is written; -1 when none is legal."""
        seat = np.int64(b.states[k].actor)
        if b.plan[0].script and below(b.rng, b.plan[0].stray) > 0:
            action = told(b, seat)
            if action >= 0:
                return action
        style, sensible = b.plan[0].style[seat], b.plan[0].sensible[seat]
        if (style == RANDOM and not sensible) or below(b.rng, WHIM) == 0:
            return pick(b.mask, b.mask.shape[0], b.rng)
        if style == RARE and not sensible:
            return rarest(b)
        best, best_appeal = -1, 0.0
        for _ in range(STEERED if style == STEER else CANDIDATES):
            action = pick(b.mask, b.mask.shape[0], b.rng)
            if action < 0:
                return -1
            if action != best:
                found = appeal(b, k, action, seat, style, sensible)
                if best < 0 or found > best_appeal:
                    best, best_appeal = action, found
        return best

    @rule
    def leads_nowhere(b, k, action):
        """Whether an action leads to a position in which none is legal."""
        copy_record(b.ahead, 0, b.states, k)
        advance(b.ahead[0], b.tables[0], action)
        if b.ahead[0].over:
            return False
        b.mask_ahead[:] = 0
        legal(b.ahead[0], b.tables[0], b.mask_ahead)
        return pick(b.mask_ahead, b.mask_ahead.shape[0], b.rng) < 0

    @rule
    def dead_end(b, k):
        """An action that leads nowhere, in a position where the supply has run out; -1 for none."""
        if b.plan[0].supply and gauge(b, b.bytes[k]) == 0:
            for action in range(b.mask.shape[0]):
                if b.mask[action] and leads_nowhere(b, k, action):
                    return action
        return -1

    @rule
    def roam(b, last):
        """Play on from the first position, at most to `last`; stops at the end, and where no action is legal.

        Returns the last position that was reached; its mask is in `mask`.
        """
        k = 0
        while True:
            b.mask[:] = 0
            b.told[k] = b.plan[0].told
            if b.states[k].over:
                return k
            legal(b.states[k], b.tables[0], b.mask)
            if k == last:
                return k
            action = dead_end(b, k)
            held = bar(b)
            b.withheld[k] = b.marks[held, 0] if held >= 0 else -1
            if action < 0:
                action = held if held >= 0 and leads_nowhere(b, k, held) else seek(b, k)
            if action < 0:
                return k
            copy_record(b.states, k + 1, b.states, k)
            advance(b.states[k + 1], b.tables[0], action)
            b.actions[k] = action
            note(b, k, action)
            k += 1

    return SimpleNamespace(roam=roam)
