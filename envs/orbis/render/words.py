"""What text and picture say alike: points, worshippers and the state of the game in words."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from theogony.envs.core.draw.style import Viewer, seat_does, seat_word, seats_do
from theogony.envs.orbis.actions import CELL_NAMES, UPPER_CELLS
from theogony.envs.orbis.breakdown import whole_scoring
from theogony.envs.orbis.components import ANY, COLOUR_NAMES, REGIONS
from theogony.envs.orbis.rules.effects import payable
from theogony.envs.orbis.rules.pyramid import has_slot, open_cells
from theogony.envs.orbis.state import DESTROY, FINISH, GAIN, GIVE, LIMIT, NONE, PAY, PAY_ANY
from theogony.envs.orbis.vocabulary import asked, tile_of

DUE = {PAY_ANY: "pay", GAIN: "gain", GIVE: "discard", DESTROY: "destroy", FINISH: "discard"}  # one by one


def status(game: Any, g: Any, viewer: Viewer = None) -> str:
    """One line: how far the game is and who decides, or who won."""
    rounds = min(int(g.turns) // game.players + 1, REGIONS + 1)
    head = f"round {rounds} of {REGIONS + 1}"
    if not g.over:
        seat, does = int(g.actor), game.vocabulary.name("phase", int(g.decision))
        return f"{head}, {seat_does(seat, viewer, does, name=seat_word(seat, viewer))}"
    return f"{head}, {result(game, g, viewer)}"


def result(game: Any, g: Any, viewer: Viewer = None) -> str:
    """Who won, with the tie-break where it decided."""
    if g.over != 1:
        return "cut off"
    found = whole_scoring(game, g)
    how = ", by worshippers left" if found["final"]["decided_by"] == "worshippers" else ""
    return seats_do(found["winners"], viewer, "wins", "share the win") + how


def reasons(seat: dict[str, Any]) -> list[str]:
    """The points of a seat by reason, one short phrase each; `seat` is an entry of the breakdown."""
    paying: dict[str, list[int]] = {}
    for tile in seat["tiles"]:
        if tile["face"] == "up" and tile["cp"]:
            paying.setdefault(tile["type"], []).append(tile["cp"])
    found = [f"{kind.replace('_', ' ')} {'+'.join(map(str, points))}" for kind, points in paying.items()]
    if seat["wilderness"]:
        found.append(f"{seat['wilderness']} wilderness {seat['wilderness_cp']}")
    if seat["god"]["id"]:
        found.append(f"{seat['god']['id'].replace('_', ' ')} {seat['god']['cp']}")
    if seat["temple_rank"]:
        found.append(f"temples {seat['temple_token']}")
    return found


def still_due(g: Any) -> str:
    """How many worshippers the decision still asks for, `still to pay: 2 of any colour`; "" for none."""
    if g.over or int(g.decision) not in DUE:
        return ""
    numbers = dict(zip((*COLOUR_NAMES, "any"), map(int, g.due), strict=True))
    if g.decision == FINISH:
        numbers = {"any": int(g.realm[int(g.actor)].sum()) - LIMIT}
    words = asked({name: number for name, number in numbers.items() if number > 0})
    return f"still to {DUE[int(g.decision)]}: {words}" if words else ""


def kept_from(game: Any, g: Any) -> str:
    """Why the tile that was taken cannot be kept face-up as things are; "" where it can, or that is decided."""
    if g.over or g.decision != PAY:
        return ""
    t, seat, tile = game.tables[0], int(g.actor), int(g.hand)
    if not has_slot(g, seat, int(t.colour[tile])):
        return f"no place where {COLOUR_NAMES[int(t.colour[tile])]} may lie"
    return "" if payable(g, t, seat, tile) else "it cannot be paid"


def open_name(g: Any, seat: int, cell: int) -> str:
    """The name of a cell of a pyramid where a tile may come to stand on two others (rules §4), else nothing."""
    return CELL_NAMES[cell] if cell in UPPER_CELLS and open_cells(g, seat, ANY) >> cell & 1 else ""


# ---- Where in the picture an action is made ----------------------------------------------------------------------

PLACES = {  # by kind of action, with its arguments
    "take tile": "display {}", "take god": "god {}", "face up": "hand", "wilderness": "hand", "destroy": "display {1}",
    **dict.fromkeys(("exchange", "pay", "place", "gain", "discard"), "seat {seat} {0}"),
}  # fmt: skip


def places(game: Any, g: Any, action: int) -> Sequence[str]:
    """The names of the places where an action of the acting seat is clicked; none for declining and ending the turn."""
    kind, arguments = game.actions.decode(action)
    return (PLACES[kind].format(*arguments, seat=int(g.actor)),) if kind in PLACES else ()


# ---- A decision with what lies where it is made ------------------------------------------------------------------


def move_text(game: Any, before: Any, action: int, after: Any, who: Any) -> str:
    """A move in words, a tile by its colour and place: `take the blue tile at a1`. All of it is open."""
    kind, arguments = game.actions.decode(action)
    if kind == "take tile":
        tile = int(before.display[action - game.actions.first[kind]])
        if tile != NONE:
            return f"take the {tile_of(game, tile)['colour']} tile at {arguments[0]}"
    return game.vocabulary.say(game.actions, action, int(before.decision))
