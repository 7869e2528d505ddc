"""Scenes, enemies and upgrade cards drawn anew, by the statistics of the printed ones.

A scene keeps its plot: what turns, what triggers what, and what must be done. Drawn are which side is left, which rune
stands for which, where the ordinary enemies stand, their health and the strength of attacks, what turned cards give,
how quests hinder, and the numbers on upgrade cards. What one gains another loses, so that sums stay as printed.
"""

from __future__ import annotations

import json
import re
from typing import Any

from theogony.envs.core.packs import Draw
from theogony.envs.god_of_war.components.checks import load_components
from theogony.envs.god_of_war.components.pieces import COLUMNS, DEFAULT_COMPONENTS, RUNES
from theogony.envs.god_of_war.components.tables import attacks_of

MIRRORED = 0.5  # share of the scenes
PAIRS = 0.4  # share of the numbers of a scene of which one rises and another falls
PLACES = (
    "Ridge", "Ford", "Gate", "Hollow", "Terrace", "Bridge", "Pit", "Grove", "Ledge", "Gully", "Arch", "Stair", "Shore",
    "Tower",
)  # fmt: skip
GIANT = 20  # health from which an enemy is called so
CARD_ID = re.compile(r'"(\d+)-([01])([0-3])"')  # of the mosaic; side cards stay where they are


def generate(options: Any, draw: Draw) -> dict[str, Any]:
    """Components of the form of `data/components.json`."""
    data = load_components(DEFAULT_COMPONENTS)
    _upgrades(draw, data["action_cards"])
    for key in ("quests", "bosses"):
        _exchange(draw, [scenario["back"] for scenario in data[key]], "hindrance")
    scenarios = {scenario["scene"]: scenario for scenario in (*data["quests"], *data["bosses"])}
    for scene in data["scenes"]:
        scenario = scenarios[scene["id"]]
        if draw.chance(MIRRORED):
            scene["cards"], scenario["front"] = _mirrored(scene["cards"]), _other_ids(scenario["front"])
        fixed = _named_in(scene["cards"]) | _named_in(scenario["front"])
        ordinary = [card for card in scene["cards"] if card["id"] not in fixed and card["pos"][0] < 2]
        _scatter(draw, [card for card in ordinary if _is_plain(card)])
        _other_runes(draw, scene["cards"])
        _numbers(draw, scene["cards"], fixed)
        _exchange(draw, [side for side in _sides(scene["cards"]) if side["reward"]], "reward")
        _call(draw, scene, scenario)
    return data


def _sides(cards: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [card[side] for card in cards for side in ("front", "back")]


def _exchange(draw: Draw, owners: list[dict[str, Any]], key: str) -> None:
    """Let the owners have each other's."""
    found = draw.shuffled(owner[key] for owner in owners)
    for owner, value in zip(owners, found, strict=True):
        owner[key] = value


def _level(draw: Draw, owners: list[tuple[dict[str, Any], str]], least: int) -> None:
    """Numbers of which some rise by one and as many fall; none below `least`."""
    falling = [owner for owner in draw.shuffled(owners) if owner[0][owner[1]] > least]
    chosen = falling[: int(PAIRS * len(owners) / 2)]
    rising = [owner for owner in draw.shuffled(owners) if not any(owner[0] is other[0] for other in chosen)]
    for (down, key), (up, other) in zip(chosen, rising, strict=False):
        down[key] -= 1
        up[other] += 1


# ---------------------------------------------------------------------------------------------------- upgrade cards


def _upgrades(draw: Draw, cards: dict[str, Any]) -> None:
    """Other numbers on the cards of the upgrade deck, which are called after them."""
    drawn = [card for key, card in cards.items() if re.fullmatch(r"u\d\d", key)]
    options = [option for card in drawn for option in card["options"] if option["number"] > 0]
    _level(draw, [(option, "number") for option in options], least=1)
    for card in drawn:
        if not any(option["special"] for option in card["options"]):
            card["name"] = " or ".join(map(_option_name, card["options"]))


def _option_name(option: dict[str, Any]) -> str:
    """What an option is called: `Melee +2, stun`."""
    symbol = option["symbols"][0].capitalize() + " " if option["symbols"] else ""
    name = f"{symbol}+{option['number']}" if option["number"] else symbol.strip()
    more = [word for word, there in (("stun", option["stun"]), ("rage", option["rage"] > 1)) if there]
    return ", ".join([name, *more])


# ---------------------------------------------------------------------------------------------------- scenes


def _other_ids(data: Any) -> Any:
    """Data of a scene in which every card of the mosaic is named by the place that mirrors its own."""
    text = CARD_ID.sub(lambda m: f'"{m[1]}-{m[2]}{COLUMNS - 1 - int(m[3])}"', json.dumps(data))
    return json.loads(text)


def _mirrored(cards: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The cards of a scene with left and right exchanged."""
    found = _other_ids(cards)
    for card in found:
        if card["pos"][0] < 2:
            card["pos"][1] = COLUMNS - 1 - card["pos"][1]
        for side in (card["front"], card["back"]):
            for attack in attacks_of(side):
                attack["dirs"] = sorted(-d for d in attack["dirs"])
    return sorted(found, key=lambda card: card["pos"])


def _named_in(data: Any) -> set[str]:
    """The cards that something in the data names, a card itself by its own id alone not counted."""
    text = re.sub(r'"id": "[^"]*"', "", json.dumps(data))
    return set(re.findall(r'"(\d+-\d\d)"', text))


def _is_plain(card: dict[str, Any]) -> bool:
    """An enemy of its own that is only defeated, on a card that names no other."""
    enemy = card["front"]["enemy"]
    return bool(enemy) and "hp" in enemy and not _named_in(card)


def _scatter(draw: Draw, cards: list[dict[str, Any]]) -> None:
    """Let plain enemies, with what is behind them, change places."""
    found = draw.shuffled([(card["front"], card["back"]) for card in cards])
    for card, (front, back) in zip(cards, found, strict=True):
        card["front"], card["back"] = front, back


def _other_runes(draw: Draw, cards: list[dict[str, Any]]) -> None:
    """Runes for runes, the same in all of a scene."""
    names = dict(zip(RUNES, draw.shuffled(RUNES), strict=True))
    for side in _sides(cards):
        for attack in (side["enemy"] or {}).get("attacks") or ():
            attack["rune"] = names[attack["rune"]]
        for entry in (*side["flip"], *side["triggers"]):
            kind, _, rune = entry["when"].partition(":")
            if kind == "rune":
                entry["when"] = f"rune:{names[rune]}"


def _numbers(draw: Draw, cards: list[dict[str, Any]], fixed: set[str]) -> None:
    """Other strengths, and other health of enemies that no rule of the scene names; both sides of a card alike."""
    attacks = [attack for side in _sides(cards) for attack in (side["enemy"] or {}).get("attacks") or ()]
    _level(draw, [(attack, "strength") for attack in attacks if attack["strength"] > 0], least=1)
    healths = [(card, {"hp": card["front"]["enemy"]["hp"]}) for card in cards if _is_plain(card)]
    healths = [(card, health) for card, health in healths if card["id"] not in fixed and "hp<=" not in json.dumps(card)]
    before = [health["hp"] for _, health in healths]
    _level(draw, [(health, "hp") for _, health in healths], least=3)
    for (card, health), old in zip(healths, before, strict=True):
        for enemy in (card["front"]["enemy"], card["back"]["enemy"]):
            if enemy and "hp" in enemy:
                enemy["hp"] = max(enemy["hp"] + health["hp"] - old, 1)


# ---------------------------------------------------------------------------------------------------- names


def _call(draw: Draw, scene: dict[str, Any], scenario: dict[str, Any]) -> None:
    """Names by rule: places are drawn, enemies called after what they do, interactions after what they cost."""
    scene["name"] = scenario["name"] = f"{scene['kind'].capitalize()} {scene['id']}"
    places = iter(draw.shuffled(PLACES))
    for card in scene["cards"]:
        place = f"Side card {card['pos'][1] + 1}" if card["pos"][0] == 2 else next(places)
        card["front"]["name"], card["back"]["name"] = place, f"{place} (turned)"
    for side in _sides(scene["cards"]):
        if side["enemy"] and "hp" in side["enemy"]:
            side["enemy"]["name"] = _enemy_name(side["enemy"])
        for entry in side["interactions"]:
            entry["label"] = f"For {' and '.join(entry['cost'])}"


def _enemy_name(enemy: dict[str, Any]) -> str:
    """`Armoured giant archer`."""
    kinds = tuple(sorted({attack["type"] for attack in enemy["attacks"]}))
    who = {(): "watcher", ("melee",): "fighter", ("ranged",): "archer"}.get(kinds, "champion")
    effects = {attack["effect"] for attack in enemy["attacks"]}
    words = {
        "armoured": enemy["armour"], "warded": enemy["invulnerable"], "giant": enemy["hp"] >= GIANT,
        "stunning": "stun" in effects, "venomous": "poison" in effects,
    }  # fmt: skip
    return " ".join([*(word for word, there in words.items() if there), who]).capitalize()
