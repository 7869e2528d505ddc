"""What cards, scenes and hindrances are as rows of small numbers, for `observation="attributes"`.

The rows are read off the tables by which the rules play, so they fit printed components and those of any pack. The
groups below name every number of a row and the count that is 1.0; what is higher is cut off.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from theogony.envs.core.record import with_fields
from theogony.envs.god_of_war import codes
from theogony.envs.god_of_war.components.pieces import RUNES, SLOTS, STATUS

AMOUNT, HEALTH, TOKENS = 4, 50, 8
KINDS = ("number", "melee", "ranged", "block", "special")
AIMS = ("", "any figure", "bearer of Mimir", "own pair")
WATCHED = tuple(word.rstrip("<>=") for word in codes.CONDITIONS)
ATTACKS = ("melee", "ranged")

PLAY: dict[str, int] = {  # one way to play a card
    **{f"is {kind}": 1 for kind in KINDS},
    "strength": 6,
    "stuns": 1,
    "rage": 3,
    "for attacks only": 1,
    "names a figure": 1,
    "names an enemy in the column": 1,
    "names any enemy": 1,
    **{op: AMOUNT for op in codes.HERO_OPS},
    **{f"for {aim}": 1 for aim in AIMS[1:]},
}
CARD: dict[str, int] = {  # a card design, with the most of all ways to play it
    **{f"pays {item}": 1 for item in codes.ITEMS},
    **{f"{status} card": 1 for status in STATUS},
    **PLAY,
}
UPGRADE: dict[str, int] = {**CARD, **{rune: 1 for rune in RUNES}}
EFFECTS: dict[str, int] = {  # a list of effects of a scene card: how much of each
    **{op: AMOUNT for op in codes.SCENE_OPS},
    **{f"to {scope}": 1 for scope in codes.SCOPES},
    **{f"gives {status}": 1 for status in STATUS[:2]},
}
WHEN: dict[str, int] = {  # when something on a scene card happens
    **{word: 1 for word in WATCHED},
    **{f"after a {attack} attack": 1 for attack in ATTACKS},
    **{f"rune {rune}": 1 for rune in RUNES},
}


def _of(what: str, group: Mapping[str, int]) -> dict[str, int]:
    return {f"{what}: {name}": scale for name, scale in group.items()}


SIDE: dict[str, int] = {  # the visible side of a scene card
    "health of its enemy": HEALTH,
    "most tokens": TOKENS,
    **_of("turns", WHEN),
    "turns: health named": HEALTH,
    "turns: tokens named": TOKENS,
    "turns itself": 1,
    "turns others": AMOUNT,
    **_of("box", WHEN),
    "box: on a condition": 1,
    **_of("box", EFFECTS),
    **{
        name: scale
        for k in (1, 2)
        for name, scale in {
            **{f"interaction {k}: costs {item}": 2 for item in codes.ITEMS},
            f"interaction {k}: on a condition": 1,
            **_of(f"interaction {k}", EFFECTS),
        }.items()
    },
    **_of("reward", EFFECTS),
}
GOAL: dict[str, int] = {"names health": 1, "health": HEALTH, "tokens": TOKENS, "dead": 1}  # of one scene card
HINDRANCE: dict[str, int] = {
    "stun cards shuffled in": AMOUNT,
    "poison cards shuffled in": AMOUNT,
    "damage at the start": AMOUNT,
    "smaller hands": AMOUNT,
    "more activations": AMOUNT,
}


class Row:
    """A row that is being written, by the names of its numbers."""

    def __init__(self, group: Mapping[str, int]) -> None:
        self.group, self.values = group, dict.fromkeys(group, 0)

    def mark(self, name: str, value: int = 1) -> None:
        """Raise a number to this value; it is cut off at what is 1.0."""
        self.values[name] = max(self.values[name], min(value, self.group[name]))

    def add(self, name: str, value: int) -> None:
        """Add to a number, up to what is 1.0."""
        self.mark(name, self.values[name] + value)

    def codes(self) -> list[int]:
        return list(self.values.values())


def with_attributes(tables: np.ndarray) -> np.ndarray:
    """Tables that carry the rows of all cards, sides, goals and hindrances too."""
    t = tables[0]
    plays = _play_rows(t)
    cards = _card_rows(t, plays)
    runes = np.eye(len(RUNES), dtype=np.uint8)[t.upgrade_rune]
    goals, clear = _goal_rows(t)
    rows = {
        "play_rows": plays,
        "card_rows": cards,
        "upgrade_rows": np.concatenate([cards[t.upgrade_design], runes], 1),
        "side_rows": _side_rows(t),
        "goal_rows": goals,
        "goal_clear": clear,
        "hindrance_rows": _hindrance_rows(t),
    }
    return with_fields(tables, rows)


# ---------------------------------------------------------------------------------------------------- cards


def _play_rows(t: Any) -> np.ndarray:
    rows = []
    for play in range(len(t.play_kind)):
        row = Row(PLAY)
        row.mark(f"is {KINDS[t.play_kind[play]]}")
        row.mark("strength", int(t.play_number[play]))
        row.mark("stuns", int(t.play_stun[play]))
        row.mark("rage", int(t.play_rage[play]))
        row.mark("for attacks only", int(t.play_attack_only[play]))
        target = int(t.play_target[play])
        row.mark("names a figure", int(target == codes.FIGURE_TARGET))
        row.mark("names an enemy in the column", int(target == codes.COLUMN_TARGET))
        row.mark("names any enemy", int(target == codes.ANY_TARGET))
        for k in range(t.play_first[play], t.play_end[play]):
            row.mark(codes.HERO_OPS[t.effect_op[k]], int(t.effect_n[k]))
            if aim := AIMS[t.effect_target[k]]:
                row.mark(f"for {aim}")
        rows.append(row.codes())
    return np.array(rows, np.uint8)


def _card_rows(t: Any, plays: np.ndarray) -> np.ndarray:
    rows = np.zeros((len(t.pays), len(CARD)), np.uint8)
    statuses = len(codes.ITEMS)
    rows[:, :statuses] = t.pays
    for k in range(len(STATUS)):
        rows[int(t.status) + k, statuses + k] = 1
    first = statuses + len(STATUS)
    for design, row in zip(t.play_design, plays, strict=True):
        rows[design, first:] = np.maximum(rows[design, first:], row)
    return rows


# ---------------------------------------------------------------------------------------------------- scenes


def _side_rows(t: Any) -> np.ndarray:
    """`[scene, slot, side]`: zeros where there is no card."""
    rows = np.zeros((*t.enemy.shape, len(SIDE)), np.uint8)
    for where in np.ndindex(*t.enemy.shape):
        if t.present[where[:2]]:
            rows[where] = _side_row(t, where)
    return rows


def _side_row(t: Any, where: tuple[int, ...]) -> list[int]:
    row, slot = Row(SIDE), where[1]
    row.mark("health of its enemy", int(t.enemy_hp[where]) if t.enemy[where] == codes.OWN else 0)
    row.mark("most tokens", int(t.tokens_max[where]))
    for k in range(t.flips_first[where], t.flips_end[where]):
        when, n = int(t.flip_when[k]), int(t.flip_n[k])
        _when(row, "turns", when, n)
        row.mark("turns: health named", n if when == codes.C_HP_LE else 0)
        row.mark("turns: tokens named", n if when == codes.C_TOKENS_GE else 0)
        turned = [int(s) for s in t.turned_slot[t.flip_first[k] : t.flip_end[k]]]
        row.mark("turns itself", int(slot in turned))
        row.add("turns others", sum(other != slot for other in turned))
    for k in range(t.boxes_first[where], t.boxes_end[where]):
        _when(row, "box", int(t.box_when[k]), int(t.box_n[k]))
        row.mark("box: on a condition", int(t.box_if_end[k] > t.box_if_first[k]))
        _effects(row, "box", t, range(t.box_first[k], t.box_end[k]))
    for number, k in enumerate(range(t.interactions_first[where], t.interactions_end[where]), 1):
        for cost in t.cost_item[t.interaction_cost_first[k] : t.interaction_cost_end[k]]:
            row.add(f"interaction {number}: costs {codes.ITEMS[cost]}", 1)
        row.mark(f"interaction {number}: on a condition", int(t.interaction_if_end[k] > t.interaction_if_first[k]))
        _effects(row, f"interaction {number}", t, range(t.interaction_first[k], t.interaction_end[k]))
    _effects(row, "reward", t, range(t.reward_first[where], t.reward_end[where]))
    return row.codes()


def _when(row: Row, what: str, when: int, n: int) -> None:
    row.mark(f"{what}: {WATCHED[when]}")
    if when == codes.C_ATTACKED:
        row.mark(f"{what}: after a {ATTACKS[n]} attack")
    elif when == codes.C_RUNE:
        row.mark(f"{what}: rune {RUNES[n]}")


def _effects(row: Row, what: str, t: Any, listed: Iterable[int]) -> None:
    for k in listed:
        op, scope = int(t.scene_op[k]), codes.SCOPES[t.scene_scope[k]]
        strength = int(t.attack_strength[t.scene_first[k]]) if op == codes.E_ATTACK else abs(int(t.scene_n[k]))
        row.add(f"{what}: {codes.SCENE_OPS[op]}", max(strength, 1))
        if op in TO_HEROES:
            row.mark(f"{what}: to {scope}")
        if op == codes.E_STATUS:
            row.mark(f"{what}: gives {STATUS[t.scene_kind[k]]}")


TO_HEROES = (  # effects that say which heroes they are for
    codes.E_DAMAGE_HEROES, codes.E_HEAL_HEROES, codes.E_STATUS, codes.E_DRAW, codes.E_RAGE, codes.E_HAND_LIMIT,
)  # fmt: skip


# ---------------------------------------------------------------------------------------------------- scenarios


def _goal_rows(t: Any) -> tuple[np.ndarray, np.ndarray]:
    """What success and failure ask of every scene card, and whether they ask for a scene without enemies."""
    scenes = len(t.success_first)
    rows, clear = np.zeros((scenes, 2, SLOTS, len(GOAL)), np.uint8), np.zeros((scenes, 2), np.uint8)
    ends = ((t.success_first, t.success_end), (t.failure_first, t.failure_end))
    for scene in range(scenes):
        for outcome, (first, end) in enumerate(ends):
            for k in range(first[scene], end[scene]):
                if t.goal_kind[k] == codes.P_CLEAR:
                    clear[scene, outcome] = 1
                else:
                    slot = rows[scene, outcome, t.goal_slot[k]]
                    slot[:] = np.maximum(slot, _goal(int(t.goal_kind[k]), int(t.goal_n[k])))
    return rows, clear


def _goal(kind: int, n: int) -> list[int]:
    row = Row(GOAL)
    row.mark("names health", int(kind == codes.P_HP_LE))
    row.mark("health", n if kind == codes.P_HP_LE else 0)
    row.mark("tokens", n if kind == codes.P_TOKENS_GE else 0)
    row.mark("dead", int(kind == codes.P_DEAD))
    return row.codes()


def _hindrance_rows(t: Any) -> np.ndarray:
    rows = []
    for first, end in zip(t.hindrances_first, t.hindrances_end, strict=True):
        row = Row(HINDRANCE)
        for k in range(first, end):
            op, n = int(t.hindrance_op[k]), int(t.hindrance_n[k])
            if op == codes.X_SHUFFLE:
                row.add(f"{STATUS[t.hindrance_kind[k]]} cards shuffled in", n)
            elif op == codes.X_DAMAGE:
                row.add("damage at the start", n)
            elif op == codes.X_LIMIT:
                row.add("smaller hands", max(-n, 0))
            else:
                row.add("more activations", n)
        rows.append(row.codes())
    return np.array(rows, np.uint8)
