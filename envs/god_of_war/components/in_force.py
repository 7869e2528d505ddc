"""The component data with the numbers that options decide: what the tables are made of and what texts tell."""

from __future__ import annotations

import copy
from collections.abc import Iterator
from typing import Any


def in_force(data: dict[str, Any], settings: dict[str, Any]) -> dict[str, Any]:
    """A copy of checked component data in which health, strengths and what is said of health are those in force.

    `settings` are the values that options decide. Health of bosses and whatever names it go by the same percentage.
    """
    found = {**data, **{key: copy.deepcopy(data[key]) for key in ("heroes", "quests", "bosses", "scenes")}}
    for hero in found["heroes"]:
        alone = settings["players"] == 1 and hero["id"] == data["solo"]["hero"]
        for figure in hero["figures"]:
            # at least 1 for heroes that are not in the game: `check_health` looked at the others
            figure["hp"] = max((data["solo"]["hp"] if alone else figure["hp"]) + settings["hero_hp"], 1)
    for scene in found["scenes"]:
        percent = settings["boss_hp"] if scene["kind"] == "boss" else 100
        for card in scene["cards"]:
            for side in (card["front"], card["back"]):
                _side(side, percent, settings["enemy_strength"])
    for scenario in found["bosses"]:
        front = scenario["front"]
        _predicates([*front["success"]["all"], *(front["fail"] or {"any": ()})["any"]], settings["boss_hp"])
    return found


def _side(side: dict[str, Any], percent: int, stronger: int) -> None:
    enemy = side["enemy"] or {}
    if "hp" in enemy:
        enemy["hp"] = _share(enemy["hp"], percent)
    for flip in side["flip"]:
        if flip["when"].startswith("hp<="):
            flip["when"] = f"hp<={_share(int(flip['when'][4:]), percent)}"
    entries = (*side["triggers"], *side["interactions"])
    for entry in entries:
        _predicates(entry["if"], percent)
    effects = [effect for entry in entries for effect in entry["do"]]
    for attack in _attacks([*enemy.get("attacks", ()), *effects, *side["reward"]]):
        attack["strength"] = max(attack["strength"] + stronger, 0)


def _attacks(found: list[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """Attacks of an enemy, and effects that are attacks."""
    return (one for one in found if one.get("op", "attack") == "attack")


def _predicates(listed: list[dict[str, Any]], percent: int) -> None:
    for predicate in listed:
        if predicate.get("hp_le"):
            card, number = predicate["hp_le"]
            predicate["hp_le"] = (card, _share(number, percent))


def _share(health: int, percent: int) -> int:
    """So many percent of a health, at least 1."""
    return max(health * percent // 100, 1)
