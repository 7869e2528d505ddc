"""The pieces as they are written in the JSON files of a folder."""

from __future__ import annotations

from typing import Annotated

from theogony.envs.core.untrusted.models import BaseModel, ConfigDict, Field
from theogony.envs.terra_mystica.components.geometry import COLOURS, REACHES

STRICT = ConfigDict(extra="forbid")

GoodsText = Annotated[str, Field(pattern=r"^(\d+ (C|W|P|PW|S)( \d+ (C|W|P|PW|S))*)?$")]
Colour = Annotated[str, Field(pattern="^(" + "|".join(COLOURS) + ")$")]
Small = Annotated[int, Field(ge=0, le=100)]


class Shipping(BaseModel):
    model_config = STRICT
    start: Small
    max: Annotated[int, Field(ge=0, lt=REACHES)]
    vp: list[Small]


class Digging(BaseModel):
    model_config = STRICT
    max: Annotated[int, Field(ge=0, le=2)]
    spade: Annotated[list[GoodsText], Field(min_length=1, max_length=3)]
    cost: GoodsText


class Faction(BaseModel):
    """One faction board: start, costs, income of each slot in the order it is emptied."""

    model_config = STRICT
    home: Colour
    start: GoodsText
    bowls: Annotated[list[Small], Field(min_length=3, max_length=3)]
    cults: Annotated[list[Small], Field(min_length=4, max_length=4)]
    first_dwellings: Annotated[int, Field(ge=1, le=3)]
    income: GoodsText
    cost: dict[str, GoodsText]
    lone_trading_house: Small
    slots: dict[str, list[GoodsText]]
    shipping: Shipping | None
    digging: Digging


class BonusCard(BaseModel):
    model_config = STRICT
    income: GoodsText
    pass_vp: dict[str, Small] = {}


class FavorTile(BaseModel):
    model_config = STRICT
    copies: Small
    cult: str
    steps: Small
    income: GoodsText = ""
    build_vp: dict[str, Small] = {}
    pass_vp: list[Small] = []


class TownTile(BaseModel):
    model_config = STRICT
    copies: Small
    vp: Small
    gain: GoodsText
    keys: Small
    steps: Small = 0


class ScoringTile(BaseModel):
    """`every` steps on `cult` give the reward; without a cult every priest on the cult board does."""

    model_config = STRICT
    scores: list[str]
    vp: Small
    reward: GoodsText
    cult: str | None = None
    every: Small = 1


class Tiles(BaseModel):
    model_config = STRICT
    bonus: dict[str, BonusCard]
    favor: dict[str, FavorTile]
    town: dict[str, TownTile]
    scoring: dict[str, ScoringTile]


class Components(BaseModel):
    """All pieces: `map` (rows of letters), `factions`, `tiles`."""

    model_config = STRICT
    map: list[str]
    factions: dict[str, Faction]
    tiles: Tiles
