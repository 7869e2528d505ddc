"""The interpreter: frames of registers, each performs the rows of one effect after another (see `cards/opcodes.py`)."""

from __future__ import annotations

import numpy as np

from theogony.envs.core.jit import rule
from theogony.envs.innovation.cards import opcodes as op
from theogony.envs.innovation.cards.rows import ANY_CARD
from theogony.envs.innovation.rules.achievements import claim_special, end, settle, single_winner
from theogony.envs.innovation.rules.bits import ZERO, clear, discard, first, insert, is_empty
from theogony.envs.innovation.rules.choices import choose, reorder, splay
from theogony.envs.innovation.rules.moves import carry, carry_out, destination, draw, remove_everything
from theogony.envs.innovation.rules.numbers import compute, fill, number
from theogony.envs.innovation.rules.piles import note
from theogony.envs.innovation.rules.selecting import select, show_hand
from theogony.envs.innovation.state import BY_CARD, LOG_REMOVE, NONE

# ---------------------------------------------------------------------------------------------------- frames


@rule
def open_frame(g, t, f, card, effect, performer, nested):
    """A player begins to perform an effect; the registers of a closed frame are clear."""
    g.frame_card[f] = card
    g.frame_effect[f] = effect
    g.nested[f] = nested
    g.pc[f] = t.first_row[card, effect]
    g.num[f, op.ME] = performer
    g.num[f, op.ACTIVE] = g.turn
    g.num[f, op.IT] = NONE
    g.depth = f + 1


@rule
def close_frame(g, f):
    """The end of a performance: leave no trace."""
    g.frame_card[f] = 0
    g.frame_effect[f] = 0
    g.nested[f] = 0
    g.pc[f] = 0
    for k in range(op.NUMBERS):
        g.num[f, k] = 0
    for k in range(op.SETS):
        clear(g.sets[f, k])
    g.depth = f


@rule
def clear_frames(g):
    """Stop all that is being performed."""
    while g.depth > 0:
        close_frame(g, g.depth - 1)


@rule
def end_effect(g, t, f):
    """A card performed alone goes on with its next share effect; else the frame is done."""
    card, effect, me = np.int64(g.frame_card[f]), np.int64(g.frame_effect[f]) + 1, np.int64(g.num[f, op.ME])
    goes_on = g.nested[f] != 0 and t.first_row[card, effect] != NONE
    close_frame(g, f)
    if goes_on:
        open_frame(g, t, f, card, effect, me, 1)


@rule
def perform_alone(g, t, f, card):
    """Perform the share effects of a card, without demands and sharers (rules §5.2).

    When nothing follows in the frame, the new performance takes its place: so only Self Service lies below another.
    """
    effect = np.int64(t.demand[card])
    if card == NONE or t.first_row[card, effect] == NONE:
        return
    me = np.int64(g.num[f, op.ME])
    own, next_effect = np.int64(g.frame_card[f]), np.int64(g.frame_effect[f]) + 1
    last = t.code[g.pc[f], 0] == op.END and (g.nested[f] == 0 or t.first_row[own, next_effect] == NONE)
    if last:
        close_frame(g, f)
    open_frame(g, t, f if last else f + 1, card, effect, me, 1)


# ---------------------------------------------------------------------------------------------------- instructions


@rule
def run_frame(g, t):
    """Perform the top frame until it closes, opens another, or waits. Returns False when somebody has to decide."""
    f = np.int64(g.depth) - 1
    while g.over == 0 and g.depth == f + 1:
        row = t.code[g.pc[f]]
        code = row[0]
        if code >= op.FIRST_WAITING:
            if not wait(g, t, f, row):
                return False
            g.pc[f] += 1
            continue
        g.pc[f] += 1
        if code < op.FIRST_SET:
            if code == op.END:
                end_effect(g, t, f)
            else:
                control(g, f, row)
        elif code < op.FIRST_NUMBER:
            fill(g, t, f, row)
        elif code < op.FIRST_ACTION:
            compute(g, t, f, row)
        else:
            act(g, t, f, row)
    return True


@rule
def wait(g, t, f, row):
    """The instructions that may wait for an answer."""
    code = row[0]
    if code == op.SELECT:
        return select(g, t, f, row)
    if code == op.SPLAY:
        return splay(g, t, f, row)
    if code == op.CHOOSE:
        return choose(g, f, row)
    return reorder(g, t, f, row)


@rule
def control(g, f, row):
    """Jumps."""
    code = row[0]
    if code == op.JUMP:
        g.pc[f] = row[1]
    elif code == op.UNLESS:
        if not holds(number(g, f, row[1]), row[2], number(g, f, row[3])):
            g.pc[f] = row[4]
    else:
        other = (np.int64(g.num[f, op.OTHER]) + 1) % g.players
        g.num[f, op.OTHER] = other
        if other == g.num[f, op.ME]:
            g.pc[f] = row[1]


@rule
def holds(left, relation, right):
    """A comparison."""
    if relation == op.EQUAL:
        return left == right
    if relation == op.DIFFERENT:
        return left != right
    if relation == op.LESS:
        return left < right
    if relation == op.AT_LEAST:
        return left >= right
    if relation == op.MORE:
        return left > right
    return left <= right


@rule
def act(g, t, f, row):
    """The verbs that need no answer. Fission ends the whole action at once, without a bonus (ruling R10)."""
    code = row[0]
    me = np.int64(g.num[f, op.ME])
    if code == op.DRAW:
        draw_cards(g, t, f, number(g, f, row[1]), number(g, f, row[2]), np.int64(row[3]))
    elif code == op.MOVE_ALL:
        move_all(g, t, f, np.int64(row[1]), np.int64(row[2]), number(g, f, row[3]))
    elif code == op.EXCHANGE:
        exchange(g, t, f, row, t.code[g.pc[f]])
        g.pc[f] += 1
    elif code == op.PERFORM:
        perform_alone(g, t, f, number(g, f, row[1]))
    elif code == op.CLAIM:
        claim_special(g, t, me, np.int64(row[1]))
    elif code == op.TALLY:
        g.tally[me] += number(g, f, row[1])
    elif code == op.REMOVE_EVERYTHING:
        note(g, LOG_REMOVE, 0, 0)
        remove_everything(g, t)
        clear_frames(g)
        g.dogma = NONE
    elif code == op.WIN:
        end(g, BY_CARD, 1 << me)
    elif code == op.SINGLE_WINNER:
        single_winner(g, np.int64(row[1]), np.int64(row[2]))
    else:
        show_hand(g, number(g, f, row[1]))


@rule
def draw_cards(g, t, f, value, times, verb):
    """Draw a number of cards; each is dealt with before the next is drawn (rules §4.1)."""
    me = np.int64(g.num[f, op.ME])
    clear(g.sets[f, op.MOVED])
    g.num[f, op.DONE] = 0
    g.num[f, op.IT] = NONE
    for _ in range(times):
        card = draw(g, t, me, value, verb)
        if card == NONE:
            return
        insert(g.sets[f, op.MOVED], card)
        g.num[f, op.DONE] += 1
        g.num[f, op.IT] = card
        if g.over != 0:
            return


@rule
def move_all(g, t, f, register, verb, taker):
    """Do something with every card of a set; they leave together."""
    me = np.int64(g.num[f, op.ME])
    s = g.sets[f, op.SETS - 1]
    s[0] = g.sets[f, register, 0]
    s[1] = g.sets[f, register, 1]
    clear(g.sets[f, op.MOVED])
    g.num[f, op.DONE] = 0
    g.num[f, op.IT] = NONE
    while s[0] | s[1] != ZERO and g.over == 0:
        card = first(s)
        insert(g.sets[f, op.MOVED], card)
        g.num[f, op.DONE] += 1
        g.num[f, op.IT] = card
        carry_out(g, t, card, verb, me, taker, s, ANY_CARD)
        s[card >> 6] &= s[card >> 6] - np.uint64(1)
    clear(s)
    clear(g.sets[f, register])


@rule
def exchange(g, t, f, row, other):
    """Two groups change places, either of which may be empty (rules §4.9). It is one change: special achievements are
    looked at when it is complete (ruling R1)."""
    give(g, t, f, row)
    give(g, t, f, other)
    settle(g, t)


@rule
def give(g, t, f, row):
    """Half of an exchange: all cards of a group go to where a row says."""
    group, verb, taker = g.sets[f, row[1]], np.int64(row[2]), number(g, f, row[3])
    while not is_empty(group):
        card = first(group)
        carry(g, t, card, destination(t, card, verb, taker), False, group, ANY_CARD)
        discard(group, card)
