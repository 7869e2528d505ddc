"""The look that the pictures of all games share: a page 1280 wide, panels, card backs, seats."""

from __future__ import annotations

import re
from typing import Any

from theogony.envs.core.draw.lettering import BODY, HEAD, TINY, TITLE, label, text_width
from theogony.envs.core.draw.people import seat_name
from theogony.envs.core.draw.svg import INK, group, picture, rect, text

PAGE = 1280  # width of a picture, where a game needs no other
MARGIN, GAP, TOP = 24, 14, 68  # around the page, between panels, under the title
CARD, BOARD, ACCENT, BACK, LINE = "#fffdf8", "#e9e0cd", "#b3261e", "#7b6f63", "#d3c8b3"
WIDE = re.compile(r'<svg[^>]* width="([\d.]+)"')  # of a picture
HIGH = re.compile(r'<svg[^>]* height="([\d.]+)"')
QUIET = "#60574c"  # text that explains: at least 4.5 to 1 on every ground
LAST = ' data-last="1"/>'  # the end of the line in which a page tells the last decision


def region(
    name: str,
    width: float,
    height: float,
    *children: str,
    x: float = 0,
    y: float = 0,
    main: bool = False,
    tint: str | None = None,
    passing: bool = False,
) -> str:
    """A part of a picture that can stand alone: a board, a supply, the area of a seat. What shows pictures may arrange
    these by the shape of its window, `main` ones first; those of seats are named `seat 0`, `seat 1` ..., and `tint` is
    the colour of the seat's pieces. The room of one that is missing is kept, but for `passing` ones, which do not come
    again."""
    told = {"data_main": 1 if main else None, "data_passing": 1 if passing else None, "data_tint": tint}
    return group(*children, x=x, y=y, data_region=name, data_size=f"{width:g} {height:g}", **told)


def box(width: float, height: float, *children: str, x: float = 0, y: float = 0, row: bool = False) -> str:
    """What stays together in a region. Where a window is too narrow for a region, its boxes stand in rows, in the order
    in which they are drawn; `x` and `y` are those within the region. With `row` a box begins a row there."""
    return group(*children, x=x, y=y, data_box=f"{width:g} {height:g}", data_row=1 if row else None)


def page(name: str, state: str, height: float, *parts: str, width: float = PAGE, smallest: float = TINY) -> str:
    """A whole picture: the game's name, the state of the game in words, and what is drawn below `TOP`: regions.

    `smallest` is the size of its smallest text, which tells a page in a browser how small it may draw the picture.
    """
    left = MARGIN + text_width(name, TITLE, True) + 24
    head = [
        text(MARGIN, 44, name, TITLE, font_weight="bold"),
        label(left, 36, state[:1].upper() + state[1:], width - MARGIN - left, HEAD),
        text(left, 57, "", BODY, QUIET, data_last="1"),
    ]
    told = {} if smallest == TINY else {"data_smallest": f"{smallest:g}"}
    return picture(width, height, region("head", width, TOP, *head), *parts, **told)


def height_by_width(drawn: str) -> float:
    """The shape of a picture."""
    return float(HIGH.findall(drawn)[0]) / float(WIDE.findall(drawn)[0])


def with_last(drawn: str, words: str) -> str:
    """A page with the last decision in words under the state of the game. What is no `page` stays as it is."""
    end = drawn.find(LAST)
    if not words or end < 0:
        return drawn
    start = drawn.rfind("<text", 0, end)
    left, width = float(drawn[start:end].split('"', 2)[1]), float(WIDE.findall(drawn)[0])
    return drawn[:start] + label(left, 57, words, width - MARGIN - left, BODY, QUIET) + drawn[end + len(LAST) :]


def panel(width: float, height: float, decides: bool = False, fill: str = CARD) -> str:
    """The ground of an area; that of the seat which decides has a strong border."""
    border = {"stroke": ACCENT, "stroke_width": 3.5} if decides else {"stroke": LINE, "stroke_width": 1.5}
    return rect(0, 0, width, height, fill, rx=12, **border)


def back(width: float, height: float, **where: Any) -> str:
    """The back of a card or tile that the viewer cannot know."""
    return rect(where.pop("x", 0), where.pop("y", 0), width, height, BACK, rx=5, stroke=CARD, stroke_width=1.2, **where)


def decides(g: Any, seat: int) -> bool:
    """Whether the decision is this seat's."""
    return seat == int(g.actor) and not g.over


def seat_ground(
    g: Any,
    seat: int,
    viewer: int | str | None,
    width: float,
    height: float,
    x: float = 16,
    y: float = 32,
    room: float = 200,
    name: str = "",
) -> str:
    """The ground of a seat's area, and its name, `room` wide, at (x, y). Both stand out where the seat decides."""
    mine = decides(g, seat)
    said = label(x, y, name or seat_name(seat, viewer), room, HEAD, ACCENT if mine else INK, bold=True)
    return panel(width, height, mine) + said
