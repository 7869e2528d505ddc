"""What each seat sees. Rows of players are rotated: the observer is row 0 (`layout.py` lists the fields)."""

from __future__ import annotations

import numpy as np

from theogony.envs.core.features import LARGEST, SHARE, row_of
from theogony.envs.core.jit import rule
from theogony.envs.core.memory import copy_array
from theogony.envs.god_of_war import codes
from theogony.envs.god_of_war.rules.attack import STRIKE_DIE, STRIKE_SLOT, STRIKE_STRENGTH, SUFFER_DAMAGE, SUFFER_FIGURE
from theogony.envs.god_of_war.rules.cards import SCRY_LEFT, SCRY_TOP
from theogony.envs.god_of_war.rules.enemies import carrier, highest_armour, hp_left, printed_strength
from theogony.envs.god_of_war.rules.figures import figures_end, first_figure
from theogony.envs.god_of_war.rules.setup import laid_out
from theogony.envs.god_of_war.rules.specials import RAGE_FIGURE, SKILL_OPTION, SPECIAL_PLAY
from theogony.envs.god_of_war.rules.usable import PAY_INTERACTION, PAY_PAID
from theogony.envs.god_of_war.state import DIE, FIGURE, HAND_LIMIT, PAY, PLACE, SCRY, SHIELD, TARGET

# The numbers of each row by their places, as `layout.py` explains them: of a figure
(
    BODY_PRESENT, BODY_MINE, BODY_STANDING, BODY_HEALTH_SHARE, BODY_DAMAGE, BODY_HEALTH, BODY_RAGE_SHARE,
    BODY_RAGE_FULL, BODY_WARDS, BODY_IN_FRONT, BODY_MOVED, BODY_BEARER, BODY_PLACED_NEXT,
) = range(13)  # fmt: skip

# of a scene card
(
    CARD_PRESENT, CARD_SIDE, CARD_ENEMY, CARD_PART, CARD_HEALTH, CARD_HEALTH_SHARE, CARD_ARMOUR, CARD_MARKERS,
    CARD_INVULNERABLE, CARD_STUNNED, CARD_TOKENS, CARD_DEAD, CARD_INTERACTIONS, CARD_SKIPPING,
) = range(14)  # fmt: skip

# the attacks that a scene card shows with one rune: strengths, then flags from DIRECTION (hits left, own, right column)
# and from STATUS (stuns, poisons) on
PRINTED_MELEE, PRINTED_RANGED, PRINTED_DIRECTION, PRINTED_STATUS = 0, 1, 2, 5

# the attack of an enemy that is going on; MET_STATUS is followed by one flag for each status
MET_NOW, MET_RANGED, MET_STRENGTH, MET_BLOCKED, MET_LEFT, MET_STATUS, MET_BLOCK_SETS = 0, 1, 2, 3, 4, 5, 7

# the attack of a hero that is going on
SET_ATTACKER, SET_STRENGTH, SET_BOOST = range(3)

# one of the own figures, by its role; OWN_COLUMN is the first of four
(
    OWN_STANDING, OWN_HEALTH, OWN_DAMAGE, OWN_RAGE, OWN_RAGE_LEFT, OWN_FULL, OWN_WARDS, OWN_IN_FRONT, OWN_MOVED,
    OWN_BEARER, OWN_COLUMN,
) = range(11)  # fmt: skip

# who stands in a place
STAND_THERE, STAND_MINE, STAND_HEALTH, STAND_DAMAGE, STAND_WARDS, STAND_BEARER = range(6)

# an enemy that may be or is attacked; FOE_PANEL is the first number of what its card is (`described.py`)
(
    FOE_THERE, FOE_PART, FOE_HEALTH, FOE_ARMOUR, FOE_MARKERS, FOE_INVULNERABLE, FOE_STUNNED, FOE_SKIPPING, FOE_TOKENS,
    FOE_STRENGTH, FOE_PANEL,
) = range(11)  # fmt: skip

# who takes the damage
STRUCK_HEALTH, STRUCK_WARDS, STRUCK_MINE = range(3)

NEXT = 4  # upgrade cards from the top that a seat may know or look at

# scales
ROUNDS, COPIES, WAITING, LIMIT = 40, 4, 12, 2 * HAND_LIMIT
HEALTH, WARDS, ENEMY_HEALTH, MARKER, MARKERS, TOKENS, INTERACTIONS = 14, 2, 50, 6, 3, 8, 2
STRENGTH, BLOCKED, BLOCK_SETS, SET, BOOST, DIE_FACES = 6, 8, 4, 12, 8, 2
RAGE, RESERVE, MOST_STRENGTH, STRIKES = 6, 24, 12, 12


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
    if owner == codes.NONE:
        return
    kind, face = t.enemy[scenario, slot, side], np.int64(g.side[owner])
    card[CARD_ENEMY] = kind == codes.OWN
    card[CARD_PART] = kind == codes.PART
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
    if t.attack_status[k] != codes.NONE:
        f.attacks[slot, rune, PRINTED_STATUS + t.attack_status[k]] = 1


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


# ---- What each seat sees of what its actions are about: its cards, its figures, what stands before them ----------
#
# All of it follows from what lies in the open and what the seat knows; `described.py` says what the numbers are.

# ---------------------------------------------------------------------------------------------------- cards


@rule
def describe_cards(g, t, seat, f):
    """The cards that a seat holds, has in play or in its discard pile, and the revealed upgrade cards."""
    hand, discard, in_play = g.hand[seat], g.discard[seat], g.in_play[seat]
    for design in range(hand.shape[0]):
        if hand[design] | discard[design] | in_play[design]:
            describe_card(t, design, f)
    for k in range(g.revealed_cards):
        describe_card(t, np.int64(t.upgrade_design[g.revealed[k]]), f)
    for k in range(t.number_plays.shape[0]):
        held = np.int64(hand[t.number_design[k]]) * np.int64(t.play_number[t.number_plays[k]])
        if held:
            f.reserve[0] = upto(np.int64(f.reserve[0]) + held, RESERVE)
            if not t.play_attack_only[t.number_plays[k]]:
                f.reserve[1] = upto(np.int64(f.reserve[1]) + held, RESERVE)


@rule
def describe_card(t, design, f):
    """All ways to play a card."""
    for play in range(t.design_plays[design, 0], t.design_plays[design, 1]):
        kind, place = t.play_kind[play], np.int64(t.play_place[play])
        if kind == codes.SPECIAL:
            copy_array(f.special_cards[place], t.special_rows[place])
        elif kind == codes.NUMBER:
            copy_array(f.number_cards[place], t.number_rows[place])
        elif kind == codes.BLOCK:
            copy_array(f.block_cards[place], t.block_rows[place])
        else:
            copy_array(f.attack_cards[place], t.attack_rows[place])


# ---------------------------------------------------------------------------------------------------- figures


@rule
def describe_figures(g, t, seat, f):
    """The own figures by their roles, with their abilities, and who stands where."""
    if g.heroes[seat] != codes.NONE:
        first = first_figure(g, t, seat)
        for figure in range(first, figures_end(g, t, seat)):
            describe_own(g, t, figure, f.own[figure - first])
            copy_array(f.abilities[figure - first], t.rage_rows[figure])
    if t.players == 1:
        for option in range(t.skill_kind.shape[0]):
            if not g.skills_used[t.skill_number[option]]:
                copy_array(f.abilities[2 + option], t.skill_rows[option])
    for column in range(g.columns.shape[0]):
        for k in range(2):
            if g.columns[column, k] != codes.NONE:
                describe_stand(g, t, seat, np.int64(g.columns[column, k]), f.stands[column, k])


@rule
def describe_own(g, t, figure, own):
    """One of the own figures."""
    most = np.int64(t.rage_max[figure])
    own[OWN_STANDING] = g.standing[figure]
    own[OWN_HEALTH] = health_left(g, t, figure)
    own[OWN_DAMAGE] = upto(g.damage[figure], HEALTH)
    own[OWN_RAGE] = upto(g.rage[figure], RAGE)
    own[OWN_RAGE_LEFT] = upto(most - g.rage[figure], RAGE)
    own[OWN_FULL] = g.rage[figure] >= most
    own[OWN_WARDS] = upto(g.wards[figure], WARDS)
    own[OWN_MOVED] = g.moved[figure] != 0
    own[OWN_BEARER] = g.bearer == figure
    if g.column[figure] != codes.NONE:
        own[OWN_IN_FRONT] = g.columns[g.column[figure], 0] == figure
        own[OWN_COLUMN + g.column[figure]] = 1


@rule
def describe_stand(g, t, seat, figure, stand):
    """Who stands in a place."""
    stand[STAND_THERE] = 1
    stand[STAND_MINE] = g.seat_of[figure] == seat
    stand[STAND_HEALTH] = health_left(g, t, figure)
    stand[STAND_DAMAGE] = upto(g.damage[figure], HEALTH)
    stand[STAND_WARDS] = upto(g.wards[figure], WARDS)
    stand[STAND_BEARER] = g.bearer == figure


@rule
def health_left(g, t, figure):
    """Health that a figure has left, as far as it is told apart."""
    return upto(np.int64(t.hp[figure]) - np.int64(g.damage[figure]), HEALTH)


# ---------------------------------------------------------------------------------------------------- enemies


@rule
def describe_before(g, t, seat, f):
    """The cards of the columns of the own figures: enemies and interactions. Scene cards are written already."""
    if g.heroes[seat] == codes.NONE:
        return
    first, columns = first_figure(g, t, seat), g.columns.shape[0]
    for figure in range(first, figures_end(g, t, seat)):
        if g.column[figure] != codes.NONE:
            for row in range(2):
                slot = row * columns + np.int64(g.column[figure])
                describe_foe(g, t, slot, f, f.before[figure - first, row])
                interactions = t.interaction_rows[g.scenario, slot, g.side[slot]]
                for number in range(2):
                    copy_array(f.interactions[figure - first, row, number], interactions[number])


@rule
def describe_foe(g, t, slot, f, foe):
    """The enemy seen on a card, and the panel of the card that carries it."""
    owner, card = carrier(g, t, slot), f.cards[slot]
    panel = slot if owner == codes.NONE else owner
    copy_array(foe[FOE_PANEL:], t.panel_rows[g.scenario, panel, g.side[panel]])
    foe[FOE_TOKENS] = card[CARD_TOKENS]
    if owner == codes.NONE:
        return
    foe[FOE_THERE] = 1
    foe[FOE_PART] = t.enemy[g.scenario, slot, g.side[slot]] == codes.PART
    foe[FOE_HEALTH] = card[CARD_HEALTH]
    foe[FOE_ARMOUR] = card[CARD_ARMOUR]
    foe[FOE_MARKERS] = card[CARD_MARKERS]
    foe[FOE_INVULNERABLE] = card[CARD_INVULNERABLE]
    foe[FOE_STUNNED] = card[CARD_STUNNED]
    foe[FOE_SKIPPING] = card[CARD_SKIPPING]
    strength = np.int64(0)
    for rune in range(f.attacks.shape[1]):
        strength += np.int64(f.attacks[slot, rune, PRINTED_MELEE]) + np.int64(f.attacks[slot, rune, PRINTED_RANGED])
    foe[FOE_STRENGTH] = upto(strength, MOST_STRENGTH)


# ---------------------------------------------------------------------------------------------------- what is asked


@rule
def describe_asked(g, t, seat, f):
    """What a target, a payment, a die, Mimir and his bearer are asked about: the enemy that is met, who suffers."""
    if g.set_play != codes.NONE:
        f.pending_play[g.set_play] = 1
    aim, victim = np.int64(g.aim), np.int64(codes.NONE if g.attacked == codes.NONE else g.victim)
    if g.over == 0:
        frame = g.agenda[g.depth - 1]
        if g.decision == DIE:
            aim = np.int64(frame[STRIKE_SLOT])
            f.die[0] = upto(frame[STRIKE_DIE], DIE_FACES)
            f.die[1] = upto(frame[STRIKE_STRENGTH], SET)
            f.aim[aim] = 1
        elif g.decision == SHIELD and frame[0] == codes.F_SUFFER:
            victim = np.int64(frame[SUFFER_FIGURE])
            f.suffering[victim] = 1
            f.suffered[0] = upto(frame[SUFFER_DAMAGE], BLOCKED)
        elif g.decision == TARGET or g.decision == FIGURE or g.decision == PAY:
            describe_use(t, frame, f)
        elif g.decision == SCRY:
            describe_looked(g, t, seat, frame, f)
    if aim != codes.NONE and laid_out(g):
        describe_foe(g, t, aim, f, f.aimed)
    if victim != codes.NONE:
        f.struck[STRUCK_HEALTH] = health_left(g, t, victim)
        f.struck[STRUCK_WARDS] = upto(g.wards[victim], WARDS)
        f.struck[STRUCK_MINE] = g.seat_of[victim] == seat


@rule
def describe_use(t, frame, f):
    """The special, rage ability, skill or cost item that a target or a payment is asked for."""
    if frame[0] == codes.F_SPECIAL:
        f.pending_play[frame[SPECIAL_PLAY]] = 1
        copy_array(f.pending, t.special_rows[t.play_place[frame[SPECIAL_PLAY]]])
    elif frame[0] == codes.F_RAGE:
        f.pending_rage[frame[RAGE_FIGURE]] = 1
        copy_array(f.pending, t.rage_rows[frame[RAGE_FIGURE]])
    elif frame[0] == codes.F_SKILL:
        f.pending_skill[frame[SKILL_OPTION]] = 1
        copy_array(f.pending, t.skill_rows[frame[SKILL_OPTION]])
    elif frame[0] == codes.F_INTERACT:
        f.pending_item[t.cost_item[t.interaction_cost_first[frame[PAY_INTERACTION]] + frame[PAY_PAID]]] = 1


@rule
def describe_looked(g, t, seat, frame, f):
    """The runes of upgrade cards that are looked at, as actions count them, to the seat that looks."""
    top = np.int64(g.upgrade_cards) - 1 - np.int64(frame[SCRY_TOP])
    for k in range(min(np.int64(frame[SCRY_LEFT]), f.looked.shape[0])):
        if (np.int64(g.upgrade_known[top - k]) >> seat) & 1:
            f.looked[k, t.upgrade_rune[g.upgrade[top - k]]] = 1


# ---- What each seat sees: all that lies open, and what it knows beside -------------------------------------------

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
        if g.seat_of[figure] != codes.NONE:
            observe_figure(g, t, seat, figure, f)
    if laid_out(g):
        for slot in range(g.side.shape[0]):
            if t.present[g.scenario, slot]:
                observe_card(g, t, slot, f)
        describe_before(g, t, seat, f)
    observe_attack(g, f)
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
        if g.quests[k] != codes.NONE:
            f.to_choose[g.quests[k]] = 1
            f.to_choose[g.bosses[k]] = 1
    for k in range(g.hindrances.shape[0]):
        if g.hindrances[k] != codes.NONE:
            f.hindrances[g.hindrances[k]] = 1


@rule
def observe_player(g, seat, row, f):
    """The cards of one player."""
    if g.heroes[seat] != codes.NONE:
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
    if g.column[figure] != codes.NONE:
        f.places[figure, g.column[figure]] = 1
        body[BODY_IN_FRONT] = g.columns[g.column[figure], 0] == figure
    elif g.over == 0 and g.decision == PLACE and g.seat_of[figure] == g.actor and placed_next(g, t, figure):
        body[BODY_PLACED_NEXT] = 1


@rule
def placed_next(g, t, figure):
    """Whether an unplaced figure is the first of its player's to be placed."""
    first = np.int64(t.first_figure[t.figure_hero[figure]])
    return figure == first or g.column[first] != codes.NONE


@rule
def observe_attack(g, f):
    """The attacks that are going on, of an enemy and of a hero."""
    if g.attacked != codes.NONE:
        strength, blocked = np.int64(g.enemy_strength), np.int64(g.blocked)
        f.enemy_attack[MET_NOW] = 1
        f.enemy_attack[MET_RANGED] = g.enemy_ranged
        f.enemy_attack[MET_STRENGTH] = upto(strength, BLOCKED)
        f.enemy_attack[MET_BLOCKED] = upto(blocked, BLOCKED)
        f.enemy_attack[MET_LEFT] = upto(strength - blocked, BLOCKED)
        if g.enemy_status != codes.NONE:
            f.enemy_attack[MET_STATUS + g.enemy_status] = 1
        f.enemy_attack[MET_BLOCK_SETS] = upto(g.block_sets, BLOCK_SETS)
        f.enemy_card[g.enemy_slot] = 1
        f.attacked[g.attacked] = 1
        f.victim[g.victim] = 1
    f.set[SET_STRENGTH] = upto(g.set_strength, SET)
    if g.attacker != codes.NONE:
        f.set[SET_ATTACKER] = 1
        f.set[SET_BOOST] = upto(g.boost, BOOST)
        f.attacker[g.attacker] = 1
        f.aim[g.aim] = 1
