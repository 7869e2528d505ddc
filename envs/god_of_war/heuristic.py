"""A value of a position, for the greedy and the searching player; and the progress that shaped rewards pay out.

The unit is a point of damage. What is still to be done counts against the team, the health of its heroes, their cards
and rage count for it, and enemies that will strike the front heroes count against it, each by its chance to act.
"""

from __future__ import annotations

import numpy as np

from theogony.envs.core.jit import rule
from theogony.envs.god_of_war.rules.enemies import carrier, highest_armour, hp_left, lives
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
from theogony.envs.god_of_war.words import FRONT, MIMIR, MIMIR_HERO, NONE

TENTHS = 0.1
SCENE = 90.0  # a scene that is done
ROUND = 3.0  # a round that is gone, for each player
ARMOUR = 0.7  # a point of an armour marker
INVULNERABLE = 8.0  # an enemy that cannot be damaged yet
HEALTH, LAST_HEALTH, LIFE = 1.1, 1.6, 6.0  # a point of health, more for each of the last four, a hero who stands
RAGE, BONUS, WARD, CANCEL = 0.55, 0.95, 3.0, 3.0
PLANS = 0.85  # what attacks are worth that are still in the hand
SHIELD = 0.2  # a point of block in the hand, for each activation that is still to come
QUALITY = 10.0  # mean worth of the cards a player has
THREAT = 0.8  # a point of strength that a living enemy keeps, for each activation of a round
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
def potential(g, t):
    """Progress of the team in [0, 1]: scenes that are done, and damage to the enemies that count in the present one."""
    scenes = 1.0 if t.single != NONE else 3.0
    if won(g):
        return 1.0
    done = np.float64(g.stage) - 1.0
    if g.phase != IN_CHOICE:
        done += 1.0 - min(effort(g, t, False) / whole_effort(g, t), 1.0)
    return min(done / scenes, 1.0)


# ---------------------------------------------------------------------------------------------------- enemies


@rule
def effort(g, t, others):
    """Damage that is still to be dealt in the scene; `others`: also to enemies that success does not name."""
    total = 0.0
    for slot in range(g.side.shape[0]):
        weight = np.float64(t.weight[g.scenario, slot]) * TENTHS
        if weight < 1.0 and not others:
            continue
        here = 0.0
        if lives(g, t, slot):
            here += hp_left(g, t, slot)
            for marker in range(t.armour.shape[3]):
                if (np.int64(g.armour[slot]) >> marker) & 1:
                    here += ARMOUR * t.armour[g.scenario, slot, g.side[slot], marker]
            if t.invulnerable[g.scenario, slot, g.side[slot]]:
                here += INVULNERABLE
        if g.side[slot] == FRONT:
            here += t.later[g.scenario, slot]
        total += here * weight
    return total


@rule
def whole_effort(g, t):
    """Damage that the fresh scene takes, from the enemies that count."""
    total = 0.0
    for slot in range(g.side.shape[0]):
        if t.weight[g.scenario, slot] >= 10 and t.present[g.scenario, slot]:
            total += t.later[g.scenario, slot]
            if t.enemy[g.scenario, slot, 0] == 1:
                total += t.enemy_hp[g.scenario, slot, 0] + INVULNERABLE * t.invulnerable[g.scenario, slot, 0]
                for marker in range(t.armour.shape[3]):
                    total += ARMOUR * t.armour[g.scenario, slot, 0, marker]
    return max(total, 1.0)


@rule
def failing(g, t):
    """How near the quest is to failure by tokens."""
    worst = 0.0
    for k in range(t.failure_first[g.scenario], t.failure_end[g.scenario]):
        if t.goal_kind[k] == 1:
            share = np.float64(g.tokens[t.goal_slot[k]]) / np.float64(t.goal_n[k])
            worst += 45.0 * share * share * share
    return worst


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


@rule
def danger(g, t, horizon):
    """Health that enemies are expected to cost in so many activations."""
    total = 0.0
    for slot in range(2 * g.columns.shape[0]):
        total += danger_of(g, t, slot, horizon)
    return total


@rule
def threat(g, t, owner):
    """Strength that the living enemies (or one of them) will go on striking with, wherever the heroes stand."""
    total = 0.0
    for slot in range(2 * g.columns.shape[0]):
        carried = carrier(g, t, slot)
        if carried != NONE and (owner == NONE or carried == owner):
            side = g.side[slot]
            for k in range(t.attacks_first[g.scenario, slot, side], t.attacks_end[g.scenario, slot, side]):
                total += np.float64(t.attack_strength[k]) + (0.5 if t.attack_status[k] != NONE else 0.0)
    return total * 0.25 * THREAT * (np.float64(g.players) + 1.0)


@rule
def danger_of(g, t, slot, horizon):
    """Health that the attacks printed on one card are expected to cost; one rune in four brings each."""
    owner = carrier(g, t, slot)
    if owner == NONE:
        return 0.0
    side, total = g.side[slot], 0.0
    for k in range(t.attacks_first[g.scenario, slot, side], t.attacks_end[g.scenario, slot, side]):
        strength = np.float64(t.attack_strength[k])
        if t.attack_tokens[k] != NONE:
            strength += g.tokens[t.attack_tokens[k]]
        strength = max(strength - 0.7, 0.3)
        status = 0.8 if t.attack_status[k] != NONE else 0.0
        if t.attack_ranged[k]:
            total += 0.25 * (farthest_loss(g, t, slot, strength) + status)
        else:
            for offset in range(-1, 2):
                column = slot % g.columns.shape[0] + offset
                if (np.int64(t.attack_dirs[k]) >> (offset + 1)) & 1 and 0 <= column < g.columns.shape[0]:
                    front = np.int64(g.columns[column, 0])
                    if front != NONE:
                        total += 0.25 * (loss(g, t, front, strength) + status)
    return total * (max(horizon - 2.0, 0.5) if g.stunned[owner] else horizon)


@rule
def farthest_loss(g, t, slot, strength):
    """What a ranged attack costs: the team chooses between equally far columns."""
    own, farthest, least = slot % g.columns.shape[0], -1, 0.0
    for column in range(g.columns.shape[0]):
        front = np.int64(g.columns[column, 0])
        if front == NONE:
            continue
        distance, cost = abs(column - own), loss(g, t, front, strength)
        if distance > farthest or (distance == farthest and cost < least):
            farthest, least = distance, cost
    return least


@rule
def loss(g, t, figure, damage):
    """What damage to a figure costs; a ward takes it instead."""
    left = np.float64(t.hp[figure]) - np.float64(g.damage[figure])
    if g.wards[figure] > 0:
        return WARD * 0.7
    return health_value(figure, left) - health_value(figure, left - damage)


# ---------------------------------------------------------------------------------------------------- heroes


@rule
def health_value(figure, left):
    """The worth of a figure's health: the last points count most."""
    if left <= 0.0:
        return 0.0
    worth = LIFE + HEALTH * left + LAST_HEALTH * min(left, 4.0)
    return 0.6 * worth if figure == MIMIR else worth


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
def owner_danger(g, t, owner, horizon):
    """Danger of all cards that show an enemy."""
    total = 0.0
    for slot in range(2 * g.columns.shape[0]):
        if carrier(g, t, slot) == owner:
            total += danger_of(g, t, slot, horizon)
    return total


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
