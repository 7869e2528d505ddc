"""Action cards, runes and emblems as pictures."""

from __future__ import annotations

from typing import Any

from theogony.envs.core.draw.icons import icon
from theogony.envs.core.draw.larger import BODY, SMALL, TINY, label, paragraph, text_width, wrapped
from theogony.envs.core.draw.style import LINE, QUIET, back
from theogony.envs.core.draw.svg import INK, circle, element, group, rect, text, title
from theogony.envs.god_of_war.vocabulary.cards import option_words
from theogony.envs.god_of_war.vocabulary.effects import rune_name

RUNE_COLOURS = {"gebo": "#b0413e", "fehu": "#0072b2", "tiwaz": "#00795c", "algiz": "#a8730a"}
RUNE_SHAPES = {
    "gebo": "M-4 -5 L4 5 M4 -5 L-4 5",
    "fehu": "M-2 6 V-6 M-2 -1.5 L4 -5 M-2 2.5 L4 -1",
    "tiwaz": "M0 6 V-6 M-4.5 -2 L0 -6 L4.5 -2",
    "algiz": "M0 6 V-6 M0 0 L-4.5 -5.5 M0 0 L4.5 -5.5",
}
HERO_COLOURS = {
    "kratos": "#8c2f2b", "atreus": "#2f6f9f", "mimir": "#6a4f9c", "freya": "#2f7d52", "brok": "#466480",
    "sindri": "#95741c",
}  # fmt: skip
SIGNS = {"melee": "#9a2d20", "ranged": "#1f6a9a", "block": "#51606e", "number": "#3b3630", "stun": "#957000",
         "poison": "#4b7f2a", "crystal": "#2a8fa0", "rage": "#c8500a", "heart": "#b3261e",
         "ward": "#2f7d52"}  # fmt: skip
ENEMIES = (  # emblem by a word in the name; the first that fits
    ("hraezlyr", "dragon"), ("sigrun", "wings"), ("gunnr", "wings"), ("hildr", "wings"), ("kara", "wings"),
    ("olrun", "wings"), ("hive", "hive"), ("hand", "hand"), ("elf", "elf"), ("svartal", "elf"), ("ogre", "horns"),
    ("troll", "horns"), ("grendel", "horns"), ("ancient", "horns"), ("mattugr", "horns"), ("magni", "sindri"),
    ("modi", "block"), ("baldur", "blaze"), ("revenant", "hood"), ("wanderer", "hood"), ("ambusher", "hood"),
    ("champion", "hood"), ("", "skull"),
)  # fmt: skip
WIDTH, HEIGHT = 113, 98  # of an action card
PILE_WIDTH = 230  # of a card of a pile


def sign(name: str, x: float, y: float, size: float = 14) -> str:
    """The icon of a symbol or state."""
    return icon(name, x, y, size, SIGNS[name])


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


def hero_token(figure: str, x: float, y: float, radius: float, faded: bool = False) -> str:
    """A hero's emblem on a disc."""
    size = radius * 1.25
    disc = circle(x, y, radius, HERO_COLOURS[figure], stroke="#fff", stroke_width=2)
    drawn = icon(figure, x - size / 2, y - size / 2, size, "#fff")
    return group(circle(x, y, radius + 1.6, INK), disc, drawn, opacity=0.35 if faded else None)


def enemy_token(name: str, x: float, y: float, radius: float) -> str:
    """An enemy's emblem on a dark disc."""
    found = next(emblem for word, emblem in ENEMIES if word in name.lower())
    size = radius * 1.3
    return circle(x, y, radius, "#3a3033") + icon(found, x - size / 2, y - size / 2, size, "#f3e3c3")


def action_card(game: Any, design: str, copies: int = 1, rune_of: str | None = None) -> str:
    """A card with its options: symbol, number, what is special; how many of them there are."""
    card = game.components["action_cards"].get(design)
    entry = game.vocabulary["card", design]
    body = [title(f"{entry.name}: {entry.does}"), rect(0, 0, WIDTH, HEIGHT, "#fffdf8", rx=7, stroke=INK)]
    if card is None:
        body += _status_card(game, design)
    elif any(option["special"] for option in card["options"]):
        name, y = _name(card["name"], marked=copies > 1 or rune_of is not None)
        head = y - 6 + 13 * len(name)
        body.append(rect(0, 0, WIDTH, head, "#efe2f4", rx=7, stroke=INK))
        body += [label(3, y + 13 * k, row, WIDTH - 4, TINY, bold=True) for k, row in enumerate(name)]
        said = "; or ".join(option_words(option) for option in card["options"])
        body.append(paragraph(7, head + 14, said[:1].upper() + said[1:], WIDTH - 12, 4, TINY))
    else:
        options = card["options"]
        for k, option in enumerate(options):
            body.append(group(_option(option, len(options) == 1), y=(HEIGHT / 2 if len(options) == 1 else 27 + 46 * k)))
        if len(options) > 1:
            body.append(text(WIDTH / 2, HEIGHT / 2 + 3, "or", TINY, QUIET, text_anchor="middle"))
    if copies > 1:
        body.append(rect(WIDTH - 34, 3, 31, 19, INK, rx=9))
        body.append(text(WIDTH - 18.5, 17, f"×{copies}", SMALL, "#fff", text_anchor="middle", font_weight="bold"))
    if rune_of:
        body.append(rune(rune_of, WIDTH - 12, 12, 9))
    return group(*body, data_word=f"upgrade card:{design}:{rune_of}" if rune_of else f"card:{design}")


def _name(name: str, marked: bool) -> tuple[list[str], float]:
    """The lines of a card's name and the first baseline: beside the mark in the corner, or beneath it where a word is
    too long for that."""
    lines = wrapped(name, WIDTH - (34 if marked else 12), TINY, True)
    beneath = marked and any(text_width(row, TINY, True) > WIDTH - 30 for row in lines)
    return lines, 31 if beneath else 15


def _option(option: dict[str, Any], named: bool) -> str:
    """Symbol and number around the middle of a card, with what else it does."""
    symbol = (option["symbols"] or [""])[0]
    number = f"+{option['number']}" if option["number"] else ""
    width = (25 if symbol else 0) + text_width(number, 20, True) + (20 if option["stun"] else 0)
    x, parts = WIDTH / 2 - width / 2, []
    if symbol:
        parts.append(sign(symbol, x, -14, 23))
        x += 25
    if number:
        parts.append(text(x, 5, number, 20, font_weight="bold"))
        x += text_width(number, 20, True)
    if option["stun"]:
        parts.append(sign("stun", x + 3, -12, 18))
    words = symbol if named else ""
    if option["rage"] > 1:
        words += f", {option['rage']} rage"
    return group(*parts, label(WIDTH / 2, 17, words, WIDTH - 10, TINY, QUIET, anchor="middle") if words else "")


def _status_card(game: Any, kind: str) -> list[str]:
    entry = game.vocabulary["card", kind]
    name = label(WIDTH / 2, 18, entry.name, WIDTH - 12, BODY, bold=True, anchor="middle")
    return [name, sign(kind, 8, 5, 17), paragraph(8, 38, entry.does, WIDTH - 14, 5, TINY)]


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
    return back(WIDTH, HEIGHT) + icon("ward", WIDTH / 2 - 15, HEIGHT / 2 - 15, 30, "#cbbfae")
