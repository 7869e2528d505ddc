"""The tile list as it is written in a JSON file."""

from __future__ import annotations

from typing import Annotated, Literal

from theogony.envs.core.untrusted.models import BaseModel, ConfigDict, Field
from theogony.envs.orbis.components.pieces import GODS, LEVELS, MAX_PLAYERS

Colour = Literal["white", "yellow", "green", "blue", "red"]
ColourOrAny = Literal["white", "yellow", "green", "blue", "red", "any"]
Counted = Literal["active_village", "active_volcano", "active_irrigation", "active_forest", "temple", "wilderness"]
Amount = Annotated[int, Field(ge=1, le=10)]
Points = Annotated[int, Field(ge=0, le=50)]


class Piece(BaseModel):
    """Part of a tile file. Keys that are not known are ignored."""

    model_config = ConfigDict(extra="ignore", strict=True)


class Conversion(Piece):
    type: Literal["conversion"]
    gain: ColourOrAny
    count: Annotated[int, Field(ge=1, le=2)]


class HolyStone(Piece):
    type: Literal["holy_stone"]


class Farm(Piece):
    type: Literal["farm"]
    waives: Colour


class Village(Piece):
    type: Literal["village"]
    discard: Amount


class Volcano(Piece):
    type: Literal["volcano"]
    destroy: Annotated[dict[ColourOrAny, Amount], Field(min_length=1)]


class Irrigation(Piece):
    type: Literal["irrigation"]
    below: Annotated[list[Colour], Field(min_length=1, max_length=2)]


class Forest(Piece):
    type: Literal["forest"]
    neighbour_colour: ColourOrAny
    count: Annotated[int, Field(ge=1, le=6)]


class Temple(Piece):
    type: Literal["temple"]
    temples: Annotated[int, Field(ge=1, le=5)]


class Region(Piece):
    """One region tile. Worshippers are written as colour -> number; "any" is one of any colour."""

    id: Annotated[str, Field(pattern=r"^\S+$")]
    level: Annotated[int, Field(ge=1, le=LEVELS)]
    colour: Colour
    cost: dict[ColourOrAny, Amount]
    effect: Annotated[
        Conversion | HolyStone | Farm | Village | Volcano | Irrigation | Forest | Temple, Field(discriminator="type")
    ]
    cp: Points
    stars: Literal["none", "white", "purple"]
    mythology: Annotated[int, Field(ge=1, le=100)] | None


class OnTake(Piece):
    type: Literal["optional_discard", "gain"]
    count: Amount
    colour: str


class Flat(Piece):
    type: Literal["flat", "wilderness_penalty_waived", "if_on_take_done"]
    cp: Points


class Compared(Piece):
    type: Literal["fewest", "most"]
    what: Counted
    cp: Points


class Needed(Piece):
    type: Literal["set"]
    needs: dict[Counted, Amount]
    cp: Points


class God(Piece):
    id: str
    on_take: OnTake | None
    end: Annotated[Flat | Compared | Needed, Field(discriminator="type")]


class Setup(Piece):
    gods: Annotated[int, Field(ge=1, le=GODS)]
    temple_tokens: Annotated[list[Points], Field(max_length=MAX_PLAYERS)]
    remove_stars: list[Literal["white", "purple"]]


class TileFile(Piece):
    setup: dict[Literal["2", "3", "4"], Setup]
    gods: list[God]
    regions: Annotated[list[Region], Field(max_length=127)]
