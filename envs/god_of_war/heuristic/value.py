"""A value of a position, for the greedy and the searching player.

The unit is a point of damage. What is still to be done counts against the team, the health of its heroes, their cards
and rage count for it, and enemies that will strike the front heroes count against it, each by its chance to act.
"""

from __future__ import annotations

import numpy as np

from theogony.envs.core.jit import rule
from theogony.envs.god_of_war import codes, state
from theogony.envs.god_of_war.heuristic import hands
from theogony.envs.god_of_war.rules.attack import STRIKE_DAMAGE, STRIKE_DIE, STRIKE_SLOT, STRIKE_STRENGTH
from theogony.envs.god_of_war.rules.enemies import carrier, highest_armour, hp_left
from theogony.envs.god_of_war.rules.rounds import DONE, ROUND_EXTRA, ROUND_TURNS
from theogony.envs.god_of_war.rules.scoring import won
from theogony.envs.god_of_war.rules.setup import laid_out
from theogony.envs.god_of_war.rules.specials import RAGE_FIGURE, SPECIAL_PLAY
from theogony.envs.god_of_war.rules.usable import PAY_FIGURE, PAY_INTERACTION, PAY_PAID

SCALE = 400.0  # points that are half of a victory
ROUND = 1.0  # a round that is gone, for each player
CANCEL = (1.4, 3.0)  # the next rune triggers nothing
SKILL = (8.3, 1.0)  # a companion's skill that is not used yet
HARD = (0.0, 10.0)  # the threat of living enemies once more where a scene is chosen
FALLIBLE = (300.0, 300.0)  # a scene that can fail, where it is chosen
PAID = (0.9, 0.84)  # share of what an interaction brings while it is not paid
COST = (1.2, 1.1)  # a card that is still to be paid
CRYSTAL = 1.5  # a crystal that is gained


@rule
def pending_payment(g, t, left):
    """What the interaction that is being paid brings, less the cards that it still costs."""
    if g.decision != state.PAY:
        return 0.0
    frame = g.agenda[g.depth - 1]
    figure, k, gain = np.int64(frame[PAY_FIGURE]), np.int64(frame[PAY_INTERACTION]), 0.0
    for effect in range(t.interaction_first[k], t.interaction_end[k]):
        gain += effect_gain(g, t, effect, figure, left)
    unpaid = t.interaction_cost_end[k] - t.interaction_cost_first[k] - frame[PAY_PAID]
    return hands.of(g, PAID) * gain - hands.of(g, COST) * unpaid


@rule
def effect_gain(g, t, effect, figure, left):
    """About what one effect is worth that a figure brings about."""
    op, n = t.scene_op[effect], np.int64(t.scene_n[effect])
    if op == codes.E_CRYSTAL:
        return CRYSTAL
    if op == codes.E_HEAL_HEROES:
        return healing_gain(g, t, n, figure, t.scene_scope[effect] == codes.S_ALL)
    if op == codes.E_REMOVE_TOKEN:
        return token_gain(g, t, np.int64(t.scene_slot[effect]), n, left)
    if op == codes.E_FLIP:
        gain = 0.0
        for k in range(t.scene_first[effect], t.scene_end[effect]):
            gain += turning_gain(g, t, np.int64(t.turned_slot[k]))
        return gain
    owner = carrier(g, t, np.int64(t.scene_slot[effect])) if t.scene_slot[effect] >= 0 else codes.NONE
    if owner == codes.NONE:
        return 0.0
    if op == codes.E_STUN_ENEMY:
        return 0.0 if g.stunned[owner] else hands.owner_danger(g, t, owner, 1.5)
    weight, marker = np.float64(t.weight[g.scenario, owner]) * hands.TENTHS, highest_armour(g, t, owner)
    if op == codes.E_BREAK_ARMOUR and marker != codes.NONE:
        return weight * hands.ARMOUR * t.armour[g.scenario, owner, g.side[owner], marker]
    if op != codes.E_DAMAGE_ENEMY or marker != codes.NONE or t.invulnerable[g.scenario, owner, g.side[owner]]:
        return 0.0
    health = hp_left(g, t, owner)
    relief = hands.owner_danger(g, t, owner, left + 0.5) + hands.owner_threat(g, t, owner) if n >= health else 0.0
    return weight * min(n, health) + relief


@rule
def healing_gain(g, t, n, figure, everybody):
    """Health that a figure, or everybody, gets back."""
    gain = 0.0
    for other in range(g.standing.shape[0]):
        if g.standing[other] and (everybody or other == figure):
            left = np.float64(t.hp[other]) - np.float64(g.damage[other])
            healed = np.float64(min(n, np.int64(g.damage[other])))
            gain += hands.health_value(g, other, left + healed) - hands.health_value(g, other, left)
    return gain


@rule
def token_gain(g, t, slot, n, left):
    """What it brings to take tokens from a card: failure and blows that grow with them come less near."""
    held = g.tokens[slot]
    before = hands.failing(g, t) + hands.danger(g, t, left + 0.5)
    g.tokens[slot] = max(held - n, 0)
    after = hands.failing(g, t) + hands.danger(g, t, left + 0.5)
    g.tokens[slot] = held
    return before - after + 0.3


@rule
def turning_gain(g, t, slot):
    """What it brings to turn a scene card over: attacks that go, an enemy that can be damaged."""
    side = np.int64(g.side[slot])
    gain = hands.side_threat(g, t, slot, side) - hands.side_threat(g, t, slot, 1 - side)
    if t.invulnerable[g.scenario, slot, side] and not t.invulnerable[g.scenario, slot, 1 - side]:
        gain += hands.INVULNERABLE * t.weight[g.scenario, slot] * hands.TENTHS
    return gain


# ---- A value of a position, for the greedy and the searching player ----------------------------------------------


@rule
def value(g, t, seat):
    """The team's prospects, about -1 to 1, the same for every seat."""
    if g.over != 0:
        return 1.0 if won(g) else -1.0 + 0.3 * hands.potential(g, t)
    left, stage = activations_left(g), np.int64(g.stage)
    points = (
        hands.of(g, hands.SCENE) * (stage - 1)
        - hands.haste(g, t, stage)
        - ROUND * np.int64(g.round_number) * np.int64(g.players)
    )
    for figure in range(g.standing.shape[0]):
        if g.standing[figure]:
            points += figure_value(g, t, figure)
    for other in range(g.players):
        points += hands.player_value(g, t, other, left)
    for k in range(g.skills_used.shape[0]):
        points -= hands.of(g, SKILL) * g.skills_used[k]
    points += hands.of(g, CANCEL) * g.cancel_rune
    if laid_out(g):
        points -= hands.effort(g, t, True) + hands.failing(g, t) + hands.danger(g, t, left + 0.5) + hands.threat(g, t)
        points += pending_attack(g, t, left) + pending_use(g, t) + pending_payment(g, t, left) - pending_hit(g, t)
    if g.phase == state.IN_PLACEMENT:
        points -= hardness(g, t)
    return 0.99 * points / (SCALE + abs(points))


@rule
def hardness(g, t):
    """What a scene that is chosen costs besides: its enemies strike for long, and it may fail by tokens."""
    fallible = t.failure_first[g.scenario] < t.failure_end[g.scenario]
    return hands.of(g, HARD) * hands.threat(g, t) + (hands.of(g, FALLIBLE) if fallible else 0.0)


@rule
def figure_value(g, t, figure):
    """Health, rage and wards of a standing figure."""
    points = hands.health_value(g, figure, np.float64(t.hp[figure]) - np.float64(g.damage[figure]))
    return points + hands.of(g, hands.RAGE) * g.rage[figure] + hands.of(g, hands.WARD) * g.wards[figure]


@rule
def activations_left(g):
    """Scene activations that are still to come in this round."""
    if g.depth == 0:
        return 0.0
    stage, done = np.int64(g.agenda[0, codes.STAGE]), np.int64(g.agenda[0, DONE])
    now = 1.0 if g.phase == state.IN_HERO_ACTIVATION or g.decision == state.REVEAL_WINDOW else 0.0
    if stage < ROUND_TURNS:
        return np.float64(g.players) + 1.0
    if stage == ROUND_TURNS:
        return np.float64(g.players) - done + 1.0 + now
    return 1.0 + now if stage == ROUND_EXTRA else now


# ---------------------------------------------------------------------------------------------------- what goes on


@rule
def pending_attack(g, t, left):
    """What an attack that is going on is expected to bring."""
    if g.decision == state.DIE and g.over == 0:
        return pending_die(g, t)
    if g.attacker == codes.NONE or g.aim == codes.NONE:
        return 0.0
    owner = carrier(g, t, np.int64(g.aim))
    seat = np.int64(g.seat_of[g.attacker])
    strength = np.int64(g.set_strength) + np.int64(g.boost) + np.int64(g.next_attack[seat])
    if g.decision == state.SET and g.set_strength == 0:
        strength += least_number(g, t, seat)
    gain = hands.of(g, hands.RAGE) * t.play_rage[g.set_play] - hands.of(g, hands.BONUS) * (
        np.int64(g.next_attack[seat]) + np.int64(g.next_damage[seat])
    )
    if owner == codes.NONE:
        return gain
    weight = np.float64(t.weight[g.scenario, owner]) * hands.TENTHS
    if t.play_stun[g.set_play] and not g.stunned[owner]:
        gain += hands.owner_danger(g, t, owner, 1.5)  # it loses its next activation
    marker = highest_armour(g, t, owner)
    if marker != codes.NONE:
        armour = np.int64(t.armour[g.scenario, owner, g.side[owner], marker])
        return gain + (hands.ARMOUR * armour * weight if strength >= armour else 0.0)
    if t.invulnerable[g.scenario, owner, g.side[owner]]:
        return gain
    return gain + expected_damage(g, t, owner, strength, np.int64(g.next_damage[seat]), left)


@rule
def pending_die(g, t):
    """What an attack brings whose die was rolled, if it is left as it is (ruling R60)."""
    frame = g.agenda[g.depth - 1]
    owner = carrier(g, t, np.int64(frame[STRIKE_SLOT]))
    if owner == codes.NONE:
        return 0.0
    damage = max(np.int64(frame[STRIKE_STRENGTH]) - np.int64(frame[STRIKE_DIE]), 0) + np.int64(frame[STRIKE_DAMAGE])
    return min(damage, hp_left(g, t, owner)) * np.float64(t.weight[g.scenario, owner]) * hands.TENTHS


@rule
def expected_damage(g, t, owner, strength, extra, left):
    """What an attack of this strength brings, over the faces of the die; `extra` comes after the die."""
    weight, health = np.float64(t.weight[g.scenario, owner]) * hands.TENTHS, hp_left(g, t, owner)
    relief = hands.owner_danger(g, t, owner, left + 0.5) + hands.owner_threat(g, t, owner)
    if g.stage < 3 and t.single == codes.NONE and hands.effort(g, t, False) <= health:  # the scene ends with this enemy
        stage = np.int64(g.stage)
        relief += hands.of(g, hands.SCENE) + hands.haste(g, t, stage) - hands.haste(g, t, stage + 1)
    faces, total = t.die.shape[0], 0.0
    for k in range(faces):
        damage = max(strength - np.int64(t.die[k]), 0) + extra
        total += min(damage, health) * weight
        if damage >= health:
            total += relief
    return total / faces


@rule
def pending_use(g, t):
    """What a special or rage ability is expected to bring whose target is still to be named."""
    if g.decision != state.TARGET and g.decision != state.FIGURE:
        return 0.0
    frame = g.agenda[g.depth - 1]
    if frame[0] == codes.F_RAGE:
        return hands.of(g, hands.RAGE) * np.float64(g.rage[frame[RAGE_FIGURE]]) * 0.5 + 1.0
    if frame[0] != codes.F_SPECIAL:
        return 3.0
    if g.decision == state.TARGET:
        return hands.TENTHS * t.worth[t.play_design[frame[SPECIAL_PLAY]]]
    most = 0.0
    for figure in range(g.standing.shape[0]):
        if g.standing[figure]:
            most = max(most, hands.of(g, hands.HEALTH) * min(np.float64(g.damage[figure]), 2.0))
    return most


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
    if g.attacked == codes.NONE:
        return 0.0
    strength = np.int64(g.enemy_strength) - np.int64(g.blocked)
    if g.attacker == codes.NONE and g.set_play != codes.NONE:
        strength -= np.int64(g.set_strength)
        if g.set_strength == 0:
            strength -= least_number(g, t, np.int64(g.seat_of[g.attacked]))
    if strength <= 0:
        return 0.0
    status = 0.8 if g.enemy_status != codes.NONE else 0.0
    return hands.loss(g, t, np.int64(g.victim), np.float64(strength)) + status
