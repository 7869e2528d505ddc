"""What came of a decision in Push of Faith: tiles, groups and points."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from theogony.envs.core.draw.style import seat_does, seat_name
from theogony.envs.core.game import Game
from theogony.envs.push_of_faith.actions import MAP_NAMES
from theogony.envs.push_of_faith.render.words import result, tile_words
from theogony.envs.push_of_faith.state import NONE, TAKE


def asks(game: Game, g: Any, kinds: Collection[str]) -> str:
    """What may be done where the token takes no tile; "" where the kind of decision says it all."""
    return "Take a tile: push a line of the map" if g.decision == TAKE and "token" not in kinds else ""


def story(game: Game, before: Any, action: int, after: Any, viewer: Any) -> list[str]:
    """The tile that is taken, what placing it brings, the tile that fills the map, and who won."""
    seat, lines = int(before.actor), []
    if before.hand == NONE and after.hand != NONE:
        lines.append(seat_does(seat, viewer, f"takes the tile {tile_words(game, int(after.hand))}."))
    if after.spent[seat] and not before.spent[seat]:
        lines.append(f"The token of {game.components['terrains'][int(after.tokens[seat])]} is spent.")
    if after.placed[seat] > before.placed[seat]:
        lines += _placed(game, before, after, seat, viewer)
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
    if more := _points(after, seat) - _points(before, seat):
        return f"+{more} point{'' if more == 1 else 's'}"
    return ""


def _groups(g: Any, seat: int) -> list[tuple[int, int]]:
    """The largest group and the statues of each terrain, which are multiplied."""
    return list(zip(g.largest[seat].tolist(), g.statues[seat].tolist(), strict=True))


def _points(g: Any, seat: int) -> int:
    """What the groups of a world pay."""
    return sum(size * statues for size, statues in _groups(g, seat))


def _placed(game: Game, before: Any, after: Any, seat: int, viewer: Any) -> list[str]:
    """Groups and statues that grew, and the points they bring."""
    kinds = zip(game.components["terrains"], _groups(before, seat), _groups(after, seat), strict=True)
    grown = [f"{name} {a} × {b} → {c} × {d}" for name, (a, b), (c, d) in kinds if (a, b) != (c, d)]
    points = f"points {_points(before, seat)} → {_points(after, seat)}"
    return [f"{seat_name(seat, viewer)}: {points} ({', '.join(grown)})."] if grown else []
