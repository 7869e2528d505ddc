"""The actions of Innovation: small decisions. Other players are named by their distance clockwise."""

from __future__ import annotations

import functools
import itertools
from typing import Any

from theogony.envs.core.actions import ActionCodec, Block
from theogony.envs.core.game import Game, read_components
from theogony.envs.innovation.components import AGES, CARDS, COLOURS, DEFAULT_CARDS, MAX_PLAYERS

NAMES = [card["name"] for card in read_components(DEFAULT_CARDS)["cards"]]
PAIRS = [f"{a}+{b}" for a, b in itertools.combinations(COLOURS, 2)]
LEFT_SEATS = range(1, MAX_PLAYERS)  # seats to the left of the one who decides
VALUES = range(1, AGES + 1)


@functools.cache
def codec_of(names: tuple[str, ...]) -> ActionCodec:
    """The actions with cards of these names."""
    return ActionCodec(
        Block("card", names, text="card {}"),  # meld it, as an action; else choose it for the effect
        Block("stop", text="stop", ends=True),  # decline, or no more
        Block("draw", text="draw"),
        Block("dogma", COLOURS, text="dogma of {}"),
        Block("achieve", range(1, AGES), text="achieve {}"),
        Block("colour", COLOURS, text="colour {}"),
        Block("player", LEFT_SEATS, text="player {} to the left"),
        Block("value", VALUES, text="value {}"),
        Block("answer", ["no", "yes"], text="{}"),
        Block("alternative", ["a", "b"], text="alternative {}"),
        Block("pair", PAIRS, text="colours {}"),
        Block("back", LEFT_SEATS, VALUES, text="a {1} of player {0} to the left"),
    )


def name_of(game: Game, card: Any) -> str:
    """What a card is called."""
    return game.components["cards"][int(card)]["name"]


CODEC = codec_of(tuple(NAMES))
CARD_AT = CODEC.first["card"]
STOP_AT, DRAW_AT, DOGMA_AT, ACHIEVE_AT = (CODEC.first[kind] for kind in ("stop", "draw", "dogma", "achieve"))
COLOUR_AT, PLAYER_AT, VALUE_AT, ANSWER_AT = (CODEC.first[kind] for kind in ("colour", "player", "value", "answer"))
ALTERNATIVE_AT, PAIR_AT, BACK_AT = (CODEC.first[kind] for kind in ("alternative", "pair", "back"))
assert CARD_AT == 0 and STOP_AT == CARDS and BACK_AT - STOP_AT <= 64 and CODEC.size - BACK_AT <= 64
