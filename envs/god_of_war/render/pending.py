"""What is going on: who decides what, who attacks whom and how hard, what is blocked already, cards looked at."""

from __future__ import annotations

from typing import Any

from theogony.envs.core.draw.larger import BODY, SMALL, WIDTH, label
from theogony.envs.core.draw.places import place
from theogony.envs.core.draw.style import ACCENT, CARD, LINE, QUIET
from theogony.envs.core.draw.svg import INK, group, rect, text
from theogony.envs.god_of_war.codes import NONE
from theogony.envs.god_of_war.components.pieces import FIGURES
from theogony.envs.god_of_war.frames import NOT_ROLLED
from theogony.envs.god_of_war.render import cards, seats
from theogony.envs.god_of_war.render.cards import action_card, enemy_token, hero_token, sign
from theogony.envs.god_of_war.render.words import decider, hero_name
from theogony.envs.god_of_war.rules.scenes import laid_out
from theogony.envs.god_of_war.state import DECISIONS, REASONS, SCRY
from theogony.envs.god_of_war.vocabulary.effects import SceneWords

HEIGHT = 54


def banner(game: Any, g: Any, found: dict[str, Any], words: SceneWords, viewer: int | str | None) -> tuple[str, float]:
    """The line above the scene and its height. Where nothing is open in a scene it says who is to act, or how the game
    ended: what lies below stays where it is while one decides."""
    quiet = (_calm(game, g), HEIGHT + 14) if laid_out(g) else ("", 0)
    if g.over or found["pending"] is None:
        return quiet
    context = found["pending"]["context"]
    if int(g.decision) == SCRY:
        return _looked_at(game, context["cards"], shown=viewer in ("all", int(g.actor)))
    parts = _fight(game, context, words) if context else []
    if not parts:
        return quiet
    ground = rect(0, 0, seats.WIDTH, HEIGHT, "#fdeee0", rx=10, stroke=ACCENT, stroke_width=1.6)
    return place("pending", seats.WIDTH, HEIGHT, ground, *parts, rx=10), HEIGHT + 14


def _calm(game: Any, g: Any) -> str:
    """`Kratos is to act`, while no attack and no effect is open."""
    ground = rect(0, 0, seats.WIDTH, HEIGHT, CARD, rx=10, stroke=LINE)
    if g.over:
        return group(
            ground, label(20, 33, f"The game is over: {REASONS[int(g.reason)] or 'cut off'}", WIDTH - 40, BODY)
        )
    hero = int(g.heroes[int(g.actor)])
    token = "" if hero == NONE else hero_token(FIGURES[int(game.tables[0].first_figure[hero])], 32, 27, 18)
    due = game.vocabulary.name("phase", DECISIONS[int(g.decision)])
    return group(ground, token, label(62, 33, f"{decider(game, g)} {due}", WIDTH - 80, BODY))


def _fight(game: Any, context: dict[str, Any], words: SceneWords) -> list[str]:
    """An attack of an enemy or a hero, damage that would be suffered, an effect, in emblems and words."""
    if "effect" in context and isinstance(context["effect"], dict):
        return [
            label(
                20, 34, f"{words.card(context['card'])}: {words.effect(context['effect'])}", WIDTH - 40, BODY, bold=True
            )
        ]
    if context.get("use") == "attack" or "target" in context:
        return _hero_attack(game, context, words)
    if "strength" in context:
        return _enemy_attack(game, context, words)
    if "figure" in context:
        name = context["figure"]
        return [
            hero_token(name, 32, 27, 18),
            text(62, 33, f"{hero_name(game, name)} enters the scene", BODY, font_weight="bold"),
        ]
    return []


def _enemy_attack(game: Any, context: dict[str, Any], words: SceneWords) -> list[str]:
    """`Draugr attacks Kratos: melee 3; blocked 1, 2 still to block`."""
    attacker = words.card(context["card"]) if context["card"] else "Poison"
    parts = [enemy_token(attacker, 32, 27, 18), label(60, 33, attacker, 210, BODY, bold=True)]
    parts += _to(game, context.get("figure"), 280)
    kind, x = context.get("type", "ranged"), 500
    if kind in cards.SIGNS:
        parts.append(sign(kind, x, 16, 22))
    said = f"{kind} {context['strength']}" if kind in ("melee", "ranged") else f"{context['strength']} damage"
    said += f" + {context['effect']} card" if context.get("effect") else ""
    parts.append(label(x + 30, 33, said, 160, BODY, bold=True))
    if "blocked" in context:
        left = max(context["strength"] - context["blocked"], 0)
        parts += [sign("block", 696, 16, 22), text(724, 33, f"blocked {context['blocked']}", BODY)]
        parts.append(text(814, 33, f"{left} still to come", BODY, ACCENT if left else INK, font_weight="bold"))
        if context.get("use") == "block":
            parts.append(label(WIDTH - 14, 33, f"the set blocks {context['set_strength']}", 130, SMALL, anchor="end"))
        elif context.get("victim") and context["victim"] != context.get("figure"):
            said = f"{hero_name(game, context['victim'])} suffers"
            parts.append(label(WIDTH - 14, 33, said, 130, SMALL, QUIET, anchor="end"))
    return parts


def _hero_attack(game: Any, context: dict[str, Any], words: SceneWords) -> list[str]:
    """`Kratos attacks Draugr: strength 3`, with the die once it is rolled."""
    parts, figure = [], context.get("figure")
    if figure:
        parts += [hero_token(figure, 32, 27, 18), text(62, 33, hero_name(game, figure), BODY, font_weight="bold")]
    target = words.card(context["target"])
    parts += [text(200, 33, "attacks", BODY, QUIET), enemy_token(target, 296, 27, 18)]
    parts.append(label(324, 33, target, 220, BODY, bold=True))
    strength = context.get("strength", context.get("set_strength", 0))
    parts += [sign("melee", 560, 16, 22), text(590, 33, f"strength {strength}", BODY, font_weight="bold")]
    more = []
    if "die" in context and context["die"] != NOT_ROLLED:
        more.append(f"die {context['die']}")
    if context.get("waiting_bonus"):
        more.append(f"+{context['waiting_bonus']} waiting")
    if context.get("waiting_damage"):
        more.append(f"+{context['waiting_damage']} damage after the die")
    return [*parts, label(720, 33, ", ".join(more), WIDTH - 730, BODY)]


def _to(game: Any, figure: str | None, x: float) -> list[str]:
    arrow = text(x, 33, "attacks", BODY, QUIET)
    if figure is None:
        return [arrow, text(x + 70, 33, "which column?", BODY, font_weight="bold")]
    name = label(x + 120, 33, hero_name(game, figure), 100, BODY, bold=True)
    return [arrow, hero_token(figure, x + 92, 27, 18), name]


def _looked_at(game: Any, names: list[str], shown: bool) -> tuple[str, float]:
    """Upgrade cards that the deciding player looks at; backs for everybody else."""
    high = cards.HEIGHT + 24
    parts = [rect(0, 0, seats.WIDTH, high, "#fdeee0", rx=10, stroke=ACCENT, stroke_width=1.6)]
    parts.append(label(20, 52, "Upgrade cards looked at:", 190, BODY, bold=True))
    for k, name in enumerate(names):
        design, rune = name.split(":")
        drawn = action_card(game, design, rune_of=rune) if shown else cards.card_back()
        parts.append(place(f"look {k + 1}", cards.WIDTH, cards.HEIGHT, drawn, x=220 + k * seats.STEP_X, y=12))
    return group(*parts), high + 14
