"""The map: spaces with their landscapes, structures, towns, bridges, and the wheel of colours."""

from __future__ import annotations

import math
from collections.abc import Iterator
from functools import cache
from typing import Any

from theogony.envs.core.draw.lettering import SMALL, TINY
from theogony.envs.core.draw.places import place
from theogony.envs.core.draw.style import QUIET
from theogony.envs.core.draw.svg import INK, circle, element, group, line, polygon, text, title
from theogony.envs.terra_mystica.actions import BOARD
from theogony.envs.terra_mystica.components import COLOURS, STRUCTURES
from theogony.envs.terra_mystica.render.tiles import LANDS, PIECES, structure
from theogony.envs.terra_mystica.vocabulary import names

RIVER, GOLD, NOBODY = "#dcecf5", "#ffd23f", "#6b6156"
RADIUS = 30.0  # of a space, centre to corner
WIDE, HIGH = RADIUS * math.sqrt(3), RADIUS * 1.5
LEFT, TOP = 38.0, 42.0  # the centre of the first space
WIDTH, HEIGHT = LEFT * 2 + 12.5 * WIDE - 4, TOP * 2 + 8 * HIGH + 36
WAYS = (  # signs of the landscapes around (0, 0), so that they differ without colours; in the order of the wheel
    "M-9 4 Q-4 -5 0 3 Q4 -4 9 4",  # dunes
    "M-7 4 H7 M-5 0 H5 M-7 -4 H7",  # furrows
    "M-6 5 V-1 M-2 5 V-5 M2 5 V-2 M6 5 V-4",  # reeds
    "M-8 -2 Q-4 -6 0 -2 T8 -2 M-8 4 Q-4 0 0 4 T8 4",  # waves
    "M0 -7 L6 2 H-6 Z M0 2 V7",  # a tree
    "M-9 5 L-3 -5 L1 1 L4 -3 L9 5 Z",  # peaks
    "M-7 -5 L-2 0 L-6 5 M2 -6 L6 -1 L1 5",  # cracks
)


def centre(label: str) -> tuple[float, float]:
    """The middle of a space in the map."""
    row, x = BOARD.places[label]
    return LEFT + x * WIDE / 2, TOP + row * HIGH


@cache
def hexagon(x: float, y: float, radius: float) -> tuple[tuple[float, float], ...]:
    """The corners of a space around (x, y)."""
    angles = [math.radians(60 * k - 90) for k in range(6)]
    return tuple((x + radius * math.cos(a), y + radius * math.sin(a)) for a in angles)


def owner_of(g: Any, players: int, space: int) -> int:
    """The seat whose structure stands on a space."""
    return next(s for s in range(players) if int(g.own[s, space >> 6]) >> (space & 63) & 1)


def colour_of(game: Any, g: Any, seat: int) -> str:
    """The colour of a seat's pieces; grey before it has a faction."""
    return NOBODY if g.faction[seat] < 0 else PIECES[game.tables[0].home[g.faction[seat]]]


def board(game: Any, g: Any, viewer: int | str | None = None) -> str:
    """The whole map. Bridges lie on it, and the places where one may be built are named."""
    drawn = (*_spaces(game, g, viewer), *_towns(game, g), *_names(g), *_bridges(game, g), *_structures(game, g))
    return group(group(*drawn, data_own=1), wheel(g))


def _spaces(game: Any, g: Any, viewer: int | str | None) -> Iterator[str]:
    outline = hexagon(0, 0, RADIUS - 2)
    for label in BOARD.places:
        x, y = centre(label)
        if label.startswith("r"):
            town = int(g.river_towns) >> BOARD.river.index(label) & 1
            drawn = polygon(hexagon(0, 0, RADIUS), RIVER) + (circle(0, 0, 9, GOLD, stroke=INK) if town else "")
            yield place(f"space {label}", 0, 0, drawn, outline=outline, x=x, y=y, data_word=f"river space:{label}")
            continue
        space = BOARD.land.index(label)
        now = f"{label}: {COLOURS[int(g.terrain[space])]}{_standing(g, space)}{_steps(game, g, space, viewer)}"
        word = f"structure:{STRUCTURES[g.building[space] - 1]}" if g.building[space] else f"space:{label}"
        yield place(
            f"space {label}", 0, 0, *_space(g, label, space), outline=outline, x=x, y=y, data_word=word, data_now=now
        )


def _steps(game: Any, g: Any, space: int, viewer: int | str | None) -> str:
    """How far a free space is from the viewer's own colour along the wheel (§7)."""
    if not isinstance(viewer, int) or g.faction[viewer] < 0 or g.building[space]:
        return ""
    apart = abs(int(g.terrain[space]) - int(game.tables[0].home[g.faction[viewer]]))
    steps = min(apart, len(COLOURS) - apart)
    return f", {steps} step{'' if steps == 1 else 's'} from your colour" if steps else ", your colour"


def _space(g: Any, label: str, space: int) -> Iterator[str]:
    land = int(g.terrain[space])
    dark = "#fff" if land == 2 else INK
    yield title(f"{label}: {COLOURS[land]}{_standing(g, space)}")
    yield polygon(hexagon(0, 0, RADIUS - 0.7), LANDS[land], stroke="#fff", stroke_width=1.2)
    if not g.building[space]:
        yield element("path", d=WAYS[land], stroke=dark, stroke_width=1.8, fill="none", opacity=0.85)
    if g.target == space:
        yield polygon(hexagon(0, 0, RADIUS - 5), stroke="#fff", stroke_width=3, stroke_dasharray="5 3")


def _names(g: Any) -> Iterator[str]:
    """The labels of the land spaces, above the borders of towns."""
    for space, label in enumerate(BOARD.land):
        x, y = centre(label)
        fill = "#fff" if g.terrain[space] == 2 else INK
        yield text(x, y + RADIUS - 9, label, TINY, fill, text_anchor="middle", pointer_events="none")


def _standing(g: Any, space: int) -> str:
    """The structure on a space, which belongs to what the space shows."""
    return f", {names.STRUCTURES[STRUCTURES[g.building[space] - 1]]}" if g.building[space] else ""


def _structures(game: Any, g: Any) -> Iterator[str]:
    for space, label in enumerate(BOARD.land):
        if g.building[space]:
            x, y = centre(label)
            kind = STRUCTURES[g.building[space] - 1]
            size = 30 if kind in ("SH", "SA", "TP") else 26
            seat = owner_of(g, game.players, space)
            home = int(game.tables[0].home[g.faction[seat]])
            sign = element("path", d=WAYS[home], stroke="#fff", stroke_width=2.6, fill="none")  # whose, without colours
            drawn = structure(kind, x, y - 5, size, colour_of(game, g, seat))
            yield group(drawn, group(sign, x=x, y=y - 3, zoom=0.62), pointer_events="none")


def _towns(game: Any, g: Any) -> Iterator[str]:
    """Spaces of towns have a golden border, and golden lines join those that belong together."""
    for seat in range(game.players):
        spaces = [k for k in range(len(BOARD.land)) if int(g.in_town[seat, k >> 6]) >> (k & 63) & 1]
        for k in spaces:
            yield polygon(hexagon(*centre(BOARD.land[k]), RADIUS - 3), stroke=INK, stroke_width=5)
        for k in spaces:
            for other in (n for n in BOARD.beside[k] if n > k and n in spaces):
                yield _stroke(_between(BOARD.land[k], BOARD.land[other]), GOLD, 9)
            yield polygon(hexagon(*centre(BOARD.land[k]), RADIUS - 3), stroke=GOLD, stroke_width=3.4)


def _between(a: str, b: str) -> tuple[float, float, float, float]:
    """A short line over the edge that two spaces share."""
    (x1, y1), (x2, y2) = centre(a), centre(b)
    return 0.58 * x1 + 0.42 * x2, 0.58 * y1 + 0.42 * y2, 0.42 * x1 + 0.58 * x2, 0.42 * y1 + 0.58 * y2


def _stroke(ends: tuple[float, float, float, float], colour: str, width: float) -> str:
    x1, y1, x2, y2 = ends
    return line(x1, y1, x2, y2, colour, stroke_width=width, stroke_linecap="round")


def _bridges(game: Any, g: Any) -> Iterator[str]:
    for site, (a, b) in enumerate(BOARD.sites):
        names = BOARD.land[a], BOARD.land[b]
        (x1, y1), (x2, y2) = (centre(name) for name in names)
        x, y, drawn = (x1 + x2) / 2, (y1 + y2) / 2, ""
        if g.bridge_owner[site] >= 0:
            ends = (0.34 * (x1 - x2), 0.34 * (y1 - y2), 0.34 * (x2 - x1), 0.34 * (y2 - y1))
            drawn = _stroke(ends, "#fff", 11)
            drawn += _stroke(ends, INK, 8)
            drawn += _stroke(ends, colour_of(game, g, int(g.bridge_owner[site])), 6)
        tip = title(f"bridge {names[0]} to {names[1]}")
        yield place(f"bridge {names[0]}:{names[1]}", 0, 0, tip, drawn, outline=hexagon(0, 0, 9), x=x, y=y)


def wheel(g: Any) -> str:
    """The colours in the order in which spades turn them; the last is next to the first."""
    y, step = HEIGHT - 22, 64
    parts = [text(14, y + 4, "Spades turn a space one step along", SMALL, QUIET)]
    for k, name in enumerate(COLOURS):
        x = 268 + step * k
        parts.append(text(x - step / 2, y + 4, "–", SMALL, QUIET, text_anchor="middle") if k else "")
        sign = element("path", d=WAYS[k], stroke="#fff" if k == 2 else INK, stroke_width=1.8, fill="none", opacity=0.85)
        chip = circle(13, 13, 12, LANDS[k], stroke=INK, stroke_width=0.8) + group(sign, x=13, y=13, zoom=0.9)
        parts.append(place(f"colour {name}", 26, 26, title(name), chip, x=x - 13, y=y - 13, rx=13))
    return group(*parts)
