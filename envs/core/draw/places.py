"""Places of a picture: parts with a name, on which actions are clicked and changes are marked.

A game wraps every part that stands for something (a tile, a card, a track) in `place(name, ...)`, and tells with
`places(game, g, action)` on which of them an action is made. The rest is done here, for all games alike:

* the place of a legal action gets the attribute `data-actions="12 57"`, the ids of the actions that are made there,
  and a dashed frame; an action may have several places, or none;
* a place whose content differs from that in an earlier picture for the same viewer gets `data-changed="1"` and an
  orange frame; those with `data-empty="1"` do not, as nothing lies there that one could look at. As both pictures show
  only what their viewer may know, so do the marks.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache
from html import unescape
from typing import Any, NamedTuple

from theogony.envs.core.arguments import checked_viewer
from theogony.envs.core.draw.style import seat_name, with_last
from theogony.envs.core.draw.svg import group, rect, use
from theogony.envs.core.record import from_bytes, to_bytes

GROUP = re.compile(r"<(/?)g\b([^>]*)>")  # a tag of one
PLACE = re.compile(r"""data-place=(["'])(.*?)\1""")
NAME, ACTIONS, CHANGED, EMPTY = "data-place", "data-actions", "data-changed", "data-empty"
LAST = {"stroke": "#e8590c", "stroke-width": "4", "stroke-linejoin": "round"}  # what has changed
LEGAL = {"stroke": "#111", "stroke-width": "2.2", "stroke-dasharray": "2 5", "stroke-linecap": "round"}
UNDER = {"stroke": "#fff", "stroke-width": "5", "stroke-opacity": "0.85", "stroke-linejoin": "round"}
BOTH = {**LEGAL, "stroke": "#fff"}  # dots on the orange line


def place(
    name: str, width: float, height: float, *children: str, outline: str | None = None, rx: float = 7, **where: Any
) -> str:
    """A named part of a picture, from (0, 0) to (width, height) or within the registered shape `outline`.

    `where` is what `svg.group` takes: x, y, turn, zoom and attributes. Names are unique in a picture.

    The area that takes clicks lies beneath the children, so that a place within this one is clicked itself.
    """
    frame: dict[str, Any] = {"fill": "none", "data_frame": "1"}
    area = use(outline, **frame) if outline else rect(0, 0, width, height, rx=rx, **frame)
    return group(area, *children, data_place=name, **where)


def no_places(game: Any, g: Any, action: int) -> Sequence[str]:
    """Of a game whose picture has no places: its actions are chosen from a list."""
    return ()


def spots(game: Any, g: Any, legal: Iterable[int]) -> dict[str, list[int]]:
    """The ids of legal actions by the names of the places where they are made."""
    found: dict[str, list[int]] = {}
    for action in legal:
        for name in game.spec.places(game, g, int(action)):
            found.setdefault(name, []).append(int(action))
    return found


def move_words(game: Any, before: Any, action: int, after: Any, viewer: Any) -> str:
    """A decision in the words of the game, as far as a viewer knows it; `before` and `after` are records, the same one
    for a decision that is still to be made, which only the seat that decides is told of."""
    if game.spec.move_text is None:
        return game.vocabulary.say(game.actions, action, int(before.decision))
    return game.spec.move_text(game, before, action, after, viewer)


def last_words(game: Any, before: Any, action: int, after: Any, viewer: Any) -> str:
    """The decision that led from one record to the next, with who made it, for a viewer's picture."""
    return f"Last: {seat_name(int(before.actor), viewer)}: {move_words(game, before, action, after, viewer)}"


def picture_of(game: Any, g: Any, viewer: Any, earlier: Any = None, legal: Iterable[int] = (), last: str = "") -> str:
    """The SVG of a position for a viewer: places of `legal` actions are marked, and what changed since `earlier`.

    `g` and `earlier` are records of positions, `last` tells the last decision (`last_words`). Raises ValueError for a
    viewer that is not at the table.
    """
    viewer = checked_viewer(viewer, game.players)
    before = None if earlier is None else _drawn(game, to_bytes(earlier), viewer)
    return with_last(mark(_drawn(game, to_bytes(g), viewer), spots(game, g, legal), before), last)


def picture_at(played: Any, k: int, viewer: Any, since: int = 1, legal: Iterable[int] = ()) -> str:
    """The picture after k decisions of a game with its history (`game`, `states`, `actions`): what the last `since` of
    them changed is framed, and the last one told."""
    game, g, back = played.game, played.states[k], min(since, k)
    if back <= 0:
        return picture_of(game, g, viewer, None, legal)
    last = last_words(game, played.states[k - 1], played.actions[k - 1], g, viewer)
    return picture_of(game, g, viewer, played.states[k - back], legal, last)


@lru_cache(maxsize=64)
def _drawn(game: Any, content: bytes, viewer: Any) -> str:
    """The bare picture. The last ones are kept: the next picture asks what has changed since then."""
    return game.spec.render_svg(game, from_bytes(content, game.state)[0], viewer)


def mark(drawn: str, actions: dict[str, list[int]], earlier: str | None = None) -> str:
    """The picture `drawn` with the places of `actions` marked, and those that differ from an `earlier` picture."""
    if earlier is None and not actions:
        return drawn
    before = None if earlier is None else _scan(earlier)
    more: list[tuple[int, str]] = []  # what is put into the picture, and where
    for name, at in _scan(drawn).items():
        changed = before is not None and not at.empty and (name not in before or before[name].content != at.content)
        ids = actions.get(name)
        if changed or ids:
            area = drawn[at.inside : drawn.index(">", at.inside) + 1]
            more += [(at.inside - 1, _marks(changed, ids)), (at.end, _frame(area, changed, bool(ids)))]
    more.sort()
    ends = [0, *(where for where, _ in more), len(drawn)]
    pieces = [drawn[start:end] + text for start, end, (_, text) in zip(ends, ends[1:], [*more, (0, "")], strict=False)]
    return "".join(pieces)


class _Place(NamedTuple):
    """A place in a picture: where its first tag ends and its last one begins, and what is drawn in it, places within
    left out.

    Its second tag is the area that takes clicks.
    """

    inside: int
    end: int
    content: str
    empty: bool


@lru_cache(maxsize=32)  # a picture is compared with the one before and with the next
def _scan(drawn: str) -> dict[str, _Place]:
    """The places of a picture by name."""
    places: dict[str, _Place] = {}
    # Of the places around: name, where it begins, depth, content, whether it is empty.
    around: list[tuple[str, int, int, list[str], bool]] = []
    depth = told = 0  # how much of the picture is told as content
    for tag in GROUP.finditer(drawn):
        if tag[1]:
            depth -= 1
            if around and depth == around[-1][2]:
                name, inside, _, content, empty = around.pop()
                content.append(drawn[told : tag.start()])
                places[name] = _Place(inside, tag.start(), "".join(content), empty)
                told = tag.end()
        elif not tag[2].endswith("/"):
            if named := PLACE.search(tag[2]):
                if around:
                    around[-1][3].append(drawn[told : tag.start()])
                told = tag.end()
                around.append((unescape(named[2]), told, depth, [], EMPTY in tag[2]))
            depth += 1
    return places


def _marks(changed: bool, ids: list[int] | None) -> str:
    """The marks of a place, as attributes."""
    marks = f' {CHANGED}="1"' if changed else ""
    return marks + (f' {ACTIONS}="{" ".join(map(str, sorted(ids)))}"' if ids else "")


def _frame(area: str, changed: bool, legal: bool) -> str:
    """The frame of a place: its area drawn above all that is in it, over a line under it so that it is seen on any
    ground. Clicks go through it."""
    shape = f'{area[:-2]} pointer-events="none"'
    lines = [UNDER, *[LAST] * changed, *[BOTH if changed else LEGAL] * legal]
    styles = (" ".join(f'{name}="{value}"' for name, value in line.items()) for line in lines)
    return "".join(f"{shape} {style}/>" for style in styles)
