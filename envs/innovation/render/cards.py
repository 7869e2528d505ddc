"""Cards of Innovation as pictures: whole, in a splayed pile, in one line, from behind; and their icons."""

from __future__ import annotations

from typing import Any

from theogony.envs.core.draw.larger import BODY, SMALL, TINY, label, text_width
from theogony.envs.core.draw.places import place
from theogony.envs.core.draw.style import BACK, CARD, QUIET, box
from theogony.envs.core.draw.svg import FAINT, INK, circle, group, line, polygon, rect, text, title
from theogony.envs.core.vocabulary import Entry
from theogony.envs.innovation.actions import name_of
from theogony.envs.innovation.cards import effects_of
from theogony.envs.innovation.cards.wording import sentence
from theogony.envs.innovation.components import COLOURS, ICONS, SHOWN_BY_SPLAY, SPLAYS
from theogony.envs.innovation.render.seen import Viewer, reach, seen_pile
from theogony.envs.innovation.state import SIDE

FILLS = dict(zip(COLOURS, ("#3d74b2", "#b3423c", "#37803f", "#94690c", "#7d559c"), strict=True))
CREAM = "#fff8e8"
WIDE, HIGH = 138, 96  # a card
PLACES = ((15, 24), (15, 78), (69, 78), (123, 78))  # of the icons: top left, bottom left, centre, right
UP_STEPS, UP_ROOM = (26, 15), 150  # how far the next covered card of a pile splayed up looks out, and all together
ASIDE = 76  # all covered cards of a pile splayed left or right
CHIP, CHIP_HIGH, BACK_WIDE = 152, 38, 31  # a card in one line


def words_of(game: Any, card: int) -> list[str]:
    """The effects of a card in our own words."""
    return [sentence(effect) for effect in effects_of(game, card)]


def tip(game: Any, card: int) -> str:
    printed = game.components["cards"][card]
    return title(f"{printed['name']} ({printed['age']}, {printed['dogma']}): " + " ".join(words_of(game, card)))


def icon(x: float, y: float, name: str, zoom: float = 1.0, ring: bool = False) -> str:
    """A small picture of a resource around (x, y); that of the dogma has a ring."""
    disc = circle(0, 0, 11, "#fbf5e6", stroke=INK, stroke_width=2.4 if ring else 0.6)
    return group(disc, ICON_SHAPES[name], x=x, y=y, zoom=zoom)


def whole_card(game: Any, card: int, name: str, x: float = 0, y: float = 0, now: str | None = None) -> str:
    """A card that lies open, as a place of this name; `now` is what using it would do at present."""
    t, printed = game.tables[0], game.components["cards"][card]
    parts = [
        tip(game, card),
        rect(0, 0, WIDE, HIGH, FILLS[COLOURS[t.colour[card]]], rx=8, stroke=CREAM, stroke_width=1.5),
        rect(0, 40, WIDE, 21, INK, opacity=0.32),
        circle(WIDE - 19, 20, 13, CREAM),
        text(WIDE - 19, 25.5, int(t.age[card]), 15, text_anchor="middle", font_weight="bold"),
        label(WIDE / 2, 55, printed["name"], WIDE - 10, 13, CREAM, bold=True, anchor="middle"),
    ]
    for where, sign in enumerate(printed["icons"]):
        if sign:
            parts.append(icon(*PLACES[where], sign, 1, sign == printed["dogma"]))
    told = {"data_word": f"card:{name_of(game, card)}", "data_piece": name_of(game, card), "data_now": now}
    return place(name, WIDE, HIGH, *parts, x=x, y=y, rx=8, **told)


def pile_height(height: int, splay: int) -> float:
    """How high a pile is drawn, with the words below it."""
    return (
        HIGH + (20 if height > 1 else 0) + (_up_step(height - 1) * (height - 1) if splay == SPLAYS.index("up") else 4)
    )


def _up_step(covered: int) -> float:
    most, least = UP_STEPS
    return max(least, min(most, UP_ROOM / covered)) if covered else 0


def pile(game: Any, g: Any, number: int, viewer: Viewer, x: float, y: float) -> str:
    """A pile of a board. The covered cards look out as far as the splay lets them, with their visible icons."""
    seat, colour = divmod(number, SIDE)
    seen = seen_pile(g, number, viewer)
    name = f"pile {seat} {COLOURS[colour]}"
    if not seen:
        outline = rect(0, 0, WIDE, HIGH, rx=8, stroke=FAINT, stroke_dasharray="4 4")
        said = text(WIDE / 2, 52, COLOURS[colour], SMALL, QUIET, text_anchor="middle")
        return box(WIDE, HIGH, place(name, WIDE, HIGH, outline, said), x=x + ASIDE / 2, y=y, row=colour == 0)
    splay, covered = int(g.splay[number]), len(seen) - 1
    direction, high = SPLAYS[splay], pile_height(covered + 1, splay)
    aside = direction in ("left", "right")
    start, wide = (ASIDE if direction == "right" else 0), WIDE + (ASIDE if aside else 10)
    step_x, step_y = _steps(direction, covered)
    parts = [
        _covered(game, seen[k], k, number, start + k * step_x, k * step_y, splay, max(abs(step_x), abs(step_y)))
        for k in range(covered, 0, -1)
    ]
    top = seen[0][0]
    parts.append(whole_card(game, top, f"{name} {name_of(game, top)}", start, now=reach(game, g, top, seat, viewer)))
    if covered:
        said = f"{covered + 1} cards" + (f", splayed {direction}" if splay else "")
        parts.append(label(wide / 2, high - 4, said, wide, TINY, QUIET, anchor="middle"))
    return box(wide, high, place(name, wide, high, *parts), x=x + (0 if aside else ASIDE / 2), y=y, row=colour == 0)


def _steps(direction: str, covered: int) -> tuple[float, float]:
    """From card to card downwards in a pile."""
    if direction == "up":
        return 0, _up_step(covered)
    if direction in ("left", "right"):
        step = min(26, ASIDE / max(covered, 1))
        return (step if direction == "left" else -step), 0
    return min(2, 8 / max(covered, 1)), min(2, 8 / max(covered, 1))


def _covered(
    game: Any, seen: tuple[int, bool], k: int, number: int, x: float, y: float, splay: int, strip: float
) -> str:
    """A covered card: its visible icons in the strip that looks out; `?` where the viewer does not know which it is."""
    card, sure = seen
    t, printed = game.tables[0], game.components["cards"][card]
    parts = [title(f"{name_of(game, card)}{'' if sure else ' (or another of this pile)'}")]
    parts.append(rect(0, 0, WIDE, HIGH, FILLS[COLOURS[t.colour[card]]], rx=8, stroke=CREAM, stroke_width=1.5))
    zoom = min(1, strip / 26)
    for where in SHOWN_BY_SPLAY[splay]:
        if sign := printed["icons"][where]:
            left, top = PLACES[where]
            if SPLAYS[splay] == "up":
                top = HIGH - strip / 2
            else:
                left = strip / 2 if left < WIDE / 2 else WIDE - strip / 2
            parts.append(icon(left, top, sign, max(0.5, zoom), sign == printed["dogma"]))
    seat, colour = divmod(number, SIDE)
    name, word = f"pile {seat} {COLOURS[colour]} {name_of(game, card)}", f"card:{name_of(game, card)}"
    return place(name, WIDE, HIGH, *parts, x=x, y=y, rx=8, data_word=word)


def chip(game: Any, card: int, name: str, x: float = 0, y: float = 0) -> str:
    """A known card of a hand or score pile: age, name, icons."""
    t, printed = game.tables[0], game.components["cards"][card]
    fill = FILLS[COLOURS[t.colour[card]]]
    parts = [tip(game, card), rect(0, 0, CHIP, CHIP_HIGH, fill, rx=6), circle(15, 13, 9.5, CREAM)]
    parts.append(text(15, 17, int(t.age[card]), SMALL, text_anchor="middle", font_weight="bold"))
    parts.append(label(29, 17, printed["name"], CHIP - 34, SMALL, CREAM, bold=True))
    for k, sign in enumerate(sign for sign in printed["icons"] if sign):
        parts.append(icon(36 + 20 * k, 29.5, sign, 0.62, sign == printed["dogma"]))
    told: dict[str, Any] = {"data_word": f"card:{name_of(game, card)}", "data_piece": name_of(game, card)}
    return place(name, CHIP, CHIP_HIGH, *parts, x=x, y=y, rx=6, **told)


def backs(age: int, copies: int, name: str, x: float = 0, y: float = 0) -> str:
    """Cards of one age whose names the viewer does not know."""
    parts = [rect(0, 0, BACK_WIDE - 3, CHIP_HIGH, BACK, rx=4, stroke=INK, stroke_width=0.8)]
    parts.append(text(BACK_WIDE / 2 - 1.5, 19, age, BODY, CARD, text_anchor="middle", font_weight="bold"))
    if copies > 1:
        parts.append(text(BACK_WIDE / 2 - 1.5, 33, f"×{copies}", TINY, CARD, text_anchor="middle"))
    return place(name, BACK_WIDE - 3, CHIP_HIGH, *parts, x=x, y=y, rx=4)


def special_width(name: str) -> float:
    """The width of a special achievement."""
    return round(text_width(name, TINY, True)) + 14


def achievement(name: Any, entry: Entry, width: float, is_there: bool, key: str, **where: Any) -> str:
    """An achievement: gold, or a faint outline where it is gone."""
    ground = rect(0, 0, width, 26, "#e6bd4f" if is_there else "none", rx=13, stroke="#a8842c" if is_there else FAINT)
    size = BODY if text_width(str(name), BODY) < 20 else TINY
    drawn = label(width / 2, 18, name, width - 8, size, INK if is_there else QUIET, bold=True, anchor="middle")
    tip, word = title(f"{entry.name}: {entry.does}"), f"{entry.kind}:{entry.key}"
    return place(key, width, 26, tip, ground, drawn, rx=13, data_word=word, **where)


ICON_SHAPES = {
    "castle": polygon([(-6, 6), (-6, -6), (-3, -6), (-3, -3), (-1, -3), (-1, -6), (1, -6), (1, -3), (3, -3), (3, -6),
                       (6, -6), (6, 6)], "#6f6f7a"),
    "crown": polygon([(-7, 5), (-7, -4), (-3, 0), (0, -6), (3, 0), (7, -4), (7, 5)], "#9c7010"),
    "leaf": polygon([(-6, 6), (-5, -2), (0, -6), (6, -6), (6, 0), (2, 5), (-3, 5)], "#3f8f3f"),
    "bulb": group(circle(0, -2, 5, "#e7bd2b", stroke=INK, stroke_width=0.5), rect(-2.5, 3, 5, 4, INK)),
    "factory": polygon([(-7, 6), (-7, -1), (-3, -4), (-3, -1), (1, -4), (1, -1), (3, -1), (3, -7), (6, -7), (6, 6)],
                       "#a04a35"),
    "clock": group(circle(0, 0, 7, "#4a6fa5"), line(0, 0, 0, -5, "#fff8e8", stroke_width=1.5),
                   line(0, 0, 4, 2, "#fff8e8", stroke_width=1.5)),
}  # fmt: skip
assert tuple(ICON_SHAPES) == ICONS
