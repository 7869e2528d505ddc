"""When special cards, rage abilities and skills may be used: the windows (§11; rulings R12, R48, R64).

A `window` is the kind of decision that asks for it: an activation itself, or a window in the course of play.
"""

from __future__ import annotations

import numpy as np

from theogony.envs.core.jit import rule
from theogony.envs.core.memory import word_at
from theogony.envs.god_of_war import codes, state
from theogony.envs.god_of_war.rules.agenda import ask, pop, push
from theogony.envs.god_of_war.rules.enemies import all_hold, carrier
from theogony.envs.god_of_war.rules.figures import WARDS, can_move, first_figure, role_figure, wards_out

# The names of places of its frames, see `codes.py`.
PAY_FIGURE, PAY_SLOT, PAY_INTERACTION, PAY_PAID = range(1, 5)


@rule
def payable(g, t, seat, first, end):
    """Whether a hand pays cost items first..end, one card an item (Hall's condition over the kinds of item)."""
    wanted = 0
    for k in range(first, end):
        wanted |= 1 << np.int64(t.cost_item[k])
    for kinds in range(1, wanted + 1):
        if kinds & ~wanted:
            continue
        needed = 0
        for k in range(first, end):
            needed += (kinds >> np.int64(t.cost_item[k])) & 1
        for design in range(g.hand.shape[1]):
            if t.pay_bits[design] & kinds:
                needed -= np.int64(g.hand[seat, design])
        if needed > 0:
            return False
    return True


@rule
def interaction_open(g, t, seat, figure, row, number):
    """Whether a figure may use an interaction of a card in its column: conditions hold, the cost can be paid."""
    slot = row * g.columns.shape[0] + np.int64(g.column[figure])
    side = g.side[slot]
    k = np.int64(t.interactions_first[g.scenario, slot, side]) + number
    if k >= t.interactions_end[g.scenario, slot, side]:
        return False
    if not all_hold(g, t, t.if_kind, t.if_slot, t.if_n, t.interaction_if_first[k], t.interaction_if_end[k]):
        return False
    return payable(g, t, seat, np.int64(t.interaction_cost_first[k]), np.int64(t.interaction_cost_end[k]))


@rule
def start_interaction(g, t, figure, row, number):
    """Name the interaction; the cards that pay it are named one by one."""
    slot = row * g.columns.shape[0] + np.int64(g.column[figure])
    interaction = np.int64(t.interactions_first[g.scenario, slot, g.side[slot]]) + number
    push(g, codes.F_INTERACT, figure, slot, interaction)


@rule
def run_interaction(g, t, frame):
    """The payment, then the effect with the figure as the acting hero (R49) (F_INTERACT)."""
    figure, slot, interaction = np.int64(frame[PAY_FIGURE]), np.int64(frame[PAY_SLOT]), np.int64(frame[PAY_INTERACTION])
    if t.interaction_cost_first[interaction] + frame[PAY_PAID] < t.interaction_cost_end[interaction]:
        return ask(g, g.actor, state.PAY)
    pop(g)
    push(g, codes.F_EFFECTS, t.interaction_first[interaction], t.interaction_end[interaction], slot, figure, 1)
    return False


@rule
def pay(g, frame, design):
    """One card of the payment is discarded before the effect (R49)."""
    seat = np.int64(g.seat_of[frame[PAY_FIGURE]])
    g.hand[seat, design] -= 1
    g.discard[seat, design] += 1
    frame[PAY_PAID] += 1


# ---- When special cards, rage abilities and skills may be used: the windows (§11; rulings R12, R48, R64) ---------

# ---------------------------------------------------------------------------------------------------- effects


@rule
def enemy_in_column(g, t, figure):
    """Whether a living enemy is seen on a card of a figure's column."""
    column = np.int64(g.column[figure])
    if column == codes.NONE:
        return False
    return carrier(g, t, column) != codes.NONE or carrier(g, t, column + g.columns.shape[0]) != codes.NONE


@rule
def any_enemy(g, t):
    """Whether any enemy of the scene lives."""
    for slot in range(g.side.shape[0]):
        if carrier(g, t, slot) == slot:
            return True
    return False


@rule
def left_to_block(g):
    """Whether anything of the enemy attack is left to block (ruling R48)."""
    return g.blocked < g.enemy_strength


@rule
def can_use(g, t, first, end, figure, window):
    """Whether a figure may use a list of effects in a window: targets of the right kind exist (ruling R64)."""
    for k in range(first, end):
        if not can_take_effect(g, t, t.effect_op[k], t.effect_target[k], figure, window):
            return False
    return True


@rule
def can_take_effect(g, t, op, target, figure, window):
    """Whether a figure may use one effect in a window: a target of the right kind exists (ruling R64)."""
    if op == codes.H_HEAL:
        return target != codes.TO_SELF or g.standing[figure] != 0
    if op == codes.H_DRAW:
        return target != codes.TO_BEARER or g.bearer != codes.NONE
    if op == codes.H_DAMAGE and target == codes.TO_ANY:
        return any_enemy(g, t)
    if op == codes.H_STUN or op == codes.H_DAMAGE:
        return enemy_in_column(g, t, figure)
    if op == codes.H_BOOST:
        return can_boost(g, target, window)
    if op == codes.H_GUARD or op == codes.H_BLOCK_BOOST:
        return window == state.BLOCK_WINDOW and left_to_block(g) and (op == codes.H_GUARD or g.attacked >= codes.BROK)
    if op == codes.H_SCRY:
        return g.upgrade_cards > 0
    if op == codes.H_WARD:
        return wards_out(g) < WARDS
    if op == codes.H_MOVE:  # not in the middle of an enemy attack (ruling R61)
        return window != state.BLOCK_WINDOW and g.standing[figure] != 0 and can_move(g, figure)
    return True


@rule
def can_boost(g, target, window):
    """A boost needs an attack set, or a block set already played while something is left to block (ruling R48)."""
    if window == state.ATTACK_WINDOW:
        return target != codes.TO_BEARER or (g.bearer != codes.NONE and g.attacker == g.bearer)
    if window != state.BLOCK_WINDOW or g.block_sets == 0 or not left_to_block(g):
        return False
    return target != codes.TO_BEARER or (g.bearer != codes.NONE and g.attacked == g.bearer)


# ---------------------------------------------------------------------------------------------------- what is used


@rule
def special_usable(g, t, figure, k, window):
    """Whether a figure may play special card k, which its player's hand holds, in a window."""
    play = t.special_plays[k]
    return can_use(g, t, t.play_first[play], t.play_end[play], figure, window)


@rule
def rage_usable(g, t, figure, window):
    """Whether a figure may use its rage ability: the track is full and the moment fits (§5.4; rulings R10, R11).

    Brok's Guard fits whenever a dwarf is attacked; the others fit the own turn: the hero activation, and the windows
    of the own scene activation. A turn has no attack window of one's own, and the end of the round is nobody's turn.
    """
    return g.standing[figure] != 0 and g.rage[figure] >= t.rage_max[figure] and rage_fits(g, t, figure, window)


@rule
def rage_fits(g, t, figure, window):
    """Whether the moment is right for a rage ability, and there is something for it to work on."""
    first, end = t.rage_first[figure], t.rage_end[figure]
    if t.effect_op[first] != codes.H_BLOCK_BOOST and window != state.TURN and window != state.MIMIR_TURN:
        if window != state.REVEAL_WINDOW and window != state.BLOCK_WINDOW:
            return False
        if g.phase != state.IN_SCENE_ACTIVATION or g.seat_of[figure] != g.active:
            return False
    return can_use(g, t, first, end, figure, window)


@rule
def skill_usable(g, t, option, figure, window):
    """Whether the solo player may use an alternative of a skill; numbers and the die have their own (§10, R60)."""
    if g.skills_used[t.skill_number[option]] or window == state.ATTACK_WINDOW:
        return False
    kind = t.skill_kind[option]
    if kind == codes.SKILL_BLOCK:
        return window == state.BLOCK_WINDOW and left_to_block(g)
    if kind == codes.SKILL_ATTACK:
        if window != state.TURN:
            return False
        return any_enemy(g, t) if t.skill_anywhere[option] else shot_in_column(g, t, option, figure)
    return kind == codes.SKILL_SPECIAL and can_use(g, t, t.skill_first[option], t.skill_end[option], figure, window)


@rule
def shot_in_column(g, t, option, figure):
    """Whether a companion's attack reaches an enemy in the figure's column."""
    column = np.int64(g.column[figure])
    below = carrier(g, t, column + g.columns.shape[0]) != codes.NONE
    return below or (t.skill_ranged[option] != 0 and carrier(g, t, column) != codes.NONE)


# ---------------------------------------------------------------------------------------------------- who is asked


@rule
def holds_special(g, t, seat, window):
    """Whether a hand holds a special card that may be used in such a window at all: a first look, for speed.

    Eight designs are looked at in one go; the last eight may overlap with those before.
    """
    moment = (
        codes.IN_ATTACK
        if window == state.ATTACK_WINDOW
        else codes.IN_BLOCK
        if window == state.BLOCK_WINDOW
        else codes.ANY_TIME
    )
    hand, used = g.hand[seat], t.card_used[moment]
    last = hand.shape[0] - 8
    held = word_at(hand, last) & word_at(used, last)
    for k in range(0, last, 8):
        held |= word_at(hand, k) & word_at(used, k)
    return held != 0


@rule
def can_play_special(g, t, seat, figure, window):
    """Whether a figure may play any special card of its player's hand in a window."""
    for k in range(t.special_plays.shape[0]):
        if g.hand[seat, t.special_design[k]] > 0 and special_usable(g, t, figure, k, window):
            return True
    return False


@rule
def can_act(g, t, seat, window):
    """Whether a player has a special card, a rage ability or a skill for a window. Hands are open, so this is known."""
    holding = holds_special(g, t, seat, window)
    for role in range(2):
        figure = role_figure(g, t, seat, role)
        if figure == codes.NONE:
            continue
        if rage_usable(g, t, figure, window):
            return True
        if holding and can_play_special(g, t, seat, figure, window):
            return True
    if t.players == 1:
        figure = first_figure(g, t, seat)
        for option in range(t.skill_kind.shape[0]):
            if skill_usable(g, t, option, figure, window):
                return True
    return False


@rule
def ask_window(g, t, first, frame, window):
    """Ask the next player who can act in a window, clockwise from the first seat (ruling R48).

    Returns whether there is one; else all have passed.
    """
    while frame[codes.ASKED] < g.players:
        seat = first + np.int64(frame[codes.ASKED])
        if seat >= g.players:
            seat -= g.players
        if can_act(g, t, seat, window):
            return ask(g, seat, window)
        frame[codes.ASKED] += 1
    return False


@rule
def mimir_can_act(g, t):
    """Whether Mimir hangs on a figure of the player whose turn it is and can do anything there (ruling R46)."""
    if g.bearer == codes.NONE or not g.standing[codes.MIMIR] or g.seat_of[g.bearer] != g.active:
        return False
    seat = np.int64(g.seat_of[codes.MIMIR])
    for k in range(4):
        if interaction_open(g, t, seat, codes.MIMIR, k // 2, k % 2):
            return True
    return can_act(g, t, seat, state.MIMIR_TURN)
