"""How the scene stood when a rune was revealed in the course of a decision: what the decision did comes before it."""

from __future__ import annotations

from typing import Any

from theogony.envs.god_of_war import codes
from theogony.envs.god_of_war.actions import PLACES, play_names
from theogony.envs.god_of_war.components.pieces import SLOTS
from theogony.envs.god_of_war.frames import (
    ACTIVATION_CARDS,
    ACTIVATION_LEFT,
    ACTIVATION_RUNE,
    CARD_SLOT,
    F_ACTIVATION,
    F_CARD,
    F_RAGE,
    F_SKILL,
    F_SPECIAL,
    RAGE_FIGURE,
    SKILL_OPTION,
    SPECIAL_PLAY,
    STAGE,
)
from theogony.envs.god_of_war.render.moves import figure_of
from theogony.envs.god_of_war.render.words import owner_of
from theogony.envs.god_of_war.rules.enemies import hp_left, lives, vulnerable
from theogony.envs.god_of_war.rules.scenes import laid_out

STANDS = ("side", "dead", "stunned", "tokens")  # what says whether a card acts, and how


def cancels(game: Any, before: Any, action: int) -> bool:
    """Whether the next reveal triggers nothing: it was said before, or the decision says so."""
    t = game.tables[0]
    return bool(before.cancel_rune) or any(
        t.effect_op[k] == codes.H_CANCEL_RUNE for k in _effects(game, before, action)
    )


def at_reveal(game: Any, before: Any, action: int, after: Any) -> Any:
    """The position as far as it tells which cards act by a rune, None where no scene lies open.

    It is the one before the decision, with what the decision itself does to enemies, or what is left of an earlier
    activation. A scene that was laid out meanwhile is taken as it lies in the end.
    """
    if not laid_out(before) or before.scenario != after.scenario:
        return after if laid_out(after) else None
    scene = before.copy()
    kind, arguments = game.actions.decode(action)
    if kind == "target":
        _strike(game, scene, after, PLACES.index(str(arguments[0])), _effects(game, before, action))
    _finish(game, scene, after)
    scene.skipping[:] = 0
    return scene


def _effects(game: Any, g: Any, action: int) -> range:
    """The effects of the special card, rage ability or skill that a decision uses, or completes."""
    t, frame = game.tables[0], g.agenda[int(g.depth) - 1]
    kind, arguments = game.actions.decode(action)
    top = {"rage": F_RAGE, "special": F_SPECIAL, "skill": F_SKILL}.get(kind, int(frame[0]))
    if top == F_RAGE:
        figure = figure_of(game, g, str(arguments[0])) if kind == "rage" else int(frame[RAGE_FIGURE])
        return range(int(t.rage_first[figure]), int(t.rage_end[figure]))
    if top == F_SPECIAL:
        own = kind == "special"
        play = play_names(game.components).index(str(arguments[1])) if own else int(frame[SPECIAL_PLAY])
        return range(int(t.play_first[play]), int(t.play_end[play]))
    if top == F_SKILL:
        option = action - game.actions.first["skill"] if kind == "skill" else int(frame[SKILL_OPTION])
        return range(int(t.skill_first[option]), int(t.skill_end[option]))
    return range(0)


def _strike(game: Any, g: Any, after: Any, slot: int, effects: range) -> None:
    """Stun and damage of a hero's effect on the enemy seen on a card, with the cards that turn over by it."""
    t = game.tables[0]
    for k in effects:
        owner = owner_of(game, g, slot)
        if owner == codes.NONE:
            return
        if t.effect_op[k] == codes.H_STUN:
            g.stunned[owner] = 1
        elif t.effect_op[k] == codes.H_DAMAGE and vulnerable(g, t, owner):
            g.hurt[owner] += t.effect_n[k]
            _check(t, g, after, owner)


def _check(t: Any, g: Any, after: Any, owner: int) -> None:
    """What the health that is left of an enemy brings: its defeat, and cards that turn over."""
    left, where = int(hp_left(g, t, owner)), (int(g.scenario), owner, int(g.side[owner]))
    if left <= 0:
        g.dead[owner], g.stunned[owner] = 1, 0
    for k in range(int(t.flips_first[where]), int(t.flips_end[where])):
        when = int(t.flip_when[k])
        if (left <= 0 and when == codes.C_DEFEATED) or (0 < left <= int(t.flip_n[k]) and when == codes.C_HP_LE):
            for slot in t.turned_slot[int(t.flip_first[k]) : int(t.flip_end[k])]:
                g.side[slot] ^= 1
                g.dead[slot], g.stunned[slot] = 0, 0
    if not any(lives(g, t, slot) for slot in range(SLOTS)):  # others may come instead
        for name in STANDS:
            g[name][:] = after[name]


def _finish(game: Any, g: Any, after: Any) -> None:
    """What is left of an activation that was going on: cards that it turns over, stuns that it uses up."""
    t = game.tables[0]
    frames = [list(map(int, frame)) for frame in g.agenda[: int(g.depth)]]
    activation = next((f for f in frames if f[0] == F_ACTIVATION and f[STAGE] == ACTIVATION_CARDS), None)
    if activation is None:
        return
    rune, left = activation[ACTIVATION_RUNE], activation[ACTIVATION_LEFT]
    acting = [slot for slot in range(SLOTS) if left >> slot & 1]
    acting += [frame[CARD_SLOT] for frame in frames if frame[0] == F_CARD]
    touched: set[int] = set()
    for slot in acting:
        where = (int(g.scenario), slot, int(g.side[slot]))
        attacks = range(int(t.attacks_first[where]), int(t.attacks_end[where]))
        if any(t.attack_rune[k] == rune for k in attacks) and (owner := owner_of(game, g, slot)) != codes.NONE:
            g.stunned[owner] = after.stunned[owner]
        touched |= _touched(t, where)
    for name in STANDS:
        for slot in touched:
            g[name][slot] = after[name][slot]


def _touched(t: Any, where: tuple[int, ...]) -> set[int]:
    """The cards that flips and boxes of a side may change."""
    found: set[int] = set()
    for k in range(int(t.flips_first[where]), int(t.flips_end[where])):
        found |= set(map(int, t.turned_slot[int(t.flip_first[k]) : int(t.flip_end[k])]))
    for box in range(int(t.boxes_first[where]), int(t.boxes_end[where])):
        for k in range(int(t.box_first[box]), int(t.box_end[box])):
            if t.scene_op[k] == codes.E_FLIP:
                found |= set(map(int, t.turned_slot[int(t.scene_first[k]) : int(t.scene_end[k])]))
            elif t.scene_op[k] <= codes.E_REMOVE_TOKEN and t.scene_slot[k] >= 0:
                found.add(int(t.scene_slot[k]))
    return found
