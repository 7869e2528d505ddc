"""Turns and actions: the rules around the cards (rules §3), from the first meld (§2) on."""

from __future__ import annotations

import numpy as np

from theogony.envs.core.jit import rule
from theogony.envs.innovation import actions as at
from theogony.envs.innovation.cards.opcodes import TO_HAND
from theogony.envs.innovation.cards.rows import ANY_CARD
from theogony.envs.innovation.components import AGES, CARDS
from theogony.envs.innovation.rules.achievements import gain
from theogony.envs.innovation.rules.interpreter import open_frame, run_frame
from theogony.envs.innovation.rules.legal import ask, offer, withdraw
from theogony.envs.innovation.rules.moves import draw, highest_top, move
from theogony.envs.innovation.rules.piles import clear_log, icon_count, note
from theogony.envs.innovation.rules.setup import ask_first_meld
from theogony.envs.innovation.state import ACTION, CLAIMED, INITIAL_MELD, NONE, SIDE, UNCLAIMED


@rule
def start_dogma(g, t, card):
    """The icons are counted once; the two groups hold for the whole action (rules §5, 2)."""
    icon = np.int64(t.dogma_icon[card])
    mine = icon_count(g, g.turn, icon)
    victims, sharers = 0, 0
    for seat in range(g.players):
        if seat != g.turn:
            if icon_count(g, seat, icon) < mine:
                victims |= 1 << seat
            else:
                sharers |= 1 << seat
    g.dogma = card
    g.victims = victims
    g.sharers = sharers
    g.effect = 0
    g.offset = 0
    g.demanding = t.demand[card]
    g.hit = 0
    g.bonus = 0
    g.had_bonus = 0
    g.tally[:] = 0


@rule
def next_performance(g, t):
    """Open the frame of the next performer: clockwise from the active player's left, who comes last in a share effect.

    Returns False when all effects are done.
    """
    card = np.int64(g.dogma)
    while t.first_row[card, g.effect] != NONE:
        while g.offset < g.players:
            g.offset += 1
            seat = (np.int64(g.turn) + g.offset) % g.players
            group = g.victims if g.demanding else g.sharers | (1 << g.turn)
            if (group >> seat) & 1 != 0:
                g.performer = seat
                open_frame(g, t, 0, card, np.int64(g.effect), seat, 0)
                return True
        g.effect += 1
        g.offset = 0
        g.demanding = 0
    return False


@rule
def end_dogma(g, t):
    """The action is over; it may earn one free draw (rules §5, 5). Nothing of it is left in the state."""
    had_bonus = np.int64(g.bonus) if g.dogma != NONE else np.int64(0)
    seat = np.int64(g.turn)
    g.dogma = NONE
    g.effect = 0
    g.offset = 0
    g.performer = 0
    g.victims = 0
    g.sharers = 0
    g.demanding = 0
    g.hit = 0
    g.bonus = 0
    g.tally[:] = 0
    g.had_bonus = had_bonus
    if had_bonus:
        draw(g, t, seat, highest_top(g, t, seat), TO_HAND)


@rule
def run_dogma(g, t):
    """Go on with the running action (rules §5). Returns False when somebody has to decide, True when it is over."""
    while g.over == 0:
        if g.depth > 0:
            if not run_frame(g, t):
                return False
        elif g.dogma == NONE or not next_performance(g, t):
            end_dogma(g, t)
            return True
    return True


# ---- Turns and actions: the rules around the cards (rules §3), from the first meld (§2) on -----------------------


@rule
def first_meld(g, t, card):
    """Note a choice; after the last one all cards are melded, and the alphabet says who begins (rules §2, 6)."""
    seat = np.int64(g.actor)
    g.meld_choice[seat] = card + 1
    if seat + 1 < g.players:
        ask_first_meld(g, seat + 1)
        return
    begin = np.int64(0)
    for k in range(g.players):
        card = np.int64(g.meld_choice[k]) - 1
        if t.alphabet[card] < t.alphabet[g.meld_choice[begin] - 1]:
            begin = np.int64(k)
        move(g, t, card, k * SIDE + np.int64(t.colour[card]), False, g.shown[k], ANY_CARD)
    g.meld_choice[:] = 0
    begin_turn(g, t, begin)


@rule
def begin_turn(g, t, seat):
    """Two actions; one in the first turn of the first player, or of the first two of four (rules §2, 7)."""
    g.turn = seat
    g.actions_left = 2
    if g.short_turns > 0:
        g.short_turns -= 1
        g.actions_left = 1
    ask_action(g, t)


@rule
def ask_action(g, t):
    """Draw, meld, dogma, achieve: what the active player may do (rules §3)."""
    seat = np.int64(g.turn)
    ask(g, seat, ACTION, False)
    g.options[0] = g.hand[seat, 0]
    g.options[1] = g.hand[seat, 1]
    offer(g, at.DRAW_AT)
    highest = highest_top(g, t, seat)
    for colour in range(SIDE):
        if g.height[seat * SIDE + colour] > 0:
            offer(g, at.DOGMA_AT + colour)
    for age in range(1, AGES):
        if g.period[age - 1] == NONE and g.points[seat] >= 5 * age and highest >= age:
            offer(g, at.ACHIEVE_AT + age - 1)


@rule
def act_once(g, t, action):
    """Begin one of the four actions. Returns False when it waits for a decision."""
    seat = np.int64(g.turn)
    g.had_bonus = 0
    if action < CARDS:
        move(g, t, action, seat * SIDE + np.int64(t.colour[action]), False, g.shown[seat], ANY_CARD)
    elif action == at.DRAW_AT:
        draw(g, t, seat, highest_top(g, t, seat), TO_HAND)
    elif action < at.ACHIEVE_AT:
        start_dogma(g, t, np.int64(g.top[seat * SIDE + action - at.DOGMA_AT]))
        return run_dogma(g, t)
    else:
        achieve(g, t, seat, action - at.ACHIEVE_AT + 1)
    return True


@rule
def achieve(g, t, seat, age):
    """Take the age achievement; its face stays hidden (rules §3.3)."""
    g.period[age - 1] = seat
    for card in range(CARDS):
        if g.place[card] == UNCLAIMED and t.age[card] == age:
            g.place[card] = CLAIMED + seat
            note(g, card, UNCLAIMED, CLAIMED + seat)
    gain(g, t, seat)


@rule
def end_action(g, t):
    """The next action, or the next player; the counters of Monument are of one turn (rules §6)."""
    g.action_count += 1
    g.actions_left -= 1
    if g.actions_left > 0:
        ask_action(g, t)
        return
    g.tucks[:] = 0
    g.scores[:] = 0
    begin_turn(g, t, (np.int64(g.turn) + 1) % g.players)


@rule
def apply(g, t, action):
    """One decision, and on to the next one or the end."""
    clear_log(g)
    if g.decision == INITIAL_MELD:
        first_meld(g, t, action)
        return
    if g.decision == ACTION:
        withdraw(g)
        finished = act_once(g, t, action)
    else:
        g.answer = action + 1
        finished = run_dogma(g, t)
    if g.over != 0:
        withdraw(g)
    elif finished:
        end_action(g, t)
