"""Scene activation: the reveal, then card after card that shows the rune (§6)."""

from __future__ import annotations

import numpy as np

from theogony.envs.core.jit import rule
from theogony.envs.god_of_war.codes import C_RUNE, NONE
from theogony.envs.god_of_war.frames import (
    ACTIVATION_CARDS,
    ACTIVATION_LEFT,
    ACTIVATION_PHASE,
    ACTIVATION_RUNE,
    ACTIVATION_WINDOW,
    CARD_ATTACKS,
    CARD_BOXES,
    CARD_DONE,
    CARD_NEXT,
    CARD_RUNE,
    CARD_SLOT,
    CARD_STAGE,
    CARD_STAMP,
    F_BOXES,
    F_CARD,
    F_ENEMY_ATTACK,
    F_FLIPS,
    STAGE,
)
from theogony.envs.god_of_war.rules.agenda import lowest, pop, push
from theogony.envs.god_of_war.rules.cards import reveal_upgrade
from theogony.envs.god_of_war.rules.flips import check_again
from theogony.envs.god_of_war.rules.usable import ask_window
from theogony.envs.god_of_war.state import REVEAL_WINDOW


@rule
def activate(g, t, frame):
    """A scene activation (§6): the window, the reveal, then the cards that show the rune (F_ACTIVATION)."""
    if frame[STAGE] == ACTIVATION_WINDOW:
        g.phase = frame[ACTIVATION_PHASE]
        if g.upgrade_cards == 0:
            pop(g)
            return False
        if ask_window(g, t, np.int64(g.active), frame, REVEAL_WINDOW):
            return True
        frame[STAGE] = ACTIVATION_CARDS
        reveal(g, t, frame)
        return False
    left, rune = np.int64(frame[ACTIVATION_LEFT]), np.int64(frame[ACTIVATION_RUNE])
    if left == 0:
        g.skipping[:] = 0
        pop(g)
        return False
    slot = lowest(left)
    frame[ACTIVATION_LEFT] = left & ~(1 << slot)
    if (t.shows[g.scenario, slot, g.side[slot]] >> rune) & 1:  # a card turned meanwhile may show it no more (R17)
        push(g, F_CARD, slot, rune, g.turnings)
    return False


@rule
def reveal(g, t, frame):
    """Turn up the top upgrade card; the cards that show its rune are collected now (§6)."""
    rune = np.int64(t.upgrade_rune[reveal_upgrade(g)])
    frame[ACTIVATION_RUNE] = rune
    if g.cancel_rune:
        g.cancel_rune = 0
        return
    left = 0
    for slot in range(g.side.shape[0]):
        if t.present[g.scenario, slot] and (t.shows[g.scenario, slot, g.side[slot]] >> rune) & 1:
            left |= 1 << slot
    frame[ACTIVATION_LEFT] = left


@rule
def activate_card(g, t, frame):
    """One card: its attacks with the rune, boxes, flips (R18); once it is turned the rest lapses (R58) (F_CARD)."""
    slot, rune, stamp = np.int64(frame[CARD_SLOT]), np.int64(frame[CARD_RUNE]), np.int64(frame[CARD_STAMP])
    side = g.side[slot]
    if g.turned_at[slot] > stamp or frame[CARD_STAGE] == CARD_DONE:
        pop(g)
        return False
    if frame[CARD_STAGE] == CARD_ATTACKS:
        first = np.int64(t.attacks_first[g.scenario, slot, side])
        for attack in range(first + np.int64(frame[CARD_NEXT]), t.attacks_end[g.scenario, slot, side]):
            if t.attack_rune[attack] == rune:
                frame[CARD_NEXT] = attack + 1 - first
                push(g, F_ENEMY_ATTACK, attack, slot, 0, 0, g.turnings)
                return False
        frame[CARD_STAGE] = CARD_BOXES
        if t.boxes_first[g.scenario, slot, side] < t.boxes_end[g.scenario, slot, side]:
            push(g, F_BOXES, slot, C_RUNE, rune, NONE, 0, stamp)
            return False
    frame[CARD_STAGE] = CARD_DONE
    check_again(g, NONE)
    if t.flips_first[g.scenario, slot, side] < t.flips_end[g.scenario, slot, side]:
        push(g, F_FLIPS, slot, C_RUNE, rune, NONE, 0, stamp)
    return False
