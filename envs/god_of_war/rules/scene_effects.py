"""Effects of scene cards: the interpreter of the `do` and `reward` lists (§12)."""

from __future__ import annotations

import numpy as np

from theogony.envs.core.jit import rule
from theogony.envs.god_of_war import codes
from theogony.envs.god_of_war.rules import enemies
from theogony.envs.god_of_war.rules.agenda import ask, end_game, lowest, pop, push
from theogony.envs.god_of_war.rules.cards import add_pile, add_status, return_revealed, shuffle_deck
from theogony.envs.god_of_war.rules.figures import (
    bodies_standing,
    figures_end,
    first_figure,
    gain_rage,
    heal_figure,
    set_hand_limit,
)
from theogony.envs.god_of_war.state import ALL_OUT, BOSS_DEFEATED, CHOSEN, IN_CHOICE, QUEST_FAILED, SCENE_COMPLETED

# The names of places and stages of its frames, see `codes.py`.
# lists of effects: of heroes with figure and target, of scene cards with card, acting figure and whether checks follow
LIST_NEXT, LIST_END, LIST_USER, LIST_ACTOR, LIST_CHECKED = range(1, 6)
ONE_EFFECT, ONE_FIGURES, ONE_SLOT = 1, 2, 3
CHOSEN_SLOT = 2
EACH_LEFT, EACH_DAMAGE, EACH_ACTOR, EACH_STAMP = range(1, 5)


@rule
def run_effects(g, t, frame):
    """The next effect of a list; checks follow it unless the list is part of a larger change (F_EFFECTS)."""
    if frame[LIST_NEXT] >= frame[LIST_END]:
        pop(g)
        return False
    effect, slot, actor = np.int64(frame[LIST_NEXT]), np.int64(frame[LIST_USER]), np.int64(frame[LIST_ACTOR])
    frame[LIST_NEXT] += 1
    if frame[LIST_CHECKED]:
        enemies.check_again(g, actor)
    op = t.scene_op[effect]
    if op == codes.E_FLIP:
        enemies.turn_cards(g, t, t.scene_first[effect], t.scene_end[effect], actor)
    elif op == codes.E_ATTACK:
        target = t.scene_slot[effect]
        push(g, codes.F_ENEMY_ATTACK, t.scene_first[effect], target, 0, 0, g.turnings)
    elif op <= codes.E_BREAK_ARMOUR:
        affect_enemy(g, t, effect, op, slot, actor)
    elif op == codes.E_ADD_TOKEN or op == codes.E_REMOVE_TOKEN:
        change_tokens(
            g, t, np.int64(t.scene_slot[effect]), t.scene_n[effect] if op == codes.E_ADD_TOKEN else -t.scene_n[effect]
        )
    else:
        affect_heroes(g, t, effect, slot, actor)
    return False


@rule
def affect_enemy(g, t, effect, op, own, actor):
    """damage_enemy, heal_enemy, stun_enemy, break_armour: nothing without a living enemy there."""
    target, n = np.int64(t.scene_slot[effect]), t.scene_n[effect]
    if target == codes.EACH_OTHER:
        damage_each_other(g, t, own, n, actor)
        return
    owner = enemies.carrier(g, t, target)
    if owner == codes.NONE:
        return
    if op == codes.E_DAMAGE_ENEMY:
        enemies.damage_enemy(g, t, owner, n, actor)
    elif op == codes.E_HEAL_ENEMY:
        g.hurt[owner] = max(g.hurt[owner] - n, 0)
    elif op == codes.E_STUN_ENEMY:
        g.stunned[owner] = 1
    else:
        enemies.break_armour(g, t, owner, actor)


@rule
def damage_each_other(g, t, own, n, actor):
    """Every living enemy but the one this card belongs to, those alive when the effect begins (R56)."""
    mine = enemies.carrier(g, t, own)
    targets = 0
    for slot in range(g.side.shape[0]):
        if slot != mine and enemies.lives(g, t, slot):
            targets |= 1 << slot
    push(g, codes.F_EACH, targets, n, actor, g.turnings)


@rule
def damage_next(g, t, frame):
    """The next enemy of such a list, in reading order; an enemy that appeared meanwhile is not hit (F_EACH)."""
    targets = np.int64(frame[EACH_LEFT])
    if targets == 0:
        pop(g)
        return False
    slot = lowest(targets)
    frame[EACH_LEFT] = targets & ~(1 << slot)
    if g.turned_at[slot] <= frame[EACH_STAMP] and enemies.lives(g, t, slot):
        enemies.damage_enemy(g, t, slot, frame[EACH_DAMAGE], frame[EACH_ACTOR])
    return False


@rule
def change_tokens(g, t, slot, n):
    """Add or remove common tokens within the area of a card; a side without one holds none."""
    most = t.tokens_max[g.scenario, slot, g.side[slot]]
    if most >= 0:
        g.tokens[slot] = min(max(g.tokens[slot] + n, 0), most)


# ---------------------------------------------------------------------------------------------------- heroes


@rule
def affect_heroes(g, t, effect, slot, actor):
    """An effect on every hero of its scope (ruling R45), one after the other (ruling R44)."""
    scope = t.scene_scope[effect]
    if t.scene_op[effect] == codes.E_CRYSTAL or scope == codes.S_ACTING:
        if actor != codes.NONE and g.standing[actor]:
            affect_figure(g, t, effect, actor, slot)
    elif scope == codes.S_ALL:
        figures = 0
        for figure in range(g.standing.shape[0]):
            if g.standing[figure]:
                figures |= 1 << figure
        push(g, codes.F_AFFECT, effect, figures, slot)
    elif scope == codes.S_CHOSEN:
        push(g, codes.F_CHOSEN, effect, slot, actor)
    elif slot < 2 * g.columns.shape[0]:
        column = slot % g.columns.shape[0]
        front, back = np.int64(g.columns[column, 0]), np.int64(g.columns[column, 1])
        if scope == codes.S_COLUMN and back != codes.NONE:
            push(g, codes.F_AFFECT, effect, 1 << back, slot)
        if front != codes.NONE:
            push(g, codes.F_AFFECT, effect, 1 << front, slot)


@rule
def affect_next(g, t, frame):
    """The next figure of an effect on several, players in the order of the table (F_AFFECT)."""
    effect, figures, slot = np.int64(frame[ONE_EFFECT]), np.int64(frame[ONE_FIGURES]), np.int64(frame[ONE_SLOT])
    for seat in range(g.players):
        for figure in range(first_figure(g, t, seat), figures_end(g, t, seat)):
            if (figures >> figure) & 1:
                frame[ONE_FIGURES] = figures & ~(1 << figure)
                if g.standing[figure]:
                    affect_figure(g, t, effect, figure, slot)
                return False
    pop(g)
    return False


@rule
def choose_hero(g, t, frame):
    """The players pick one of the standing figures (R53) (F_CHOSEN)."""
    found, count = codes.NONE, 0
    for figure in range(g.standing.shape[0]):
        if g.standing[figure]:
            found = figure
            count += 1
    if count > 1:
        return ask(g, g.active, CHOSEN)
    if count == 0:
        pop(g)
        return False
    hero_chosen(g, t, frame, found)
    return False


@rule
def hero_chosen(g, t, frame, figure):
    """The picked figure gets the effect."""
    effect, slot = np.int64(frame[ONE_EFFECT]), np.int64(frame[CHOSEN_SLOT])
    pop(g)
    affect_figure(g, t, effect, figure, slot)


@rule
def affect_figure(g, t, effect, figure, slot):
    """One effect of a scene card on one figure; what concerns cards goes to its player."""
    op, n = t.scene_op[effect], np.int64(t.scene_n[effect])
    seat = np.int64(g.seat_of[figure])
    if op == codes.E_DAMAGE_HEROES:
        push(g, codes.F_SUFFER, figure, n, slot)
    elif op == codes.E_HEAL_HEROES:
        heal_figure(g, figure, n)
    elif op == codes.E_RAGE:
        gain_rage(g, t, figure, n)
    elif op == codes.E_HAND_LIMIT:
        g.limit_won[seat] += n
        set_hand_limit(g, seat)
    elif op == codes.E_DRAW:
        push(g, codes.F_DRAW, seat, n)
    else:  # status cards, crystals
        for _ in range(n):
            add_status(g, t, seat, t.scene_kind[effect])


# ---- After every change: failure, success, and what is tidied up for the next scene (§8) -------------------------


@rule
def check_end(g, t, frame):
    """After every change: flips, then failure, then success (§12; R32) (F_CHECK)."""
    if not enemies.check_flips(g, t, frame):
        return False
    pop(g)
    scenario = g.scenario
    if bodies_standing(g) == 0:
        end_game(g, ALL_OUT)
        return False
    for k in range(t.failure_first[scenario], t.failure_end[scenario]):
        if enemies.holds(g, t, t.goal_kind[k], np.int64(t.goal_slot[k]), t.goal_n[k]):
            end_game(g, QUEST_FAILED)
            return False
    if enemies.all_hold(g, t, t.goal_kind, t.goal_slot, t.goal_n, t.success_first[scenario], t.success_end[scenario]):
        complete_scene(g, t)
    return False


@rule
def complete_scene(g, t):
    """The scene is won: the game as well, or everything is tidied up for the next one (§8)."""
    if t.single != codes.NONE or g.stage == 3:
        end_game(g, SCENE_COMPLETED if t.single != codes.NONE else BOSS_DEFEATED)
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
    push(g, codes.F_SCENE)
    push(g, codes.F_NEXT)


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
    g.set_play, g.attacker, g.aim = codes.NONE, codes.NONE, codes.NONE
    g.enemy_slot, g.enemy_owner, g.enemy_status, g.attacked, g.victim = (
        codes.NONE,
        codes.NONE,
        codes.NONE,
        codes.NONE,
        codes.NONE,
    )
    g.set_strength, g.boost, g.blocked, g.block_sets, g.drew = 0, 0, 0, 0, 0
    g.enemy_ranged, g.enemy_strength, g.cancel_rune = 0, 0, 0
    g.skills_used[:] = 0
    g.moved[:] = 0


@rule
def clear_figures(g):
    """Heroes recover and return; rage, waiting Arms and the hand-limit tokens of hindrances go (§8).

    Wards, hand-limit tokens that were won and the waiting damage of Spartan Rage stay (rulings R34, R50, R73).
    """
    g.columns[:, :] = codes.NONE
    g.column[:] = codes.NONE
    g.bearer = codes.NONE
    for figure in range(g.damage.shape[0]):
        g.damage[figure] = 0
        g.rage[figure] = 0
        g.standing[figure] = 1 if g.seat_of[figure] != codes.NONE else 0
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
