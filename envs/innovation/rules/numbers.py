"""The instructions that fill number registers: what the effects count."""

from __future__ import annotations

import numpy as np

from theogony.envs.core.jit import rule
from theogony.envs.innovation.cards import opcodes as op
from theogony.envs.innovation.components import AGES
from theogony.envs.innovation.rules import bits
from theogony.envs.innovation.rules.achievements import metric
from theogony.envs.innovation.rules.piles import board_colours
from theogony.envs.innovation.state import NONE, SIDE


@rule
def number(g, f, x):
    """The value of an operand: a constant, or a register of frame f."""
    return np.int64(x) if x >= 0 else np.int64(g.num[f, -1 - x])


@rule
def compute(g, t, f, row):
    """One instruction of the numbers' group."""
    code = row[0]
    if code <= op.OTHER_PLAYERS:
        result = compare_players(g, f, row)
    elif code <= op.DISTINCT_COLOURS:
        result = measure_set(t, code, g.sets[f, row[2]])
    elif code <= op.PILE_SIZE:
        result = look_at_board(g, f, row)
    else:
        result = calculate(g, t, f, row)
    g.num[f, row[1]] = result


@rule
def compare_players(g, f, row):
    """Numbers over players: one's own, the most of another, the least of all, who has less, who else plays."""
    code, which = row[0], np.int64(row[2])
    me = np.int64(g.num[f, op.ME])
    if code == op.METRIC:
        return metric(g, which, number(g, f, row[3]))
    mine = metric(g, which, me) if code == op.BELOW else np.int64(0)
    most, least, less, others = np.int64(0), np.int64(1000), np.int64(0), np.int64(0)
    for seat in range(g.players):
        here = metric(g, which, seat) if code != op.OTHER_PLAYERS else np.int64(0)
        least = min(least, here)
        if seat != me:
            most = max(most, here)
            others |= 1 << seat
            if here < mine:
                less |= 1 << seat
    if code == op.MOST_OTHER:
        return most
    if code == op.LEAST:
        return least
    return less if code == op.BELOW else others


@rule
def measure_set(t, code, s):
    """Numbers of a set of cards."""
    if code == op.COUNT:
        return bits.count(s)
    if code == op.TOP_VALUE:
        return bits.top_value(t, s)
    different = np.int64(0)
    if code == op.DISTINCT_VALUES:
        for age in range(1, AGES + 1):
            different += 1 if bits.count_of_age(t, s, age) > 0 else 0
    else:
        for colour in range(SIDE):
            different += 1 if bits.count_of_colour(t, s, colour) > 0 else 0
    return different


@rule
def look_at_board(g, f, row):
    """Numbers of boards: colours as bits, and pile sizes."""
    code = row[0]
    if code == op.COLOURS_ELSEWHERE:
        found = np.int64(0)
        for seat in range(g.players):
            if seat != g.num[f, op.ME]:
                found |= board_colours(g, seat)
        return found
    seat = number(g, f, row[2])
    if code == op.COLOURS_OF:
        return np.int64(board_colours(g, seat))
    if code == op.PILE_SIZE:
        return np.int64(g.height[seat * SIDE + number(g, f, row[3])])
    found = np.int64(0)
    for colour in range(SIDE):
        if g.splay[seat * SIDE + colour] == row[3]:
            found |= 1 << colour
    return found


@rule
def calculate(g, t, f, row):
    """Numbers from numbers, and from one card. No card has value 0 (rules §4.2)."""
    code = row[0]
    if code == op.DEMAND_MOVED:  # an effect performed alone sees that no demand took place (rules §5.2)
        return np.int64(0) if g.nested[f] else np.int64(g.hit)
    if code == op.ANYBODY_MORE:
        for seat in range(g.players):
            if metric(g, np.int64(row[2]), seat) > metric(g, np.int64(row[3]), seat):
                return np.int64(1)
        return np.int64(0)
    a = number(g, f, row[2])
    if code == op.VALUE_OF:
        return np.int64(t.age[a]) if a >= 0 else np.int64(0)
    if code == op.COLOUR_OF:
        return np.int64(t.colour[a]) if a >= 0 else np.int64(0)
    if code == op.HOW_MANY:
        return np.int64(bits.popcount(np.uint64(a)))
    if code == op.BIT:
        return np.int64(1) << a
    if code == op.SET_NUMBER:
        return a
    b = number(g, f, row[3])
    if code == op.ADD:
        return a + b
    if code == op.SUBTRACT:
        return a - b
    if code == op.DIVIDE:
        return a // b
    return a & ~b


# ---- The instructions that fill set registers: where the effects look for cards ----------------------------------


@rule
def fill(g, t, f, row):
    """One instruction of the sets' group."""
    code = row[0]
    s = g.sets[f, row[1]]
    if code == op.KEEP or code == op.DROP:
        filter_set(g, t, f, row, s)
    elif code == op.COPY:
        s[0] = g.sets[f, row[2], 0]
        s[1] = g.sets[f, row[2], 1]
    elif code == op.MINUS:
        s[0] &= ~g.sets[f, row[2], 0]
        s[1] &= ~g.sets[f, row[2], 1]
    elif code == op.HIGHEST:
        bits.keep_highest(t, s)
    elif code == op.LOWEST:
        bits.keep_lowest(t, s)
    else:
        bits.clear(s)
        if code == op.AREA:
            add_area(g, s, row[2], number(g, f, row[3]))
        elif code == op.AREA_OF_ALL:
            for seat in range(g.players):
                if row[3] == 0 or seat != g.num[f, op.ME]:
                    add_area(g, s, row[2], seat)
        else:
            add_from_piles(g, f, row, s)


@rule
def filter_set(g, t, f, row, s):
    """Keep or drop the cards of a mask."""
    mask = row[2] + number(g, f, row[3])
    if row[0] == op.KEEP:
        s[0] &= t.masks[mask, 0]
        s[1] &= t.masks[mask, 1]
    else:
        s[0] &= ~t.masks[mask, 0]
        s[1] &= ~t.masks[mask, 1]


@rule
def add_area(g, s, area, seat):
    """Add the cards of an area of a player."""
    for word in range(2):
        if area == op.HAND:
            s[word] |= g.hand[seat, word]
        elif area == op.SCORE:
            s[word] |= g.scored[seat, word]
        elif area == op.TOPS:
            s[word] |= g.tops[seat, word]
        elif area == op.REVEALED:
            s[word] |= g.shown[seat, word]
        else:
            s[word] |= g.hand[seat, word] | g.shown[seat, word]


@rule
def add_from_piles(g, f, row, s):
    """Add a whole pile, its top or bottom card, or the one card of a register."""
    code = row[0]
    if code == op.ONE_CARD:
        card = number(g, f, row[2])
        if card != NONE:
            bits.insert(s, card)
        return
    pile = number(g, f, row[2]) * SIDE + number(g, f, row[3])
    card = np.int64(g.bottom[pile]) if code == op.BOTTOM else np.int64(g.top[pile])
    while card != NONE:
        bits.insert(s, card)
        card = np.int64(g.below[card]) if code == op.PILE else np.int64(NONE)
