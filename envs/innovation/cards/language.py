"""The words in which the cards are written: numbers, areas, filters, quantifiers, verbs, control and the whole card.

An effect is a sequence of statements; a word only builds a node of an expression tree and checks what it is given, so
a mistake in a card is an error at import. `rows` turns the trees into rows for the interpreter, `wording` turns
them into sentences. P is the player who performs (V in a demand: the same register), A whose turn it is, Q the other
player of a `for_each_other`.

Every verb leaves behind `it` (the last card), `moved` (all of its cards) and `done` (how many; 0 after a decline).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any, TypeVar

from theogony.envs.innovation.cards import expressions as st
from theogony.envs.innovation.cards import opcodes as op
from theogony.envs.innovation.cards.expressions import Cards, Colour, Colours, Number, P, Player, cards, number, typed
from theogony.envs.innovation.components import COLOURS, ICONS, SPECIALS

V = P
A = Player("register", (op.ACTIVE,))
Q = Player("register", (op.OTHER,))
done = Number("register", (op.DONE,))
it = st.OneCard("register", (op.IT,))
chosen_value = Number("register", (op.CHOSEN,))
chosen_player = Player("register", (op.CHOSEN,))
chosen_colour = Colour("register", (op.CHOSEN,))
chosen_colours = Colours("register", (op.CHOSEN,))
remembered = Number("register", (op.REMEMBERED,))
remembered_colour = Colour("register", (op.REMEMBERED,))
demand_moved = Number(op.DEMAND_MOVED)
BLUE, RED, GREEN, YELLOW, PURPLE = (Colour("const", (i,)) for i in range(len(COLOURS)))
any_colour = Colours("const", (31,))
other_players = st.Players(op.OTHER_PLAYERS)
Made = TypeVar("Made", Number, Colours, st.Players, st.Simple)


def _word(made: type[Made], code: int, *kinds: Callable[[Any], Any]) -> Callable[..., Made]:
    """A word that makes a node of an opcode and its operands: each is checked for its class, or read by a function."""

    def word(*operands: Any) -> Made:
        read = (typed(x, kind) if isinstance(kind, type) else kind(x) for x, kind in zip(operands, kinds, strict=True))
        return made(code, tuple(read))

    return word


class Metric(int):
    """Something that every player has a number of, by its code."""


CASTLES, CROWNS, LEAVES, BULBS, FACTORIES, CLOCKS = map(Metric, range(len(ICONS)))
POINTS, ACHIEVEMENTS, TALLY, COLOURS_ON_BOARD = map(Metric, (op.POINTS, op.ACHIEVEMENTS, op.TALLIED, op.COLOUR_COUNT))


def have(metric: Metric, who: Player = P) -> Number:
    """How much of it a player has: visible icons, points, achievements, the tally of this action, colours."""
    return Number(op.METRIC, (metric, typed(who, Player)))


most_other = _word(Number, op.MOST_OTHER, Metric)
least_anywhere = _word(Number, op.LEAST, Metric)
anybody_with_more = _word(Number, op.ANYBODY_MORE, Metric, Metric)  # 1 when a player has more of the first
others_with_less = _word(st.Players, op.BELOW, Metric)


def colours(who: Player = P) -> Colours:
    return Colours(op.COLOURS_OF, (typed(who, Player),))


def colours_missing(who: Player) -> Colours:
    return any_colour - colours(who)


colours_elsewhere = Colours(op.COLOURS_ELSEWHERE)


def splayed(direction: int) -> Colours:
    """P's colours that are splayed in a direction."""
    return Colours(op.SPLAYED, (P, direction))


just = _word(Colours, op.BIT, Colour)
how_many = _word(Number, op.HOW_MANY, Number)  # of colours or players


def pile_size(colour: Colour, of: Player = P) -> Number:
    return Number(op.PILE_SIZE, (typed(of, Player), typed(colour, Colour)))


count = _word(Number, op.COUNT, cards)
highest_value = _word(Number, op.TOP_VALUE, cards)
distinct_values = _word(Number, op.DISTINCT_VALUES, cards)
distinct_colours = _word(Number, op.DISTINCT_COLOURS, cards)


# ---------------------------------------------------------------------------------------------------- sets of cards


castle, crown, leaf, bulb, factory, clock = (st.Filter(icon, lambda c, i=icon: i in c["icons"]) for icon in ICONS)
blue, red, green, yellow, purple = (
    st.Filter(name, lambda c, n=name: c["colour"] == n, mask=1 << i) for i, name in enumerate(COLOURS)
)


def value(v: int | Number) -> st.Filter:
    if isinstance(v, int):
        return st.Filter(f"value {v}", lambda c: c["age"] == v)
    return st.Filter("value", family="value", index=number(v))


def values(first: int, last: int) -> st.Filter:
    """Values from first to last."""
    return st.Filter(f"value {first} to {last}", lambda c: first <= c["age"] <= last)


def of_colour(colour: Colour) -> st.Filter:
    return st.Filter("colour", family="colours", index=just(colour))


def of_colours(which: Colours) -> st.Filter:
    return st.Filter("colours", family="colours", index=typed(which, Colours))


def named(*names: str) -> st.Filter:
    return st.Filter(" or ".join(names), lambda c: c["name"] in names)


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


def _on_board(code: int) -> Callable[..., Cards]:
    def word(colour: Colour, of: Player = P) -> Cards:
        return Cards(code, (typed(of, Player), typed(colour, Colour)))

    return word


pile, top, bottom = _on_board(op.PILE), _on_board(op.TOP), _on_board(op.BOTTOM)


# ---------------------------------------------------------------------------------------------------- quantifiers


def exactly(n: int | Number, of: Any, flags: int = 0) -> st.Some:
    """That many, or as many as there are."""
    return st.Some(cards(of), number(n), number(n), flags)


def one(of: Any) -> st.Some:
    return exactly(1, of)


def between(least: int, most: int, of: Any) -> st.Some:
    return st.Some(cards(of), number(least), number(most))


def any_number(of: Any) -> st.Some:
    return between(1, 127, of)


def each(of: Any) -> st.Some:
    """All of them, in an order that the chooser picks."""
    return exactly(127, of)


def highest(n: int, of: Any) -> st.Some:
    """The n highest; only ties are chosen."""
    return exactly(n, of, op.TAKE_HIGHEST)


def every(of: Any) -> st.Every:
    return st.Every(cards(of))


# ---------------------------------------------------------------------------------------------------- draw and move


def _draw_word(verb: int) -> Callable[..., st.Draw]:
    def word(value: int | Number, times: int | Number = 1) -> st.Draw:
        return st.Draw(number(value), number(times), verb)

    return word


draw = _draw_word(op.TO_HAND)
draw_and_meld = _draw_word(op.MELD)
draw_and_score = _draw_word(op.SCORE_IT)
draw_and_tuck = _draw_word(op.TUCK)
draw_shown = _draw_word(op.REVEAL)  # it lies in the open until it is kept, melded ...


def _what(x: Any) -> st.Some | st.Every:
    """A bare `it`, or a place that holds one card at most, needs no quantifier."""
    if isinstance(x, st.Some | st.Every):
        return x
    if isinstance(x, st.OneCard) or (isinstance(x, Cards) and x.op in (op.TOP, op.BOTTOM)):
        return st.Every(cards(x))
    raise TypeError(f"cards with a quantifier (one, each, every ...) were expected, not {x!r}")


def _move_word(verb: int) -> Callable[[Any], st.Move]:
    return lambda what: st.Move(_what(what), verb)


meld = _move_word(op.MELD)
tuck = _move_word(op.TUCK)
score = _move_word(op.SCORE_IT)
return_ = _move_word(op.RETURN)
reveal = _move_word(op.REVEAL)  # show cards of the hand
keep = _move_word(op.TO_HAND)  # put shown cards into the own hand
pick = _move_word(op.NOTHING)  # choose, without moving


def _place_word(verb: int) -> Callable[[Player], st.Place]:
    return lambda who: st.Place(verb, typed(who, Player))


hand_of, score_pile_of, board_of = _place_word(op.TO_HAND), _place_word(op.TO_SCORE), _place_word(op.TO_BOARD)


def transfer(what: Any, to: st.Place) -> st.Move:
    if not isinstance(to, st.Place):
        raise TypeError(f"a place (hand_of, score_pile_of, board_of) was expected, not {to!r}")
    return st.Move(_what(what), to.verb, to.owner)


def exchange(first: Any, first_to: st.Place, second: Any, second_to: st.Place) -> st.Exchange:
    return st.Exchange(cards(first), first_to, cards(second), second_to)


# ---------------------------------------------------------------------------------------------------- other verbs


def splay(direction: int, which: st.Filter | Colours) -> st.Splay:
    """Splay one of the colours; which one is chosen."""
    if isinstance(which, st.Filter):
        which = Colours("const", (st.colour_mask(which),))
    return st.Splay(direction, typed(which, Colours))


def pick_player(among: st.Players) -> st.Choose:
    return st.Choose("player", typed(among, st.Players))


def _pick_word(kind: str, options: int) -> Callable[[], st.Choose]:
    return lambda: st.Choose(kind, Number("const", (options,)))


pick_colour = _pick_word("colour", 31)
pick_two_colours = _pick_word("pair", 1023)
pick_value = _pick_word("value", 1023)


def either(
    a: st.Statement | tuple[st.Statement, ...], b: st.Statement | tuple[st.Statement, ...]
) -> tuple[st.Statement, ...]:
    """One of two, or neither."""
    a, b = (x if isinstance(x, tuple) else (x,) for x in (a, b))
    branch = st.When(Number("register", (op.CHOSEN,)) == 0, st.sequence(a), st.sequence(b))
    return st.Choose("alternative", Number("const", (3,)), True), st.When(Number("register", (op.DONE,)), (branch,))


reorder_a_pile = st.Reorder


def fix(group: Cards, what: Any) -> st.Fix:
    return st.Fix(group.args[0], cards(what))


def remember(what: Number) -> st.Simple:
    return st.Simple(op.SET_NUMBER, (Number("register", (op.REMEMBERED,)), typed(what, Number)))


def claim(name: str) -> st.Simple:
    return st.Simple(op.CLAIM, (SPECIALS.index(name),))


def _single_word(most: int) -> Callable[[Metric], st.Simple]:
    return lambda metric: st.Simple(op.SINGLE_WINNER, (metric, most))


tally = _word(st.Simple, op.TALLY, number)  # note a number for P, compared within this action
perform = _word(st.Simple, op.PERFORM, st.OneCard)  # the share effects of a card, alone
show_hand = _word(st.Simple, op.SHOW_HAND, Player)
remove_everything = _word(st.Simple, op.REMOVE_EVERYTHING)
win = _word(st.Simple, op.WIN)
single_most_wins, single_least_wins = _single_word(1), _single_word(0)


# ---------------------------------------------------------------------------------------------------- control


def may(what: Any) -> st.Statement:
    """The performer may leave it. Where something is chosen anyway, declining is one of the choices."""
    if isinstance(what, st.Splay | st.Choose | st.Reorder) or (
        isinstance(what, st.Move) and isinstance(what.what, st.Some)
    ):
        return replace(what, may=True)
    if isinstance(what, st.Draw | st.Move | st.Exchange):
        return st.Optional(what)
    raise TypeError(f"may(...) takes a verb, not {what!r}")


def when(test: Any, *statements: st.Statement) -> st.When:
    """Do it if a comparison holds, a number is not 0 or a set is not empty."""
    test = cards(test) if isinstance(test, st.OneCard) else test
    if not isinstance(test, st.Condition | Number | Cards):
        raise TypeError(f"a condition was expected, not {test!r}")
    return st.When(test, st.sequence(statements))


def unless(test: Any, *statements: st.Statement) -> st.When:
    return replace(when(test), other=st.sequence(statements))


def loop(*statements: st.Statement) -> st.Loop:
    return st.Loop(st.sequence(statements))


again = st.Again()


def for_each_other(*statements: st.Statement) -> st.ForEachOther:
    return st.ForEachOther(st.sequence(statements))


def _flat(statements: tuple[Any, ...]) -> tuple[st.Statement, ...]:
    flat: list[Any] = []
    for statement in statements:
        flat += statement if isinstance(statement, tuple) else (statement,)
    return st.sequence(tuple(flat))


def demand(*statements: Any) -> st.Effect:
    """An effect that A demands of every V with fewer icons."""
    return st.Effect(True, _flat(statements))


def share(*statements: Any) -> st.Effect:
    """An effect for A and for everybody with at least as many icons."""
    return st.Effect(False, _flat(statements))


def card(name: str, *effects: st.Effect) -> st.Definition:
    """A card: at most one demand, and it comes first."""
    if not effects or any(effect.demand for effect in effects[1:]):
        raise ValueError(f"{name}: a card has effects, and a demand comes first")
    return st.Definition(name, effects)
