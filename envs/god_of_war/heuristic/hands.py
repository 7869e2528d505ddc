"""What a player's cards are worth: all of them, those in the hand, and whether decks are ready for the next scene."""

from __future__ import annotations

import numpy as np

from theogony.envs.core.jit import rule
from theogony.envs.god_of_war import codes
from theogony.envs.god_of_war.rules.enemies import carrier, hp_left, lives, printed_strength
from theogony.envs.god_of_war.rules.figures import figures_end, first_figure, seat_stands
from theogony.envs.god_of_war.rules.rounds import DONE, ROUND_TURNS
from theogony.envs.god_of_war.rules.scoring import won
from theogony.envs.god_of_war.rules.setup import laid_out
from theogony.envs.god_of_war.state import IN_HERO_ACTIVATION

SCENE = (100.0, 17.0)  # a scene that is done

# heroes
HEALTH = (0.22, 0.79)  # a point of health
LAST_HEALTH = (3.9, 0.67)  # more for each of the last four
LIFE = (9.5, 3.8)  # a hero who stands
RAGE = (1.5, 0.37)  # a point of rage
BONUS = (0.59, 0.29)  # a point of a waiting bonus
WARD = (1.1, 1.5)  # a ward
LIMIT = 1.5  # a card of the hand limit

# cards
QUALITY = (74.0, 20.0)  # mean worth of a player's cards
FEWEST = (7.2, 8.0)  # cards that a mean is taken of at least
BLOCKING = (0.4, 0.33)  # worth of a block card, in shares of its block
ATTACKING = (4.0, 1.1)  # worth of an attack symbol besides its strength, in tenths
PLANS = (0.47, 0.61)  # damage that a hand may still deal
SPARE = (0.0, 0.2)  # share of it that is lost beyond the enemies' health
SHIELD = (1.2, 0.076)  # a point of block in the hand, for each activation that is still to come
SPECIALS = 0.4  # a special card in the hand

# enemies
THREAT = (0.58, 1.6)  # a point of strength that a living enemy keeps, for each activation of a round
PRINTED = (6.2, 0.89)  # strength that heroes are expected to block
STATUS = (0.46, 1.4)  # a stun or poison card
BOXES = (0.0, 1.1)  # a point of damage by boxed effects
FAILING = (97.0, 45.0)  # tokens one short of failure
FLOW = (3.0, 3.0)  # a rune that adds such a token

# readiness: with which mean worth of cards the later scenes should begin, and what it costs to begin sooner
READY_2 = (2.0, 2.4)  # mean worth for the second scene
READY_3 = (1.3, 1.3)  # for the third
SOON_2 = (350.0, 270.0)  # a point of worth that is lacking in the second scene
SOON_3 = (170.0, 430.0)  # in the third
PATIENCE = (84.0, 60.0)  # rounds after which a team goes on as it is


@rule
def of(g, weights):
    """The weight of a pair that is for the number of players."""
    return weights[0] if g.players == 1 else weights[1]


# ---- How far a team has come: what is still to be done in a scene, and the potential that reward="progress" pays ---

TENTHS = 0.1
ARMOUR = 0.7  # a point of an armour marker
INVULNERABLE = 8.0  # an enemy that cannot be damaged yet


@rule
def potential(g, t):
    """Progress of the team in [0, 1]: scenes that are done, and damage to the enemies that count in the present one."""
    scenes = 1.0 if t.single != codes.NONE else 3.0
    if won(g):
        return 1.0
    done = np.float64(g.stage) - 1.0
    if laid_out(g):
        done += 1.0 - min(effort(g, t, False) / whole_effort(g, t), 1.0)
    return min(done / scenes, 1.0)


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
        if g.side[slot] == codes.FRONT:
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


# ---- What a player's cards are worth: all of them, those in the hand, and whether decks are ready for the next scene


@rule
def player_value(g, t, seat, left):
    """A player's cards: quality of all of them, attacks in the hand if the turn is still to come, blocks."""
    waiting = np.int64(g.next_attack[seat]) + np.int64(g.next_damage[seat])
    points = of(g, QUALITY) * quality(g, t, seat) + of(g, BONUS) * waiting + LIMIT * g.hand_limit[seat]
    numbers, blocks, specials = 0.0, 0.0, 0.0
    for design in range(g.hand.shape[1]):
        copies = np.float64(g.hand[seat, design])
        if copies > 0.0:
            numbers += copies * t.card_number[design]
            blocks += copies * t.card_block[design] * TENTHS
            specials += copies * t.card_special[design]
    points += SPECIALS * specials * (1.0 if left > 0.0 else 0.0)  # knocked-out players play them as well
    if not seat_stands(g, t, seat):
        return points
    points += of(g, SHIELD) * left * min(blocks + min(0.5 * numbers, 2.0 * blocks), 5.0)
    if g.heroes[seat] == codes.MIMIR_HERO or not acts_later(g, seat):
        return points
    return points + of(g, PLANS) * plans(g, t, seat)


# ---------------------------------------------------------------------------------------------------- all cards


@rule
def quality(g, t, seat):
    """Mean worth of all cards of a player."""
    total, cards = 0.0, 0.0
    for design in range(g.hand.shape[1]):
        copies = np.float64(g.hand[seat, design]) + np.float64(g.discard[seat, design])
        copies += np.float64(g.in_play[seat, design])
        total += copies * worth(g, t, design)
        cards += copies
    for k in range(g.deck_cards[seat]):
        total += worth(g, t, np.int64(g.deck[seat, k]))
        cards += 1.0
    return TENTHS * total / max(cards, of(g, FEWEST))


@rule
def worth(g, t, design):
    """The worth of a card in tenths: that of the tables, more for a block and for an attack symbol."""
    symbol = of(g, ATTACKING) * max(t.card_melee[design], t.card_ranged[design])
    return t.worth[design] + of(g, BLOCKING) * t.card_block[design] + symbol


@rule
def haste(g, t, stage):
    """What it costs to be in a scene with cards that are not ready for it.

    Upgrade cards stay with the players, so a team gains by leaving the last enemy alive for some rounds: rounds are
    not limited. The cost keeps it from ending a scene too soon. It shrinks with the rounds, so the team does not stay
    for ever.
    """
    if stage == 1:
        return 0.0
    wanted, lack = of(g, READY_2) if stage == 2 else of(g, READY_3), 0.0
    for seat in range(g.players):
        lack += max(wanted - quality(g, t, seat), 0.0)
    patience = max(1.0 - np.float64(g.round_number) / of(g, PATIENCE), 0.0)
    return (of(g, SOON_2) if stage == 2 else of(g, SOON_3)) * patience * lack / np.float64(g.players)


# ---------------------------------------------------------------------------------------------------- attacks to come


@rule
def acts_later(g, seat):
    """Whether a player's hero activation goes on or is still to come in this round."""
    if g.phase == IN_HERO_ACTIVATION and g.active == seat:
        return True
    if g.depth == 0 or g.agenda[0, codes.STAGE] != ROUND_TURNS:
        return g.depth > 0 and g.agenda[0, codes.STAGE] < ROUND_TURNS
    place = (seat - np.int64(g.starting_player)) % g.players
    return place >= g.agenda[0, DONE]


@rule
def plans(g, t, seat):
    """Damage that the hand may still deal: the best column of the best figure."""
    best = 0.0
    for figure in range(first_figure(g, t, seat), figures_end(g, t, seat)):
        if not g.standing[figure]:
            continue
        for column in range(g.columns.shape[0]):
            here = g.column[figure] == column
            if here or (not g.moved[figure] and g.columns[column, 1] == codes.NONE):
                found = plan(g, t, seat, column) * (1.0 if here else 0.93)
                best = max(best, found)
    return best


@rule
def plan(g, t, seat, column):
    """Damage that a hand may deal from a column: its numbers, less one for each attack's die, more for rage.

    What goes beyond the health of the enemies there counts less.
    """
    low, high = carrier(g, t, column + g.columns.shape[0]), carrier(g, t, column)
    if low == codes.NONE and high == codes.NONE:
        return 0.0
    attacks, own, numbers, count = 0.0, 0.0, 0.0, 0.0
    for design in range(g.hand.shape[1]):
        copies = np.float64(g.hand[seat, design])
        if copies == 0.0:
            continue
        if t.card_ranged[design] or (low != codes.NONE and t.card_melee[design]):
            attacks += copies
            own += copies * t.card_strength[design]
        elif t.card_number[design] > 0:
            numbers += copies * t.card_number[design]
            count += copies
    used = min(attacks, count + own)
    if used == 0.0:
        return 0.0
    damage = (numbers + own - 0.25 * used) * max(counts(g, t, low), counts(g, t, high))
    most = bearable(g, t, low)
    if high != low:
        most += bearable(g, t, high)
    return damage - of(g, SPARE) * max(damage - most, 0.0)


@rule
def counts(g, t, owner):
    """What a point of damage to an enemy counts for, 0.6 at least."""
    return 0.6 if owner == codes.NONE else max(np.float64(t.weight[g.scenario, owner]) * TENTHS, 0.6)


@rule
def bearable(g, t, owner):
    """About the damage that an enemy bears, armour included, by what it counts."""
    if owner == codes.NONE:
        return 0.0
    total = np.float64(hp_left(g, t, owner)) + 1.0
    for marker in range(t.armour.shape[3]):
        if (np.int64(g.armour[owner]) >> marker) & 1:
            total += np.float64(t.armour[g.scenario, owner, g.side[owner], marker])
    return total * counts(g, t, owner)


# ---- What enemies are expected to cost the team, in points of the heuristic --------------------------------------

RUNE = 0.25  # one rune in four brings an attack or a boxed effect


@rule
def danger(g, t, horizon):
    """Health that enemies and boxed effects are expected to cost in so many activations."""
    total = 0.0
    for slot in range(2 * g.columns.shape[0]):
        total += danger_of(g, t, slot, horizon)
    for slot in range(g.side.shape[0]):
        total += of(g, BOXES) * RUNE * horizon * box_danger(g, t, slot)
    return total


# ---------------------------------------------------------------------------------------------------- attacks


@rule
def threat(g, t):
    """Strength that the living enemies will go on striking with, wherever the heroes stand."""
    return owner_threat(g, t, codes.NONE)


@rule
def owner_threat(g, t, owner):
    """Strength that one living enemy will go on striking with; of all of them when `owner` is NONE."""
    total = 0.0
    for slot in range(2 * g.columns.shape[0]):
        carried = carrier(g, t, slot)
        if carried != codes.NONE and (owner == codes.NONE or carried == owner):
            total += side_threat(g, t, slot, np.int64(g.side[slot]))
    return total


@rule
def side_threat(g, t, slot, side):
    """Strength that the attacks on one side of a scene card will go on striking with."""
    total = 0.0
    for k in range(t.attacks_first[g.scenario, slot, side], t.attacks_end[g.scenario, slot, side]):
        total += np.float64(t.attack_strength[k]) + (0.5 if t.attack_status[k] != codes.NONE else 0.0)
    return total * RUNE * of(g, THREAT) * (np.float64(g.players) + 1.0)


@rule
def danger_of(g, t, slot, horizon):
    """Health that the attacks printed on one card are expected to cost."""
    owner = carrier(g, t, slot)
    if owner == codes.NONE:
        return 0.0
    side, total = g.side[slot], 0.0
    for k in range(t.attacks_first[g.scenario, slot, side], t.attacks_end[g.scenario, slot, side]):
        strength = max(np.float64(printed_strength(g, t, k)) - of(g, PRINTED), 0.3)
        status = of(g, STATUS) if t.attack_status[k] != codes.NONE else 0.0
        if t.attack_ranged[k]:
            total += RUNE * (farthest_loss(g, t, slot, strength) + status)
        else:
            for offset in range(-1, 2):
                column = slot % g.columns.shape[0] + offset
                if (np.int64(t.attack_dirs[k]) >> (offset + 1)) & 1 and 0 <= column < g.columns.shape[0]:
                    front = np.int64(g.columns[column, 0])
                    if front != codes.NONE:
                        total += RUNE * (loss(g, t, front, strength) + status)
    return total * (max(horizon - 2.0, 0.5) if g.stunned[owner] else horizon)


@rule
def owner_danger(g, t, owner, horizon):
    """Danger of all cards that show an enemy."""
    total = 0.0
    for slot in range(2 * g.columns.shape[0]):
        if carrier(g, t, slot) == owner:
            total += danger_of(g, t, slot, horizon)
    return total


@rule
def farthest_loss(g, t, slot, strength):
    """What a ranged attack costs: the team chooses between equally far columns."""
    own, farthest, least = slot % g.columns.shape[0], -1, 0.0
    for column in range(g.columns.shape[0]):
        front = np.int64(g.columns[column, 0])
        if front == codes.NONE:
            continue
        distance, cost = abs(column - own), loss(g, t, front, strength)
        if distance > farthest or (distance == farthest and cost < least):
            farthest, least = distance, cost
    return least


# ---------------------------------------------------------------------------------------------------- boxed effects


@rule
def box_danger(g, t, slot):
    """Health that the boxed effects of a card cost when their rune comes."""
    total, side = 0.0, g.side[slot]
    for box in range(t.boxes_first[g.scenario, slot, side], t.boxes_end[g.scenario, slot, side]):
        if t.box_when[box] == codes.C_RUNE:
            for k in range(t.box_first[box], t.box_end[box]):
                if t.scene_op[k] == codes.E_DAMAGE_HEROES:
                    total += scope_loss(g, t, slot, t.scene_scope[k], np.float64(t.scene_n[k]))
    return total


@rule
def scope_loss(g, t, slot, scope, damage):
    """What damage to the heroes of a scope costs; of all heroes the team picks the one who bears it best."""
    total, least = 0.0, np.inf
    own = slot % g.columns.shape[0] if slot < 2 * g.columns.shape[0] else codes.NONE
    for figure in range(g.standing.shape[0]):
        if not g.standing[figure] or g.column[figure] == codes.NONE:
            continue
        cost = loss(g, t, figure, damage)
        least = min(least, cost)
        if scope == codes.S_ALL or (
            g.column[figure] == own and (scope == codes.S_COLUMN or g.columns[own, 0] == figure)
        ):
            total += cost
    return least if scope == codes.S_CHOSEN and least < np.inf else total


# ---------------------------------------------------------------------------------------------------- what is lost


@rule
def loss(g, t, figure, damage):
    """What damage to a figure costs; a ward takes it instead."""
    left = np.float64(t.hp[figure]) - np.float64(g.damage[figure])
    if g.wards[figure] > 0:
        return of(g, WARD) * 0.7
    return health_value(g, figure, left) - health_value(g, figure, left - damage)


@rule
def health_value(g, figure, left):
    """The worth of a figure's health: the last points count most."""
    if left <= 0.0:
        return 0.0
    worth = of(g, LIFE) + of(g, HEALTH) * left + of(g, LAST_HEALTH) * min(left, 4.0)
    return 0.6 * worth if figure == codes.MIMIR else worth


@rule
def failing(g, t):
    """How near the quest is to failure by tokens, and how fast they come."""
    worst = 0.0
    for k in range(t.failure_first[g.scenario], t.failure_end[g.scenario]):
        if t.goal_kind[k] == codes.P_TOKENS_GE:
            share = np.float64(g.tokens[t.goal_slot[k]]) / np.float64(t.goal_n[k])
            worst += of(g, FAILING) * share * share * share
            worst += of(g, FLOW) * (0.3 + share) * flow(g, t, t.goal_slot[k]) * (np.float64(g.players) + 1.0)
    return worst


@rule
def flow(g, t, goal):
    """Boxed effects of runes that put tokens on a card."""
    total = 0.0
    for slot in range(g.side.shape[0]):
        side = g.side[slot]
        for box in range(t.boxes_first[g.scenario, slot, side], t.boxes_end[g.scenario, slot, side]):
            if t.box_when[box] == codes.C_RUNE:
                for k in range(t.box_first[box], t.box_end[box]):
                    if t.scene_op[k] == codes.E_ADD_TOKEN and t.scene_slot[k] == goal:
                        total += 1.0
    return total
