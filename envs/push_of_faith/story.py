"""What came of a decision in Push of Faith: tiles, groups and points."""

from __future__ import annotations

from typing import Any

from theogony.envs.core.draw.style import seat_does, seat_name
from theogony.envs.core.game import Game
from theogony.envs.push_of_faith.actions import MAP_NAMES
from theogony.envs.push_of_faith.render.words import result, tile_words
from theogony.envs.push_of_faith.state import NONE


def story(game: Game, before: Any, action: int, after: Any, viewer: Any) -> list[str]:
    """The tile that is taken, what placing it brings, the tile that fills the map, and who won."""
    seat = int(before.actor)
    who, lines = seat_name(seat, viewer), []
    if before.hand == NONE and after.hand != NONE:
        lines.append(seat_does(seat, viewer, f"takes the tile {tile_words(game, int(after.hand))}."))
    if after.spent[seat] and not before.spent[seat]:
        lines.append(f"The token of {game.components['terrains'][int(after.tokens[seat])]} is spent.")
    if after.placed[seat] > before.placed[seat]:
        lines += _placed(game, before, after, seat, who)
    if before.hole != NONE and after.hole == NONE:
        tile = int(after.map.reshape(-1)[int(before.hole)])
        lines.append(f"The map is filled at {MAP_NAMES[int(before.hole)]}: {tile_words(game, tile)}.")
    if after.over:
        lines.append(f"The game is over: {result(game, after, viewer)}.")
    return lines


def note(game: Game, before: Any, action: int, after: Any, viewer: Any) -> str:
    """The tile that a move takes, or the points that it brings: `+4 points`."""
    seat = int(before.actor)
    if before.hand == NONE and after.hand != NONE:
        return tile_words(game, int(after.hand))
    if more := _points(game, after, seat) - _points(game, before, seat):
        return f"+{more} point{'' if more == 1 else 's'}"
    return ""


def _points(game: Game, g: Any, seat: int) -> int:
    """What the groups of a world pay."""
    return sum(int(g.largest[seat, k]) * int(g.statues[seat, k]) for k in range(len(game.components["terrains"])))


def _placed(game: Game, before: Any, after: Any, seat: int, who: str) -> list[str]:
    """Groups and statues that grew, and the points they bring."""
    grown, points = [], [0, 0]
    for kind, name in enumerate(game.components["terrains"]):
        then, now = ((int(g.largest[seat, kind]), int(g.statues[seat, kind])) for g in (before, after))
        points = [points[0] + then[0] * then[1], points[1] + now[0] * now[1]]
        if now != then:
            grown.append(f"{name} {then[0]} × {then[1]} → {now[0]} × {now[1]}")
    return [f"{who}: points {points[0]} → {points[1]} ({', '.join(grown)})."] if grown else []
