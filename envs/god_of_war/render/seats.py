"""The players: figures with health and rage, hand, cards in play, piles."""

from __future__ import annotations

from collections import Counter
from typing import Any

from theogony.envs.core.draw.larger import BODY, SMALL, TINY, WIDTH, label, paragraph, text_width, wrapped
from theogony.envs.core.draw.places import place
from theogony.envs.core.draw.style import ACCENT, CARD, LINE, QUIET, back, box, decides, icon, seat_ground, seat_name
from theogony.envs.core.draw.svg import INK, circle, element, group, polygon, rect, text, title
from theogony.envs.god_of_war.components.tables import figure_data, option_kind
from theogony.envs.god_of_war.render.portraits import HERO_COLOURS, hero_token
from theogony.envs.god_of_war.render.words import hero_name, waiting
from theogony.envs.god_of_war.state import UPGRADE
from theogony.envs.god_of_war.vocabulary.effects import hero_effects, option_words, rune_name, skill_words

RUNE_COLOURS = {"gebo": "#b0413e", "fehu": "#0072b2", "tiwaz": "#00795c", "algiz": "#a8730a"}
RUNE_SHAPES = {
    "gebo": "M-4 -5 L4 5 M4 -5 L-4 5",
    "fehu": "M-2 6 V-6 M-2 -1.5 L4 -5 M-2 2.5 L4 -1",
    "tiwaz": "M0 6 V-6 M-4.5 -2 L0 -6 L4.5 -2",
    "algiz": "M0 6 V-6 M0 0 L-4.5 -5.5 M0 0 L4.5 -5.5",
}
SIGNS = {"melee": "#9a2d20", "ranged": "#1f6a9a", "block": "#51606e", "number": "#3b3630", "stun": "#957000",
         "poison": "#4b7f2a", "crystal": "#2a8fa0", "rage": "#c8500a", "heart": "#b3261e",
         "ward": "#2f7d52"}  # fmt: skip
TINTS = {  # grounds of action cards by what they do
    "melee": "#f8ddd4", "ranged": "#d9eaf6", "block": "#dfe4ea", "number": "#f6ebc6", "stun": "#faf0c8",
    "poison": "#e2f0d3", "crystal": "#d6f0f2", "special": "#f1e6f6",
}  # fmt: skip
CARD_WIDTH, CARD_HEIGHT = 113, 98  # of an action card
PILE_WIDTH = 230  # of a card of a pile


def sign(name: str, x: float, y: float, size: float = 14) -> str:
    """The icon of a symbol or state."""
    return icon(name, x, y, size, SIGNS[name])


def die(face: int, x: float, y: float) -> str:
    """The enemy die with the face that it shows."""
    number = text(x + 14, y + 21, face, 20, "#fff", text_anchor="middle", font_weight="bold")
    return group(rect(x, y, 28, 28, INK, rx=6), number)


def rune(name: str, x: float, y: float, radius: float = 9, boxed: bool = False) -> str:
    """A rune around (x, y); those of boxed effects stand in a square."""
    edge = {"stroke": "#fff", "stroke_width": 1}
    side = 2 * radius
    ground = (
        rect(x - radius, y - radius, side, side, RUNE_COLOURS[name], rx=3, **edge)
        if boxed
        else circle(x, y, radius, RUNE_COLOURS[name], **edge)
    )
    drawn = element("path", d=RUNE_SHAPES[name], stroke="#fff", stroke_width=1.7, fill="none", stroke_linecap="round")
    return group(title(rune_name(name)), ground, group(drawn, x=x, y=y, zoom=radius / 9), data_word=f"rune:{name}")


def action_card(game: Any, design: str, copies: int = 1, rune_of: str | None = None) -> str:
    """A card with its options: symbol, number, what is special; how many of them there are."""
    card = game.components["action_cards"].get(design)
    entry = game.vocabulary["card", design]
    body = [title(f"{entry.name}: {entry.does}"), *_face(card, design)]
    if card is None:
        body += _status_card(game, design)
    elif any(option["special"] for option in card["options"]):
        body += _special_card(card, marked=copies > 1 or rune_of is not None)
    else:
        options = card["options"]
        top = 36 if copies > 1 else 27  # below the number of copies
        for k, option in enumerate(options):
            y = CARD_HEIGHT / 2 if len(options) == 1 else top + (73 - top) * k
            body.append(group(_option(option, len(options) == 1), y=y))
        if len(options) > 1:
            body.append(text(CARD_WIDTH / 2, CARD_HEIGHT / 2 + 3, "or", TINY, QUIET, text_anchor="middle"))
    if copies > 1:
        body.append(rect(CARD_WIDTH - 34, 3, 31, 19, INK, rx=9))
        body.append(text(CARD_WIDTH - 18.5, 17, f"×{copies}", SMALL, "#fff", text_anchor="middle", font_weight="bold"))
    if rune_of:
        body.append(rune(rune_of, CARD_WIDTH - 12, 12, 9))
    word = f"upgrade card:{design}:{rune_of}" if rune_of else f"card:{design}"
    return group(*body, data_word=word, data_own=1)


def _face(card: dict[str, Any] | None, design: str) -> list[str]:
    """The ground of a card, of two colours where it does one of two things, with a large faint sign of a status."""
    kinds = [design] if card is None else list(dict.fromkeys(map(option_kind, card["options"])))
    parts = [rect(0, 0, CARD_WIDTH, CARD_HEIGHT, TINTS[kinds[0]], rx=7, stroke=INK)]
    if len(kinds) > 1:
        right, low = CARD_WIDTH - 0.6, CARD_HEIGHT - 0.6
        corners = [(right, low - 6.4), (right - 1.9, low - 1.9), (right - 6.4, low), (7, low), (2.5, low - 1.9)]
        parts.append(polygon([(0.6, low - 6.4), (0.6, 58), (right, 42), *corners], TINTS[kinds[1]]))
    return parts


def _special_card(card: dict[str, Any], marked: bool) -> list[str]:
    """The name of a card and what it does, all of it."""
    name, y = _name(card["name"], marked)
    head = y - 6 + 13 * len(name)
    at = min(7, (CARD_WIDTH - max(text_width(row, TINY, True) for row in name)) / 2)
    body = [rect(0, 0, CARD_WIDTH, head, "#dcc3e6", rx=7, stroke=INK)]
    body += [label(at, y + 13 * k, row, CARD_WIDTH - at, TINY, bold=True) for k, row in enumerate(name)]
    said = "; or ".join(option_words(option) for option in card["options"])
    return [*body, *_told(said[:1].upper() + said[1:], head + 14)]


def _told(said: str, y: float) -> list[str]:
    """Words on a card from y to its foot: many of them stand closer together."""
    rows = wrapped(said, CARD_WIDTH - 12, TINY)
    step = min(1.28 * TINY, (CARD_HEIGHT - 5 - y) / max(len(rows) - 1, 1))
    return [label(7, y + step * k, row, CARD_WIDTH - 12, TINY) for k, row in enumerate(rows)]


def _name(name: str, marked: bool) -> tuple[list[str], float]:
    """The lines of a card's name and the first baseline: beside the mark in the corner, or beneath it where a word is
    too long for that."""
    lines = wrapped(name, CARD_WIDTH - (42 if marked else 12), TINY, True)
    beneath = marked and any(text_width(row, TINY, True) > CARD_WIDTH - 42 for row in lines)
    return lines, 31 if beneath else 15


def _option(option: dict[str, Any], named: bool) -> str:
    """Symbol and number around the middle of a card, with what else it does."""
    symbol = (option["symbols"] or [""])[0]
    number = f"+{option['number']}" if option["number"] else ""
    width = (31 if symbol else 0) + text_width(number, 23, True) + (25 if option["stun"] else 0)
    x, parts = CARD_WIDTH / 2 - width / 2, []
    if symbol:
        parts.append(sign(symbol, x, -18, 29))
        x += 31
    if number:
        parts.append(text(x, 5, number, 23, font_weight="bold"))
        x += text_width(number, 23, True)
    if option["stun"]:
        parts.append(sign("stun", x + 3, -14, 22))
    words = symbol if named else ""
    if option["rage"] > 1:
        words += f", {option['rage']} rage"
    return group(
        *parts, label(CARD_WIDTH / 2, 25, words, CARD_WIDTH - 10, TINY, QUIET, anchor="middle") if words else ""
    )


def _status_card(game: Any, kind: str) -> list[str]:
    entry = game.vocabulary["card", kind]
    name = label(CARD_WIDTH / 2, 18, entry.name, CARD_WIDTH - 12, BODY, bold=True, anchor="middle")
    return [name, sign(kind, 8, 5, 17), *_told(entry.does, 37)]


def mini_card(game: Any, design: str, copies: int) -> str:
    """A card of a pile in one line."""
    entry = game.vocabulary["card", design]
    name = entry.name
    return group(
        title(f"{name}: {entry.does}"),
        rect(0, 0, PILE_WIDTH, 21, "#f3ede0", rx=5, stroke=LINE),
        label(6, 15, f"{copies} × {name}" if copies > 1 else name, PILE_WIDTH - 12, TINY),
        data_word=f"card:{design}",
    )


def card_back() -> str:
    """A card that the viewer cannot know."""
    return back(CARD_WIDTH, CARD_HEIGHT) + icon("ward", CARD_WIDTH / 2 - 15, CARD_HEIGHT / 2 - 15, 30, "#cbbfae")


# ---- The players: figures with health and rage, hand, cards in play, piles ---------------------------------------

LEFT = 364  # where the hand begins
PER_ROW, PILES_PER_ROW = 6, 3
STEP_X, STEP_Y = CARD_WIDTH + 9, CARD_HEIGHT + 10
FIGURE = 74  # height of a figure's lines
Pair = tuple[float, float]  # across and down


def seat_area(
    game: Any, g: Any, player: dict[str, Any], found: dict[str, Any], viewer: int | str | None
) -> tuple[str, float]:
    """One player and the height of the area."""
    seat = player["seat"]
    hand = f"{seat_name(seat, viewer)}: hand {len(player['hand'])} of {player['hand_limit']}"
    piles = f"{hand}, deck {len(player['deck'])}, discards {len(player['discard'])}{waiting(player)}"
    body, hand_high = _cards(game, player["hand"], f"hand {seat}", (LEFT, 34))
    y = 34 + hand_high
    if player["in_play"]:
        x, top = _in_play(player, y, text_width(piles, SMALL))
        played, high = _cards(game, player["in_play"], f"played {seat}", (x, top + 22))
        body.append(
            box(PER_ROW * STEP_X + LEFT - x, 18, text(0, 12, "in play", SMALL, ACCENT, font_weight="bold"), x=x, y=top)
        )
        body += played
        y = max(y, top + 22 + high)
    choosing = decides(g, seat) and int(g.decision) == UPGRADE
    if choosing and player["discard"]:
        pile, high = _pile(game, player["discard"], seat, y + 2)
        body += [box(430, 18, text(0, 12, "discard pile", SMALL, QUIET), x=LEFT, y=y + 2), *pile]
        y += 24 + high
    height = max(y + 8, 44 + FIGURE * len(player["figures"]) + 22)
    star = "  ★ begins the round" if seat == found["starting_player"] else ""
    you = " (you)" if viewer == seat else ""
    name = hero_name(game, player["hero"]) if player["hero"] else seat_name(seat)
    count = len(player["figures"])
    figures = [box(356, FIGURE, _figure(game, g, player, k), x=14, y=42 + FIGURE * k) for k in range(count)]
    return group(
        seat_ground(g, seat, viewer, WIDTH, height, y=27, name=f"{name}{you}"),
        label(LEFT - 12, 26, star, 150, SMALL, QUIET, anchor="end"),
        *figures,
        box(430, 18, label(0, 12, piles, 430, SMALL, QUIET), x=LEFT, y=12),
        *body,
    ), height


def _in_play(player: dict[str, Any], y: float, said: float) -> Pair:
    """Where the cards in play begin: at the end of the hand's row, where that has room for them and for what stands
    over the hand, so wide; beneath the hand otherwise."""
    free = PER_ROW - len(set(player["in_play"]))
    if len(set(player["hand"])) <= free and said + 12 < free * STEP_X:
        return LEFT + free * STEP_X, 12
    return LEFT, y + 2


def _figure(game: Any, g: Any, player: dict[str, Any], k: int) -> str:
    """Emblem, health, rage track with what it brings, wards."""
    figure = player["figures"][k]
    name, left = figure["id"], max(figure["hp"] - figure["damage"], 0)
    data = figure_data(game.components, name)
    colour = HERO_COLOURS[name]
    entry = game.vocabulary["figure", name]
    parts = [title(f"{entry.name}: {entry.does}"), hero_token(name, 24, 25, 20, not figure["standing"])]
    said = f"{left}/{figure['hp']}" + ("" if figure["standing"] else ", knocked out")
    parts += [
        sign("heart", 52, 2, 19),
        rect(76, 6, 110, 11, "#e8ddd0", rx=5),
        rect(76, 6, 110 * left / figure["hp"], 11, colour, rx=5) if left else "",
        text(192, 17, said, BODY, font_weight="bold"),
    ]
    for ward in range(figure["wards"]):
        parts.append(sign("ward", 198 + text_width(said, BODY, True) + 20 * ward, 2, 19))
    most, rage = data["rage_max"], figure["rage"]
    pips = [rect(15 * n, 0, 12, 13, SIGNS["rage"] if n < rage else "#eadfd2", rx=3) for n in range(most)]
    full = rage >= most
    ability = f"{data['rage']['name']}: {hero_effects(data['rage']['effects'])}"
    needs = "ready" if full else f"needs {most - rage} more"
    track = [
        sign("rage", 0, 0, 19),
        group(*pips, x=24, y=4),
        text(30 + 15 * most, 15, f"{rage}/{most}", SMALL, SIGNS["rage"] if full else INK, font_weight="bold"),
        label(0, 32, needs, 62 + 15 * most, TINY, SIGNS["rage"] if full else QUIET, bold=full),
        paragraph(66 + 15 * most, 12, ability, 222 - 15 * most, 3, TINY, INK if full else QUIET),
    ]  # fmt: skip
    rage_place = place(f"rage {name}", 298, 53, group(*track, x=6, y=2), x=46, y=20, data_word=f"figure:{name}")
    return group(place(f"figure {name}", 44, 46, *parts, data_word=f"figure:{name}"), rage_place)


def in_rows(drawn: list[tuple[str, str]], each: int, size: Pair, step: Pair, at: Pair) -> tuple[list[str], float]:
    """Places by name in rows of so many, and the height of the rows."""
    parts = []
    for k, (name, card) in enumerate(drawn):
        x, y = at[0] + k % each * step[0], at[1] + k // each * step[1]
        parts.append(box(*size, place(name, *size, card), x=x, y=y, row=k == 0))
    return parts, -(-len(drawn) // each) * step[1]


def _cards(game: Any, names: list[str], where: str, at: Pair) -> tuple[list[str], float]:
    """Cards in rows, equal ones on each other, and their height."""
    if not names:
        return [box(200, 24, text(0, 16, "no cards in the hand", SMALL, QUIET), x=at[0], y=at[1])], 24
    drawn = [(f"{where} {name}", action_card(game, name, copies)) for name, copies in Counter(names).items()]
    return in_rows(drawn, PER_ROW, (CARD_WIDTH, CARD_HEIGHT), (STEP_X, STEP_Y), at)


def _pile(game: Any, names: list[str], seat: int, top: float) -> tuple[list[str], float]:
    """The discard pile in small, from which a card may be removed."""
    drawn = [(f"discard {seat} {name}", mini_card(game, name, copies)) for name, copies in Counter(names).items()]
    parts, high = in_rows(drawn, PILES_PER_ROW, (PILE_WIDTH, 21), (PILE_WIDTH + 5, 26), (LEFT, top + 20))
    return parts, high + 2


def companions(game: Any, g: Any, found: dict[str, Any]) -> str:
    """Solo: the two skills of each companion, each used once a scene in one of two ways."""
    said = text(0, 14, "Companions", BODY, font_weight="bold"), text(110, 14, "each skill once a scene", SMALL, QUIET)
    parts = [box(440, 18, *said)]
    step = (WIDTH + 10) / 4
    for k, skill in enumerate(game.components["solo"]["companions"]):
        used = skill["id"] in found["skills_used"]
        inner = [rect(0, 0, step - 10, 66, CARD, rx=8, stroke=LINE), hero_token(skill["owner"], 26, 33, 18)]
        for n, option in enumerate(skill["options"]):
            ground = rect(0, 0, step - 66, 27, "#f3ede0", rx=5)
            said = label(7, 18, skill_words(option), step - 80, SMALL)
            name = f"skill {skill['id']} {option['id']}"
            inner.append(
                place(name, step - 66, 27, ground, said, x=50, y=4 + 31 * n, rx=5, data_word=f"skill:{name[6:]}")
            )
        drawn = group(*inner, opacity=0.4 if used else None)
        parts.append(box(step - 10, 66, drawn, x=k * step, y=22, row=k == 0))
    return group(*parts)
