"""A position as a picture: mosaic, columns, hands, rage, tokens."""

from __future__ import annotations

from typing import Any

from theogony.envs.core.svg import FAINT, INK, circle, group, line, picture, polygon, rect, text, title
from theogony.envs.god_of_war import codes
from theogony.envs.god_of_war.components.pieces import COLUMNS
from theogony.envs.god_of_war.recordings.snapshot import card_id, intact_armour, snapshot
from theogony.envs.god_of_war.render.words import (
    LETTERS,
    Seat,
    attack_text,
    card_text,
    headline,
    hero_name,
    owner_of,
    present_slots,
    seat_name,
    side_data,
    waiting,
)

RUNE_COLOURS = {"gebo": "#b0413e", "fehu": "#2f6690", "tiwaz": "#4a7c59", "algiz": "#c08a1e"}
HERO_COLOURS = {
    "kratos": "#8c2f2b",
    "atreus": "#3f6f8f",
    "mimir": "#6a5a8c",
    "freya": "#3f7d58",
    "brok": "#4f6d8a",
    "sindri": "#a8842c",
}
CARD_W, CARD_H, GAP = 200, 116, 10
SNOW, PARCHMENT, BLOOD = "#ffffff", "#efe3cf", "#c0392b"


def render_svg(game: Any, g: Any, seat: Seat) -> str:
    """The position as a picture: the mosaic with side cards, the columns below, then every player."""
    found = snapshot(game, g)
    board = COLUMNS * (CARD_W + GAP)
    width = board + CARD_W + 5 * GAP
    top, columns = 52.0, 52.0 + 2 * (CARD_H + GAP)
    players = columns + 78
    words = headline(game, g, found)
    parts = [text(2 * GAP, 33, words, 16 if len(words) < 100 else 12, font_weight="bold")]
    for slot in present_slots(game, g):
        row, column = divmod(slot, COLUMNS)
        x, y = (2 * GAP + column * (CARD_W + GAP), top + row * (CARD_H + GAP))
        if row == 2:
            x, y = (2 * GAP + board + GAP, top + column * (CARD_H + GAP))
        parts.append(group(*_card(game, g, slot), x=x, y=y))
    for number, column_figures in enumerate(found["columns"]):
        parts.append(group(*_column(column_figures, found), x=2 * GAP + number * (CARD_W + GAP), y=columns))
    parts.append(group(*_upgrades(found), x=2 * GAP + board + GAP, y=columns))
    for k, player in enumerate(found["players"]):
        parts.append(group(*_player(player, found, width - 4 * GAP), x=2 * GAP, y=players + k * 92))
    height = players + len(found["players"]) * 92 + GAP
    return picture(width, height, *parts)


def _card(game: Any, g: Any, slot: int) -> list[str]:
    side, owner = side_data(game, g, slot), owner_of(game, g, slot)
    back = bool(g.side[slot])
    parts = [
        title(card_text(game, g, slot)),
        rect(0, 0, CARD_W, CARD_H, "#f3d9d2" if back else SNOW, stroke=INK, stroke_width=1, rx=6),
        text(8, 17, side["name"], 11 if len(side["name"]) <= 24 else 9, font_weight="bold"),
        text(8, CARD_H - 7, card_id(int(g.scenario), slot), 9, FAINT),
    ]
    if owner == codes.NONE:
        parts.append(text(8, 34, "defeated" if g.dead[slot] else "", 10, BLOOD))
    elif owner == slot:
        parts += _enemy(game, g, slot, side["enemy"])
    else:
        parts.append(text(8, 34, f"part of {card_id(int(g.scenario), owner)}", 10, FAINT))
    y = 58
    for attack in side["enemy"]["attacks"] if side["enemy"] and owner != codes.NONE else []:
        parts += [_rune(15, y - 4, attack["rune"]), text(28, y, attack_text(attack), 10)]
        y += 18
    for entry in side["triggers"]:
        if entry["when"].startswith("rune:"):
            words = ", ".join(effect["op"].replace("_", " ") for effect in entry["do"])
            parts += [_rune(15, y - 4, entry["when"][5:], True), text(28, y, words, 9)]
            y += 18
    for entry in side["interactions"]:
        parts.append(text(8, y, f"{entry['label']} ({'+'.join(entry['cost'])})", 9, "#2f6690"))
        y += 14
    if side["tokens"]:
        parts += [circle(CARD_W - 18, CARD_H - 18, 11, "#e0b84c", stroke=INK)]
        parts.append(text(CARD_W - 18, CARD_H - 14, int(g.tokens[slot]), 11, text_anchor="middle"))
    return parts


def _enemy(game: Any, g: Any, slot: int, enemy: dict[str, Any]) -> list[str]:
    t = game.tables[0]
    health = int(t.enemy_hp[int(g.scenario), slot, int(g.side[slot])])
    left = max(health - int(g.hurt[slot]), 0)
    parts = [
        text(8, 32, enemy["name"], 10),
        rect(8, 37, 110, 7, "#e8ddd0", rx=3),
        rect(8, 37, 110 * left / health, 7, BLOOD, rx=3),
        text(122, 44, f"{left}/{health}", 10, BLOOD, font_weight="bold"),
    ]
    for k, value in enumerate(intact_armour(t, g, slot)):
        x = 162 + 13 * k
        shield = [(x - 6, 34.0), (x + 6, 34.0), (x + 6, 41.0), (x, 48.0), (x - 6, 41.0)]
        parts += [polygon(shield, "#8d99a6", stroke=INK), text(x, 43, value, 9, SNOW, text_anchor="middle")]
    if g.stunned[slot]:
        parts.append(text(CARD_W - 10, 30, "stunned", 9, "#6a5a8c", text_anchor="end"))
    return parts


def _rune(x: float, y: float, rune: str, boxed: bool = False) -> str:
    frame = rect(x - 8, y - 8, 16, 16, "none", stroke=INK) if boxed else ""
    return group(
        circle(x, y, 7, RUNE_COLOURS[rune]),
        text(x, y + 3.5, LETTERS[rune], 9, SNOW, text_anchor="middle", font_weight="bold"),
        *([frame] if frame else []),
    )


def _column(figures: list[str], found: dict[str, Any]) -> list[str]:
    parts = [rect(0, 0, CARD_W, 62, PARCHMENT, stroke=FAINT, rx=6), line(8, 31, CARD_W - 8, 31, FAINT)]
    for k, name in enumerate(("front", "back")):
        parts.append(text(CARD_W - 8, 20 + 31 * k, name, 9, FAINT, text_anchor="end"))
    for k, figure in enumerate(figures):
        parts += [circle(20, 16 + 31 * k, 11, HERO_COLOURS[figure])]
        parts.append(text(20, 20 + 31 * k, hero_name(figure)[0], 12, SNOW, text_anchor="middle", font_weight="bold"))
        carried = " with Mimir" if found["mimir_bearer"] == figure else ""
        parts.append(text(38, 20 + 31 * k, hero_name(figure) + carried, 12))
    return parts


def _upgrades(found: dict[str, Any]) -> list[str]:
    parts = [
        text(0, 14, f"upgrade deck {len(found['upgrade_deck'])}, revealed:{'' if found['revealed'] else ' none'}", 10)
    ]
    for k, card in enumerate(found["revealed"][:6]):
        name, rune = card.split(":")
        x, y = 66 * (k % 3), 20 + 21 * (k // 3)
        parts += [
            rect(x, y, 60, 18, SNOW, stroke=FAINT, rx=3),
            _rune(x + 11, y + 9, rune),
            text(x + 24, y + 13, name, 10),
        ]
    return parts


def _player(player: dict[str, Any], found: dict[str, Any], width: float) -> list[str]:
    acting = found["pending"] is not None and found["pending"]["seat"] == player["seat"]
    parts = [rect(0, 0, width, 84, SNOW, stroke=INK if acting else FAINT, stroke_width=2 if acting else 1, rx=6)]
    star = " *" if player["seat"] == found["starting_player"] else ""
    parts.append(
        text(
            10,
            19,
            seat_name(player) + star,
            13,
            font_weight="bold",
        )
    )
    bonus = waiting(player)
    piles = f"deck {len(player['deck'])}, discard {len(player['discard'])}, limit {player['hand_limit']}{bonus}"
    parts.append(text(10, 76, piles, 9, FAINT))
    for k, figure in enumerate(player["figures"]):
        parts.append(group(*_health(figure), x=10, y=26 + 20 * k))
    parts.append(group(*_hand(player["hand"], SNOW, INK), x=320, y=8))
    if not player["hand"]:
        parts.append(text(320, 21, "no cards in the hand", 9, FAINT))
    if player["in_play"]:
        parts.append(text(320, 68, "in play:", 9, FAINT))
        parts.append(group(*_hand(player["in_play"], PARCHMENT, BLOOD), x=370, y=55))
    return parts


def _health(figure: dict[str, Any]) -> list[str]:
    left = max(figure["hp"] - figure["damage"], 0)
    parts = [
        rect(0, 0, 120, 12, "#e8ddd0", rx=3),
        rect(0, 0, 120 * left / figure["hp"], 12, HERO_COLOURS[figure["id"]], rx=3),
        text(126, 10, f"{left}/{figure['hp']}" + ("" if figure["standing"] else " out"), 10),
        text(180, 10, f"rage {figure['rage']}", 10, BLOOD),
    ]
    if figure["wards"]:
        parts.append(text(230, 10, f"{figure['wards']} ward" + "s" * (figure["wards"] > 1), 10, "#3f7d58"))
    return parts


def _hand(cards: list[str], fill: str, stroke: str) -> list[str]:
    parts = []
    for k, card in enumerate(cards[:20]):
        x, y = 70 * (k % 10), 22 * (k // 10)
        parts += [
            rect(x, y, 66, 19, fill, stroke=stroke, stroke_width=0.7, rx=3),
            text(x + 33, y + 13, card, 10, text_anchor="middle"),
        ]
    return parts
