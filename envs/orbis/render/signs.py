"""The signs of Orbis, each drawn once in a part of a picture: worshippers, effects, points; and what they mean."""

from __future__ import annotations

from typing import Any

from theogony.envs.core.draw.style import QUIET, box, icon, mark, panel
from theogony.envs.core.draw.svg import (
    BODY,
    INK,
    TINY,
    circle,
    element,
    group,
    label,
    line,
    polygon,
    rect,
    shape,
    text,
    use,
    wrapped,
)
from theogony.envs.orbis.components import COLOUR_NAMES, effect_parts

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
    head = box(200, 22, text(8, 14, "Signs of the tiles", BODY, font_weight="bold"), x=8, y=8)
    high = 38 + deep * ROW
    return panel(width, high) + head + group(*parts), high
