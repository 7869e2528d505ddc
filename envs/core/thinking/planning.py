"""Planning: a beam over the own decisions of a seat until its turn, round or game ends; the value counts there.

Two decisions often differ by less than a value network errs, and what they are good for shows only decisions later. A
plan reaches the place where it shows. Others are passed over as the game says (`pass_over`); of all positions that a
number of own decisions leads to, the best are kept; and what the best end of a plan is worth is what its first action
is worth. All of it is played on a copy in which what the seat cannot know is drawn anew. Where dice are thrown a plan
ends, since it would choose by what they show.
"""

from __future__ import annotations

import functools
from types import SimpleNamespace
from typing import Any, NamedTuple

import numpy as np

from theogony.envs.core.contract import PASSED_OVER
from theogony.envs.core.game import Game, GameSpec
from theogony.envs.core.jit import offered, rule
from theogony.envs.core.kernels import kernels
from theogony.envs.core.memory import borrowed, bytes_of, copy_record, word_at
from theogony.envs.core.rng import wrapping
from theogony.envs.core.thinking.scratch import Scratch, make_scratch

MOST_PLANS = 4096  # that are followed at once
LONGEST = 64  # own decisions of a plan at most
ANSWERS = 256  # decisions of others between two own ones at most
START, ROTATED, PRIME = np.uint64(1469598103934665603), np.uint64(29), np.uint64(1099511628211)
ROOT, TRIED, JUDGED = 0, 1, 2  # rows of the scratch
NOTHING = -1  # no action


class Beam(NamedTuple):
    """What plans are made in; made once, for the widest one.

    The first axis of length 2 holds the positions that are gone on from, and those that they lead to.
    """

    scratch: Scratch  # the root, what is tried, and a copy on which it is judged
    mask: np.ndarray  # int8 (actions,)
    states: np.ndarray  # records: of side s those from `s * width` on
    first: np.ndarray  # int64 (2, width): the action of the root that leads there
    worth: np.ndarray  # float64 (2, width)
    digest: np.ndarray  # uint64 (2, width)
    count: np.ndarray  # int64 (2,)
    worst: np.ndarray  # int64 (1,): where the least worth of those lies that were kept so far
    step: np.ndarray  # int64 (3,): own decisions so far, the place of the position that is gone on from, the action
    came: np.ndarray  # int64 (LONGEST, width, 2): place and action from which a position was come to
    ends: np.ndarray  # int64 (actions, 3): the last step of the best plan that begins with an action
    best: np.ndarray  # record: where the best plan ends
    most: np.ndarray  # float64 (1,): what that is worth


def make_beam(game: Game, width: int) -> Beam:
    """A beam of such a width at most."""
    return Beam(
        scratch=make_scratch(game, 3),
        mask=np.zeros(game.actions.size, np.int8),
        states=game.new_states(2 * width),
        first=np.zeros((2, width), np.int64),
        worth=np.zeros((2, width)),
        digest=np.zeros((2, width), np.uint64),
        count=np.zeros(2, np.int64),
        worst=np.zeros(1, np.int64),
        step=np.zeros(3, np.int64),
        came=np.zeros((LONGEST, width, 2), np.int64),
        ends=np.zeros((game.actions.size, 3), np.int64),
        best=game.new_states(1),
        most=np.zeros(1),
    )


@functools.cache
def planning_kernel(spec: GameSpec) -> Any:
    """`plan` of a game: what the actions of a decision are worth by the best plan that begins with them."""
    imagine, follow = kernels(spec).imagine, _follow(spec)
    legal = spec.legal

    @rule
    def plan(states, i, tables, seat, net, width, beam, rng, out):
        """Plans of a seat in position i, at most `width` of them at once; returns the best action.

        Into `out` (float64, one an action) goes what the best plan that begins with an action is worth, -inf where none
        came to its end. `rng` decides how what the seat cannot know is drawn anew.
        """
        beam = borrowed(beam)
        mask, kept, side = beam.mask, beam.states.shape[0] // 2, 0
        imagine(states, i, tables, seat, beam.scratch, ROOT, rng, net)
        copy_record(beam.states, 0, beam.scratch.states, ROOT)
        beam.count[0] = 1
        out[:] = -np.inf
        beam.ends[:], beam.most[0] = 0, -np.inf
        for length in range(LONGEST):
            beam.count[1 - side] = 0
            for k in range(beam.count[side]):
                mask[:] = 0
                legal(beam.states[side * kept + k], tables[0], mask)
                for action in range(mask.shape[0]):
                    if mask[action]:
                        first = action if length == 0 else beam.first[side, k]
                        copy_record(beam.scratch.states, TRIED, beam.states, side * kept + k)
                        beam.step[0], beam.step[1], beam.step[2] = length, k, action
                        follow(beam, tables, seat, net, width, 1 - side, first, out)
            side = 1 - side
            if beam.count[side] == 0:
                break
        for k in range(beam.count[side]):  # longer than any plan may be
            beam.step[0], beam.step[1], beam.step[2] = LONGEST, k, NOTHING
            end(beam, beam.states, side * kept + k, beam.first[side, k], beam.worth[side, k], out)
        return np.int64(out.argmax())

    return offered(spec, SimpleNamespace(plan=plan), ("plan",)).plan


def _follow(spec: GameSpec) -> Any:
    k = kernels(spec)
    advance, value_now, stage = k.advance, k.value_now, spec.plan_stage
    until_own = _until_own(spec)

    @rule
    def value_of(beam, tables, seat, net):
        copy_record(beam.scratch.states, JUDGED, beam.scratch.states, TRIED)  # which `value` may write on
        return value_now(beam.scratch, JUDGED, tables, seat, net, ROOT)

    @rule
    def follow(beam, tables, seat, net, width, side, first, out):
        """Play an action in the row `TRIED`: its position is the end of a plan, or may be gone on from."""
        states, t = beam.scratch.states, tables[0]
        dice, began = states[ROOT].rng[0], stage(states[ROOT], t, seat)
        g = states[TRIED]
        advance(g, t, beam.step[2])
        worth = value_of(beam, tables, seat, net)
        goes_on = g.over == 0 and g.rng[0] == dice and stage(g, t, seat) == began
        if goes_on and g.actor != seat:
            goes_on = until_own(g, t, seat, began, beam.scratch.masks[TRIED])
            if g.over != 0:
                worth = value_of(beam, tables, seat, net)
            goes_on = goes_on and g.rng[0] == dice
        if goes_on:
            keep(beam, side, width, first, worth)
        else:
            end(beam, states, TRIED, first, worth, out)

    return follow


def _until_own(spec: GameSpec) -> Any:
    legal, stage, pass_over, advance = spec.legal, spec.plan_stage, spec.pass_over, kernels(spec).advance

    @rule
    def until_own(g, t, seat, began, mask):
        """Pass over the others until the seat decides again. Returns whether it does so within the plan."""
        for _ in range(ANSWERS):
            if g.over != 0 or stage(g, t, seat) != began:
                return False
            if g.actor == seat:
                return True
            mask[:] = 0
            legal(g, t, mask)
            answer = pass_over(g, t, seat, mask)
            if answer >= 0:
                advance(g, t, answer)
            elif answer != PASSED_OVER:
                return False
        return False

    return until_own


@functools.cache
def passing_kernel(spec: GameSpec) -> Any:
    """`pass_over` of a game, for a position in an array."""
    pass_over = spec.pass_over

    @rule
    def passed_over(states, i, tables, seat, mask):
        return np.int64(pass_over(states[i], tables[0], seat, mask))

    return passed_over


@rule
def end(beam, states, i, first, worth, out):
    """Note position i, the end of a plan, if it is the best that begins with this action."""
    if worth > out[first]:
        out[first] = worth
        beam.ends[first, :] = beam.step
    if worth > beam.most[0]:
        beam.most[0] = worth
        copy_record(beam.best, 0, states, i)


def line(beam: Beam, first: int) -> list[int]:
    """The own decisions behind the first one in the best plan of the last beam that begins with it."""
    length, place, action = map(int, beam.ends[first])
    found = [action] if action != NOTHING else []
    for step in range(length - 1, -1, -1):
        place, action = map(int, beam.came[step, place])
        found.insert(0, action)
    return found[1:]


@rule
def keep(beam, side, width, first, worth):
    """Keep the row `TRIED` among the best of a side, if it is one of them and is not there yet."""
    count = beam.count[side]
    full = count >= width
    if full and worth <= beam.worth[side, beam.worst[0]]:
        return
    digest = digest_of(beam.scratch.states)
    for k in range(count):
        if beam.digest[side, k] == digest:
            return
    place = beam.worst[0] if full else count
    copy_record(beam.states, side * (beam.states.shape[0] // 2) + place, beam.scratch.states, TRIED)
    beam.first[side, place], beam.worth[side, place], beam.digest[side, place] = first, worth, digest
    beam.came[beam.step[0], place, 0], beam.came[beam.step[0], place, 1] = beam.step[1], beam.step[2]
    if not full:
        beam.count[side] = count = count + 1
    if count >= width:
        beam.worst[0] = beam.worth[side, :count].argmin()


@wrapping
def digest_of(states):
    """Sixty-four bits that stand for the row `TRIED`; how many decisions led there does not count."""
    g = states[TRIED]
    ply, found = g.ply, START
    g.ply = 0
    content = bytes_of(states[TRIED : TRIED + 1])
    for start in range(0, content.shape[0] - 7, 8):
        found = (found ^ word_at(content, start)) * PRIME
        found ^= found >> ROTATED
    for k in range(content.shape[0] // 8 * 8, content.shape[0]):
        found = (found ^ np.uint64(content[k])) * PRIME
    g.ply = ply
    return found
