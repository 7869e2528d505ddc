"""The scene: its cards with enemies, attacks, boxes, flips and interactions, and the columns where heroes stand."""

from __future__ import annotations

from functools import cache
from typing import Any

from theogony.envs.core.draw.landscapes import landscape
from theogony.envs.core.draw.larger import BODY, SMALL, TINY, label, paragraph, text_width, wrapped
from theogony.envs.core.draw.places import place
from theogony.envs.core.draw.style import ACCENT, CARD, LINE, QUIET, box, icon
from theogony.envs.core.draw.svg import FAINT, INK, circle, group, line, rect, text, title
from theogony.envs.god_of_war import codes
from theogony.envs.god_of_war.actions import PLACES
from theogony.envs.god_of_war.components.pieces import FIGURES
from theogony.envs.god_of_war.components.tables import upgrade_types
from theogony.envs.god_of_war.render import seats
from theogony.envs.god_of_war.render.portraits import enemy_figure, enemy_token
from theogony.envs.god_of_war.render.seats import action_card, hero_token, rune, sign
from theogony.envs.god_of_war.render.words import Scene, attacker_and_target, hero_name
from theogony.envs.god_of_war.snapshot import card_id
from theogony.envs.god_of_war.state import BOSSES_FROM, SCENES
from theogony.envs.god_of_war.vocabulary import effects

WIDTH, GAP = 211, 11  # of a scene card, and between cards
LEAST = 118  # height of a card
STEP = WIDTH + GAP
HEAD = 19  # height of the number of a column
STAND = 46  # height of a slot for a hero
ROW = 14  # of a line of words on a card
BAR = 64  # width of a bar of health
STRONG = 17  # the size of the strength of an attack
LANDS = (  # of the scenes, in the order of the components
    "forest", "mountains", "meadow", "swamp", "wasteland", "mountains", "forest", "mountains", "mountains", "desert",
)  # fmt: skip
WORDS_OF_LANDS = {
    "wasteland": ("fire", "ash", "cinder", "charred", "burning", "rubble", "broken", "fist"),
    "mountains": ("ice", "ici", "snow", "frost", "frozen", "avalanche", "ridge", "cliff", "ledge", "storm"),
    "lakes": ("bridge", "span", "prow", "stream", "well", "lake"),
    "swamp": ("mud", "hive", "tunnel"),
    "forest": ("pine", "bough", "trail", "camp"),
}
TINTS = {
    "forest": "#4c8a57", "mountains": "#7f9cc9", "meadow": "#a5bd4a", "swamp": "#6a7f6a", "wasteland": "#c9653f",
    "desert": "#e0ad3d", "lakes": "#5fa3d6",
}  # fmt: skip
SCENERY = 46  # least height of a landscape, at the foot of a card that has room
TURN = {-1: 38, 0: 0, 1: -38}  # degrees of the arrows of a melee attack


def height_of(scene: Scene) -> float:
    """The height that the longest card needs; all get it."""
    needed = (70 + _head(scene, k)[1] + sum(height for _, height in _lines(scene, k)) for k in scene.slots)
    return max(LEAST, *needed)


@cache
def scenery(scene: int, name: str) -> str:
    """The landscape of a card: by a word of its name, else that of its scene."""
    lands = [land for land, words in WORDS_OF_LANDS.items() if any(word in name.lower() for word in words)]
    return (lands or [LANDS[scene]])[0]


def scene_card(scene: Scene, slot: int, high: float) -> str:
    """One card of the scene, its visible side."""
    g, side, owner = scene.g, scene.side(slot), scene.owner(slot)
    ground = "#f8e4dc" if g.side[slot] else "#fffdf8"
    attacks = int(g.enemy_slot) == slot and g.enemy_strength > 0 and not g.over
    now = scene.state(slot)
    parts = [title(now), rect(0, 0, WIDTH, high, ground, rx=9, stroke=INK, stroke_width=1.2)]
    if concerned := attacks or attacker_and_target(g)[1] == slot:
        parts.append(rect(3, 3, WIDTH - 6, high - 6, rx=7, stroke=ACCENT, stroke_width=3))
    head, more = _head(scene, slot)
    land = scenery(scene.number, side["name"])
    parts.append(rect(1, 1, WIDTH - 2, 41 + more, TINTS[land], rx=8, fill_opacity=0.25))
    parts.append(group(*head))
    y = 76.0 + more
    for line_of, height in _lines(scene, slot):
        parts.append(group(line_of, y=y))
        y += height
    if y < high - SCENERY:  # never behind words
        alone = owner != slot
        top = 42 + more if alone and y == 76 + more else y - 8
        parts[2:2] = _view(land, top, high, alone)
        if not alone:
            zoom = min(2.6, (high - y) / 27)
            parts.append(enemy_figure(side["enemy"]["name"], WIDTH - 8 - 16 * zoom, high - 2 - 16 * zoom, zoom))
    if side["tokens"]:
        parts.append(_tokens(int(g.tokens[slot]), int(side["tokens"]["max"])))
    told = {"data_word": f"scene card:{card_id(scene.number, slot)}", "data_asked": 1 if concerned else None}
    return place(f"scene {PLACES[slot]}", WIDTH, high, *parts, rx=9, data_now=now, **told)


def _view(land: str, top: float, high: float, alone: bool) -> list[str]:
    """The landscape of a card that has room for one, to the left where an enemy stands before it."""
    zoom = min(2.6, (high - top) / 40)
    x = WIDTH / 2 if alone else 12 + 25 * zoom
    ground = rect(1, top, WIDTH - 2, high - 1 - top, TINTS[land], rx=8, fill_opacity=0.6)
    return [ground, landscape(land, x, high - 4 - 13 * zoom, zoom)]


def _head(scene: Scene, slot: int) -> tuple[list[str], float]:
    """Names, emblem, health, armour and what ails the enemy; and how much higher long names make it."""
    side, owner = scene.side(slot), scene.owner(slot)
    room = WIDTH - 56 - (44 if side["tokens"] else 0)
    if owner == codes.NONE:
        return _names(12, room + 34, side["name"], "defeated" if scene.g.dead[slot] else "no enemy")
    if owner != slot:
        body = scene.side(owner)["enemy"]["name"].partition(",")[0]
        said, more = _names(48, room, side["name"], f"part of {body}")
        return [enemy_token(body, 24, 25, 16), *said], more
    name = side["enemy"]["name"]
    said, more = _names(48, room, name, side["name"].partition(" (")[0])
    return [enemy_token(name, 24, 25, 16), *said, group(*_health(scene, slot), y=more)], more


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


def _health(scene: Scene, slot: int) -> list[str]:
    whole, left = int(scene.t.enemy_hp[scene.at(slot)]), max(scene.health(slot), 0)
    parts = [
        sign("heart", 10, 44, 18),
        rect(32, 48, BAR, 10, "#e8ddd0", rx=4),
        rect(32, 48, BAR * left / whole, 10, ACCENT, rx=4) if left else "",
        text(35 + BAR, 58, f"{left}/{whole}", BODY, font_weight="bold"),
    ]
    x = 38.0 + BAR + text_width(f"{left}/{whole}", BODY, True) + 2
    for value in scene.armour(slot):
        parts.append(sign("block", x, 44, 19))
        parts.append(text(x + 9.5, 58, value, TINY, "#fff", text_anchor="middle", font_weight="bold"))
        x += 20
    if scene.t.invulnerable[scene.at(slot)]:
        parts.append(group(title("invulnerable"), icon("ward", x, 44, 18, QUIET)))
        x += 20
    if scene.g.stunned[slot]:
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


def _lines(scene: Scene, slot: int) -> list[tuple[str, float]]:
    """What a card does, from top to bottom, each with its height."""
    side, found = scene.side(slot), list[tuple[str, float]]()
    if side["enemy"] and scene.owner(slot) != codes.NONE:
        for attack, tokens in zip(side["enemy"]["attacks"], scene.tokens(slot), strict=True):
            strength = str(attack["strength"]) if tokens is None else f"{attack['strength']}+{tokens}"
            found.append((_attack(attack, strength, bool(scene.g.skipping[slot])), 25))
    for trigger in side["triggers"]:
        when, _, of = trigger["when"].partition(":")
        asked = f"if {' and '.join(scene.predicate(p) for p in trigger['if'])}: " if trigger["if"] else ""
        said = asked + scene.effects(trigger["do"])
        if when == "rune":
            found.append(_said(said, rune(of, 20, 0, 8, True)))
        else:
            found.append(_said(f"{effects.moment(trigger['when'])}: {said}", ""))
    for flip in side["flip"]:
        when, _, of = flip["when"].partition(":")
        mark = rune(of, 20, 0, 8, True) if when == "rune" else icon("turn", 13, -7, 14, QUIET)
        found.append(_said(scene.flip(flip), mark))
    for k, entry in enumerate(side["interactions"]):
        found.append(_interaction(scene, slot, k + 1, entry))
    return found


def _attack(attack: dict[str, Any], strength: str, skipped: bool) -> str:
    """Rune, kind, strength, which columns it hits, and the card that comes with damage."""
    parts = [rune(attack["rune"], 20, 0, 11), sign(attack["type"], 36, -11, 22)]
    parts.append(text(62, 6, strength, STRONG, font_weight="bold"))
    x = 64 + text_width(strength, STRONG, True)
    for offset in sorted(attack["dirs"]):
        parts.append(group(icon("arrow", -9, -9, 18, INK), x=x + 9 + 15 * (offset + 1), turn=TURN[offset]))
    x += 52 if attack["dirs"] else 4
    said = "farthest column" if attack["type"] == "ranged" else ""
    if attack["effect"]:
        parts.append(sign(attack["effect"], x, -10, 20))
        said = attack["effect"]
        x += 22
    parts.append(label(x, 4, said, WIDTH - x - 4, TINY, QUIET))
    return group(*parts, opacity=0.4 if skipped else None)


def _said(said: str, mark: str) -> tuple[str, float]:
    """Words beside a mark, in as many lines as they need."""
    rows = wrapped(said, WIDTH - 46, TINY)
    lines = [label(36, 4 + ROW * k, row, WIDTH - 44, TINY) for k, row in enumerate(rows)]
    return group(mark, *lines), 7 + ROW * len(rows)


def _interaction(scene: Scene, slot: int, k: int, entry: dict[str, Any]) -> tuple[str, float]:
    """An interaction: its name, what it costs, when it may be used and what it does."""
    asked = f"if {', '.join(scene.predicate(p) for p in entry['if'])}: " if entry["if"] else ""
    rows = wrapped(asked + scene.effects(entry["do"]), WIDTH - 30, TINY)
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
    drawn = place(f"interaction {PLACES[slot]} {k}", WIDTH - 14, high, tip, *parts, x=7, y=-10, rx=5)
    return drawn, high + 4


# ---------------------------------------------------------------------------------------------------- columns


def number(k: int) -> str:
    """The number of a column, above it."""
    said = text(WIDTH / 2, 13, k + 1, BODY, CARD, text_anchor="middle", font_weight="bold")
    return group(rect(WIDTH / 2 - 22, 0, 44, HEAD - 2, QUIET, rx=8), said, data_own=1)


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


# ---- Beside the scene: what must be done, what must not happen, hindrances, the path, upgrade cards --------------

PER_ROW, PATH_HEIGHT = 7, 168
PATH = ((105, 22), (54, 76), (157, 76), (36, 132), (105, 132), (174, 132))  # the triangle: quests, then bosses


def goals(game: Any, found: dict[str, Any], scene: Scene) -> tuple[str, float]:
    """The goal, the failure, and the hindrances of scenes passed over; and their height."""
    goal, failure, _ = effects.scenario_words(effects.played(game), effects.scenario_of(game, scene.number), scene)
    rows = [("Goal", goal, "#2f7d52"), *([("Failure", failure, ACCENT)] if failure else [])]
    for number in found["hindrances"]:
        rows.append(("Hindrance", effects.hindrance(effects.scenario_of(game, number - 1)["back"]["hindrance"]), QUIET))
    parts, y = [], 18.0
    for name, said, colour in rows:
        drawn, high = _row(name, said, colour)
        parts.append(group(drawn, y=y))
        y += high
    whole = max(2 * STAND, y - 8)
    ground = rect(0, 0, WIDTH, whole, CARD, rx=9, stroke=LINE)
    word = f"scenario:{SCENES[scene.number]}"
    return place("goals", WIDTH, whole, ground, *parts, rx=9, data_word=word), whole


def legend(game: Any, room: float) -> tuple[str, float]:
    """What the signs of the cards mean, as many of them as there is room for; and the height of all."""
    runes = [rune(name, 22 + 24 * k, 28, 11) for k, name in enumerate(seats.RUNE_SHAPES)]
    said = wrapped("a revealed rune triggers what bears it", 88, TINY)
    parts = [*runes, *(label(113, 19 + 13 * k, row, 96, TINY, QUIET) for k, row in enumerate(said))]
    y = 20.0 + 13 * len(said)
    for name in ("melee", "ranged", "block", "number", "stun", "rage", "ward", "heart"):
        entry = game.vocabulary["symbol", name]
        rows = wrapped(f"{entry.name}: {entry.does.partition(';')[0]}", WIDTH - 48, TINY)
        if y + ROW * len(rows) + 10 > room:
            break
        drawn = sign(name, 12, -1, 20), *(label(40, 12 + ROW * k, row, WIDTH - 46, TINY) for k, row in enumerate(rows))
        parts.append(group(*drawn, y=y, data_word=f"symbol:{name}"))
        y += max(ROW * len(rows), 18) + 6
    return group(rect(0, 0, WIDTH, y + 4, CARD, rx=9, stroke=LINE), *parts, data_key=1), y + 4


def _row(name: str, said: str, colour: str) -> tuple[str, float]:
    rows = wrapped(said, WIDTH - 94, TINY)
    lines = [label(88, 14 * k, row, WIDTH - 94, TINY) for k, row in enumerate(rows)]
    return text(10, 0, name, TINY, colour, font_weight="bold") + group(*lines), 7 + 14 * len(rows)


def path(game: Any, g: Any) -> str:
    """The triangle of quests and bosses: the present scene, what may be chosen next, what was passed over."""
    parts = [rect(0, 0, WIDTH, PATH_HEIGHT, CARD, rx=9, stroke=LINE)]
    numbers = [*(int(k) for k in g.quests), *(int(k) for k in g.bosses)]
    for a, b in ((0, 1), (0, 2), (1, 3), (1, 4), (2, 4), (2, 5)):
        parts.append(line(*PATH[a], *PATH[b], FAINT))
    for (x, y), number in zip(PATH, numbers, strict=True):
        if number != codes.NONE:
            parts.append(_station(game, g, number, x, y))
    return group(*parts)


def _station(game: Any, g: Any, number: int, x: float, y: float) -> str:
    here = int(g.scenario) == number
    over = number in {int(k) for k in g.passed_over} or number in {int(k) for k in g.hindrances}
    name = effects.scenario_of(game, number)["name"].split(",")[0]
    colour = ACCENT if here else "#8b8078" if over else INK
    mark = circle(38, 9, 7, colour if here else CARD, stroke=colour, stroke_width=2)
    if number >= BOSSES_FROM:
        mark = rect(31, 2, 14, 14, colour if here else CARD, stroke=colour, stroke_width=2)
    room = 102 if number < BOSSES_FROM else 68
    rows = wrapped(name, room, TINY, here)[:2]
    said = group(
        *(label(38, 29 + 12 * k, r, room, TINY, colour, bold=here, anchor="middle") for k, r in enumerate(rows))
    )
    ground = rect(38 - room / 2, 18, room, 3 + 12 * len(rows), CARD, rx=3)
    entry = game.vocabulary["scenario", SCENES[number]]
    tip = title(f"{entry.name}{', passed over' if over else ''}: {entry.does}")
    word = f"scenario:{SCENES[number]}"
    where: dict[str, Any] = {"x": x - 38, "y": y - 14, "opacity": 0.5 if over else None}
    return place(f"scenario {SCENES[number]}", 76, 42, tip, ground, mark, said, data_word=word, **where)


def upgrades(game: Any, g: Any, viewer: int | str | None) -> tuple[str, float]:
    """The upgrade deck with what the viewer knows of its top, and the revealed cards."""
    types = upgrade_types(game.components)
    revealed = [types[card] for card in g.revealed[: int(g.revealed_cards)]]
    known = ", ".join(map(effects.rune_name, _known(g, types, viewer)))
    said = [f"next known: {known}"] if known else []
    said += ["the next reveal triggers nothing"] if g.cancel_rune else []
    count = label(130, 14, f"{int(g.upgrade_cards)} cards in the deck", 170, SMALL, QUIET)
    parts = [box(300, 20, text(0, 14, "Upgrade cards", BODY, font_weight="bold"), count)]
    parts.append(box(480, 20, label(0, 14, "; ".join(said), 480, SMALL, QUIET), x=310) if said else "")
    pairs = ((f"upgrade {name}", *name.split(":")) for name in revealed)
    drawn = [(name, action_card(game, design, rune_of=of)) for name, design, of in pairs]
    size, step = (seats.CARD_WIDTH, seats.CARD_HEIGHT), (seats.STEP_X, seats.STEP_Y)
    cards, high = seats.in_rows(drawn, PER_ROW, size, step, (0, 24))
    if not revealed:
        parts.append(box(200, 24, text(0, 16, "none revealed", SMALL, QUIET), y=24))
    return group(*parts, *cards), 24 + max(high, 26)


def _known(g: Any, types: list[str], viewer: int | str | None) -> list[str]:
    """Runes of the next upgrade cards, as far as the viewer knows them."""
    found = []
    for k in range(int(g.upgrade_cards))[::-1][:4]:
        if not (viewer == "all" or (isinstance(viewer, int) and int(g.upgrade_known[k]) >> viewer & 1)):
            break
        found.append(types[g.upgrade[k]].split(":")[1])
    return found


def hero_choice(game: Any, g: Any) -> str:
    """The heroes to choose from."""
    taken = {int(hero) for hero in g.heroes}
    parts = [box(212, 20, text(0, 14, "Heroes", BODY, font_weight="bold"))]
    for k, hero in enumerate(effects.played(game)["heroes"]):
        inner = [rect(0, 0, 212, 96, CARD, rx=9, stroke=LINE)]
        for n, figure in enumerate(hero["figures"]):
            y = 24 + 46 * n
            said = f"{figure['rage']['name']}: {effects.hero_effects(figure['rage']['effects'])}"
            inner.append(seats.hero_token(figure["id"], 26, y, 17))
            inner.append(label(52, y - 4, f"{figure['name']}, health {figure['hp']}", 156, SMALL, bold=True))
            inner.append(paragraph(52, y + 10, said, 156, 2, TINY))
        about: dict[str, Any] = {"data_word": f"hero:{hero['id']}", "opacity": 0.4 if k in taken else None}
        parts.append(box(212, 96, place(f"hero {hero['id']}", 212, 96, *inner, **about), x=222 * k, y=24))
    return group(*parts)
