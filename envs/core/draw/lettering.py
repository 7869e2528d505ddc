"""Text that stays in its box: the width of DejaVu Sans, and lines that are shrunk, cut or wrapped to a width.

The widths are a table, so that a picture is the same with and without font files. DejaVu Sans is wider than what
browsers take in its place, so what fits here fits there.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from theogony.envs.core.draw.svg import INK, group, text

TITLE, HEAD, BODY, SMALL, TINY = 24, 18, 14, 12, 11.5  # the type scale
LEAST = 0.8  # a line is shrunk at most to this share of its size, but not below TINY, then cut
CUT = "…"  # at the end of a line that is cut

_REGULAR = {  # characters by their width in hundredths of the font size
    **{27: "'", 28: "ijl", 29: "IJ", 32: " ,.·’", 34: "/:;\\|", 35: "f", 36: "-", 39: "()[]t", 40: "!", 41: "r"},
    **{46: '"', 50: "*_`–°", 52: "sz“”", 53: "?", 55: "c", 56: "L", 58: "Fk", 59: "vxy", 60: "P", 61: "TYaoäö"},
    **{62: "eé", 63: "ESbdghnpquü", 64: "$0123456789{}", 66: "K", 68: "AV", 69: "BRXZ", 70: "C", 73: "U", 75: "HN"},
    **{77: "DG", 78: "&", 79: "OQ", 82: "w", 84: "#+<=>^~×→←↑↓≥≤−", 86: "M", 90: "★", 95: "%", 97: "m½", 99: "W"},
}
_BOLD = {
    **{31: "'", 34: "ijl", 35: " ", 37: "/IJ\\|", 38: ",.·’", 40: ":;", 42: "-", 44: "f", 46: "!()[]", 48: "t"},
    **{49: "r", 50: "_`–°", 52: '"*', 58: "?z", 59: "c", 60: "s", 64: "L", 65: "vxy", 66: "“”", 67: "akä"},
    **{68: "EFTeé", 69: "oö", 70: "$0123456789", 71: "hnu{}ü", 72: "SYbdgpq", 73: "CPZ", 76: "B", 77: "AKRVX"},
    **{81: "U", 82: "G", 83: "D", 84: "#+<=>HN^~×→←↑↓≥≤−", 85: "OQ", 87: "&", 90: "★", 92: "w", 104: "m½", 110: "W"},
}
_WIDTHS = [{c: width / 100 for width, cs in table.items() for c in cs} for table in (_REGULAR, _BOLD)]


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
    """One line of text that is at most `width` wide; `anchor` is None (it starts at x), "middle" or "end"."""
    line, size = fitted(content, width, size, bold, least)
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
