"""What a player's cards are worth: all of them, those in the hand, and whether decks are ready for the next scene."""

from __future__ import annotations

import numpy as np

from theogony.envs.core.jit import rule
from theogony.envs.god_of_war.codes import MIMIR_HERO, NONE
from theogony.envs.god_of_war.frames import DONE, ROUND_TURNS, STAGE
from theogony.envs.god_of_war.heuristic.progress import TENTHS
from theogony.envs.god_of_war.heuristic.weights import (
    ATTACKING,
    BLOCKING,
    BONUS,
    FEWEST,
    LIMIT,
    PATIENCE,
    PLANS,
    QUALITY,
    READY_2,
    READY_3,
    SHIELD,
    SOON_2,
    SOON_3,
    SPARE,
    SPECIALS,
    of,
)
from theogony.envs.god_of_war.rules.enemies import carrier, hp_left
from theogony.envs.god_of_war.rules.figures import figures_end, first_figure, seat_stands
from theogony.envs.god_of_war.state import IN_HERO_ACTIVATION


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
    if g.heroes[seat] == MIMIR_HERO or not acts_later(g, seat):
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
    if g.depth == 0 or g.agenda[0, STAGE] != ROUND_TURNS:
        return g.depth > 0 and g.agenda[0, STAGE] < ROUND_TURNS
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
            if here or (not g.moved[figure] and g.columns[column, 1] == NONE):
                found = plan(g, t, seat, column) * (1.0 if here else 0.93)
                best = max(best, found)
    return best


@rule
def plan(g, t, seat, column):
    """Damage that a hand may deal from a column: its numbers, less one for each attack's die, more for rage.

    What goes beyond the health of the enemies there counts less.
    """
    low, high = carrier(g, t, column + g.columns.shape[0]), carrier(g, t, column)
    if low == NONE and high == NONE:
        return 0.0
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
    damage = (numbers + own - 0.25 * used) * max(counts(g, t, low), counts(g, t, high))
    most = bearable(g, t, low)
    if high != low:
        most += bearable(g, t, high)
    return damage - of(g, SPARE) * max(damage - most, 0.0)


@rule
def counts(g, t, owner):
    """What a point of damage to an enemy counts for, 0.6 at least."""
    return 0.6 if owner == NONE else max(np.float64(t.weight[g.scenario, owner]) * TENTHS, 0.6)


@rule
def bearable(g, t, owner):
    """About the damage that an enemy bears, armour included, by what it counts."""
    if owner == NONE:
        return 0.0
    total = np.float64(hp_left(g, t, owner)) + 1.0
    for marker in range(t.armour.shape[3]):
        if (np.int64(g.armour[owner]) >> marker) & 1:
            total += np.float64(t.armour[g.scenario, owner, g.side[owner], marker])
    return total * counts(g, t, owner)
