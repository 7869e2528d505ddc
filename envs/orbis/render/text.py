"""A position as plain text. Worshippers are letters (w y g b r, * for any colour), tiles stand by their ids.

Places bear the names of the actions: all of the display, and those of a pyramid where a tile may be laid on two others.
"""

from __future__ import annotations

from typing import Any

from theogony.envs.core.arguments import checked_viewer
from theogony.envs.core.draw.style import Viewer, seat_word
from theogony.envs.orbis.actions import DISPLAY_NAMES
from theogony.envs.orbis.breakdown import breakdown, colour_numbers
from theogony.envs.orbis.components import COLOUR_NAMES, GODS, LEVELS
from theogony.envs.orbis.render.words import kept_from, open_name, reasons, status, still_due
from theogony.envs.orbis.state import NONE, STRIDE, WILDERNESS
from theogony.envs.orbis.vocabulary import (
    LETTERS,
    effect_words,
    god_name,
    god_words,
    in_words,
    letters,
    points,
    tile_of,
    tile_words,
)

WIDTH, HALF = 8, 4  # characters of a tile in a pyramid
BOX = 25  # characters of a display position
LEGEND = "(w white, y yellow, g green, b blue, r red, * any colour; R2-4 is a red tile of level 2, by its name)"
LYING = 14  # worshippers that are written letter by letter


def render_text(game: Any, g: Any, seat: Viewer = None) -> str:
    """The position; the same for every viewer. Raises ValueError for a viewer who is not at the table."""
    checked_viewer(seat, game.players)
    seats = breakdown(game, g)
    lines = [f"Orbis, {status(game, g, seat)}", LEGEND, "", *_display(game, g), "", *_supply(game, g)]
    for owner in range(game.players):
        lines += ["", *_seat(game, g, owner, seats[owner], seat)]
    return "\n".join(line.rstrip() for line in lines)


def _display(game: Any, g: Any) -> list[str]:
    """Three rows of three tiles: id and points, cost, effect, worshippers."""
    border = "+" + f"{'-' * BOX}+" * 3
    lines = [border]
    for row in range(3):
        boxes = [_box(game, g, 3 * row + column) for column in range(3)]
        lines += [
            "|" + "|".join(f" {part:{BOX - 1}.{BOX - 1}}" for part in parts) + "|" for parts in zip(*boxes, strict=True)
        ]
        lines.append(border)
    return lines


def _box(game: Any, g: Any, position: int) -> list[str]:
    tile = int(g.display[position])
    name = DISPLAY_NAMES[position]
    if tile == NONE:
        return [f"{name} taken", "", "", ""]
    found = tile_of(game, tile)
    cost = letters(game.tables[0].cost[tile]) or "free"
    lying = _lying(g.lying[position])
    return [
        f"{name} {found['id']} {found['colour']}, {cost}",
        f"  {effect_words(found['effect'], short=True)}",
        f"  {points(found['cp'])}" + (f", mythology {found['mythology']}" if found["mythology"] else ""),
        f"  lying: {lying}" if lying else "",
    ]


def _supply(game: Any, g: Any) -> list[str]:
    """What is still due, the tile in hand, the piles and the gods on offer."""
    lines = [due] if (due := still_due(g)) else []
    if g.hand != NONE and g.cell == NONE:
        face = ", as wilderness" if g.face == WILDERNESS else ""
        why = f"; not face up: {obstacle}" if (obstacle := kept_from(game, g)) else ""
        lines.append(f"in hand: {tile_of(game, int(g.hand))['id']}: {tile_words(game, int(g.hand))}{face}{why}")
    offer = [f"{god_name(god)} ({god_words(game, god)})" for god in range(GODS) if g.offer >> god & 1]
    return [*lines, *_piles(game, g), f"gods on offer: {'; '.join(offer)}"]


def _piles(game: Any, g: Any) -> list[str]:
    """The tiles to come by level, in the order of the tile list: which they are is known, their order is not."""
    t = game.tables[0]
    left: list[list[str]] = [[] for _ in range(LEVELS)]
    for tile in sorted(int(tile) for tile in g.pile if tile != NONE):
        found = tile_of(game, tile)
        cost = letters(t.cost[tile]) or "free"
        does = f"{cost}, {effect_words(found['effect'], short=True)}, {points(found['cp'])}"
        left[int(t.level[tile]) - 1].append(f"{found['id']} ({does})")
    rows = [f"  level {level}: {', '.join(tiles)}" for level, tiles in enumerate(left, 1) if tiles]
    return ["tiles to come, in an unknown order", *rows] if rows else ["tiles to come: none"]


def _seat(game: Any, g: Any, owner: int, found: dict[str, Any], viewer: Viewer) -> list[str]:
    """Points with their reasons, belongings and the pyramid."""
    mark = "*" if owner == g.actor and not g.over else " "
    god = "none" if g.god[owner] == NONE else god_name(int(g.god[owner]))
    farms = [name for colour, name in enumerate(COLOUR_NAMES) if g.farms[owner] >> colour & 1]
    return [
        f"{mark} {seat_word(owner, viewer)}: {points(found['total'])} = {', '.join(reasons(found)) or 'nothing yet'}",
        f"  worshippers: {in_words(colour_numbers(g.realm[owner]))}",
        f"  god: {god}; farms: {', '.join(farms) or 'none'}; temples: {found['temple_icons']}",
        *_pyramid(game, g, owner),
        *_laid(game, g, owner),
    ]


def _pyramid(game: Any, g: Any, owner: int) -> list[str]:
    """Rows from the top with their numbers; + is active, × cancelled, ~ a wilderness."""
    lines = []
    for row in range(3, -1, -1):
        cells = [_cell(game, g, owner, STRIDE * row + column) for column in range(STRIDE - row)]
        if any(cell.strip() for cell in cells):
            lines.append(f"{row + 1:3} " + " " * (HALF * row) + "".join(cells))
    return lines


def _laid(game: Any, g: Any, owner: int) -> list[str]:
    """What the tiles of a pyramid still count for: what forests ask for, and the mythology values that break ties."""
    tiles = [(cell, int(g.tiles[owner, cell])) for cell in range(g.tiles.shape[1]) if g.tiles[owner, cell] != NONE]
    seen = [tile_of(game, tile) for cell, tile in tiles if not g.wild[owner] >> cell & 1]
    forests = [
        f"{tile['id']} ({effect_words(tile['effect'], short=True)}, {points(tile['cp'])})"
        for tile in seen
        if tile["effect"]["type"] == "forest"
    ]
    values = sorted((tile["mythology"] for tile in seen if tile["mythology"]), reverse=True)
    lines = [f"  forests: {', '.join(forests)}"] if forests else []
    return lines + ([f"  mythology: {', '.join(map(str, values))}"] if values else [])


def _lying(numbers: Any) -> str:
    """Worshippers as letters, `wwy`; very many as numbers, `9 w 6 y`, as wide as a box has room for."""
    counted = [(str(n), name) for n, name in zip(numbers, LETTERS, strict=True) if n]
    forms = letters(numbers), " ".join(map(" ".join, counted)), "".join(map("".join, counted))
    return next((form for form in forms if len(form) <= LYING), forms[-1])


def _cell(game: Any, g: Any, owner: int, cell: int) -> str:
    tile = int(g.tiles[owner, cell])
    if tile == NONE:
        return f"{open_name(g, owner, cell):^{WIDTH}}"
    if g.wild[owner] >> cell & 1:
        return f"[{'~~~~':^{WIDTH - 2}}]"
    mark = "+" if g.active[owner] >> cell & 1 else "×" if g.cancelled[owner] >> cell & 1 else ""
    return f"[{tile_of(game, tile)['id'] + mark:^{WIDTH - 2}.{WIDTH - 2}}]"
