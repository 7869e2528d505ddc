"""What each seat sees: the fields and the rule that writes them (`seen`), and what cards are (`described`)."""

from __future__ import annotations

import numpy as np

from theogony.envs.core.features import SHARE, Feature, FeatureLayout, row_of
from theogony.envs.core.jit import rule
from theogony.envs.core.memory import copy_array, write_bits
from theogony.envs.innovation.cards.description import EFFECT, SCALES
from theogony.envs.innovation.cards.opcodes import CHOSEN, DONE, ME, REMEMBERED, VERBS
from theogony.envs.innovation.components import AGES, CARDS, ICONS, LEFT, RIGHT, SPECIALS, SPLAYS, UP
from theogony.envs.innovation.rules.bits import LOW6, ONE, ZERO, bit, count_of_age, has, is_empty, lowest_bit
from theogony.envs.innovation.rules.moves import highest_top
from theogony.envs.innovation.rules.piles import icon_count
from theogony.envs.innovation.state import DECISIONS, NONE, SIDE, SPLAY_COLOUR, SUPPLY

ICON, COVERED = 20, 20  # scales
ICONS_MOST, COVERED_MOST = 4 * ICON, 3 * COVERED
BYTES, SHORTS, WORDS = np.uint64(0x00FF00FF00FF00FF), np.uint64(0x0000FFFF0000FFFF), np.uint64(0xFFFF)


def described_fields(players: int) -> tuple[Feature, ...]:
    """What the cards are and do."""
    card = (len(SCALES),)
    return (
        Feature("cards", (CARDS, *card), "every known card in a hand, a score pile, the open, on top of a board, in a "
                "pile that is put in order", scale=SCALES),
        Feature("tops", (players, SIDE, *card), "the top card of each pile of each board", scale=SCALES),
        Feature("performed", (len(EFFECT),), "the effect that is being performed", scale=tuple(EFFECT.values())),
        Feature("dogma_icons", (SIDE, players), "visible icons of each player of the kind that the own top card of a "
                "pile counts", 0, 4, ICON),
        Feature("covered", (SIDE, UP), "icons that covered cards of each own pile show splayed left, right, up", 0, 3,
                COVERED),
        Feature("draws", (players,), "the value that a draw action would bring; above 1 it ends the game", 0, 1.1,
                AGES),
    )  # fmt: skip


@rule
def observe_described(g, t, seat, f):
    """What the cards are and do, as far as a seat knows them, and what follows for the own piles."""
    for other in range(g.players):
        low = g.hand[other, 0] | g.scored[other, 0] | g.shown[other, 0] | g.tops[other, 0]
        high = g.hand[other, 1] | g.scored[other, 1] | g.shown[other, 1] | g.tops[other, 1]
        describe(t, low & g.known[seat, 0], high & g.known[seat, 1], f)
        row = row_of(g, seat, other)
        f.draws[row] = value_drawn(g, t, other)
        for colour in range(SIDE):
            top = np.int64(g.top[other * SIDE + colour])
            if top != NONE:
                copy_array(f.tops[row, colour], t.described[top])
    for colour in range(SIDE):
        top = np.int64(g.top[seat * SIDE + colour])
        if top != NONE:
            observe_pile(g, t, seat, colour, top, f)
    if g.reordered > 0:
        card = np.int64(g.top[g.reordered - 1])
        while card != NONE:
            copy_array(f.cards[card], t.described[card])
            card = np.int64(g.below[card])
    if g.depth > 0:
        frame = g.depth - 1
        copy_array(f.performed, t.described_effects[np.int64(g.frame_card[frame]), np.int64(g.frame_effect[frame])])


@rule
def describe(t, low, high, f):
    """The cards of a set of two words."""
    while low != ZERO:
        card = lowest_bit(low)
        copy_array(f.cards[card], t.described[card])
        low &= low - ONE
    while high != ZERO:
        card = 64 + lowest_bit(high)
        copy_array(f.cards[card], t.described[card])
        high &= high - ONE


@rule
def value_drawn(g, t, seat):
    """The value of the card that a draw action brings a seat (rules §3), `AGES` + 1 when no supply is left for it."""
    value = max(highest_top(g, t, seat), 1)
    while value <= AGES and g.height[SUPPLY + value - 1] == 0:
        value += 1
    return value


@rule
def observe_pile(g, t, seat, colour, top, f):
    """An own pile: who has how many of the icons that its top card counts, and what a splay would show."""
    icon = np.int64(t.dogma_icon[top])
    for other in range(g.players):
        f.dogma_icons[colour, row_of(g, seat, other)] = min(icon_count(g, other, icon), ICONS_MOST)
    left, right, up = ZERO, ZERO, ZERO
    card = np.int64(g.below[top])
    while card != NONE:
        left += t.face[card, LEFT]
        right += t.face[card, RIGHT]
        up += t.face[card, UP]
        card = np.int64(g.below[card])
    f.covered[colour, 0] = min(all_icons(left), COVERED_MOST)
    f.covered[colour, 1] = min(all_icons(right), COVERED_MOST)
    f.covered[colour, 2] = min(all_icons(up), COVERED_MOST)


@rule
def all_icons(counts):
    """The sum of packed counts of eight bits."""
    pairs = (counts & BYTES) + ((counts >> np.uint64(8)) & BYTES)
    fours = (pairs & SHORTS) + ((pairs >> np.uint64(16)) & SHORTS)
    return np.int64((fours + (fours >> np.uint64(32))) & WORDS)


# ---- The Features record and what each seat sees. Seats are rotated: the observer is seat 0 of every field -------
#
# Cards have a place of their own in every field over cards; what they are and do stands at the end (`described`).

EFFECTS = 3  # the most that a card has

SOMEWHERE = 3 * SHARE // 10  # 0.3: in a pile, at an unknown place
DEPTH = np.array([round(SHARE / k) for k in range(1, CARDS + 1)], np.uint8)  # the k-th card of a pile is about 1 / k
COUNT, PILE, SUPPLY_PILE, POINT, MONUMENT, NAMED = 10, 20, 15, 50, 6, 50  # scales
POINTS_MOST = 4 * POINT


def layout(players: int, needed: int) -> FeatureLayout:
    """The features for a player count and the number of achievements that win."""
    return FeatureLayout(
        *decision_fields(players), *card_fields(players), *count_fields(players, needed), *described_fields(players)
    )


def decision_fields(players: int) -> tuple[Feature, ...]:
    """Who decides what, inside which effect."""
    return (
        Feature("decision", (len(DECISIONS),), "kind of the decision that is due"),
        Feature("actor", (players,), "who decides"),
        Feature("turn", (players,), "whose turn it is"),
        Feature("actions_left", (2,), "actions left in the turn, the running one included: 1 or 2"),
        Feature("dogma_card", (CARDS,), "card of the running dogma action"),
        Feature("performing", (CARDS,), "card whose effect is being performed"),
        Feature("effect", (EFFECTS,), "which effect of that card"),
        Feature("performer", (players,), "who performs it"),
        Feature("demanding", (1,), "whether it is a demand of the dogma action"),
        Feature("victims", (players,), "who must obey the demand of this action"),
        Feature("sharers", (players,), "who shares in this action"),
        Feature("demand_moved", (1,), "whether its demand moved a card"),
        Feature("bonus", (1,), "whether the sharing bonus is earned"),
        Feature("tally", (players,), "cards returned through Democracy in this action", scale=COUNT),
        Feature("verb", (len(VERBS),), "what happens to the card that is to be chosen"),
        Feature("direction", (len(SPLAYS),), "direction of the splay that is asked for"),
        Feature("to_choose", (2,), "cards still to be chosen, at least and at most", scale=COUNT),
        Feature("chosen", (1,), "cards chosen so far in this effect", scale=COUNT),
        Feature("named", (2,), "what was chosen last and what is remembered in this effect: colour, value",
                scale=NAMED),
    )  # fmt: skip


def card_fields(players: int) -> tuple[Feature, ...]:
    """Where the cards are, as far as the observer knows."""
    others = players - 1
    return (
        Feature("hand", (CARDS,), "own hand"),
        Feature("score_pile", (CARDS,), "own score pile"),
        Feature("first_meld", (CARDS,), "own first meld while it is secret"),
        Feature("boards", (players, CARDS), "cards on each board: top 1, next 1 / 2 ..., rounded; 0.3 somewhere "
                "beneath", scale=SHARE),
        Feature("shown", (CARDS,), "cards lying in the open inside an effect"),
        Feature("hands_known", (others, CARDS), "cards that are known to be in the hands of the others"),
        Feature("score_piles_known", (others, CARDS), "cards that are known to be in the score piles of the others"),
        Feature("supply_known", (CARDS,), "cards known in the supply: 1 for the next of its age, 1 / 2 below it ..., "
                "rounded", scale=SHARE),
        Feature("unknown", (CARDS,), "cards that may be anywhere: hands, score piles, supply, achievements, removed"),
    )  # fmt: skip


def count_fields(players: int, needed: int) -> tuple[Feature, ...]:
    """What everybody can count."""
    return (
        Feature("hand_values", (players, AGES), "cards of each value in each hand", scale=COUNT),
        Feature("score_values", (players, AGES), "cards of each value in each score pile", scale=COUNT),
        Feature("supply_heights", (AGES,), "cards in each supply pile", scale=SUPPLY_PILE),
        Feature("pile_heights", (players, SIDE), "cards in each pile of each board", scale=PILE),
        Feature("splays", (players, SIDE, len(SPLAYS)), "splay of each pile: none, left, right, up"),
        Feature("icons", (players, len(ICONS)), "visible icons of each kind", 0, 4, ICON),
        Feature("points", (players,), "points", 0, 4, POINT),
        Feature("achievements", (players,), "achievements claimed, as a share of those that win", scale=needed),
        Feature("periods_free", (AGES - 1,), "age achievements that nobody has claimed"),
        Feature("specials_free", (len(SPECIALS),), "special achievements that nobody has claimed"),
        Feature("monument", (players, 2), "cards tucked and scored in this turn", scale=MONUMENT),
    )


@rule
def observe(g, t, seat, f):
    """What a seat knows (rules §7, and what the guide says of them)."""
    observe_decision(g, seat, f)
    observe_effect(g, seat, f)
    observe_sets(g, seat, f)
    low, high = g.known[seat, 0], g.known[seat, 1]
    for other in range(g.players):
        row = row_of(g, seat, other)
        low_here, high_here = observe_board(g, other, row, f)
        low &= ~(low_here | g.hand[other, 0] | g.scored[other, 0] | g.shown[other, 0])
        high &= ~(high_here | g.hand[other, 1] | g.scored[other, 1] | g.shown[other, 1])
        observe_seat(g, t, other, row, f)
    observe_supply(g, t, low, high, f)
    for age in range(AGES - 1):
        f.periods_free[age] = g.period[age] == NONE
    for special in range(len(SPECIALS)):
        f.specials_free[special] = g.special[special] == NONE
    observe_described(g, t, seat, f)


@rule
def observe_decision(g, seat, f):
    """Who decides what. What the chooser may still take is not secret: it follows from public counts."""
    f.decision[g.decision] = 1
    f.actor[row_of(g, seat, g.actor)] = 1
    f.turn[row_of(g, seat, g.turn)] = 1
    if g.actions_left > 0:
        f.actions_left[g.actions_left - 1] = 1
    if g.decision == SPLAY_COLOUR:
        f.direction[g.aim] = 1
    elif g.most > 0:
        f.verb[g.aim] = 1
        f.to_choose[0] = min(np.int64(g.least), COUNT)
        f.to_choose[1] = min(np.int64(g.most), COUNT)


@rule
def observe_effect(g, seat, f):
    """The dogma action and the effect that is being performed."""
    if g.dogma == NONE:
        return
    f.dogma_card[g.dogma] = 1
    f.demanding[0] = g.demanding != 0
    f.demand_moved[0] = g.hit != 0
    f.bonus[0] = g.bonus != 0
    for other in range(g.players):
        row = row_of(g, seat, other)
        f.victims[row] = (g.victims >> other) & 1
        f.sharers[row] = (g.sharers >> other) & 1
        f.tally[row] = min(np.int64(g.tally[other]), COUNT)
    if g.depth > 0:
        top = g.depth - 1
        f.performing[g.frame_card[top]] = 1
        f.effect[g.frame_effect[top]] = 1
        f.performer[row_of(g, seat, g.num[top, ME])] = 1
        f.chosen[0] = min(np.int64(g.num[top, DONE]), COUNT)
        f.named[0] = min(np.int64(g.num[top, CHOSEN]), NAMED)
        f.named[1] = min(np.int64(g.num[top, REMEMBERED]), NAMED)


@rule
def mark(row, low, high):
    """Set the entries of a row over cards whose bits are set."""
    while low != ZERO:
        row[lowest_bit(low)] = 1
        low &= low - ONE
    while high != ZERO:
        row[64 + lowest_bit(high)] = 1
        high &= high - ONE


@rule
def observe_sets(g, seat, f):
    """The own cards, and what is known of the others' and of nothing."""
    known = g.known[seat]
    mark(f.hand, g.hand[seat, 0], g.hand[seat, 1])
    mark(f.score_pile, g.scored[seat, 0], g.scored[seat, 1])
    write_bits(f.unknown, ~known[0], ~known[1])
    for other in range(g.players):
        mark(f.shown, g.shown[other, 0], g.shown[other, 1])
        if other != seat:
            row = row_of(g, seat, other) - 1
            mark(f.hands_known[row], g.hand[other, 0] & known[0], g.hand[other, 1] & known[1])
            mark(f.score_piles_known[row], g.scored[other, 0] & known[0], g.scored[other, 1] & known[1])
    if g.meld_choice[seat] > 0:
        f.first_meld[g.meld_choice[seat] - 1] = 1


@rule
def observe_supply(g, t, low, high, f):
    """Heights, and the known cards in the supply: they are among those that lie nowhere else, `low` and `high`."""
    for age in range(1, AGES + 1):
        pile = SUPPLY + age - 1
        f.supply_heights[age - 1] = g.height[pile]
        low_here, high_here = low & t.of_age[age, 0], high & t.of_age[age, 1]
        if low_here | high_here != ZERO:
            card = np.int64(g.top[pile])
            k = 0
            while card != NONE:
                if ((low_here if card < 64 else high_here) >> np.uint64(card & LOW6)) & ONE != ZERO:
                    f.supply_known[card] = DEPTH[k]
                k += 1
                card = np.int64(g.below[card])


@rule
def observe_board(g, seat, row, f):
    """The piles of a board, card by card from the top. Returns the two words of its set of cards.

    Of a pile of somebody else that was put in order, it is not known where the covered cards lie (ruling R11).
    """
    low, high = ZERO, ZERO
    board = f.boards[row]
    is_mixed = row > 0 and not is_empty(g.mixed)
    for colour in range(SIDE):
        pile = seat * SIDE + colour
        f.pile_heights[row, colour] = min(np.int64(g.height[pile]), PILE)
        f.splays[row, colour, g.splay[pile]] = 1
        card = np.int64(g.top[pile])
        k = 0
        while card != NONE:
            board[card] = SOMEWHERE if is_mixed and has(g.mixed, card) else DEPTH[k]
            if card < 64:
                low |= bit(card)
            else:
                high |= bit(card)
            k += 1
            card = np.int64(g.below[card])
    return low, high


@rule
def observe_seat(g, t, seat, row, f):
    """Counts of a seat: backs by value, icons, points, achievements, counters of the turn."""
    for age in range(1, AGES + 1):
        f.hand_values[row, age - 1] = min(count_of_age(t, g.hand[seat], age), COUNT)
        f.score_values[row, age - 1] = min(count_of_age(t, g.scored[seat], age), COUNT)
    for icon in range(len(ICONS)):
        f.icons[row, icon] = min(icon_count(g, seat, icon), ICONS_MOST)
    f.points[row] = min(np.int64(g.points[seat]), POINTS_MOST)
    f.achievements[row] = min(np.int64(g.achievements[seat]), np.int64(t.needed))
    f.monument[row, 0] = min(np.int64(g.tucks[seat]), MONUMENT)
    f.monument[row, 1] = min(np.int64(g.scores[seat]), MONUMENT)
