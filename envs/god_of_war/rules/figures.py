"""Heroes in the scene: columns, movement, damage, wards, rage, knock-outs (§3, §5.1, §6.2)."""

from __future__ import annotations

import numpy as np

from theogony.envs.core.jit import rule
from theogony.envs.god_of_war.codes import MIMIR, NONE, SKILL_NUMBER
from theogony.envs.god_of_war.state import HAND_LIMIT

WARDS = 2  # ward tokens (R65)


@rule
def first_figure(g, t, seat):
    """The first figure of a seat's hero; the others follow it."""
    return np.int64(t.first_figure[g.heroes[seat]])


@rule
def figures_end(g, t, seat):
    """One past the last figure of a seat's hero."""
    hero = g.heroes[seat]
    return np.int64(t.first_figure[hero]) + np.int64(t.figure_count[hero])


@rule
def seat_stands(g, t, seat):
    """Whether a player has a standing figure."""
    for figure in range(first_figure(g, t, seat), figures_end(g, t, seat)):
        if g.standing[figure]:
            return True
    return False


@rule
def standing_of_pair(g, t, seat):
    """The only standing figure of a seat; NONE when there are two."""
    found = NONE
    for figure in range(first_figure(g, t, seat), figures_end(g, t, seat)):
        if g.standing[figure]:
            if found != NONE:
                return NONE
            found = figure
    return found


@rule
def bodies_standing(g):
    """Standing figures that have a body: all but Mimir."""
    count = 0
    for figure in range(g.standing.shape[0]):
        count += g.standing[figure] != 0 and figure != MIMIR
    return count


@rule
def enter(g, figure, column, slot):
    """Put a figure into a column; a figure that stands in the way goes to the other slot (§3)."""
    g.column[figure] = column
    if slot == 0 and g.columns[column, 0] != NONE:
        g.columns[column, 1] = g.columns[column, 0]
    g.columns[column, slot] = figure
    if g.bearer == figure:
        g.column[MIMIR] = column


@rule
def leave(g, figure):
    """Take a figure out of its column; the one behind steps forward (§3)."""
    column = np.int64(g.column[figure])
    if g.columns[column, 0] == figure:
        g.columns[column, 0] = g.columns[column, 1]
    g.columns[column, 1] = NONE
    g.column[figure] = NONE


@rule
def move(g, figure, column, slot):
    """Go to another column, or swap slots in the own one (§5.1)."""
    if g.column[figure] == column:
        other = g.columns[column, 0]
        g.columns[column, 0] = g.columns[column, 1]
        g.columns[column, 1] = other
    else:
        leave(g, figure)
        enter(g, figure, column, slot)


@rule
def can_stand(g, figure, column, slot):
    """Whether a figure may go to a slot: a free one, in front of or behind another, or the other slot of its column."""
    front, back = g.columns[column, 0], g.columns[column, 1]
    if g.column[figure] == column:
        return back != NONE and g.columns[column, slot] != figure
    return back == NONE and (slot == 0 or front != NONE)


@rule
def can_move(g, figure):
    """Whether a figure can go anywhere."""
    for column in range(g.columns.shape[0]):
        if can_stand(g, figure, column, 0) or can_stand(g, figure, column, 1):
            return True
    return False


@rule
def hurt_figure(g, t, figure, n):
    """Damage to a hero. A ward cancels it (R26). Returns whether the hero suffered."""
    if g.wards[figure] > 0:
        g.wards[figure] -= 1
        return False
    g.damage[figure] += n
    if g.damage[figure] >= t.hp[figure]:
        knock_out(g, figure)
    return True


@rule
def may_change_places(g, figure):
    """Whether Mimir and his bearer may choose which of them suffers: both stand, one would (ruling R44)."""
    if g.bearer == NONE or not g.standing[MIMIR]:
        return False
    return figure == MIMIR or figure == g.bearer


@rule
def knock_out(g, figure):
    """A hero leaves the scene (§6.2). Mimir stays in the column of a bearer who falls (R62)."""
    g.standing[figure] = 0
    if figure == MIMIR:
        g.bearer = NONE
        g.column[MIMIR] = NONE
        return
    leave(g, figure)
    if g.bearer == figure:
        g.bearer = NONE


@rule
def heal_figure(g, figure, n):
    """Remove up to n damage."""
    g.damage[figure] = max(g.damage[figure] - n, 0)


@rule
def gain_rage(g, t, figure, n):
    """Rage beyond the last space is lost (ruling R35); a knocked-out hero gains none (ruling R13)."""
    if g.standing[figure]:
        g.rage[figure] = min(g.rage[figure] + n, t.rage_max[figure])


@rule
def set_hand_limit(g, seat):
    """The hand limit with the tokens won for good and those of the scene (§3; ruling R34)."""
    g.hand_limit[seat] = max(HAND_LIMIT + g.limit_won[seat] + g.limit_scene[seat], 0)


@rule
def wards_out(g):
    """Ward tokens on heroes."""
    total = 0
    for figure in range(g.wards.shape[0]):
        total += g.wards[figure]
    return total


@rule
def role_figure(g, t, seat, role):
    """The figure behind a role in an action: 0 the player's first figure, 1 the second.

    NONE when that figure does not stand; a player without a standing figure acts by the first one (ruling R13).
    """
    figure = first_figure(g, t, seat) + role
    if figure >= figures_end(g, t, seat):
        return NONE
    if g.standing[figure] or (role == 0 and not seat_stands(g, t, seat)):
        return figure
    return NONE


# ---- Sets of cards: a symbol and at least one number (§5.2) ------------------------------------------------------


@rule
def number_in_hand(g, t, seat, attack):
    """Whether a hand has a number for a set; a crystal counts only for an attack (ruling R8)."""
    for k in range(t.number_plays.shape[0]):
        if g.hand[seat, t.number_design[k]] > 0 and (attack or not t.play_attack_only[t.number_plays[k]]):
            return True
    return attack and free_skill(g, t, SKILL_NUMBER) != NONE


@rule
def free_skill(g, t, kind):
    """An alternative of a companion's skill of this kind that was not used yet; NONE when there is none (§10)."""
    if t.players == 1:
        for option in range(t.skill_kind.shape[0]):
            if t.skill_kind[option] == kind and not g.skills_used[t.skill_number[option]]:
                return option
    return NONE


@rule
def set_possible(g, t, seat, play, attack):
    """Whether a symbol card is in the hand, with its own number or another card for it (§5.2)."""
    design = t.play_design[play]
    if g.hand[seat, design] <= 0:
        return False
    if t.play_number[play] > 0:
        return True
    g.hand[seat, design] -= 1  # a card cannot be its own number
    found = number_in_hand(g, t, seat, attack)
    g.hand[seat, design] += 1
    return found
