"""The agenda is worked off: which rule runs which kind of frame."""

from __future__ import annotations

from theogony.envs.core.jit import rule
from theogony.envs.god_of_war.frames import (
    F_ACTIVATION,
    F_AFFECT,
    F_ATTACK,
    F_BOXES,
    F_CARD,
    F_CHECK,
    F_CHOSEN,
    F_DEFEATED,
    F_DRAW,
    F_EACH,
    F_EFFECTS,
    F_ENEMY_ATTACK,
    F_FLIPS,
    F_HERO_EFFECTS,
    F_HERO_TURN,
    F_HEROES,
    F_HINDRANCE,
    F_HIT,
    F_INTERACT,
    F_MIMIR,
    F_PLACE,
    F_POISON,
    F_RAGE,
    F_ROUND,
    F_SCRY,
    F_SKILL,
    F_SPECIAL,
    F_STEP,
    F_STRIKE,
    F_SUFFER,
    F_TURN,
    F_UPGRADE,
)
from theogony.envs.god_of_war.rules.activation import activate, activate_card
from theogony.envs.god_of_war.rules.attack import run_attack, strike
from theogony.envs.god_of_war.rules.cards import draw_cards, suffer_poison
from theogony.envs.god_of_war.rules.defence import hit_hero, suffer
from theogony.envs.god_of_war.rules.enemies import defeated
from theogony.envs.god_of_war.rules.enemy_attack import enemy_attacks
from theogony.envs.god_of_war.rules.flips import after_turning, resolve_boxes, resolve_flips
from theogony.envs.god_of_war.rules.hero_effects import extra_move, run_hero_effects
from theogony.envs.god_of_war.rules.interact import run_interaction
from theogony.envs.god_of_war.rules.rounds import hero_turn, mimir_turn, run_round
from theogony.envs.god_of_war.rules.scene_effects import affect_next, choose_hero, damage_next, run_effects
from theogony.envs.god_of_war.rules.scene_end import check_end
from theogony.envs.god_of_war.rules.scenes import begin_scene, choose_next, hinder_first, place_heroes
from theogony.envs.god_of_war.rules.scry import look
from theogony.envs.god_of_war.rules.setup import choose_heroes
from theogony.envs.god_of_war.rules.specials import run_rage, run_skill, run_special
from theogony.envs.god_of_war.rules.upgrades import upgrade_phase


@rule
def run(g, t, most):
    """Work on the agenda, on so many frames at the most. Returns whether a decision is due or the game is over."""
    for _ in range(most):
        if g.over != 0:
            return True
        frame = g.agenda[g.depth - 1]
        kind = frame[0]
        if kind >= F_ACTIVATION:
            waits = run_scene_frame(g, t, kind, frame)
        else:
            waits = run_hero_frame(g, t, kind, frame)
        if waits:
            return True
    return g.over != 0


@rule
def run_hero_frame(g, t, kind, frame):
    """Frames of rounds, cards and heroes. Returns whether a decision is due."""
    if kind == F_HERO_TURN:
        return hero_turn(g, t, frame)
    if kind == F_ATTACK:
        return run_attack(g, t, frame)
    if kind == F_HERO_EFFECTS:
        return run_hero_effects(g, t, frame)
    if kind == F_SPECIAL:
        return run_special(g, t, frame)
    if kind == F_DRAW:
        return draw_cards(g, t, frame)
    if kind == F_POISON:
        return suffer_poison(g, t, frame)
    if kind == F_ROUND:
        return run_round(g, t, frame)
    if kind == F_RAGE:
        return run_rage(g, t, frame)
    if kind == F_SKILL:
        return run_skill(g, t, frame)
    if kind == F_STEP:
        return extra_move(g, frame)
    if kind == F_STRIKE:
        return strike(g, t, frame)
    if kind == F_MIMIR:
        return mimir_turn(g, t)
    if kind == F_INTERACT:
        return run_interaction(g, t, frame)
    if kind == F_SCRY:
        return look(g, frame)
    if kind == F_PLACE:
        return place_heroes(g, t, frame)
    if kind == F_HINDRANCE:
        return hinder_first(g, frame)
    if kind == F_HEROES:
        return choose_heroes(g, frame)
    return begin_scene(g, t)  # F_SCENE


@rule
def run_scene_frame(g, t, kind, frame):
    """Frames of scene activations, enemies and what follows them. Returns whether a decision is due."""
    if kind == F_CHECK:
        return check_end(g, t, frame)
    if kind == F_BOXES:
        return resolve_boxes(g, t, frame)
    if kind == F_FLIPS:
        return resolve_flips(g, t, frame)
    if kind == F_CARD:
        return activate_card(g, t, frame)
    if kind == F_HIT:
        return hit_hero(g, t, frame)
    if kind == F_ENEMY_ATTACK:
        return enemy_attacks(g, t, frame)
    if kind == F_ACTIVATION:
        return activate(g, t, frame)
    if kind == F_EFFECTS:
        return run_effects(g, t, frame)
    if kind == F_DEFEATED:
        return defeated(g, frame)
    if kind == F_TURN:
        return after_turning(g, t, frame)
    if kind == F_SUFFER:
        return suffer(g, t, frame)
    if kind == F_AFFECT:
        return affect_next(g, t, frame)
    if kind == F_EACH:
        return damage_next(g, t, frame)
    if kind == F_CHOSEN:
        return choose_hero(g, t, frame)
    if kind == F_UPGRADE:
        return upgrade_phase(g, frame)
    return choose_next(g, t)  # F_NEXT
