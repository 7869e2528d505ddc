"""What cards, abilities, scene cards and interactions are: rows of small numbers, read off the tables of the rules.

So they fit printed components and those of any pack. The groups below name every number of a row and the count that is
1.0; what is higher is cut off.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from theogony.envs.core.record import with_fields
from theogony.envs.god_of_war import codes

AMOUNT, RAGE, HEALTH, TOKENS, COSTS = 6, 3, 50, 8, 2

ATTACK: dict[str, int] = {"ranged": 1, "strength": AMOUNT, "stuns": 1, "rage": RAGE}
NUMBER: dict[str, int] = {"strength": AMOUNT, "rage": RAGE, "for attacks only": 1}
BLOCK: dict[str, int] = {"strength": AMOUNT, "rage": RAGE}
EFFECT: dict[str, int] = {  # a special card, a rage ability or a skill
    **{op: AMOUNT for op in codes.HERO_OPS},
    "attack": AMOUNT,
    "for the bearer of Mimir": 1,
    "names a figure": 1,
    "names an enemy in the column": 1,
    "names any enemy": 1,
}
PANEL: dict[str, int] = {  # the visible side of a scene card, and what the scene asks of it
    "success: defeated": 1,
    "success: health at most": HEALTH,
    "success: tokens": TOKENS,
    "failure: defeated": 1,
    "failure: health at most": HEALTH,
    "failure: tokens": TOKENS,
    "turns: defeated": 1,
    "turns: armour_broken": 1,
    "turns: attacked": 1,
    "turns: rune": 1,
    "turns: health at most": HEALTH,
    "turns: tokens": TOKENS,
    "turns: scene_clear": 1,
    "turns others": 1,
    "box: damages heroes": AMOUNT,
    "box: adds tokens": AMOUNT,
    "box: gives status cards": AMOUNT,
    "box: hurts or stuns enemies": AMOUNT,
    "box: attacks": AMOUNT,
    "most tokens": TOKENS,
}
INTERACTION: dict[str, int] = {
    **{f"costs {item}": COSTS for item in codes.ITEMS},
    **{op: AMOUNT for op in codes.SCENE_OPS},
    "for all heroes": 1,
}

TARGETS = ("", *list(EFFECT)[-3:])  # by what must be named
GOALS = ("health at most", "tokens", "defeated")  # by the kind of predicate, but for a scene without enemies
TURNS = ("defeated", "armour_broken", "attacked", "rune", "health at most", "tokens", "scene_clear")
BOXES = {
    codes.E_DAMAGE_HEROES: "damages heroes",
    codes.E_ADD_TOKEN: "adds tokens",
    codes.E_STATUS: "gives status cards",
    codes.E_DAMAGE_ENEMY: "hurts or stuns enemies",
    codes.E_STUN_ENEMY: "hurts or stuns enemies",
    codes.E_ATTACK: "attacks",
}


def with_descriptions(tables: np.ndarray) -> np.ndarray:
    """Tables that carry the rows of all plays, abilities, sides and interactions too."""
    t = tables[0]
    return with_fields(tables, _card_rows(t) | _ability_rows(t) | _scene_rows(t))


def _row(group: Mapping[str, int], found: Iterable[tuple[str, Any]]) -> list[int]:
    """A row with these numbers added up, each cut off at what is 1.0."""
    row = dict.fromkeys(group, 0)
    for name, n in found:
        row[name] = min(row[name] + max(int(n), 0), group[name])
    return list(row.values())


# ---------------------------------------------------------------------------------------------------- cards


def _card_rows(t: Any) -> dict[str, np.ndarray]:
    """Ways to play cards by what they are played for, which plays a design has, and the number of each in its kind."""
    strength = {"strength": t.play_number, "rage": t.play_rage}
    ranged = t.play_kind == codes.RANGED
    kinds = {
        "attack": (ATTACK, {**strength, "stuns": t.play_stun, "ranged": ranged}),
        "number": (NUMBER, {**strength, "for attacks only": t.play_attack_only}),
        "block": (BLOCK, strength),
    }
    place, rows = np.zeros(len(t.play_kind), np.int16), dict[str, Any]()
    for kind, (group, columns) in kinds.items():
        named = t[f"{kind}_plays"]
        rows[f"{kind}_rows"] = [_row(group, [(name, column[k]) for name, column in columns.items()]) for k in named]
    rows["special_rows"] = [
        _row(EFFECT, [("rage", t.play_rage[k]), *_effects(t, t.play_first[k], t.play_end[k], t.play_target[k])])
        for k in t.special_plays
    ]
    for kind in (*kinds, "special"):
        place[t[f"{kind}_plays"]] = np.arange(len(t[f"{kind}_plays"]))
    designs = np.arange(len(t.pays))
    first = np.searchsorted(t.play_design, designs)
    end = np.searchsorted(t.play_design, designs, side="right")
    found = {"play_place": place, "design_plays": np.stack([first, end], 1).astype(np.int16)}
    return {name: np.array(row, np.uint8) for name, row in rows.items()} | found


def _effects(t: Any, first: Any, end: Any, target: Any) -> Iterable[tuple[str, Any]]:
    """What a list of hero effects does, and what must be named for it."""
    if target != codes.NO_TARGET:
        yield TARGETS[target], 1
    for k in range(first, end):
        yield codes.HERO_OPS[t.effect_op[k]], t.effect_n[k]
        yield "for the bearer of Mimir", t.effect_target[k] == codes.TO_BEARER


def _ability_rows(t: Any) -> dict[str, np.ndarray]:
    """Rage abilities of figures, and ways to use skills."""
    rage = [_row(EFFECT, _effects(t, *row)) for row in zip(t.rage_first, t.rage_end, t.rage_target, strict=True)]
    skills = [_row(EFFECT, _skill(t, k)) for k in range(len(t.skill_kind))]
    return {"rage_rows": np.array(rage, np.uint8), "skill_rows": np.array(skills, np.uint8)}


def _skill(t: Any, k: int) -> Iterable[tuple[str, Any]]:
    """A number of a skill counts as a boost, a block as one of blocks."""
    yield from _effects(t, t.skill_first[k], t.skill_end[k], t.skill_target[k])
    names = {codes.SKILL_ATTACK: "attack", codes.SKILL_NUMBER: "boost", codes.SKILL_BLOCK: "block_boost"}
    if name := names.get(int(t.skill_kind[k])):
        yield name, t.skill_strength[k]
    if name == "attack":
        yield "stun", t.skill_stun[k]
        yield TARGETS[codes.ANY_TARGET if t.skill_anywhere[k] else codes.COLUMN_TARGET], 1


# ---------------------------------------------------------------------------------------------------- scenes


def _scene_rows(t: Any) -> dict[str, np.ndarray]:
    """`[scene, slot, side]` of panels and `[scene, slot, side, number]` of interactions: zeros where there is none."""
    panels = np.zeros((*t.enemy.shape, len(PANEL)), np.uint8)
    interactions = np.zeros((*t.enemy.shape, 2, len(INTERACTION)), np.uint8)
    for where in np.ndindex(*t.enemy.shape):
        if t.present[where[:2]]:
            panels[where] = _row(PANEL, (*_goals(t, where), *_turns(t, where), *_boxes(t, where)))
            for number, k in enumerate(range(t.interactions_first[where], t.interactions_end[where])):
                interactions[(*where, number)] = _row(INTERACTION, _interaction(t, k))
    return {"panel_rows": panels, "interaction_rows": interactions}


def _goals(t: Any, where: tuple[int, ...]) -> Iterable[tuple[str, Any]]:
    """What success and failure ask of a card; a scene without enemies asks for the defeat of each."""
    scene, slot, _ = where
    bounds = {"success": (t.success_first, t.success_end), "failure": (t.failure_first, t.failure_end)}
    for outcome, (first, end) in bounds.items():
        for k in range(first[scene], end[scene]):
            if t.goal_kind[k] == codes.P_CLEAR:
                yield f"{outcome}: defeated", t.enemy[where] == codes.OWN
            elif t.goal_slot[k] == slot:
                yield f"{outcome}: {GOALS[t.goal_kind[k]]}", max(int(t.goal_n[k]), 1)


def _turns(t: Any, where: tuple[int, ...]) -> Iterable[tuple[str, Any]]:
    """When the card turns cards over."""
    for k in range(t.flips_first[where], t.flips_end[where]):
        yield f"turns: {TURNS[t.flip_when[k]]}", max(int(t.flip_n[k]), 1)
        yield "turns others", (t.turned_slot[t.flip_first[k] : t.flip_end[k]] != where[1]).any()


def _boxes(t: Any, where: tuple[int, ...]) -> Iterable[tuple[str, Any]]:
    """What its boxed effects do, whenever they do it."""
    yield "most tokens", t.tokens_max[where]
    for box in range(t.boxes_first[where], t.boxes_end[where]):
        for k in range(t.box_first[box], t.box_end[box]):
            if name := BOXES.get(int(t.scene_op[k])):
                yield f"box: {name}", _amount(t, k)


def _amount(t: Any, k: int) -> int:
    """How much an effect of a scene card does."""
    strength = t.attack_strength[t.scene_first[k]] if t.scene_op[k] == codes.E_ATTACK else t.scene_n[k]
    return max(abs(int(strength)), 1)


def _interaction(t: Any, k: int) -> Iterable[tuple[str, Any]]:
    """What an interaction costs and does."""
    for item in t.cost_item[t.interaction_cost_first[k] : t.interaction_cost_end[k]]:
        yield f"costs {codes.ITEMS[item]}", 1
    for effect in range(t.interaction_first[k], t.interaction_end[k]):
        yield codes.SCENE_OPS[t.scene_op[effect]], _amount(t, effect)
        yield "for all heroes", t.scene_scope[effect] == codes.S_ALL
