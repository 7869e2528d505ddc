"""A position as a picture: the map with its markers, stacks and hand on the left, every seat's world on the right."""

from __future__ import annotations

from typing import Any

import numpy as np

from theogony.envs.core.arguments import checked_viewer
from theogony.envs.core.draw import style
from theogony.envs.core.draw.landscapes import landscape
from theogony.envs.core.draw.places import place
from theogony.envs.core.draw.svg import (
    BODY,
    FAINT,
    HEAD,
    INK,
    SMALL,
    circle,
    element,
    group,
    label,
    line,
    polygon,
    rect,
    shape,
    text,
    text_width,
    title,
    use,
)
from theogony.envs.push_of_faith.actions import FRAME_NAMES, LINE_NAMES, MAP_NAMES, SIDES
from theogony.envs.push_of_faith.breakdown import breakdown, frame_squares
from theogony.envs.push_of_faith.components import FRAME, TYPES
from theogony.envs.push_of_faith.render.words import open_cells, sees_token, status, tile_words
from theogony.envs.push_of_faith.state import EAST, NONE, NORTH, SOUTH, STACKS, WEST
from theogony.envs.push_of_faith.vocabulary import terrain_letters

TILE = 96  # edge of a tile in its own drawing
COLOURS = ("#d9ec96", "#478a55", "#9a97a3", "#5fa3d6", "#d08a3c")  # by terrain
DARK = ("#5a6f1c", "#123518", "#45414f", "#15507e", "#7a530f")  # their gods
PALE = ("#f4f7dc", "#dcefdf", "#eeedf1", "#e0effa", "#fbeed3")  # the discs under statues
HEADS = (  # of the statues, above a body that begins at (0, 1)
    "M0 1 L-7 -7 L-2.6 -5.4 L0 -13 L2.6 -5.4 L7 -7 Z",  # a tuft of grass
    "M0 -14 L7 0 L-7 0 Z",  # a tree
    "M-7 0 L-7 -8 L-2.4 -5 L0 -12 L2.4 -5 L7 -8 L7 0 Z",  # a ridge
    "M0 -14 C3 -9 6.5 -7 6.5 -4 A6.5 6 0 0 1 -6.5 -4 C-6.5 -7 -3 -9 0 -14 Z",  # a drop
    "M-6 -5.5 A6 6 0 1 1 6 -5.5 A6 6 0 1 1 -6 -5.5 Z",  # the sun
)
SCENERY = ("meadow", "forest", "mountains", "lakes", "desert")
SQUARE = 48  # edge of a square in its own drawing


def _square(kind: int) -> str:
    """A square of one terrain; it reaches a little under its neighbours."""
    ground = rect(0, 0, SQUARE + 0.4, SQUARE + 0.4, COLOURS[kind])
    scene = landscape(SCENERY[kind], SQUARE / 2, 0.56 * SQUARE, SQUARE / 54)
    return shape(f"square {SCENERY[kind]}", "g", ground, scene)


SQUARES = [_square(kind) for kind in range(TYPES)]


def paint_tile(game: Any, tile: int) -> str:
    """One tile as it lies on the map, its upper left corner at the origin, `TILE` wide."""
    return group(paint_ground(game, tile, 0), paint_statues(game, tile))


def paint_ground(game: Any, tile: int, rotation: int) -> str:
    """A tile without its statues: squares, each with its landscape, which tells them apart without colours."""
    terrain = game.t.terrain[tile, rotation]
    size, cells = TILE / len(terrain), np.ndenumerate(terrain)
    squares = [use(SQUARES[kind], c * size, r * size, size / SQUARE) for (r, c), kind in cells]
    edge = rect(0, 0, TILE, TILE, rx=4, stroke="#fffaf0", stroke_width=3)
    return group(group(*squares), edge, pointer_events="none")


def paint_statues(game: Any, tile: int) -> str:
    """The statues in the middle of a tile: they stand on no square of their own (ruling R6). Clicks go to the place."""
    gods = [god for god in range(TYPES) for _ in range(int(game.tables[0].statues[tile, god]))]
    named = ", ".join(f"a statue of {game.components['terrains'][god]}" for god in gods) or "no statue"
    apart = min(34, 72 / max(len(gods), 1))
    places = [TILE / 2 + (k - (len(gods) - 1) / 2) * apart for k in range(len(gods))]
    figures = [figure(god, x=x, y=TILE / 2) for god, x in zip(gods, places, strict=True)]
    return group(title(f"tile {tile}: {named}"), *figures, data_upright=1, pointer_events="none")


def _figure(god: int) -> str:
    disc = circle(0, 0, 17, PALE[god], stroke=INK, stroke_width=1.4)
    body = element("path", d="M-8 12 L-3.5 1 L3.5 1 L8 12 Z", fill=DARK[god], stroke=INK, stroke_width=1.2)
    head = element("path", d=HEADS[god], fill=DARK[god], stroke=INK, stroke_width=1.2, stroke_linejoin="round")
    return shape(f"god-{god}", "g", disc, body, head)


_FIGURES = [_figure(god) for god in range(TYPES)]


def figure(god: int, x: float = 0, y: float = 0, zoom: float = 1) -> str:
    """A statue on a disc around (x, y); its head tells the god without colours."""
    return use(_FIGURES[god], x, y, zoom)


def paint_borders(grid: np.ndarray, size: float) -> str:
    """Lines between the groups of a grid of squares, and around it; -1 is no square."""
    wide = np.pad(grid, 1, constant_values=NONE)
    lines = []
    for row in range(1, wide.shape[0]):
        for column in range(1, wide.shape[1]):
            x, y = (column - 1) * size, (row - 1) * size
            if wide[row, column] != wide[row - 1, column]:
                lines.append(line(x, y, x + size, y))
            if wide[row, column] != wide[row, column - 1]:
                lines.append(line(x, y, x, y + size))
    return group(*lines, stroke_width=1.6, stroke_linecap="round")


# ---- A position as a picture: the map with its markers, stacks and hand on the left, every seat's world on the right

INSET, STEP = 46, TILE + 8  # the map: room for the markers, from tile to tile
PANEL = 2 * INSET + 2 * STEP + TILE  # the left side is so wide
SUPPLY = 176
SIDE = 4  # tiles that a world and the places around it are wide at most: three where it is full
COLUMNS = {2: 2, 3: 3, 4: 2, 5: 3}  # seats side by side, by player count
ROW, KEY = 25, 18  # of the table of what each terrain pays, and of a square of the terrain in it
HEADER = 78  # of a seat, above its world
TURNS = {NORTH: 0, EAST: 90, SOUTH: 180, WEST: 270}
STANDS_HERE = "no push from here now: the marker stands here already, and a push moves it to another line"
FACES = "no push from here now: the marker would stand face to face with the one on the opposite side"


def render_svg(game: Any, g: Any, seat: style.Viewer = None) -> str:
    """The picture that `seat` sees; None shows what is public, "all" everything. Raises ValueError for others."""
    checked_viewer(seat, game.players)
    columns = COLUMNS[game.players]
    rows = -(-game.players // columns)
    left = style.MARGIN + PANEL + style.GAP
    width = (style.PAGE - style.MARGIN - left + style.GAP) / columns - style.GAP
    seats = _Seats(game, g, seat, width, beside=game.players == 4)
    high = PANEL + style.GAP + SUPPLY
    supply = group(_supply(game, g, seat), y=PANEL + style.GAP)
    parts = [style.region("map", PANEL, high, _map(game, g), supply, x=style.MARGIN, y=style.TOP, main=True)]
    for owner in range(game.players):
        row, column = divmod(owner, columns)
        x, y = left + column * (width + style.GAP), style.TOP + row * (seats.height + style.GAP)
        parts.append(
            style.region(f"seat {owner}", width, seats.height, seats.draw(owner), x=x, y=y, tally=seats.tally(owner))
        )
    height = style.TOP + max(rows * (seats.height + style.GAP) - style.GAP, high) + style.MARGIN
    return style.page(game.spec.title, status(game, g, seat), height, *parts)


# ---------------------------------------------------------------------------------------------------- the left side


def _map(game: Any, g: Any) -> str:
    """The nine tiles with a marker at each side. Along the sides stand the names of the columns and rows."""
    parts = [style.panel(PANEL, PANEL, fill=style.BOARD)]
    for cell in range(9):
        row, column = divmod(cell, 3)
        tile = int(g.map[row, column])
        x, y = INSET + column * STEP, INSET + row * STEP
        drawn = _lying(game, tile, MAP_NAMES[cell])
        parts.append(place(f"map {MAP_NAMES[cell]}", TILE, TILE, drawn, x=x, y=y, **of_tile(game, tile)))
    for side in TURNS:
        parts += [_end_of_line(g, side, index) for index in range(3)]
    return group(*parts)


def _end_of_line(g: Any, side: int, index: int) -> str:
    """The end of a column or row at one side of the map: its name, on the marker where that stands."""
    here, opposite = index == g.markers[side], index == g.markers[side ^ 1]
    along, near, far = INSET + index * STEP + TILE / 2, 24, PANEL - 24
    x, y = {NORTH: (along, near), SOUTH: (along, far), WEST: (near, along), EAST: (far, along)}[side]
    name = LINE_NAMES[side][index]
    bold = None if here or opposite else "bold"
    said = text(20, 25, name, BODY, "#fff" if here else style.QUIET, text_anchor="middle", font_weight=bold)
    sign = STONE if here else "" if opposite else PUSH
    shown = group(group(use(sign), x=20, y=20, turn=TURNS[side]), said, data_own=1) if sign else said
    where: dict[str, Any] = {"x": x - 20, "y": y - 20, "rx": 20, "data_word": "piece:marker"}
    if here or opposite:
        where["data_now"] = STANDS_HERE if here else FACES
    return place(f"push {SIDES[side]} to {name}", 40, 40, shown, **where)


# a Faith marker is a flat stone before its lane; where one may push, an arrow points into it
STONE = shape(
    "marker", "path", d="M-14-12H14V8Q14 12 10 12H-10Q-14 12-14 8Z", fill="#6b635a", stroke="#a59a8a", stroke_width=1.5
)
PUSH = shape(
    "push",
    "g",
    circle(0, 0, 12.5, style.CARD, stroke="#2f7d52", stroke_width=2),
    polygon([(-7, 11), (7, 11), (0, 17.5)], "#2f7d52"),
)


def _hole(name: str = "", size: float = 22) -> str:
    """A place without a tile."""
    border = rect(3, 3, TILE - 6, TILE - 6, rx=8, stroke=FAINT, stroke_width=2.5, stroke_dasharray="8 7")
    return group(
        border, text(TILE / 2, TILE / 2 + size / 3, name, size, style.QUIET, text_anchor="middle") if name else ""
    )


def _lying(game: Any, tile: int, name: str = "") -> str:
    """A tile as a piece, or a place without one."""
    return _hole(name) if tile == NONE else group(paint_tile(game, tile), data_piece=f"tile {tile}")


def _supply(game: Any, g: Any, viewer: style.Viewer) -> str:
    """The stacks with their heights (their top tiles only for "all" eyes), and the tile in hand."""
    parts = [style.panel(PANEL, SUPPLY, fill=style.BOARD), text(20, 30, "Stacks", BODY, font_weight="bold")]
    for stack in range(STACKS):
        parts.append(place(f"stack {stack}", 76, 112, _stack(game, g, stack, viewer), x=16 + 84 * stack, y=44))
    hand, said = int(g.hand), text(PANEL - 118, 30, "In hand", BODY, font_weight="bold")
    where: dict[str, Any] = {"x": PANEL - 118, "y": 50, "data_empty": None if hand != NONE else 1}
    drawn = place("hand", TILE, TILE, _lying(game, hand), **where, **of_tile(game, hand))
    return group(*parts, said, drawn)


STACK_ZOOM = 0.58


def _cover() -> str:
    """What is drawn on the back of a tile: a sun over hills, in a frame."""
    size, pale = TILE * STACK_ZOOM, "#ded5c6"
    rays = "".join(f"M{x} {y}L{1.35 * x:g} {1.35 * y:g}" for x, y in ((0, -10), (-7, -7), (7, -7), (-10, 0), (10, 0)))
    sun = element("path", d=f"M-7 2A7 7 0 0 1 7 2Z{rays}", fill=pale, stroke=pale, stroke_width=1.6)
    hills = element("path", d="M-16 14Q-9 2-1 9Q7 1 16 14Z", fill=pale, fill_opacity=0.55)
    frame = rect(5, 5, size - 10, size - 10, rx=4, stroke=pale, stroke_width=1.2)
    return shape("back of a tile", "g", frame, group(hills, sun, x=size / 2, y=size / 2))


COVER = _cover()


def _stack(game: Any, g: Any, stack: int, viewer: style.Viewer) -> str:
    height, size = int(g.heights[stack]), TILE * STACK_ZOOM
    layers = min(height, 6)
    number = f"no. {stack}: " if game.options.refill == "choose" else ""  # where one has to name it
    said = text(38, 104, f"{number}{height} left", SMALL, text_anchor="middle")
    if not height:
        return group(rect(10, 18, size, size, rx=5, stroke=FAINT, stroke_dasharray="5 5"), said)
    drawn = [style.back(size, size, x=2 + 3 * k, y=22 - 3 * k) for k in range(layers)]
    drawn.append(use(COVER, 2 + 3 * (layers - 1), 22 - 3 * (layers - 1)))
    if viewer == "all":
        x, y = 3 * layers - 1, 25 - 3 * layers
        drawn.append(group(paint_tile(game, int(g.stacks[stack, height - 1])), x=x, y=y, zoom=STACK_ZOOM))
    return group(*drawn, said)


# ---------------------------------------------------------------------------------------------------- seats


class _Seats:
    """The areas of the seats, all of one size: head, world, and what each terrain pays, below or beside it."""

    def __init__(self, game: Any, g: Any, viewer: style.Viewer, width: float, beside: bool) -> None:
        self.game, self.g, self.viewer, self.width, self.beside = game, g, viewer, width, beside
        table = 200 if beside else 0
        self.world = width - 32 - table
        self.pays_at = (16 + self.world + 16, HEADER + 20) if beside else (16, HEADER + self.world + 18)
        self.height = HEADER + self.world + (14 if beside else 28 + TYPES * ROW)
        self.reasons = breakdown(game, g)
        self.letters = terrain_letters(game.components["terrains"])

    def draw(self, owner: int) -> str:
        """One seat."""
        x, y = self.pays_at
        points = self.tally(owner)
        left = self.width - 32 - text_width(points, HEAD, True) - 10
        pays = [group(self._pays(owner, kind), x=x, y=y + kind * ROW) for kind in range(TYPES)]
        return group(
            style.seat_ground(self.g, owner, self.viewer, self.width, self.height, room=left),
            label(self.width - 16, 32, points, 140, HEAD, bold=True, anchor="end"),
            group(self._token(owner), x=28, y=56),
            group(self._world(owner), x=16, y=HEADER),
            *pays,
        )

    def tally(self, owner: int) -> str:
        """What the seat has in all."""
        score = self.reasons[owner]["score"]
        return f"{score} point{'' if score == 1 else 's'}"

    def _token(self, owner: int) -> str:
        """The god token: face down, known to the viewer, or spent."""
        god, rx = int(self.g.tokens[owner]), 16
        if sees_token(self.g, self.viewer, owner):
            name, spent = self.game.components["terrains"][god], bool(self.g.spent[owner])
            token = group(title(f"god of {name}"), figure(god, x=16, y=16, zoom=0.78), opacity=0.45 if spent else None)
            said = f"god of {name}{', spent' if spent else ''}"
        else:
            disc = circle(0, 0, 13, style.BACK, stroke=INK) + text(0, 5, "?", BODY, style.CARD, text_anchor="middle")
            token, said, rx = group(disc, x=16, y=16), "god token, face down", 7
        told = label(38, 21, said, 200, SMALL, style.QUIET)
        return place(f"token {owner}", 32, 32, token, told, x=-16, y=-16, rx=rx, data_word="piece:token")

    def _world(self, owner: int) -> str:
        """The tiles of a world in the middle of its area, lines between its groups; open places are dashed."""
        game, g = self.game, self.g
        tiles = {int(g.cells[owner, k]): k for k in range(int(g.placed[owner]))}
        free = open_cells(game, g, owner) if len(tiles) < 9 else []
        rows, columns = ([divmod(cell, FRAME)[k] for cell in (*tiles, *free)] for k in (0, 1))
        wide, high = max(columns) - min(columns) + 1, max(rows) - min(rows) + 1
        zoom = self.world / (TILE * max(wide, high, SIDE - 1))
        ground = [self._cell(owner, cell, tiles.get(cell), BODY / zoom) for cell in sorted((*tiles, *free))]
        statues = [group(paint_statues(game, int(g.tiles[owner, k])), **_at(cell)) for cell, k in tiles.items()]
        grid = frame_squares(game, g, owner)
        borders = paint_borders(grid, TILE * FRAME / len(grid))
        x = self.world / 2 - zoom * TILE * (min(columns) + wide / 2)
        y = self.world / 2 - zoom * TILE * (min(rows) + high / 2)
        return group(*ground, borders, *statues, x=x, y=y, zoom=zoom)

    def _cell(self, owner: int, cell: int, k: int | None, size: float) -> str:
        drawn, tile = _hole(FRAME_NAMES[cell], size), NONE
        if k is not None:
            tile, turn = int(self.g.tiles[owner, k]), int(self.g.rotations[owner, k])
            drawn = group(paint_ground(self.game, tile, turn), data_piece=f"tile {tile}")
        empty: dict[str, Any] = {"data_empty": 1}
        where = _at(cell) | (empty if k is None else of_tile(self.game, tile))
        return place(f"world {owner} {FRAME_NAMES[cell]}", TILE, TILE, drawn, **where)

    def _pays(self, owner: int, kind: int) -> str:
        """What one terrain pays: largest group times statues."""
        size, statues, points = (self.reasons[owner][key][kind] for key in ("largest", "statues", "points"))
        wide = 184 if self.beside else self.width - 32
        name = self.game.components["terrains"][kind]
        ground = rect(0, 0, KEY, KEY, COLOURS[kind], rx=3, stroke=INK, stroke_width=0.8)
        return group(
            line(0, 20.5, wide, 20.5, style.BOARD),
            group(ground, landscape(SCENERY[kind], KEY / 2, 0.56 * KEY, KEY / 52)),
            label(25, 14, name, wide - 110, SMALL),
            label(wide - 34, 14, f"{size} × {statues} =", 60, SMALL, anchor="end"),
            label(wide - 4, 14, points, 28, BODY, INK if points else style.QUIET, bold=bool(points), anchor="end"),
            rect(0, 0, wide, 20, pointer_events="all"),
            data_word=f"terrain:{self.letters[kind]}",
            data_now=f"squares of the largest group: {size}; statues of the god: {statues}; points: {points}",
        )


def of_tile(game: Any, tile: int) -> dict[str, Any]:
    """What a place says of the tile that lies there."""
    return {} if tile == NONE else {"data_word": "piece:tile", "data_now": tile_words(game, tile)}


def _at(cell: int) -> dict[str, Any]:
    row, column = divmod(cell, FRAME)
    return {"x": column * TILE, "y": row * TILE}
