"""What text and picture say alike: the state of the game in words, and what a viewer may see."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

from theogony.envs.core.draw.style import Viewer, seat_does, seat_word, seats_do
from theogony.envs.push_of_faith.actions import COLUMN_NAMES, ROW_NAMES, SIDES
from theogony.envs.push_of_faith.breakdown import breakdown, turns_finished
from theogony.envs.push_of_faith.components import FRAME, WORLD_TILES
from theogony.envs.push_of_faith.state import NORTH, WEST


def tile_words(game: Any, tile: int) -> str:
    """The squares of a tile, row by row, and its statues."""
    t, names = game.tables[0], game.components["terrains"]
    rows = ["|".join(names[kind] for kind in row) for row in t.terrain[tile, 0]]
    statues = [(int(number), name) for name, number in zip(names, t.statues[tile], strict=True) if number]
    gods = [f"{number} of {name}" if number > 1 else name for number, name in statues]
    said = (
        f"statue{'' if sum(number for number, _ in statues) == 1 else 's'}: {', '.join(gods)}" if gods else "no statue"
    )
    return f"{' over '.join(rows).replace('|', ', ')}; {said}"


def sees_token(g: Any, viewer: Viewer, owner: int) -> bool:
    """A token is known to its owner, and to everybody once it is spent (rules §8)."""
    return viewer == "all" or viewer == owner or bool(g.spent[owner])


def status(game: Any, g: Any, viewer: Viewer = None) -> str:
    """One line: how far the game is and who decides, or who won."""
    turns = f"turn {turns_finished(g) + (not g.over)} of {WORLD_TILES * game.players}"
    if g.over:
        return f"{turns}, {result(game, g, viewer)}"
    seat = int(g.actor)
    does = game.vocabulary.name("phase", int(g.decision))
    return f"{turns}, {seat_does(seat, viewer, does, name=seat_word(seat, viewer))}"


def result(game: Any, g: Any, viewer: Viewer = None) -> str:
    """Who won, with the tie-break where it decided."""
    if g.over != 1:
        return "cut off"
    ranks = [(seat["score"], seat["tie_break"]) for seat in breakdown(game, g)]
    best = max(ranks)
    winners = [seat for seat, rank in enumerate(ranks) if rank == best]
    tie_broken = sum(score == best[0] for score, _ in ranks) > len(winners)
    how = f", tie broken by a group of {best[1]}" if tie_broken else ""
    return seats_do(winners, viewer, "wins", "share the win") + how


def window(g: Any, seat: int) -> tuple[range, range]:
    """Rows and columns of the frame that a world may still reach; only the centre before its first tile."""
    if not g.placed[seat]:
        return range(2, 3), range(2, 3)
    sides = (g.box[seat, :2].tolist(), g.box[seat, 2:].tolist())  # the first and last row, and column
    rows, columns = (range(max(last - 2, 0), min(first + 2, FRAME - 1) + 1) for first, last in sides)
    return rows, columns


def open_cells(game: Any, g: Any, seat: int) -> list[int]:
    """Frame cells where the next tile of a world may lie (rules §5.2)."""
    rows, columns = window(g, seat)
    cells, full, beside = [FRAME * r + c for r in rows for c in columns], int(g.occupied[seat]), game.t.beside
    return [cell for cell in cells if not full or (not full >> cell & 1 and full & int(beside[cell]))]


# ---- Where in the picture an action is made ----------------------------------------------------------------------

PLACES = {"push": "push {}", "token": "map {}", "place": "world {seat} {}", "refill": "stack {}"}  # with its arguments


def places(game: Any, g: Any, action: int) -> Sequence[str]:
    """The names of the places where an action of the acting seat is clicked."""
    kind, arguments = game.actions.decode(action)
    return (PLACES[kind].format(*arguments, seat=int(g.actor)),)


def lands(game: Any, g: Any, action: int) -> Sequence[tuple[str, str, int]]:
    """The tile in hand as it would lie, turned by so many degrees clockwise; of a pushed lane what moves, and falls off
    it into the hand."""
    kind, arguments = game.actions.decode(action)
    if kind == "place":
        return [("hand", f"world {int(g.actor)} {arguments[0]}", 90 * int(arguments[1]))]
    if kind != "push":
        return []
    side, line = SIDES.index(arguments[0][0]), arguments[0][-1]
    cells = [f"map {column}{row}" for row in ROW_NAMES[:3] for column in COLUMN_NAMES[:3] if line in (column, row)]
    near_first = cells if side in (NORTH, WEST) else cells[::-1]
    return [("", near_first[0], 0), *((here, there, 0) for here, there in pairwise([*near_first, "hand"]))]
