"""Scenes: laying out, hindrances, placing the heroes, the choice of the next scene (§2, §8)."""

from __future__ import annotations

import numpy as np

from theogony.envs.core.jit import rule
from theogony.envs.god_of_war.codes import MIMIR_HERO, NONE, X_ACTIVATION, X_DAMAGE, X_LIMIT, X_SHUFFLE
from theogony.envs.god_of_war.frames import ACTIVATION_WINDOW, COUNT, F_ACTIVATION, F_HINDRANCE, F_PLACE, F_ROUND
from theogony.envs.god_of_war.rules.agenda import ask, pop, push
from theogony.envs.god_of_war.rules.cards import return_revealed, shuffle_deck
from theogony.envs.god_of_war.rules.enemies import restore_armour
from theogony.envs.god_of_war.rules.figures import enter, figures_end, first_figure, set_hand_limit
from theogony.envs.god_of_war.state import (
    IN_CHOICE,
    IN_HEROES,
    IN_HINDRANCE,
    IN_PLACEMENT,
    NEXT_BOSS,
    NEXT_QUEST,
    PLACE,
)


@rule
def lay_out(g, t):
    """The scene cards, white side up (§2)."""
    for slot in range(g.side.shape[0]):
        g.side[slot] = 0
        g.tokens[slot] = t.tokens_start[g.scenario, slot, 0]
        restore_armour(g, t, slot)


@rule
def laid_out(g):
    """Whether a scene lies on the table: not while heroes or the next scene are chosen."""
    return g.phase != IN_HEROES and g.phase != IN_CHOICE


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
    """The hindrances of one kind of a scenario that was passed over (§12). Returns the extra activations."""
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
                    g.limit_scene[seat] += n
                    set_hand_limit(g, seat)
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
    shuffle_deck(g, t, seat)


@rule
def place_heroes(g, t, frame):
    """Heroes enter, from the starting player clockwise; Mimir is not placed (§2) (F_PLACE)."""
    g.phase = IN_PLACEMENT
    figure = figure_to_place(g, t, np.int64(frame[COUNT]))
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
def place_next(g, t, frame, column, back):
    """The next figure enters."""
    enter(g, figure_to_place(g, t, np.int64(frame[COUNT])), column, back)
    frame[COUNT] += 1


@rule
def hinder_first(g, frame):
    """Extra scene activations before the first round; their cards go under the upgrade deck (F_HINDRANCE)."""
    g.active = g.starting_player
    if frame[COUNT] == 0:
        return_revealed(g)
        pop(g)
        return False
    frame[COUNT] -= 1
    push(g, F_ACTIVATION, ACTIVATION_WINDOW, 0, 0, 0, IN_HINDRANCE)
    return False


@rule
def choose_next(g, t):
    """The next quest or boss: the starting player says it for the team (R53), or the path is given (F_NEXT)."""
    if t.path[1] != NONE:
        take_scenario(g, np.int64(t.path[g.stage - 1]))
        return False
    return ask(g, g.starting_player, NEXT_QUEST if g.stage == 2 else NEXT_BOSS)


@rule
def take_scenario(g, scenario):
    """A scenario is chosen; the hindrances of those passed over apply to its scene (§8)."""
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
