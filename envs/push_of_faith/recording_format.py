"""The format of recordings of another implementation: its lines, and our actions and positions written so.

One JSON object a line. A game is a header with the starting position, a line for each decision (legal actions, the
action, what it caused, the complete position after it) and the end; a scoring file has lines of kind "world" and
"ranking". Map cells are [row, column], stacks are listed from the top, worlds in the order of placement.
"""

from __future__ import annotations

import hashlib
import json
from typing import Annotated, Any, Literal

import numpy as np
from pydantic import BaseModel, ConfigDict, Field

from theogony.envs.core.position import Position
from theogony.envs.core.verify import Differ, compare
from theogony.envs.push_of_faith.actions import CODEC, FRAME_NAMES, MAP_NAMES, SIDES
from theogony.envs.push_of_faith.breakdown import breakdown, turns_finished, world_squares
from theogony.envs.push_of_faith.components import FRAME, MAX_PLAYERS, TYPES
from theogony.envs.push_of_faith.state import NONE, STACKS

KINDS = ("take", "place", "refill")
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


class Header(_Part):
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


# ---------------------------------------------------------------------------------------------------- as JSON


def _cell(index: int) -> list[int]:
    return list(divmod(index, 3))


def action_json(action: int) -> dict[str, Any]:
    """One of our actions in the format of the recordings."""
    kind, arguments = CODEC.decode(action)
    if kind == "push":
        return {"type": kind, "side": arguments[0], "to": arguments[1]}
    if kind == "token":
        return {"type": kind, "cell": _cell(MAP_NAMES.index(str(arguments[0])))}
    if kind == "place":
        cell = FRAME_NAMES.index(str(arguments[0]))
        return {"type": kind, "cell": list(divmod(cell, FRAME)), "rot": arguments[1]}
    return {"type": kind, "stack": arguments[0]}


ACTIONS = [action_json(action) for action in range(CODEC.size)]


def events(before: Any, g: Any) -> dict[str, Any]:
    """What a decision caused, seen from the positions around it."""
    if g.hand != NONE:  # a tile was taken
        source = _cell(int(np.flatnonzero(before.map.reshape(-1) == g.hand)[0]))
        taken = {"taken": int(g.hand), "from": source, "hole": _cell(int(g.hole))}
        spent = g.spent[g.actor] > before.spent[g.actor]
        return {**taken, "god": int(g.tokens[g.actor])} if spent else taken
    if g.hole != NONE:  # placed, the stack is chosen next
        return {}
    refilled = _cell(int(before.hole))
    stack = int(np.flatnonzero(before.heights != g.heights)[0])
    return {"drawn": int(g.map[tuple(refilled)]), "stack": stack, "refilled": refilled}


def position_json(position: Position) -> dict[str, Any]:
    """A position in the format of the recordings."""
    g, players = position.g, position.game.players
    return {
        "turn": turns_finished(g),
        "phase": "over" if position.over else KINDS[g.decision],
        "to_move": None if position.over else int(g.actor),
        "map": [[None if tile == NONE else int(tile) for tile in row] for row in g.map],
        "markers": {side: int(index) for side, index in zip(SIDES, g.markers, strict=True)},
        "hand": None if g.hand == NONE else int(g.hand),
        "hole": None if g.hole == NONE else _cell(int(g.hole)),
        "stacks": [[int(tile) for tile in g.stacks[s, : g.heights[s]][::-1]] for s in range(STACKS)],
        "tokens": [{"god": int(g.tokens[s]), "spent": bool(g.spent[s])} for s in range(players)],
        "worlds": [_world(g, seat) for seat in range(players)],
    }


def _world(g: Any, seat: int) -> list[dict[str, Any]]:
    return [
        {
            "cell": list(divmod(int(g.cells[seat, k]), FRAME)),
            "tile": int(g.tiles[seat, k]),
            "rot": int(g.rotations[seat, k]),
        }
        for k in range(int(g.placed[seat]))
    ]


def result_json(position: Position) -> dict[str, Any]:
    """The end of a game in the format of the recordings."""
    reasons = breakdown(position.game, position.g)
    return {
        **ranks_json(position),
        "breakdown": reasons,
        "squares": [world_squares(position.game, position.g, s).tolist() for s in range(len(reasons))],
    }


def ranks_json(position: Position) -> dict[str, Any]:
    """Scores, tie-break values and winners."""
    standings = position.standings()
    return {
        "scores": [int(score) for score in position.scores()],
        "tie_break": [reasons["tie_break"] for reasons in breakdown(position.game, position.g)],
        "winners": [int(seat) for seat in np.flatnonzero(standings == standings.max())],
    }


# ---------------------------------------------------------------------------------------------------- comparing


def same(differ: Differ, step: Any, line: dict[str, Any], found: dict[str, Any], field: str = "") -> None:
    """Compare the fields that `found` has; a field which the recording lacks is a difference as well."""
    expected, ours = _tree(line), _tree(found)
    _report_missing(differ, step, expected, ours, field)
    wanted = expected if field else {key: expected[key] for key in ours if key in expected}
    compare(differ, step, wanted, ours, field)


def _report_missing(differ: Differ, step: Any, expected: Any, found: Any, field: str) -> None:
    if isinstance(expected, dict) and isinstance(found, dict):
        for key, value in found.items():
            where = f"{field}.{key}" if field else str(key)
            if key in expected:
                _report_missing(differ, step, expected[key], value, where)
            else:
                differ(step, where, "nothing", value)


def _tree(value: Any) -> Any:
    """Lists of lists or objects as objects by index, so that a difference is named by its place."""
    if isinstance(value, list) and any(isinstance(item, dict | list) for item in value):
        value = dict(enumerate(value))
    return {key: _tree(item) for key, item in value.items()} if isinstance(value, dict) else value
