"""Where in the picture an action is made."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from theogony.envs.innovation.actions import CARD_AT, name_of
from theogony.envs.innovation.components import COLOURS, MAX_PLAYERS
from theogony.envs.innovation.state import HANDS, NONE, SCORES, SHOWN, SIDE, SUPPLY


def places(game: Any, g: Any, action: int) -> Sequence[str]:
    """The names of the places where an action of the acting seat is clicked; none for stopping and for answers."""
    kind, arguments = game.actions.decode(action)
    seat = int(g.actor)
    if kind == "card":
        return _of_card(game, g, action - CARD_AT)
    if kind == "dogma":
        top = int(g.top[seat * SIDE + COLOURS.index(str(arguments[0]))])
        return _of_card(game, g, top) if top != NONE else ()
    if kind == "pair":
        return [f"pile {seat} {colour}" for colour in str(arguments[0]).split("+")]
    if kind in ("player", "back"):
        other = (seat + int(arguments[0])) % game.players
        return (
            (f"seat {other}",) if kind == "player" else [f"{a} {other} back {arguments[1]}" for a in ("hand", "score")]
        )
    names = {"draw": "supply", "achieve": "achievement {}", "colour": "pile {seat} {}", "value": "supply {}"}
    return (names[kind].format(*arguments, seat=seat),) if kind in names else ()


def _of_card(game: Any, g: Any, card: int) -> Sequence[str]:
    """The place of a card: a pile of a board, a hand, a score pile."""
    where = int(g.place[card])
    if where < SUPPLY:
        seat, colour = divmod(where, SIDE)
        return (f"pile {seat} {COLOURS[colour]} {name_of(game, card)}",)
    for first, name in ((HANDS, "hand"), (SCORES, "score")):
        if first <= where < first + MAX_PLAYERS:
            return (f"{name} {where - first} {name_of(game, card)}",)
    return (f"hand {where - SHOWN} {name_of(game, card)}",) if SHOWN <= where < SHOWN + MAX_PLAYERS else ()
