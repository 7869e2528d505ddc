"""Beside the scene: what must be done, what must not happen, hindrances, the path, upgrade cards."""

from __future__ import annotations

from typing import Any

from theogony.envs.core.draw.larger import BODY, SMALL, TINY, label, paragraph, wrapped
from theogony.envs.core.draw.places import place
from theogony.envs.core.draw.style import ACCENT, CARD, LINE, QUIET, box
from theogony.envs.core.draw.svg import FAINT, INK, circle, group, line, rect, text, title
from theogony.envs.god_of_war import codes
from theogony.envs.god_of_war.components.tables import upgrade_types
from theogony.envs.god_of_war.render import cards, scene, seats
from theogony.envs.god_of_war.render.cards import action_card
from theogony.envs.god_of_war.state import BOSSES_FROM, SCENES
from theogony.envs.god_of_war.vocabulary.effects import SceneWords, hero_effects, hindrance, rune_name
from theogony.envs.god_of_war.vocabulary.played import played

WIDTH = scene.WIDTH
PER_ROW, PATH_HEIGHT = 7, 168
PATH = ((105, 22), (54, 76), (157, 76), (36, 132), (105, 132), (174, 132))  # the triangle: quests, then bosses


def scenario(game: Any, number: int) -> dict[str, Any]:
    """A quest or boss of the component file, with the numbers in force."""
    data = played(game)
    return next(s for s in (*data["quests"], *data["bosses"]) if s["id"] == number)


def goals(game: Any, g: Any, found: dict[str, Any], words: SceneWords) -> tuple[str, float]:
    """The goal, the failure, and the hindrances of scenes passed over; and their height."""
    quest = scenario(game, int(g.scenario) + 1)
    front = quest["front"]
    rows = [("Goal", " and ".join(words.predicate(p) for p in front["success"]["all"]), "#2f7d52")]
    if front.get("fail"):
        rows.append(("Failure", " or ".join(words.predicate(p) for p in front["fail"]["any"]), ACCENT))
    for number in found["hindrances"]:
        other = scenario(game, number)
        rows.append(("Hindrance", hindrance(other["back"]["hindrance"]), QUIET))
    parts, y = [], 18.0
    for name, said, colour in rows:
        drawn, high = _row(name, said, colour)
        parts.append(group(drawn, y=y))
        y += high
    whole = max(2 * scene.STAND, y - 8)
    ground = rect(0, 0, WIDTH, whole, CARD, rx=9, stroke=LINE)
    word = f"scenario:{SCENES[int(g.scenario)]}"
    return place("goals", WIDTH, whole, ground, *parts, rx=9, data_word=word), whole


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
    name = scenario(game, number + 1)["name"].split(",")[0]
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
    known = ", ".join(map(rune_name, _known(g, types, viewer)))
    said = [f"next known: {known}"] if known else []
    said += ["the next reveal triggers nothing"] if g.cancel_rune else []
    count = label(130, 14, f"{int(g.upgrade_cards)} cards in the deck", 170, SMALL, QUIET)
    parts = [box(300, 20, text(0, 14, "Upgrade cards", BODY, font_weight="bold"), count)]
    parts.append(box(480, 20, label(0, 14, "; ".join(said), 480, SMALL, QUIET), x=310) if said else "")
    for k, name in enumerate(revealed):
        design, of = name.split(":")
        where: dict[str, Any] = {"x": k % PER_ROW * seats.STEP_X, "y": 24 + k // PER_ROW * seats.STEP_Y}
        card = place(f"upgrade {name}", cards.WIDTH, cards.HEIGHT, action_card(game, design, rune_of=of))
        parts.append(box(cards.WIDTH, cards.HEIGHT, card, row=k == 0, **where))
    if not revealed:
        parts.append(box(200, 24, text(0, 16, "none revealed", SMALL, QUIET), y=24))
    return group(*parts), 24 + max(-(-len(revealed) // PER_ROW) * seats.STEP_Y, 26)


def _known(g: Any, types: list[str], viewer: int | str | None) -> list[str]:
    """Runes of the next upgrade cards, as far as the viewer knows them."""
    found = []
    for card, seats_who_know in zip(g.upgrade[: int(g.upgrade_cards)][::-1], _knowers(g), strict=True):
        if not (viewer == "all" or (isinstance(viewer, int) and int(seats_who_know) >> viewer & 1)) or len(found) == 4:
            break
        found.append(types[card].split(":")[1])
    return found


def _knowers(g: Any) -> Any:
    return g.upgrade_known[: int(g.upgrade_cards)][::-1]


def hero_choice(game: Any, g: Any) -> str:
    """The heroes to choose from."""
    taken = {int(hero) for hero in g.heroes}
    parts = [box(212, 20, text(0, 14, "Heroes", BODY, font_weight="bold"))]
    for k, hero in enumerate(played(game)["heroes"]):
        inner = [rect(0, 0, 212, 96, CARD, rx=9, stroke=LINE)]
        for n, figure in enumerate(hero["figures"]):
            y = 24 + 46 * n
            said = f"{figure['rage']['name']}: {hero_effects(figure['rage']['effects'])}"
            inner.append(cards.hero_token(figure["id"], 26, y, 17))
            inner.append(label(52, y - 4, f"{figure['name']}, health {figure['hp']}", 156, SMALL, bold=True))
            inner.append(paragraph(52, y + 10, said, 156, 2, TINY))
        about: dict[str, Any] = {"data_word": f"hero:{hero['id']}", "opacity": 0.4 if k in taken else None}
        parts.append(box(212, 96, place(f"hero {hero['id']}", 212, 96, *inner, **about), x=222 * k, y=24))
    return group(*parts)
