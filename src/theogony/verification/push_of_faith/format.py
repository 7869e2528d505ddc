"""The format of recordings of another implementation: what the lines of its files hold, and which game they are of.

One JSON object a line. A game is a header with the starting position, a line for each decision (legal actions, the
action, what it caused, the complete position after it) and the end; a scoring file has lines of kind "world" and
"ranking". Map cells are [row, column] counted from 0, stacks are listed from the top, worlds in the order of placement.
"""

from __future__ import annotations

import hashlib
import json
from functools import cache
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from theogony.envs.core.game import Game
from theogony.envs.core.registry import load
from theogony.envs.push_of_faith.components import MAX_PLAYERS, TYPES

Seat = Annotated[int, Field(ge=0, lt=MAX_PLAYERS)]
God = Annotated[int, Field(ge=0, lt=TYPES)]


class _Part(BaseModel):
    model_config = ConfigDict(strict=True, extra="ignore")


class Rules(_Part):
    refill: Literal["auto", "choose"]
    first_player: Literal["seat0", "random"]


class Start(_Part):
    split: list[list[int]]
    stacks: list[list[int]]
    map: list[list[int]]
    markers: dict[str, int]
    tokens: list[God]
    leftover_tokens: list[God]
    first_player: Seat


class RecordingHeader(_Part):
    game: Literal["push_of_faith"]
    schema_: Literal[1] = Field(alias="schema")
    id: str
    players: Annotated[int, Field(ge=2, le=MAX_PLAYERS)]
    options: Rules
    tiles_digest: str
    tiles_in_use: list[int]
    start: Start
    state: dict[str, Any]


Three = Annotated[list[int], Field(min_length=3, max_length=3)]


class World(_Part):
    case: int
    players: Annotated[int, Field(ge=2, le=MAX_PLAYERS)]
    tiles: Annotated[list[Three], Field(min_length=3, max_length=3)]
    rots: Annotated[list[Three], Field(min_length=3, max_length=3)]
    squares: list[str]
    statue_gods: list[list[list[God]]]
    expected: dict[str, Any]


class Ranking(_Part):
    case: int
    players: Annotated[int, Field(ge=2, le=MAX_PLAYERS)]
    worlds: list[World]
    scores: list[int]
    tie_break: list[int]
    winners: list[int]


def tiles_digest(tiles: list[dict[str, Any]]) -> str:
    """SHA-256 of a tile list, by which recordings name the tiles they were played with."""
    keys = ("id", "players", "squares", "statues")
    listed = [{key: tile[key] for key in keys} for tile in sorted(tiles, key=lambda tile: tile["id"])]
    return hashlib.sha256(json.dumps(listed, separators=(",", ":")).encode("ascii")).hexdigest()


def get(line: Any, key: str) -> Any:
    """A field of a line; None when the line is no object or lacks it."""
    return line.get(key) if isinstance(line, dict) else None


@cache
def configured(players: int, refill: str, first_player: str) -> Game:
    """The game with the options of a recording."""
    return load("push_of_faith").configure({"players": players, "refill": refill, "first_player": first_player})
