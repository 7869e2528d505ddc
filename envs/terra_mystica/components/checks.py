"""Pieces that cannot be played are refused in one line, which names the piece and what was expected.

Rules do not check indices, and count in small integers. So numbers may differ from the printed ones, but only as far as
no track, table or counter can overflow, and no decision can be left without a legal action.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any

from theogony.envs.core.game import ComponentError, read_components
from theogony.envs.core.untrusted.checked import checked
from theogony.envs.core.untrusted.models import BaseModel, ConfigDict, Field
from theogony.envs.terra_mystica.components import pieces
from theogony.envs.terra_mystica.components.tables import COLOURS, REACHES, build_map

GoodsText = Annotated[str, Field(pattern=r"^(\d+ (C|W|P|PW|S)( \d+ (C|W|P|PW|S))*)?$")]
Colour = Annotated[str, Field(pattern="^(" + "|".join(COLOURS) + ")$")]
Small = Annotated[int, Field(ge=0, le=100)]


class Part(BaseModel):
    model_config = ConfigDict(extra="forbid")


class Shipping(Part):
    start: Small
    max: Annotated[int, Field(ge=0, lt=REACHES)]
    vp: list[Small]


class Digging(Part):
    max: Annotated[int, Field(ge=0, le=2)]
    spade: Annotated[list[GoodsText], Field(min_length=1, max_length=3)]
    cost: GoodsText


class Faction(Part):
    """One faction board: start, costs, income of each slot in the order it is emptied."""

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


class BonusCard(Part):
    income: GoodsText
    pass_vp: dict[str, Small] = {}


class FavorTile(Part):
    copies: Small
    cult: str
    steps: Small
    income: GoodsText = ""
    build_vp: dict[str, Small] = {}
    pass_vp: list[Small] = []


class TownTile(Part):
    copies: Small
    vp: Small
    gain: GoodsText
    keys: Small
    steps: Small = 0


class ScoringTile(Part):
    """`every` steps on `cult` give the reward; without a cult every priest on the cult board does."""

    scores: list[str]
    vp: Small
    reward: GoodsText
    cult: str | None = None
    every: Small = 1


class Tiles(Part):
    bonus: dict[str, BonusCard]
    favor: dict[str, FavorTile]
    town: dict[str, TownTile]
    scoring: dict[str, ScoringTile]


class Components(Part):
    """All pieces: `map` (rows of letters), `factions`, `tiles`."""

    map: list[str]
    factions: dict[str, Faction]
    tiles: Tiles


# ---- Pieces that cannot be played are refused in one line, which names the piece and what was expected -----------

MAP_ROWS, MAP_LETTERS = 20, 100
MOST = (30, 15, pieces.PRIESTS, 12, 4)  # coins, workers, priests, power and spades of one gain, cost or income
MOST_KEYS = 3
LEAST_COPIES = {"favor": dict.fromkeys(("FAV1", "FAV2", "FAV3", "FAV4"), 1), "town": {"TW6": 1, "TW8": 1}}
USUAL_COPIES = {"favor": 3, "town": 2}  # of the others: with fewer, somebody might have none to choose
MOST_COPIES = 10


def load_components(folder: str | Path) -> dict[str, Any]:
    """The pieces of a folder: map.json, factions.json and tiles.json. Raises ComponentError naming what is wrong."""
    folder = Path(folder)
    board = read_components(folder / "map.json")
    rows = board.get("rows") if isinstance(board, dict) else None
    raw = {"map": rows} | {name: read_components(folder / f"{name}.json") for name in ("factions", "tiles")}
    file = checked(Components, raw, str(folder), ComponentError)
    try:
        build_map(file.map)
    except ValueError as error:
        raise ComponentError(f"{folder / 'map.json'}: {error}") from None
    _check_names(folder, file)
    return file.model_dump()


def check_components(data: Any, where: str | Path) -> dict[str, Any]:
    """The pieces, checked; `where` says in messages where they come from. Raises ComponentError."""
    file = checked(Components, data, str(where), ComponentError)
    _check_map(file.map, where)
    _check_names(Path(where), file)
    for problem in _problems(file):
        raise ComponentError(f"{where}: {problem}")
    return file.model_dump()


def _check_map(rows: list[str], where: str | Path) -> None:
    if len(rows) > MAP_ROWS or any(len(row) > MAP_LETTERS for row in rows):
        raise ComponentError(f"{where}: map: at most {MAP_ROWS} rows of {MAP_LETTERS} letters were expected")
    try:
        board = build_map(rows)
    except ValueError as error:
        raise ComponentError(f"{where}: map: {error}") from None
    if (board.land, board.river, board.sites) != (BOARD.land, BOARD.river, BOARD.sites):
        raise ComponentError(f"{where}: the map has its rivers elsewhere than the printed one")


def _check_names(folder: Path, file: Components) -> None:
    """Raises ComponentError for pieces that are not those of the box, by name, or that do not fit together."""
    tiles = file.tiles
    known = (
        ("factions", file.factions, pieces.FACTIONS), ("bonus cards", tiles.bonus, pieces.BONUS),
        ("favor tiles", tiles.favor, pieces.FAVOR), ("town tiles", tiles.town, pieces.TOWN),
        ("scoring tiles", tiles.scoring, pieces.SCORING),
    )  # fmt: skip
    for what, found, expected in known:
        if set(found) != set(expected):
            wrong = ", ".join(sorted(set(found) ^ set(expected)))
            raise ComponentError(f"{folder}: {what}: {wrong} missing or unknown; expected are {', '.join(expected)}")
    for name, faction in file.factions.items():
        for k, kind in enumerate(pieces.STRUCTURES, 1):
            if kind not in faction.cost or len(faction.slots.get(kind, [])) != pieces.LIMITS[k]:
                raise ComponentError(f"{folder}: {name}: {kind} needs a cost and {pieces.LIMITS[k]} slots")
        if sum(faction.bowls) != 12:
            raise ComponentError(f"{folder}: {name}: its bowls hold {sum(faction.bowls)} power, expected 12")
    for name, tile in {**tiles.favor, **tiles.scoring}.items():
        if tile.cult is not None and tile.cult not in pieces.CULTS:
            raise ComponentError(f"{folder}: {name}: cult {tile.cult!r} is none of {', '.join(pieces.CULTS)}")


def _problems(file: Components) -> Iterator[str]:
    """Everything that rules could stumble over."""
    for name, faction in file.factions.items():
        yield from (f"factions: {name}: {problem}" for problem in _faction(faction))
    tiles = file.tiles
    for name, card in tiles.bonus.items():
        yield from _goods(f"{name}: income", card.income)
        yield from _known(f"{name}: pass_vp", card.pass_vp, (*pieces.STRUCTURES, "ship"))
    for name, tile in tiles.favor.items():
        yield from _goods(f"{name}: income", tile.income)
        yield from _known(f"{name}: build_vp", tile.build_vp, pieces.STRUCTURES)
        yield from _copies("favor", name, tile.copies)
        if tile.steps > pieces.TOP:
            yield f"{name}: steps {tile.steps}: a cult track has {pieces.TOP}"
        if len(tile.pass_vp) not in (0, 5):
            yield f"{name}: pass_vp: 5 numbers were expected, for 0 to 4 trading houses"
    for name, tile in tiles.town.items():
        yield from _goods(f"{name}: gain", tile.gain)
        yield from _copies("town", name, tile.copies)
        if tile.steps > pieces.TOP or tile.keys > MOST_KEYS:
            yield f"{name}: at most {pieces.TOP} steps and {MOST_KEYS} keys were expected"
    for name, tile in tiles.scoring.items():
        yield from _goods(f"{name}: reward", tile.reward)
        yield from _known(f"{name}: scores", tile.scores, pieces.SCORES)
        if tile.every < 1:
            yield f"{name}: every: a number from 1 on was expected"


def _faction(faction: Any) -> Iterator[str]:
    texts = [("start", faction.start), ("income", faction.income), ("digging: cost", faction.digging.cost)]
    texts += [(f"cost {kind}", text) for kind, text in faction.cost.items()]
    texts += [(f"slots {kind}", text) for kind, slots in faction.slots.items() for text in slots]
    texts += [("digging: spade", text) for text in faction.digging.spade]
    for what, text in texts:
        yield from _goods(what, text)
    yield from _known("cost", faction.cost, pieces.STRUCTURES)
    yield from _known("slots", faction.slots, pieces.STRUCTURES)
    if any(pieces.goods(text)[pieces.WORKER] + pieces.goods(text)[pieces.PRIEST] < 1 for text in faction.digging.spade):
        yield "digging: spade: one worker or priest at least was expected"
    if any(pieces.goods(text)[pieces.SPADE] for text in (faction.start, faction.income, faction.digging.cost)):
        yield "spades are no part of a start, an income or a cost"
    if max(faction.cults) > pieces.TOP:
        yield f"cults: a cult track has {pieces.TOP} steps"
    ship = faction.shipping
    if ship is not None and not (ship.start <= ship.max < REACHES - 1 and len(ship.vp) <= REACHES):
        yield f"shipping: start, then max, at most {REACHES - 2}, with at most {REACHES} numbers of vp was expected"


def _goods(what: str, text: str) -> Iterator[str]:
    if len(text) > 60 or any(number > most for number, most in zip(pieces.goods(text), MOST, strict=True)):
        yield f"{what}: {text!r:.60}: at most {MOST} coins, workers, priests, power and spades were expected"


def _known(what: str, found: Any, expected: tuple[str, ...]) -> Iterator[str]:
    for name in found:
        if name not in expected:
            yield f"{what}: {name!r:.60} is none of {', '.join(expected)}"


def _copies(kind: str, name: str, copies: int) -> Iterator[str]:
    least = LEAST_COPIES[kind].get(name, USUAL_COPIES[kind])
    if not least <= copies <= MOST_COPIES:
        yield f"{name}: copies {copies}: {least} to {MOST_COPIES} were expected"


BOARD = build_map(load_components(pieces.DATA)["map"])  # labels and bridge sites are those of the printed board
