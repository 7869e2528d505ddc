"""Tile lists that cannot be played are refused in one line, which names the tile and what was expected."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Annotated, Any, Literal

from theogony.envs.core.game import ComponentError, read_components
from theogony.envs.core.untrusted.checked import checked
from theogony.envs.core.untrusted.models import BaseModel, ConfigDict, Field
from theogony.envs.orbis.components.pieces import DISPLAY, GOD_NAMES, GODS, LEVELS, MAX_PLAYERS, REGIONS

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


# ---- Tile lists that cannot be played are refused in one line, which names the tile and what was expected --------


def load_tiles(path: str | Path) -> dict[str, Any]:
    """A checked tile file as plain data. Raises ComponentError naming the file, the tile and what was expected."""
    return check_tiles(read_components(path), path)


def check_tiles(data: Any, path: str | Path) -> dict[str, Any]:
    """The content of a tile file, checked; `path` says in messages where it comes from. Raises ComponentError."""
    tiles = checked(TileFile, data, str(path), ComponentError).model_dump()
    gods = [god["id"] for god in tiles["gods"]]
    if sorted(gods) != sorted(GOD_NAMES):
        odd = ", ".join(sorted(set(gods) ^ set(GOD_NAMES))) or "one is listed twice"
        raise ComponentError(f"{path}: gods: the ten printed gods were expected; missing, unknown or double: {odd}")
    listed = Counter(tile["id"] for tile in tiles["regions"])
    for tile in tiles["regions"]:
        if listed[tile["id"]] > 1:
            raise ComponentError(f"{path}: tile {tile['id']} is listed twice")
        if tile["colour"] != "white" and tile["mythology"] is not None:
            raise ComponentError(f"{path}: tile {tile['id']}: only a white tile has a mythology value")
    return tiles


def check_enough(data: dict[str, Any], players: int, path: str | Path) -> None:
    """Raises ComponentError when the tiles do not make a game of that many players (rules §2)."""
    if str(players) not in data["setup"]:
        raise ComponentError(f"{path}: setup: there is none for {players} players")
    used = regions_in_use(data, players)
    needed = REGIONS * players + DISPLAY
    if len(used) != needed:
        raise ComponentError(f"{path}: {len(used)} tiles for {players} players, but a game takes exactly {needed}")
    first = sum(tile["level"] == 1 for tile in used)
    if first < DISPLAY:
        raise ComponentError(f"{path}: {first} tiles of level 1 for {players} players, but the display takes {DISPLAY}")
    if data["setup"][str(players)]["gods"] < players:
        raise ComponentError(f"{path}: setup.{players}: a god for each player was expected")


def regions_in_use(data: dict[str, Any], players: int) -> list[dict[str, Any]]:
    """The region tiles of a player count: all but those with the stars that are taken out (rules §2)."""
    removed = data["setup"][str(players)]["remove_stars"]
    return [tile for tile in data["regions"] if tile["stars"] not in removed]
