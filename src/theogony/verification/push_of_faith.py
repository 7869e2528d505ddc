"""Push of Faith: recordings of another implementation, which are whole games, finished worlds and final rankings.

One JSON object a line. A game is a header with the starting position, a line for each decision (legal actions, the
action, what it caused, the complete position after it) and the end; a scoring file has lines of kind "world" and
"ranking". Map cells are [row, column] counted from 0, stacks are listed from the top, worlds in the order of placement.
"""

from __future__ import annotations

import functools
import hashlib
import itertools
import json
from collections.abc import Iterator
from itertools import chain
from pathlib import Path
from typing import Annotated, Any, Literal

import numpy as np
from pydantic import Field

from theogony.envs.core.position import Position
from theogony.envs.core.untrusted.checked import checked
from theogony.envs.core.verify import Case, Differ, RecordingError, compare
from theogony.envs.push_of_faith.actions import CODEC, PLACE_AT, SIDES
from theogony.envs.push_of_faith.breakdown import breakdown, turns_finished, world_squares
from theogony.envs.push_of_faith.components import FRAME, MAX_PLAYERS, TYPES
from theogony.envs.push_of_faith.state import NONE, PLACE, STACKS
from theogony.verification.chance import Part, configured, nothing_after

# ---- What the lines hold, and which game they are of

Seat = Annotated[int, Field(ge=0, lt=MAX_PLAYERS)]
God = Annotated[int, Field(ge=0, lt=TYPES)]


class Rules(Part):
    refill: Literal["auto", "choose"]
    first_player: Literal["seat0", "random"]


class Start(Part):
    split: list[list[int]]
    stacks: list[list[int]]
    map: list[list[int]]
    markers: dict[str, int]
    tokens: list[God]
    leftover_tokens: list[God]
    first_player: Seat


class RecordingHeader(Part):
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


class World(Part):
    case: int
    players: Annotated[int, Field(ge=2, le=MAX_PLAYERS)]
    tiles: Annotated[list[Three], Field(min_length=3, max_length=3)]
    rots: Annotated[list[Three], Field(min_length=3, max_length=3)]
    squares: list[str]
    statue_gods: list[list[list[God]]]
    expected: dict[str, Any]


class Ranking(Part):
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


# ---- Our actions and positions in the format of the recordings, and recorded positions as ours

KINDS = ("take", "place", "refill")


def _cell(index: int) -> list[int]:
    return list(divmod(index, 3))


def action_json(action: int) -> dict[str, Any]:
    """One of our actions in the format of the recordings, which count lines, rows and columns from 0."""
    kind, _ = CODEC.decode(action)
    number = action - CODEC.first[kind]
    if kind == "push":
        return {"type": kind, "side": SIDES[number // 3], "to": number % 3}
    if kind == "token":
        return {"type": kind, "cell": _cell(number)}
    if kind == "place":
        return {"type": kind, "cell": list(divmod(number // 4, FRAME)), "rot": number % 4}
    return {"type": kind, "stack": number}


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
    placed = zip(*(array[seat, : g.placed[seat]].tolist() for array in (g.cells, g.tiles, g.rotations)), strict=True)
    return [{"cell": list(divmod(cell, FRAME)), "tile": tile, "rot": rot} for cell, tile, rot in placed]


def result_json(position: Position) -> dict[str, Any]:
    """The end of a game in the format of the recordings."""
    reasons = breakdown(position.game, position.g)
    squares = [world_squares(position.game, position.g, seat).tolist() for seat in range(len(reasons))]
    return {**ranks_json(position), "breakdown": reasons, "squares": squares}


def ranks_json(position: Position) -> dict[str, Any]:
    """Scores, tie-break values and winners."""
    standings = position.standings()
    return {
        "scores": [int(score) for score in position.scores()],
        "tie_break": [reasons["tie_break"] for reasons in breakdown(position.game, position.g)],
        "winners": [int(seat) for seat in np.flatnonzero(standings == standings.max())],
    }


def set_up(start: Start, position: Position) -> None:
    """Write a recorded starting position over ours."""
    g = position.g
    g.map[:] = start.map
    g.stacks[:] = NONE
    for stack, tiles in enumerate(start.stacks):
        g.heights[stack] = len(tiles)
        g.stacks[stack, : len(tiles)] = tiles[::-1]
    g.tokens[:] = start.tokens + start.leftover_tokens
    g.actor = g.turn = start.first_player
    position.refresh()


# ---- A recorded game is played decision by decision and compared in all that it states


def same(differ: Differ, step: Any, line: dict[str, Any], found: dict[str, Any], field: str = "") -> None:
    """Compare the fields that `found` has; a field which the recording lacks is a difference as well."""
    expected = line if field else {key: line[key] for key in found if key in line}
    compare(differ, step, expected, found, field, whole=True)


def play_game(header: RecordingHeader, lines: Iterator[dict[str, Any]], differ: Differ) -> None:
    """Play a recorded game and compare all of it. Stops where it cannot go on."""
    position = Position(configured("push_of_faith", players=header.players, **header.options.model_dump()), 0)
    if not _start_fits(header, position, differ):
        return
    set_up(header.start, position)
    same(differ, "start", header.state, position_json(position), "state")
    for step in itertools.count():
        due = "end" if position.over else "step"
        try:
            line = next(lines, {})
        except RecordingError as error:
            return differ(step, "record", error, due)
        if line.get("record") != due:
            return differ(step, "record", line.get("record"), due)
        if due == "end":
            same(differ, "end", line, {"steps": step, **result_json(position)})
            return nothing_after(lines, differ)
        if not _play_step(position, step, line, differ):
            return


def _start_fits(header: RecordingHeader, position: Position, differ: Differ) -> bool:
    """The setup (rules §3): tiles, stacks, tokens and first player are what ours could have dealt."""
    start, t = header.start, position.tables[0]
    digest, in_use = tiles_digest(position.game.components["tiles"]), t.ids[: t.in_use].tolist()
    if header.tiles_digest != digest:
        differ("start", "tiles_digest", header.tiles_digest, f"{digest}: the game was played with another tile list")
        return False
    found = {
        "tiles_in_use": in_use,
        "split": (sorted(chain(*start.split)), [len(stack) for stack in start.split]),
        "stacks": start.stacks,
        "map": (sorted(chain(*start.map)), [len(row) for row in start.map]),
        "markers": start.markers,
        "tokens": (len(start.tokens), sorted(start.tokens + start.leftover_tokens)),
        "first_player": 0 if header.options.first_player == "seat0" else start.first_player % header.players,
    }
    expected = {
        "tiles_in_use": header.tiles_in_use,
        "split": (in_use, [height + 3 for height in position.g.heights.tolist()]),
        "stacks": [stack[3:] for stack in start.split],
        "map": (sorted(chain(*(stack[:3] for stack in start.split))), [3, 3, 3]),
        "markers": dict.fromkeys(SIDES, 1),
        "tokens": (header.players, list(range(TYPES))),
        "first_player": start.first_player,
    }
    bad = [field for field in found if found[field] != expected[field]]
    for field in bad:
        differ("start", field, expected[field], found[field])
    return not bad


def _play_step(position: Position, step: int, line: dict[str, Any], differ: Differ) -> bool:
    """Compare and play one decision. False when the recorded action cannot be played here."""
    g = position.g
    same(differ, step, line, {"step": step, "seat": int(g.actor), "kind": KINDS[g.decision]})
    legal = [ACTIONS[a] for a in position.legal_actions()]
    _same_legal(differ, step, line.get("legal"), legal)
    action: Any = line.get("action")
    if action not in legal:
        differ(step, "action", action, "not legal here")
        return False
    before = position.states[position.now : position.now + 1].copy()[0]
    position.play(ACTIONS.index(action))
    same(differ, step, line, {"events": events(before, position.g), "state": position_json(position)})
    return True


def _same_legal(differ: Differ, step: int, expected: Any, found: list[dict[str, Any]]) -> None:
    if expected == found or not isinstance(expected, list):
        return same(differ, step, {"legal": expected}, {"legal": found})
    missing, extra = [a for a in expected if a not in found], [a for a in found if a not in expected]
    if missing or extra:
        differ(step, "legal", f"{missing} as well" if missing else "fewer", f"{extra} as well" if extra else "fewer")
    else:
        differ(step, "legal", expected, f"another order: {found}")


# ---- Recorded scores: a world is placed tile by tile as the rules allow, and what it scores is compared

SPREAD = (4, 1, 0, 2, 3, 5, 6, 7, 8)  # an order in which the cells of a finished world can be filled


def _play_scoring(line: dict[str, Any], name: str, differ: Differ) -> None:
    if line["kind"] == "world":
        world = checked(World, line, name, RecordingError)
        _place_worlds(world.players, [world], differ)
        return
    ranking = checked(Ranking, line, name, RecordingError)
    if len(ranking.worlds) != ranking.players:
        raise RecordingError(f"{name}: {len(ranking.worlds)} worlds of {ranking.players} players")
    if position := _place_worlds(ranking.players, ranking.worlds, differ):
        same(differ, "ranking", line, ranks_json(position))


def _place_worlds(players: int, worlds: list[World], differ: Differ) -> Position | None:
    """Place finished worlds tile by tile as the rules allow, one for each seat, and compare how they score."""
    position = Position(configured("push_of_faith", players=players, refill="choose"), 0)
    t = position.tables[0]
    in_use = set(t.ids[: t.in_use].tolist())
    for seat, world in enumerate(worlds):
        tiles, turns = (list(chain(*rows)) for rows in (world.tiles, world.rots))
        if unknown := [tile for tile in tiles if tile not in in_use]:
            return differ(f"seat {seat}", "tiles", unknown, f"no tiles of a game with {players} players")
        if wrong := [rot for rot in turns if not 0 <= rot < 4]:
            return differ(f"seat {seat}", "rots", wrong, "no quarter turns from 0 to 3")
        for cell in SPREAD:
            g = position.g
            g.hand, g.decision, g.actor, g.turn = tiles[cell], PLACE, seat, seat
            position.refresh()
            frame_cell = (cell // 3 + 1) * FRAME + cell % 3 + 1
            position.play(PLACE_AT + 4 * frame_cell + turns[cell])
        squares = ["".join(map(str, row)) for row in world_squares(position.game, position.g, seat)]
        gods = [[_gods(t, tile) for tile in row] for row in world.tiles]
        expected = {"squares": world.squares, "statue_gods": world.statue_gods, "expected": world.expected}
        reasons = breakdown(position.game, position.g)[seat]
        same(differ, f"seat {seat}", expected, {"squares": squares, "statue_gods": gods, "expected": reasons})
    return position


def _gods(t: Any, tile: int) -> list[int]:
    return [god for god in range(TYPES) for _ in range(int(t.statues[tile, god]))]


# ---- The cases of a file


def recordings(path: Path, lines: Iterator[dict[str, Any]]) -> Iterator[Case]:
    """The cases of one file: a whole game is one case, of a scoring file every line. Raises RecordingError."""
    first = next(lines)
    if first.get("record") == "header":
        header = checked(RecordingHeader, first, "the header", RecordingError)
        yield header.id, lambda differ: play_game(header, lines, differ)
    elif first.get("kind") in ("world", "ranking"):
        for line in chain([first], lines):
            if line.get("kind") not in ("world", "ranking"):
                raise RecordingError(f"a scoring case is of kind 'world' or 'ranking', not {str(line)[:80]}")
            name = f"case {line.get('case')}"
            yield name, functools.partial(_play_scoring, line, name)
    else:
        raise RecordingError(f"{path}: begins with neither a header of a game nor a scoring case")
