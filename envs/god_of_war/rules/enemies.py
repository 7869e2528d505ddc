"""Enemies and the cards they stand on: damage, armour, defeat (§5.3; §12)."""

from __future__ import annotations

import numpy as np

from theogony.envs.core.jit import rule
from theogony.envs.god_of_war import codes
from theogony.envs.god_of_war.rules.agenda import pop, push

# The names of places and stages of its frames, see `codes.py`.
DEFEATED_SLOT, DEFEATED_ACTOR = 1, 2
WHEN_SLOT, WHEN_CONDITION, WHEN_NUMBER, WHEN_ACTOR, WHEN_NEXT, WHEN_STAMP = range(1, 7)
TURNED_FIRST, TURNED_END, TURNED_ACTOR, TURNED_STAGE, TURNED_NEXT = range(1, 6)
TURNED_DEFEATS, TURNED_REWARDS = range(2)
CHECK_FROM, CHECK_CHANGED, CHECK_ACTOR = range(1, 4)


@rule
def carrier(g, t, slot):
    """The card that carries the living enemy seen on a card; NONE when there is none."""
    side = g.side[slot]
    if t.enemy[g.scenario, slot, side] == codes.EMPTY:
        return codes.NONE
    owner = np.int64(t.part_of[g.scenario, slot, side])
    if g.dead[owner] or t.enemy[g.scenario, owner, g.side[owner]] != codes.OWN:
        return codes.NONE
    return owner


@rule
def lives(g, t, slot):
    """Whether a living enemy of its own stands on a card."""
    return t.enemy[g.scenario, slot, g.side[slot]] == codes.OWN and g.dead[slot] == 0


@rule
def hp_left(g, t, slot):
    """Health that the enemy carried by a card has left."""
    return np.int64(t.enemy_hp[g.scenario, slot, g.side[slot]]) - np.int64(g.hurt[slot])


@rule
def printed_strength(g, t, attack):
    """The strength of an attack with the tokens that add to it."""
    strength = np.int64(t.attack_strength[attack])
    if t.attack_tokens[attack] != codes.NONE:
        strength += np.int64(g.tokens[t.attack_tokens[attack]])
    return strength


@rule
def vulnerable(g, t, slot):
    """Whether damage reaches the enemy: no intact armour and not invulnerable (R23, R40)."""
    return g.armour[slot] == 0 and t.invulnerable[g.scenario, slot, g.side[slot]] == 0


@rule
def highest_armour(g, t, slot):
    """The highest intact armour marker of an enemy, as its number; NONE when there is none."""
    for marker in range(t.armour.shape[3]):
        if (g.armour[slot] >> marker) & 1:
            return marker
    return codes.NONE


@rule
def restore_armour(g, t, slot):
    """All armour markers of the visible side."""
    bits = 0
    for marker in range(t.armour.shape[3]):
        if t.armour[g.scenario, slot, g.side[slot], marker] > 0:
            bits |= 1 << marker
    g.armour[slot] = bits


@rule
def damage_enemy(g, t, slot, n, actor):
    """Damage to the enemy carried by a card, which armour and invulnerability stop (R23). Pushes what it causes."""
    if not vulnerable(g, t, slot):
        return
    g.hurt[slot] += n
    if hp_left(g, t, slot) <= 0:
        push(g, codes.F_DEFEATED, slot, actor)


@rule
def break_armour(g, t, slot, actor):
    """Destroy the highest intact armour marker; the last one may turn cards over (§5.3)."""
    marker = highest_armour(g, t, slot)
    if marker == codes.NONE:
        return
    g.armour[slot] &= ~(1 << marker)
    if g.armour[slot] == 0:
        condition_met(g, slot, codes.C_ARMOUR_BROKEN, 0, actor, g.turnings)


@rule
def condition_met(g, slot, condition, parameter, actor, stamp):
    """Boxed effects of a condition that a card has just met, then its flips; `stamp`: turnings when it was met."""
    push(g, codes.F_FLIPS, slot, condition, parameter, actor, 0, stamp)
    push(g, codes.F_BOXES, slot, condition, parameter, actor, 0, stamp)


@rule
def defeated(g, frame):
    """An enemy is defeated (R54): damage and stun off, boxed effects, then the flip or a death token (F_DEFEATED)."""
    slot, actor = np.int64(frame[DEFEATED_SLOT]), np.int64(frame[DEFEATED_ACTOR])
    g.hurt[slot] = 0
    g.stunned[slot] = 0
    g.skipping[slot] = 0
    g.dead[slot] = 1  # a flip takes the token away again
    if g.enemy_owner == slot:
        g.enemy_owner = codes.NONE  # its attack lapses (ruling R72)
    pop(g)
    condition_met(g, slot, codes.C_DEFEATED, 0, actor, g.turnings)
    return False


# ---- Conditions of boxes, interactions, success and failure (§12) ------------------------------------------------


@rule
def holds(g, t, kind, slot, n):
    """A condition of an `if` list, of success or of failure."""
    if kind == codes.P_CLEAR:
        return scene_clear(g, t)
    if kind == codes.P_TOKENS_GE:
        return g.tokens[slot] >= n
    owner = carrier(g, t, slot)
    if kind == codes.P_HP_LE:
        return owner != codes.NONE and hp_left(g, t, owner) <= n
    return owner == codes.NONE  # dead


@rule
def all_hold(g, t, kinds, slots, numbers, first, end):
    """Whether every condition of a list holds."""
    for k in range(first, end):
        if not holds(g, t, kinds[k], np.int64(slots[k]), numbers[k]):
            return False
    return True


@rule
def scene_clear(g, t):
    """Whether no visible side shows a living enemy of its own."""
    for slot in range(g.side.shape[0]):
        if lives(g, t, slot):
            return False
    return True


# ---- Scene cards are turned over: boxed effects, flips, rewards, checks after a change (§7; §12) -----------------


@rule
def next_entry(g, firsts, ends, conditions, parameters, frame):
    """The next box or flip of the side that is up with the condition of the frame; NONE after the last.

    There is none either once the card is turned (R58).
    """
    slot = np.int64(frame[WHEN_SLOT])
    if g.turned_at[slot] > frame[WHEN_STAMP]:
        return codes.NONE
    first = np.int64(firsts[g.scenario, slot, g.side[slot]])
    for entry in range(first + np.int64(frame[WHEN_NEXT]), ends[g.scenario, slot, g.side[slot]]):
        if conditions[entry] == frame[WHEN_CONDITION] and parameters[entry] == frame[WHEN_NUMBER]:
            frame[WHEN_NEXT] = entry + 1 - first
            return entry
    return codes.NONE


@rule
def resolve_boxes(g, t, frame):
    """Boxed effects of one condition (F_BOXES)."""
    slot = np.int64(frame[WHEN_SLOT])
    box = next_entry(g, t.boxes_first, t.boxes_end, t.box_when, t.box_n, frame)
    if box == codes.NONE:
        pop(g)
    elif all_hold(g, t, t.if_kind, t.if_slot, t.if_n, t.box_if_first[box], t.box_if_end[box]):
        checked = 1 if frame[WHEN_CONDITION] == codes.C_RUNE or frame[WHEN_CONDITION] == codes.C_ATTACKED else 0
        push(g, codes.F_EFFECTS, t.box_first[box], t.box_end[box], slot, frame[WHEN_ACTOR], checked)
    return False


@rule
def resolve_flips(g, t, frame):
    """Flips of one condition (F_FLIPS)."""
    flip = next_entry(g, t.flips_first, t.flips_end, t.flip_when, t.flip_n, frame)
    if flip == codes.NONE:
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
    push(g, codes.F_TURN, first, end, actor, 0, first)


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
            push(g, codes.F_DEFEATED, slot, frame[TURNED_ACTOR])
        return False
    side = g.side[slot]
    first, end = t.reward_first[g.scenario, slot, side], t.reward_end[g.scenario, slot, side]
    if first < end:
        push(g, codes.F_EFFECTS, first, end, slot, frame[TURNED_ACTOR], 0)
    return False


@rule
def check_again(g, actor):
    """After a change: flips, failure, success. `actor` is the figure that caused it, for the rewards."""
    push(g, codes.F_CHECK, 0, 0, actor)


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
    kind = codes.P_HP_LE if when == codes.C_HP_LE else codes.P_TOKENS_GE if when == codes.C_TOKENS_GE else codes.P_CLEAR
    return holds(g, t, kind, slot, t.flip_n[flip])
