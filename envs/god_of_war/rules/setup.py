"""Setup of a game (§2)."""

from __future__ import annotations

import numpy as np

from theogony.envs.core.jit import rule
from theogony.envs.core.rng import below, shuffle
from theogony.envs.god_of_war import codes, state
from theogony.envs.god_of_war.rules.activation import ACTIVATION_WINDOW
from theogony.envs.god_of_war.rules.agenda import ask, pop, push
from theogony.envs.god_of_war.rules.cards import add_status, lay, return_revealed, shuffle_deck
from theogony.envs.god_of_war.rules.enemies import restore_armour
from theogony.envs.god_of_war.rules.figures import enter, figures_end, first_figure, set_hand_limit
from theogony.envs.god_of_war.rules.scene_effects import clear_figures, clear_scene

X_SHUFFLE, X_DAMAGE, X_LIMIT, X_ACTIVATION = range(4)  # of HINDRANCES in `codes.py`


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
    return g.phase != state.IN_HEROES and g.phase != state.IN_CHOICE


@rule
def begin_scene(g, t):
    """Lay out a scene with its hindrances, then: place the heroes, extra activations, rounds (R66) (F_SCENE)."""
    pop(g)
    lay_out(g, t)
    extra = 0
    for op in (X_SHUFFLE, X_DAMAGE, X_LIMIT, X_ACTIVATION):
        for k in range(g.hindrances.shape[0]):
            if g.hindrances[k] != codes.NONE:
                extra += hinder(g, t, np.int64(g.hindrances[k]), op)
    push(g, codes.F_ROUND)
    if extra:
        push(g, codes.F_HINDRANCE, extra)
    push(g, codes.F_PLACE)
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
                if g.seat_of[figure] != codes.NONE:
                    g.damage[figure] += n
        else:
            for i in range(g.players):
                seat = (np.int64(g.starting_player) + i) % g.players
                if op == X_LIMIT:
                    g.limit_scene[seat] += n
                    set_hand_limit(g, seat)
                else:
                    shuffle_in(g, t, seat, t.hindrance_kind[k], n)
    return extra


@rule
def shuffle_in(g, t, seat, kind, n):
    """Shuffle n status cards of the supply into a deck."""
    for _ in range(n):
        add_status(g, t, seat, kind)
    shuffle_deck(g, t, seat)


@rule
def place_heroes(g, t, frame):
    """Heroes enter, from the starting player clockwise; Mimir is not placed (§2) (F_PLACE)."""
    g.phase = state.IN_PLACEMENT
    figure = figure_to_place(g, t, np.int64(frame[codes.COUNT]))
    if figure == codes.NONE:
        pop(g)
        return False
    g.active = g.seat_of[figure]
    return ask(g, g.active, state.PLACE)


@rule
def figure_to_place(g, t, number):
    """The figure that is placed as number 0, 1 ...; NONE when all stand."""
    for i in range(g.players):
        seat = (np.int64(g.starting_player) + i) % g.players
        if g.heroes[seat] == codes.MIMIR_HERO:
            continue
        for figure in range(first_figure(g, t, seat), figures_end(g, t, seat)):
            if number == 0:
                return figure
            number -= 1
    return codes.NONE


@rule
def place_next(g, t, frame, column, back):
    """The next figure enters."""
    enter(g, figure_to_place(g, t, np.int64(frame[codes.COUNT])), column, back)
    frame[codes.COUNT] += 1


@rule
def hinder_first(g, frame):
    """Extra scene activations before the first round; their cards go under the upgrade deck (F_HINDRANCE)."""
    g.active = g.starting_player
    if frame[codes.COUNT] == 0:
        return_revealed(g)
        pop(g)
        return False
    frame[codes.COUNT] -= 1
    push(g, codes.F_ACTIVATION, ACTIVATION_WINDOW, 0, 0, 0, state.IN_HINDRANCE)
    return False


@rule
def choose_next(g, t):
    """The next quest or boss: the starting player says it for the team (R53), or the path is given (F_NEXT)."""
    if t.path[1] != codes.NONE:
        take_scenario(g, np.int64(t.path[g.stage - 1]))
        return False
    return ask(g, g.starting_player, state.NEXT_QUEST if g.stage == 2 else state.NEXT_BOSS)


@rule
def take_scenario(g, scenario):
    """A scenario is chosen; the hindrances of those passed over apply to its scene (§8)."""
    pop(g)
    g.scenario = scenario
    g.hindrances[:] = codes.NONE
    passed = 0
    while g.passed_over[passed] != codes.NONE:
        passed += 1
    count = 0
    for k in range(3):
        other = g.bosses[k] if g.stage == 3 else g.quests[k]
        if other != scenario and (g.stage == 3 or k > 0):
            g.hindrances[count] = other
            g.passed_over[passed + count] = other
            count += 1


# ---- Setup of a game (§2) ----------------------------------------------------------------------------------------


@rule
def setup(g, t):
    """Heroes, quest triangle, decks and starting player; then the first scene (§2)."""
    clear_record_fields(g)
    deal_upgrades(g, t)
    g.starting_player = below(g.rng, g.players)
    deal_scenarios(g, t)
    if not t.chosen_heroes:
        deal_heroes(g, t)
        for seat in range(g.players):
            deal_deck(g, t, seat)
    begin(g, t)


@rule
def begin(g, t):
    """To the first decision: a hero is chosen, or the scene is laid out and the first hero enters."""
    clear_scene(g)
    clear_figures(g)
    push(g, codes.F_SCENE)
    if g.heroes[0] == codes.NONE:
        push(g, codes.F_HEROES)
        choose_heroes(g, g.agenda[g.depth - 1])
        return
    for seat in range(g.players):
        join(g, t, seat, np.int64(g.heroes[seat]))
    begin_scene(g, t)
    place_heroes(g, t, g.agenda[g.depth - 1])  # there is always a hero with a body


@rule
def clear_record_fields(g):
    """Lists of numbers begin with -1, which means nothing."""
    g.heroes[:] = codes.NONE
    g.seat_of[:] = codes.NONE
    g.quests[:] = codes.NONE
    g.bosses[:] = codes.NONE
    g.hindrances[:] = codes.NONE
    g.passed_over[:] = codes.NONE
    g.stage = 1


@rule
def deal_heroes(g, t):
    """Every player takes a different hero (step 1): as the options say, or drawn. Solo is played with its hero."""
    if t.players == 1 and t.heroes[0] == codes.NONE:
        g.heroes[0] = t.solo_hero
        return
    heroes = np.int64(t.starting_deck.shape[0])
    drawn = g.in_play[0]  # scratch, cleared below
    for k in range(heroes):
        drawn[k] = k
    shuffle(g.rng, drawn, heroes)
    for seat in range(g.players):
        g.heroes[seat] = t.heroes[seat] if t.heroes[seat] != codes.NONE else drawn[seat]
    drawn[:] = 0


@rule
def join(g, t, seat, hero):
    """A seat has its hero, whose figures stand."""
    g.heroes[seat] = hero
    for figure in range(first_figure(g, t, seat), figures_end(g, t, seat)):
        g.seat_of[figure] = seat
        g.standing[figure] = 1


@rule
def choose_heroes(g, frame):
    """The players choose their heroes, from the starting player clockwise (ruling R70) (F_HEROES)."""
    g.phase = state.IN_HEROES
    if frame[codes.COUNT] == g.players:
        pop(g)
        return False
    g.active = (np.int64(g.starting_player) + np.int64(frame[codes.COUNT])) % g.players
    return ask(g, g.active, state.HERO)


@rule
def take_hero(g, t, frame, hero):
    """A hero is chosen; the deck is shuffled."""
    join(g, t, np.int64(g.actor), hero)
    deal_deck(g, t, np.int64(g.actor))
    frame[codes.COUNT] += 1


@rule
def deal_upgrades(g, t):
    """The upgrade deck, shuffled (step 5), and the open supplies."""
    count = lay(g.upgrade, 0, t.upgrade_copies)
    shuffle(g.rng, g.upgrade, count)
    g.upgrade_cards = count
    for kind in range(g.supply.shape[0]):
        g.supply[kind] = t.supply[kind]


@rule
def deal_deck(g, t, seat):
    """A starting deck (step 1), with upgrade cards if an option gives them."""
    count = lay(g.deck[seat], 0, t.starting_deck[g.heroes[seat]])
    for _ in range(t.upgrades):
        g.upgrade_cards -= 1
        g.deck[seat, count] = t.upgrade_design[g.upgrade[g.upgrade_cards]]
        g.upgrade[g.upgrade_cards] = 0
        count += 1
    g.deck_cards[seat] = count
    shuffle_deck(g, t, seat)


@rule
def deal_scenarios(g, t):
    """The quest triangle and the row of bosses (step 3), a path of the options among them; or a single scene."""
    if t.single != codes.NONE:
        g.scenario = t.single
        for k in range(g.hindrances.shape[0]):
            g.hindrances[k] = t.hindered[k]
        return
    drawn = g.in_play[0]  # scratch, cleared again
    draw_scenarios(g, drawn, t.quests, g.quests, t.path[0], t.path[1])
    draw_scenarios(g, drawn, t.bosses, g.bosses, t.path[2], codes.NONE)
    g.scenario = g.quests[0]


@rule
def draw_scenarios(g, drawn, cards, places, first, second):
    """Three scenarios of a kind; those that a path of the options names come first."""
    count = np.int64(cards.shape[0])
    for k in range(count):
        drawn[k] = cards[k]
    shuffle(g.rng, drawn, count)
    bring_forward(drawn, count, first, 0)
    bring_forward(drawn, count, second, 1)
    for k in range(3):
        places[k] = drawn[k]
    drawn[:] = 0


@rule
def bring_forward(drawn, count, wanted, place):
    """Exchange a named scenario with the one at its place."""
    for i in range(count):
        if drawn[i] == wanted:
            drawn[i] = drawn[place]
            drawn[place] = wanted
            return
