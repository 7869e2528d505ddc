"""Worlds as grids of squares, and the reasons of a score."""

from __future__ import annotations

from typing import Any

import numpy as np

from theogony.envs.core.contract import Account
from theogony.envs.core.game import Game
from theogony.envs.push_of_faith.components import FRAME, TYPES
from theogony.envs.push_of_faith.state import NONE


def frame_squares(game: Game, g: Any, seat: int) -> np.ndarray:
    """Terrain of every square of a seat's 5x5 frame, int8 of shape (5 side, 5 side); -1 where no tile lies."""
    terrain = game.tables[0].terrain
    side = terrain.shape[2]
    grid = np.full((FRAME * side, FRAME * side), NONE, np.int8)
    for k in range(int(g.placed[seat])):
        row, column = divmod(int(g.cells[seat, k]), FRAME)
        tile = terrain[int(g.tiles[seat, k]), int(g.rotations[seat, k])]
        grid[row * side : (row + 1) * side, column * side : (column + 1) * side] = tile
    return grid


def world_squares(game: Game, g: Any, seat: int) -> np.ndarray:
    """The squares inside the bounding box of a world: (3 side, 3 side) when it is finished. Empty before its start."""
    if not g.placed[seat]:
        return np.zeros((0, 0), np.int8)
    side = game.tables[0].terrain.shape[2]
    top, bottom, left, right = (int(edge) * side for edge in g.box[seat])
    return frame_squares(game, g, seat)[top : bottom + side, left : right + side]


def groups(grid: np.ndarray) -> list[list[tuple[int, int]]]:
    """The connected groups of a grid of squares, each as a list of (row, column), largest first (rules §7)."""
    unseen = {(int(r), int(c)) for r, c in np.argwhere(grid != NONE)}
    found = []
    while unseen:
        start = min(unseen)
        unseen.remove(start)
        members = [start]
        for r, c in members:  # grows while it is read
            for beside in ((r - 1, c), (r + 1, c), (r, c - 1), (r, c + 1)):
                if beside in unseen and grid[beside] == grid[start]:
                    unseen.remove(beside)
                    members.append(beside)
        found.append(members)
    return sorted(found, key=len, reverse=True)


def breakdown(game: Game, g: Any) -> list[dict[str, Any]]:
    """For each seat, by terrain: sizes of its groups, the largest, statues, points; and score and tie-break value.

    The groups are counted from the tiles as they lie; `largest` and `statues` are what the rules keep count of.
    """
    return [_seat_breakdown(game, g, seat) for seat in range(game.players)]


def _seat_breakdown(game: Game, g: Any, seat: int) -> dict[str, Any]:
    grid = frame_squares(game, g, seat)
    sizes: list[list[int]] = [[] for _ in range(TYPES)]
    for members in groups(grid):
        sizes[grid[members[0]]].append(len(members))
    largest, statues = g.largest[seat].tolist(), g.statues[seat].tolist()
    points = [a * b for a, b in zip(largest, statues, strict=True)]
    return {
        "groups": sizes,
        "largest": largest,
        "statues": statues,
        "points": points,
        "score": sum(points),
        "tie_break": max(largest),
    }


def turns_finished(g: Any) -> int:
    """Turns that their refill has closed: 0 to 9 a seat (rules §5.3)."""
    waits_for_refill = g.hole != NONE and g.hand == NONE
    return sum(g.placed[: int(g.players)].tolist()) - int(waits_for_refill)


LARGEST_DECIDES = "Equal points: the largest group decides."


def account(game: Game, g: Any) -> Account:
    """Points by terrain, the largest group times the statues of its god; a tie goes to the largest group (§7)."""
    seats = breakdown(game, g)
    rows = [
        (f"{name} (group × statues)", [f"{s['largest'][k]} × {s['statues'][k]} = {s['points'][k]}" for s in seats])
        for k, name in enumerate(game.components["terrains"])
    ]
    points = [seat["score"] for seat in seats]
    found = Account.of_points(points, rows)
    if len(set(points)) == len(points):
        return found
    rows = [*found.rows, ("largest group, for the tie", [f"{seat['tie_break']} squares" for seat in seats])]
    best = [seat["tie_break"] for seat in seats if seat["score"] == max(points)]
    if len(best) == 1:  # a place behind the winner is tied
        return found._replace(rows=rows)
    shared = best.count(max(best)) > 1
    decided = "Equal points and largest groups: the win is shared." if shared else LARGEST_DECIDES
    return found._replace(decided=decided, rows=rows)
