"""The range of every field of the state: what bytes from a file must keep to before the rules see them."""

from __future__ import annotations

from theogony.envs.core.game import Game
from theogony.envs.core.untrusted.ranges import Ranges, any_value, set_of, two_words
from theogony.envs.terra_mystica.components import (
    BONUS,
    BRIDGES,
    COLOURS,
    CULTS,
    FACTIONS,
    FAVOR,
    LAND,
    LIMITS,
    MAX_PLAYERS,
    PRIESTS,
    REACHES,
    RIVER,
    ROUNDS,
    SA,
    SCORING,
    SITES,
    TOP,
)
from theogony.envs.terra_mystica.state import CULT_SPADES, DRAFT, NONE, NOT_IN_GAME, QUEUE, SANDSTORM

FLAG, COUNT, SMALL = (0, 1), (0, 2**15 - 1), (0, 2**7 - 1)
SEAT, SPACE = (NONE, MAX_PLAYERS - 1), (NONE, LAND - 1)
LANDS = two_words(LAND)


def ranges(game: Game) -> Ranges:
    """Lowest and highest value of each field; -1 is nothing."""
    return _board() | _seats(game) | _turn()


def _board() -> Ranges:
    return {
        "decision": (DRAFT, CULT_SPADES),
        "round_number": (0, ROUNDS),
        "setup_step": SMALL,
        "scoring": (0, len(SCORING) - 1),
        "card_place": (NOT_IN_GAME, MAX_PLAYERS - 1),
        "card_coins": SMALL,
        "card": (NONE, len(BONUS) - 1),
        "town_supply": SMALL,
        "favor_supply": SMALL,
        "power_used": FLAG,
        "terrain": (0, len(COLOURS) - 1),
        "colour": LANDS,
        "building": (0, SA),
        "taken": LANDS,
        "bridges": set_of(SITES),
        "bridge_owner": SEAT,
        "spots": SEAT,
        "order": SEAT,
        "next_order": SEAT,
        "passed_count": (0, MAX_PLAYERS),
    }


def _seats(game: Game) -> Ranges:
    return {
        "faction": (NONE, len(FACTIONS) - 1),
        "passed": FLAG,
        "vp": any_value(game.state["vp"]),
        "vp_from": any_value(game.state["vp_from"]),
        "coins": COUNT,
        "workers": COUNT,
        "priests": (0, PRIESTS),
        "priests_away": (0, PRIESTS),
        "bowls": SMALL,
        "cult": (0, TOP),
        "keys": SMALL,
        "ship": (0, REACHES - 1),
        "dig": (0, 2),
        "built": (0, max(LIMITS)),
        "bridges_left": (0, BRIDGES),
        "favors": (0, len(FAVOR)),
        "towns": SMALL,
        "specials_used": FLAG,
        "own": LANDS,
        "near": LANDS,
        "far": LANDS,
        "in_town": LANDS,
        "area": (0, LAND),
        "river_towns": set_of(RIVER),
        "river_sites": set_of(RIVER),
    }


def _turn() -> Ranges:
    return {
        "turns_left": (NONE, 2**7 - 1),
        "spades": SMALL,
        "spade_use": (0, SANDSTORM),
        "target": SPACE,
        "turned": (-3, 3),
        "brought": FLAG,
        "first": SPACE,
        "tunnelled": SMALL,
        "sites": LANDS,
        "free_dwelling": FLAG,
        "free_house": FLAG,
        "favors_due": SMALL,
        "towns_due": SMALL,
        "steps_due": SMALL,
        "bridge_due": SMALL,
        "priests_due": SMALL,
        "stopped": SMALL,
        "connecting": FLAG,
        "key_choice": (0, len(CULTS)),
        "offer_seat": SEAT,
        "offer_power": SMALL,
        "offer_count": (0, QUEUE),
        "offer_next": (0, QUEUE),
        "offer_taken": FLAG,
        "offer_declined": FLAG,
        "spades_due": SMALL,
    }
