"""The words in which the cards are written: areas, filters, quantifiers, verbs, conditions and numbers.

An effect is a sequence of statements; a word only builds a node of an expression tree and checks what it is given, so
a mistake in a card is an error at import. `compiler` turns the trees into rows for the interpreter, `wording` turns
them into sentences. P is the player who performs (V in a demand: the same register), A whose turn it is, Q the other
player of a `for_each_other`.

Every verb leaves behind `it` (the last card), `moved` (all of its cards) and `done` (how many; 0 after a decline).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from theogony.envs.innovation.cards import opcodes as op
from theogony.envs.innovation.cards.expressions import (
    Cards,
    Colour,
    Colours,
    Every,
    Filter,
    Number,
    OneCard,
    P,
    Player,
    Players,
    Some,
    cards,
    number,
    typed,
)
from theogony.envs.innovation.components import COLOURS, ICONS

V = P
A = Player("register", (op.ACTIVE,))
Q = Player("register", (op.OTHER,))
done = Number("register", (op.DONE,))
it = OneCard("register", (op.IT,))
chosen_value = Number("register", (op.CHOSEN,))
chosen_player = Player("register", (op.CHOSEN,))
chosen_colour = Colour("register", (op.CHOSEN,))
chosen_colours = Colours("register", (op.CHOSEN,))
remembered = Number("register", (op.REMEMBERED,))
remembered_colour = Colour("register", (op.REMEMBERED,))
demand_moved = Number(op.DEMAND_MOVED)
BLUE, RED, GREEN, YELLOW, PURPLE = (Colour("const", (i,)) for i in range(len(COLOURS)))
any_colour = Colours("const", (31,))
other_players = Players(op.OTHER_PLAYERS)


@dataclass(frozen=True)
class Metric:
    """Something that every player has a number of."""

    name: str
    code: int


CASTLES, CROWNS, LEAVES, BULBS, FACTORIES, CLOCKS = (Metric(icon, i) for i, icon in enumerate(ICONS))
POINTS = Metric("points", op.POINTS)
ACHIEVEMENTS = Metric("achievements", op.ACHIEVEMENTS)
TALLY = Metric("tally", op.TALLIED)
COLOURS_ON_BOARD = Metric("colours", op.COLOUR_COUNT)


def have(metric: Metric, who: Player = P) -> Number:
    """How much of it a player has: visible icons, points, achievements, the tally of this action, colours."""
    return Number(op.METRIC, (metric.code, typed(who, Player)))


def most_other(metric: Metric) -> Number:
    return Number(op.MOST_OTHER, (metric.code,))


def least_anywhere(metric: Metric) -> Number:
    return Number(op.LEAST, (metric.code,))


def anybody_with_more(metric: Metric, than: Metric) -> Number:
    """1 when some player has more of the one than of the other."""
    return Number(op.ANYBODY_MORE, (metric.code, than.code))


def others_with_less(metric: Metric) -> Players:
    return Players(op.BELOW, (metric.code,))


def colours(who: Player = P) -> Colours:
    return Colours(op.COLOURS_OF, (typed(who, Player),))


def colours_missing(who: Player) -> Colours:
    return any_colour - colours(who)


colours_elsewhere = Colours(op.COLOURS_ELSEWHERE)


def splayed(direction: int) -> Colours:
    """P's colours that are splayed in a direction."""
    return Colours(op.SPLAYED, (P, direction))


def just(colour: Colour) -> Colours:
    return Colours(op.BIT, (typed(colour, Colour),))


def how_many(of: Colours | Players) -> Number:
    return Number(op.HOW_MANY, (of,))


def pile_size(colour: Colour, of: Player = P) -> Number:
    return Number(op.PILE_SIZE, (typed(of, Player), typed(colour, Colour)))


def count(of: Any) -> Number:
    return Number(op.COUNT, (cards(of),))


def highest_value(of: Any) -> Number:
    return Number(op.TOP_VALUE, (cards(of),))


def distinct_values(of: Any) -> Number:
    return Number(op.DISTINCT_VALUES, (cards(of),))


def distinct_colours(of: Any) -> Number:
    return Number(op.DISTINCT_COLOURS, (cards(of),))


# ---------------------------------------------------------------------------------------------------- sets of cards


castle, crown, leaf, bulb, factory, clock = (Filter(icon, lambda c, i=icon: i in c["icons"]) for icon in ICONS)
blue, red, green, yellow, purple = (
    Filter(name, lambda c, n=name: c["colour"] == n, mask=1 << i) for i, name in enumerate(COLOURS)
)


def value(v: int | Number) -> Filter:
    if isinstance(v, int):
        return Filter(f"value {v}", lambda c: c["age"] == v)
    return Filter("value", family="value", index=number(v))


def values(first: int, last: int) -> Filter:
    """Values from first to last."""
    return Filter(f"value {first} to {last}", lambda c: first <= c["age"] <= last)


def of_colour(colour: Colour) -> Filter:
    return Filter("colour", family="colours", index=just(colour))


def of_colours(which: Colours) -> Filter:
    return Filter("colours", family="colours", index=typed(which, Colours))


def named(*names: str) -> Filter:
    return Filter(" or ".join(names), lambda c: c["name"] in names)


hand = Cards(op.AREA, (op.HAND, P))
score_pile = Cards(op.AREA, (op.SCORE, P))
top_cards = Cards(op.AREA, (op.TOPS, P))
all_top_cards = Cards(op.AREA_OF_ALL, (op.TOPS, None))
other_top_cards = Cards(op.AREA_OF_ALL, (op.TOPS, P))
all_score_piles = Cards(op.AREA_OF_ALL, (op.SCORE, None))
other_score_piles = Cards(op.AREA_OF_ALL, (op.SCORE, P))
shown_cards = Cards(op.AREA, (op.REVEALED, P))
hand_and_shown = Cards(op.AREA, (op.HAND_AND_REVEALED, P))
moved = Cards(op.COPY, (op.MOVED,))
first_group = Cards(op.COPY, (op.GROUP_1,))
second_group = Cards(op.COPY, (op.GROUP_2,))


def pile(colour: Colour, of: Player = P) -> Cards:
    return Cards(op.PILE, (typed(of, Player), typed(colour, Colour)))


def top(colour: Colour, of: Player = P) -> Cards:
    return Cards(op.TOP, (typed(of, Player), typed(colour, Colour)))


def bottom(colour: Colour, of: Player = P) -> Cards:
    return Cards(op.BOTTOM, (typed(of, Player), typed(colour, Colour)))


# ---------------------------------------------------------------------------------------------------- quantifiers


def exactly(n: int | Number, of: Any, flags: int = 0) -> Some:
    """That many, or as many as there are."""
    return Some(cards(of), number(n), number(n), flags)


def one(of: Any) -> Some:
    return exactly(1, of)


def between(least: int, most: int, of: Any) -> Some:
    return Some(cards(of), number(least), number(most))


def any_number(of: Any) -> Some:
    return between(1, 127, of)


def each(of: Any) -> Some:
    """All of them, in an order that the chooser picks."""
    return exactly(127, of)


def highest(n: int, of: Any) -> Some:
    """The n highest; only ties are chosen."""
    return exactly(n, of, op.TAKE_HIGHEST)


def every(of: Any) -> Every:
    return Every(cards(of))
