"""A position as a picture: boards with their splays, icon totals, hands and score piles as a seat knows them."""

from __future__ import annotations

from typing import Any

from theogony.envs.core.svg import FAINT, INK, circle, group, line, picture, polygon, rect, text, title
from theogony.envs.innovation.actions import NAMES
from theogony.envs.innovation.breakdown import icons_of
from theogony.envs.innovation.components import AGES, COLOURS, ICONS, SHOWN_BY_SPLAY, SPECIALS
from theogony.envs.innovation.render.seen import Viewer, check_viewer, known_cards, seen_pile, status, supply_heights
from theogony.envs.innovation.state import HANDS, NONE, SCORES, SIDE, cards_in

FILLS = dict(zip(COLOURS, ("#4f81b9", "#b8504a", "#5d9557", "#d3a83c", "#85639f"), strict=True))
CREAM, PANEL, GOLD, ACTIVE = "#fff8e8", "#fffdf7", "#e0b84a", "#a03020"
WIDTH, TOP, SEAT_HIGH = 1180, 96, 318
WIDE, HIGH = 138, 96  # a card
CARD_TOP = 46
AREA_TOP = 240
PLACES = ((15, 24), (15, 78), (69, 78), (123, 78))  # of the icons: top left, bottom left, centre, right
SHIFTS = ((2, 2), (26, 0), (-26, 0), (0, 26))  # how far the next covered card looks out, by splay
ROOM = (16, 78, 78, 52)  # how far all of them together may


def render_svg(game: Any, g: Any, seat: Viewer = None) -> str:
    """The position as that seat knows it; for None only what is public, "all" everything."""
    check_viewer(game, seat)
    rows = [_seat(game, g, player, seat, TOP + player * SEAT_HIGH) for player in range(game.players)]
    return picture(WIDTH, TOP + game.players * SEAT_HIGH, _header(game, g), *rows)


def _header(game: Any, g: Any) -> str:
    """Who decides, the supply and the achievements that are free."""
    parts = [text(20, 32, "Innovation", 22, font_weight="bold"), text(170, 32, status(game, g), 14)]
    for age, n in enumerate(supply_heights(g), 1):
        x = 20 + (age - 1) * 46
        parts.append(_back(x, 46, age) if n else rect(x, 46, 26, 34, rx=4, stroke=FAINT, stroke_dasharray="3 3"))
        parts.append(text(x + 29, 78, n, 10, INK if n else FAINT))
    for age in range(1, AGES):
        parts.append(_token(505 + (age - 1) * 32, 63, age, 13, bool(g.period[age - 1] == NONE)))
    for k, name in enumerate(SPECIALS):
        parts.append(_token(834 + k * 74, 63, name, 34, bool(g.special[k] == NONE)))
    return group(*parts)


def _token(x: float, y: float, name: Any, half: float, is_there: bool = True) -> str:
    """An achievement: gold, or a faint outline where it is gone."""
    fill, ink = (GOLD, INK) if is_there else ("none", FAINT)
    parts = [rect(x - half, y - 13, 2 * half, 26, fill, rx=13, stroke=FAINT, stroke_width=1.5)]
    parts.append(text(x, y + 4.5, name, 13 if half < 20 else 11, ink, text_anchor="middle", font_weight="bold"))
    return group(*parts)


def _back(x: float, y: float, age: int) -> str:
    """The back of a card: its age."""
    parts = [rect(x, y, 26, 34, "#8a7b66", rx=4, stroke=INK, stroke_width=0.8)]
    parts.append(text(x + 13, y + 23, age, 15, CREAM, text_anchor="middle", font_weight="bold"))
    return group(*parts)


def _seat(game: Any, g: Any, player: int, viewer: Viewer, y: float) -> str:
    """One player: name, points, achievements, icons, five piles, hand and score pile."""
    t = game.tables[0]
    active = not g.over and g.actor == player
    edge, width = (ACTIVE, 2.5) if active else (FAINT, 1)
    parts = [rect(10, 0, WIDTH - 20, SEAT_HIGH - 12, PANEL, rx=12, stroke=edge, stroke_width=width)]
    you = " (you)" if player == viewer else ""
    parts.append(text(26, 28, f"Player {player}{you}", 17, ACTIVE if active else INK, font_weight="bold"))
    score = f"{g.points[player]} points, {g.achievements[player]} of {t.needed} achievements"
    parts.append(text(178, 28, score, 13))
    x = 410
    claimed: list[Any] = [age for age, owner in enumerate(g.period, 1) if owner == player]
    for name in claimed + [name for name, owner in zip(SPECIALS, g.special, strict=True) if owner == player]:
        half = 13 if isinstance(name, int) else 34
        parts.append(_token(x + half, 23, name, half))
        x += 2 * half + 4
    for k, (icon, n) in enumerate(icons_of(g, player).items()):
        parts.append(_icon(WIDTH - 372 + k * 60, 23, icon))
        parts.append(text(WIDTH - 358 + k * 60, 28, n, 14, INK if n else FAINT, font_weight="bold"))
    for colour in range(SIDE):
        parts.append(_pile(game, g, player * SIDE + colour, viewer, 26 + colour * 228))
    parts.append(_area(t, g, HANDS + player, viewer, 26, "hand"))
    parts.append(_area(t, g, SCORES + player, viewer, 610, "score pile"))
    shown = cards_in(g.shown[player])
    if shown:
        parts.append(text(110, AREA_TOP, "shown: " + ", ".join(NAMES[card] for card in shown), 12, ACTIVE))
    return group(*parts, y=y)


def _pile(game: Any, g: Any, pile: int, viewer: Viewer, x: float) -> str:
    """A pile of a board: the covered cards look out as far as the splay and the room let them."""
    seen = seen_pile(g, pile, viewer)
    cards = [card for card, _ in seen]
    if not cards:
        outline = rect(x + 20, CARD_TOP, WIDE, HIGH, "none", rx=8, stroke=FAINT, stroke_dasharray="4 4")
        name = text(x + 20 + WIDE / 2, CARD_TOP + 52, COLOURS[pile % SIDE], 12, FAINT, text_anchor="middle")
        return group(outline, name)
    splay, covered = int(g.splay[pile]), len(cards) - 1
    shrink = min(1.0, ROOM[splay] / (26 * covered)) if splay else min(1.0, 8 / (covered + 1))
    step_x, step_y = (shift * shrink for shift in SHIFTS[splay])
    start = x + (-4 if splay == 1 else 82 if splay == 2 else 20)
    parts = []
    for k in range(covered, -1, -1):
        places = SHOWN_BY_SPLAY[splay] if k else (0, 1, 2, 3)
        parts.append(_card(game, cards[k], start + k * step_x, CARD_TOP + k * step_y, places, shrink if k else 1))
    if covered:
        low = CARD_TOP + HIGH + 15 + covered * step_y
        parts.append(text(start + WIDE / 2, low, f"{covered + 1} cards", 11, text_anchor="middle"))
    return group(title(", ".join(f"{NAMES[card]}{'' if there else ' ?'}" for card, there in seen)), *parts)


def _card(game: Any, card: int, x: float, y: float, places: Any, shrink: float) -> str:
    """A card with its age, name and icons; those of its dogma icon have a ring. Covered ones show what is in view."""
    t, printed = game.tables[0], game.components["cards"][card]
    parts = [rect(0, 0, WIDE, HIGH, FILLS[COLOURS[t.colour[card]]], rx=8, stroke=CREAM, stroke_width=1.5)]
    if len(places) == len(PLACES):
        parts.append(rect(0, 40, WIDE, 21, INK, opacity=0.28))
        parts.append(circle(WIDE - 19, 20, 13, CREAM, opacity=0.9))
        parts.append(text(WIDE - 19, 25.5, t.age[card], 15, text_anchor="middle", font_weight="bold"))
        size = 13 if len(printed["name"]) < 14 else 11
        parts.append(text(WIDE / 2, 55, printed["name"], size, CREAM, text_anchor="middle", font_weight="bold"))
    for place in places:
        if icon := printed["icons"][place]:
            left, top = PLACES[place]
            left = left * shrink if left < WIDE / 2 else WIDE - (WIDE - left) * shrink  # in the middle of its strip
            parts.append(_icon(left, top, icon, max(0.55, shrink), icon == printed["dogma"]))
    return group(*parts, x=x, y=y)


def _area(t: Any, g: Any, place: int, viewer: Viewer, x: float, name: str) -> str:
    """A hand or score pile: known cards by name, the others by their backs."""
    seen, backs = known_cards(g, place, viewer)
    parts = [text(x, AREA_TOP, f"{name} ({len(seen) + len(backs)})", 12, font_weight="bold")]
    for k, card in enumerate(seen[:10]):
        left, top = x + (k % 5) * 110, AREA_TOP + 8 + (k // 5) * 25
        parts.append(rect(left, top, 106, 22, FILLS[COLOURS[t.colour[card]]], rx=4))
        parts.append(text(left + 6, top + 15, f"{t.age[card]} {NAMES[card]}", 10, CREAM))
    if len(seen) > 10:
        parts.append(text(x + 110, AREA_TOP, f"and {len(seen) - 10} more", 11))
    ages = sorted(int(t.age[card]) for card in backs)
    left, below = (x, AREA_TOP + 8) if not seen else (x + min(len(seen), 5) * 110, AREA_TOP + 8)
    step = min(30.0, (x + 530 - left) / max(len(ages), 1))
    if len(seen) >= 5:  # no room beside them
        left, below, step = x + 110, AREA_TOP - 26, min(30.0, 420 / max(len(ages), 1))
    parts += [_back(left + k * step, below, age) for k, age in enumerate(ages)]
    return group(*parts)


def _icon(x: float, y: float, icon: str, zoom: float = 1.0, ring: bool = False) -> str:
    """A small picture of a resource, around (x, y)."""
    edge, width = (INK, 2.2) if ring else (INK, 0.6)
    return group(circle(0, 0, 11, "#fbf5e6", stroke=edge, stroke_width=width), ICON_SHAPES[icon], x=x, y=y, zoom=zoom)


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
