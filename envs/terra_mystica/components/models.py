"""The printed pieces as data: read from the JSON files of a folder, and checked."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

from theogony.envs.core.game import ComponentError, read_components
from theogony.envs.core.untrusted.checked import checked
from theogony.envs.core.untrusted.models import BaseModel, ConfigDict, Field
from theogony.envs.terra_mystica.components.geometry import COLOURS, REACHES, build_map
from theogony.envs.terra_mystica.components.pieces import (
    BONUS,
    CULTS,
    DATA,
    FACTIONS,
    FAVOR,
    LIMITS,
    SCORING,
    STRUCTURES,
    TOWN,
)  # fmt: skip

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


def load_components(folder: str | Path) -> dict[str, Any]:
    """The pieces of a folder: map.json, factions.json and tiles.json. Raises ComponentError naming what is wrong."""
    folder = Path(folder)
    board = read_components(folder / "map.json")
    rows = board.get("rows") if isinstance(board, dict) else None
    raw = {"map": rows} | {name: read_components(folder / f"{name}.json") for name in ("factions", "tiles")}
    pieces = checked(Components, raw, str(folder), ComponentError)
    try:
        build_map(pieces.map)
    except ValueError as error:
        raise ComponentError(f"{folder / 'map.json'}: {error}") from None
    check_names(folder, pieces)
    return pieces.model_dump()


def check_names(folder: Path, pieces: Components) -> None:
    tiles = pieces.tiles
    known = [("factions", pieces.factions, FACTIONS), ("bonus cards", tiles.bonus, BONUS)]
    known += [
        ("favor tiles", tiles.favor, FAVOR),
        ("town tiles", tiles.town, TOWN),
        ("scoring tiles", tiles.scoring, SCORING),
    ]
    for what, found, expected in known:
        if set(found) != set(expected):
            wrong = ", ".join(sorted(set(found) ^ set(expected)))
            raise ComponentError(f"{folder}: {what}: {wrong} missing or unknown; expected are {', '.join(expected)}")
    for name, faction in pieces.factions.items():
        for k, kind in enumerate(STRUCTURES, 1):
            if kind not in faction.cost or len(faction.slots.get(kind, [])) != LIMITS[k]:
                raise ComponentError(f"{folder}: {name}: {kind} needs a cost and {LIMITS[k]} slots")
        if sum(faction.bowls) != 12:
            raise ComponentError(f"{folder}: {name}: its bowls hold {sum(faction.bowls)} power, expected 12")
    for name, tile in {**tiles.favor, **tiles.scoring}.items():
        if tile.cult is not None and tile.cult not in CULTS:
            raise ComponentError(f"{folder}: {name}: cult {tile.cult!r} is none of {', '.join(CULTS)}")


BOARD = build_map(load_components(DATA)["map"])  # labels and bridge sites are those of the printed board
