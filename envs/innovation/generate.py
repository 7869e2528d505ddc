"""Cards drawn anew: effects from the recipes of the card language, in the printed pattern of ages, colours and icons.

Each age keeps its cards by colour, its faces (three icons, one of them the dogma's), and how many effects and demands
its cards have. Drawn are which card has which face and how the icons lie on it, and every effect: values are about
that of the card, icons and splays those of its age. Cards are called after colour and age, so a name tells what its
place in an observation tells.
"""

from __future__ import annotations

import itertools
from typing import Any

from theogony.envs.core.packs import Draw
from theogony.envs.innovation.cards import BY_NAME
from theogony.envs.innovation.cards.recipes import AFTER_DEMANDS, BLANKS, DEMANDS, RECIPES, SHARES
from theogony.envs.innovation.components import AGES, DEFAULT_CARDS, load_cards

SPLAYS = ((3, ("left",)), (6, ("left", "right")), (AGES, ("right", "up")))  # up to which age cards splay where
LOOKS_BACK = 0.5  # share of the shares behind a demand that ask what it did


def generate(options: Any, draw: Draw) -> dict[str, Any]:
    """A card list of the form of `data/cards.json`, whose cards bring their effects along."""
    printed = load_cards(DEFAULT_CARDS)["cards"]
    cards: list[dict[str, Any]] = []
    for age, group in itertools.groupby(printed, key=lambda card: card["age"]):
        of_age = list(group)
        faces, patterns = draw.shuffled(of_age), draw.shuffled(of_age)
        icons = sorted({icon for card in of_age for icon in card["icons"] if icon})
        numbers: dict[str, int] = {}
        for card, face, pattern in zip(of_age, faces, patterns, strict=True):
            colour = card["colour"]
            numbers[colour] = numbers.get(colour, 0) + 1
            name = f"{colour.capitalize()} {age}{'abcdef'[numbers[colour] - 1]}"
            shown = draw.shuffled(face["icons"])
            effects = _effects(draw, age, icons, pattern["name"])
            cards.append({"name": name, "age": age, "colour": colour, "icons": shown, "dogma": face["dogma"],
                          "effects": effects})  # fmt: skip
    return {"cards": cards}


def _effects(draw: Draw, age: int, icons: list[str], pattern: str) -> list[dict[str, Any]]:
    """As many effects as a printed card has, with a demand where it has one; no recipe twice."""
    found: list[dict[str, Any]] = []
    names = draw.shuffled(SHARES)
    for effect in BY_NAME[pattern].effects:
        if effect.demand:
            name = draw.choice(list(DEMANDS))
        elif found and found[0]["recipe"] in DEMANDS and len(found) == 1 and draw.chance(LOOKS_BACK):
            name = draw.choice(list(AFTER_DEMANDS))
        else:
            name = names.pop()
        found.append(_filled(draw, name, age, icons))
    return found


def _filled(draw: Draw, name: str, age: int, icons: list[str]) -> dict[str, Any]:
    """A recipe with its blanks filled in as suits the age."""
    effect: dict[str, Any] = {"recipe": name}
    for blank in RECIPES[name].blanks:
        if blank == "value":
            value = min(max(age + draw.choice((-1, 0, 0, 0, 1)), 1), AGES)
            effect[blank] = value + value % 2 if name == "take scored of value" else value
        elif blank == "icon":
            effect[blank] = draw.choice(icons)
        elif blank == "direction":
            effect[blank] = draw.choice(next(ways for last, ways in SPLAYS if age <= last))
        elif blank == "other_colour":
            effect[blank] = draw.choice([colour for colour in BLANKS[blank] if colour != effect["colour"]])
        else:
            effect[blank] = draw.choice(BLANKS[blank])
    return effect
