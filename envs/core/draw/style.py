"""The look that the pictures of all games share: a page 1280 wide, panels, card backs, seats."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from theogony.envs.core.draw.svg import (
    BODY,
    HEAD,
    INK,
    TINY,
    TITLE,
    element,
    group,
    label,
    picture,
    rect,
    shape,
    text,
    text_width,
    use,
    with_shapes,
)

Viewer = int | str | None
YOURS = {"is": "are", "has": "have", "does": "do", "goes": "go"}  # verbs whose form with `you` is another word
SILENT = ("sses", "shes", "ches")  # ends of verbs that lose two letters


def seat_name(seat: int, viewer: Viewer = None) -> str:
    """What a seat is called: `You` for itself, `Player 2` for the others."""
    return "You" if viewer == seat else f"Player {seat + 1}"


def seat_word(seat: int, viewer: Viewer = None) -> str:
    """What a seat is called within a sentence: `you`, `player 2`."""
    return "you" if viewer == seat else f"player {seat + 1}"


def seat_does(seat: int, viewer: Viewer, *done: str, name: str = "") -> str:
    """`Player 2 takes a tile, pays 3` of another seat, `You take a tile, pay 3` of the viewer's own.

    Each of `done` begins with a verb in the third person. `name` is what is said in place of the seat's name.
    """
    mine = viewer == seat
    said = ", ".join(map(yours, done) if mine else done)
    return f"{name or seat_name(seat, viewer)} {said}"


def seats_do(seats: Iterable[int], viewer: Viewer, one: str, several: str) -> str:
    """`player 1 and player 3 share the win`: what one seat does (third person), or several do."""
    seats = list(seats)
    names = [seat_word(seat, viewer) for seat in seats]
    if len(names) == 1:
        return f"{names[0]} {yours(one) if viewer == seats[0] else one}"
    return f"{' and '.join(names) or 'nobody'} {several if names else one}"


def yours(done: str) -> str:
    """What somebody does, as it is said to them: `takes a tile` is `take a tile`."""
    verb, space, rest = done.partition(" ")
    if verb in YOURS:
        verb = YOURS[verb]
    elif verb.endswith(SILENT):
        verb = verb[:-2]
    elif verb.endswith("ies"):
        verb = f"{verb[:-3]}y"
    elif verb.endswith("s") and not verb.endswith("ss"):
        verb = verb[:-1]
    return verb + space + rest


# ---- The look that the pictures of all games share: a page 1280 wide, panels, card backs, seats ------------------

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
    tally: str | None = None,
    passing: bool = False,
    pinned: bool = False,
    behind: bool = False,
    beside: float | None = None,
    brief: float | None = None,
) -> str:
    """A part of a picture that can stand alone: a board, a supply, the area of a seat. What shows pictures may arrange
    these by the shape of its window, `main` ones first; those of seats are named `seat 0`, `seat 1` ..., and `tint` is
    the colour of the seat's pieces, `tally` its points, which a page tells of seats that may be out of sight. The room
    of one that is missing is kept, but for `passing` ones, which do not come again.

    A page that has room for two columns shows the board with the own seat beneath it, and beside them, no wider than
    `beside`, the parts that have it, those that are `behind` last; of those that have `brief` so much of their top,
    until they are clicked. What is `pinned` stays in sight.
    """
    flags = {"main": main, "passing": passing, "pinned": pinned, "behind": behind}
    told: dict[str, Any] = {f"data_{flag}": 1 for flag, given in flags.items() if given} | {
        "data_tint": tint,
        "data_tally": tally,
    }
    told |= {"data_beside": beside and f"{beside:g}", "data_brief": brief and f"{brief:g}"}
    return group(with_shapes(*children), x=x, y=y, data_region=name, data_size=f"{width:g} {height:g}", **told)


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


# ---- Icons drawn for this project: SVG paths in a square from (0, 0) to (24, 24), filled in one colour (even-odd) --

GROUPS: dict[str, dict[str, str]] = json.loads(Path(__file__).with_name("icons.json").read_text("utf-8"))
ICONS = {name: path for group in GROUPS.values() for name, path in group.items()}


MARKS = {  # of colours that pieces have in several games: paths around (0, 0), 20 wide; white has none
    "red": "M-7-7 7 7M7-7-7 7", "green": "M0-8 8 7H-8Z", "blue": "M0-7a7 7 0 1 0 .1 0Z",
    "yellow": "M-8-4H8M-8 4H8", "purple": "M0-9 9 0 0 9-9 0Z",
}  # fmt: skip
MARK_INK = "#1c1916"  # dark by night as well, as the colours under it stay what they are


def mark(colour: str, x: float, y: float, size: float, ink: str = MARK_INK) -> str:
    """The sign of a colour around (x, y), which tells it to those who do not see it; nothing for other colours."""
    if colour not in MARKS:
        return ""
    where, wide = f"translate({x:.4g} {y:.4g}) scale({size / 20:.3g})", 4
    return element("path", d=MARKS[colour], stroke=ink, stroke_width=wide, fill="none", transform=where)


SPACED = re.compile(r" *([A-Za-z]) *")  # a command of a path, which needs no blanks around it
_ICON = {
    name: shape(f"icon-{name}", "path", d=SPACED.sub(r"\1", path), fill_rule="evenodd") for name, path in ICONS.items()
}


def icon(name: str, x: float, y: float, size: float = 16, fill: str | None = INK, **attributes: Any) -> str:
    """An icon in the square of `size` whose upper left corner is (x, y)."""
    return use(_ICON[name], x, y, size / 24, fill=fill, **attributes)
