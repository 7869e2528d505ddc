"""The look that the pictures of all games share: a page 1280 wide, panels, card backs, seats."""

from __future__ import annotations

import re
from collections.abc import Iterable
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

DISC = "M12 2 a10 10 0 1 0 .01 0 Z"
ICONS = {
    # goods
    "coin": f"{DISC} M12 4.4 a7.6 7.6 0 1 1 -.01 0 Z M12 6 a6 6 0 1 0 .01 0 Z",
    "worker": "M12 2 L21 7 V17 L12 22 L3 17 V7 Z "
    "M12 11.2 L19.6 7 L20.4 8.3 L12.8 12.5 V21 H11.2 V12.5 L3.6 8.3 L4.4 7 Z",
    "priest": "M12 1 L16.5 9 A5.2 5.2 0 0 1 15 13.2 L20 22 H4 L9 13.2 A5.2 5.2 0 0 1 7.5 9 Z",
    "power": f"{DISC} M12 5.5 L16 12 L12 18.5 L8 12 Z",
    "spade": "M8.5 1.5 H15.5 V4.3 H13.4 V11 H18 V16 C18 20 14 22 12 23 C10 22 6 20 6 16 V11 H10.6 V4.3 H8.5 Z",
    "key": "M8 4 A6 6 0 1 0 13.6 12 H15.5 V15 H18.5 V12 H22 V9 H13.6 A6 6 0 0 0 8 4 Z M8 7.6 a2.4 2.4 0 1 1 -.01 0 Z",
    "ship": "M2 15 H22 L19 21 H5 Z M11 2 V13 H4 Z M13 4 L20 13 H13 Z",
    "bridge": "M1 10 H23 V18 H18.5 A6.5 6.5 0 0 0 5.5 18 H1 Z M1 6 H23 V8.4 H1 Z",
    "star": "M12 2 L14.9 8.6 L22 9.3 L16.6 14 L18.2 21 L12 17.3 L5.8 21 L7.4 14 L2 9.3 L9.1 8.6 Z",
    # structures
    "house": "M4 21 V11 L12 3.5 L20 11 V21 Z",
    "trading house": "M1.5 21 V12 H8.5 V8 L15.5 2.5 L22.5 8 V21 Z",
    "temple": "M12 2.5 a9.5 9.5 0 1 0 .01 0 Z",
    "stronghold": "M2.5 21 V3.5 H7 V8 H9.8 V3.5 H14.2 V8 H17 V3.5 H21.5 V21 Z",
    "sanctuary": "M7 4.5 H17 A7.5 7.5 0 0 1 17 19.5 H7 A7.5 7.5 0 0 1 7 4.5 Z",
    "town": "M2 21 V13 H5 V9.5 H8 V13 H10 V6.5 L13 3 L16 6.5 V13 H18 V9 H22 V21 Z",
    # elements
    "fire": "M12 1 C14 6 20 9 19 16 A7 7 0 0 1 5 16 C5 12 7 11 8 8 C10 9.5 10 11 11 12 C13 9 12.6 5 12 1 Z",
    "water": "M12 1 C16 8 20 11 20 15.5 A8 7.5 0 0 1 4 15.5 C4 11 8 8 12 1 Z",
    "earth": "M1.5 20 L9 5 L13 12.5 L16 8.5 L22.5 20 Z",
    "air": "M2 7 C6 3 10 3 13 6 S19 9 22 6 V9 C19 12 15 12 12 9 S5 7 2 10 Z "
    "M2 15 C6 11 10 11 13 14 S19 17 22 14 V17 C19 20 15 20 12 17 S5 15 2 18 Z",
    # ages
    "castle": "M3 21 L3 3 L7.5 3 L7.5 7.5 L10.5 7.5 L10.5 3 L13.5 3 L13.5 7.5 L16.5 7.5 L16.5 3 L21 3 L21 21 Z",
    "crown": "M1.5 19.5 L1.5 6 L7.5 12 L12 3 L16.5 12 L22.5 6 L22.5 19.5 Z",
    "leaf": "M3 21 L4.5 9 L12 3 L21 3 L21 12 L15 19.5 L7.5 19.5 Z",
    "bulb": "M12 2 a7 7 0 0 1 4 12.8 V17 H8 V14.8 A7 7 0 0 1 12 2 Z M8 18.5 H16 V22 H8 Z",
    "factory": "M1.5 21 L1.5 10.5 L7.5 6 L7.5 10.5 L13.5 6 L13.5 10.5 L16.5 10.5 L16.5 1.5 L21 1.5 L21 21 Z",
    "clock": "M12 2 a10 10 0 1 0 .01 0 Z M12 5 a7 7 0 1 1 -.01 0 Z M11 7 H13 V11 H17 V13 H11 Z",
    # what happens to cards
    "draw": "M3 2 H13 V12 H11 V4 H5 V20 H9 V22 H3 Z M16.5 8 L23 15 H19 V22 H14 V15 H10 Z",
    "meld": "M2 20 H22 V23 H2 Z M12 18.5 L4 10.5 H9 V1.5 H15 V10.5 H20 Z",
    "tuck": "M2 1 H22 V4 H2 Z M12 5.5 L20 13.5 H15 V22.5 H9 V13.5 H4 Z",
    "return": "M10 1 L2 7.5 L10 14 V9.8 C15 9.8 17.5 12 17.5 15.5 C17.5 18 16.5 20 14.5 22 "
    "C20 20.5 22.5 17.5 22.5 13.5 C22.5 8 17.5 4.6 10 4.6 Z",
    "splay": "M1.5 7 H7 V20 H1.5 Z M8.5 5 H14 V21 H8.5 Z M15.5 3 H22.5 V22 H15.5 Z",
    "hand over": "M1.5 9 H12 V3.5 L22.5 12 L12 20.5 V15 H1.5 Z",
    "exchange": "M8 1 L1 7 L8 13 V9 H22 V5 H8 Z M16 11 L23 17 L16 23 V19 H2 V15 H16 Z",
    "claim": "M6 2 H18 V5 H22 C22 10 20 12 17 12.5 C16 14.5 14.5 15.5 13.5 16 V19 H17 V22 H7 V19 H10.5 V16 "
    "C9.5 15.5 8 14.5 7 12.5 C4 12 2 10 2 5 H6 Z",
    # fighting
    "melee": "M19 2 L22 5 L11 16 L13 18 L11 20 L8.5 17.5 L5 21 L3 19 L6.5 15.5 L4 13 L6 11 L8 13 Z",
    "ranged": "M22 2 L20.6 9.6 L18 7 L8.4 16.6 "
    "L9.5 20.5 L7.5 22.5 L5 19 L1.5 16.5 L3.5 14.5 L7.4 15.6 L17 6 L14.4 3.4 Z",
    "block": "M12 1.5 L21 4.5 V11 C21 17 17 21 12 23 C7 21 3 17 3 11 V4.5 Z",
    "number": "M9.5 3 H14.5 V9.5 H21 V14.5 H14.5 V21 H9.5 V14.5 H3 V9.5 H9.5 Z",
    "stun": "M13.5 1 L4 14 H10.5 L8.5 23 L20 9 H13 Z",
    "poison": "M9 1.5 H15 V4 H14 V9 L20.5 19.5 A2.2 2.2 0 0 1 18.6 23 H5.4 A2.2 2.2 0 0 1 3.5 19.5 L10 9 V4 H9 Z",
    "crystal": "M12 1 L19.5 8 L15.5 23 H8.5 L4.5 8 Z M12 3.8 L8 8.2 H16 Z",
    "heart": "M12 21.5 C4 15.5 1.5 11.5 1.5 7.5 A5.3 5.3 0 0 1 12 5.6 "
    "A5.3 5.3 0 0 1 22.5 7.5 C22.5 11.5 20 15.5 12 21.5 Z",
    "rage": "M12 1 C14 6 20 9 19 16 A7 7 0 0 1 5 16 C5 12 7 11 8 8 C10 9.5 10 11 11 12 C13 9 12.6 5 12 1 Z",
    "ward": "M12 1 L22 7 V17 L12 23 L2 17 V7 Z "
    "M12 4.5 L5 8.6 V15.4 L12 19.5 L19 15.4 V8.6 Z M12 7 L16 12 L12 17 L8 12 Z",
    "arrow": "M12 23 L3.5 12.5 H9 V2 H15 V12.5 H20.5 Z",
    "turn": "M12 3 A9 9 0 0 1 21 12 H23.5 L19.5 17.5 L15.5 12 H18 A6 6 0 0 0 12 6 Z "
    "M12 21 A9 9 0 0 1 3 12 H.5 L4.5 6.5 L8.5 12 H6 A6 6 0 0 0 12 18 Z",
    # heroes
    "kratos": "M9.5 1 H12.5 V23 H9.5 Z M13 3 C18 1.5 21.5 5 22 11 C19 8.5 16 9 13 12.5 Z",
    "atreus": "M6 1 C16.5 4 16.5 20 6 23 L5 21.3 C12 18 12 6 5 2.7 Z M3 11 H18 V8.5 L23 12 L18 15.5 V13 H3 Z",
    "mimir": "M1 12 C5 5 19 5 23 12 C19 19 5 19 1 12 Z M12 7.5 a4.5 4.5 0 1 0 .01 0 Z M12 10 a2 2 0 1 1 -.01 0 Z",
    "freya": "M21 2 C10 3 5 10 5 17 L2 22 L4 23 L7 18.5 C16 18 21 12 21 2 Z M16 7 L7.4 17.4 L6.2 16.4 Z",
    "brok": "M1.5 6 H17 C18 8 20 9 23 9 V11 C19 12 16 12.5 15 15 V18 H18 V21 H6 V18 H9 V15 C7 12 4 11 1.5 10 Z",
    "sindri": "M3 3.5 H19 V11 H13.3 V22.5 H9.3 V11 H3 Z M20 4.5 H22.5 V10 H20 Z",
    # enemies
    "skull": "M12 2 C6 2 3 6 3 11 C3 14 4.5 16 7 17 V21 H10 V19 H11 V21 H13 V19 H14 V21 H17 V17 C19.5 16 21 14 21 11 "
    "C21 6 18 2 12 2 Z M8 8.5 a2.4 2.4 0 1 0 .01 0 Z M16 8.5 a2.4 2.4 0 1 0 .01 0 Z",
    "horns": "M2 2 C2 7.5 4 9 6 9.5 C7 8 9 7 12 7 C15 7 17 8 18 9.5 C20 9 22 7.5 22 2 C23.8 8 22.5 12 19 13 "
    "C19 19 16 22 12 22 C8 22 5 19 5 13 C1.5 12 .2 8 2 2 Z M8 11.5 L11 14 L8 15 Z M16 11.5 L13 14 L16 15 Z",
    "elf": "M12 3 C16 3 18 6 18 9 L23 6 L18.5 14 C17.5 19 15 22 12 22 C9 22 6.5 19 5.5 14 L1 6 L6 9 C6 6 8 3 12 3 Z "
    "M8.3 10.5 L11 13 L8.3 13.8 Z M15.7 10.5 L13 13 L15.7 13.8 Z",
    "hood": "M12 1 C18 4 20 9 20 15 L22 22 H2 L4 15 C4 9 6 4 12 1 Z M12 8 C9 8 7.5 11 7.5 14 C7.5 17 9.5 18.5 12 18.5 "
    "C14.5 18.5 16.5 17 16.5 14 C16.5 11 15 8 12 8 Z M9.4 12 h2 v2 h-2 Z M12.8 12 h2 v2 h-2 Z",
    "hive": "M12 1.5 L17 4.5 V10 L12 13 L7 10 V4.5 Z M6.5 11.5 L11.5 14.5 V20 L6.5 23 L1.5 20 V14.5 Z "
    "M17.5 11.5 L22.5 14.5 V20 L17.5 23 L12.5 20 V14.5 Z",
    "dragon": "M1.5 14 L9 8 L8 2.5 L13 7 C18 7 22 10 22.5 14 L18 13.5 L16 16 L21 17.5 C17 21.5 9 21.5 5 18 L9 16 Z "
    "M14 9.3 L17 11 L14 11.6 Z",
    "wings": "M12 4 C14 4 15.5 6 15.5 9 V13 C20 13 22.5 9 23 3 C24 12 21 18 15.5 19 L12 22 L8.5 19 C3 18 0 12 1 3 "
    "C1.5 9 4 13 8.5 13 V9 C8.5 6 10 4 12 4 Z M10 10 H14 V11.5 H12.7 V16 H11.3 V11.5 H10 Z",
    "hand": "M7 22.5 V16 L2.5 10 L4.5 8.5 L8 12 V4 H10 V11 H11 V2 H13 V11 H14 V4 H16 V12 H17 V7 H19 V15.5 L17 22.5 Z",
    "blaze": "M12 1 L14 8 L21 5 L16 11 L23 14 L16 15 L18 22 L12 17 L6 22 L8 15 L1 14 L8 11 L3 5 L10 8 Z",
}


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
