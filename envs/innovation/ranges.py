"""The range of every field of the state: what bytes from a file must keep to before the rules see them."""

from __future__ import annotations

from typing import Any

import numpy as np

from theogony.envs.core.game import Game
from theogony.envs.core.untrusted.ranges import Ranges, set_of, two_words
from theogony.envs.innovation.cards.opcodes import ACTIVE, IT, ME, NUMBERS, OTHER
from theogony.envs.innovation.components import CARDS, ICONS, MAX_PLAYERS, UP
from theogony.envs.innovation.state import DECISIONS, ENDINGS, EVERYWHERE, FRAMES, NONE, PILES

FLAG, SMALL, COUNT = (0, 1), (0, 2**7 - 1), (0, 2**15 - 1)
CARD, SETS, SEATS = (NONE, CARDS - 1), two_words(CARDS), set_of(MAX_PLAYERS)
SEAT = (NONE, MAX_PLAYERS - 1)


def ranges(game: Game) -> Ranges:
    """Lowest and highest value of each field; -1 is nothing."""
    return _cards(game) | _turn(game) | _effects(game)


def _cards(game: Game) -> Ranges:
    return {
        "hand": SETS,
        "scored": SETS,
        "shown": SETS,
        "tops": SETS,
        "known": SETS,
        "mixed": SETS,
        "icons": set_of(8 * len(ICONS)),
        "place": (0, EVERYWHERE - 1),
        "below": CARD,
        "top": CARD,
        "bottom": CARD,
        "height": (0, CARDS),
        "splay": (0, UP),
        "points": COUNT,
        "achievements": SMALL,
        "period": (-2, MAX_PLAYERS - 1),
        "special": SEAT,
        "tucks": SMALL,
        "scores": SMALL,
        "dirty": SEATS,
    }


def _turn(game: Game) -> Ranges:
    return {
        "decision": (0, len(DECISIONS) - 1),
        "answer": (0, game.actions.size),
        "options": (0, 2**64 - 1),
        "meld_choice": (0, CARDS),
        "actions_left": SMALL,
        "action_count": COUNT,
        "short_turns": SMALL,
        "dogma": CARD,
        "ended_by": (0, len(ENDINGS) - 1),
        "winners": SEATS,
        "exchange": (0, 0),  # in use only while a position is redrawn
        "lists": (0, 0),
    }


def _effects(game: Game) -> Ranges:
    tables = game.tables[0]
    return {
        "effect": (NONE, tables.first_row.shape[1]),
        "offset": SMALL,
        "performer": SEAT,
        "victims": SEATS,
        "sharers": SEATS,
        "demanding": FLAG,
        "hit": FLAG,
        "bonus": FLAG,
        "had_bonus": FLAG,
        "tally": SMALL,
        "aim": SMALL,
        "least": SMALL,
        "most": SMALL,
        "reordered": (0, PILES),
        "depth": (0, FRAMES),
        "pc": (0, len(tables.code)),
        "frame_card": CARD,
        "frame_effect": (NONE, tables.first_row.shape[1]),
        "nested": FLAG,
        "num": _registers(),
        "sets": SETS,
    }


def _registers() -> tuple[Any, Any]:
    """Those that always hold a player or a card; the others hold whatever an effect counts or chooses."""
    low, high = np.full(NUMBERS, -(2**15)), np.full(NUMBERS, 2**15 - 1)
    for register, last in ((OTHER, MAX_PLAYERS - 1), (ME, MAX_PLAYERS - 1), (ACTIVE, MAX_PLAYERS - 1), (IT, CARDS - 1)):
        low[register], high[register] = NONE, last
    return low, high
