"""A position as a picture: display, piles, gods and temple tokens on the left, every universe on the right."""

from __future__ import annotations

from typing import Any

from theogony.envs.core.arguments import checked_viewer
from theogony.envs.core.draw.landscapes import landscape
from theogony.envs.core.draw.places import place
from theogony.envs.core.draw.style import (
    BOARD,
    GAP,
    MARGIN,
    PAGE,
    QUIET,
    TOP,
    Viewer,
    box,
    icon,
    mark,
    page,
    panel,
    region,
    seat_ground,
    seat_word,
)
from theogony.envs.core.draw.svg import (
    BODY,
    FAINT,
    HEAD,
    INK,
    SMALL,
    TINY,
    circle,
    element,
    group,
    label,
    line,
    paragraph,
    polygon,
    rect,
    shape,
    text,
    title,
    use,
    wrapped,
)
from theogony.envs.orbis.actions import DISPLAY_NAMES, SLOT_NAMES, UPPER_CELLS
from theogony.envs.orbis.breakdown import breakdown, colour_numbers
from theogony.envs.orbis.components import COLOUR_NAMES, DISPLAY, FOREST, GODS, LEVELS, effect_parts
from theogony.envs.orbis.render.words import open_name, reasons, status
from theogony.envs.orbis.rules.pyramid import LEFT, RIGHT, bottom_width
from theogony.envs.orbis.rules.scoring import forest_active
from theogony.envs.orbis.state import LIMIT, NONE, STRIDE, WILDERNESS
from theogony.envs.orbis.vocabulary import god_name, god_words, place_name, points, tile_of, tile_words

# ---- Signs, each drawn once in a part of a picture: worshippers, effects, points ---------------------------------

CUBES = {
    "white": "#fdfbf4", "yellow": "#efb92c", "green": "#58a05a", "blue": "#4284c4", "red": "#cf4a3c", "any": "#746b7b",
}  # fmt: skip
STARS = {"purple": "#8a5aa8", "white": "#fffdf8", "none": "#e3b341"}  # of the level, in three colours
GOLD, STONE, STRUCK = "#e3b341", "#8d8797", "#a63a32"
CUBE = 13  # side of a worshipper
QUESTION = "M-4-3.4Q-4-7 0-7Q4-7 4-3.4Q4-1 1.6.2Q0 1 0 3.2M0 5.2V7.6"  # in a square 20 wide around (0, 0)


def _cube(colour: str) -> str:
    """A worshipper with the sign of its colour; of any colour it bears a question mark."""
    ground = rect(0, 0, CUBE, CUBE, CUBES[colour], rx=2.5, stroke=INK, stroke_width=1)
    if colour != "any":
        return ground + mark(colour, CUBE / 2, CUBE / 2, 0.66 * CUBE)
    style: dict[str, Any] = {"fill": "none", "stroke": CUBES["white"], "stroke_width": 2.6}
    where = f"translate({CUBE / 2} {CUBE / 2}) scale(.62)"
    return ground + element("path", d=QUESTION, transform=where, **style)


_CUBES = {colour: shape(f"cube {colour}", "g", _cube(colour), pointer_events="none") for colour in CUBES}
_ARROW = shape("gain", "path", d="M-10-5H2V-11L13 0L2 11V5H-10Z", fill=STONE, stroke=INK, stroke_width=1)
_HOLY = shape("stone", "path", d="M0-18L12-6L8 16H-8L-12-6Z", fill=STONE, stroke=INK, stroke_width=1.5)
_HOUSE = shape(
    "village",
    "g",
    rect(-10, -2, 20, 15, "#fdf3dd", stroke=INK),
    polygon([(-14, -2), (0, -15), (14, -2)], "#b0623a", stroke=INK),
)
_MOUNT = shape(
    "volcano",
    "g",
    polygon([(-5, -12), (0, -20), (5, -12)], GOLD, stroke=INK),
    polygon([(-16, 14), (-5, -12), (5, -12), (16, 14)], "#7a4b43", stroke=INK),
)
_DROP = shape("drop", "path", d="M0-22L8-9L6-2L0 1L-6-2L-8-9Z", fill=CUBES["blue"], stroke=INK)
_TREE = shape("tree", "g", rect(-2, 8, 4, 8, "#7b5a3a"), polygon([(-12, 9), (0, -17), (12, 9)], "#2f7a45", stroke=INK))
_HALL = shape(
    "hall",
    "g",
    polygon([(-15, -5), (0, -16), (15, -5)], GOLD, stroke=INK),
    *(rect(x, -4, 4, 16, "#fdfbf4", stroke=INK) for x in (-11, -2, 7)),
    rect(-14, 12, 28, 4, GOLD, stroke=INK),
)


def cube(colour: str, x: float = 0, y: float = 0, side: float = CUBE) -> str:
    """A worshipper of a colour, or of any colour."""
    return use(_CUBES[colour], x, y, side / CUBE)


def cubes(numbers: dict[str, int], across: int = 12, step: float = CUBE + 2) -> str:
    """Worshippers in rows of so many, from the upper left corner; they never touch."""
    listed = [colour for colour in (*COLOUR_NAMES, "any") for _ in range(numbers.get(colour, 0))]
    side = min(CUBE, step - 2)
    return "".join(cube(one, step * (k % across), step * (k // across), side) for k, one in enumerate(listed))


def points_sign(number: Any, state: bool | None = None) -> str:
    """Creation points in a circle: gold when they count, crossed out when they are cancelled."""
    fill = "#d8d0c4" if state is False else GOLD
    drawn = circle(0, 0, 12, fill, stroke=INK, stroke_width=2.4 if state else 1)
    drawn += text(0, 5, number, 14, font_weight="bold", text_anchor="middle")
    return drawn + line(-9, 9, 9, -9, STRUCK, stroke_width=3) if state is False else drawn


# ---- Effects, around (0, 0) --------------------------------------------------------------------------------------


def _row(sign: str, numbers: dict[str, int]) -> str:
    """A sign with worshippers on its right, centred."""
    count = sum(numbers.values())
    across = 3 if count > 4 else 2 if count == 4 else max(count, 1)
    width = 34 + (CUBE + 2) * across
    height = (CUBE + 2) * -(-count // across)
    return group(use(sign, 15), group(cubes(numbers, across), x=34, y=-height / 2), x=-width / 2)


def _farm(colour: str) -> str:
    return cube(colour, -11, -11, 22) + line(-17, 15, 17, -15, STRUCK, stroke_width=4)


def _irrigation(below: list[str]) -> str:
    tiles = "".join(
        rect(-22 + 23 * k, 5, 21, 13, CUBES.get(colour, "none"), rx=2, stroke=INK)
        + mark(colour, 23 * k - 11.5, 11.5, 10)
        for k, colour in enumerate([*below, "none"][:2])
    )
    return use(_DROP) + tiles


IN_A_ROW = {"conversion": _ARROW, "village": _HOUSE, "volcano": _MOUNT, "forest": _TREE}


def sign_of(effect: dict[str, Any]) -> str:
    """The sign of what a tile does."""
    match effect["type"]:
        case "holy_stone":
            return use(_HOLY)
        case "farm":
            return _farm(effect["waives"])
        case "irrigation":
            return _irrigation(effect["below"])
        case "temple":
            number = effect["temples"]
            return "".join(use(_HALL, 36 * (k - (number - 1) / 2)) for k in range(number))
    return _row(IN_A_ROW[effect["type"]], effect_parts(effect))


# ---- What the signs mean -----------------------------------------------------------------------------------------

EFFECTS = (  # a sign, its words, and the effect of the vocabulary
    (use(_ARROW), "take the worshippers shown", "conversion"),
    (use(_HOLY, zoom=0.72), "holy stone: its points", "holy stone"),
    (_farm("blue"), "farm: costs ask no more for this colour", "farm"),
    (use(_HOUSE), "village: points if so many are discarded as it is placed", "village"),
    (use(_MOUNT, zoom=0.85), "volcano: points if these are destroyed on the display as it is placed", "volcano"),
    (use(_DROP, y=9), "irrigation: points if the two tiles below have these colours", "irrigation"),
    (use(_TREE), "forest: points if so many tiles around it have this colour", "forest"),
    (use(_HALL), "temple: counts for the temple tokens; a number breaks ties", "temple"),
)
ROW, LINE, AT = 46, 13, 40  # height of an entry, from one line of words to the next, where words begin


def legend(width: float, across: int = 2) -> tuple[str, float]:
    """What the signs of tiles mean, in columns; and the height of all."""
    others = (
        (cubes({"red": 1, "any": 1}), -14, -6, "top left: the cost; ? is any colour"),
        (icon("star", 0, 0, 13, STARS["none"], stroke=INK), -6, -6, "one to three stars: the level"),
        (points_sign(2), 0, 0, "points; a thick ring: they count"),
        (points_sign(2, False), 0, 0, "struck out: not met, no points"),
    )
    listed = [(group(drawn, x=x, y=y), said, None) for drawn, x, y, said in others]
    listed += [(drawn, said, effect) for drawn, said, effect in EFFECTS]
    wide, deep = (width - 16) / across, -(-len(listed) // across)
    parts = []
    for k, (drawn, said, effect) in enumerate(listed):
        rows = wrapped(said, wide - AT - 10, TINY)
        top = ROW / 2 + 4 - LINE * (len(rows) - 1) / 2
        lines = [label(AT, top + LINE * n, row, wide - AT - 6, TINY, QUIET) for n, row in enumerate(rows)]
        entry = group(
            group(drawn, x=20, y=ROW / 2, zoom=0.8, data_own=1), *lines, data_word=effect and f"effect:{effect}"
        )
        parts.append(box(wide, ROW, entry, x=8 + k // deep * wide, y=30 + k % deep * ROW))
    head = box(200, 22, text(8, 14, "Symbols of the tiles", BODY, font_weight="bold"), x=8, y=8)
    high = 38 + deep * ROW
    return panel(width, high) + head + group(*parts), high


# ---- Tiles -----------------------------------------------------------------------------------------------------

GROUNDS = {"white": "#ece7da", "yellow": "#f6e3a9", "green": "#cfe3c2", "blue": "#c6dcef", "red": "#f0c6bd"}
SCENERY = {"white": "mountains", "yellow": "desert", "green": "forest", "blue": "lakes", "red": "wasteland"}
WILD = "#b5a48a"
TILE_WIDTH, TILE_HEIGHT = 128, 92


def paint_tile(game: Any, tile: int) -> str:
    """A region tile to take, face-up: cost, level, effect, points."""
    found = tile_of(game, tile)
    parts = [*_ground(game, tile), group(cubes(found["cost"]), x=8, y=16)]
    parts += [
        icon("star", TILE_WIDTH - 18 - 13 * k, 15, 13, STARS[found["stars"]], stroke=INK) for k in range(found["level"])
    ]
    parts.append(group(sign_of(found["effect"]), x=TILE_WIDTH / 2 - 9 * bool(found["cp"]), y=56))
    if found["cp"]:
        parts.append(group(points_sign(found["cp"]), x=TILE_WIDTH - 18, y=TILE_HEIGHT - 18))
    return group(*parts, *_mythology(found), data_piece=f"tile {tile}")


def placed_tile(game: Any, tile: int, state: bool | None = None) -> str:
    """A tile of a pyramid: effect and points. `state` is True for an active effect, False for a cancelled one."""
    found = tile_of(game, tile)
    x = TILE_WIDTH / 2 - 9 * bool(found["cp"])  # beside the points
    parts = [*_ground(game, tile), group(sign_of(found["effect"]), x=x, y=48, zoom=1.15)]
    if found["cp"]:
        parts.append(group(points_sign(found["cp"], state), x=TILE_WIDTH - 20, y=TILE_HEIGHT - 20, zoom=1.25))
    return group(*parts, *_mythology(found), data_piece=f"tile {tile}")


def _bare(colour: str) -> str:
    """The ground of a tile, and its colour with the sign of it along the upper edge."""
    ground = rect(1, 1, TILE_WIDTH - 2, TILE_HEIGHT - 2, GROUNDS[colour], rx=9, stroke=INK, stroke_width=1.5)
    band = rect(1, 1, TILE_WIDTH - 2, 11, CUBES[colour], rx=4, stroke=INK, stroke_width=1)
    return shape(f"tile {colour}", "g", ground, band, mark(colour, TILE_WIDTH / 2, 6.5, 9), pointer_events="none")


TILES = {colour: _bare(colour) for colour in GROUNDS}


def _ground(game: Any, tile: int) -> list[str]:
    colour = tile_of(game, tile)["colour"]
    return [
        title(f"{tile_of(game, tile)['id']}: {tile_words(game, tile)}"),
        use(TILES[colour]),
        landscape(SCENERY[colour], TILE_WIDTH / 2, TILE_HEIGHT / 2 + 12, 2.3, opacity=0.6),
    ]


def _mythology(found: dict[str, Any]) -> list[str]:
    """The number by which a white tile breaks ties, at the lower left."""
    if not found["mythology"]:
        return []
    ground = rect(5, TILE_HEIGHT - 25, 27, 20, "#fffdf8", rx=4, stroke="#6d6259", stroke_width=0.8)
    number = text(18.5, TILE_HEIGHT - 9.5, found["mythology"], 17.5, "#6d6259", text_anchor="middle")
    return [group(ground, number, data_word="points:number")]


def _wilderness() -> str:
    stripes = [
        rect(14 + 21 * k, TILE_HEIGHT - 22, 16, 8, CUBES[colour], rx=3, opacity=0.75)
        for k, colour in enumerate(COLOUR_NAMES)
    ]
    hills = polygon([(18, 58), (46, 26), (66, 48), (84, 32), (110, 58)], "#a08e72")
    ground = rect(1, 1, TILE_WIDTH - 2, TILE_HEIGHT - 2, WILD, rx=9, stroke=INK, stroke_width=1.5)
    return shape("wilderness", "g", ground, hills, *stripes)


BARE = _wilderness()


def paint_wilderness(game: Any, tile: int) -> str:
    """The back of a tile: bare land of every colour."""
    return group(title(f"wilderness ({tile_of(game, tile)['id']})"), use(BARE), data_piece=f"tile {tile}")


# ---- A position as a picture: display, piles, gods and temple tokens on the left, every universe on the right ----

ZOOM = 0.92  # of the display
SMALLEST = 9.9  # the size of the smallest text, which is what tiles in a wide pyramid do
STEP_X, STEP_Y = TILE_WIDTH + 10, TILE_HEIGHT + 30  # from one display position to the next
PANEL = (3 * STEP_X + 18) * ZOOM  # the left side is so wide
DISPLAY_HIGH, SUPPLY, GOD = (3 * STEP_Y + 18) * ZOOM, 128, 46
LEFT_SLOT = 46  # width of the place at the left end of a bottom row
CARD_WIDTH = (PAGE - 2 * MARGIN - PANEL - 2 * GAP) / 2
EDGE = 10  # of a seat, beside its pyramid
GOD_WIDE = CARD_WIDTH - 2 * EDGE
LARGEST = 0.95  # of the tiles in a pyramid, which is drawn as wide as it is
UNIVERSE_AT = 84


def render_svg(game: Any, g: Any, seat: Viewer = None) -> str:
    """The picture; the same for every viewer. Raises ValueError for a viewer who is not at the table."""
    checked_viewer(seat, game.players)
    seats = breakdown(game, g)
    offer = [god for god in range(GODS) if g.offer >> god & 1]
    gods_at = DISPLAY_HIGH + SUPPLY + 2 * GAP
    tokens_at = gods_at + 30 + GOD * max(len(offer), 1) + GAP
    left = [
        _display(game, g),
        group(_supply(game, g), y=DISPLAY_HIGH + GAP),
        group(_gods(game, offer), y=gods_at),
        group(_tokens(game, seats, seat), y=tokens_at),
    ]
    parts = [region("display", PANEL, tokens_at + 74, *left, x=MARGIN, y=TOP, main=True)]
    universes = [_universe(game, g, owner) for owner in range(game.players)]
    high = UNIVERSE_AT + max(height for _, height in universes) + 66
    for owner, (universe, _) in enumerate(universes):
        row, column = divmod(owner, 2)
        x, y = MARGIN + PANEL + GAP + column * (CARD_WIDTH + GAP), TOP + row * (high + GAP)
        drawn = _seat(g, owner, seats[owner], seat, universe, high)
        parts.append(region(f"seat {owner}", CARD_WIDTH, high, drawn, x=x, y=y, tally=points(seats[owner]["total"])))
    bottom = TOP + -(-game.players // 2) * (high + GAP)
    if game.players != 3:  # a page would put them in place of the third seat
        signs, signs_high = legend(CARD_WIDTH)
        parts.append(region("signs", CARD_WIDTH, signs_high, signs, x=MARGIN + PANEL + GAP, y=bottom, behind=True))
        bottom += signs_high
    height = round(max(bottom, TOP + tokens_at + 74) + MARGIN)
    return page(game.spec.title, status(game, g, seat), height, *parts, smallest=SMALLEST)


# ---------------------------------------------------------------------------------------------------- the left side


def _display(game: Any, g: Any) -> str:
    """The nine tiles with the worshippers that lie on them, and the name of each place."""
    parts = []
    for position in range(DISPLAY):
        row, column = divmod(position, 3)
        tile, name = int(g.display[position]), DISPLAY_NAMES[position]
        drawn = _hole() if tile == NONE else paint_tile(game, tile)
        word = None if tile == NONE else f"tile:{tile_of(game, tile)['id']}"
        tray = rect(1, TILE_HEIGHT + 1, TILE_WIDTH - 2, 21, "#fffdf8", rx=6, stroke=FAINT)
        count = max(int(sum(g.lying[position])), 1)
        lying = group(cubes(colour_numbers(g.lying[position]), count, min(15, 92 / count)), x=5, y=TILE_HEIGHT + 5)
        said = text(TILE_WIDTH - 5, TILE_HEIGHT + 17, name, 14, QUIET, text_anchor="end")
        where: dict[str, Any] = {"x": 14 + column * STEP_X, "y": 12 + row * STEP_Y}
        parts.append(
            place(f"display {name}", TILE_WIDTH, TILE_HEIGHT + 22, drawn, tray, lying, said, data_word=word, **where)
        )
    return panel(PANEL, DISPLAY_HIGH, fill=BOARD) + group(*parts, zoom=ZOOM)


def _hole() -> str:
    """A place without a tile."""
    return rect(4, 4, TILE_WIDTH - 8, TILE_HEIGHT - 8, rx=9, stroke=FAINT, stroke_width=2.5, stroke_dasharray="8 7")


def _supply(game: Any, g: Any) -> str:
    """Piles by level, and the tile in hand."""
    levels = [int(game.tables[0].level[tile]) for tile in g.pile if tile != NONE]
    parts = [panel(PANEL, SUPPLY, fill=BOARD), text(16, 25, "Piles", BODY, font_weight="bold")]
    for level in range(1, LEVELS + 1):
        stars = "★" * level
        parts.append(text(16, 25 + 27 * level, stars, BODY, "#7d5804"))
        parts.append(text(70, 25 + 27 * level, f"{levels.count(level)} tiles", BODY))
    word, empty = None, g.hand == NONE or g.cell != NONE
    if empty:
        hand = _hole()
    else:
        paint = paint_wilderness if g.face == WILDERNESS else paint_tile
        hand, word = paint(game, int(g.hand)), f"tile:{tile_of(game, int(g.hand))['id']}"
    parts.append(text(PANEL - 142, 25, "In hand", BODY, font_weight="bold"))
    where: dict[str, Any] = {
        "x": PANEL - 142,
        "y": 34,
        "zoom": 0.95,
        "data_word": word,
        "data_empty": 1 if empty else None,
    }
    return group(*parts, place("hand", TILE_WIDTH, TILE_HEIGHT, hand, **where))


def _gods(game: Any, offer: list[int]) -> str:
    """The gods that may be taken, with what they pay."""
    parts = [text(0, 16, "Gods on offer", BODY, font_weight="bold")]
    for k, god in enumerate(offer):
        parts.append(place(f"god {god_name(god)}", PANEL, GOD - 6, _god(game, god, PANEL), y=26 + GOD * k))
    return group(*parts, "" if offer else text(0, 42, "none left", SMALL, QUIET))


def _god(game: Any, god: int, width: float, done: bool = False) -> str:
    """A god's tile: name and what it pays."""
    words = god_words(game, god) + (" (done)" if done else "")
    return group(
        title(f"{god_name(god)}: {words}"),
        rect(0, 0, width, GOD - 6, "#efe4f3", rx=8, stroke="#8a5aa8", stroke_width=1.4),
        circle(21, GOD / 2 - 3, 15.5, "#8a5aa8", stroke=GOLD, stroke_width=2),
        icon(game.vocabulary["god", god_name(god)].icon, 12, GOD / 2 - 12, 18, "#fff"),
        label(44, 17, god_name(god), width - 54, SMALL + 1, bold=True),
        label(44, 32, words, width - 52, TINY, least=SMALLEST),
        data_word=f"god:{god_name(god)}",
    )


def _tokens(game: Any, seats: list[dict[str, Any]], viewer: Viewer) -> str:
    """The temple tokens, and who would get them if the game ended now."""
    parts = [text(0, 16, "Temple tokens", BODY, font_weight="bold")]
    for k, token in enumerate(int(token) for token in game.tables[0].tokens if token):
        owner = next((seat["seat"] for seat in seats if seat["temple_rank"] == k + 1), None)
        said = "nobody" if owner is None else seat_word(owner, viewer)
        disc = circle(42, 17, 16, GOLD, stroke=INK) + text(42, 22, token, 15, text_anchor="middle", font_weight="bold")
        parts.append(group(disc, label(42, 46, said, 82, TINY, QUIET, anchor="middle"), x=86 * k, y=26))
    return group(*parts)


# ---------------------------------------------------------------------------------------------------- seats


def _seat(g: Any, owner: int, found: dict[str, Any], viewer: Viewer, universe: str, high: float) -> str:
    """One seat: its points and worshippers, its universe with the god on top, and the reasons of the points."""
    return group(
        seat_ground(g, owner, viewer, CARD_WIDTH, high, y=31),
        label(CARD_WIDTH - 16, 31, points(found["total"]), 140, HEAD, bold=True, anchor="end"),
        group(_worshippers(g, owner), x=14, y=46),
        group(universe, x=EDGE, y=UNIVERSE_AT),
        paragraph(16, high - 42, ", ".join(reasons(found)), CARD_WIDTH - 32, 3, TINY, QUIET),
    )


def _worshippers(g: Any, owner: int) -> str:
    """How many of each colour; those that a farm waives are crossed out as a cost."""
    parts = []
    for colour, name in enumerate(COLOUR_NAMES):
        number = int(g.realm[owner, colour])
        where = f"seat {owner} {name}"
        drawn = cube(name, 3, 4, 17) + text(26, 18, number, BODY, INK if number else QUIET, font_weight="bold")
        parts.append(place(where, 43, 25, title(name), drawn, x=45 * colour, rx=5, data_word=f"colour:{name}"))
    total = int(sum(g.realm[owner]))
    most = title(f"{total} worshippers in all; at the end of a turn {LIMIT} are the most")
    parts.append(group(most, text(228, 17, f"{total} of {LIMIT}", SMALL, QUIET)))
    waived = [name for colour, name in enumerate(COLOUR_NAMES) if g.farms[owner] >> colour & 1]
    x = CARD_WIDTH - 26
    parts += [cube(name, x - 15 * (k + 1), 6, 13) for k, name in enumerate(waived)]
    if waived:
        parts.append(text(x - 15 * len(waived) - 5, 17, "farms", SMALL, QUIET, text_anchor="end"))
    return group(*parts)


def _universe(game: Any, g: Any, owner: int) -> tuple[str, float]:
    """The god, and the pyramid as large as there is room, its bottom row below; where a tile may be laid stands the
    place's name. And the height of all."""
    cells = [(divmod(cell, STRIDE), _placed(game, g, owner, cell)) for cell in (*range(STRIDE), *UPPER_CELLS)]
    found = [(row, column, drawn) for (row, column), drawn in cells if drawn]
    left = LEFT_SLOT if 0 < bottom_width(g, owner) < STRIDE and not g.over else 0
    top = max(row for row, _, _ in found)
    wide = left + TILE_WIDTH * sum(1 for row, _, _ in found if row == 0)
    zoom, room, parts = min(LARGEST, (CARD_WIDTH - 2 * EDGE) / wide), GOD if g.god[owner] != NONE else 0, []
    for row, column, drawn in found:
        parts.append(group(drawn, x=left + (column + row / 2) * TILE_WIDTH, y=(top - row) * TILE_HEIGHT))
    if left:
        slot = _open(LEFT_SLOT - 6, "◀", 3)
        name, y = f"seat {owner} {SLOT_NAMES[LEFT]}", top * TILE_HEIGHT
        parts.append(place(name, LEFT_SLOT - 6, TILE_HEIGHT, slot, y=y, data_empty=1))
    pyramid = group(*parts, x=(CARD_WIDTH - 2 * EDGE - zoom * wide) / 2, y=room, zoom=zoom)
    if room:
        god = _god(game, int(g.god[owner]), GOD_WIDE, bool(g.taken[owner]))
        pyramid += place(f"seat {owner} god", GOD_WIDE, GOD - 6, god)
    return pyramid, room + (top + 1) * TILE_HEIGHT * zoom


def _open(width: float, name: str, inset: float = 5) -> str:
    """A place where a tile may be laid."""
    border = rect(
        inset, 5, width - 2 * inset, TILE_HEIGHT - 10, rx=9, stroke=QUIET, stroke_width=2.4, stroke_dasharray="7 6"
    )
    return border + label(width / 2, TILE_HEIGHT / 2 + 8, name, width - 16, 22, QUIET, anchor="middle")


def _placed(game: Any, g: Any, owner: int, cell: int) -> str:
    """A cell of a pyramid: its tile, an open place, or nothing."""
    tile = int(g.tiles[owner, cell])
    if tile == NONE:
        at_the_end = cell < STRIDE and cell == bottom_width(g, owner)
        name = SLOT_NAMES[RIGHT] if at_the_end else open_name(g, owner, cell)
        if not name or g.over:
            return ""
        slot = _open(TILE_WIDTH, "▶" if at_the_end else place_name(name))
        return place(f"seat {owner} {name}", TILE_WIDTH, TILE_HEIGHT, slot, data_empty=1)
    if g.wild[owner] >> cell & 1:
        return place(f"seat {owner} tile {tile}", TILE_WIDTH, TILE_HEIGHT, paint_wilderness(game, tile))
    state = True if g.active[owner] >> cell & 1 else False if g.cancelled[owner] >> cell & 1 else None
    if game.tables[0].effect[tile] == FOREST:
        state = True if forest_active(g, game.tables[0], owner, cell) else False if g.over else None
    word = f"tile:{tile_of(game, tile)['id']}"
    return place(f"seat {owner} tile {tile}", TILE_WIDTH, TILE_HEIGHT, placed_tile(game, tile, state), data_word=word)
