"""Scenes that are drawn: another fight with the same plot."""

import json
import re
from collections import Counter
from typing import Any

from theogony.envs import load
from theogony.envs.core.packs import Draw

SPEC = load("god_of_war")
PRINTED = SPEC.configure({"players": 2}).components
SEEDS = range(12)


def drawn(seed: int) -> dict[str, Any]:
    assert SPEC.generate is not None
    return SPEC.generate(SPEC.check_options({"players": 2}), Draw(seed, "god_of_war"))


def sides(scene: dict[str, Any]) -> list[dict[str, Any]]:
    return [card[side] for card in scene["cards"] for side in ("front", "back")]


def strengths(scene: dict[str, Any]) -> list[int]:
    return [a["strength"] for side in sides(scene) for a in (side["enemy"] or {}).get("attacks") or ()]


def test_sums_stay_as_printed() -> None:
    for seed in SEEDS:
        data = drawn(seed)
        for scene, printed in zip(data["scenes"], PRINTED["scenes"], strict=True):
            assert sum(strengths(scene)) == sum(strengths(printed)) and len(strengths(scene)) == len(strengths(printed))
            fronts = [[c["front"]["enemy"]["hp"] for c in s["cards"] if "hp" in (c["front"]["enemy"] or ())]
                      for s in (scene, printed)]  # fmt: skip
            assert sum(fronts[0]) == sum(fronts[1]) and len(fronts[0]) == len(fronts[1])
        numbers = [
            sum(option["number"] for card in cards.values() for option in card["options"])
            for cards in (data["action_cards"], PRINTED["action_cards"])
        ]
        assert numbers[0] == numbers[1]


def test_the_plot_stays() -> None:
    """What asks for what: the same conditions and effects, runes aside, by as many cards."""

    def plot(scene: dict[str, Any]) -> Counter[str]:
        rules = [rule for side in sides(scene) for key in ("flip", "triggers", "interactions") for rule in side[key]]
        plain = (json.dumps({k: v for k, v in rule.items() if k != "label"}) for rule in rules)
        return Counter(re.sub(r'rune:\w+|\d+-\d\d|"dirs": \[[^\]]*\]', "", text) for text in plain)

    for seed in SEEDS:
        for scene, printed in zip(drawn(seed)["scenes"], PRINTED["scenes"], strict=True):
            assert plot(scene) == plot(printed)


def test_scenes_differ_in_sides_runes_and_places() -> None:
    found = [drawn(seed)["scenes"][0] for seed in SEEDS]
    assert len({json.dumps(scene) for scene in found}) == len(SEEDS)
    runes = [
        {a["rune"] for side in sides(scene) for a in (side["enemy"] or {}).get("attacks") or ()} for scene in found
    ]
    assert all(runes)


def test_no_printed_name_is_left_in_a_scene() -> None:
    names = {side["name"] for scene in PRINTED["scenes"] for side in sides(scene)}
    names |= {
        side["enemy"]["name"] for scene in PRINTED["scenes"] for side in sides(scene) if "name" in (side["enemy"] or ())
    }
    names -= {"Ridge", "Gully", "Ledge", "Bridge"}  # plain words
    for seed in SEEDS:
        own = {side["name"] for scene in drawn(seed)["scenes"] for side in sides(scene)}
        assert not own & names


def test_names_of_cards_say_their_numbers() -> None:
    for seed in SEEDS:
        for key, card in drawn(seed)["action_cards"].items():
            if re.fullmatch(r"u\d\d", key) and not any(option["special"] for option in card["options"]):
                assert card["name"].count("+") == sum(option["number"] > 0 for option in card["options"])
                for option in card["options"]:
                    assert not option["number"] or f"+{option['number']}" in card["name"]
