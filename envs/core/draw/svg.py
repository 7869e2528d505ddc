"""SVG from plain strings, and its pixels. Games draw with these few helpers, so that their pictures look alike.

Lengths are SVG user units (pixels at zoom 1), y grows downwards. Attribute names are written with underscores:
`rect(0, 0, 40, 40, "white", stroke="black", stroke_width=2)`. All text that comes in is escaped.
"""

from __future__ import annotations

import importlib
import importlib.util
import json
import math
import re
import threading
from collections.abc import Sequence
from functools import cache, lru_cache
from html import escape, unescape
from pathlib import Path
from typing import Any

import numpy as np

from theogony.console.extras import install
from theogony.envs.core.arguments import whole_number

INK, PAPER, FAINT = "#2b2622", "#f6f1e7", "#7f7363"  # text, background, lines in the background
BLANKS = {ord("\n"): "&#10;", ord("\r"): "&#13;", ord("\t"): "&#9;"}  # in an attribute
FONT = "DejaVu Sans"
REGULAR, BOLD, MONO = FACES = "DejaVuSans", "DejaVuSans-Bold", "DejaVuSansMono"  # its files
TEXT = re.compile(r"<text([^>]*)>([^<]*)</text>")
ATTRIBUTE = re.compile(r"""([\w-]+)=(["'])(.*?)\2""")
ANCHORS = {"start": 0.0, "middle": 0.5, "end": 1.0}  # share of a line that lies to the left of its x
BARS = set("Il|-–—−_.'")  # upright rectangles: ThorVG rounds such a thing to whole pixels, often to none, unless turned
MOST_PIXELS = 1 << 26
_ONE_AT_A_TIME = threading.Lock()


class RenderError(RuntimeError):
    """A picture cannot be made here: an optional package is missing, or the SVG is not one."""


def element(tag: str, *children: str, **attributes: Any) -> str:
    """One element. Attributes that are None are left out; numbers are written short."""
    inside = "".join([_attribute(name, value) for name, value in attributes.items() if value is not None])
    content = "".join(children)
    return f"<{tag}{inside}>{content}</{tag}>" if content else f"<{tag}{inside}/>"


def rect(x: float, y: float, width: float, height: float, fill: str = "none", **attributes: Any) -> str:
    """A rectangle; `rx` rounds its corners."""
    return element("rect", x=x or None, y=y or None, width=width, height=height, fill=fill, **attributes)


def circle(x: float, y: float, radius: float, fill: str = "none", **attributes: Any) -> str:
    """A circle around (x, y)."""
    return element("circle", cx=x or None, cy=y or None, r=radius, fill=fill, **attributes)


def line(x1: float, y1: float, x2: float, y2: float, stroke: str = INK, **attributes: Any) -> str:
    """A straight line; `stroke_width` and `stroke_dasharray` say how it looks."""
    return element("line", x1=x1, y1=y1, x2=x2, y2=y2, stroke=stroke, **attributes)


def polygon(points: Sequence[tuple[float, float]], fill: str = "none", **attributes: Any) -> str:
    """A closed outline through points: hexes, arrows."""
    return element("polygon", points=_listed(tuple(points)), fill=fill, **attributes)


def text(x: float, y: float, content: Any, size: float = 14, fill: str = INK, **attributes: Any) -> str:
    """One line of text with its baseline at y. `text_anchor` is "start", "middle" or "end"; `font_weight` "bold".

    What has the colour of ink does not say so: it is that of the whole picture.
    """
    colour = None if fill == INK else fill
    return element("text", escape(str(content), quote=False), x=x, y=y, font_size=size, fill=colour, **attributes)


def group(*children: str, x: float = 0, y: float = 0, turn: float = 0, zoom: float = 1, **attributes: Any) -> str:
    """Elements drawn as one: zoomed, turned clockwise by degrees around their origin, and moved by (x, y)."""
    return element("g", *children, transform=_moved(x, y, turn, zoom), **attributes)


def _moved(x: float, y: float, turn: float, zoom: float) -> str | None:
    steps = [f"translate({_number(x)} {_number(y)})"] if x or y else []
    steps += [f"rotate({_number(turn)})"] if turn else []
    steps += [f"scale({_number(zoom)})"] if zoom != 1 else []
    return " ".join(steps) or None


def title(content: str) -> str:
    """The tool tip of the group it is the first child of."""
    return element("title", escape(content, quote=False))


# ---- Shapes that are drawn many times: defined once in a part of a picture, and used there by their names

SHAPES: dict[str, str] = {}  # name -> an element without place or colour, which are those of its uses
USED, DEFINED = re.compile(r'href="#([^"]+)"'), re.compile(r' id="([^"]+)"')


def shape(name: str, tag: str, *children: str, **attributes: Any) -> str:
    """Register a shape under a name, which becomes its id. Returns the id."""
    known = name.replace(" ", "-")
    SHAPES[known] = element(tag, *children, id=known, **attributes)
    return known


def use(name: str, x: float = 0, y: float = 0, zoom: float = 1, **attributes: Any) -> str:
    """A registered shape, zoomed and moved, in the colour `fill`."""
    where = {"x": x or None, "y": y or None} if zoom == 1 else {"transform": _moved(x, y, 0, zoom)}
    return element("use", href=f"#{name}", **where, **attributes)


def with_shapes(*children: str) -> str:
    """A drawing, behind the shapes that it uses and does not define in itself."""
    drawn = "".join(children)
    missing = more = set(USED.findall(drawn)) - set(DEFINED.findall(drawn))
    while (
        more := {other for name in more for other in USED.findall(SHAPES[name])} - missing
    ):  # of which shapes are made
        missing = missing | more
    return element("defs", *(SHAPES[name] for name in sorted(missing))) + drawn if missing else drawn


def picture(width: float, height: float, *children: str, background: str = PAPER, **told: str) -> str:
    """A whole SVG document of this size."""
    return element(
        "svg",
        rect(0, 0, width, height, background),
        with_shapes(*children),
        xmlns="http://www.w3.org/2000/svg",
        width=width,
        height=height,
        viewBox=f"0 0 {_number(width)} {_number(height)}",
        font_family=f"{FONT}, sans-serif",
        fill=INK,
        **told,
    )


def rasterise(svg: str, zoom: float = 1.0, width: int | None = None, height: int | None = None) -> np.ndarray:
    """The pixels of an SVG, uint8 of shape (height, width, 3), in the same fonts on every machine; `width` instead of
    `zoom`. With `height` as well the picture is as large as fits, with paper beside or below it.

    Needs the packages of the extra `render`; raises RenderError when they are missing or the SVG is broken, and
    ValueError for a size that no picture has.
    """
    if width is not None:
        width = whole_number(width, "the width of a picture is a number of pixels")
    with _ONE_AT_A_TIME:
        thorvg, engine = _engine()
        canvas, drawing = thorvg.SwCanvas(engine), thorvg.Picture(engine)
        problem = drawing.load_data(TEXT.sub(lambda found: _line(found[1], found[2]), svg).encode(), "svg", None, True)
        _, own_width, own_height = drawing.get_size()
        if problem or not (own_width > 0 and own_height > 0):
            raise RenderError(f"this is no SVG that can be drawn: {svg[:60]!r}")
        zoom = zoom if width is None else min(width / own_width, (height or math.inf) / own_height)
        size = max(1, int(own_width * zoom + 0.01)), max(1, int(own_height * zoom + 0.01))
        if size[0] * size[1] > MOST_PIXELS:
            raise ValueError(f"a picture has at most {MOST_PIXELS:,} pixels, not {size[0]} times {size[1]}")
        drawing.scale(zoom)
        canvas.set_target(*size)
        canvas.add(drawing)
        canvas.draw(True)
        canvas.sync()
        pixels = canvas.buffer_arr
        canvas.destroy()
    drawn = np.frombuffer(pixels, np.uint8).reshape(size[1], size[0], 4)[:, :, :3]
    if width is None or height is None or size == (width, height):
        return drawn.copy()
    canvas = np.full((height, width, 3), tuple(bytes.fromhex(PAPER[1:])), np.uint8)
    left = (width - size[0]) // 2
    canvas[: size[1], left : left + size[0]] = drawn
    return canvas


def can_rasterise() -> bool:
    """Whether the libraries of the extra `render` are there; nothing is imported."""
    try:
        return all(importlib.util.find_spec(name) is not None for name in ("thorvg_python", "PIL", "matplotlib"))
    except (ImportError, ValueError):  # one that is blocked
        return False


@cache
def _engine() -> tuple[Any, Any]:
    """ThorVG, with the fonts: the module and its engine."""
    try:
        thorvg = importlib.import_module("thorvg_python")
        engine = thorvg.Engine()
    except (ImportError, OSError) as error:
        name = getattr(error, "name", None) or "thorvg_python"
        raise RenderError(f"pictures need the package {name}: {install('render')}") from None
    letters = thorvg.Text(engine)
    for face in FACES:
        letters.font_load(font_file(face))
    return thorvg, engine


@lru_cache(maxsize=8192)  # most lines of a picture are those of the one before
def _line(attributes: str, content: str) -> str:
    """A line of text for ThorVG, whose SVG knows no anchors, no weights and no entities."""
    said = {name: value for name, _, value in ATTRIBUTE.findall(attributes)}
    mono, bold = "Mono" in said.pop("font-family", ""), said.pop("font-weight", "") == "bold"
    face = MONO if mono else BOLD if bold else REGULAR
    words = " ".join(unescape(content).split())
    before = ANCHORS[said.pop("text-anchor", "start")]
    if before:
        width = _letters(face).getlength(words) / 2000 * float(said["font-size"])
        said["x"] = f"{float(said['x']) - before * width:.2f}"
    if words in BARS:
        said["transform"] = f"rotate(0.2 {said['x']} {said['y']})"
    inside = "".join(f' {name}="{value}"' for name, value in said.items())
    return f'<text{inside} font-family="{face}"><![CDATA[{words.replace("]]>", "]] >")}]]></text>'


@cache
def font_file(face: str) -> str:
    """A font file of matplotlib, found without importing it. Other fonts differ from machine to machine."""
    found = importlib.util.find_spec("matplotlib")
    if found is None or found.origin is None:
        raise RenderError(f"pictures need the package matplotlib for its fonts: {install('render')}")
    return str(Path(found.origin).parent / "mpl-data" / "fonts" / "ttf" / f"{face}.ttf")


@cache
def _letters(face: str) -> Any:
    """A font to measure with, in units of a two-thousandth of its size."""
    try:
        from PIL import ImageFont
    except ImportError as error:
        raise RenderError(f"pictures need the package {error.name}: {install('render')}") from None
    return ImageFont.truetype(font_file(face), 2000)


@lru_cache(maxsize=1 << 15)  # the same ones come again and again; writing them is most of the time of a drawing
def _attribute(name: str, value: Any) -> str:
    said = _number(value) if isinstance(value, int | float | np.number) else str(value)
    return f" {name.replace('_', '-')}={_quoted(said)}"


def _quoted(text: str) -> str:
    """An attribute's value; written here since `xml.sax.saxutils` imports half of the standard library."""
    said = escape(text, quote=False).translate(BLANKS)
    if '"' not in said:
        return f'"{said}"'
    return '"{}"'.format(said.replace('"', "&quot;")) if "'" in said else f"'{said}'"


@lru_cache(maxsize=1 << 12)
def _listed(points: tuple[tuple[float, float], ...]) -> str:
    return " ".join(f"{_number(x)},{_number(y)}" for x, y in points)


@lru_cache(maxsize=1 << 14)
def _number(value: Any) -> str:
    """At most two decimals, without trailing zeros."""
    return f"{float(value):.2f}".rstrip("0").rstrip(".")


def text_picture(game: Any, g: Any, who: Any) -> str:
    """The text of a position as a picture, for games that draw none of their own."""
    lines = game.spec.render_text(game, g, who).splitlines()
    width = 24 + 9 * max(map(len, lines), default=0)
    rows = [text(12, 24 + 20 * k, row, font_family="DejaVu Sans Mono") for k, row in enumerate(lines)]
    return picture(width, 24 + 20 * len(lines), *rows)


# ---- Text that stays in its box: the width of DejaVu Sans, and lines that are shrunk, cut or wrapped to a width ----
#
# The widths are a table, so that a picture is the same with and without font files. DejaVu Sans is wider than what
# browsers take in its place, so what fits here fits there.

TITLE, HEAD, BODY, SMALL, TINY = 24, 18, 14, 12, 11.5  # the type scale
LEAST = 0.8  # a line is shrunk at most to this share of its size, but not below TINY, then cut
SEAT_NAMED = "layer "  # in what names a seat: `Player 2`
CUT = "…"  # at the end of a line that is cut

_WIDTHS = [  # of characters, in the regular face and in the bold one; the file has hundredths of the font size
    {c: int(width) / 100 for width, cs in table.items() for c in cs}
    for table in json.loads(Path(__file__).with_name("widths.json").read_text("utf-8"))
]


@lru_cache(maxsize=1 << 13, typed=True)
def text_width(content: Any, size: float, bold: bool = False) -> float:
    """The width of a line of text; signs that are not in the table count as wide."""
    widths = _WIDTHS[bold]
    return size * sum(widths.get(c, 1.0) for c in str(content))


def fitted(content: Any, width: float, size: float, bold: bool = False, least: float = TINY) -> tuple[str, float]:
    """A line and its size so that it is at most `width` wide: shrunk, not below `least`, then cut with an ellipsis."""
    line = str(content)
    needed = text_width(line, size, bold)
    if needed > width:
        size = max(size * width / needed, size * LEAST, min(size, least))
    while line and text_width(line, size, bold) > width + 0.01:
        line = line.rstrip(CUT)[:-1].rstrip() + CUT if len(line.rstrip(CUT)) > 1 else ""
    return line, size


def label(
    x: float,
    y: float,
    content: Any,
    width: float,
    size: float = BODY,
    fill: str = INK,
    bold: bool = False,
    anchor: str | None = None,
    least: float = TINY,
    **attributes: Any,
) -> str:
    """One line of text that is at most `width` wide; `anchor` is None (it starts at x), "middle" or "end".

    Where it names a seat it says how much room it has, for a page to put in other names.
    """
    line, size = fitted(content, width, size, bold, least)
    if SEAT_NAMED in line:
        attributes["data_room"] = width
    return text(x, y, line, size, fill, text_anchor=anchor, font_weight="bold" if bold else None, **attributes)


def wrapped(content: str, width: float, size: float, bold: bool = False) -> list[str]:
    """The words of a text in lines of at most `width`; a longer word is cut."""
    lines: list[str] = []
    for word in content.split():
        longer = f"{lines[-1]} {word}" if lines else word
        if lines and text_width(longer, size, bold) <= width:
            lines[-1] = longer
        else:
            lines.append(word)
    return lines


def paragraph(
    x: float,
    y: float,
    content: str,
    width: float,
    lines: int,
    size: float = SMALL,
    fill: str = INK,
    least: float = TINY,
    **attributes: Any,
) -> str:
    """A text in at most so many lines, its first baseline at y; when it does not fit it is set smaller, then cut."""
    found = wrapped(content, width, size)
    while len(found) > lines and size > least:
        size = max(size - 0.5, least)
        found = wrapped(content, width, size)
    if len(found) > lines:
        found = [*found[: lines - 1], " ".join(found[lines - 1 :])]
    attributes["least"] = least
    rows = [label(x, y + 1.28 * size * k, row, width, size, fill, **attributes) for k, row in enumerate(found)]
    return group(*rows)
