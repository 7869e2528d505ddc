"""What each seat sees. Rows of players are rotated: the observer is row 0 (`layout.py` lists the fields)."""

from __future__ import annotations

import numpy as np

from theogony.envs.core.features import LARGEST, row_of
from theogony.envs.core.jit import rule
from theogony.envs.god_of_war.codes import NONE
from theogony.envs.god_of_war.frames import (
    F_INTERACT,
    F_RAGE,
    F_SKILL,
    F_SPECIAL,
    F_SUFFER,
    PAY_INTERACTION,
    PAY_PAID,
    RAGE_FIGURE,
    SKILL_OPTION,
    SPECIAL_PLAY,
    STRIKE_DIE,
    STRIKE_SLOT,
    STRIKE_STRENGTH,
    SUFFER_DAMAGE,
    SUFFER_FIGURE,
)
from theogony.envs.god_of_war.observe.layout import (
    BLOCK_SETS,
    BLOCKED,
    BOOST,
    COPIES,
    HEALTH,
    LIMIT,
    NEXT,
    ROUNDS,
    SET,
    WAITING,
    WARDS,
)
from theogony.envs.god_of_war.observe.layout import (
    DIE as DIE_FACES,
)
from theogony.envs.god_of_war.observe.seen_cards import observe_card, upto
from theogony.envs.god_of_war.observe.seen_near import (
    describe_asked,
    describe_before,
    describe_cards,
    describe_figures,
)
from theogony.envs.god_of_war.observe.slots import (
    BODY_BEARER,
    BODY_DAMAGE,
    BODY_HEALTH,
    BODY_HEALTH_SHARE,
    BODY_IN_FRONT,
    BODY_MINE,
    BODY_MOVED,
    BODY_PLACED_NEXT,
    BODY_PRESENT,
    BODY_RAGE_FULL,
    BODY_RAGE_SHARE,
    BODY_STANDING,
    BODY_WARDS,
    MET_BLOCK_SETS,
    MET_BLOCKED,
    MET_LEFT,
    MET_NOW,
    MET_RANGED,
    MET_STATUS,
    MET_STRENGTH,
    SET_ATTACKER,
    SET_BOOST,
    SET_STRENGTH,
)
from theogony.envs.god_of_war.rules.scenes import laid_out
from theogony.envs.god_of_war.state import DIE, FIGURE, PAY, PLACE, SHIELD, TARGET

COUNT = 15  # bits for the number of cards of one rune


@rule
def observe(g, t, seat, f):
    """What a seat may know: all but the order of decks, the upgrade cards it has not seen and the dice."""
    f.decision[g.decision] = 1
    f.phase[g.phase] = 1
    f.my_turn[0] = g.actor == seat
    f.deciding[row_of(g, seat, g.actor)] = 1
    f.active[row_of(g, seat, g.active)] = 1
    f.starting[row_of(g, seat, g.starting_player)] = 1
    observe_path(g, f)
    for other in range(g.players):
        observe_player(g, other, row_of(g, seat, other), f)
    observe_upgrades(g, t, seat, f)
    for figure in range(g.standing.shape[0]):
        if g.seat_of[figure] != NONE:
            observe_figure(g, t, seat, figure, f)
    if laid_out(g):
        for slot in range(g.side.shape[0]):
            if t.present[g.scenario, slot]:
                observe_card(g, t, slot, f)
        describe_before(g, t, seat, f)
    observe_attack(g, f)
    observe_pending(g, t, f)
    describe_cards(g, t, seat, f)
    describe_figures(g, t, seat, f)
    describe_asked(g, t, seat, f)


@rule
def observe_path(g, f):
    """Quests, bosses and hindrances."""
    f.stage[g.stage - 1] = 1
    f.scenario[g.scenario] = 1
    f.rounds[0] = upto(g.round_number, ROUNDS)
    for k in range(3):
        if g.quests[k] != NONE:
            f.to_choose[g.quests[k]] = 1
            f.to_choose[g.bosses[k]] = 1
    for k in range(g.hindrances.shape[0]):
        if g.hindrances[k] != NONE:
            f.hindrances[g.hindrances[k]] = 1


@rule
def observe_player(g, seat, row, f):
    """The cards of one player."""
    if g.heroes[seat] != NONE:
        f.heroes[row, g.heroes[seat]] = 1
    f.hand_limit[row] = upto(g.hand_limit[seat], LIMIT)
    f.next_attack[row] = upto(g.next_attack[seat], WAITING)
    f.next_damage[row] = upto(g.next_damage[seat], WAITING)
    copies(f.hand[row], g.hand[seat])
    copies(f.discard[row], g.discard[seat])
    copies(f.in_play[row], g.in_play[seat])
    for k in range(g.deck_cards[seat]):
        design = g.deck[seat, k]
        f.deck[row, design] = min(np.int64(f.deck[row, design]) + 1, COPIES)
    if g.deck_known[seat] > 0:
        f.deck_top[row, g.deck[seat, g.deck_cards[seat] - 1]] = 1


@rule
def copies(row, held):
    """Copies of each design; four and more count as four."""
    for design in range(held.shape[0]):
        row[design] = min(held[design], COPIES)


@rule
def observe_upgrades(g, t, seat, f):
    """Supplies, revealed upgrade cards and the upgrade deck."""
    for kind in range(g.supply.shape[0]):
        f.supply[kind] = upto(g.supply[kind], min(np.int64(t.supply[kind]), LARGEST))
    for k in range(g.revealed_cards):
        f.revealed[g.revealed[k]] = 1
    for k in range(g.skills_used.shape[0]):
        f.skills_used[k] = g.skills_used[k]
    f.cancel_rune[0] = g.cancel_rune
    cards = np.int64(g.upgrade_cards)
    f.upgrade_cards[0] = upto(cards, LARGEST)
    counted = np.int64(0)  # the numbers of all runes side by side
    for k in range(cards):
        counted += 1 << (COUNT * np.int64(t.upgrade_rune[g.upgrade[k]]))
    for rune in range(f.runes_left.shape[0]):
        f.runes_left[rune] = t.rune_share[cards, (counted >> (COUNT * rune)) & ((1 << COUNT) - 1)]
    for k in range(min(cards, NEXT)):
        if (np.int64(g.upgrade_known[cards - 1 - k]) >> seat) & 1:
            f.next_rune[k, t.upgrade_rune[g.upgrade[cards - 1 - k]]] = 1


@rule
def observe_figure(g, t, seat, figure, f):
    """One figure: whose it is, health, rage, place."""
    left = np.int64(t.hp[figure]) - np.int64(g.damage[figure])
    body = f.figures[figure]
    body[BODY_PRESENT] = 1
    body[BODY_MINE] = g.seat_of[figure] == seat
    body[BODY_STANDING] = g.standing[figure]
    body[BODY_HEALTH_SHARE] = upto(left, min(np.int64(t.hp[figure]), LARGEST))
    body[BODY_DAMAGE] = upto(g.damage[figure], HEALTH)
    body[BODY_HEALTH] = upto(left, HEALTH)
    body[BODY_RAGE_SHARE] = upto(g.rage[figure], min(np.int64(t.rage_max[figure]), LARGEST))
    body[BODY_RAGE_FULL] = g.rage[figure] >= t.rage_max[figure]
    body[BODY_WARDS] = upto(g.wards[figure], WARDS)
    body[BODY_MOVED] = g.moved[figure] != 0
    body[BODY_BEARER] = g.bearer == figure
    if g.column[figure] != NONE:
        f.places[figure, g.column[figure]] = 1
        body[BODY_IN_FRONT] = g.columns[g.column[figure], 0] == figure
    elif g.over == 0 and g.decision == PLACE and g.seat_of[figure] == g.actor and placed_next(g, t, figure):
        body[BODY_PLACED_NEXT] = 1


@rule
def placed_next(g, t, figure):
    """Whether an unplaced figure is the first of its player's to be placed."""
    first = np.int64(t.first_figure[t.figure_hero[figure]])
    return figure == first or g.column[first] != NONE


@rule
def observe_attack(g, f):
    """The attacks that are going on, of an enemy and of a hero."""
    if g.attacked != NONE:
        strength, blocked = np.int64(g.enemy_strength), np.int64(g.blocked)
        f.enemy_attack[MET_NOW] = 1
        f.enemy_attack[MET_RANGED] = g.enemy_ranged
        f.enemy_attack[MET_STRENGTH] = upto(strength, BLOCKED)
        f.enemy_attack[MET_BLOCKED] = upto(blocked, BLOCKED)
        f.enemy_attack[MET_LEFT] = upto(strength - blocked, BLOCKED)
        if g.enemy_status != NONE:
            f.enemy_attack[MET_STATUS + g.enemy_status] = 1
        f.enemy_attack[MET_BLOCK_SETS] = upto(g.block_sets, BLOCK_SETS)
        f.enemy_card[g.enemy_slot] = 1
        f.attacked[g.attacked] = 1
        f.victim[g.victim] = 1
    f.set[SET_STRENGTH] = upto(g.set_strength, SET)
    if g.attacker != NONE:
        f.set[SET_ATTACKER] = 1
        f.set[SET_BOOST] = upto(g.boost, BOOST)
        f.attacker[g.attacker] = 1
        f.aim[g.aim] = 1


@rule
def observe_pending(g, t, f):
    """What a target, a payment, a die or Mimir and his bearer are asked about."""
    if g.set_play != NONE:
        f.pending_play[g.set_play] = 1
    if g.over:
        return
    frame = g.agenda[g.depth - 1]
    if g.decision == DIE:
        f.die[0] = upto(frame[STRIKE_DIE], DIE_FACES)
        f.die[1] = upto(frame[STRIKE_STRENGTH], SET)
        f.aim[frame[STRIKE_SLOT]] = 1
    elif g.decision == SHIELD and frame[0] == F_SUFFER:
        f.suffering[frame[SUFFER_FIGURE]] = 1
        f.suffered[0] = upto(frame[SUFFER_DAMAGE], BLOCKED)
    elif g.decision == TARGET or g.decision == FIGURE or g.decision == PAY:
        observe_use(t, frame, f)


@rule
def observe_use(t, frame, f):
    """The card, ability, skill or cost item that a target or a payment is asked for."""
    if frame[0] == F_SPECIAL:
        f.pending_play[frame[SPECIAL_PLAY]] = 1
    elif frame[0] == F_RAGE:
        f.pending_rage[frame[RAGE_FIGURE]] = 1
    elif frame[0] == F_SKILL:
        f.pending_skill[frame[SKILL_OPTION]] = 1
    elif frame[0] == F_INTERACT:
        f.pending_item[t.cost_item[t.interaction_cost_first[frame[PAY_INTERACTION]] + frame[PAY_PAID]]] = 1
