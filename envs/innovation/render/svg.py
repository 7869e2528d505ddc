"""A position as a picture: supply and achievements, the running card, boards with splays, hands, score piles."""

from __future__ import annotations

import re
from collections import Counter
from functools import cache
from typing import Any

from theogony.envs.core.arguments import checked_viewer
from theogony.envs.core.draw import style
from theogony.envs.core.draw.larger import BODY, SMALL, TINY, WIDTH, label, page, paragraph, text_width, wrapped
from theogony.envs.core.draw.places import place
from theogony.envs.core.draw.style import CARD, GAP, MARGIN, QUIET, TOP, Viewer, box, mark, panel, region, seat_word
from theogony.envs.core.draw.style import icon as drawing
from theogony.envs.core.draw.svg import FAINT, INK, circle, group, line, picture, polygon, rect, shape, text, title, use
from theogony.envs.core.vocabulary import Entry
from theogony.envs.innovation.actions import name_of
from theogony.envs.innovation.breakdown import icons_of
from theogony.envs.innovation.cards import effects_of
from theogony.envs.innovation.cards.wording import sentence
from theogony.envs.innovation.components import AGES, COLOURS, ICONS, SHOWN_BY_SPLAY, SPECIALS, SPLAYS
from theogony.envs.innovation.render.words import concerned, known_cards, reach, running, seen_pile, status, turn_of
from theogony.envs.innovation.state import HANDS, NONE, SCORES, SIDE, cards_in, supply_heights

FILLS = dict(zip(COLOURS, ("#386da9", "#98262a", "#8fca7c", "#f5d13c", "#5f3380"), strict=True))
CREAM, DARK = "#fff8e8", "#1c1916"  # dark by night as well, on what stays light
SHEETS = dict(zip(COLOURS, ("#e4eef3", "#f8e4dc", "#eef4ea", "#fbf0cf", "#efe4f3"), strict=True))  # beneath cards
REACHED = "#2f7d52"  # what an achievement asks for
INKS = dict(zip(COLOURS, (CREAM, CREAM, DARK, DARK, CREAM), strict=True))
WIDE, HIGH = 138, 96  # a card
LARGE = 1.6  # of a card that is shown by itself
PLACES = ((15, 24), (15, 78), (69, 78), (123, 78))  # of the icons: top left, bottom left, centre, right
UP_STEPS, UP_ROOM = (26, 15), 150  # how far the next covered card of a pile splayed up looks out, and all together
ASIDE = 76  # all covered cards of a pile splayed left or right
COLUMN, LINE, FOOT = WIDE + ASIDE, 15, 5  # the room of a pile, of a line of what its top card does, and below the last
SAID = COLUMN - 24  # how wide such a line may be
CHIP, CHIP_HIGH, BACK_WIDE = 152, 38, 31  # a card in one line
TELLING = 311  # of one that tells what it does
FIRST_LINES = {2: 3, 3: 2, 4: 2}  # of what a rival's card does, by the number of players
DEMAND = "Demand:"  # how the words of an effect begin that strikes others
STUB, STUB_HIGH = 52, 54  # of a pile that is empty
DEEDS = {  # icons of what happens to cards, by the verbs that say so
    name: re.compile(verb, re.IGNORECASE)
    for name, verb in {
        "draw": r"\bdraw", "meld": r"\bmeld", "tuck": r"\btuck", "star": r"\bscore\b(?! pile)", "return": r"\breturn",
        "splay": r"\bsplay", "hand over": r"\b(?:hand over|take)\b", "exchange": r"\bexchange",
        "claim": r"\b(?:claim|win)",
    }.items()
}  # fmt: skip
MOST_DEEDS = 3
KEY_HIGH = 20
ROWS = 2  # that a known hand keeps free, however small it is


def words_of(game: Any, card: int) -> list[str]:
    """The effects of a card in our own words."""
    return [sentence(effect) for effect in effects_of(game, card)]


def tip(game: Any, card: int) -> str:
    """What a card is called; what it does is told by its entry in the vocabulary."""
    printed = game.components["cards"][card]
    return title(f"{printed['name']} ({printed['age']}, {printed['dogma']})")


@cache
def _begins(words: str, width: float, lines: int = 1) -> list[str]:
    """The first lines of words, with dots behind them where there are more."""
    rows = wrapped(words, width, TINY)
    if len(rows) > lines:
        last = wrapped(rows[lines - 1], width - text_width(" ...", TINY), TINY)[0]
        rows = [*rows[: lines - 1], f"{last.rstrip(';:,.')} ..."]
    return rows


@cache
def deeds(words: tuple[str, ...]) -> tuple[str, ...]:
    """What a card does, as the first few icons of `DEEDS` in the order of its words."""
    said = " ".join(words)
    found = [(at.start(), name) for name, verb in DEEDS.items() if (at := verb.search(said)) is not None]
    return tuple(name for _, name in sorted(found)[:MOST_DEEDS])


def _emblem(game: Any, card: int) -> list[str]:
    """The sign of the colour, and what the card does."""
    does = deeds(tuple(words_of(game, card)))
    x = (PLACES[0][0] + WIDE - 19 - 17 * len(does)) / 2 - 1
    colour = COLOURS[game.tables[0].colour[card]]
    drawn = [mark(colour, x, 20, 14, INKS[colour])]
    return drawn + [drawing(name, x + 11 + 17 * k, 12, 15, INKS[colour]) for k, name in enumerate(does)]


SIGNS = {
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
assert tuple(SIGNS) == ICONS
_DISC = circle(0, 0, 11, "#fbf5e6", stroke=INK)
_ICON = {name: shape(f"resource-{name}", "g", _DISC, sign) for name, sign in SIGNS.items()}


def icon(x: float, y: float, name: str, zoom: float = 1.0, ring: bool = False) -> str:
    """A small picture of a resource around (x, y); that of the dogma has a ring."""
    return use(_ICON[name], x, y, zoom, stroke_width=2.4 if ring else 0.6)


_CARDS = {  # clicks go to the place
    colour: shape(
        f"{colour} card",
        "rect",
        **{"width": WIDE, "height": HIGH, "fill": fill, "rx": 8, "stroke": CREAM, "stroke_width": 1.5},
        pointer_events="none",
    )
    for colour, fill in FILLS.items()
}


def whole_card(game: Any, card: int, name: str, x: float = 0, y: float = 0, now: str | None = None) -> str:
    """A card that lies open, as a place of this name; `now` is what using it would do at present."""
    t, printed = game.tables[0], game.components["cards"][card]
    colour = COLOURS[t.colour[card]]
    ink, band = INKS[colour], "#fff" if INKS[colour] == DARK else INK
    parts = [
        tip(game, card),
        use(_CARDS[colour]),
        drawing(printed["dogma"], (WIDE - HIGH) / 2 + 6, 6, HIGH - 12, ink, opacity=0.16),
        rect(0, 40, WIDE, 21, band, opacity=0.42),
        *_emblem(game, card),
        circle(WIDE - 19, 20, 13, CREAM),
        text(WIDE - 19, 25.5, int(t.age[card]), 15, text_anchor="middle", font_weight="bold"),
        label(WIDE / 2, 55, printed["name"], WIDE - 10, 13, ink, bold=True, anchor="middle"),
    ]
    for where, sign in enumerate(printed["icons"]):
        if sign:
            parts.append(icon(*PLACES[where], sign, 1, sign == printed["dogma"]))
    told = {"data_word": f"card:{name_of(game, card)}", "data_piece": name_of(game, card), "data_now": now}
    return place(name, WIDE, HIGH, *parts, x=x, y=y, rx=8, **told)


def pieces(game: Any, kind: str, key: str) -> str | None:
    """A card by its name, whole; None for anything else."""
    names = [card["name"] for card in game.components["cards"]]
    if kind != "card" or key not in names:
        return None
    drawn = group(whole_card(game, names.index(key), "card"), zoom=LARGE)
    return picture(LARGE * WIDE, LARGE * HIGH, drawn, background="none")


def pile_height(height: int, splay: int) -> float:
    """How high a pile is drawn, with the words below it."""
    return (
        HIGH + (20 if height > 1 else 0) + (_up_step(height - 1) * (height - 1) if splay == SPLAYS.index("up") else 4)
    )


def _up_step(covered: int) -> float:
    most, least = UP_STEPS
    return max(least, min(most, UP_ROOM / covered)) if covered else 0


def told(game: Any, g: Any, number: int, viewer: Viewer) -> list[str]:
    """What the top card of a pile does, in lines: all of it for the seat that has it, how it begins for others."""
    if not g.height[number]:
        return []
    top = seen_pile(g, number, viewer)[0][0]
    if viewer == number // SIDE:
        return wrapped(" ".join(words_of(game, top)), SAID, TINY)
    return _begins(" ".join(words_of(game, top)), SAID, FIRST_LINES[game.players])


def pile(game: Any, g: Any, number: int, viewer: Viewer, x: float, y: float) -> str:
    """A pile of a board. The covered cards look out as far as the splay lets them, with their visible icons; below lies
    what its owner reads of the top card."""
    seat, colour = divmod(number, SIDE)
    seen = seen_pile(g, number, viewer)
    name = f"pile {seat} {COLOURS[colour]}"
    if not seen:
        outline = rect(0, 0, STUB, STUB_HIGH, rx=8, stroke=FAINT, stroke_dasharray="4 4")
        sign = mark(COLOURS[colour], STUB / 2, 18, 15, FAINT)
        said = label(STUB / 2, 42, COLOURS[colour], STUB - 4, TINY, QUIET, anchor="middle")
        empty = place(name, STUB, STUB_HIGH, outline, sign, said, x=(COLUMN - STUB) / 2)
        return box(COLUMN, STUB_HIGH, empty, x=x, y=y, row=colour == 0)
    splay, covered = int(g.splay[number]), len(seen) - 1
    direction, high = SPLAYS[splay], pile_height(covered + 1, splay)
    aside = direction in ("left", "right")
    step_x, step_y = _steps(direction, covered)
    start, wide = (ASIDE if direction == "right" else 0), WIDE + (ASIDE if aside else step_x * covered)
    parts = [
        _covered(game, seen[k], number, start + k * step_x, k * step_y, splay, max(abs(step_x), abs(step_y)))
        for k in range(covered, 0, -1)
    ]
    top = seen[0][0]
    parts.append(whole_card(game, top, f"{name} {name_of(game, top)}", start, now=reach(game, g, top, seat, viewer)))
    if covered:
        said = f"{covered + 1} cards" + (f", splayed {direction}" if splay else "")
        parts.append(label(wide / 2, high - 4, said, wide, TINY, QUIET, anchor="middle"))
    left, rows = 0 if aside else ASIDE / 2, told(game, g, number, viewer)
    drawn = place(name, wide, high if covered else HIGH, *parts, x=left)
    words = [_line(row, high + 13 + LINE * k) for k, row in enumerate(rows)]
    end = high + LINE * len(rows) + FOOT
    sheet = rect(1, HIGH / 2, COLUMN - 4, end - HIGH / 2, SHEETS[COLOURS[colour]], rx=8, stroke=FILLS[COLOURS[colour]])
    return box(COLUMN, end, sheet, drawn, *words, x=x, y=y, row=colour == 0)


def _line(row: str, y: float) -> str:
    """A line of what a card does; that it demands something stands out."""
    demands = row.startswith(DEMAND)
    start = label(9, y, DEMAND, SAID, TINY, bold=True) if demands else ""
    x = text_width(DEMAND + " ", TINY, True) if demands else 0
    return start + label(9 + x, y, row.removeprefix(DEMAND).lstrip(), SAID + 8 - x, TINY)


def _steps(direction: str, covered: int) -> tuple[float, float]:
    """From card to card downwards in a pile."""
    if direction == "up":
        return 0, _up_step(covered)
    if direction in ("left", "right"):
        step = min(26, ASIDE / max(covered, 1))
        return (step if direction == "left" else -step), 0
    return min(2, 8 / max(covered, 1)), min(2, 8 / max(covered, 1))


def _covered(game: Any, seen: tuple[int, bool], number: int, x: float, y: float, splay: int, strip: float) -> str:
    """A covered card: its visible icons in the strip that looks out; `?` where the viewer does not know which it is."""
    card, sure = seen
    t, printed = game.tables[0], game.components["cards"][card]
    parts = [title(f"{name_of(game, card)}{'' if sure else ' (or another of this pile)'}")]
    parts.append(use(_CARDS[COLOURS[t.colour[card]]]))
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
    known: dict[str, Any] = {"data_drawn": word} if sure else {"data_now": "this or another covered card of this pile"}
    return place(name, WIDE, HIGH, *parts, x=x, y=y, rx=8, data_word=word, **known)


def chip(game: Any, card: int, name: str, wide: float = CHIP) -> str:
    """A known card of a hand or score pile: age, name, icons, and the first words of it where it is wide."""
    t, printed = game.tables[0], game.components["cards"][card]
    colour = COLOURS[t.colour[card]]
    ink, long = INKS[colour], wide > CHIP
    parts = [tip(game, card), rect(0, 0, wide, CHIP_HIGH, FILLS[colour], rx=6), circle(15, 13, 9.5, CREAM)]
    parts.append(text(15, 17, int(t.age[card]), SMALL, DARK, text_anchor="middle", font_weight="bold"))
    room = wide - 115 if long else wide - 34
    parts.append(label(29, 17, printed["name"], room, SMALL, ink, bold=True))
    x, y = (wide - 76, 12.5) if long else (36, 29.5)
    for k, sign in enumerate(sign for sign in printed["icons"] if sign):
        parts.append(icon(x + 20 * k, y, sign, 0.62, sign == printed["dogma"]))
    parts.append(mark(colour, wide - 12 if long else wide - 14, 12.5 if long else 28, 13, ink))
    parts.append(text(8, 33, _begins(" ".join(words_of(game, card)), wide - 16)[0], TINY, ink) if long else "")
    word = f"card:{name_of(game, card)}"
    told: dict[str, Any] = {"data_word": word, "data_drawn": word, "data_piece": name_of(game, card)}
    return place(name, wide, CHIP_HIGH, *parts, rx=6, **told)


def backs(age: int, copies: int, name: str) -> str:
    """Cards of one age whose names the viewer does not know."""
    parts = [rect(0, 0, BACK_WIDE - 3, CHIP_HIGH, style.BACK, rx=4, stroke=INK, stroke_width=0.8)]
    parts.append(text(BACK_WIDE / 2 - 1.5, 19, age, BODY, CARD, text_anchor="middle", font_weight="bold"))
    if copies > 1:
        parts.append(text(BACK_WIDE / 2 - 1.5, 33, f"×{copies}", TINY, CARD, text_anchor="middle"))
    return place(name, BACK_WIDE - 3, CHIP_HIGH, *parts, rx=4)


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


# ---- A position as a picture: supply and achievements, the running card, boards with splays, hands, score piles ----

HAND = 628  # the width of four cards
AREAS = {"hand": (HANDS, "hand", HAND), "score": (SCORES, "score pile", WIDTH - HAND - 50)}  # where, name, width
PILES_AT = 48
TOLD = 460  # the room for what a card says that is carried out


def render_svg(game: Any, g: Any, seat: Viewer = None) -> str:
    """The position as that seat knows it; for None only what is public, "all" everything."""
    checked_viewer(seat, game.players)
    parts, y = [region("supply", WIDTH, 62, _supply(game, g, seat), x=MARGIN, y=TOP - 4, main=True)], TOP + 62.0
    if g.dogma != NONE and not g.over:
        drawn, high = _running(game, g, seat)
        parts.append(region("running", WIDTH, high, drawn, x=MARGIN, y=y))
        y += high + 12
    for player in range(game.players):
        drawn, height = _seat(game, g, player, seat)
        said = _tally(game, g, player)
        parts.append(region(f"seat {player}", WIDTH, height, drawn, x=MARGIN, y=y, tally=said))
        y += height + GAP
    parts.append(region("key", WIDTH, KEY_HIGH + 2, _key(), x=MARGIN, y=y - 6))
    y += KEY_HIGH + 2
    return page(game.spec.title, status(game, g, seat), y - GAP + MARGIN, *parts)


ASKS = ("3 of each", "6 at once", "five 8+", "5 splayed", "12 clocks")  # special achievements, in short


def _supply(game: Any, g: Any, viewer: Viewer) -> str:
    """The supply by age, and the achievements: which are free, what they ask for, whether it is reached."""
    most = _reached(game, g, viewer if isinstance(viewer, int) else int(g.actor))
    parts = [text(0, 12, "Supply", SMALL, font_weight="bold")]
    for age, n in enumerate(supply_heights(g), 1):
        x = (age - 1) * 43
        drawn = style.back(25, 34) if n else rect(0, 0, 25, 34, rx=5, stroke=FAINT, stroke_dasharray="3 3")
        number = text(12.5, 23, age, BODY, CARD if n else QUIET, text_anchor="middle", font_weight="bold")
        count = text(26.5, 32, n, TINY, INK if n else QUIET)
        parts.append(place(f"supply {age}", 42, 34, drawn, number, count, x=x, y=18))
    supply = place("supply", 443, 62, group(*parts, x=6, y=4))
    head = text(0, 12, "Achievements", SMALL, font_weight="bold")
    periods, drawn, x = [head, text(104, 12, "points, top card as high", TINY, QUIET)], [], 0.0
    for age in range(1, AGES):
        entry, there = game.vocabulary["achievement", age], bool(g.period[age - 1] == NONE)
        periods.append(achievement(age, entry, 28, there, f"achievement {age}", x=(age - 1) * 31, y=16))
        if there:
            ink: dict[str, Any] = {"fill": REACHED, "font_weight": "bold"} if age <= most else {"fill": QUIET}
            periods.append(text((age - 1) * 31 + 14, 56, 5 * age, TINY, text_anchor="middle", **ink))
            periods.append(rect((age - 1) * 31, 16, 28, 26, rx=13, stroke=REACHED, stroke_width=3) * (age <= most))
    for k, name in enumerate(SPECIALS):
        entry, wide = game.vocabulary["special achievement", name], special_width(name)
        there = bool(g.special[k] == NONE)
        drawn.append(achievement(name, entry, wide, there, f"achievement {name}", x=x, y=16))
        drawn.append(text(x + wide / 2, 56, ASKS[k], TINY, QUIET, text_anchor="middle") * there)
        x += wide + 3
    return group(box(443, 62, supply), box(279, 58, *periods, x=447, y=4), box(x, 58, *drawn, x=728, y=4))


@cache
def _key() -> str:
    """What the small pictures on cards mean: what happens to cards, the colours, the ring of an icon."""
    drawn = [(drawing(name, 0, 3, 15, INK), {"star": "score"}.get(name, name)) for name in DEEDS]
    drawn += [(mark(colour, 7, 10, 13, FAINT), colour) for colour in COLOURS]
    drawn.append((icon(8, 10, "crown", 0.72, ring=True), "thick ring: decides who shares"))
    parts, x = [], 0.0
    for sign, said in drawn:
        wide = 21 + 1.02 * text_width(said, TINY)
        parts.append(box(wide, KEY_HIGH, sign, text(19, 15, said, TINY, QUIET), x=x, y=1))
        x += wide + 3
    return panel(WIDTH, KEY_HIGH + 2) + group(*parts, x=10)


def _reached(game: Any, g: Any, seat: int) -> int:
    """Up to which age a seat could claim achievements: by its points, and by its highest top card."""
    tops = (seen_pile(g, n, "all")[0][0] for n in range(seat * SIDE, (seat + 1) * SIDE) if g.height[n])
    highest = max((int(game.tables[0].age[card]) for card in tops), default=0)
    return 0 if g.over else min(highest, int(g.points[seat]) // 5)


def _running(game: Any, g: Any, viewer: Viewer) -> tuple[str, float]:
    """The card that is being carried out: its effects in words, the running one strong, who shares, who is struck; and
    the height of all."""
    card, effect = running(g)
    words, parts = words_of(game, card), []
    needed = [len(wrapped(said, TOLD, TINY)) for said in words]
    high = max(112, 24 + 16 * sum(needed))
    gap, y = (high - 20 - 16 * sum(needed)) / len(words), 22.0
    for k, (said, lines) in enumerate(zip(words, needed, strict=True)):
        now = k == effect
        parts.append(text(0, y, "▶" if now else "", SMALL, style.ACCENT))
        parts.append(paragraph(16, y, said, TOLD, lines, TINY, INK if now else QUIET))
        y += 16 * lines + gap
    performer = int(g.performer)
    by = "you carry it out" if performer == viewer else f"carried out by {seat_word(performer)}"
    rows = [
        turn_of(int(g.turn), viewer),
        by if performer >= 0 else "",
        *concerned(game, g, viewer),
        f"for {name_of(game, g.dogma)}" if card != g.dogma else "",
    ]
    room = WIDTH - TOLD - 220
    told = [label(0, 24 + 19 * k, row, room, SMALL) for k, row in enumerate(row for row in rows if row)]
    drawn = [
        panel(WIDTH, high, fill="#fdeee0"),
        box(160, 112, whole_card(game, card, "running", 12, 8)),
        box(TOLD + 24, high, *parts, x=166),
        box(room, 112, *told, x=TOLD + 206),
    ]
    return group(*drawn), high


# ---------------------------------------------------------------------------------------------------- seats


def _seat(game: Any, g: Any, player: int, viewer: Viewer) -> tuple[str, float]:
    """One player and the height of the area: name, points, achievements, icons, five piles, hand and score pile."""
    numbers = range(player * SIDE, (player + 1) * SIDE)
    high = max(
        pile_height(int(g.height[n]), int(g.splay[n])) + LINE * len(told(game, g, n, viewer)) + FOOT
        if g.height[n]
        else HIGH
        for n in numbers
    )
    shown = ", ".join(name_of(game, card) for card in cards_in(g.shown[player]))
    shown_at, areas_at = PILES_AT + high + 18, PILES_AT + high + (36 if shown else 18)
    hand, hand_high = _area(game, g, "hand", player, viewer, 16, areas_at)
    score, score_high = _area(game, g, "score", player, viewer, 34 + HAND, areas_at)
    piles = [pile(game, g, n, viewer, 12 + k * (WIDTH - 16) / SIDE, PILES_AT) for k, n in enumerate(numbers)]
    height = areas_at + max(hand_high, score_high) + 6
    return group(
        style.seat_ground(g, player, viewer, WIDTH, height, y=29, room=170),
        _head(game, g, player),
        *piles,
        *hand,
        label(16, shown_at, f"shown: {shown}", WIDTH - 40, SMALL, style.ACCENT, bold=True) if shown else "",
        *score,
    ), height


def _tally(game: Any, g: Any, player: int) -> str:
    """Points, and how many achievements of those that win."""
    points, needed = int(g.points[player]), int(game.tables[0].needed)
    return f"{points} point{'' if points == 1 else 's'}, {int(g.achievements[player])} of {needed}"


def _head(game: Any, g: Any, player: int) -> str:
    parts = [place(f"seat {player}", 186, 40)]  # the name changes its colour with every turn: that is no news
    parts.append(box(240, 38, label(0, 28, f"{_tally(game, g, player)} achievements", 240, BODY), x=196))
    mine = [("achievement", age, 26.0) for age, owner in enumerate(g.period, 1) if owner == player]
    special = zip(SPECIALS, g.special, strict=True)
    mine += [("special achievement", name, special_width(name)) for name, owner in special if owner == player]
    won, x = [], 0.0
    for kind, name, wide in mine:
        won.append(achievement(name, game.vocabulary[kind, name], wide, True, f"won {name}", x=x, y=10))
        x += wide + 3
    parts.append(box(x, 38, *won, x=420) if won else "")
    shown = []
    for k, (sign, n) in enumerate(icons_of(g, player).items()):
        number = text(27, 29, n, BODY + 1, INK if n else QUIET, font_weight="bold")
        shown.append(group(icon(12, 24, sign), number, x=54 * k, data_word=f"icon:{sign}"))
    return group(*parts, box(320, 38, *shown, x=WIDTH - 336))


def _area(
    game: Any, g: Any, name: str, player: int, viewer: Viewer, left: float, top: float
) -> tuple[list[str], float]:
    """A hand or score pile in rows, and its height: known cards by name, the others by their backs."""
    first, head, room = AREAS[name]
    seen, hidden = known_cards(g, first + player, viewer)
    number = text(0, 12, f"{head} ({len(seen) + len(hidden)})", SMALL, font_weight="bold")
    parts = [box(400, 16, number, x=left, y=top - 10, row=True)]
    x, y = 0.0, 10.0
    t = game.tables[0]
    ages = Counter(int(t.age[card]) for card in hidden)
    wide = TELLING if name == "hand" and not hidden and len(seen) <= 2 * ROWS and viewer in ("all", player) else CHIP
    items: list[tuple[float, Any]] = [(wide, card) for card in sorted(seen, key=lambda c: (int(t.age[c]), c))]
    items += [(BACK_WIDE - 3, (age, ages[age])) for age in sorted(ages)]
    for k, (width, item) in enumerate(items):
        if x + width > room:
            x, y = 0.0, y + CHIP_HIGH + 5
        if isinstance(item, tuple):
            drawn = backs(item[0], item[1], f"{name} {player} back {item[0]}")
        else:
            drawn = chip(game, item, f"{name} {player} {name_of(game, item)}", wide)
        parts.append(box(width, CHIP_HIGH, drawn, x=left + x, y=top + y, row=k == 0))
        x += width + 6
    rows = ROWS if viewer in ("all", player) else 1
    return parts, max(y, 10 + (rows - 1) * (CHIP_HIGH + 5)) + CHIP_HIGH + 8
