"""The legal actions of every kind of decision (§11)."""

from __future__ import annotations

import numpy as np

from theogony.envs.core.jit import rule
from theogony.envs.god_of_war import actions, codes, state
from theogony.envs.god_of_war.rules import specials, usable
from theogony.envs.god_of_war.rules.activation import ENEMY_COLUMNS
from theogony.envs.god_of_war.rules.attack import reaches
from theogony.envs.god_of_war.rules.cards import SCRY_LEFT, SCRY_TOP, can_take
from theogony.envs.god_of_war.rules.enemies import carrier
from theogony.envs.god_of_war.rules.figures import can_stand, first_figure, role_figure, set_possible
from theogony.envs.god_of_war.rules.rounds import TURN_REFUSED


@rule
def legal_details(g, t, mask):
    """The scene card an effect is aimed at, or the next card of a payment."""
    frame = g.agenda[g.depth - 1]
    if g.decision == state.PAY:
        figure, interaction = np.int64(frame[usable.PAY_FIGURE]), np.int64(frame[usable.PAY_INTERACTION])
        first, end = np.int64(t.interaction_cost_first[interaction]), np.int64(t.interaction_cost_end[interaction])
        seat, item = np.int64(g.seat_of[figure]), first + np.int64(frame[usable.PAY_PAID])
        for design in range(g.hand.shape[1]):
            if g.hand[seat, design] > 0 and t.pays[design, t.cost_item[item]]:
                g.hand[seat, design] -= 1
                if usable.payable(g, t, seat, item + 1, end):
                    mask[t.at[actions.A_PAY] + design] = 1
                g.hand[seat, design] += 1
        return
    for slot in range(g.side.shape[0]):
        if target_fits(g, t, frame, slot):
            mask[t.at[actions.A_TARGET] + slot] = 1


@rule
def target_fits(g, t, frame, slot):
    """Whether a scene card may be named: one of the own column, or the card that carries an enemy anywhere."""
    owner = carrier(g, t, slot)
    if owner == codes.NONE:
        return False
    columns = g.columns.shape[0]
    if frame[0] == codes.F_SKILL:
        option = np.int64(frame[specials.SKILL_OPTION])
        if t.skill_kind[option] == codes.SKILL_ATTACK:
            if t.skill_anywhere[option]:
                return owner == slot and frame[specials.SKILL_TARGET] != slot
            if not t.skill_ranged[option] and slot < columns:
                return False
            return slot < 2 * columns and slot % columns == g.column[first_figure(g, t, 0)]
        figure, kind = first_figure(g, t, 0), t.skill_target[option]
    elif frame[0] == codes.F_SPECIAL:
        figure, kind = np.int64(frame[specials.SPECIAL_FIGURE]), t.play_target[np.int64(frame[specials.SPECIAL_PLAY])]
    else:
        figure, kind = np.int64(frame[specials.RAGE_FIGURE]), t.rage_target[np.int64(frame[specials.RAGE_FIGURE])]
    if kind == codes.ANY_TARGET:
        return owner == slot
    return slot < 2 * columns and slot % columns == g.column[figure]


@rule
def legal_stand(g, t, mask):
    """Places where a figure may enter or go."""
    figure = np.int64(g.agenda[g.depth - 1, 1]) if g.decision == state.STEP else codes.NONE
    for k in range(8):
        column, slot = k // 2, k % 2
        if figure != codes.NONE:
            if can_stand(g, figure, column, slot):
                mask[t.at[actions.A_STEP] + k] = 1
        elif g.columns[column, 1] == codes.NONE and (slot == 0 or g.columns[column, 0] != codes.NONE):
            mask[t.at[actions.A_PLACE] + k] = 1


@rule
def legal_order(g, t, mask):
    """Where a looked-at upgrade card goes, or which of several equally far columns is hit."""
    frame = g.agenda[g.depth - 1]
    if g.decision == state.RANGED_TARGET:
        for column in range(g.columns.shape[0]):
            if (np.int64(frame[ENEMY_COLUMNS]) >> column) & 1:
                mask[t.at[actions.A_COLUMN] + column] = 1
        return
    for k in range(frame[SCRY_LEFT]):
        mask[t.at[actions.A_TOP] + k] = 1
        if frame[SCRY_TOP] == 0:  # the cards for the bottom are named first
            mask[t.at[actions.A_BOTTOM] + k] = 1


@rule
def legal_heroes(g, t, mask):
    """The heroes that nobody has chosen yet (ruling R70)."""
    for hero in range(t.starting_deck.shape[0]):
        if g.seat_of[t.first_figure[hero]] == codes.NONE:
            mask[t.at[actions.A_HERO] + hero] = 1


@rule
def legal_next(g, t, mask):
    """The quests of the middle row, or the bosses (§8)."""
    for k in range(3):
        if g.decision == state.NEXT_BOSS:
            mask[t.at[actions.A_CHOOSE] + g.bosses[k]] = 1
        elif k > 0:
            mask[t.at[actions.A_CHOOSE] + g.quests[k]] = 1


@rule
def legal_figures(g, t, mask):
    """A figure is named: bearer, shield, poison, an effect on one hero."""
    for figure in range(g.standing.shape[0]):
        if not g.standing[figure]:
            continue
        fits = g.decision == state.CHOSEN or g.decision == state.FIGURE
        if g.decision == state.BEARER:
            fits = figure != codes.MIMIR
        elif g.decision == state.SHIELD:
            fits = figure == codes.MIMIR or figure == g.bearer
        elif g.decision == state.POISON:
            fits = g.seat_of[figure] == g.actor
        if fits:
            mask[t.at[actions.A_FIGURE] + figure] = 1


# ---- The legal actions of every kind of decision (§11) -----------------------------------------------------------

WINDOWS = (state.ATTACK_WINDOW, state.REVEAL_WINDOW, state.BLOCK_WINDOW, state.END_WINDOW)


@rule
def legal(g, t, mask):
    """The legal actions of the acting seat, by the kind of decision."""
    decision = g.decision
    if decision == state.TURN:
        legal_turn(g, t, mask)
    elif decision == state.SET:
        legal_set(g, t, mask)
    elif decision in WINDOWS:
        legal_window(g, t, mask, decision)
    elif decision == state.MIMIR_TURN:
        legal_mimir(g, t, mask)
    elif decision == state.DIE:
        legal_die(g, t, mask)
    elif decision == state.BLOCK:
        legal_block(g, t, mask)
    elif decision == state.UPGRADE:
        legal_upgrade(g, t, mask)
    elif decision == state.TARGET or decision == state.PAY:
        legal_details(g, t, mask)
    elif decision == state.PLACE or decision == state.STEP:
        legal_stand(g, t, mask)
    elif decision == state.SCRY or decision == state.RANGED_TARGET:
        legal_order(g, t, mask)
    elif decision == state.NEXT_QUEST or decision == state.NEXT_BOSS:
        legal_next(g, t, mask)
    elif decision == state.HERO:
        legal_heroes(g, t, mask)
    else:
        legal_figures(g, t, mask)


@rule
def legal_turn(g, t, mask):
    """A hero activation: moves, attacks, specials, rage, skills, interactions, the end (§5)."""
    seat = np.int64(g.actor)
    for role in range(2):
        figure = role_figure(g, t, seat, role)
        if figure == codes.NONE:
            continue
        if not g.moved[figure]:
            for k in range(8):
                if can_stand(g, figure, k // 2, k % 2):
                    mask[t.at[actions.A_MOVE] + 8 * role + k] = 1
        legal_attacks(g, t, mask, seat, role, figure)
        legal_interactions(g, t, mask, seat, role, figure)
    legal_abilities(g, t, mask, seat, state.TURN)
    if not g.agenda[g.depth - 1, TURN_REFUSED] and usable.mimir_can_act(g, t):
        mask[t.at[actions.A_ASK]] = 1
    mask[t.at[actions.A_END]] = 1


@rule
def legal_mimir(g, t, mask):
    """Mimir in his bearer's hero activation, until his player is done (ruling R46)."""
    seat = np.int64(g.actor)
    legal_interactions(g, t, mask, seat, 0, codes.MIMIR)
    legal_abilities(g, t, mask, seat, state.MIMIR_TURN)
    mask[t.at[actions.A_DONE]] = 1


@rule
def legal_interactions(g, t, mask, seat, role, figure):
    """Interactions of scene cards in a figure's column (§5.5)."""
    for k in range(4):
        if usable.interaction_open(g, t, seat, figure, k // 2, k % 2):
            mask[t.at[actions.A_INTERACT] + 4 * role + k] = 1


@rule
def legal_attacks(g, t, mask, seat, role, figure):
    """Attacks with every symbol card that reaches an enemy of the column (§5.3)."""
    column, count = np.int64(g.column[figure]), t.attack_plays.shape[0]
    top = carrier(g, t, column) != codes.NONE
    bottom = carrier(g, t, column + g.columns.shape[0]) != codes.NONE
    if not top and not bottom:
        return
    first = t.at[actions.A_ATTACK] + 2 * role * count
    for k in range(count):
        play = np.int64(t.attack_plays[k])
        if g.hand[seat, t.attack_design[k]] > 0 and set_possible(g, t, seat, play, True):
            if top and reaches(t, play, 0):
                mask[first + k] = 1
            if bottom:
                mask[first + count + k] = 1


@rule
def legal_abilities(g, t, mask, seat, window):
    """Special cards of the hand, rage abilities, and in solo the companions' skills (§9 to §11)."""
    count, holding = t.special_plays.shape[0], usable.holds_special(g, t, seat, window)
    for role in range(2):
        figure = role_figure(g, t, seat, role)
        if figure == codes.NONE:
            continue
        if holding:
            for k in range(count):
                if g.hand[seat, t.special_design[k]] > 0 and usable.special_usable(g, t, figure, k, window):
                    mask[t.at[actions.A_SPECIAL] + role * count + k] = 1
        if usable.rage_usable(g, t, figure, window):
            mask[t.at[actions.A_RAGE] + role] = 1
    if t.players == 1:
        figure = first_figure(g, t, seat)
        for option in range(t.skill_kind.shape[0]):
            if usable.skill_usable(g, t, option, figure, window):
                mask[t.at[actions.A_SKILL] + option] = 1


@rule
def legal_set(g, t, mask):
    """Numbers for the open set; it is complete once it has one (§5.2)."""
    seat, attack = np.int64(g.actor), g.attacked == codes.NONE
    for k in range(t.number_plays.shape[0]):
        if g.hand[seat, t.number_design[k]] > 0 and (attack or not t.play_attack_only[t.number_plays[k]]):
            mask[t.at[actions.A_ADD] + k] = 1
    if attack and t.players == 1:
        for option in range(t.skill_kind.shape[0]):
            if t.skill_kind[option] == codes.SKILL_NUMBER and not g.skills_used[t.skill_number[option]]:
                mask[t.at[actions.A_SKILL] + option] = 1
    if g.set_strength > 0:
        mask[t.at[actions.A_COMMIT]] = 1


@rule
def legal_window(g, t, mask, window):
    """What a player may play in a window, or pass for good (rulings R12, R48)."""
    legal_abilities(g, t, mask, np.int64(g.actor), window)
    mask[t.at[actions.A_PASS]] = 1


@rule
def legal_die(g, t, mask):
    """A skill that makes the die of this attack a bonus, or pass (ruling R60)."""
    for option in range(t.skill_kind.shape[0]):
        if t.skill_kind[option] == codes.SKILL_DIE and not g.skills_used[t.skill_number[option]]:
            mask[t.at[actions.A_SKILL] + option] = 1
    mask[t.at[actions.A_PASS]] = 1


@rule
def legal_block(g, t, mask):
    """Block sets, or no more of them (§6.1)."""
    for k in range(t.block_plays.shape[0]):
        if set_possible(g, t, np.int64(g.actor), np.int64(t.block_plays[k]), False):
            mask[t.at[actions.A_BLOCK] + k] = 1
    mask[t.at[actions.A_DONE]] = 1


@rule
def legal_upgrade(g, t, mask):
    """Take a revealed card, or remove a card of the own discard pile (§4.4)."""
    if can_take(g):
        for k in range(g.revealed_cards):
            mask[t.at[actions.A_TAKE] + g.revealed[k]] = 1
    first, discard = np.int64(t.at[actions.A_REMOVE]), g.discard[g.actor]
    for design in range(discard.shape[0]):
        mask[first + design] = discard[design] > 0
