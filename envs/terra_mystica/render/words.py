"""A position in words, for text and picture."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from theogony.envs.core.draw.style import seat_does, seat_name, seat_word
from theogony.envs.core.record import ENDED
from theogony.envs.terra_mystica.components import BOARD, BONUS, CULTS, FACTIONS, FAVOR, ROUNDS, SCORES, SCORING, TOWN
from theogony.envs.terra_mystica.state import COLOUR, DECISIONS, LEECH, MAIN, TURN
from theogony.envs.terra_mystica.vocabulary import COUNTED, faction_name

OPEN = {  # what a turn may still ask for, by the field that counts it
    "spades": "{} free spade{s} (to be used before building)",
    "favors_due": "{} favor tile{s} to take", "towns_due": "{} town tile{s} to take",
    "steps_due": "{} cult step{s}", "bridge_due": "a bridge to build", "priests_due": "{} worker{s} may become priests",
    "free_dwelling": "a free dwelling", "free_house": "a free trading house",
    "key_choice": "a key to use on a cult track",
}  # fmt: skip


class Fields:
    """The fields of a record, taken out of it once: where hundreds are asked for, that is most of the time."""

    def __init__(self, g: Any) -> None:
        self.__dict__.update((name, g[name]) for name in g.dtype.names)

    def __getitem__(self, name: str) -> Any:
        return self.__dict__[name]


def fields(g: Any) -> Any:
    """What reads like a record of a position, faster."""
    return g if isinstance(g, Fields) else Fields(g)


def title_of_seat(g: Any, seat: int) -> str:
    """What stands over the board of a seat."""
    return seat_name(seat) if g.faction[seat] < 0 else faction_name(FACTIONS[g.faction[seat]])


def headline(game: Any, g: Any, viewer: int | str | None = None) -> str:
    """Round, scoring tile and what is due, or the result."""
    if g.over:
        return f"game over: {result(game, g)}"
    when = "setup" if g.round_number == 0 else f"round {g.round_number} of 6 ({round_text(game, g)})"
    seat = int(g.actor)
    faction = f" ({title_of_seat(g, seat)})" if g.faction[seat] >= 0 else ""
    return f"{when}: {seat_does(seat, viewer, _due(game, g), name=seat_word(seat, viewer) + faction)}"


def result(game: Any, g: Any) -> str:
    """Who won, with how many points."""
    if g.over != ENDED:
        return "cut off"
    best = max(int(g.vp[s]) for s in range(game.players))
    winners = [title_of_seat(g, s) for s in range(game.players) if g.vp[s] == best]
    return f"{' and '.join(winners)} with {best} points"


def round_text(game: Any, g: Any) -> str:
    """What this round scores, in words."""
    tile, t = int(g.scoring[g.round_number - 1]), game.tables[0]
    what = [COUNTED[SCORES[n - 1]] for n in range(1, 8) if t.score_vp[tile, n]]
    number = int(max(t.score_vp[tile]))
    return f"{number} point{'s' * (number != 1)} a {' or '.join(what)}"


def _due(game: Any, g: Any) -> str:
    """The decision in words."""
    what = game.vocabulary.name("phase", DECISIONS[int(g.decision)])
    if g.decision == LEECH:
        return f"{what}: {offered(game, g)}"
    if g.decision == COLOUR and g.target >= 0:
        return f"{what} for {BOARD.land[g.target]}"
    number = {name: int(g[name]) for name in OPEN}
    due = [text.format(n, s="s" if n > 1 else "") for name, text in OPEN.items() if (n := number[name]) > 0]
    due += ["another action after this one"] if g.turns_left > 1 else []
    due += ["its action is taken, left are conversions and what was begun"] if g.decision == TURN and not due else []
    return f"{what}: {', '.join(due)}" if due and g.decision in (MAIN, TURN) else what


def offered(game: Any, g: Any) -> str:
    """What an offer of power brings and costs the seat that is asked: `2 of the 3 power of the Nomads, for 1 point`.

    The same as `can_take` and `price_of` in `rules/legal.py`, which are compiled and read whole records (§8, R26).
    """
    seat, offer, both = int(g.actor), int(g.offer_power[g.offer_next]), bool(game.tables[0].both_caps)
    room, points = 2 * int(g.bowls[seat, 0]) + int(g.bowls[seat, 1]), int(g.vp[seat]) + 1
    gained = 0 if both and points < offer <= room else min(offer, room, points)
    price = min(offer - 1, points - 1) if both else gained - 1
    whose = f"power of the {title_of_seat(g, int(g.turn))}"
    if gained <= 0:
        return f"none of the {offer} {whose} unless something is converted"
    much = f"{offer} {whose}" if gained == offer else f"{gained} of the {offer} {whose}"
    return f"{much}, {f'for {price} point' + 's' * (price != 1) if price else 'for nothing'}"


def scoring_text(game: Any, g: Any, k: int) -> str:
    """The scoring tile of a round by its name, in this round with what it does."""
    tile = game.vocabulary["scoring tile", SCORING[int(g.scoring[k])]]
    does = tile.does if g.round_number < ROUNDS else tile.does.partition("; at the end of the round")[0]
    return f"{tile.name} ({does})" if k + 1 == g.round_number else tile.name


def tile_names(game: Any, g: Any, seat: int) -> list[str]:
    """Bonus card, favor and town tiles of a seat."""
    called = game.vocabulary.name
    names = [] if g.card[seat] < 0 else [called("bonus card", BONUS[g.card[seat]])]
    names += [called("favor tile", key) for k, key in enumerate(FAVOR) if g.favors[seat, k]]
    for k, key in enumerate(TOWN):
        if number := int(g.towns[seat, k]):
            names.append(f"{number} × {called('town tile', key)}" if number > 1 else called("town tile", key))
    return names


# ---- A decision as those hear it who look on ---------------------------------------------------------------------

YOURS, THEIRS = "to your colour", "to their own colour"


def move_text(game: Any, before: Any, action: int, after: Any, who: int | str | None) -> str:
    """A move in words; `your` is said to who makes it, and to nobody else. All of it is open."""
    said = game.vocabulary.say(game.actions, action, int(before.decision))
    return said if who == int(before.actor) else said.replace(YOURS, THEIRS)


# ---- Where in the picture an action is made ----------------------------------------------------------------------

PLACES = {  # by kind of action, with its arguments
    "setup": "faction {}",
    "build": "space {}",
    "transform": "space {}",
    "transform partly": "space {}",
    "to": "colour {}",
    "upgrade": "space {}",
    "bridge": "bridge {}",
    "connect": "space {}",
    "advance": "seat {seat} {}",
    "power action": "power {}",
    "convert": "seat {seat} goods",
    "priest": "seat {seat} goods",
    "burn": "seat {seat} bowls",
    "favor": "favor {}",
    "town": "town {}",
    "cult": "cult {}",
    "leech": "seat {seat} bowls",
    "leech more": "seat {seat} bowls",
    "pass with": "card {}",
}
SPOTS_OF = {3: (0,), 2: (1, 2, 3), 1: (4,)}  # of a cult track, by the steps that they give


def places(game: Any, g: Any, action: int) -> Sequence[str]:
    """The names of the places where an action of the acting seat is clicked; none for passing, declining and done."""
    kind, arguments = game.actions.decode(action)
    seat = int(g.actor)
    if kind == "send":
        track, steps = arguments
        return [f"priest {track} {k}" for k in SPOTS_OF[int(steps)] if k == 4 or g.spots[CULTS.index(track), k] < 0]
    if kind == "special action":
        name = str(arguments[0])
        return (f"card {name}" if name.startswith("BON") else f"seat {seat} {name}",)
    if kind == "convert" and "PW" in str(arguments[0]):
        return (f"seat {seat} bowls",)
    return (PLACES[kind].format(*arguments, seat=seat),) if kind in PLACES else ()
