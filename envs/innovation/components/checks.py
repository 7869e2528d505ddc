"""Card lists that cannot be played are refused in one line, which names the card and what was expected."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Annotated, Any, Literal

from theogony.envs.core.game import ComponentError, read_components
from theogony.envs.core.untrusted.checked import checked
from theogony.envs.core.untrusted.models import BaseModel, ConfigDict, Field
from theogony.envs.innovation.components.pieces import AGES, CARDS

Icon = Literal["castle", "crown", "leaf", "bulb", "factory", "clock"]


class Card(BaseModel):
    """One card: icons by place (top left, bottom left, bottom centre, bottom right), null for the picture."""

    model_config = ConfigDict(extra="ignore")
    name: str
    age: Annotated[int, Field(ge=1, le=AGES)]
    colour: Literal["blue", "red", "green", "yellow", "purple"]
    icons: Annotated[list[Icon | None], Field(min_length=4, max_length=4)]
    dogma: Icon
    effects: Annotated[list[dict[str, Any]], Field(min_length=1, max_length=3)] | None = None  # see cards/recipes.py


class CardFile(BaseModel):
    """A card file. Other keys are allowed and ignored."""

    model_config = ConfigDict(extra="ignore")
    cards: Annotated[list[Card], Field(min_length=CARDS, max_length=CARDS)]


# ---- Card lists that cannot be played are refused in one line, which names the card and what was expected --------

MOST_OF_AN_ICON = 130  # visible icons are counted in bytes, to which `enough_icons` of the rules adds 125


def load_cards(path: str | Path) -> dict[str, Any]:
    """A checked card file as plain data. Raises ComponentError naming the file, the card and what was expected."""
    return check_cards(read_components(path), str(path))


def check_cards(raw: Any, path: str) -> dict[str, Any]:
    """Card data, checked; `path` says in messages where it comes from. Raises ComponentError."""
    cards = checked(CardFile, raw, path, ComponentError).cards
    names = [card.name for card in cards]
    for number, card in enumerate(cards):
        if names.index(card.name) != number:
            raise ComponentError(f"{path}: card {number}: {card.name!r} is listed twice")
        if number and card.age < cards[number - 1].age:
            raise ComponentError(f"{path}: card {number} ({card.name!r}): cards must be sorted by age")
        if card.dogma not in card.icons:
            raise ComponentError(f"{path}: card {number} ({card.name!r}): its dogma icon {card.dogma} is not on it")
    for age in range(1, AGES + 1):
        if not any(card.age == age for card in cards):
            raise ComponentError(f"{path}: no card of age {age}")
    for icon, printed in Counter(icon for card in cards for icon in card.icons if icon).items():
        if printed > MOST_OF_AN_ICON:
            raise ComponentError(
                f"{path}: the icon {icon} is printed {printed} times, at most {MOST_OF_AN_ICON} were expected"
            )
    return {"cards": [{k: v for k, v in card.model_dump().items() if k != "effects" or v} for card in cards]}
