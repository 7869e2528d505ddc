"""A position as a picture: supply and achievements, the running card, boards with splays, hands, score piles."""

from __future__ import annotations

from collections import Counter
from typing import Any

from theogony.envs.core.draw.larger import BODY, SMALL, TINY, WIDTH, label, page, paragraph, wrapped
from theogony.envs.core.draw.people import seat_word
from theogony.envs.core.draw.places import place
from theogony.envs.core.draw.style import (
    ACCENT,
    CARD,
    GAP,
    MARGIN,
    QUIET,
    TOP,
    back,
    box,
    panel,
    region,
    seat_ground,
)
from theogony.envs.core.draw.svg import FAINT, INK, group, rect, text
from theogony.envs.innovation.actions import name_of
from theogony.envs.innovation.breakdown import icons_of
from theogony.envs.innovation.components import AGES, SPECIALS
from theogony.envs.innovation.render import cards
from theogony.envs.innovation.render.seen import Viewer, check_viewer, known_cards, status, supply_heights
from theogony.envs.innovation.state import HANDS, NONE, SCORES, SIDE, cards_in

HAND = 628  # the width of four cards
AREAS = {"hand": HAND, "score": WIDTH - HAND - 50}
PILES_AT = 48
TOLD = 460  # the room for what a card says that is carried out


def render_svg(game: Any, g: Any, seat: Viewer = None) -> str:
    """The position as that seat knows it; for None only what is public, "all" everything."""
    check_viewer(game, seat)
    parts, y = [region("supply", WIDTH, 62, _supply(game, g), x=MARGIN, y=TOP - 4, main=True)], TOP + 62.0
    if g.dogma != NONE and not g.over:
        drawn, high = _running(game, g, seat)
        parts.append(region("running", WIDTH, high, drawn, x=MARGIN, y=y))
        y += high + 12
    for player in range(game.players):
        drawn, height = _seat(game, g, player, seat)
        parts.append(region(f"seat {player}", WIDTH, height, drawn, x=MARGIN, y=y))
        y += height + GAP
    return page(game.spec.title, status(game, g, seat), y - GAP + MARGIN, *parts)


def _supply(game: Any, g: Any) -> str:
    """The supply by age, and the achievements that are free."""
    parts = [text(0, 12, "Supply", SMALL, font_weight="bold")]
    for age, n in enumerate(supply_heights(g), 1):
        x = (age - 1) * 43
        drawn = back(28, 34) if n else rect(0, 0, 28, 34, rx=5, stroke=FAINT, stroke_dasharray="3 3")
        number = text(14, 23, age, BODY, CARD if n else QUIET, text_anchor="middle", font_weight="bold")
        count = text(30, 32, n, TINY, INK if n else QUIET)
        parts.append(place(f"supply {age}", 42, 34, drawn, number, count, x=x, y=18))
    supply = place("supply", 443, 62, group(*parts, x=6, y=4))
    periods, drawn, x = [text(0, 12, "Achievements", SMALL, font_weight="bold")], [], 0.0
    for age in range(1, AGES):
        entry, there = game.vocabulary["achievement", age], bool(g.period[age - 1] == NONE)
        periods.append(cards.achievement(age, entry, 28, there, f"achievement {age}", x=(age - 1) * 31, y=22))
    for k, name in enumerate(SPECIALS):
        entry, wide = game.vocabulary["special achievement", name], cards.special_width(name)
        there = bool(g.special[k] == NONE)
        drawn.append(cards.achievement(name, entry, wide, there, f"achievement {name}", x=x, y=22))
        x += wide + 4
    return group(box(443, 62, supply), box(279, 58, *periods, x=447, y=4), box(x, 58, *drawn, x=728, y=4))


def _running(game: Any, g: Any, viewer: Viewer) -> tuple[str, float]:
    """The card that is being carried out: its effects in words, the running one strong, who shares, who is struck; and
    the height of all."""
    card = int(g.frame_card[g.depth - 1]) if g.depth else int(g.dogma)
    effect = int(g.frame_effect[g.depth - 1]) if g.depth else int(g.effect)
    words, parts = cards.words_of(game, card), []
    needed = [len(wrapped(said, TOLD, TINY)) for said in words]
    high = max(112, 24 + 16 * sum(needed))
    gap, y = (high - 20 - 16 * sum(needed)) / len(words), 22.0
    for k, (said, lines) in enumerate(zip(words, needed, strict=True)):
        now = k == effect
        parts.append(text(0, y, "▶" if now else "", SMALL, ACCENT))
        parts.append(paragraph(16, y, said, TOLD, lines, TINY, INK if now else QUIET))
        y += 16 * lines + gap
    demand = "must obey" if g.demanding else "would have to obey"
    rows = [
        f"turn of {seat_word(int(g.turn), viewer)}",
        f"carried out by {seat_word(int(g.performer), viewer)}" if g.performer >= 0 else "",
        f"share: {_players(g.sharers, viewer)}",
        f"{demand}: {_players(g.victims, viewer)}",
        f"for {name_of(game, g.dogma)}" if card != g.dogma else "",
    ]
    room = WIDTH - TOLD - 220
    told = [label(0, 24 + 19 * k, row, room, SMALL) for k, row in enumerate(row for row in rows if row)]
    drawn = [
        panel(WIDTH, high, fill="#fdeee0"),
        box(160, 112, cards.whole_card(game, card, "running", 12, 8)),
        box(TOLD + 24, high, *parts, x=166),
        box(room, 112, *told, x=TOLD + 206),
    ]
    return group(*drawn), high


def _players(bits: Any, viewer: Viewer) -> str:
    return ", ".join(seat_word(seat, viewer) for seat in range(8) if int(bits) >> seat & 1) or "nobody"


# ---------------------------------------------------------------------------------------------------- seats


def _seat(game: Any, g: Any, player: int, viewer: Viewer) -> tuple[str, float]:
    """One player and the height of the area: name, points, achievements, icons, five piles, hand and score pile."""
    numbers = range(player * SIDE, (player + 1) * SIDE)
    high = max(cards.pile_height(int(g.height[n]), int(g.splay[n])) if g.height[n] else cards.HIGH for n in numbers)
    areas_at = PILES_AT + high + 18
    hand, hand_high = _area(game, g, HANDS + player, viewer, "hand", player, 16, areas_at)
    score, score_high = _area(game, g, SCORES + player, viewer, "score", player, 34 + HAND, areas_at)
    piles = [cards.pile(game, g, n, viewer, 12 + k * (WIDTH - 16) / SIDE, PILES_AT) for k, n in enumerate(numbers)]
    height = areas_at + max(hand_high, score_high) + 6
    shown = ", ".join(name_of(game, card) for card in cards_in(g.shown[player]))
    return group(
        seat_ground(g, player, viewer, WIDTH, height, y=29, room=170),
        _head(game, g, player),
        *piles,
        *hand,
        label(210, areas_at + 2, f"shown: {shown}", HAND - 200, SMALL, ACCENT, bold=True) if shown else "",
        *score,
    ), height


def _head(game: Any, g: Any, player: int) -> str:
    parts = [place(f"seat {player}", 186, 40)]  # the name changes its colour with every turn: that is no news
    needed = int(game.tables[0].needed)
    points = int(g.points[player])
    score = f"{points} point{'' if points == 1 else 's'}, {int(g.achievements[player])} of {needed} achievements"
    parts.append(box(240, 38, label(0, 28, score, 240, BODY), x=196))
    won, x = [], 0.0
    for age, owner in enumerate(g.period, 1):
        if owner == player:
            won.append(cards.achievement(age, game.vocabulary["achievement", age], 26, True, f"won {age}", x=x, y=10))
            x += 29
    for special, owner in zip(SPECIALS, g.special, strict=True):
        if owner == player:
            entry, wide = game.vocabulary["special achievement", special], cards.special_width(special)
            won.append(cards.achievement(special, entry, wide, True, f"won {special}", x=x, y=10))
            x += wide + 3
    parts.append(box(x, 38, *won, x=420) if won else "")
    for k, (sign, n) in enumerate(icons_of(g, player).items()):
        number = text(27, 29, n, BODY + 1, INK if n else QUIET, font_weight="bold")
        drawn = group(cards.icon(12, 24, sign), number, data_word=f"icon:{sign}")
        parts.append(box(50, 38, drawn, x=WIDTH - 336 + k * 54))
    return group(*parts)


def _area(
    game: Any, g: Any, where: int, viewer: Viewer, name: str, player: int, left: float, top: float
) -> tuple[list[str], float]:
    """A hand or score pile in rows, and its height: known cards by name, the others by their backs."""
    seen, hidden = known_cards(g, where, viewer)
    head = {"hand": "hand", "score": "score pile"}[name]
    number = text(0, 12, f"{head} ({len(seen) + len(hidden)})", SMALL, font_weight="bold")
    parts = [box(400, 16, number, x=left, y=top - 10, row=True)]
    x, y = 0.0, 10.0
    t = game.tables[0]
    ages = Counter(int(t.age[card]) for card in hidden)
    items: list[tuple[float, Any]] = [(cards.CHIP, card) for card in sorted(seen, key=lambda c: (int(t.age[c]), c))]
    items += [(cards.BACK_WIDE - 3, (age, ages[age])) for age in sorted(ages)]
    for k, (width, item) in enumerate(items):
        if x + width > AREAS[name]:
            x, y = 0.0, y + cards.CHIP_HIGH + 5
        if isinstance(item, tuple):
            drawn = cards.backs(item[0], item[1], f"{name} {player} back {item[0]}")
        else:
            drawn = cards.chip(game, item, f"{name} {player} {name_of(game, item)}")
        parts.append(box(width, cards.CHIP_HIGH, drawn, x=left + x, y=top + y, row=k == 0))
        x += width + 6
    return parts, y + cards.CHIP_HIGH + 8
