"""What the heuristic reads in the tables: estimates made from the components, once."""

from __future__ import annotations

from typing import Any

import numpy as np

from theogony.envs.god_of_war import codes
from theogony.envs.god_of_war.components.scene_tables import slot_of

ESTIMATE = 10  # estimates are whole tenths
GOAL, OTHER = 10, 3  # weight of an enemy that the success of the scene names, and of another, in tenths


def estimate_fields(data: dict[str, Any], fields: dict[str, Any]) -> dict[str, Any]:
    """What the heuristic reads: worth of cards, weight of enemies, health that is still behind a front."""
    shape = fields["present"].shape
    weight, later = np.full(shape, OTHER, np.int16), np.zeros(shape, np.int16)
    for scenario in (*data["quests"], *data["bosses"]):
        success = scenario["front"]["success"]["all"]
        if any(predicate.get("clear") for predicate in success):
            weight[scenario["id"] - 1] = GOAL
        for predicate in success:
            if predicate.get("dead"):
                weight[scenario["id"] - 1, slot_of(predicate["dead"])] = GOAL
    for scene in data["scenes"]:
        for card in scene["cards"]:
            back, slot = card["back"]["enemy"] or {}, slot_of(card["id"])
            if "hp" in back and _renews(scene, card):
                later[scene["id"] - 1, slot] = back["hp"] + sum(back["armour"])
    worth = [_worth(data["action_cards"][name]) for name in data["action_cards"]]
    found = {"weight": weight, "later": later, "worth": [*worth, -6, -16, 10]}
    return found | _card_estimates(fields)


def _card_estimates(fields: dict[str, Any]) -> dict[str, Any]:
    """What each design can be used for: number, melee, ranged, the strength of its attack, block in tenths, special."""
    names = ("number", "melee", "ranged", "strength", "block", "special")
    best = {name: np.zeros(len(fields["pays"]), np.int16) for name in names}
    for design, kind, number in zip(fields["play_design"], fields["play_kind"], fields["play_number"], strict=True):
        if kind == codes.NUMBER:
            best["number"][design] = max(best["number"][design], number)
        elif kind == codes.BLOCK:
            best["block"][design] = 10 * number + 10
        elif kind == codes.SPECIAL:
            best["special"][design] = 1
        else:
            best["melee" if kind == codes.MELEE else "ranged"][design] = 1
            best["strength"][design] = max(best["strength"][design], number)
    return {f"card_{name}": values for name, values in best.items()}


def _renews(scene: dict[str, Any], card: dict[str, Any]) -> bool:
    """Whether the enemy on the back comes besides the one in front, and is not the same one changed."""
    if not card["front"]["enemy"]:
        return True
    own = any(
        flip["when"] == "defeated" and {"self", card["id"]} & set(flip["cards"]) for flip in card["front"]["flip"]
    )
    fronts = [flip for other in scene["cards"] for flip in other["front"]["flip"] if card["id"] in flip["cards"]]
    return own or any(flip["when"] == "scene_clear" for flip in fronts)


def _worth(card: dict[str, Any]) -> int:
    """About how much damage a card is worth, in tenths: the best of its options, and a little for a choice."""
    each = {"draw": 10, "heal": 9, "boost": 9, "guard": 9, "stun": 20, "damage": 13, "scry": 4, "rage": 8}

    def option(entry: dict[str, Any]) -> int:
        if entry["special"]:
            return sum(each.get(effect["op"], 10) * effect.get("n", 1) for effect in entry["special"])
        base = {(): 0, ("melee",): 8, ("ranged",): 11, ("block",): 6}[tuple(entry["symbols"])]
        return base + 10 * entry["number"] + 7 * entry["stun"] + 5 * max(entry["rage"] - 1, 0)

    return max(map(option, card["options"])) + 4 * (len(card["options"]) - 1)
