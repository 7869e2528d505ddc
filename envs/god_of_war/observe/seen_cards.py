"""What each seat sees of the scene: cards with their enemies, tokens, interactions and attacks."""

from __future__ import annotations

import numpy as np

from theogony.envs.core.features import SHARE
from theogony.envs.core.jit import rule
from theogony.envs.core.memory import copy_array
from theogony.envs.god_of_war.codes import NONE, OWN, PART
from theogony.envs.god_of_war.observe.layout import (
    ENEMY_HEALTH,
    INTERACTIONS,
    MARKER,
    MARKERS,
    STRENGTH,
    STRIKES,
    TOKENS,
)
from theogony.envs.god_of_war.observe.slots import (
    CARD_ARMOUR,
    CARD_DEAD,
    CARD_ENEMY,
    CARD_HEALTH,
    CARD_HEALTH_SHARE,
    CARD_INTERACTIONS,
    CARD_INVULNERABLE,
    CARD_MARKERS,
    CARD_PART,
    CARD_PRESENT,
    CARD_SIDE,
    CARD_SKIPPING,
    CARD_STUNNED,
    CARD_TOKENS,
    PRINTED_DIRECTION,
    PRINTED_MELEE,
    PRINTED_RANGED,
    PRINTED_STATUS,
)
from theogony.envs.god_of_war.rules.enemies import carrier, highest_armour, hp_left


@rule
def upto(value, most):
    """A number, as far as it is told apart: clipped to 0..most."""
    return min(max(np.int64(value), 0), np.int64(most))


@rule
def observe_card(g, t, slot, f):
    """One scene card: enemy, tokens, interactions, attacks by rune."""
    scenario, side = np.int64(g.scenario), np.int64(g.side[slot])
    card, owner = f.cards[slot], carrier(g, t, slot)
    card[CARD_PRESENT] = 1
    card[CARD_SIDE] = side
    card[CARD_TOKENS] = upto(g.tokens[slot], TOKENS)
    card[CARD_DEAD] = g.dead[slot]
    interactions = np.int64(t.interactions_end[scenario, slot, side]) - t.interactions_first[scenario, slot, side]
    card[CARD_INTERACTIONS] = upto(interactions, INTERACTIONS)
    copy_array(f.panels[slot], t.panel_rows[scenario, slot, side])
    for rune in range(f.runes.shape[1]):
        f.runes[slot, rune] = (np.int64(t.shows[scenario, slot, side]) >> rune) & 1
    if owner == NONE:
        return
    kind, face = t.enemy[scenario, slot, side], np.int64(g.side[owner])
    card[CARD_ENEMY] = kind == OWN
    card[CARD_PART] = kind == PART
    left = hp_left(g, t, owner)
    card[CARD_HEALTH] = upto(left, ENEMY_HEALTH)
    card[CARD_HEALTH_SHARE] = upto(left * SHARE / np.int64(t.enemy_hp[scenario, owner, face]) + 0.5, SHARE)
    if g.armour[owner]:
        card[CARD_ARMOUR] = upto(t.armour[scenario, owner, face, highest_armour(g, t, owner)], MARKER)
        for k in range(t.armour.shape[3]):
            card[CARD_MARKERS] = min(np.int64(card[CARD_MARKERS]) + ((np.int64(g.armour[owner]) >> k) & 1), MARKERS)
    card[CARD_INVULNERABLE] = t.invulnerable[scenario, owner, face]
    card[CARD_STUNNED] = g.stunned[owner]
    card[CARD_SKIPPING] = g.skipping[owner]
    f.bodies[slot, owner] = 1
    for k in range(t.attacks_first[scenario, slot, side], t.attacks_end[scenario, slot, side]):
        observe_enemy_attack(g, t, slot, k, f)
        if not g.stunned[owner] and not g.skipping[owner]:
            observe_threat(g, t, slot, k, f)


@rule
def observe_enemy_attack(g, t, slot, k, f):
    """One printed attack; two with the same rune are added up."""
    rune, strength = np.int64(t.attack_rune[k]), printed_strength(g, t, k)
    which = PRINTED_RANGED if t.attack_ranged[k] else PRINTED_MELEE
    f.attacks[slot, rune, which] = upto(np.int64(f.attacks[slot, rune, which]) + upto(strength, STRENGTH), STRENGTH)
    for direction in range(3):
        if (np.int64(t.attack_dirs[k]) >> direction) & 1:
            f.attacks[slot, rune, PRINTED_DIRECTION + direction] = 1
    if t.attack_status[k] != NONE:
        f.attacks[slot, rune, PRINTED_STATUS + t.attack_status[k]] = 1


@rule
def printed_strength(g, t, k):
    """The strength of an attack with the tokens that add to it."""
    strength = np.int64(t.attack_strength[k])
    if t.attack_tokens[k] != NONE:
        strength += np.int64(g.tokens[t.attack_tokens[k]])
    return strength


@rule
def observe_threat(g, t, slot, k, f):
    """What a printed attack adds to what a rune brings upon columns: melee by its arrows, ranged the farthest one."""
    rune, strength, columns = np.int64(t.attack_rune[k]), printed_strength(g, t, k), f.strikes.shape[0]
    if t.attack_ranged[k]:
        f.volleys[rune] = upto(np.int64(f.volleys[rune]) + upto(strength, STRIKES), STRIKES)
        return
    for direction in range(3):
        column = slot % columns + direction - 1
        if (np.int64(t.attack_dirs[k]) >> direction) & 1 and 0 <= column < columns:
            f.strikes[column, rune] = upto(np.int64(f.strikes[column, rune]) + upto(strength, STRIKES), STRIKES)
