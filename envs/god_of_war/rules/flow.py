"""Scenes: placing, hindrances, completing a quest, victory and defeat (rules 2, 8)."""

from __future__ import annotations

import numpy as np

from theogony.envs.core.jit import rule
from theogony.envs.god_of_war.rules.agenda import ask, end_game, pop, push
from theogony.envs.god_of_war.rules.cards import (
    add_pile,
    return_revealed,
    shuffle_deck,
)
from theogony.envs.god_of_war.rules.enemies import all_hold, check_flips, holds, restore_armour
from theogony.envs.god_of_war.rules.figures import bodies_standing, figures_end, first_figure
from theogony.envs.god_of_war.state import (
    ALL_OUT,
    BOSS_DEFEATED,
    F_ACTIVATION,
    F_HINDRANCE,
    F_NEXT,
    F_PLACE,
    F_ROUND,
    F_SCENE,
    HAND_LIMIT,
    IN_CHOICE,
    IN_HINDRANCE,
    IN_PLACEMENT,
    NEXT_BOSS,
    NEXT_QUEST,
    PLACE,
    QUEST_FAILED,
    SCENE_COMPLETED,
)
from theogony.envs.god_of_war.words import MIMIR_HERO, NONE, X_ACTIVATION, X_DAMAGE, X_LIMIT, X_SHUFFLE

# ---------------------------------------------------------------------------------------------------- scenes


@rule
def lay_out(g, t):
    """The scene cards, white side up (rules 2, step 4)."""
    for slot in range(g.side.shape[0]):
        g.side[slot] = 0
        g.tokens[slot] = t.tokens_start[g.scenario, slot, 0]
        restore_armour(g, t, slot)


@rule
def begin_scene(g, t):
    """Lay out a scene with its hindrances, then: place the heroes, extra activations, rounds (R66) (F_SCENE)."""
    pop(g)
    lay_out(g, t)
    extra = 0
    for op in (X_SHUFFLE, X_DAMAGE, X_LIMIT, X_ACTIVATION):
        for k in range(g.hindrances.shape[0]):
            if g.hindrances[k] != NONE:
                extra += hinder(g, t, np.int64(g.hindrances[k]), op)
    push(g, F_ROUND)
    if extra:
        push(g, F_HINDRANCE, extra)
    push(g, F_PLACE)
    return False


@rule
def hinder(g, t, scenario, op):
    """The hindrances of one kind of a scenario that was passed over (schema 5). Returns the extra activations."""
    extra = 0
    for k in range(t.hindrances_first[scenario], t.hindrances_end[scenario]):
        if t.hindrance_op[k] != op:
            continue
        n = np.int64(t.hindrance_n[k])
        if op == X_ACTIVATION:
            extra += n
        elif op == X_DAMAGE:
            for figure in range(g.damage.shape[0]):
                if g.seat_of[figure] != NONE:
                    g.damage[figure] += n
        else:
            for i in range(g.players):
                seat = (np.int64(g.starting_player) + i) % g.players
                if op == X_LIMIT:
                    g.hand_limit[seat] = max(g.hand_limit[seat] + n, 0)
                else:
                    shuffle_in(g, t, seat, np.int64(t.hindrance_kind[k]), n)
    return extra


@rule
def shuffle_in(g, t, seat, kind, n):
    """Shuffle n status cards of the supply into a deck."""
    for _ in range(n):
        if g.supply[kind] > 0:
            g.supply[kind] -= 1
            g.deck[seat, g.deck_cards[seat]] = t.status + kind
            g.deck_cards[seat] += 1
    shuffle_deck(g, seat)


@rule
def place_heroes(g, t, frame):
    """Heroes enter, from the starting player clockwise; Mimir is not placed (rules 2, step 6) (F_PLACE)."""
    g.phase = IN_PLACEMENT
    figure = figure_to_place(g, t, np.int64(frame[1]))
    if figure == NONE:
        pop(g)
        return False
    g.active = g.seat_of[figure]
    return ask(g, g.active, PLACE)


@rule
def figure_to_place(g, t, number):
    """The figure that is placed as number 0, 1 ...; NONE when all stand."""
    for i in range(g.players):
        seat = (np.int64(g.starting_player) + i) % g.players
        if g.heroes[seat] == MIMIR_HERO:
            continue
        for figure in range(first_figure(g, t, seat), figures_end(g, t, seat)):
            if number == 0:
                return figure
            number -= 1
    return NONE


@rule
def hinder_first(g, frame):
    """Extra scene activations before the first round; their cards go under the upgrade deck (F_HINDRANCE)."""
    g.active = g.starting_player
    if frame[1] == 0:
        return_revealed(g)
        pop(g)
        return False
    frame[1] -= 1
    push(g, F_ACTIVATION, 0, 0, 0, 0, 0, IN_HINDRANCE)
    return False


@rule
def check_end(g, t, frame):
    """After every change: flips, then failure, then success (schema, Order of checks; R32) (F_CHECK)."""
    if not check_flips(g, t, frame):
        return False
    pop(g)
    scenario = g.scenario
    if bodies_standing(g) == 0:
        end_game(g, ALL_OUT)
        return False
    for k in range(t.failure_first[scenario], t.failure_end[scenario]):
        if holds(g, t, t.goal_kind[k], np.int64(t.goal_slot[k]), t.goal_n[k]):
            end_game(g, QUEST_FAILED)
            return False
    if all_hold(g, t, t.goal_kind, t.goal_slot, t.goal_n, t.success_first[scenario], t.success_end[scenario]):
        complete_scene(g, t)
    return False


@rule
def complete_scene(g, t):
    """The scene is won: the game as well, or everything is tidied up for the next one (rules 8)."""
    if t.single != NONE or g.stage == 3:
        end_game(g, SCENE_COMPLETED if t.single != NONE else BOSS_DEFEATED)
        return
    g.agenda[:, :] = 0
    g.depth = 0
    g.stage += 1
    g.phase = IN_CHOICE
    clear_scene(g)
    clear_figures(g, t)
    for i in range(g.players):
        collect_cards(g, t, (np.int64(g.starting_player) + i) % g.players)
    return_revealed(g)
    push(g, F_SCENE)
    push(g, F_NEXT)


@rule
def clear_scene(g):
    """Discard the scene and forget every attack that was going on."""
    g.side[:] = 0
    g.hurt[:] = 0
    g.armour[:] = 0
    g.stunned[:] = 0
    g.dead[:] = 0
    g.tokens[:] = 0
    g.turnings = 0
    g.turned_at[:] = 0
    g.set_play, g.attacker, g.aim = NONE, NONE, NONE
    g.enemy_slot, g.enemy_status, g.attacked, g.victim = NONE, NONE, NONE, NONE
    g.set_strength, g.boost, g.die_adds, g.blocked, g.block_sets = 0, 0, 0, 0, 0
    g.enemy_ranged, g.enemy_strength, g.cancel_rune = 0, 0, 0
    g.skills_used[:] = 0
    g.moved[:] = 0


@rule
def clear_figures(g, t):
    """Heroes recover and return; rage, wards, hand-limit tokens and waiting bonuses go (rules 8, R34, R50)."""
    g.columns[:, :] = NONE
    g.column[:] = NONE
    g.bearer = NONE
    for figure in range(g.damage.shape[0]):
        g.damage[figure] = 0
        g.rage[figure] = 0
        g.wards[figure] = 0
        g.standing[figure] = 1 if g.seat_of[figure] != NONE else 0
    for seat in range(g.players):
        g.hand_limit[seat] = HAND_LIMIT
        g.next_attack[seat] = 0


@rule
def collect_cards(g, t, seat):
    """Hand, discard pile and deck are shuffled together; status cards return to their supplies (rules 8)."""
    add_pile(g, seat, g.hand[seat])
    add_pile(g, seat, g.discard[seat])
    add_pile(g, seat, g.in_play[seat])
    deck, kept = g.deck[seat], 0
    for k in range(g.deck_cards[seat]):
        design = deck[k]
        deck[k] = 0
        if design >= t.status:
            g.supply[design - t.status] += 1
        else:
            deck[kept] = design
            kept += 1
    g.deck_cards[seat] = kept
    shuffle_deck(g, seat)


@rule
def choose_next(g, t):
    """The next quest or boss: the starting player says it for the team (R53), or the path is given (F_NEXT)."""
    if t.path[0] != NONE:
        take_scenario(g, np.int64(t.path[g.stage - 1]))
        return False
    return ask(g, g.starting_player, NEXT_QUEST if g.stage == 2 else NEXT_BOSS)


@rule
def take_scenario(g, scenario):
    """A scenario is chosen; the hindrances of those passed over apply to its scene (rules 8)."""
    pop(g)
    g.scenario = scenario
    g.hindrances[:] = NONE
    passed = 0
    while g.passed_over[passed] != NONE:
        passed += 1
    count = 0
    for k in range(3):
        other = g.bosses[k] if g.stage == 3 else g.quests[k]
        if other != scenario and (g.stage == 3 or k > 0):
            g.hindrances[count] = other
            g.passed_over[passed + count] = other
            count += 1
