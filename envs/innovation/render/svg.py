"""A position as a picture: boards with their splays, icon totals, hands and score piles as a seat knows them."""

from __future__ import annotations

from typing import Any

from theogony.envs.core.svg import FAINT, INK, circle, group, line, picture, polygon, rect, text, title
from theogony.envs.innovation.actions import NAMES
from theogony.envs.innovation.breakdown import icons_of
from theogony.envs.innovation.components import AGES, COLOURS, ICONS, SHOWN_BY_SPLAY, SPECIALS
from theogony.envs.innovation.position_json import SIDE, cards_in, pile_of
from theogony.envs.innovation.render.seen import Viewer, check_viewer, known_cards, status, supply_heights
from theogony.envs.innovation.state import HANDS, NONE, SCORES

FILLS = dict(zip(COLOURS, ("#4f81b9", "#b8504a", "#5d9557", "#d3a83c", "#85639f"), strict=True))
WIDE, HIGH = 132, 88  # a card
SEAT_HIGH = 340
CARD_TOP = 44
WIDTH = 1180
PLACES = ((16, 30), (16, 68), (66, 68), (116, 68))  # of the icons: top left, bottom left, centre, right
SHIFTS = ((0, 0), (24, 0), (-24, 0), (0, 24))  # how far a covered card looks out, by splay


def render_svg(game: Any, g: Any, seat: Viewer = None) -> str:
    """The position as that seat knows it; for None only what is public, "all" everything."""
    check_viewer(game, seat)
    rows = [_seat(game, g, player, seat, 92 + player * SEAT_HIGH) for player in range(game.players)]
    return picture(WIDTH, 92 + game.players * SEAT_HIGH, _header(game, g), *rows)


def _header(game: Any, g: Any) -> str:
    """Who decides, the supply and the achievements that are free."""
    parts = [text(20, 32, "Innovation", 22, font_weight="bold"), text(170, 32, status(game, g), 14)]
    for age, n in enumerate(supply_heights(g), 1):
        parts.append(_back(20 + (age - 1) * 44, 46, age, n))
    for age in range(1, AGES):
        free = g.period[age - 1] == NONE
        x = 500 + (age - 1) * 32
        parts.append(circle(x, 63, 13, "#d3a83c" if free else "none", stroke=FAINT, stroke_width=1.5))
        parts.append(text(x, 68, age, 13, INK if free else FAINT, text_anchor="middle", font_weight="bold"))
    for k, name in enumerate(SPECIALS):
        free = g.special[k] == NONE
        parts.append(rect(800 + k * 72, 51, 68, 24, "#d3a83c" if free else "none", rx=5, stroke=FAINT))
        parts.append(text(834 + k * 72, 67, name, 11, INK if free else FAINT, text_anchor="middle"))
    return group(*parts)


def _back(x: float, y: float, age: int, n: int = 0) -> str:
    """The back of a card (its age), with a count beside it."""
    parts = [rect(x, y, 26, 34, "#8a7b66", rx=4, stroke=INK, stroke_width=0.8)]
    parts.append(text(x + 13, y + 23, age, 15, "#fff8e8", text_anchor="middle", font_weight="bold"))
    if n:
        parts.append(text(x + 30, y + 32, n, 10, INK))
    return group(*parts)


def _seat(game: Any, g: Any, player: int, viewer: Viewer, y: float) -> str:
    """One player: title, icons, achievements, five piles, hand and score pile."""
    t = game.tables[0]
    active = not g.over and g.actor == player
    parts = [line(20, 0, WIDTH - 20, 0, FAINT)]
    you = " (you)" if player == viewer else ""
    parts.append(text(20, 26, f"Player {player}{you}", 17, "#a03020" if active else INK, font_weight="bold"))
    claimed = [str(age) for age, owner in enumerate(g.period, 1) if owner == player]
    claimed += [name for name, owner in zip(SPECIALS, g.special, strict=True) if owner == player]
    won = f"achievements {g.achievements[player]} of {t.needed}: {', '.join(claimed)}" if claimed else "no achievements"
    parts.append(text(170, 26, f"{g.points[player]} points · {won}", 13))
    for k, (icon, n) in enumerate(icons_of(g, player).items()):
        parts.append(_icon(WIDTH - 400 + k * 64, 20, icon))
        parts.append(text(WIDTH - 386 + k * 64, 26, n, 14, font_weight="bold"))
    for colour in range(SIDE):
        parts.append(_pile(game, g, player * SIDE + colour, 40 + colour * 228))
    parts.append(_area(t, g, HANDS + player, viewer, 20, "hand"))
    parts.append(_area(t, g, SCORES + player, viewer, 610, "score pile"))
    shown = cards_in(g.shown[player])
    if shown:
        parts.append(text(120, 238, "shown: " + ", ".join(NAMES[card] for card in shown), 12, "#a03020"))
    return group(*parts, y=y)


def _pile(game: Any, g: Any, pile: int, x: float) -> str:
    """A pile of a board: the covered cards look out as far as the splay lets them."""
    cards = pile_of(g, pile)
    if not cards:
        outline = rect(x + 20, CARD_TOP, WIDE, HIGH, "none", rx=7, stroke=FAINT, stroke_dasharray="4 4")
        return group(
            outline, text(x + 20 + WIDE / 2, CARD_TOP + 48, COLOURS[pile % SIDE], 12, FAINT, text_anchor="middle")
        )
    splay = int(g.splay[pile])
    step_x, step_y = SHIFTS[splay] if splay else (2, 2)
    most = min(len(cards), 9)
    if most > 4 and splay:
        step_x, step_y = step_x * 3 / (most - 1), step_y * 3 / (most - 1)
    start = x + 20 + (36 if splay == 2 else -12 if splay == 1 else 0)
    parts = []
    for k in range(most - 1, -1, -1):
        places = SHOWN_BY_SPLAY[splay] if k else (0, 1, 2, 3)
        parts.append(_card(game, cards[k], start + k * step_x, CARD_TOP + k * step_y, places, k == 0))
    if len(cards) > 1:
        low = CARD_TOP + HIGH + 16 + (most - 1) * step_y
        parts.append(text(start + WIDE / 2, low, f"{len(cards)} cards", 11, text_anchor="middle"))
    return group(title(", ".join(NAMES[card] for card in cards)), *parts)


def _card(game: Any, card: int, x: float, y: float, places: Any, is_top: bool) -> str:
    """A card with its age, name and icons."""
    t, printed = game.tables[0], game.components["cards"][card]
    fill = FILLS[COLOURS[t.colour[card]]]
    parts = [rect(0, 0, WIDE, HIGH, fill, rx=7, stroke="#fff8e8", stroke_width=1.5)]
    if is_top:
        parts.append(text(WIDE - 8, 20, t.age[card], 15, "#fff8e8", text_anchor="end", font_weight="bold"))
        size = 12 if len(printed["name"]) < 15 else 10
        parts.append(text(WIDE / 2, 46, printed["name"], size, "#fff8e8", text_anchor="middle", font_weight="bold"))
    for place in places:
        if printed["icons"][place]:
            left, top = PLACES[place]
            parts.append(_icon(left, top, printed["icons"][place], 0.9))
    return group(*parts, x=x, y=y)


def _area(t: Any, g: Any, place: int, viewer: Viewer, x: float, name: str) -> str:
    """A hand or score pile: known cards by name, the others by their backs."""
    seen, backs = known_cards(g, place, viewer)
    parts = [text(x, 238, f"{name} ({len(seen) + len(backs)})", 12, font_weight="bold")]
    for k, card in enumerate(seen[:10]):
        left, top = x + (k % 5) * 112, 246 + (k // 5) * 26
        parts.append(rect(left, top, 108, 22, FILLS[COLOURS[t.colour[card]]], rx=4))
        parts.append(text(left + 6, top + 15, f"{t.age[card]} {NAMES[card]}", 10, "#fff8e8"))
    if len(seen) > 10:
        parts.append(text(x + 112, 238, f"and {len(seen) - 10} more", 11))
    below = 246 + -(-min(len(seen), 10) // 5) * 26
    ages = sorted(int(t.age[card]) for card in backs)
    step = min(30.0, 520 / max(len(ages), 1))
    parts += [_back(x + k * step, below, age) for k, age in enumerate(ages)]
    return group(*parts)


def _icon(x: float, y: float, icon: str, zoom: float = 1.0) -> str:
    """A small picture of a resource, around (x, y)."""
    return group(circle(0, 0, 11, "#fbf5e6", stroke=INK, stroke_width=0.6), ICON_SHAPES[icon], x=x, y=y, zoom=zoom)


ICON_SHAPES = {
    "castle": polygon([(-6, 6), (-6, -6), (-3, -6), (-3, -3), (-1, -3), (-1, -6), (1, -6), (1, -3), (3, -3), (3, -6),
                       (6, -6), (6, 6)], "#6f6f7a"),
    "crown": polygon([(-7, 5), (-7, -4), (-3, 0), (0, -6), (3, 0), (7, -4), (7, 5)], "#c8961e"),
    "leaf": polygon([(-6, 6), (-5, -2), (0, -6), (6, -6), (6, 0), (2, 5), (-3, 5)], "#3f8f3f"),
    "bulb": group(circle(0, -2, 5, "#e7bd2b", stroke=INK, stroke_width=0.5), rect(-2.5, 3, 5, 4, INK)),
    "factory": polygon([(-7, 6), (-7, -1), (-3, -4), (-3, -1), (1, -4), (1, -1), (3, -1), (3, -7), (6, -7), (6, 6)],
                       "#a04a35"),
    "clock": group(circle(0, 0, 7, "#4a6fa5"), line(0, 0, 0, -5, "#fff8e8", stroke_width=1.5),
                   line(0, 0, 4, 2, "#fff8e8", stroke_width=1.5)),
}  # fmt: skip
assert tuple(ICON_SHAPES) == ICONS
