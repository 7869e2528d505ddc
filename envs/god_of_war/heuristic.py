"""A value of a position, for the greedy and the searching player.

The unit is a point of damage. What is still to be done counts against the team, the health of its heroes, their cards
and rage count for it, and enemies that will strike the front heroes count against it, each by its chance to act.
"""

from __future__ import annotations

import numpy as np

from theogony.envs.core.jit import rule
from theogony.envs.god_of_war.danger import (
    HEALTH,
    WARD,
    danger,
    failing,
    health_value,
    loss,
    owner_danger,
    threat,
)
from theogony.envs.god_of_war.progress import ARMOUR, TENTHS, effort, potential
from theogony.envs.god_of_war.rules.enemies import carrier, highest_armour, hp_left
from theogony.envs.god_of_war.rules.figures import figures_end, first_figure, seat_stands
from theogony.envs.god_of_war.rules.setup import won
from theogony.envs.god_of_war.state import (
    F_RAGE,
    F_SPECIAL,
    FIGURE,
    IN_CHOICE,
    IN_HERO_ACTIVATION,
    REVEAL_WINDOW,
    SET,
    TARGET,
)
from theogony.envs.god_of_war.words import MIMIR_HERO, NONE

SCENE = 90.0  # a scene that is done
ROUND = 3.0  # a round that is gone, for each player
RAGE, BONUS, CANCEL = 0.55, 0.95, 3.0
PLANS = 0.85  # what attacks are worth that are still in the hand
SHIELD = 0.2  # a point of block in the hand, for each activation that is still to come
QUALITY = 10.0  # mean worth of the cards a player has
SCALE = 400.0


@rule
def value(g, t, seat):
    """The team's prospects, about -1 to 1, the same for every seat."""
    if g.over != 0:
        return 1.0 if won(g) else -1.0 + 0.3 * potential(g, t)
    points = SCENE * (np.int64(g.stage) - 1) - ROUND * np.int64(g.round_number) * np.int64(g.players)
    left = activations_left(g)
    for figure in range(g.standing.shape[0]):
        if g.standing[figure]:
            points += figure_value(g, t, figure)
    for other in range(g.players):
        points += player_value(g, t, other, left)
    points += CANCEL * g.cancel_rune
    if g.phase != IN_CHOICE:
        points -= effort(g, t, True) + failing(g, t)
        points -= danger(g, t, left + 0.5) + threat(g, t, NONE)
        points += pending_attack(g, t, left) + pending_use(g, t) - pending_hit(g, t)
    return min(max(points / SCALE, -0.99), 0.99)


@rule
def activations_left(g):
    """Scene activations that are still to come in this round."""
    if g.depth == 0:
        return 0.0
    stage, done = np.int64(g.agenda[0, 1]), np.int64(g.agenda[0, 2])
    now = 1.0 if g.phase == IN_HERO_ACTIVATION or g.decision == REVEAL_WINDOW else 0.0
    if stage <= 1:
        return np.float64(g.players) + 1.0
    if stage == 2:
        return np.float64(g.players) - done + 1.0 + now
    return 1.0 + now if stage == 3 else now


# ---------------------------------------------------------------------------------------------------- heroes


@rule
def figure_value(g, t, figure):
    """Health, rage and wards of a standing figure."""
    points = health_value(figure, np.float64(t.hp[figure]) - np.float64(g.damage[figure]))
    return points + RAGE * g.rage[figure] + WARD * g.wards[figure]


@rule
def player_value(g, t, seat, left):
    """A player's cards: quality of all of them, attacks in the hand if the turn is still to come, blocks."""
    points = QUALITY * quality(g, t, seat) + BONUS * g.next_attack[seat] + 1.5 * g.hand_limit[seat]
    if not seat_stands(g, t, seat):
        return points
    numbers, blocks, specials = 0.0, 0.0, 0.0
    for design in range(g.hand.shape[1]):
        copies = np.float64(g.hand[seat, design])
        if copies > 0.0:
            numbers += copies * t.card_number[design]
            blocks += copies * t.card_block[design] * TENTHS
            specials += copies * t.card_special[design]
    points += SHIELD * left * min(blocks + min(0.5 * numbers, 2.0 * blocks), 5.0)
    points += 0.4 * specials * (1.0 if left > 0.0 else 0.0)
    if g.heroes[seat] == MIMIR_HERO or not acts_later(g, seat):
        return points
    return points + PLANS * plans(g, t, seat)


@rule
def quality(g, t, seat):
    """Mean worth of all cards of a player."""
    total, cards = 0.0, 0.0
    for design in range(g.hand.shape[1]):
        copies = np.float64(g.hand[seat, design]) + np.float64(g.discard[seat, design])
        copies += np.float64(g.in_play[seat, design])
        total += copies * t.worth[design]
        cards += copies
    for k in range(g.deck_cards[seat]):
        total += t.worth[g.deck[seat, k]]
        cards += 1.0
    return TENTHS * total / max(cards, 8.0)


@rule
def acts_later(g, seat):
    """Whether a player's hero activation goes on or is still to come in this round."""
    if g.phase == IN_HERO_ACTIVATION and g.active == seat:
        return True
    if g.depth == 0 or g.agenda[0, 1] != 2:
        return g.depth > 0 and g.agenda[0, 1] < 2
    place = (seat - np.int64(g.starting_player)) % g.players
    return place >= g.agenda[0, 2]


@rule
def plans(g, t, seat):
    """Damage that the hand may still deal: the best column of the best figure."""
    best = 0.0
    for figure in range(first_figure(g, t, seat), figures_end(g, t, seat)):
        if not g.standing[figure]:
            continue
        for column in range(g.columns.shape[0]):
            here = g.column[figure] == column
            if here or (not g.moved[figure] and g.columns[column, 1] == NONE):
                found = plan(g, t, seat, column) * (1.0 if here else 0.93)
                best = max(best, found)
    return best


@rule
def plan(g, t, seat, column):
    """Damage that a hand may deal from a column: its numbers, less one for each attack's die, more for rage."""
    low, high = carrier(g, t, column + g.columns.shape[0]), carrier(g, t, column)
    if low == NONE and high == NONE:
        return 0.0
    weight = 0.0
    if low != NONE:
        weight = np.float64(t.weight[g.scenario, low]) * TENTHS
    if high != NONE:
        weight = max(weight, np.float64(t.weight[g.scenario, high]) * TENTHS)
    attacks, own, numbers, count = 0.0, 0.0, 0.0, 0.0
    for design in range(g.hand.shape[1]):
        copies = np.float64(g.hand[seat, design])
        if copies == 0.0:
            continue
        if t.card_ranged[design] or (low != NONE and t.card_melee[design]):
            attacks += copies
            own += copies * t.card_strength[design]
        elif t.card_number[design] > 0:
            numbers += copies * t.card_number[design]
            count += copies
    used = min(attacks, count + own)
    if used == 0.0:
        return 0.0
    return (numbers + own - 0.6 * used + 0.35 * used) * max(weight, 0.6)


# ---------------------------------------------------------------------------------------------------- what goes on


@rule
def pending_attack(g, t, left):
    """What an attack that is going on is expected to bring."""
    if g.attacker == NONE or g.aim == NONE:
        return 0.0
    owner = carrier(g, t, np.int64(g.aim))
    seat = np.int64(g.seat_of[g.attacker])
    strength = np.int64(g.set_strength) + np.int64(g.boost) + np.int64(g.next_attack[seat])
    if g.decision == SET and g.set_strength == 0:
        strength += least_number(g, t, seat)
    gain = RAGE * t.play_rage[g.set_play] - BONUS * g.next_attack[seat]
    if owner == NONE:
        return gain
    weight = np.float64(t.weight[g.scenario, owner]) * TENTHS
    if t.play_stun[g.set_play] and not g.stunned[owner]:
        gain += stun_gain(g, t, owner)
    marker = highest_armour(g, t, owner)
    if marker != NONE:
        armour = np.int64(t.armour[g.scenario, owner, g.side[owner], marker])
        return gain + (ARMOUR * armour * weight if strength >= armour else 0.0)
    if t.invulnerable[g.scenario, owner, g.side[owner]]:
        return gain
    health, faces, total = hp_left(g, t, owner), t.die.shape[0], 0.0
    relief = owner_danger(g, t, owner, left + 0.5) + threat(g, t, owner)
    for k in range(faces):
        damage = strength + np.int64(t.die[k]) if g.die_adds else max(strength - np.int64(t.die[k]), 0)
        total += min(damage, health) * weight
        if damage >= health:
            total += relief
    return gain + total / faces


@rule
def pending_use(g, t):
    """What a special or rage ability is expected to bring whose target is still to be named."""
    if g.decision != TARGET and g.decision != FIGURE:
        return 0.0
    frame = g.agenda[g.depth - 1]
    if frame[0] == F_RAGE:
        return RAGE * np.float64(g.rage[frame[1]]) * 0.5 + 1.0
    if frame[0] != F_SPECIAL:
        return 3.0
    if g.decision == TARGET:
        return TENTHS * t.worth[t.play_design[frame[2]]]
    most = 0.0
    for figure in range(g.standing.shape[0]):
        if g.standing[figure]:
            most = max(most, HEALTH * min(np.float64(g.damage[figure]), 2.0))
    return most


@rule
def stun_gain(g, t, owner):
    """An enemy that is stunned loses its next activation."""
    return owner_danger(g, t, owner, 1.5)


@rule
def least_number(g, t, seat):
    """The smallest number that a hand can add to a set."""
    least = 99
    for design in range(g.hand.shape[1]):
        if g.hand[seat, design] > 0 and t.card_number[design] > 0:
            least = min(least, np.int64(t.card_number[design]))
    return least if least < 99 else 0


@rule
def pending_hit(g, t):
    """What the enemy attack on a hero that is going on costs, as far as it is not blocked."""
    if g.attacked == NONE:
        return 0.0
    strength = np.int64(g.enemy_strength) - np.int64(g.blocked)
    if g.attacker == NONE and g.set_play != NONE:
        strength -= np.int64(g.set_strength)
        if g.set_strength == 0:
            strength -= least_number(g, t, np.int64(g.seat_of[g.attacked]))
    if strength <= 0:
        return 0.0
    status = 0.8 if g.enemy_status != NONE else 0.0
    return loss(g, t, np.int64(g.victim), np.float64(strength)) + status
