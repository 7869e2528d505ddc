"""Reader for recordings of another implementation: whole games, finished worlds and final rankings."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import chain
from pathlib import Path
from typing import Any

from theogony.envs.core.checked import checked
from theogony.envs.core.position import Position
from theogony.envs.core.verify import Case, Differ, RecordingError
from theogony.envs.push_of_faith.actions import CODEC, FRAME_NAMES, SIDES
from theogony.envs.push_of_faith.breakdown import breakdown, world_squares
from theogony.envs.push_of_faith.components import FRAME, TYPES
from theogony.envs.push_of_faith.recording_format import (
    ACTIONS,
    KINDS,
    Header,
    Ranking,
    Start,
    World,
    events,
    position_json,
    ranks_json,
    result_json,
    same,
    tiles_digest,
)
from theogony.envs.push_of_faith.state import NONE

SPREAD = (4, 1, 0, 2, 3, 5, 6, 7, 8)  # an order in which the cells of a finished world can be filled


def recordings(path: Path, lines: Iterator[dict[str, Any]]) -> Iterator[Case]:
    """The cases of one file: a whole game is one case, of a scoring file every line. Raises RecordingError."""
    first = next(lines, None)
    if first is None:
        raise RecordingError(f"{path}: is empty")
    if _get(first, "record") == "header":
        header = checked(Header, first, "the header", RecordingError)
        yield header.id, lambda differ: _play_game(header, lines, differ)
    elif _get(first, "kind") in ("world", "ranking"):
        yield from _scoring_cases(first, lines)
    else:
        raise RecordingError(f"{path}: begins with neither a header of a game nor a scoring case")


def _get(line: Any, key: str) -> Any:
    return line.get(key) if isinstance(line, dict) else None


@cache
def _game(players: int, refill: str, first_player: str) -> Any:
    from theogony.envs.push_of_faith.game import SPEC  # which names this reader

    return SPEC.configure({"players": players, "refill": refill, "first_player": first_player})


# ---------------------------------------------------------------------------------------------------- games


def _play_game(header: Header, lines: Iterator[dict[str, Any]], differ: Differ) -> None:
    """Play a recorded game and compare all of it. Stops where it cannot go on."""
    game = _game(header.players, header.options.refill, header.options.first_player)
    position = Position(game, 0)
    if not _start_fits(header, position, differ):
        return
    set_up(header.start, position)
    same(differ, "start", header.state, position_json(position), "state")
    step = 0
    while True:
        try:
            line = next(lines, None)
        except RecordingError as error:
            return differ(step, "record", error, "end" if position.over else "step")
        if _get(line, "record") != ("end" if position.over else "step"):
            return differ(step, "record", _get(line, "record"), "end" if position.over else "step")
        assert isinstance(line, dict)
        if position.over:
            break
        if not _play_step(position, step, line, differ):
            return
        step += 1
    same(differ, "end", line, {"steps": step, **result_json(position)})
    if (further := next(lines, None)) is not None:
        differ("end", "record", f"after the end: {further}", "nothing")


def _start_fits(header: Header, position: Position, differ: Differ) -> bool:
    """The setup (rules §3): tiles, stacks, tokens and first player are what ours could have dealt."""
    start, t = header.start, position.tables[0]
    digest, in_use = tiles_digest(position.game.components["tiles"]), [int(i) for i in t.ids[: t.in_use]]
    if header.tiles_digest != digest:
        differ("start", "tiles_digest", header.tiles_digest, f"{digest}: the game was played with another tile list")
        return False
    heights = [int(h) for h in position.g.heights]
    cells = [tile for row in start.map for tile in row]
    found = {
        "tiles_in_use": in_use,
        "split": (sorted(t for s in start.split for t in s), [len(s) for s in start.split]),
        "stacks": start.stacks,
        "map": (sorted(cells), [len(row) for row in start.map]),
        "markers": start.markers,
        "tokens": (len(start.tokens), sorted(start.tokens + start.leftover_tokens)),
        "first_player": 0 if header.options.first_player == "seat0" else start.first_player % header.players,
    }
    expected = {
        "tiles_in_use": header.tiles_in_use,
        "split": (in_use, [height + 3 for height in heights]),
        "stacks": [stack[3:] for stack in start.split],
        "map": (sorted(tile for stack in start.split for tile in stack[:3]), [3, 3, 3]),
        "markers": dict.fromkeys(SIDES, 1),
        "tokens": (header.players, list(range(TYPES))),
        "first_player": start.first_player,
    }
    bad = [field for field in found if found[field] != expected[field]]
    for field in bad:
        differ("start", field, expected[field], found[field])
    return not bad


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


# ---------------------------------------------------------------------------------------------------- scoring


def _scoring_cases(first: dict[str, Any], lines: Iterator[dict[str, Any]]) -> Iterator[Case]:
    line: Any = first
    while line is not None:
        if _get(line, "kind") not in ("world", "ranking"):
            raise RecordingError(f"a scoring case is of kind 'world' or 'ranking', not {str(line)[:80]}")
        name = f"case {line.get('case')}"
        yield name, lambda differ, line=line, name=name: _play_scoring(line, name, differ)
        line = next(lines, None)


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
    position = Position(_game(players, "choose", "seat0"), 0)
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
            g.hand, g.decision, g.actor, g.turn = tiles[cell], KINDS.index("place"), seat, seat
            position.refresh()
            position.play(CODEC.encode("place", FRAME_NAMES[(cell // 3 + 1) * FRAME + cell % 3 + 1], turns[cell]))
        squares = ["".join(map(str, row)) for row in world_squares(position.game, position.g, seat)]
        gods = [[_gods(t, tile) for tile in row] for row in world.tiles]
        expected = {"squares": world.squares, "statue_gods": world.statue_gods, "expected": world.expected}
        reasons = breakdown(position.game, position.g)[seat]
        same(differ, f"seat {seat}", expected, {"squares": squares, "statue_gods": gods, "expected": reasons})
    return position


def _gods(t: Any, tile: int) -> list[int]:
    return [god for god in range(TYPES) for _ in range(int(t.statues[tile, god]))]
