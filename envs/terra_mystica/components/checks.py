"""Pieces that cannot be played are refused in one line, which names the piece and what was expected.

Rules do not check indices, and count in small integers. So numbers may differ from the printed ones, but only as far as
no track, table or counter can overflow, and no decision can be left without a legal action.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any, Literal

from theogony.envs.core.game import ComponentError, read_components
from theogony.envs.core.untrusted.checked import checked
from theogony.envs.core.untrusted.models import BaseModel, ConfigDict, Field
from theogony.envs.terra_mystica.components import pieces
from theogony.envs.terra_mystica.components.tables import COLOURS, REACHES, build_map

MOST = (30, 15, pieces.PRIESTS, 12, 4)  # coins, workers, priests, power and spades of one gain, cost or income
LEAST_COPIES = {"favor": dict.fromkeys(("FAV1", "FAV2", "FAV3", "FAV4"), 1), "town": {"TW6": 1, "TW8": 1}}
USUAL_COPIES = {"favor": 3, "town": 2}  # of the others: with fewer, somebody might have none to choose
MOST_COPIES = 10

GoodsText = Annotated[str, Field(pattern=r"^(\d+ (C|W|P|PW|S)( \d+ (C|W|P|PW|S))*)?$", max_length=60)]
Colour = Annotated[str, Field(pattern="^(" + "|".join(COLOURS) + ")$")]
Cult = Literal["FIRE", "WATER", "EARTH", "AIR"]
Structure = Literal["D", "TP", "TE", "SH", "SA"]
Small = Annotated[int, Field(ge=0, le=100)]
Steps = Annotated[int, Field(ge=0, le=pieces.TOP)]


class Part(BaseModel):
    model_config = ConfigDict(extra="forbid")


class Shipping(Part):
    start: Small
    max: Annotated[int, Field(ge=0, lt=REACHES)]
    vp: Annotated[list[Small], Field(max_length=REACHES)]


class Digging(Part):
    max: Annotated[int, Field(ge=0, le=2)]
    spade: Annotated[list[GoodsText], Field(min_length=1, max_length=3)]
    cost: GoodsText


class Faction(Part):
    """One faction board: start, costs, income of each slot in the order it is emptied."""

    home: Colour
    start: GoodsText
    bowls: Annotated[list[Small], Field(min_length=3, max_length=3)]
    cults: Annotated[list[Steps], Field(min_length=4, max_length=4)]
    first_dwellings: Annotated[int, Field(ge=1, le=3)]
    income: GoodsText
    cost: dict[Structure, GoodsText]
    lone_trading_house: Small
    slots: dict[Structure, list[GoodsText]]
    shipping: Shipping | None
    digging: Digging


class BonusCard(Part):
    income: GoodsText
    pass_vp: dict[Literal["D", "TP", "TE", "SH", "SA", "ship"], Small] = {}


class FavorTile(Part):
    copies: Small
    cult: Cult
    steps: Steps
    income: GoodsText = ""
    build_vp: dict[Structure, Small] = {}
    pass_vp: list[Small] = []


class TownTile(Part):
    copies: Small
    vp: Small
    gain: GoodsText
    keys: Annotated[int, Field(ge=0, le=3)]
    steps: Steps = 0


class ScoringTile(Part):
    """`every` steps on `cult` give the reward; without a cult every priest on the cult board does."""

    scores: list[Literal["D", "TP", "TE", "SH", "SA", "SPADE", "TOWN"]]
    vp: Small
    reward: GoodsText
    cult: Cult | None = None
    every: Annotated[int, Field(ge=1, le=100)] = 1


class Tiles(Part):
    bonus: dict[str, BonusCard]
    favor: dict[str, FavorTile]
    town: dict[str, TownTile]
    scoring: dict[str, ScoringTile]


class Components(Part):
    """All pieces: `map` (rows of letters), `factions`, `tiles`."""

    map: Annotated[list[Annotated[str, Field(max_length=100)]], Field(max_length=20)]
    factions: dict[str, Faction]
    tiles: Tiles


BOARD = build_map(read_components(pieces.DATA / "map.json")["rows"])  # the printed one has the labels and bridge sites


def load_components(folder: str | Path) -> dict[str, Any]:
    """The pieces of a folder: map.json, factions.json and tiles.json. Raises ComponentError naming what is wrong."""
    folder = Path(folder)
    board = read_components(folder / "map.json")
    rows = board.get("rows") if isinstance(board, dict) else None
    raw = {"map": rows} | {name: read_components(folder / f"{name}.json") for name in ("factions", "tiles")}
    return check_components(raw, folder)


def check_components(data: Any, where: str | Path) -> dict[str, Any]:
    """The pieces, checked; `where` says in messages where they come from. Raises ComponentError."""
    file = checked(Components, data, str(where), ComponentError)
    for problem in _problems(file):
        raise ComponentError(f"{where}: {problem}")
    return file.model_dump()


def _problems(file: Components) -> Iterator[str]:
    """Everything that rules could stumble over."""
    try:
        board = build_map(file.map)
    except ValueError as error:
        yield f"map: {error}"
        return
    if (board.land, board.river, board.sites) != (BOARD.land, BOARD.river, BOARD.sites):
        yield "the map has its rivers elsewhere than the printed one"
    tiles = file.tiles
    known = (
        ("factions", file.factions, pieces.FACTIONS), ("bonus cards", tiles.bonus, pieces.BONUS),
        ("favor tiles", tiles.favor, pieces.FAVOR), ("town tiles", tiles.town, pieces.TOWN),
        ("scoring tiles", tiles.scoring, pieces.SCORING),
    )  # fmt: skip
    for what, found, expected in known:
        if set(found) != set(expected):
            wrong = ", ".join(sorted(set(found) ^ set(expected)))
            yield f"{what}: {wrong} missing or unknown; expected are {', '.join(expected)}"
    for name, faction in file.factions.items():
        yield from (f"factions: {name}: {problem}" for problem in _faction(faction))
    for name, card in tiles.bonus.items():
        yield from _goods(f"{name}: income", card.income)
    for name, tile in tiles.favor.items():
        yield from _goods(f"{name}: income", tile.income)
        yield from _copies("favor", name, tile.copies)
        if len(tile.pass_vp) not in (0, 5):
            yield f"{name}: pass_vp: 5 numbers were expected, for 0 to 4 trading houses"
    for name, tile in tiles.town.items():
        yield from _goods(f"{name}: gain", tile.gain)
        yield from _copies("town", name, tile.copies)
    for name, tile in tiles.scoring.items():
        yield from _goods(f"{name}: reward", tile.reward)


def _faction(faction: Faction) -> Iterator[str]:
    for k, kind in enumerate(pieces.STRUCTURES, 1):
        if kind not in faction.cost or len(faction.slots.get(kind, [])) != pieces.LIMITS[k]:
            yield f"{kind} needs a cost and {pieces.LIMITS[k]} slots"
    if sum(faction.bowls) != 12:
        yield f"its bowls hold {sum(faction.bowls)} power, expected 12"
    texts = [("start", faction.start), ("income", faction.income), ("digging: cost", faction.digging.cost)]
    texts += [(f"cost {kind}", text) for kind, text in faction.cost.items()]
    texts += [(f"slots {kind}", text) for kind, slots in faction.slots.items() for text in slots]
    texts += [("digging: spade", text) for text in faction.digging.spade]
    for what, text in texts:
        yield from _goods(what, text)
    if any(pieces.goods(text)[pieces.WORKER] + pieces.goods(text)[pieces.PRIEST] < 1 for text in faction.digging.spade):
        yield "digging: spade: one worker or priest at least was expected"
    if any(pieces.goods(text)[pieces.SPADE] for text in (faction.start, faction.income, faction.digging.cost)):
        yield "spades are no part of a start, an income or a cost"
    ship = faction.shipping
    if ship is not None and not ship.start <= ship.max < REACHES - 1:
        yield f"shipping: start, then max, at most {REACHES - 2} was expected"


def _goods(what: str, text: str) -> Iterator[str]:
    if any(number > most for number, most in zip(pieces.goods(text), MOST, strict=True)):
        yield f"{what}: {text!r}: at most {MOST} coins, workers, priests, power and spades were expected"


def _copies(kind: str, name: str, copies: int) -> Iterator[str]:
    least = LEAST_COPIES[kind].get(name, USUAL_COPIES[kind])
    if not least <= copies <= MOST_COPIES:
        yield f"{name}: copies {copies}: {least} to {MOST_COPIES} were expected"
