"""A decision with what it is aimed at."""

from __future__ import annotations

from typing import Any

from theogony.envs.god_of_war import codes
from theogony.envs.god_of_war.actions import ROLES
from theogony.envs.god_of_war.components.pieces import COLUMNS, FIGURES
from theogony.envs.god_of_war.render.places import slot_of
from theogony.envs.god_of_war.render.words import Seat, hero_name, owner_of, present_slots, side_data
from theogony.envs.god_of_war.vocabulary.effects import slot_name


def move_text(game: Any, before: Any, action: int, after: Any, who: Seat) -> str:
    """A move in words: whose figure acts, and what an attack, a target or an interaction is aimed at. All of it is
    open."""
    kind, arguments = game.actions.decode(action)
    said = game.vocabulary.say(game.actions, action, int(before.decision))
    if kind == "target":
        slot = next((s for s in present_slots(game, before) if slot_name(s) == str(arguments[0])), codes.NONE)
        return f"target {_called(game, before, slot)} ({arguments[0]})" if slot != codes.NONE else said
    if not arguments or arguments[0] not in ROLES:
        return said
    figure = figure_of(game, before, str(arguments[0]))
    named = hero_name(game, FIGURES[figure])
    said = said.replace(game.vocabulary.name("role", arguments[0]), named, 1)
    if kind not in ("attack", "interact"):
        return said
    slot = slot_of(before, figure, str(arguments[1]))
    if slot not in present_slots(game, before) or slot >= 2 * COLUMNS:
        return said
    if kind == "attack":
        return said.replace(f"the {arguments[1]} card", f"{_called(game, before, slot)} ({arguments[1]})")
    card, number = side_data(game, before, slot), int(arguments[2])
    boxes = card.get("interactions") or []
    return f"{named}: {boxes[number - 1]['label']} ({card['name']})" if number <= len(boxes) else said


def figure_of(game: Any, g: Any, role: str) -> int:
    """The figure of the player who decides that has a role in an action."""
    return int(game.tables[0].first_figure[int(g.heroes[int(g.actor)])]) + (role == "second")


def _called(game: Any, g: Any, slot: int) -> str:
    """The enemy that is seen on a card, or the card."""
    owner = owner_of(game, g, slot)
    if owner == codes.NONE:
        return side_data(game, g, slot)["name"]
    return side_data(game, g, owner)["enemy"]["name"]
