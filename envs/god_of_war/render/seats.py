"""The players: figures with health and rage, hand, cards in play, piles."""

from __future__ import annotations

from typing import Any

from theogony.envs.core.draw.larger import BODY, SMALL, TINY, WIDTH, label, paragraph, text_width
from theogony.envs.core.draw.people import seat_name
from theogony.envs.core.draw.places import place
from theogony.envs.core.draw.style import ACCENT, CARD, LINE, QUIET, box, decides, seat_ground
from theogony.envs.core.draw.svg import INK, group, rect, text, title
from theogony.envs.god_of_war.render import cards
from theogony.envs.god_of_war.render.cards import action_card, hero_token, mini_card, sign
from theogony.envs.god_of_war.render.words import hero_of, waiting
from theogony.envs.god_of_war.state import UPGRADE
from theogony.envs.god_of_war.vocabulary.cards import skill_words
from theogony.envs.god_of_war.vocabulary.effects import hero_effects

LEFT = 364  # where the hand begins
PER_ROW, PILES_PER_ROW = 6, 3
STEP_X, STEP_Y = cards.WIDTH + 9, cards.HEIGHT + 10
FIGURE = 68  # height of a figure's lines


def seat_area(
    game: Any, g: Any, player: dict[str, Any], found: dict[str, Any], viewer: int | str | None
) -> tuple[str, float]:
    """One player and the height of the area."""
    seat = player["seat"]
    body, hand_high = _cards(game, player["hand"], f"hand {seat}", 34)
    y = 34 + hand_high
    if player["in_play"]:
        played, high = _cards(game, player["in_play"], f"played {seat}", y + 24)
        body.append(box(440, 18, text(0, 12, "in play", SMALL, ACCENT, font_weight="bold"), x=LEFT, y=y + 2))
        body += played
        y += 24 + high
    choosing = decides(g, seat) and int(g.decision) == UPGRADE
    if choosing and player["discard"]:
        pile, high = _pile(game, player["discard"], seat)
        body.append(box(440, high + 20, text(0, 12, "discard pile", SMALL, QUIET), pile, x=LEFT, y=y + 2))
        y += 24 + high
    height = max(y + 8, 44 + FIGURE * len(player["figures"]) + 22)
    star = "  ★ begins the round" if seat == found["starting_player"] else ""
    you = " (you)" if viewer == seat else ""
    name = hero_of(game, player)
    name = name if player["hero"] else name.capitalize()
    count = len(player["figures"])
    figures = [box(356, FIGURE, _figure(game, g, player, k), x=14, y=42 + FIGURE * k) for k in range(count)]
    return group(
        seat_ground(g, seat, viewer, WIDTH, height, y=27, name=f"{name}{you}"),
        label(LEFT - 12, 26, star, 150, SMALL, QUIET, anchor="end"),
        *figures,
        box(440, 18, label(0, 12, _piles(player, viewer), WIDTH - LEFT - 20, SMALL, QUIET), x=LEFT, y=12),
        *body,
    ), height


def _piles(player: dict[str, Any], viewer: int | str | None) -> str:
    hand = f"{seat_name(player['seat'], viewer)}: {len(player['hand'])} of at most {player['hand_limit']} cards in hand"
    return f"{hand}, deck {len(player['deck'])}, discard pile {len(player['discard'])}{waiting(player)}"


def _figure(game: Any, g: Any, player: dict[str, Any], k: int) -> str:
    """Emblem, health, rage track with what it brings, wards."""
    figure = player["figures"][k]
    name, left = figure["id"], max(figure["hp"] - figure["damage"], 0)
    data = next(f for h in game.components["heroes"] for f in h["figures"] if f["id"] == name)
    colour = cards.HERO_COLOURS[name]
    entry = game.vocabulary["figure", name]
    parts = [title(f"{entry.name}: {entry.does}"), hero_token(name, 24, 25, 20, not figure["standing"])]
    said = f"{left}/{figure['hp']}" + ("" if figure["standing"] else ", knocked out")
    parts += [
        sign("heart", 54, 4, 15),
        rect(74, 7, 110, 10, "#e8ddd0", rx=5),
        rect(74, 7, 110 * left / figure["hp"], 10, colour, rx=5) if left else "",
        text(190, 17, said, SMALL, font_weight="bold"),
    ]
    for ward in range(figure["wards"]):
        parts.append(sign("ward", 196 + text_width(said, SMALL, True) + 18 * ward, 3, 17))
    most, rage = data["rage_max"], figure["rage"]
    pips = [rect(15 * n, 0, 12, 13, cards.SIGNS["rage"] if n < rage else "#eadfd2", rx=3) for n in range(most)]
    full = rage >= most
    ability = f"{data['rage']['name']}: {hero_effects(data['rage']['effects'])}"
    track = [
        sign("rage", 0, 3, 15),
        group(*pips, x=20, y=4),
        text(26 + 15 * most, 15, f"{rage}/{most}", SMALL, cards.SIGNS["rage"] if full else INK, font_weight="bold"),
        paragraph(66 + 15 * most, 10, ability,
                  278 - 15 * most - 44, 3, TINY, INK if full else QUIET),
    ]  # fmt: skip
    rage_place = place(f"rage {name}", 300, 44, *track, x=52, y=21, data_word=f"figure:{name}")
    return group(place(f"figure {name}", 44, 46, *parts, data_word=f"figure:{name}"), rage_place)


def _counted(names: list[str]) -> list[tuple[str, int]]:
    return [(name, names.count(name)) for name in dict.fromkeys(names)]


def _cards(game: Any, names: list[str], where: str, top: float) -> tuple[list[str], float]:
    """Cards in rows, equal ones on each other, and their height."""
    if not names:
        return [box(200, 24, text(0, 16, "no cards in the hand", SMALL, QUIET), x=LEFT, y=top)], 24
    parts = []
    for k, (name, copies) in enumerate(_counted(names)):
        x, y = k % PER_ROW * STEP_X, k // PER_ROW * STEP_Y
        card = place(f"{where} {name}", cards.WIDTH, cards.HEIGHT, action_card(game, name, copies))
        parts.append(box(cards.WIDTH, cards.HEIGHT, card, x=LEFT + x, y=top + y, row=k == 0))
    rows = -(-len(_counted(names)) // PER_ROW)
    return parts, rows * STEP_Y


def _pile(game: Any, names: list[str], seat: int) -> tuple[str, float]:
    """The discard pile in small, from which a card may be removed."""
    parts = []
    for k, (name, copies) in enumerate(_counted(names)):
        x, y = k % PILES_PER_ROW * (cards.PILE_WIDTH + 5), 20 + k // PILES_PER_ROW * 26
        parts.append(place(f"discard {seat} {name}", cards.PILE_WIDTH, 21, mini_card(game, name, copies), x=x, y=y))
    return group(*parts), 26 * -(-len(_counted(names)) // PILES_PER_ROW) + 2


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
