"""A position as SVG: the hex map, a board for each faction, the cult tracks and what lies free."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

from theogony.envs.core.svg import FAINT, INK, PAPER, circle, group, line, picture, polygon, rect, text, title
from theogony.envs.terra_mystica.actions import BOARD, POWER_ACTIONS
from theogony.envs.terra_mystica.components import BONUS, CULTS, STRUCTURES, TOWN
from theogony.envs.terra_mystica.render.words import (
    check_viewer,
    goods_text,
    headline,
    scoring_text,
    seat_name,
    tiles_text,
)  # fmt: skip
from theogony.envs.terra_mystica.state import FREE

LANDS = ("#e3c252", "#a9744a", "#4f4a52", "#4d86c6", "#5e9c56", "#9a9a9a", "#c8533f")  # in the order of the wheel
RIVER = "#cfe3ee"
PLAYERS = ("#f2b705", "#7a4a22", "#1d1b22", "#174f9c", "#1f6b2a", "#5d6470", "#a01818")  # pieces, by home colour
RADIUS = 26.0  # of a hex, centre to corner
WIDE, HIGH = RADIUS * math.sqrt(3), RADIUS * 1.5
LEFT, TOP = 40.0, 70.0
MAP_WIDTH = LEFT + 13.5 * WIDE
PANEL = 330.0
BOARD_HEIGHT = 74.0
CULT_COLOURS = ("#d2622f", "#3d7fb5", "#8a6a3f", "#9db7c4")


def render_svg(game: Any, g: Any, viewer: int | str | None) -> str:
    """The whole table as an SVG document."""
    check_viewer(game, viewer)
    map_bottom = TOP + 9 * HIGH + 10
    height = max(map_bottom + 130, TOP + game.players * (BOARD_HEIGHT + 8) + 240)
    return picture(
        MAP_WIDTH + PANEL + 30, height,
        text(LEFT - 20, 34, headline(game, g), 17, font_weight="bold"),
        *_spaces(game, g), *_bridges(game, g),
        group(*_supplies(game, g), x=LEFT - 20, y=map_bottom + 16),
        group(*_boards(game, g), x=MAP_WIDTH + 10, y=TOP - 18),
        group(*_cults(game, g), x=MAP_WIDTH + 10, y=TOP + game.players * (BOARD_HEIGHT + 8)),
    )  # fmt: skip


def _centre(label: str) -> tuple[float, float]:
    row, x = BOARD.places[label]
    return LEFT + x * WIDE / 2 + 6, TOP + row * HIGH + 8


def _hex(x: float, y: float, radius: float) -> list[tuple[float, float]]:
    angles = [math.radians(60 * k - 90) for k in range(6)]
    return [(x + radius * math.cos(a), y + radius * math.sin(a)) for a in angles]


def _colour_of(game: Any, g: Any, seat: int) -> str:
    return FAINT if g.faction[seat] < 0 else PLAYERS[game.tables[0].home[g.faction[seat]]]


def _spaces(game: Any, g: Any) -> Iterator[str]:
    for label in BOARD.places:
        x, y = _centre(label)
        if label.startswith("r"):
            yield polygon(_hex(x, y, RADIUS), RIVER, stroke=PAPER, stroke_width=1)
            if int(g.river_towns) >> BOARD.river.index(label) & 1:
                yield _town(x, y)
            continue
        space = BOARD.land.index(label)
        parts = [title(label), polygon(_hex(x, y, RADIUS - 1), LANDS[g.terrain[space]], stroke=PAPER, stroke_width=1)]
        parts.append(text(x, y + RADIUS - 6, label, 8, "#ffffff" if g.terrain[space] in (1, 2, 3) else INK,
                          text_anchor="middle", opacity=0.75))  # fmt: skip
        if g.target == space:
            parts.append(polygon(_hex(x, y, RADIUS - 3), stroke="#ffffff", stroke_width=3))
        if g.building[space]:
            parts += _structure(game, g, space, x, y - 2)
        yield group(*parts)


def _structure(game: Any, g: Any, space: int, x: float, y: float) -> Iterator[str]:
    """The piece: a house, a double house, a round temple, a square stronghold, a double sanctuary."""
    seat = next(s for s in range(game.players) if int(g.own[s, space >> 6]) >> (space & 63) & 1)
    style = {"fill": _colour_of(game, g, seat), "stroke": "#ffffff", "stroke_width": 1.4}
    kind = STRUCTURES[g.building[space] - 1]
    if kind == "D":
        yield polygon([(x - 8, y + 8), (x - 8, y - 3), (x, y - 10), (x + 8, y - 3), (x + 8, y + 8)], **style)
    elif kind == "TP":
        roof = [
            (x - 12, y + 9),
            (x - 12, y - 1),
            (x - 4, y - 1),
            (x - 4, y - 6),
            (x + 4, y - 12),
            (x + 12, y - 6),
            (x + 12, y + 9),
        ]
        yield polygon(roof, **style)
    elif kind == "TE":
        yield circle(x, y, 10, **style)
    elif kind == "SH":
        yield rect(x - 11, y - 11, 22, 22, **style)
        yield rect(x - 4, y - 4, 8, 8, "#ffffff")
    else:
        yield rect(x - 14, y - 9, 28, 18, rx=9, **style)
    if int(g.in_town[seat, space >> 6]) >> (space & 63) & 1:
        yield _town(x + 14, y - 12)


def _town(x: float, y: float) -> str:
    return circle(x, y, 4.5, "#ffd84d", stroke=INK, stroke_width=1)


def _bridges(game: Any, g: Any) -> Iterator[str]:
    for site, (a, b) in enumerate(BOARD.sites):
        if g.bridge_owner[site] < 0:
            continue
        (x1, y1), (x2, y2) = _centre(BOARD.land[a]), _centre(BOARD.land[b])
        ends = (x1 * 0.7 + x2 * 0.3, y1 * 0.7 + y2 * 0.3, x1 * 0.3 + x2 * 0.7, y1 * 0.3 + y2 * 0.7)
        yield line(*ends, "#ffffff", stroke_width=9, stroke_linecap="round")
        yield line(*ends, _colour_of(game, g, int(g.bridge_owner[site])), stroke_width=5, stroke_linecap="round")


def _boards(game: Any, g: Any) -> Iterator[str]:
    """One box for each faction, in turn order."""
    for place in range(game.players):
        seat = int(g.order[place])
        y = place * (BOARD_HEIGHT + 8)
        due = not g.over and g.actor == seat
        yield rect(
            0, y, PANEL, BOARD_HEIGHT, "#fffaf0", rx=6, stroke=INK if due else FAINT, stroke_width=2.5 if due else 1
        )
        yield rect(0, y, 9, BOARD_HEIGHT, _colour_of(game, g, seat), rx=4)
        passed = " (passed)" if g.passed[seat] and not g.over else ""
        yield text(18, y + 19, f"{seat_name(g, seat)}{passed}", 14, font_weight="bold")
        yield text(PANEL - 10, y + 20, f"{g.vp[seat]} VP", 15, font_weight="bold", text_anchor="end")
        yield text(18, y + 36, goods_text(g, seat), 11.5)
        built = " ".join(f"{g.built[seat, k]} {kind}" for k, kind in enumerate(STRUCTURES, 1) if g.built[seat, k])
        levels = f"ship {g.ship[seat]}, dig {g.dig[seat]}, keys {g.keys[seat]}, bridges {g.bridges_left[seat]}"
        yield text(18, y + 51, f"{levels}   {built}", 10.5)
        yield text(18, y + 66, tiles_text(g, seat), 10.5)


def _cults(game: Any, g: Any) -> Iterator[str]:
    """Four tracks from 0 to 10, markers in the factions' colours, priests below."""
    step = (PANEL - 80) / 10
    for track, name in enumerate(CULTS):
        y = 14 + 46 * track
        yield rect(0, y - 8, PANEL, 42, CULT_COLOURS[track], rx=6, opacity=0.25)
        yield text(6, y + 10, name, 11, font_weight="bold")
        for place in range(11):
            yield text(62 + place * step, y + 3, place, 8.5, INK, text_anchor="middle", opacity=0.6)
        on: dict[int, int] = {}
        for seat in range(game.players):
            place = int(g.cult[seat, track])
            shift = on.get(place, 0)
            on[place] = shift + 1
            yield circle(57 + place * step + 6 * shift, y + 13, 5.2, _colour_of(game, g, seat), stroke="#ffffff")
        for k, seat in enumerate(g.spots[track]):
            fill = "none" if seat < 0 else _colour_of(game, g, int(seat))
            yield rect(62 + 22 * k, y + 21, 15, 10, fill, stroke=INK, stroke_width=0.7, rx=2)
            yield text(69.5 + 22 * k, y + 29, (3, 2, 2, 2)[k], 8, INK if seat < 0 else "#ffffff", text_anchor="middle")


def _supplies(game: Any, g: Any) -> Iterator[str]:
    """Scoring tiles, free bonus cards, power actions and town tiles."""
    width = (MAP_WIDTH - 30) / 6
    for k in range(6):
        now = k + 1 == g.round_number
        yield rect(k * width, 0, width - 6, 24, "#fff3c4" if now else "#fffaf0", rx=4, stroke=INK if now else FAINT)
        yield text(k * width + 5, 16, f"{k + 1}  {scoring_text(game, g, k)}", 7.6)
    free = [f"{name} ({g.card_coins[k]} C)" for k, name in enumerate(BONUS) if g.card_place[k] == FREE]
    yield text(0, 46, f"bonus cards: {', '.join(free)}", 11)
    for k, name in enumerate(POWER_ACTIONS):
        used = bool(g.power_used[k])
        yield rect(k * 66, 56, 58, 20, "#ddd5c5" if used else "#f3a64f", rx=9, stroke=INK, stroke_width=0.8)
        yield text(k * 66 + 29, 70, name, 10.5, FAINT if used else INK, text_anchor="middle")
    towns = [f"{name} x{g.town_supply[k]}" for k, name in enumerate(TOWN) if g.town_supply[k]]
    yield text(0, 96, f"town tiles: {', '.join(towns) or 'none left'}", 11)
