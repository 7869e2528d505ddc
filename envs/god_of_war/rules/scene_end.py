"""After every change: failure, success, and what is tidied up for the next scene (§8)."""

from __future__ import annotations

import numpy as np

from theogony.envs.core.jit import rule
from theogony.envs.god_of_war.codes import NONE
from theogony.envs.god_of_war.frames import F_NEXT, F_SCENE
from theogony.envs.god_of_war.rules.agenda import end_game, pop, push
from theogony.envs.god_of_war.rules.cards import add_pile, return_revealed, shuffle_deck
from theogony.envs.god_of_war.rules.conditions import all_hold, holds
from theogony.envs.god_of_war.rules.figures import bodies_standing, set_hand_limit
from theogony.envs.god_of_war.rules.flips import check_flips
from theogony.envs.god_of_war.state import ALL_OUT, BOSS_DEFEATED, IN_CHOICE, QUEST_FAILED, SCENE_COMPLETED


@rule
def check_end(g, t, frame):
    """After every change: flips, then failure, then success (§12; R32) (F_CHECK)."""
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
    """The scene is won: the game as well, or everything is tidied up for the next one (§8)."""
    if t.single != NONE or g.stage == 3:
        end_game(g, SCENE_COMPLETED if t.single != NONE else BOSS_DEFEATED)
        return
    g.agenda[:, :] = 0
    g.depth = 0
    g.stage += 1
    g.phase = IN_CHOICE
    clear_scene(g)
    clear_figures(g)
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
    g.skipping[:] = 0
    g.dead[:] = 0
    g.tokens[:] = 0
    g.turnings = 0
    g.turned_at[:] = 0
    g.set_play, g.attacker, g.aim = NONE, NONE, NONE
    g.enemy_slot, g.enemy_owner, g.enemy_status, g.attacked, g.victim = NONE, NONE, NONE, NONE, NONE
    g.set_strength, g.boost, g.blocked, g.block_sets, g.drew = 0, 0, 0, 0, 0
    g.enemy_ranged, g.enemy_strength, g.cancel_rune = 0, 0, 0
    g.skills_used[:] = 0
    g.moved[:] = 0


@rule
def clear_figures(g):
    """Heroes recover and return; rage, waiting Arms and the hand-limit tokens of hindrances go (§8).

    Wards, hand-limit tokens that were won and the waiting damage of Spartan Rage stay (rulings R34, R50, R73).
    """
    g.columns[:, :] = NONE
    g.column[:] = NONE
    g.bearer = NONE
    for figure in range(g.damage.shape[0]):
        g.damage[figure] = 0
        g.rage[figure] = 0
        g.standing[figure] = 1 if g.seat_of[figure] != NONE else 0
    for seat in range(g.players):
        g.limit_scene[seat] = 0
        set_hand_limit(g, seat)
        g.next_attack[seat] = 0


@rule
def collect_cards(g, t, seat):
    """Hand, discard pile and deck are shuffled together; status cards return to their supplies (§8)."""
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
    shuffle_deck(g, t, seat)
