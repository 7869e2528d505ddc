"""A position as a picture: display, hand, piles and gods on the left, every seat's universe on the right."""

from __future__ import annotations

from typing import Any

from theogony.envs.core.svg import FAINT, INK, group, picture, rect, text, title
from theogony.envs.orbis.actions import DISPLAY_NAMES, SLOT_NAMES
from theogony.envs.orbis.breakdown import breakdown, colour_numbers
from theogony.envs.orbis.components import COLOUR_NAMES, DISPLAY, FOREST, GODS, LEVELS
from theogony.envs.orbis.render.tiles import (
    TILE_HEIGHT,
    TILE_WIDTH,
    cube,
    cubes,
    paint_tile,
    paint_wilderness,
)
from theogony.envs.orbis.render.words import (
    Viewer,
    check_viewer,
    god_name,
    god_of,
    god_words,
    open_name,
    reasons,
    status,
)
from theogony.envs.orbis.rules.pyramid import LEFT, RIGHT, bottom_width
from theogony.envs.orbis.rules.scoring import forest_active
from theogony.envs.orbis.state import NONE, STRIDE, WILDERNESS

CARD, BOARD, ACCENT = "#fffaf0", "#e6dcc7", "#a63a32"
MARGIN, GAP, TOP = 28, 16, 76
STEP_X, STEP_Y = TILE_WIDTH + 10, TILE_HEIGHT + 40  # from one display position to the next
PANEL = 3 * STEP_X + 20  # the left side is so wide
SUPPLY = 286
ZOOM = 0.66  # of the tiles in a pyramid
CARD_WIDTH, CARD_HEIGHT = 5 * TILE_WIDTH * ZOOM + 40, 4 * TILE_HEIGHT * ZOOM + 184


def render_svg(game: Any, g: Any, seat: Viewer = None) -> str:
    """The picture; the same for every viewer. Raises ValueError for a viewer who is not at the table."""
    check_viewer(game, seat)
    seats = breakdown(game, g)
    columns = 1 if game.players == 2 else 2
    state = status(game, g)
    left = 2 * MARGIN + PANEL
    parts = [
        text(MARGIN, 48, game.spec.title, 26, font_weight="bold"),
        text(left, 48, state[:1].upper() + state[1:], 19),
        group(_display(game, g), group(_supply(game, g), y=3 * STEP_Y + 20 + GAP), x=MARGIN, y=TOP),
    ]
    for owner in range(game.players):
        row, column = divmod(owner, columns)
        x, y = left + column * (CARD_WIDTH + GAP), TOP + row * (CARD_HEIGHT + GAP)
        parts.append(group(_seat(game, g, owner, seats[owner]), x=x, y=y))
    rows = -(-game.players // columns)
    height = TOP + max(rows * (CARD_HEIGHT + GAP) - GAP, 3 * STEP_Y + 20 + GAP + SUPPLY) + MARGIN
    return picture(left + columns * (CARD_WIDTH + GAP) - GAP + MARGIN, height, *parts)


# ---------------------------------------------------------------------------------------------------- the left side


def _display(game: Any, g: Any) -> str:
    """The nine tiles, below each its worshippers and the name of its place."""
    parts = [rect(0, 0, PANEL, 3 * STEP_Y + 20, BOARD, rx=14)]
    for position in range(DISPLAY):
        row, column = divmod(position, 3)
        tile = int(g.display[position])
        drawn = _hole() if tile == NONE else paint_tile(game, tile)
        lying = group(cubes(colour_numbers(g.lying[position]), 7), x=3, y=TILE_HEIGHT + 5)
        name = text(TILE_WIDTH - 3, TILE_HEIGHT + 17, DISPLAY_NAMES[position], 14, FAINT, text_anchor="end")
        parts.append(group(drawn, lying, name, x=15 + column * STEP_X, y=14 + row * STEP_Y))
    return group(*parts)


def _hole() -> str:
    """A place without a tile."""
    return rect(4, 4, TILE_WIDTH - 8, TILE_HEIGHT - 8, rx=9, stroke=FAINT, stroke_width=2.5, stroke_dasharray="8 7")


def _supply(game: Any, g: Any) -> str:
    """Piles, the tile in hand and the gods on offer."""
    levels = [int(game.tables[0].level[tile]) for tile in g.pile if tile != NONE]
    parts = [rect(0, 0, PANEL, SUPPLY, BOARD, rx=14), text(20, 30, "Piles", 15), text(PANEL - 148, 30, "In hand", 15)]
    for level in range(1, LEVELS + 1):
        parts.append(text(20, 32 + 26 * level, f"level {level}: {levels.count(level)}", 15))
    if g.hand == NONE or g.cell != NONE:
        hand = _hole()
    else:
        paint = paint_wilderness if g.face == WILDERNESS else paint_tile
        hand = paint(game, int(g.hand))
    parts += [group(hand, x=PANEL - 148, y=42), text(20, 164, "Gods on offer", 15, font_weight="bold")]
    offer = [god for god in range(GODS) if g.offer >> god & 1]
    for k, god in enumerate(offer):
        parts.append(text(20, 188 + 22 * k, f"{god_name(god)}: {god_words(game, god)}", 13))
    return group(*parts)


# ---------------------------------------------------------------------------------------------------- seats


def _seat(game: Any, g: Any, owner: int, found: dict[str, Any]) -> str:
    """One seat: its points, its god and worshippers, its universe, and the reasons of the points."""
    decides = owner == g.actor and not g.over
    border = {"stroke": ACCENT, "stroke_width": 4} if decides else {"stroke": BOARD, "stroke_width": 2}
    god = god_of(g, owner) + (" (done)" if g.taken[owner] else "")
    head = [
        rect(0, 0, CARD_WIDTH, CARD_HEIGHT, CARD, rx=14, **border),
        text(18, 34, f"Player {owner}", 20, ACCENT if decides else INK, font_weight="bold"),
        text(130, 34, god, 15),
        text(CARD_WIDTH - 18, 35, f"{found['total']} points", 20, font_weight="bold", text_anchor="end"),
        group(title("worshippers"), cubes(colour_numbers(g.realm[owner]), 16), x=18, y=50),
        group(_farms(g, owner), x=CARD_WIDTH - 18, y=50),
    ]
    universe = group(_universe(game, g, owner), x=20, y=80)
    words = [text(18, CARD_HEIGHT - 68 + 18 * k, line, 12.5) for k, line in enumerate(_lines(reasons(found)))]
    return group(*head, universe, *words)


def _farms(g: Any, owner: int) -> str:
    """The colours that are waived, at the right edge."""
    waived = [name for colour, name in enumerate(COLOUR_NAMES) if g.farms[owner] >> colour & 1]
    shown = "".join(cube(name, -18 * (k + 1), 0) for k, name in enumerate(waived))
    label = text(-18 * len(waived) - 8, 12, "farms", 13, "#6d6259", text_anchor="end") if waived else ""
    return shown + label


def _universe(game: Any, g: Any, owner: int) -> str:
    """The pyramid, its bottom row below. Empty cells are dotted; where a tile may be laid stands the place's name."""
    parts = []
    for row in range(4):
        for column in range(STRIDE - row):
            x, y = (column + row / 2) * TILE_WIDTH, (3 - row) * TILE_HEIGHT
            parts.append(group(_placed(game, g, owner, STRIDE * row + column), x=x, y=y))
    if 0 < bottom_width(g, owner) < STRIDE:
        parts.append(text(8, 4 * TILE_HEIGHT + 20, SLOT_NAMES[LEFT], 20, FAINT))
    return group(*parts, zoom=ZOOM)


def _placed(game: Any, g: Any, owner: int, cell: int) -> str:
    tile = int(g.tiles[owner, cell])
    if tile == NONE:
        at_the_end = cell < STRIDE and cell == bottom_width(g, owner)
        name = SLOT_NAMES[RIGHT] if at_the_end else open_name(g, owner, cell)
        label = text(TILE_WIDTH / 2, TILE_HEIGHT / 2 + 7, name, 20, FAINT, text_anchor="middle")
        dots = rect(6, 6, TILE_WIDTH - 12, TILE_HEIGHT - 12, rx=9, stroke=FAINT, stroke_dasharray="3 9", opacity=0.6)
        return dots + label
    if g.wild[owner] >> cell & 1:
        return paint_wilderness(game, tile)
    state = True if g.active[owner] >> cell & 1 else False if g.cancelled[owner] >> cell & 1 else None
    if game.tables[0].effect[tile] == FOREST:
        state = True if forest_active(g, game.tables[0], owner, cell) else False if g.over else None
    return paint_tile(game, tile, state)


def _lines(phrases: list[str], width: int = 66) -> list[str]:
    """Phrases in lines of so many characters."""
    lines: list[str] = []
    for phrase in phrases:
        if lines and len(lines[-1]) + len(phrase) + 2 <= width:
            lines[-1] += f", {phrase}"
        else:
            lines.append(phrase)
    return lines[:4]
