"""A decision with what it is aimed at."""

from __future__ import annotations

from typing import Any

from theogony.envs.god_of_war import codes
from theogony.envs.god_of_war.components.pieces import COLUMNS
from theogony.envs.god_of_war.render.places import slot_of
from theogony.envs.god_of_war.render.words import Seat, owner_of, present_slots, side_data
from theogony.envs.god_of_war.vocabulary.effects import slot_name


def move_text(game: Any, before: Any, action: int, after: Any, who: Seat) -> str:
    """A move in words, an attack, a target or an interaction with what lies there. All of it is open."""
    kind, arguments = game.actions.decode(action)
    said = game.vocabulary.say(game.actions, action, int(before.decision))
    if kind == "target":
        slot = next((s for s in present_slots(game, before) if slot_name(s) == str(arguments[0])), codes.NONE)
        return f"target {_called(game, before, slot)} ({arguments[0]})" if slot != codes.NONE else said
    if kind not in ("attack", "interact"):
        return said
    figure = int(game.tables[0].first_figure[int(before.heroes[int(before.actor)])]) + (arguments[0] == "second")
    slot = slot_of(before, figure, str(arguments[1]))
    if slot not in present_slots(game, before) or slot >= 2 * COLUMNS:
        return said
    named = _called(game, before, slot)
    if kind == "interact":
        boxes = side_data(game, before, slot).get("interactions") or []
        box = boxes[int(arguments[2]) - 1].get("name") if int(arguments[2]) <= len(boxes) else None
        return said if not box else f"{game.vocabulary.name('role', arguments[0])} interacts: {box} ({arguments[1]})"
    return said.replace(f"the {arguments[1]} card", f"{named} ({arguments[1]})")


def _called(game: Any, g: Any, slot: int) -> str:
    """The enemy that is seen on a card, or the card."""
    owner = owner_of(game, g, slot)
    if owner == codes.NONE:
        return side_data(game, g, slot)["name"]
    return side_data(game, g, owner)["enemy"]["name"]
