"""The decisions of a turn: what is legal, what each action does, and how the game runs on (rules §5, §6)."""

from __future__ import annotations

import numpy as np

from theogony.envs.core.jit import rule
from theogony.envs.core.record import ENDED
from theogony.envs.terra_mystica.actions import (
    ACT,
    ADVANCE,
    BRIDGE,
    BUILD,
    BURN,
    CONNECT,
    CONVERT,
    DONE,
    PASS,
    PASS_WITH,
    S_ACTC,
    SEND,
    SPECIAL,
    STEP,
    TAKE_FAVOR,
    TAKE_TOWN,
    TO,
    TO_PRIEST,
    TRANSFORM,
    UPGRADE,
)  # fmt: skip
from theogony.envs.terra_mystica.components import MERMAIDS, ROUNDS
from theogony.envs.terra_mystica.rules.actions import (
    advance,
    build_bridge,
    legal_advances,
    legal_bridges,
    legal_favors,
    legal_power_actions,
    legal_specials,
    power_action,
    special_action,
    take_favor,
)  # fmt: skip
from theogony.envs.terra_mystica.rules.bits import holds, mark
from theogony.envs.terra_mystica.rules.building import (
    build_dwelling,
    can_dwell,
    legal_dwellings,
    legal_free_house,
    legal_upgrades,
    upgrade,
)  # fmt: skip
from theogony.envs.terra_mystica.rules.cults import legal_priests, legal_steps, send_priest, take_steps
from theogony.envs.terra_mystica.rules.offers import answer, legal_answers, next_offer
from theogony.envs.terra_mystica.rules.passing import legal_cards, legal_pass, pass_round
from theogony.envs.terra_mystica.rules.power import burn, convert, legal_conversions, priest_room
from theogony.envs.terra_mystica.rules.rounds import begin_turn, clean_up, cult_bonus, next_cult_spades, next_seat
from theogony.envs.terra_mystica.rules.scoring import final_scoring
from theogony.envs.terra_mystica.rules.setup import legal_factions, legal_settle, setup_action
from theogony.envs.terra_mystica.rules.spades import (
    aim,
    legal_colours,
    legal_transforms,
    pay_tunnel,
    transform,
)  # fmt: skip
from theogony.envs.terra_mystica.rules.towns import connect, legal_connect, legal_towns, take_town
from theogony.envs.terra_mystica.state import (
    ACTION_SPADES,
    CARD,
    COLOUR,
    CULT_PHASE,
    CULT_SPADES,
    DRAFT,
    LEECH,
    MAIN,
    NEXT,
    NONE,
    OFFERS,
    REWARD,
    SANDSTORM,
    SETTLE,
    TURN,
)  # fmt: skip

# ---------------------------------------------------------------------------------------------------- legal


@rule
def legal(g, t, mask):
    """The legal actions of the acting seat, by the kind of decision."""
    kind = g.decision
    if kind == MAIN:
        legal_main(g, t, mask)
    elif kind == TURN:
        legal_turn(g, t, mask)
    elif kind == COLOUR:
        legal_colours(g, t, mask)
    elif kind == LEECH:
        legal_answers(g, mask)
        if t.convert_always:
            legal_conversions(g, mask)
    elif kind == REWARD:
        legal_steps(g, mask)
    elif kind == CULT_SPADES:
        legal_transforms(g, t, mask)
        mask[DONE] = 1
    elif kind == DRAFT:
        legal_factions(g, t, mask)
    elif kind == SETTLE:
        legal_settle(g, t, mask)
    else:
        legal_cards(g, mask)


@rule
def legal_main(g, t, mask):
    """The eight actions, and what may be done before them."""
    seat = np.int64(g.actor)
    legal_conversions(g, mask)
    legal_dwellings(g, t, mask)
    legal_transforms(g, t, mask)
    legal_upgrades(g, t, mask)
    legal_advances(g, t, mask)
    legal_priests(g, t, mask)
    legal_power_actions(g, t, mask)
    legal_specials(g, t, mask)
    legal_pass(g, mask)
    if g.faction[seat] == MERMAIDS:
        legal_connect(g, mask)


@rule
def legal_turn(g, t, mask):
    """All that the action still asks for or allows, and `done` when nothing compulsory is left."""
    seat = np.int64(g.actor)
    legal_conversions(g, mask)
    if g.faction[seat] == MERMAIDS:
        legal_connect(g, mask)
    more = legal_transforms(g, t, mask)
    if g.free_dwelling or can_dwell(g, t, seat):
        mark(mask, BUILD, g.sites[0], g.sites[1])
    if g.favors_due > 0:
        legal_favors(g, mask)
    if g.towns_due > 0:
        legal_towns(g, mask)
    if g.steps_due > 0 or g.key_choice:
        legal_steps(g, mask)
    if g.bridge_due:
        legal_bridges(g, t, mask)
    if g.free_house:
        legal_free_house(g, mask)
    if g.priests_due > 0:
        mask[TO_PRIEST] = g.workers[seat] > 0 and priest_room(g, seat) > 0
    mask[DONE] = not compulsory(g) and not (more and g.first == NONE and is_first_spade(g))


@rule
def compulsory(g):
    """Whether the action asks for something that cannot be left out."""
    tiles = g.favors_due > 0 or g.towns_due > 0 or g.steps_due > 0 or g.key_choice != 0
    return tiles or g.bridge_due != 0 or g.free_house != 0 or g.free_dwelling != 0


@rule
def is_first_spade(g):
    """Whether an action's spades wait for their first space: at least that one must be transformed."""
    return g.spade_use == ACTION_SPADES or g.spade_use == SANDSTORM


# ---------------------------------------------------------------------------------------------------- apply


@rule
def apply(g, t, action):
    """One decision, then on to the next."""
    if g.decision == DRAFT or g.decision == SETTLE or g.decision == CARD:
        setup_action(g, t, action)
        return
    if CONVERT <= action <= BURN:
        apply_conversion(g, action)
    elif g.decision == LEECH:
        answer(g, t, action)
        g.decision = OFFERS
    elif g.decision == REWARD:
        take_steps(g, action - STEP)
        g.decision = NEXT
    elif g.decision == COLOUR or g.decision == CULT_SPADES:
        apply_spades(g, t, action)
    else:
        apply_turn(g, t, action)
    run_on(g, t)


@rule
def apply_conversion(g, action):
    """Conversions change no decision."""
    if action == BURN:
        burn(g)
    elif action == TO_PRIEST:
        seat = np.int64(g.actor)
        g.workers[seat] -= 1
        g.priests[seat] += 1
        g.priests_due -= 1
    else:
        convert(g, action - CONVERT)


@rule
def apply_spades(g, t, action):
    """The colour of the chosen space; in the cult phase also the space, or giving the spades up."""
    seat = np.int64(g.actor)
    cults = g.decision == CULT_SPADES or g.spades_due[seat] > 0
    if TO <= action < UPGRADE:
        transform(g, t, action - TO)
        if cults:
            g.spades_due[seat] = g.spades
        g.decision = CULT_PHASE if cults else TURN
    elif action == DONE:
        g.spades_due[seat] = 0
        g.decision = CULT_PHASE
    else:
        aim(g, t, action - TRANSFORM)
        g.decision = COLOUR


@rule
def apply_turn(g, t, action):
    """A main action, or a part of one that is going on."""
    if action == DONE:
        g.decision = OFFERS
    elif TRANSFORM <= action < TO:
        aim(g, t, action - TRANSFORM)
        g.decision = COLOUR if g.target != NONE else TURN
    elif CONNECT <= action < ADVANCE:
        connect(g, t, action - CONNECT)
        if g.decision == MAIN:
            g.connecting = 1  # founding is no action: the turn goes on when the tile is taken
        g.decision = TURN
    elif PASS_WITH <= action <= PASS:
        pass_round(g, t, action)
        g.decision = OFFERS
    else:
        apply_action(g, t, action)
        take_up(g, action)


@rule
def take_up(g, action):
    """The turn goes on; before a main action when only a river town was founded or a double turn began."""
    g.decision = TURN
    if action == SPECIAL + S_ACTC:
        g.decision = MAIN
    if g.connecting and not compulsory(g):
        g.connecting = 0
        g.decision = MAIN


@rule
def apply_action(g, t, action):
    """All actions that leave the turn to go on."""
    seat = np.int64(g.actor)
    if BUILD <= action < TRANSFORM:
        space = action - BUILD
        if g.decision == MAIN and t.skips[g.faction[seat]] and not holds(g.near[seat], space):
            pay_tunnel(g, t, seat)
        build_dwelling(g, t, space)
    elif UPGRADE <= action < BRIDGE:
        upgrade(g, t, (action - UPGRADE) // 4, (action - UPGRADE) % 4)
    elif BRIDGE <= action < CONNECT:
        build_bridge(g, t, action - BRIDGE)
    elif ADVANCE <= action < SEND:
        advance(g, t, action - ADVANCE)
    elif SEND <= action < ACT:
        send_priest(g, t, (action - SEND) // 3, 3 - (action - SEND) % 3)
    elif ACT <= action < SPECIAL:
        power_action(g, t, action - ACT)
    elif SPECIAL <= action < CONVERT:
        special_action(g, t, action - SPECIAL)
    elif TAKE_FAVOR <= action < TAKE_TOWN:
        take_favor(g, t, action - TAKE_FAVOR)
    elif TAKE_TOWN <= action < STEP:
        take_town(g, t, action - TAKE_TOWN)
    else:
        take_steps(g, action - STEP)


# ---------------------------------------------------------------------------------------------------- running on


@rule
def run_on(g, t):
    """Power offers, the next seat, the end of a round: on to the next decision or the end of the game."""
    while g.decision >= OFFERS:
        if g.decision == OFFERS:
            next_offer(g, t)
        elif g.decision == NEXT:
            next_turn(g, t)
        elif not next_cult_spades(g):
            clean_up(g, t)


@rule
def next_turn(g, t):
    """The second action of a double turn, the next seat's turn, or the end of the round."""
    g.turns_left -= 1
    if g.turns_left > 0 and not g.passed[g.turn]:
        begin_turn(g, np.int64(g.turn))
        return
    seat = next_seat(g)
    if seat != NONE:
        g.turns_left = 1
        begin_turn(g, seat)
    elif g.round_number < ROUNDS:
        cult_bonus(g, t)
    else:
        final_scoring(g, t)
        g.over = ENDED
        g.decision = MAIN
