"""Scene cards are turned over: boxed effects, flips, rewards, checks after a change (§7; §12)."""

from __future__ import annotations

import numpy as np

from theogony.envs.core.jit import rule
from theogony.envs.god_of_war.codes import C_ATTACKED, C_HP_LE, C_RUNE, C_TOKENS_GE, NONE
from theogony.envs.god_of_war.frames import (
    CHECK_ACTOR,
    CHECK_CHANGED,
    CHECK_FROM,
    F_CHECK,
    F_DEFEATED,
    F_EFFECTS,
    F_TURN,
    TURNED_ACTOR,
    TURNED_DEFEATS,
    TURNED_END,
    TURNED_FIRST,
    TURNED_NEXT,
    TURNED_REWARDS,
    TURNED_STAGE,
    WHEN_ACTOR,
    WHEN_CONDITION,
    WHEN_NEXT,
    WHEN_NUMBER,
    WHEN_SLOT,
    WHEN_STAMP,
)
from theogony.envs.god_of_war.rules.agenda import pop, push
from theogony.envs.god_of_war.rules.conditions import all_hold, scene_clear
from theogony.envs.god_of_war.rules.enemies import carrier, hp_left, lives, restore_armour


@rule
def next_entry(g, firsts, ends, conditions, parameters, frame):
    """The next box or flip of the side that is up with the condition of the frame; NONE after the last.

    There is none either once the card is turned (R58).
    """
    slot = np.int64(frame[WHEN_SLOT])
    if g.turned_at[slot] > frame[WHEN_STAMP]:
        return NONE
    first = np.int64(firsts[g.scenario, slot, g.side[slot]])
    for entry in range(first + np.int64(frame[WHEN_NEXT]), ends[g.scenario, slot, g.side[slot]]):
        if conditions[entry] == frame[WHEN_CONDITION] and parameters[entry] == frame[WHEN_NUMBER]:
            frame[WHEN_NEXT] = entry + 1 - first
            return entry
    return NONE


@rule
def resolve_boxes(g, t, frame):
    """Boxed effects of one condition (F_BOXES)."""
    slot = np.int64(frame[WHEN_SLOT])
    box = next_entry(g, t.boxes_first, t.boxes_end, t.box_when, t.box_n, frame)
    if box == NONE:
        pop(g)
    elif all_hold(g, t, t.if_kind, t.if_slot, t.if_n, t.box_if_first[box], t.box_if_end[box]):
        checked = 1 if frame[WHEN_CONDITION] == C_RUNE or frame[WHEN_CONDITION] == C_ATTACKED else 0
        push(g, F_EFFECTS, t.box_first[box], t.box_end[box], slot, frame[WHEN_ACTOR], checked)
    return False


@rule
def resolve_flips(g, t, frame):
    """Flips of one condition (F_FLIPS)."""
    flip = next_entry(g, t.flips_first, t.flips_end, t.flip_when, t.flip_n, frame)
    if flip == NONE:
        pop(g)
    else:
        turn_cards(g, t, t.flip_first[flip], t.flip_end[flip], frame[WHEN_ACTOR])
    return False


@rule
def turn_cards(g, t, first, end, actor):
    """Turn several cards over as one event (R55): the sides now, then defeats, then rewards (F_TURN)."""
    for k in range(first, end):
        slot = np.int64(t.turned_slot[k])
        g.side[slot] ^= 1
        g.stunned[slot] = 0
        g.dead[slot] = 0
        g.tokens[slot] = t.tokens_start[g.scenario, slot, g.side[slot]]
        restore_armour(g, t, slot)
        g.turnings += 1
        g.turned_at[slot] = g.turnings
    push(g, F_TURN, first, end, actor, 0, first)


@rule
def after_turning(g, t, frame):
    """Enemies that the damage which stayed defeats, then the rewards, both in the listed order (F_TURN)."""
    if frame[TURNED_NEXT] >= frame[TURNED_END]:
        if frame[TURNED_STAGE] == TURNED_REWARDS:
            pop(g)
        else:
            frame[TURNED_STAGE] = TURNED_REWARDS
            frame[TURNED_NEXT] = frame[TURNED_FIRST]
        return False
    slot = np.int64(t.turned_slot[frame[TURNED_NEXT]])
    frame[TURNED_NEXT] += 1
    if frame[TURNED_STAGE] == TURNED_DEFEATS:
        if lives(g, t, slot) and hp_left(g, t, slot) <= 0:
            push(g, F_DEFEATED, slot, frame[TURNED_ACTOR])
        return False
    side = g.side[slot]
    first, end = t.reward_first[g.scenario, slot, side], t.reward_end[g.scenario, slot, side]
    if first < end:
        push(g, F_EFFECTS, first, end, slot, frame[TURNED_ACTOR], 0)
    return False


@rule
def check_again(g, actor):
    """After a change: flips, failure, success. `actor` is the figure that caused it, for the rewards."""
    push(g, F_CHECK, 0, 0, actor)


@rule
def check_flips(g, t, frame):
    """Flips after a change, cards in reading order, until nothing changes (F_CHECK). True when all is done."""
    for k in range(t.watched_first[g.scenario], t.watched_end[g.scenario]):
        slot, flip = np.int64(t.watched_slot[k]), np.int64(t.watched_flip[k])
        if slot >= frame[CHECK_FROM] and g.side[slot] == t.watched_side[k] and flip_due(g, t, slot, flip):
            frame[CHECK_FROM] = slot + 1
            frame[CHECK_CHANGED] = 1
            turn_cards(g, t, t.flip_first[flip], t.flip_end[flip], frame[CHECK_ACTOR])
            return False
    if frame[CHECK_CHANGED]:
        frame[CHECK_FROM] = 0
        frame[CHECK_CHANGED] = 0
        return False
    return True


@rule
def flip_due(g, t, slot, flip):
    """Whether a flip that is checked after every change is due."""
    when = t.flip_when[flip]
    if when == C_HP_LE:
        owner = carrier(g, t, slot)
        return owner != NONE and hp_left(g, t, owner) <= t.flip_n[flip]
    if when == C_TOKENS_GE:
        return g.tokens[slot] >= t.flip_n[flip]
    return when > C_TOKENS_GE and scene_clear(g, t)
