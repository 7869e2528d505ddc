"""Tiles, gods and worshippers in words, from the data."""

from __future__ import annotations

from typing import Any

from theogony.envs.orbis.components import GOD_NAMES, effect_parts, worshippers

LETTERS = "wygbr"
PLURAL = {  # what gods count
    "wilderness": "wildernesses",
    "temple": "temples",
    "active_village": "active villages",
    "active_volcano": "active volcanoes",
    "active_irrigation": "active irrigation tiles",
    "active_forest": "active forests",
}


def letters(numbers: Any) -> str:
    """Worshippers as letters, one each; * is any colour."""
    return "".join(letter * int(number) for letter, number in zip(LETTERS + "*", numbers, strict=False))


def points(number: int) -> str:
    """So many points: `1 point`."""
    return f"{number} point{'' if number == 1 else 's'}"


def in_words(numbers: dict[str, int]) -> str:
    """Worshippers in words: 1 white 2 red."""
    return " ".join(f"{number} {colour}" for colour, number in numbers.items()) or "nothing"


def tile_of(game: Any, tile: int) -> dict[str, Any]:
    """The entry of the tile list."""
    return game.components["regions"][tile]


def asked(numbers: dict[str, int]) -> str:
    """Worshippers or tiles that are asked for: `1 green + 2 of any colour`."""
    return " + ".join(f"{n} {'of any colour' if name == 'any' else name}" for name, n in numbers.items())


def worshippers_in_words(number: int) -> str:
    """So many worshippers."""
    return f"{number} worshipper{'' if number == 1 else 's'}"


def effect_words(effect: dict[str, Any], short: bool = False) -> str:
    """An effect and what its points ask for, in a few words; `short` in at most 22 characters, with letters."""
    parts = effect_parts(effect)
    asks = asked(parts) if not short else f"{parts['any']} any" if [*parts] == ["any"] else letters(worshippers(parts))
    match effect["type"]:
        case "conversion":
            return f"gain {effect['count']} {effect['gain']}" if short else f"gain {asks}"
        case "farm":
            return f"farm: no {effect['waives']} to pay" + (" from then on" * (not short))
        case "village":
            number = effect["discard"]
            return f"village: discard {number}" if short else f"village: with {worshippers_in_words(number)} discarded"
        case "volcano":
            return f"volcano: destroy {asks}" if short else f"volcano: with {asks} destroyed on the display"
        case "irrigation":
            return f"irrigation: {asks} below" if short else f"irrigation: with {asks} directly below"
        case "forest":
            return f"forest: {asks.replace(' any', '')} around" if short else f"forest: with {_neighbours(effect)}"
        case "temple":
            return "1 temple" if effect["temples"] == 1 else f"{effect['temples']} temples"
    return "holy stone"


def _neighbours(effect: dict[str, Any]) -> str:
    """What a forest asks for: `at least 2 blue neighbours`."""
    number, colour = effect["count"], effect["neighbour_colour"]
    kind = "" if colour == "any" else f"{colour} "
    return f"at least {number} {kind}neighbour{'' if number == 1 else 's'}"


def tile_words(game: Any, tile: int) -> str:
    """All of a tile in one line."""
    found = tile_of(game, tile)
    cost = f"costs {asked(found['cost'])}" if found["cost"] else "free"
    return f"{found['colour']}, {cost}, {effect_words(found['effect'])}, {points(found['cp'])}"


def god_name(god: int) -> str:
    """A god as people write it."""
    return GOD_NAMES[god].replace("_", " ")


def god_words(game: Any, god: int) -> str:
    """What a god pays, in a few words."""
    found = next(one for one in game.components["gods"] if one["id"] == GOD_NAMES[god])
    end, take = found["end"], found["on_take"]
    paid = points(end["cp"])
    match end["type"]:
        case "wilderness_penalty_waived":
            return f"{paid}, own wildernesses take no points"
        case "fewest" | "most":
            return f"{paid} for the {end['type']} {PLURAL[end['what']]}"
        case "set":
            needs = ", ".join(f"{number} {what.replace('_', ' ')}" for what, number in end["needs"].items())
            return f"{paid} for {needs}"
        case "if_on_take_done":
            return f"{paid} if {worshippers_in_words(take['count'])} are discarded at once"
    return f"{paid}, gain {take['count']} worshippers" if take else paid
