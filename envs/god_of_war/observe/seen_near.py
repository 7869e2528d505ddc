"""What each seat sees of what its actions are about: its cards, its figures, what stands before them.

All of it follows from what lies in the open and what the seat knows; `described.py` says what the numbers are.
"""

from __future__ import annotations

import numpy as np

from theogony.envs.core.jit import rule
from theogony.envs.core.memory import copy_array
from theogony.envs.god_of_war.codes import BLOCK, NONE, NUMBER, PART, SPECIAL
from theogony.envs.god_of_war.frames import (
    F_RAGE,
    F_SKILL,
    F_SPECIAL,
    F_SUFFER,
    RAGE_FIGURE,
    SCRY_LEFT,
    SCRY_TOP,
    SKILL_OPTION,
    SPECIAL_PLAY,
    STRIKE_SLOT,
    SUFFER_FIGURE,
)
from theogony.envs.god_of_war.observe.layout import FOE_STRENGTH as MOST_STRENGTH
from theogony.envs.god_of_war.observe.layout import HEALTH, RAGE, RESERVE, WARDS
from theogony.envs.god_of_war.observe.seen_cards import upto
from theogony.envs.god_of_war.observe.slots import (
    CARD_ARMOUR,
    CARD_HEALTH,
    CARD_INVULNERABLE,
    CARD_MARKERS,
    CARD_SKIPPING,
    CARD_STUNNED,
    CARD_TOKENS,
    FOE_ARMOUR,
    FOE_HEALTH,
    FOE_INVULNERABLE,
    FOE_MARKERS,
    FOE_PANEL,
    FOE_PART,
    FOE_SKIPPING,
    FOE_STRENGTH,
    FOE_STUNNED,
    FOE_THERE,
    FOE_TOKENS,
    OWN_BEARER,
    OWN_COLUMN,
    OWN_DAMAGE,
    OWN_FULL,
    OWN_HEALTH,
    OWN_IN_FRONT,
    OWN_MOVED,
    OWN_RAGE,
    OWN_RAGE_LEFT,
    OWN_STANDING,
    OWN_WARDS,
    PRINTED_MELEE,
    PRINTED_RANGED,
    STAND_BEARER,
    STAND_DAMAGE,
    STAND_HEALTH,
    STAND_MINE,
    STAND_THERE,
    STAND_WARDS,
    STRUCK_HEALTH,
    STRUCK_MINE,
    STRUCK_WARDS,
)
from theogony.envs.god_of_war.rules.enemies import carrier
from theogony.envs.god_of_war.rules.figures import figures_end, first_figure
from theogony.envs.god_of_war.rules.scenes import laid_out
from theogony.envs.god_of_war.state import DIE, FIGURE, SCRY, SHIELD, TARGET

# ---------------------------------------------------------------------------------------------------- cards


@rule
def describe_cards(g, t, seat, f):
    """The cards that a seat holds, has in play or in its discard pile, and the revealed upgrade cards."""
    hand, discard, in_play = g.hand[seat], g.discard[seat], g.in_play[seat]
    for design in range(hand.shape[0]):
        if hand[design] | discard[design] | in_play[design]:
            describe_card(t, design, f)
    for k in range(g.revealed_cards):
        describe_card(t, np.int64(t.upgrade_design[g.revealed[k]]), f)
    for k in range(t.number_plays.shape[0]):
        held = np.int64(hand[t.number_design[k]]) * np.int64(t.play_number[t.number_plays[k]])
        if held:
            f.reserve[0] = upto(np.int64(f.reserve[0]) + held, RESERVE)
            if not t.play_attack_only[t.number_plays[k]]:
                f.reserve[1] = upto(np.int64(f.reserve[1]) + held, RESERVE)


@rule
def describe_card(t, design, f):
    """All ways to play a card."""
    for play in range(t.design_plays[design, 0], t.design_plays[design, 1]):
        kind, place = t.play_kind[play], np.int64(t.play_place[play])
        if kind == SPECIAL:
            copy_array(f.special_cards[place], t.special_rows[place])
        elif kind == NUMBER:
            copy_array(f.number_cards[place], t.number_rows[place])
        elif kind == BLOCK:
            copy_array(f.block_cards[place], t.block_rows[place])
        else:
            copy_array(f.attack_cards[place], t.attack_rows[place])


# ---------------------------------------------------------------------------------------------------- figures


@rule
def describe_figures(g, t, seat, f):
    """The own figures by their roles, with their abilities, and who stands where."""
    if g.heroes[seat] != NONE:
        first = first_figure(g, t, seat)
        for figure in range(first, figures_end(g, t, seat)):
            describe_own(g, t, figure, f.own[figure - first])
            copy_array(f.abilities[figure - first], t.rage_rows[figure])
    if t.players == 1:
        for option in range(t.skill_kind.shape[0]):
            if not g.skills_used[t.skill_number[option]]:
                copy_array(f.abilities[2 + option], t.skill_rows[option])
    for column in range(g.columns.shape[0]):
        for k in range(2):
            if g.columns[column, k] != NONE:
                describe_stand(g, t, seat, np.int64(g.columns[column, k]), f.stands[column, k])


@rule
def describe_own(g, t, figure, own):
    """One of the own figures."""
    most = np.int64(t.rage_max[figure])
    own[OWN_STANDING] = g.standing[figure]
    own[OWN_HEALTH] = health_left(g, t, figure)
    own[OWN_DAMAGE] = upto(g.damage[figure], HEALTH)
    own[OWN_RAGE] = upto(g.rage[figure], RAGE)
    own[OWN_RAGE_LEFT] = upto(most - g.rage[figure], RAGE)
    own[OWN_FULL] = g.rage[figure] >= most
    own[OWN_WARDS] = upto(g.wards[figure], WARDS)
    own[OWN_MOVED] = g.moved[figure] != 0
    own[OWN_BEARER] = g.bearer == figure
    if g.column[figure] != NONE:
        own[OWN_IN_FRONT] = g.columns[g.column[figure], 0] == figure
        own[OWN_COLUMN + g.column[figure]] = 1


@rule
def describe_stand(g, t, seat, figure, stand):
    """Who stands in a place."""
    stand[STAND_THERE] = 1
    stand[STAND_MINE] = g.seat_of[figure] == seat
    stand[STAND_HEALTH] = health_left(g, t, figure)
    stand[STAND_DAMAGE] = upto(g.damage[figure], HEALTH)
    stand[STAND_WARDS] = upto(g.wards[figure], WARDS)
    stand[STAND_BEARER] = g.bearer == figure


@rule
def health_left(g, t, figure):
    """Health that a figure has left, as far as it is told apart."""
    return upto(np.int64(t.hp[figure]) - np.int64(g.damage[figure]), HEALTH)


# ---------------------------------------------------------------------------------------------------- enemies


@rule
def describe_before(g, t, seat, f):
    """The cards of the columns of the own figures: enemies and interactions. Scene cards are written already."""
    if g.heroes[seat] == NONE:
        return
    first, columns = first_figure(g, t, seat), g.columns.shape[0]
    for figure in range(first, figures_end(g, t, seat)):
        if g.column[figure] != NONE:
            for row in range(2):
                slot = row * columns + np.int64(g.column[figure])
                describe_foe(g, t, slot, f, f.before[figure - first, row])
                interactions = t.interaction_rows[g.scenario, slot, g.side[slot]]
                for number in range(2):
                    copy_array(f.interactions[figure - first, row, number], interactions[number])


@rule
def describe_foe(g, t, slot, f, foe):
    """The enemy seen on a card, and the panel of the card that carries it."""
    owner, card = carrier(g, t, slot), f.cards[slot]
    panel = slot if owner == NONE else owner
    copy_array(foe[FOE_PANEL:], t.panel_rows[g.scenario, panel, g.side[panel]])
    foe[FOE_TOKENS] = card[CARD_TOKENS]
    if owner == NONE:
        return
    foe[FOE_THERE] = 1
    foe[FOE_PART] = t.enemy[g.scenario, slot, g.side[slot]] == PART
    foe[FOE_HEALTH] = card[CARD_HEALTH]
    foe[FOE_ARMOUR] = card[CARD_ARMOUR]
    foe[FOE_MARKERS] = card[CARD_MARKERS]
    foe[FOE_INVULNERABLE] = card[CARD_INVULNERABLE]
    foe[FOE_STUNNED] = card[CARD_STUNNED]
    foe[FOE_SKIPPING] = card[CARD_SKIPPING]
    strength = np.int64(0)
    for rune in range(f.attacks.shape[1]):
        strength += np.int64(f.attacks[slot, rune, PRINTED_MELEE]) + np.int64(f.attacks[slot, rune, PRINTED_RANGED])
    foe[FOE_STRENGTH] = upto(strength, MOST_STRENGTH)


# ---------------------------------------------------------------------------------------------------- what is asked


@rule
def describe_asked(g, t, seat, f):
    """The enemy that an attack meets, who suffers, the effect that asks for a target, cards that are looked at."""
    aim, victim = np.int64(g.aim), np.int64(NONE if g.attacked == NONE else g.victim)
    if g.over == 0:
        frame = g.agenda[g.depth - 1]
        if g.decision == DIE:
            aim = np.int64(frame[STRIKE_SLOT])
        elif g.decision == SHIELD and frame[0] == F_SUFFER:
            victim = np.int64(frame[SUFFER_FIGURE])
        elif g.decision == TARGET or g.decision == FIGURE:
            describe_pending(t, frame, f.pending)
        elif g.decision == SCRY:
            describe_looked(g, t, seat, frame, f)
    if aim != NONE and laid_out(g):
        describe_foe(g, t, aim, f, f.aimed)
    if victim != NONE:
        f.struck[STRUCK_HEALTH] = health_left(g, t, victim)
        f.struck[STRUCK_WARDS] = upto(g.wards[victim], WARDS)
        f.struck[STRUCK_MINE] = g.seat_of[victim] == seat


@rule
def describe_pending(t, frame, pending):
    """The special, the rage ability or the skill that asks for a target."""
    if frame[0] == F_SPECIAL:
        copy_array(pending, t.special_rows[t.play_place[frame[SPECIAL_PLAY]]])
    elif frame[0] == F_RAGE:
        copy_array(pending, t.rage_rows[frame[RAGE_FIGURE]])
    elif frame[0] == F_SKILL:
        copy_array(pending, t.skill_rows[frame[SKILL_OPTION]])


@rule
def describe_looked(g, t, seat, frame, f):
    """The runes of upgrade cards that are looked at, as actions count them, to the seat that looks."""
    top = np.int64(g.upgrade_cards) - 1 - np.int64(frame[SCRY_TOP])
    for k in range(min(np.int64(frame[SCRY_LEFT]), f.looked.shape[0])):
        if (np.int64(g.upgrade_known[top - k]) >> seat) & 1:
            f.looked[k, t.upgrade_rune[g.upgrade[top - k]]] = 1
