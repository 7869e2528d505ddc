"""The scene: its cards with enemies, attacks, boxes, flips and interactions, and the columns where heroes stand."""

from __future__ import annotations

from typing import Any

from theogony.envs.core.draw.icons import icon
from theogony.envs.core.draw.larger import BODY, SMALL, TINY, label, text_width, wrapped
from theogony.envs.core.draw.places import place
from theogony.envs.core.draw.style import ACCENT, LINE, QUIET
from theogony.envs.core.draw.svg import FAINT, INK, circle, group, line, rect, text, title
from theogony.envs.god_of_war import codes
from theogony.envs.god_of_war.components.pieces import FIGURES
from theogony.envs.god_of_war.render.cards import enemy_token, hero_token, rune, sign
from theogony.envs.god_of_war.render.words import attack_strengths, card_text, hero_name, owner_of, side_data
from theogony.envs.god_of_war.snapshot import card_id, intact_armour
from theogony.envs.god_of_war.vocabulary.effects import SceneWords, slot_name
from theogony.envs.god_of_war.vocabulary.scenes import moment

WIDTH, GAP = 211, 11  # of a scene card, and between cards
LEAST = 118  # height of a card
STEP = WIDTH + GAP
STAND = 46  # height of a slot for a hero
ROW = 14  # of a line of words on a card
BAR = 64  # width of a bar of health
TURN = {-1: 38, 0: 0, 1: -38}  # degrees of the arrows of a melee attack


def height_of(game: Any, g: Any, slots: list[int], words: SceneWords) -> float:
    """The height that the longest card needs; all get it."""
    sides = [(slot, side_data(game, g, slot), owner_of(game, g, slot)) for slot in slots]
    heads = [_head(game, g, *side)[1] for side in sides]
    lines = [sum(height for _, height in _lines(game, g, *side, words)) for side in sides]
    return max([LEAST, *(66 + head + high for head, high in zip(heads, lines, strict=True))])


def scene_card(game: Any, g: Any, slot: int, words: SceneWords, high: float) -> str:
    """One card of the scene, its visible side."""
    side, owner = side_data(game, g, slot), owner_of(game, g, slot)
    ground = "#f8e4dc" if g.side[slot] else "#fffdf8"
    attacked = int(g.enemy_slot) == slot and g.enemy_strength > 0 and not g.over
    parts = [title(card_text(game, g, slot)), rect(0, 0, WIDTH, high, ground, rx=9, stroke=INK, stroke_width=1.2)]
    if attacked:
        parts.append(rect(3, 3, WIDTH - 6, high - 6, rx=7, stroke=ACCENT, stroke_width=3))
    head, more = _head(game, g, slot, side, owner)
    parts.append(group(*head))
    y = 72.0 + more
    for line_of, height in _lines(game, g, slot, side, owner, words):
        parts.append(group(line_of, y=y))
        y += height
    if side["tokens"]:
        parts.append(_tokens(int(g.tokens[slot]), int(side["tokens"]["max"])))
    word, now = f"scene card:{card_id(int(g.scenario), slot)}", card_text(game, g, slot)
    return place(f"scene {slot_name(slot)}", WIDTH, high, *parts, rx=9, data_word=word, data_now=now)


def _head(game: Any, g: Any, slot: int, side: dict[str, Any], owner: int) -> tuple[list[str], float]:
    """Names, emblem, health, armour and what ails the enemy; and how much higher long names make it."""
    enemy = side["enemy"] or {}
    room = WIDTH - 52 - (44 if side["tokens"] else 0)
    if owner == codes.NONE:
        return _names(12, room + 34, side["name"], "defeated" if g.dead[slot] else "no enemy")
    if owner != slot:
        body = side_data(game, g, owner)["enemy"]["name"].partition(",")[0]
        said, more = _names(48, room, side["name"], f"part of {body}")
        return [enemy_token(body, 24, 25, 16), *said], more
    name = enemy.get("name", "")
    said, more = _names(48, room, name, side["name"].partition(" (")[0])
    return [enemy_token(name, 24, 25, 16), *said, group(*_health(game, g, slot), y=more)], more


def _names(x: float, room: float, name: str, under: str) -> tuple[list[str], float]:
    """A name and what stands under it, in as many lines as they need; and how much higher than two lines they are."""
    names = [name] if text_width(name, TINY, True) <= room else wrapped(name, room, TINY, True)
    beneath = wrapped(under, room, TINY)
    y = 22.0 if len(names) == 1 else 17.0
    size = BODY if len(names) == 1 else TINY
    parts = [label(x, y + 15 * k, row, room, size, bold=True) for k, row in enumerate(names)]
    y += 15 * (len(names) - 1) + 16
    parts += [label(x, y + ROW * k, row, room, TINY, QUIET) for k, row in enumerate(beneath)]
    return parts, max(y + ROW * (len(beneath) - 1) - 38, 0)


def _health(game: Any, g: Any, slot: int) -> list[str]:
    t = game.tables[0]
    whole = int(t.enemy_hp[int(g.scenario), slot, int(g.side[slot])])
    left = max(whole - int(g.hurt[slot]), 0)
    parts = [
        sign("heart", 12, 47, 13),
        rect(30, 49, BAR, 9, "#e8ddd0", rx=4),
        rect(30, 49, BAR * left / whole, 9, ACCENT, rx=4) if left else "",
        text(32 + BAR, 58, f"{left}/{whole}", SMALL, font_weight="bold"),
    ]
    x = 36.0 + BAR + text_width(f"{left}/{whole}", SMALL, True) + 2
    for value in intact_armour(t, g, slot):
        parts.append(sign("block", x, 44, 19))
        parts.append(text(x + 9.5, 58, value, TINY, "#fff", text_anchor="middle", font_weight="bold"))
        x += 20
    if t.invulnerable[int(g.scenario), slot, int(g.side[slot])]:
        parts.append(group(title("invulnerable"), icon("ward", x, 44, 18, QUIET)))
        x += 20
    if g.stunned[slot]:
        parts.append(group(title("stunned"), sign("stun", x, 44, 18)))
    return parts


def _tokens(count: int, most: int) -> str:
    """The token area of a card."""
    x = WIDTH - 26
    return group(
        title(f"{count} tokens of {most}"),
        circle(x, 24, 17, "#e9c46a", stroke=INK),
        text(x, 29, f"{count}/{most}", SMALL, text_anchor="middle", font_weight="bold"),
    )


def _lines(
    game: Any, g: Any, slot: int, side: dict[str, Any], owner: int, words: SceneWords
) -> list[tuple[str, float]]:
    """What a card does, from top to bottom, each with its height."""
    found: list[tuple[str, float]] = []
    if side["enemy"] and owner != codes.NONE:
        strengths = attack_strengths(game, g, slot)
        pairs = zip(side["enemy"]["attacks"], strengths, strict=True)
        found += [(_attack(attack, strength, bool(g.skipping[slot])), 21) for attack, strength in pairs]
    for box in side["triggers"]:
        when, _, of = box["when"].partition(":")
        asked = f"if {' and '.join(words.predicate(p) for p in box['if'])}: " if box["if"] else ""
        said = asked + words.effects(box["do"])
        if when == "rune":
            found.append(_said(said, rune(of, 20, 0, 8, True)))
        else:
            found.append(_said(f"{moment(box['when'])}: {said}", ""))
    for flip in side["flip"]:
        when, _, of = flip["when"].partition(":")
        mark = rune(of, 20, 0, 8, True) if when == "rune" else icon("turn", 13, -7, 14, QUIET)
        found.append(_said(words.flip(flip), mark))
    for k, entry in enumerate(side["interactions"]):
        found.append(_interaction(slot, k + 1, entry, words))
    return found


def _attack(attack: dict[str, Any], strength: str, skipped: bool) -> str:
    """Rune, kind, strength, which columns it hits, and the card that comes with damage."""
    parts = [rune(attack["rune"], 20, 0, 9), sign(attack["type"], 36, -8, 16)]
    parts.append(text(56, 5, strength, BODY, font_weight="bold"))
    x = 60 + text_width(strength, BODY, True)
    for offset in sorted(attack["dirs"]):
        parts.append(group(icon("arrow", -8, -8, 16, INK), x=x + 9 + 15 * (offset + 1), turn=TURN[offset]))
    x += 52 if attack["dirs"] else 4
    said = "farthest column" if attack["type"] == "ranged" else ""
    if attack["effect"]:
        parts.append(sign(attack["effect"], x, -8, 15))
        said = attack["effect"]
        x += 17
    parts.append(label(x, 4, said, WIDTH - x - 4, TINY, QUIET))
    return group(*parts, opacity=0.4 if skipped else None)


def _said(said: str, mark: str) -> tuple[str, float]:
    """Words beside a mark, in as many lines as they need."""
    rows = wrapped(said, WIDTH - 46, TINY)
    lines = [label(36, 4 + ROW * k, row, WIDTH - 44, TINY) for k, row in enumerate(rows)]
    return group(mark, *lines), 7 + ROW * len(rows)


def _interaction(slot: int, k: int, entry: dict[str, Any], words: SceneWords) -> tuple[str, float]:
    """An interaction: its name, what it costs, when it may be used and what it does."""
    asked = f"if {', '.join(words.predicate(p) for p in entry['if'])}: " if entry["if"] else ""
    rows = wrapped(asked + words.effects(entry["do"]), WIDTH - 30, TINY)
    cost = entry["cost"]
    left = WIDTH - 22 - 17 * len(cost)
    names = wrapped(entry["label"], left - 16, TINY, True)
    down = 14 + (ROW - 0.5) * len(names)  # the first line of what it does
    high = down - 7.5 + (ROW - 0.5) * len(rows)
    parts = [
        rect(0, 0, WIDTH - 14, high, "#e4eef3", rx=5, stroke="#8fb3c4"),
        *(label(7, 14 + (ROW - 0.5) * n, row, left - 16, TINY, bold=True) for n, row in enumerate(names)),
    ]
    parts += [sign(item, left + 17 * n - 2, 2.5, 14) for n, item in enumerate(cost)]
    parts += [label(7, down + (ROW - 0.5) * n, row, WIDTH - 26, TINY) for n, row in enumerate(rows)]
    tip = title(f"costs {' + '.join(cost)}")
    drawn = place(f"interaction {slot_name(slot)} {k}", WIDTH - 14, high, tip, *parts, x=7, y=-10, rx=5)
    return drawn, high + 4


# ---------------------------------------------------------------------------------------------------- columns


def column(game: Any, g: Any, k: int) -> str:
    """Under a column of the scene the slots in front and behind, with who stands there."""
    parts = [rect(0, 0, WIDTH, 2 * STAND, "#efe3cf", rx=9, stroke=FAINT), line(10, STAND, WIDTH - 10, STAND, LINE)]
    for depth, name in enumerate(("front", "back")):
        figure = int(g.columns[k, depth])
        y = STAND / 2
        drawn = [label(WIDTH - 10, y + 4, name, 44, TINY, QUIET, anchor="end")]
        word = None if figure == codes.NONE else f"figure:{FIGURES[figure]}"
        if figure != codes.NONE:
            drawn.append(group(*_figure(game, g, figure, y), data_piece=f"figure {figure}"))
        parts.append(place(f"stand {k + 1} {name}", WIDTH, STAND, *drawn, y=depth * STAND, data_word=word))
    return place(f"column {k + 1}", WIDTH, 2 * STAND, *parts, rx=9)


def _figure(game: Any, g: Any, figure: int, y: float) -> list[str]:
    """A hero in a slot: emblem, name, health; Mimir on his bearer."""
    name = FIGURES[figure]
    left = max(int(game.tables[0].hp[figure]) - int(g.damage[figure]), 0)
    attacked = int(g.attacked) == figure and g.enemy_strength > 0 and not g.over
    drawn = [hero_token(name, 26, y, 16, not g.standing[figure])]
    if attacked:
        drawn.append(circle(26, y, 20.5, stroke=ACCENT, stroke_width=3))
    drawn.append(label(52, y - 1, hero_name(game, name), 82, BODY, bold=True))
    drawn += [sign("heart", 52, y + 4, 12), text(67, y + 14, left, SMALL)]
    for ward in range(int(g.wards[figure])):
        drawn.append(sign("ward", 88 + 16 * ward, y + 3, 14))
    if int(g.bearer) == figure:
        drawn += [hero_token("mimir", WIDTH - 62, y, 13), title("carries Mimir")]
    return drawn
