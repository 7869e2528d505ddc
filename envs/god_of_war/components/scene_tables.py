"""Scenes, quests and bosses as arrays of the tables."""

from __future__ import annotations

from typing import Any

import numpy as np

from theogony.envs.god_of_war import codes
from theogony.envs.god_of_war.components.pieces import RUNES, SLOTS, STATUS

PLACES = ("scene", "slot", "side")
ARMOUR = 4  # most armour markers of one enemy


class Lists:
    """Rows of several flat arrays; a list of rows is named by where it begins and ends."""

    def __init__(self, *columns: str) -> None:
        self.columns = columns
        self.rows: list[tuple[int, ...]] = []

    def add(self, rows: list[tuple[int, ...]]) -> tuple[int, int]:
        """Append a list of rows; returns its first and its end."""
        first = len(self.rows)
        self.rows += rows
        return first, len(self.rows)

    def fields(self, prefix: str) -> dict[str, np.ndarray]:
        """The columns as arrays of at least one row."""
        rows = np.array(self.rows or [(0,) * len(self.columns)], np.int16)
        return {f"{prefix}_{name}": rows[:, k] for k, name in enumerate(self.columns)}


def slot_of(card: str) -> int:
    """The slot of a scene card, from its id `<scene>-<row><column>`."""
    row, column = card.split("-")[1]
    return 4 * int(row) + int(column)


def _slot(name: str, own: int | None = None) -> int:
    if name == "self":
        return codes.SELF if own is None else own
    return codes.EACH_OTHER if name == "each_other" else slot_of(name)


class _Scenes:
    """Collects the flat lists that sides of scene cards point into."""

    def __init__(self) -> None:
        self.attacks = Lists("rune", "ranged", "strength", "dirs", "status", "tokens")
        self.flips = Lists("when", "n", "first", "end")
        self.turned = Lists("slot")
        self.boxes = Lists("when", "n", "if_first", "if_end", "first", "end")
        self.interactions = Lists("if_first", "if_end", "first", "end", "cost_first", "cost_end")
        self.costs = Lists("item")
        self.predicates = Lists("kind", "slot", "n")
        self.effects = Lists("op", "slot", "n", "scope", "kind", "first", "end")

    def attack(self, attack: dict[str, Any], rune: int) -> tuple[int, ...]:
        dirs = sum(1 << (offset + 1) for offset in attack.get("dirs", []))
        status = {None: codes.NONE, "stun": codes.STUN_CARD, "poison": codes.POISON_CARD}[attack.get("effect")]
        tokens = codes.NONE if attack.get("plus_tokens") is None else slot_of(attack["plus_tokens"])
        return (rune, int(attack["type"] == "ranged"), attack["strength"], dirs, status, tokens)

    def condition(self, text: str) -> tuple[int, int]:
        for number, word in enumerate(codes.CONDITIONS):
            if text.startswith(word):
                rest = text[len(word) :].lstrip(":")
                values = {"": 0, "melee": 0, "ranged": 1, **{rune: k for k, rune in enumerate(RUNES)}}
                return number, values[rest] if rest in values else int(rest)
        raise ValueError(f"{text!r} is no condition")

    def conditions(self, listed: list[dict[str, Any]], own: int | None) -> tuple[int, int]:
        rows = []
        for predicate in listed:
            kind, value = next((k, v) for k, v in predicate.items() if v is not None)
            card, n = value if isinstance(value, list | tuple) else (value, 0)
            slot = codes.NONE if kind == "clear" else _slot(card, own)
            rows.append((codes.PREDICATES.index(kind), slot, n))
        return self.predicates.add(rows)

    def effect(self, effect: dict[str, Any], own: int) -> tuple[int, ...]:
        op = effect["op"]
        slot = _slot(effect.get("target") or effect.get("card") or "self", own)
        n, first, end = effect.get("n", 0), 0, 0
        scope = codes.SCOPES.index(effect["scope"]) if effect.get("scope") else 0
        kind = STATUS.index(effect["kind"]) if effect.get("kind") else codes.CRYSTAL_CARD
        if op == "flip":
            cards = [effect["cards"]] if isinstance(effect["cards"], str) else effect["cards"]
            first, end = self.turned.add([(_slot(card, own),) for card in cards])
        if op == "attack":
            first, end = self.attacks.add([self.attack(effect, codes.NONE)])
        return (codes.SCENE_OPS.index(op), slot, n, scope, kind, first, end)

    def effect_list(self, effects: list[dict[str, Any]], own: int) -> tuple[int, int]:
        return self.effects.add([self.effect(effect, own) for effect in effects])

    def flip_list(self, flips: list[dict[str, Any]], own: int) -> tuple[int, int]:
        rows = []
        for flip in flips:
            turned = self.turned.add([(_slot(card, own),) for card in flip["cards"]])
            rows.append((*self.condition(flip["when"]), *turned))
        return self.flips.add(rows)

    def box_list(self, boxes: list[dict[str, Any]], own: int) -> tuple[int, int]:
        rows = []
        for box in boxes:
            conditions = self.conditions(box["if"], own)
            rows.append((*self.condition(box["when"]), *conditions, *self.effect_list(box["do"], own)))
        return self.boxes.add(rows)

    def interaction_list(self, interactions: list[dict[str, Any]], own: int) -> tuple[int, int]:
        rows = []
        for entry in interactions:
            cost = self.costs.add([(codes.ITEMS.index(item),) for item in entry["cost"]])
            rows.append((*self.conditions(entry["if"], own), *self.effect_list(entry["do"], own), *cost))
        return self.interactions.add(rows)

    def fields(self) -> dict[str, np.ndarray]:
        names = ("attacks", "flips", "turned", "boxes", "interactions", "costs", "predicates", "effects")
        prefixes = ("attack", "flip", "turned", "box", "interaction", "cost", "if", "scene")
        found: dict[str, np.ndarray] = {}
        for name, prefix in zip(names, prefixes, strict=True):
            found |= getattr(self, name).fields(prefix)
        return found


SIDE_FIELDS = (
    "enemy", "part_of", "enemy_hp", "invulnerable", "attacks_first", "attacks_end", "flips_first", "flips_end",
    "boxes_first", "boxes_end", "interactions_first", "interactions_end", "reward_first", "reward_end",
    "tokens_start", "tokens_max", "shows",
)  # fmt: skip


def scene_fields(data: dict[str, Any]) -> dict[str, Any]:
    shape = (len(data["scenes"]), SLOTS, 2)
    sides = {name: np.zeros(shape, np.int16) for name in SIDE_FIELDS}
    armour = np.zeros((*shape, ARMOUR), np.int16)
    present = np.zeros(shape[:2], np.int16)
    lists = _Scenes()
    for scene in data["scenes"]:
        for card in scene["cards"]:
            slot = slot_of(card["id"])
            present[scene["id"] - 1, slot] = 1
            for number, name in enumerate(("front", "back")):
                where = (scene["id"] - 1, slot, number)
                row = _side(card[name], slot, lists)
                for field, value in row.items():
                    sides[field][where] = value
                enemy = card[name]["enemy"] or {}
                armour[where][: len(enemy.get("armour", []))] = enemy.get("armour", [])
    return {**sides, "armour": armour, "present": present, **lists.fields(), **_watched_flips(data, sides)}


def _watched_flips(data: dict[str, Any], sides: dict[str, np.ndarray]) -> dict[str, np.ndarray]:
    """The flips of each scene that are checked after every change, cards in reading order."""
    watched, bounds = Lists("slot", "side", "flip"), np.zeros((len(data["scenes"]), 2), np.int16)
    for scene in data["scenes"]:
        number, rows = scene["id"] - 1, []
        for card in scene["cards"]:
            slot = slot_of(card["id"])
            for side, name in enumerate(("front", "back")):
                for k, flip in enumerate(card[name]["flip"], start=int(sides["flips_first"][number, slot, side])):
                    if flip["when"].startswith(("hp<=", "tokens>=", "scene_clear")):
                        rows.append((slot, side, k))
        bounds[number] = watched.add(sorted(rows))
    return {"watched_first": bounds[:, 0], "watched_end": bounds[:, 1], **watched.fields("watched")}


def _side(side: dict[str, Any], slot: int, lists: _Scenes) -> dict[str, int]:
    enemy = side["enemy"] or {}
    attacks = enemy.get("attacks", [])
    row: dict[str, int] = {"enemy": codes.EMPTY, "part_of": codes.NONE}
    if enemy:
        row["enemy"] = codes.PART if "part_of" in enemy else codes.OWN
        row["part_of"] = slot_of(enemy["part_of"]) if "part_of" in enemy else slot
        row["enemy_hp"] = max(enemy.get("hp", 0), 1)
        row["invulnerable"] = int(enemy.get("invulnerable", False))
    pairs = {
        "attacks": lists.attacks.add([lists.attack(a, RUNES.index(a["rune"])) for a in attacks]),
        "flips": lists.flip_list(side["flip"], slot),
        "boxes": lists.box_list(side["triggers"], slot),
        "interactions": lists.interaction_list(side["interactions"], slot),
        "reward": lists.effect_list(side["reward"], slot),
    }
    for name, (first, end) in pairs.items():
        row[f"{name}_first"], row[f"{name}_end"] = first, end
    tokens = side["tokens"] or {"start": 0, "max": codes.NONE}  # max -1: no token area
    row["tokens_start"], row["tokens_max"] = tokens["start"], tokens["max"]
    row["shows"] = _runes_shown(side, attacks)
    return row


def _runes_shown(side: dict[str, Any], attacks: list[dict[str, Any]]) -> int:
    """Runes printed on a side, as bits: of attacks, boxes and flips (§6)."""
    shown = {attack["rune"] for attack in attacks}
    shown |= {entry["when"][5:] for entry in (*side["triggers"], *side["flip"]) if entry["when"].startswith("rune:")}
    return sum(1 << RUNES.index(rune) for rune in shown)


def scenario_fields(data: dict[str, Any]) -> dict[str, Any]:
    """Success, failure and hindrances of quests and bosses; their predicates get lists of their own."""
    goals, hindrances = _Scenes(), Lists("op", "kind", "n")
    scenarios = sorted([*data["quests"], *data["bosses"]], key=lambda scenario: scenario["id"])
    rows = []
    for scenario in scenarios:
        front = scenario["front"]
        success = goals.conditions(front["success"]["all"], None)
        failure = goals.conditions(front["fail"]["any"] if front["fail"] else [], None)
        listed = [
            (codes.HINDRANCES.index(h["op"]), STATUS.index(h["kind"]) if h.get("kind") else codes.NONE, h["n"])
            for h in scenario["back"]["hindrance"]
        ]
        rows.append((*success, *failure, *hindrances.add(listed)))
    names = ("success_first", "success_end", "failure_first", "failure_end", "hindrances_first", "hindrances_end")
    table = np.array(rows, np.int16)
    fields: dict[str, Any] = {name: table[:, k] for k, name in enumerate(names)}
    fields |= goals.predicates.fields("goal")
    fields |= hindrances.fields("hindrance")
    fields["quests"] = sorted(scenario["id"] - 1 for scenario in data["quests"])
    fields["bosses"] = sorted(scenario["id"] - 1 for scenario in data["bosses"])
    return fields
