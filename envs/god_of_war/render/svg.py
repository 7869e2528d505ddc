"""A position as a picture: what is going on, the scene with its columns, the quest, upgrades, every player."""

from __future__ import annotations

from typing import Any

from theogony.envs.core.draw.larger import BODY, label, page, wrapped
from theogony.envs.core.draw.places import place
from theogony.envs.core.draw.style import ACCENT, CARD, LINE, MARGIN, QUIET, TOP, box, region
from theogony.envs.core.draw.svg import group, rect, text
from theogony.envs.god_of_war.codes import NONE
from theogony.envs.god_of_war.components.pieces import COLUMNS, FIGURES
from theogony.envs.god_of_war.components.tables import slot_of
from theogony.envs.god_of_war.render import scene, seats, words
from theogony.envs.god_of_war.render.portraits import enemy_token
from theogony.envs.god_of_war.render.seats import action_card, die, hero_token, sign
from theogony.envs.god_of_war.render.words import Scene, Seat, hero_name
from theogony.envs.god_of_war.rules.attack import NOT_ROLLED
from theogony.envs.god_of_war.rules.setup import laid_out
from theogony.envs.god_of_war.snapshot import snapshot
from theogony.envs.god_of_war.state import IN_HEROES, PAY, REASONS, SCRY

PENDING = 54
HALF = 455  # where a window is narrow, what is told stands in two rows


def banner(game: Any, found: dict[str, Any], lies: Scene, viewer: Seat) -> tuple[str, float]:
    """The line above the scene and its height. Where nothing is open in a scene it says who is to act, or how the game
    ended: what lies below stays where it is while one decides."""
    g = lies.g
    quiet = (_calm(game, g), PENDING + 14) if laid_out(g) else ("", 0)
    if g.over or found["pending"] is None:
        return quiet
    context = found["pending"]["context"]
    if int(g.decision) == SCRY:
        return _looked_at(game, context["cards"], shown=viewer in ("all", int(g.actor)))
    parts = _paid(game, lies) if int(g.decision) == PAY else _fight(game, context, lies) if context else []
    if not parts:
        return quiet
    ground = rect(0, 0, seats.WIDTH, PENDING, "#fdeee0", rx=10, stroke=ACCENT, stroke_width=1.6)
    halves = [box(HALF, PENDING, *drawn, x=550 * k) for k, drawn in enumerate(parts)]
    return place("pending", seats.WIDTH, PENDING, ground, *halves, rx=10), PENDING + 14


def _calm(game: Any, g: Any) -> str:
    """`Kratos is to act`, while no attack and no effect is open."""
    ground = rect(0, 0, seats.WIDTH, PENDING, CARD, rx=10, stroke=LINE)
    if g.over:
        said = label(20, 33, f"The game is over: {REASONS[int(g.reason)] or 'cut off'}", HALF - 40, BODY)
        return group(ground, box(HALF, PENDING, said))
    hero = int(g.heroes[int(g.actor)])
    token = "" if hero == NONE else hero_token(FIGURES[int(game.tables[0].first_figure[hero])], 32, 27, 18)
    said = label(62, 33, words.due(game, g), HALF - 80, BODY)
    return group(ground, box(HALF, PENDING, token, said), _rolled(game, g))


def _rolled(game: Any, g: Any) -> str:
    """What the die brought in the last decision: `card 2 + numbers 3 − die 1 = 4 damage`, beside the die itself."""
    found = list(words.rolls(game, g, g))
    rows = [f"{aim}: {said}" for _, aim, said, _ in found]
    if len(found) == 1:
        rows = [f"{found[0][0]} on {found[0][1]}", found[0][2]]
    parts = [die(abs(found[k][3]), 2 + 36 * k, 13) for k in range(len(found))]
    at = 4 + 36 * len(found)
    parts += [label(at, 22 + 22 * k, row, HALF - at, BODY, bold=k == len(rows) - 1) for k, row in enumerate(rows)]
    return box(HALF, PENDING, *parts, x=550) if found else ""


def _paid(game: Any, lies: Scene) -> list[list[str]]:
    """What is paid for, and what is still to be paid."""
    interaction, paid = words.interaction_due(game, lies.g)
    due = " + ".join(interaction["cost"][paid:])
    first = _rows(f"{interaction['label']}: {lies.effects(interaction['do'])}")
    return [first, [label(14, 33, f"still to pay: {due}", HALF - 24, BODY, ACCENT, bold=True)]]


def _rows(said: str) -> list[str]:
    """Words in two rows."""
    rows = wrapped(said, HALF - 40, BODY, True)
    if len(rows) == 1:
        return [label(20, 33, said, HALF - 40, BODY, bold=True)]
    return [label(20, 24 + 20 * k, row, HALF - 40, BODY, bold=True) for k, row in enumerate(rows[:2])]


def _fight(game: Any, context: dict[str, Any], lies: Scene) -> list[list[str]]:
    """An attack of an enemy or a hero, damage that would be suffered, an effect, in emblems and words: in halves."""
    if "effect" in context and isinstance(context["effect"], dict):
        rows = wrapped(f"{lies.card(context['card'])}: {lies.effect(context['effect'])}", HALF - 40, BODY, True)
        parts = [label(20, 24 + 20 * (k % 2), row, HALF - 40, BODY, bold=True) for k, row in enumerate(rows[:4])]
        return [half for half in (parts[:2], parts[2:]) if half]
    if context.get("use") == "attack" or "target" in context:
        return _hero_attack(game, context, lies)
    if "strength" in context:
        return _enemy_attack(game, context, lies)
    if "figure" in context:
        said = f"{hero_name(game, context['figure'])} enters the scene"
        return [[hero_token(context["figure"], 32, 27, 18), text(62, 33, said, BODY, font_weight="bold")]]
    return []


def _enemy_attack(game: Any, context: dict[str, Any], lies: Scene) -> list[list[str]]:
    """`Draugr attacks Kratos: melee 3; blocked 1, 2 still to block`."""
    attacker = lies.card(context["card"]) if context["card"] else "Poison"
    first = [enemy_token(attacker, 32, 27, 18), label(60, 33, attacker, 210, BODY, bold=True)]
    first += _to(game, context.get("figure"), 280)
    kind = context.get("type", "ranged")
    parts = [sign(kind, 14, 16, 22)] if kind in seats.SIGNS else []
    said = f"{kind} {context['strength']}" if kind in ("melee", "ranged") else f"{context['strength']} damage"
    said += f" + {context['effect']} card" if context.get("effect") else ""
    more = []
    if "blocked" in context:
        left = max(context["strength"] - context["blocked"], 0)
        more.append(f"blocked {context['blocked']}, {left} still to come")
        if context.get("use") == "block":
            more.append(f"the set blocks {context['set_strength']}")
        elif context.get("victim") and context["victim"] != context.get("figure"):
            more.append(f"{hero_name(game, context['victim'])} suffers")
    parts.append(label(44, 22 if more else 33, said, HALF - 60, BODY, bold=True))
    parts.append(label(44, 44, "; ".join(more), HALF - 60, BODY, ACCENT) if more else "")
    return [first, parts]


def _hero_attack(game: Any, context: dict[str, Any], lies: Scene) -> list[list[str]]:
    """`Kratos attacks Draugr: strength 3`, with the die once it is rolled."""
    figure = FIGURES[words.attacker_and_target(lies.g)[0]]
    parts = [hero_token(figure, 32, 27, 18), text(62, 33, hero_name(game, figure), BODY, font_weight="bold")]
    target = lies.card(context["target"])
    parts += [text(140, 33, "attacks", BODY, QUIET), enemy_token(target, 224, 27, 18)]
    parts.append(label(250, 33, target, HALF - 256, BODY, bold=True))
    strength = context.get("strength", context.get("set_strength", 0))
    told = [sign("melee", 14, 16, 22), text(44, 33, f"strength {strength}", BODY, font_weight="bold")]
    needed = _needed(lies, context["target"], rolled=context.get("die", NOT_ROLLED) != NOT_ROLLED)
    more = [*filter(None, [needed]), *words.attack_notes(context)]
    return [parts, [*told, label(150, 33, ", ".join(more), HALF - 160, BODY)]]


def _needed(lies: Scene, target: str, rolled: bool) -> str:
    """What an attack on a card must reach, and what the die may take of it."""
    owner = lies.owner(slot_of(target))
    if owner == NONE:
        return ""
    match lies.stopped(owner):
        case "armour":
            return f"breaks armour at {lies.armour(owner)[0]}"
        case "invulnerable":
            return "invulnerable: it takes no damage"
    return f"it has health {lies.health(owner)}" + ("" if rolled else ", the die takes 0 to 2 off")


def _to(game: Any, figure: str | None, x: float) -> list[str]:
    arrow = text(x, 33, "attacks", BODY, QUIET)
    if figure is None:
        return [arrow, text(x + 70, 33, "which column?", BODY, font_weight="bold")]
    name = label(x + 120, 33, hero_name(game, figure), 100, BODY, bold=True)
    return [arrow, hero_token(figure, x + 92, 27, 18), name]


def _looked_at(game: Any, names: list[str], shown: bool) -> tuple[str, float]:
    """Upgrade cards that the deciding player looks at; backs for everybody else."""
    high = seats.CARD_HEIGHT + 24
    parts = [rect(0, 0, seats.WIDTH, high, "#fdeee0", rx=10, stroke=ACCENT, stroke_width=1.6)]
    parts.append(box(214, 66, label(20, 52, "Upgrade cards looked at:", 190, BODY, bold=True)))
    for k, name in enumerate(names):
        design, rune = name.split(":")
        drawn = action_card(game, design, rune_of=rune) if shown else seats.card_back()
        card = place(f"look {k + 1}", seats.CARD_WIDTH, seats.CARD_HEIGHT, drawn)
        parts.append(box(seats.CARD_WIDTH, seats.CARD_HEIGHT, card, x=220 + k * seats.STEP_X, y=12))
    return group(*parts), high + 14


# ---- A position as a picture: what is going on, the scene with its columns, the quest, upgrades, every player ----

GAP = 16
SIDE = 470  # how wide what belongs to the scene is in a column beside it
FIFTH = COLUMNS * scene.STEP  # where the column of side cards begins


def render_svg(game: Any, g: Any, seat: Seat = None) -> str:
    """The position as a picture. All hands are open; decks are shown as numbers."""
    found, lies = snapshot(game, g), Scene(game, g)
    drawn, y = banner(game, found, lies, seat)
    pending = region("pending", seats.WIDTH, y, drawn, x=MARGIN, y=TOP - 4, main=True, pinned=True)
    parts, y = [pending] if y else [], TOP - 4 + y
    if laid_out(g):
        drawn, high = _scene(game, found, lies)
        parts.append(region("scene", seats.WIDTH, high, drawn, x=MARGIN, y=y, main=True))
        y += high + GAP
    elif int(g.phase) == IN_HEROES:
        parts.append(region("heroes", seats.WIDTH, 120, scene.hero_choice(game, g), x=MARGIN, y=y))
        y += 120 + GAP
    drawn, high = _beside(game, g, seat)
    parts.append(region("upgrades", seats.WIDTH, high, drawn, x=MARGIN, y=y, beside=SIDE))
    y += high + GAP
    if game.players == 1:
        parts.append(
            region("companions", seats.WIDTH, 88, seats.companions(game, g, found), x=MARGIN, y=y, beside=SIDE)
        )
        y += 88 + GAP
    for player in found["players"]:
        area, height = seats.seat_area(game, g, player, found, seat)
        beside = None if player["seat"] == seat else SIDE
        parts.append(region(f"seat {player['seat']}", seats.WIDTH, height, area, x=MARGIN, y=y, beside=beside))
        y += height + GAP
    return page(game.spec.title, words.headline(game, g, found), y - GAP + MARGIN, *parts)


def _scene(game: Any, found: dict[str, Any], lies: Scene) -> tuple[str, float]:
    """The mosaic with side cards, the columns below, the goals beside them; and its height."""
    high = scene.height_of(lies)
    step, y = high + scene.GAP, scene.HEAD + 2 * (high + scene.GAP)
    drawn = {slot: scene.scene_card(lies, slot, high) for slot in lies.slots}
    parts = []
    for column in range(COLUMNS):
        there = [k for k in (column, COLUMNS + column) if k in drawn]
        inside = [scene.number(column), *(group(drawn[k], y=scene.HEAD + k // COLUMNS * step) for k in there)]
        inside.append(group(scene.column(game, lies.g, column), y=y))
        parts.append(box(scene.WIDTH, y + 2 * scene.STAND, *inside, x=column * scene.STEP))
    beside = [slot for slot in lies.slots if slot >= 2 * COLUMNS]
    parts += [box(scene.WIDTH, high, drawn[k], x=FIFTH, y=scene.HEAD + k % COLUMNS * step) for k in beside]
    goals, goals_high = scene.goals(game, found, lies)
    parts.append(box(scene.WIDTH, goals_high, goals, x=FIFTH, y=y))
    if all(slot < 2 * COLUMNS + 1 for slot in beside):  # beneath the first side card, or in its place
        under = step if beside else 0
        signs, signs_high = scene.legend(game, y - scene.HEAD - scene.GAP - under)
        parts.append(box(scene.WIDTH, signs_high, signs, x=FIFTH, y=scene.HEAD + under))
    return group(*parts), y + max(2 * scene.STAND, goals_high)


def _beside(game: Any, g: Any, seat: Seat) -> tuple[str, float]:
    """Upgrade cards, the path of a full game, and the height of both."""
    drawn, height = scene.upgrades(game, g, seat)
    parts = [drawn]
    if game.options.scene is None:
        parts.append(box(scene.WIDTH, scene.PATH_HEIGHT, scene.path(game, g), x=FIFTH))
        height = max(height, scene.PATH_HEIGHT)
    return group(*parts), height
