"""Tiles, gods and worshippers in words, from the data."""

from __future__ import annotations

from typing import Any

from theogony.envs.orbis.components import GOD_NAMES, effect_parts, worshippers

LETTERS = "wygbr"


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


def effect_words(effect: dict[str, Any], short: bool = False) -> str:
    """An effect in a few words; `short` writes worshippers as letters."""

    def shown(numbers: dict[str, int]) -> str:
        return letters(worshippers(numbers)) if short else in_words(numbers)

    match effect["type"]:
        case "conversion":
            return f"gain {effect['count']} {effect['gain']}"
        case "farm":
            return f"farm of {effect['waives']}"
        case "village":
            return f"village for {effect['discard']}"
        case "volcano":
            return f"volcano on {shown(effect['destroy'])}"
        case "irrigation":
            return f"irrigation over {shown(effect_parts(effect))}"
        case "forest":
            return f"forest by {shown(effect_parts(effect))}"
        case "temple":
            return "1 temple" if effect["temples"] == 1 else f"{effect['temples']} temples"
    return "holy stone"


def tile_words(game: Any, tile: int) -> str:
    """All of a tile in one line."""
    found = tile_of(game, tile)
    cost = f"costs {in_words(found['cost'])}" if found["cost"] else "free"
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
            return f"{paid}, wilderness is free"
        case "fewest" | "most":
            return f"{paid} for the {end['type']} {end['what'].replace('_', ' ')}"
        case "set":
            needs = ", ".join(f"{number} {what.replace('_', ' ')}" for what, number in end["needs"].items())
            return f"{paid} for {needs}"
        case "if_on_take_done":
            return f"{paid} for {take['count']} worshippers"
    return f"{paid}, gain {take['count']} worshippers" if take else paid
