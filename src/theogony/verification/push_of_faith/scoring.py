"""Recorded scores: a world is placed tile by tile as the rules allow, and what it scores is compared."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain
from typing import Any

from theogony.envs.core.position import Position
from theogony.envs.core.untrusted.checked import checked
from theogony.envs.core.verify import Case, Differ, RecordingError
from theogony.envs.push_of_faith.actions import PLACE_AT
from theogony.envs.push_of_faith.breakdown import breakdown, world_squares
from theogony.envs.push_of_faith.components import FRAME, TYPES
from theogony.envs.push_of_faith.state import PLACE
from theogony.verification.push_of_faith.compare import same
from theogony.verification.push_of_faith.format import Ranking, World, configured, get
from theogony.verification.push_of_faith.snapshot import ranks_json

SPREAD = (4, 1, 0, 2, 3, 5, 6, 7, 8)  # an order in which the cells of a finished world can be filled


def scoring_cases(first: dict[str, Any], lines: Iterator[dict[str, Any]]) -> Iterator[Case]:
    line: Any = first
    while line is not None:
        if get(line, "kind") not in ("world", "ranking"):
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
    position = Position(configured(players, "choose", "seat0"), 0)
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
