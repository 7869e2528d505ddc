"""A position as a picture: the map with its markers, stacks and hand on the left, every seat's world on the right."""

from __future__ import annotations

from typing import Any

from theogony.envs.core.svg import FAINT, INK, circle, group, picture, polygon, rect, text, title
from theogony.envs.push_of_faith.actions import FRAME_NAMES, LINE_NAMES, MAP_NAMES
from theogony.envs.push_of_faith.breakdown import breakdown, frame_squares
from theogony.envs.push_of_faith.components import FRAME, TYPES
from theogony.envs.push_of_faith.render.tiles import (
    COLOURS,
    TILE,
    figure,
    paint_borders,
    paint_ground,
    paint_statues,
    paint_tile,
)
from theogony.envs.push_of_faith.render.words import Viewer, check_viewer, open_cells, sees_token, status
from theogony.envs.push_of_faith.state import EAST, NONE, NORTH, SOUTH, STACKS, WEST

CARD, BOARD, ACCENT = "#fffaf0", "#e6dcc7", "#a63a32"
MARGIN, GAP, TOP = 28, 14, 76
INSET, STEP = 46, TILE + 8  # the map: room for the markers, from tile to tile
PANEL = 2 * INSET + 2 * STEP + TILE  # the left side is so wide
SUPPLY = 176
ZOOM = 0.7  # of the tiles in a world
WORLD = FRAME * TILE * ZOOM
CARD_WIDTH, CARD_HEIGHT = WORLD + 32, WORLD + 126
COLUMNS = {2: 2, 3: 3, 4: 2, 5: 3}  # seats side by side, by player count


def render_svg(game: Any, g: Any, seat: Viewer = None) -> str:
    """The picture that `seat` sees; None shows what is public, "all" everything. Raises ValueError for others."""
    check_viewer(game, seat)
    columns = COLUMNS[game.players]
    rows = -(-game.players // columns)
    zoom = (PANEL + GAP + SUPPLY) / CARD_HEIGHT if game.players == 2 else 1  # as high as the left side
    left, across, down = 2 * MARGIN + PANEL, CARD_WIDTH * zoom + GAP, CARD_HEIGHT * zoom + GAP
    state = status(game, g)
    parts = [
        text(MARGIN, 48, game.spec.title, 26, font_weight="bold"),
        text(left, 48, state[:1].upper() + state[1:], 19),
        group(_map(game, g), group(_supply(game, g, seat), y=PANEL + GAP), x=MARGIN, y=TOP),
    ]
    for owner in range(game.players):
        row, column = divmod(owner, columns)
        parts.append(group(_seat(game, g, owner, seat), x=left + column * across, y=TOP + row * down, zoom=zoom))
    height = TOP + max(rows * down - GAP, PANEL + GAP + SUPPLY) + MARGIN
    return picture(left + columns * across - GAP + MARGIN, height, *parts)


# ---------------------------------------------------------------------------------------------------- the left side


def _map(game: Any, g: Any) -> str:
    """The nine tiles with a marker at each side. Along the sides stand the names of the columns and rows."""
    parts = [rect(0, 0, PANEL, PANEL, BOARD, rx=14)]
    for cell in range(9):
        row, column = divmod(cell, 3)
        tile = int(g.map[row, column])
        drawn = _hole(MAP_NAMES[cell]) if tile == NONE else paint_tile(game, tile)
        parts.append(group(drawn, x=INSET + column * STEP, y=INSET + row * STEP))
    for side, turn in ((NORTH, 0), (EAST, 90), (SOUTH, 180), (WEST, 270)):
        for index in range(3):
            along, near, far = INSET + index * STEP + TILE / 2, 24, PANEL - 24
            x, y = {NORTH: (along, near), SOUTH: (along, far), WEST: (near, along), EAST: (far, along)}[side]
            here = index == g.markers[side]
            name = text(x, y + 5, LINE_NAMES[side][index], 14, CARD if here else FAINT, text_anchor="middle")
            parts.append(_marker(x, y, turn) + name if here else name)
    return group(*parts)


def _marker(x: float, y: float, turn: float) -> str:
    """A Faith marker, an arrow into its lane."""
    outline = [(-16, -11), (16, -11), (16, -2), (0, 13), (-16, -2)]
    return group(polygon(outline, ACCENT, stroke=INK, stroke_width=1.5), x=x, y=y, turn=turn)


def _hole(name: str = "") -> str:
    """A place without a tile."""
    border = rect(3, 3, TILE - 6, TILE - 6, rx=8, stroke=FAINT, stroke_width=2.5, stroke_dasharray="8 7")
    return group(border, text(TILE / 2, TILE / 2 + 7, name, 20, FAINT, text_anchor="middle"))


def _supply(game: Any, g: Any, viewer: Viewer) -> str:
    """The stacks with their heights (their top tiles only for "all" eyes), and the tile in hand."""
    parts = [rect(0, 0, PANEL, SUPPLY, BOARD, rx=14), text(20, 32, "Stacks", 15), text(PANEL - 122, 32, "In hand", 15)]
    for stack in range(STACKS):
        parts.append(group(_stack(game, g, stack, viewer), x=20 + 80 * stack, y=46))
    hand = _hole() if g.hand == NONE else paint_tile(game, int(g.hand))
    return group(*parts, group(hand, x=PANEL - 122, y=46))


def _stack(game: Any, g: Any, stack: int, viewer: Viewer) -> str:
    height, zoom = int(g.heights[stack]), 0.58
    size = TILE * zoom
    layers = min(height, 6)
    backs = [rect(3 * k, 12 - 3 * k, size, size, "#7b6f63", rx=5, stroke=CARD, stroke_width=1.2) for k in range(layers)]
    x, y = 3 * max(layers - 1, 0), 12 - 3 * max(layers - 1, 0)
    if height and viewer == "all":
        backs.append(group(paint_tile(game, int(g.stacks[stack, height - 1])), x=x, y=y, zoom=zoom))
    label = text(0, 96, f"{stack}: {height}", 15)
    return group(*backs, label) if height else group(rect(0, 12, size, size, rx=5, stroke=FAINT), label)


# ---------------------------------------------------------------------------------------------------- seats


def _seat(game: Any, g: Any, owner: int, viewer: Viewer) -> str:
    """One seat: its points, its token, its world, and what each terrain pays."""
    reasons = breakdown(game, g)[owner]
    decides = owner == g.actor and not g.over
    border = {"stroke": ACCENT, "stroke_width": 4} if decides else {"stroke": BOARD, "stroke_width": 2}
    head = [
        rect(0, 0, CARD_WIDTH, CARD_HEIGHT, CARD, rx=14, **border),
        text(16, 34, f"Player {owner}", 20, ACCENT if decides else INK, font_weight="bold"),
        text(CARD_WIDTH - 16, 35, f"{reasons['score']} points", 20, font_weight="bold", text_anchor="end"),
        group(_token(game, g, owner, viewer), x=132, y=27),
    ]
    pays = [group(_pays(game, reasons, kind), x=16 + kind * WORLD / TYPES, y=CARD_HEIGHT - 40) for kind in range(TYPES)]
    return group(*head, group(_world(game, g, owner), x=16, y=52), *pays)


def _token(game: Any, g: Any, owner: int, viewer: Viewer) -> str:
    """The god token: face down, known to the viewer, or spent."""
    god = int(g.tokens[owner])
    name = game.components["terrains"][god]
    if not sees_token(g, viewer, owner):
        return group(circle(0, 0, 13, "#7b6f63", stroke=INK), text(0, 6, "?", 16, CARD, text_anchor="middle"))
    said = "spent" if g.spent[owner] else name
    shown = (title(f"god of {name}"), figure(god, zoom=0.78), text(20, 5, said, 13))
    return group(*shown, opacity=0.5 if g.spent[owner] else None)


def _world(game: Any, g: Any, owner: int) -> str:
    """The frame with the tiles of a world and lines between its groups; places for the next tile are dashed."""
    ground = [group(_hole(FRAME_NAMES[FRAME * r + c]), x=c * TILE, y=r * TILE) for r, c in open_cells(g, owner)]
    statues = []
    for k in range(int(g.placed[owner])):
        row, column = divmod(int(g.cells[owner, k]), FRAME)
        place, tile = {"x": column * TILE, "y": row * TILE}, int(g.tiles[owner, k])
        ground.append(group(paint_ground(game, tile, int(g.rotations[owner, k])), **place))
        statues.append(group(paint_statues(game, tile), **place))
    grid = frame_squares(game, g, owner)
    return group(*ground, paint_borders(grid, TILE * FRAME / len(grid)), *statues, zoom=ZOOM)


def _pays(game: Any, reasons: dict[str, Any], kind: int) -> str:
    """What one terrain pays: largest group times statues."""
    size, statues, points = (reasons[key][kind] for key in ("largest", "statues", "points"))
    return group(
        text(0, -12, game.components["terrains"][kind][:10], 11),
        rect(0, -6, 20, 32, COLOURS[kind], rx=3, stroke=INK, stroke_width=0.8),
        text(26, 7, f"{size} × {statues}", 13),
        text(26, 24, f"= {points}", 13, font_weight="bold" if points else None),
    )
