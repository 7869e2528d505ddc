"""Setup of a game (§2)."""

from __future__ import annotations

import numpy as np

from theogony.envs.core.jit import rule
from theogony.envs.core.rng import below, shuffle
from theogony.envs.god_of_war.codes import NONE
from theogony.envs.god_of_war.frames import COUNT, F_HEROES, F_SCENE
from theogony.envs.god_of_war.rules.agenda import ask, pop, push
from theogony.envs.god_of_war.rules.cards import shuffle_deck
from theogony.envs.god_of_war.rules.figures import figures_end, first_figure
from theogony.envs.god_of_war.rules.scene_end import clear_figures, clear_scene
from theogony.envs.god_of_war.rules.scenes import begin_scene, place_heroes
from theogony.envs.god_of_war.state import HERO, IN_HEROES


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
    push(g, F_SCENE)
    if g.heroes[0] == NONE:
        push(g, F_HEROES)
        choose_heroes(g, g.agenda[g.depth - 1])
        return
    for seat in range(g.players):
        join(g, t, seat, np.int64(g.heroes[seat]))
    begin_scene(g, t)
    place_heroes(g, t, g.agenda[g.depth - 1])  # there is always a hero with a body


@rule
def clear_record_fields(g):
    """Lists of numbers begin with -1, which means nothing."""
    g.heroes[:] = NONE
    g.seat_of[:] = NONE
    g.quests[:] = NONE
    g.bosses[:] = NONE
    g.hindrances[:] = NONE
    g.passed_over[:] = NONE
    g.stage = 1


@rule
def deal_heroes(g, t):
    """Every player takes a different hero (step 1): as the options say, or drawn. Solo is played with its hero."""
    if t.players == 1 and t.heroes[0] == NONE:
        g.heroes[0] = t.solo_hero
        return
    heroes = np.int64(t.starting_deck.shape[0])
    drawn = g.in_play[0]  # scratch, cleared below
    for k in range(heroes):
        drawn[k] = k
    shuffle(g.rng, drawn, heroes)
    for seat in range(g.players):
        g.heroes[seat] = t.heroes[seat] if t.heroes[seat] != NONE else drawn[seat]
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
    g.phase = IN_HEROES
    if frame[COUNT] == g.players:
        pop(g)
        return False
    g.active = (np.int64(g.starting_player) + np.int64(frame[COUNT])) % g.players
    return ask(g, g.active, HERO)


@rule
def take_hero(g, t, frame, hero):
    """A hero is chosen; the deck is shuffled."""
    join(g, t, np.int64(g.actor), hero)
    deal_deck(g, t, np.int64(g.actor))
    frame[COUNT] += 1


@rule
def deal_upgrades(g, t):
    """The upgrade deck, shuffled (step 5), and the open supplies."""
    count = 0
    for card in range(t.upgrade_copies.shape[0]):
        for _ in range(t.upgrade_copies[card]):
            g.upgrade[count] = card
            count += 1
    shuffle(g.rng, g.upgrade, count)
    g.upgrade_cards = count
    for kind in range(g.supply.shape[0]):
        g.supply[kind] = t.supply[kind]


@rule
def deal_deck(g, t, seat):
    """A starting deck (step 1), with upgrade cards if an option gives them."""
    hero = g.heroes[seat]
    count = 0
    for design in range(t.starting_deck.shape[1]):
        for _ in range(t.starting_deck[hero, design]):
            g.deck[seat, count] = design
            count += 1
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
    if t.single != NONE:
        g.scenario = t.single
        for k in range(g.hindrances.shape[0]):
            g.hindrances[k] = t.hindered[k]
        return
    drawn = g.in_play[0]  # scratch, cleared again
    draw_scenarios(g, drawn, t.quests, g.quests, t.path[0], t.path[1])
    draw_scenarios(g, drawn, t.bosses, g.bosses, t.path[2], NONE)
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
