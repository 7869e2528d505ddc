"""The actions of Innovation: small decisions. Other players are named by their distance clockwise."""

from __future__ import annotations

import itertools

from theogony.envs.core.actions import ActionCodec, Block
from theogony.envs.core.game import read_components
from theogony.envs.innovation.components import AGES, CARDS, COLOURS, DEFAULT_CARDS, MAX_PLAYERS

NAMES = [card["name"] for card in read_components(DEFAULT_CARDS)["cards"]]
PAIRS = [f"{a}+{b}" for a, b in itertools.combinations(COLOURS, 2)]
LEFT_SEATS = range(1, MAX_PLAYERS)  # seats to the left of the one who decides
VALUES = range(1, AGES + 1)

CODEC = ActionCodec(
    Block(
        "card",
        NAMES,
        text="card {}",
        does="As your action: melds the card, on top of its colour. In an effect: this is the card that it asks for.",
    ),  # meld it, as an action; else choose it for the effect
    Block("stop", text="stop", does="Declines, or chooses no more."),  # decline, or no more
    Block("draw", text="draw", does="Draws a card of your highest top value."),
    Block(
        "dogma",
        COLOURS,
        text="dogma of {}",
        does="Uses the top card of this colour: a demand strikes who has fewer of its icon, the others share effects.",
    ),
    Block(
        "achieve",
        range(1, AGES),
        text="achieve {}",
        does="Claims the achievement of this age, for enough points and a top card as high; nothing is paid.",
    ),
    Block("colour", COLOURS, text="colour {}", does="Chooses this colour for the effect."),
    Block("player", LEFT_SEATS, text="player {} to the left", does="Chooses this player for the effect."),
    Block("value", VALUES, text="value {}", does="Chooses this value for the effect."),
    Block("answer", ["no", "yes"], text="{}", does="Answers what the effect asks."),
    Block("alternative", ["a", "b"], text="alternative {}", does="Chooses one of two ways of the effect."),
    Block("pair", PAIRS, text="colours {}", does="Chooses these two colours for the effect."),
    Block(
        "back",
        LEFT_SEATS,
        VALUES,
        text="a {1} of player {0} to the left",
        does="Chooses a card of which only the back is seen; chance takes one of the cards with that back.",
    ),
)
CARD_AT = CODEC.first["card"]
STOP_AT, DRAW_AT, DOGMA_AT, ACHIEVE_AT = (CODEC.first[kind] for kind in ("stop", "draw", "dogma", "achieve"))
COLOUR_AT, PLAYER_AT, VALUE_AT, ANSWER_AT = (CODEC.first[kind] for kind in ("colour", "player", "value", "answer"))
ALTERNATIVE_AT, PAIR_AT, BACK_AT = (CODEC.first[kind] for kind in ("alternative", "pair", "back"))
assert CARD_AT == 0 and STOP_AT == CARDS and BACK_AT - STOP_AT <= 64 and CODEC.size - BACK_AT <= 64
