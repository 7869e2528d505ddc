"""Action cards, companions' skills and heroes in words, from the component file."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from theogony.envs.core.vocabulary import Entry
from theogony.envs.god_of_war.actions import play_names
from theogony.envs.god_of_war.components.tables import plays, skill_options, upgrade_types
from theogony.envs.god_of_war.vocabulary.effects import hero_effects, rune_name


def option_words(option: dict[str, Any]) -> str:
    """One way to play a card: `melee +1, stuns`, `+2 to an attack or block`, `look at 2 upgrade cards`."""
    if option["special"]:
        gains = f"; {option['rage']} rage" if option["rage"] else ""
        return hero_effects(option["special"]) + gains
    number = f"+{option['number']}" if option["number"] else ""
    if not option["symbols"]:
        return f"{number} to an attack or block"
    symbol = f"{option['symbols'][0]} {number or 'with number cards'}"
    return symbol + ", stuns" * option["stun"] + f", {option['rage']} rage" * (option["rage"] > 1)


def card_words(card: dict[str, Any]) -> str:
    """All ways to play a card."""
    return " or ".join(option_words(option) for option in card["options"])


def crystal_words(data: dict[str, Any]) -> str:
    """What a crystal adds."""
    return f"+{data['status_cards']['crystal']['number_attack_only']} to an attack"


def status_cards(data: dict[str, Any]) -> Iterator[Entry]:
    """Stun, poison and crystal."""
    does = {
        "stun": "drawn for nothing, then discarded",
        "poison": "does 1 damage when it is drawn, and is replaced",
        "crystal": f"{crystal_words(data)}, or pays a crystal",
    }
    for key, said in does.items():
        yield Entry("card", key, key.capitalize(), said, key, "§6.3")


def card_name(card: dict[str, Any]) -> str:
    """A design by name; one with a comma, `Melee +2, rage`, would fall apart in a list of cards."""
    return card["name"].replace(", ", " with ")


def cards(data: dict[str, Any]) -> Iterator[Entry]:
    """Every design, every way to play one, and every upgrade card."""
    designs = {key: (card_name(card), card_words(card)) for key, card in data["action_cards"].items()}
    for key, (name, does) in designs.items():
        yield Entry("card", key, name, does, rule="§5.2")
    yield from status_cards(data)
    for key, (design, k) in zip(play_names(data), plays(data), strict=True):
        yield _play(data, key, design, k)
    for key in upgrade_types(data):
        design, rune = key.split(":")
        name, does = designs[design]
        yield Entry("upgrade card", key, f"{name}, rune {rune_name(rune)}", does, rule="§4")


def _play(data: dict[str, Any], key: str, design: str, k: int) -> Entry:
    if design == "crystal":
        return Entry("play", key, "Crystal", crystal_words(data), "crystal", "§6.3")
    card = data["action_cards"][design]
    option = card["options"][k]
    as_what = f", as {(option['symbols'] or ['number'])[0]}" if len(card["options"]) > 1 else ""
    icon = "" if option["special"] else (option["symbols"] or ["number"])[0]
    return Entry("play", key, card_name(card) + as_what, option_words(option), icon, "§5.2")


def skill_words(option: dict[str, Any]) -> str:
    """One way to use a companion's skill."""
    if attack := option.get("attack"):
        stun = ", stuns" if attack["stun"] else ""
        twice = " on two enemies" if attack["targets"] > 1 else ""
        return f"{attack['type']} {attack['strength']}{stun}{twice}"
    if option.get("special"):
        return hero_effects(option["special"])
    return f"+{option['number']} to an attack" if option.get("number") else f"block {option['block']}"


def skills(data: dict[str, Any]) -> Iterator[Entry]:
    """What the companions of a single player can do."""
    figures = {figure["id"]: figure["name"] for hero in data["heroes"] for figure in hero["figures"]}
    owners = {skill["id"]: figures[skill["owner"]] for skill in data["solo"]["companions"]}
    for _, skill, option in skill_options(data):
        said = skill_words(option)
        yield Entry("skill", f"{skill} {option['id']}", f"{owners[skill]}: {said}", "once a scene", rule="§10")


def heroes(data: dict[str, Any]) -> Iterator[Entry]:
    """Heroes and their figures, with what a full rage track allows."""
    for hero in data["heroes"]:
        does = "; ".join(_ability(figure, len(hero["figures"]) > 1) for figure in hero["figures"])
        icon = hero["figures"][0]["id"]
        yield Entry("hero", hero["id"], hero["name"], does, icon, "§9")
        for figure in hero["figures"]:
            yield Entry("figure", figure["id"], figure["name"], _ability(figure, False), figure["id"], "§9")


def _ability(figure: dict[str, Any], named: bool) -> str:
    who = f"{figure['name']}: " if named else ""
    rage = f"{figure['rage']['name']} ({hero_effects(figure['rage']['effects'])})"
    return f"{who}{figure['hp']} health; at {figure['rage_max']} rage {rage}"
