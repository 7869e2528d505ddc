"""Scene cards, quests and bosses in words, from the component file."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from theogony.envs.core.vocabulary import Entry
from theogony.envs.god_of_war.components.pieces import COLUMNS
from theogony.envs.god_of_war.state import SCENES
from theogony.envs.god_of_war.vocabulary.effects import (
    CONDITIONS,
    SceneWords,
    columns_hit,
    hindrance,
    rune_name,
    slot_name,
    status_words,
)


def attack_words(attack: dict[str, Any], column: int | None, words: SceneWords, tokens: int | None = None) -> str:
    """An attack without its rune: `melee 3 on columns 1, 2 + stun card`; `column` is that of its card, None beside.

    `tokens` are those that add to it, None where they are not known."""
    said = f"{attack['type']} {attack['strength'] + (tokens or 0)}"
    if on := attack.get("plus_tokens"):
        plus = "+1 for each token" if tokens is None else f"{attack['strength']} +{tokens} for the tokens"
        said += f" ({plus} on {words.card(on)})"
    return said + columns_hit(attack, column) + status_words(attack)


def moment(when: str) -> str:
    """When something of a card happens: a rune, or a condition."""
    kind, _, more = when.replace("<=", "<:").replace(">=", ">:").partition(":")
    return rune_name(more) if kind == "rune" else CONDITIONS[kind].format(more)


def boxes(side: dict[str, Any], words: SceneWords) -> Iterator[str]:
    """Boxed effects, flips and interactions of a side, a phrase each."""
    for box in side["triggers"]:
        asked = f", if {' and '.join(words.predicate(p) for p in box['if'])}" if box["if"] else ""
        yield f"{moment(box['when'])}{asked}: {words.effects(box['do'])}"
    for flip in side["flip"]:
        said = words.flip(flip)
        yield f"{moment(flip['when'])}: {said}" if flip["when"].startswith("rune") else said
    for k, entry in enumerate(side["interactions"], 1):
        asked = f", if {' and '.join(words.predicate(p) for p in entry['if'])}" if entry["if"] else ""
        cost = " + ".join(entry["cost"])
        yield f"interaction {k}, {entry['label']} ({cost}{asked}): {words.effects(entry['do'])}"


def side_words(card: dict[str, Any], side: dict[str, Any], words: SceneWords) -> str:
    """All of a side of a scene card."""
    row, column = card["pos"]
    at = column if row < 2 else None
    enemy, parts = side.get("enemy"), []
    if enemy and "part_of" in enemy:
        parts.append(f"part of {words.card(enemy['part_of'])}")
    elif enemy:
        armour = f", armour {'/'.join(map(str, enemy['armour']))}" if enemy["armour"] else ""
        parts.append(f"{enemy['name']}, {enemy['hp']} health{armour}{', invulnerable' * enemy['invulnerable']}")
    attacks = enemy["attacks"] if enemy else ()
    parts += [f"{rune_name(attack['rune'])}: {attack_words(attack, at, words)}" for attack in attacks]
    parts += boxes(side, words)
    if side["reward"]:
        parts.append(f"reward: {words.effects(side['reward'])}")
    if side["tokens"]:
        parts.append(f"{side['tokens']['start']} tokens, at most {side['tokens']['max']}")
    return "; ".join(parts) or "nothing"


def turned_with(scene: dict[str, Any], card: str) -> list[str]:
    """The cards that turn to their backs together with one, and this one."""
    for other in scene["cards"]:
        for flip in other["front"]["flip"]:
            turned = [other["id"] if key == "self" else key for key in flip["cards"]]
            if card in turned:
                return turned
    return [card]


def both_sides(scene: dict[str, Any], card: dict[str, Any]) -> tuple[str, str]:
    """All that the front and the back of a scene card do; a back names the cards that turned over with it by theirs."""
    turned = SceneWords(scene, turned_with(scene, card["id"]))
    return side_words(card, card["front"], SceneWords(scene)), side_words(card, card["back"], turned)


def scene_cards(data: dict[str, Any]) -> Iterator[Entry]:
    """Every scene card with all that its two sides do."""
    for scene in data["scenes"]:
        for card in scene["cards"]:
            front, back = both_sides(scene, card)
            row, column = card["pos"]
            name = f"{card['front']['name']} ({slot_name(COLUMNS * row + column)} of {scene['name']})"
            yield Entry("scene card", card["id"], name, f"{front}. Turned, {card['back']['name']}: {back}", rule="§6")


def scenario_words(
    data: dict[str, Any], scenario: dict[str, Any], words: SceneWords | None = None
) -> tuple[str, str, str]:
    """Goal, failure ("" without one) and hindrance of a quest or boss.

    Without `words`, cards have the names of their fronts."""
    words = words or SceneWords(next(scene for scene in data["scenes"] if scene["id"] == scenario["scene"]))
    goal = " and ".join(words.predicate(p) for p in scenario["front"]["success"]["all"])
    fails = (scenario["front"].get("fail") or {"any": ()})["any"]
    return goal, " or ".join(words.predicate(p) for p in fails), hindrance(scenario["back"]["hindrance"])


def scenarios(data: dict[str, Any]) -> Iterator[Entry]:
    """Quests and bosses with what must be done and what must not happen. How they hinder stands on their backs, which
    nobody sees while a scene is chosen (R3)."""
    for scenario in (*data["quests"], *data["bosses"]):
        goal, failure, _ = scenario_words(data, scenario)
        kind = "boss" if scenario in data["bosses"] else "quest"
        does = f"{kind}; goal: {goal}" + (f"; failure: {failure}" if failure else "")
        yield Entry("scenario", SCENES[scenario["id"] - 1], scenario["name"], does, rule="§8")
