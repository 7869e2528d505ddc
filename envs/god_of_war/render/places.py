"""Where in the picture an action is made: on the card that is played, and on what it is aimed at."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from theogony.envs.god_of_war.actions import play_names
from theogony.envs.god_of_war.components.pieces import COLUMNS, FIGURES
from theogony.envs.god_of_war.components.tables import plays
from theogony.envs.god_of_war.vocabulary.effects import slot_name

PLACES = {  # by kind of action, with its arguments
    "hero": "hero {}",
    "place": "stand {} {}",
    "skill": "skill {}",
    "ask": "figure mimir",
    "target": "scene {}",
    "figure": "figure {}",
    "pay": "hand {seat} {}",
    "step": "stand {} {}",
    "commit": "pending",
    "column": "column {}",
    "top": "look {}",
    "bottom": "look {}",
    "take": "upgrade {}",
    "remove": "discard {seat} {}",
    "choose": "scenario {}",
}


def places(game: Any, g: Any, action: int) -> Sequence[str]:
    """The names of the places where an action of the acting seat is clicked; none for passing and ending."""
    kind, arguments = game.actions.decode(action)
    seat = int(g.actor)
    if kind in PLACES:
        return (PLACES[kind].format(*arguments, seat=seat),)
    if kind in ("add", "block"):
        return (f"hand {seat} {_design(game, arguments[0])}",)
    if kind not in ("move", "attack", "special", "rage", "interact"):
        return ()
    figure = int(game.tables[0].first_figure[int(g.heroes[seat])]) + (arguments[0] == "second")
    if kind == "move":
        return (f"stand {arguments[1]} {arguments[2]}",)
    if kind == "rage":
        return (f"rage {FIGURES[figure]}",)
    if kind == "special":
        return (f"hand {seat} {_design(game, arguments[1])}",)
    slot = slot_name(slot_of(g, figure, str(arguments[1])))
    if kind == "interact":
        return (f"interaction {slot} {arguments[2]}",)
    return f"scene {slot}", f"hand {seat} {_design(game, arguments[2])}"


def _design(game: Any, play: Any) -> str:
    """The card that an option belongs to."""
    return plays(game.components)[play_names(game.components).index(str(play))][0]


def slot_of(g: Any, figure: int, row: str) -> int:
    """The scene card above a figure; Mimir's are those of his bearer."""
    column = int(g.column[figure])
    if column < 0:
        column = int(g.column[int(g.bearer)])
    return COLUMNS * ("top", "bottom").index(row) + column
