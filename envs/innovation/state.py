"""The state record, the kinds of decision, the places of cards and the options."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from theogony.envs.core.game import PackOptions
from theogony.envs.core.record import header, record_dtype
from theogony.envs.core.untrusted.models import Field
from theogony.envs.innovation.cards.opcodes import NUMBERS, SETS
from theogony.envs.innovation.components import AGES, CARDS, COLOURS, DEFAULT_CARDS, MAX_PLAYERS, SPECIALS

# kinds of decision
INITIAL_MELD, ACTION, CARD, SPLAY_COLOUR, COLOUR, PLAYER, VALUE, YES_NO, ALTERNATIVE, PAIR, PILE, ORDER = range(12)
DECISIONS = (
    "first meld", "action", "card", "splay", "colour", "player", "value", "yes or no", "alternative", "two colours",
    "pile to reorder", "next card of the pile",
)  # fmt: skip

SIDE = len(COLOURS)  # piles of a board

# places of a card: board piles (seat * 5 + colour), supply piles (by age), then the areas of each seat
SUPPLY = MAX_PLAYERS * SIDE
PILES = SUPPLY + AGES
HANDS, SCORES, SHOWN = (PILES + MAX_PLAYERS * k for k in range(3))
UNCLAIMED = PILES + 3 * MAX_PLAYERS  # age achievements, face down
CLAIMED = UNCLAIMED + 1
REMOVED = CLAIMED + MAX_PLAYERS
EVERYWHERE = REMOVED + 1

# ways in which a game ends (rules §8)
BY_ACHIEVEMENTS, BY_POINTS, BY_CARD = 1, 2, 3
ENDINGS = ("", "achievements", "points", "card")

FRAMES = 3  # Self Service below another card and one to spare; the others replace their own frame
NONE = -1

# entries of the log of movements: what (a card, or one of these), from where, to where (-1 - pile: beneath it)
LOG_SPECIAL, LOG_SPLAY, LOG_REORDER, LOG_REMOVE = CARDS, CARDS + len(SPECIALS), CARDS + 6, CARDS + 7
LOG_ENTRIES = 128  # the longest decision ever seen moved 30 cards


class Options(PackOptions):
    """Options of Innovation."""

    players: int = 2
    max_decisions: int = Field(
        default=2000, ge=0, description="number of decisions after which a game is truncated; 0: never"
    )
    card_file: Path = Field(default=DEFAULT_CARDS, description="JSON file with another card list")


def state_dtype(longest: int, log: bool = False) -> np.dtype:
    """The state record. Sets of cards are two words of 64 bits; piles are chains from the top card down.

    `longest`: cards of the age or colour that has the most. With `log` it keeps the movements since the last decision,
    for those who follow a game from outside; no position of play does.
    """
    movements = (("log", "i2", (1 + 3 * LOG_ENTRIES,)),) if log else ()  # their number, then entry by entry
    return record_dtype(
        *header(),
        ("answer", "i2"),  # action that an effect waits for, plus 1; 0: none
        ("options", "u8", (4,)),  # legal actions as bits: cards in two words, then the small ones, then backs
        ("hand", "u8", (MAX_PLAYERS, 2)),  # each hand
        ("scored", "u8", (MAX_PLAYERS, 2)),  # each score pile
        ("shown", "u8", (MAX_PLAYERS, 2)),  # in the open, inside an effect
        ("tops", "u8", (MAX_PLAYERS, 2)),  # top cards of the board
        ("known", "u8", (MAX_PLAYERS, 2)),  # cards whose present place a seat knows
        ("mixed", "u8", (2,)),  # covered cards of which only the owner knows where in the pile they lie
        ("icons", "u8", (MAX_PLAYERS,)),  # visible icons, six counts of eight bits
        ("place", "i1", (CARDS,)),  # where each card is, by the numbers of places at the head of `state.py`
        ("below", "i1", (CARDS,)),  # next card down in a pile
        ("top", "i1", (PILES,)),  # top card of every pile: boards (seat by seat, by colour), then supply
        ("bottom", "i1", (PILES,)),  # bottom card
        ("height", "i1", (PILES,)),  # cards in it
        ("splay", "i1", (SUPPLY,)),  # direction of each pile of a board: none, left, right, up
        ("points", "i2", (MAX_PLAYERS,)),  # values in the score pile
        ("achievements", "i1", (MAX_PLAYERS,)),  # how many a seat has claimed
        ("period", "i1", (AGES,)),  # who claimed the age achievement of an age (by age - 1), -1 nobody, -2 absent
        ("special", "i1", (len(SPECIALS),)),  # who claimed a special achievement
        ("tucks", "i1", (MAX_PLAYERS,)),  # cards tucked in this turn (Monument)
        ("scores", "i1", (MAX_PLAYERS,)),  # cards scored in this turn
        ("dirty", "i1"),  # seats whose conditions for special achievements may have changed, as bits
        ("meld_choice", "i1", (MAX_PLAYERS,)),  # secret first melds, plus 1
        ("actions_left", "i1"),  # the running action included
        ("action_count", "i2"),  # actions taken in the game
        ("short_turns", "i1"),  # first turns with one action that are still to come
        ("dogma", "i1"),  # card of the running dogma action, -1 none
        ("effect", "i1"),  # its effect
        ("offset", "i1"),  # how many seats to the left of the active player its performer sits
        ("performer", "i1"),  # who performs it
        ("victims", "i1"),  # seats that must obey the demand, as bits
        ("sharers", "i1"),  # seats that share, as bits
        ("demanding", "i1"),  # whether the running effect is the demand
        ("hit", "i1"),  # whether the demand moved a card
        ("bonus", "i1"),  # whether a sharer changed the game
        ("had_bonus", "i1"),  # how the last dogma action closed: 1 with the sharing bonus
        ("tally", "i1", (MAX_PLAYERS,)),  # cards returned through Democracy in this action
        ("aim", "i1"),  # verb of the choice that is due, or the direction of a splay
        ("least", "i1"),  # cards still to be chosen
        ("most", "i1"),  # and at most
        ("reordered", "i1"),  # pile that is being put in order, plus 1
        ("depth", "i1"),  # frames in use
        ("pc", "i2", (FRAMES,)),  # next row of each frame
        ("frame_card", "i1", (FRAMES,)),  # card that it performs
        ("frame_effect", "i1", (FRAMES,)),  # which effect of it
        ("nested", "i1", (FRAMES,)),  # whether a frame performs a card alone
        ("num", "i2", (FRAMES, NUMBERS)),  # number registers (see cards/opcodes.py)
        ("sets", "u8", (FRAMES, SETS, 2)),  # set registers
        ("ended_by", "i1"),  # achievements, points or card (1 to 3)
        ("winners", "i1"),  # seats that won, as bits
        ("exchange", "i1", (CARDS,)),  # while it is redrawn: the card that comes where each is
        ("lists", "i1", (2, longest)),  # and lists of cards
        *movements,
    )


def pile_of(g: Any, pile: int) -> list[int]:
    """The cards of a pile, top card first. Of a damaged position too, whose cards may lie in a circle, it ends."""
    cards, card = [], int(g.top[pile])
    while card != NONE and len(cards) <= CARDS:
        cards.append(card)
        card = int(g.below[card])
    return cards


def supply_heights(g: Any) -> list[int]:
    """Cards in the supply by age."""
    return [int(n) for n in g.height[SUPPLY : SUPPLY + AGES]]


def cards_in(words: Any) -> list[int]:
    """The card numbers of a set of two words."""
    whole = int(words[0]) | int(words[1]) << 64
    return [card for card in range(CARDS) if whole >> card & 1]
