"""The card list as it is written in a JSON file."""

from __future__ import annotations

from typing import Annotated, Any, Literal

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
