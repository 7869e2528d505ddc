"""Card definitions as sentences, for the card index of the docs page and a golden file of all effects.

"You" is who performs the effect; in a demand that is not the active player.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from theogony.envs.innovation.cards import expressions as st
from theogony.envs.innovation.cards import opcodes as op
from theogony.envs.innovation.cards.expressions import Cards, Colour, Colours, Condition, Every, Number, Some
from theogony.envs.innovation.components import COLOURS, ICONS, SPECIALS, SPLAYS

METRICS = (*(f"visible {icon}" for icon in ICONS), "points", "achievements", "tally", "colours on the board")
WHO = {op.ME: "you", op.ACTIVE: "the active player", op.OTHER: "that player", op.CHOSEN: "the chosen player"}
OWN = {"you": "your"}
REGISTERS = {
    op.DONE: "the number moved", op.IT: "that card", op.CHOSEN: "what was chosen", op.REMEMBERED: "what was remembered",
    **WHO,
}  # fmt: skip
NAMED = {
    (Colour, op.CHOSEN): "the chosen colour", (Colours, op.CHOSEN): "the chosen colours",
    (Number, op.CHOSEN): "the chosen value", (Colour, op.REMEMBERED): "the remembered colour",
    (Number, op.REMEMBERED): "the remembered number",
}  # fmt: skip
RELATIONS = ("is", "is not", "is less than", "is at least", "is more than", "is at most")
AREAS = {
    op.HAND: "hand", op.SCORE: "score pile", op.TOPS: "top cards", op.REVEALED: "shown cards",
    op.HAND_AND_REVEALED: "hand with the shown cards",
}  # fmt: skip

# ---------------------------------------------------------------------------------------------------- numbers


def number(n: Number) -> str:
    """A number in words."""
    if n.op == "const":
        return str(n.args[0])
    if n.op == "register":
        return NAMED.get((type(n), n.args[0])) or REGISTERS[n.args[0]]
    return NUMBERS[int(n.op)](*n.args)


def colour(n: Number) -> str:
    """A colour in words."""
    return COLOURS[n.args[0]] if n.op == "const" else number(n)


def colours(n: Number) -> str:
    """A set of colours in words."""
    if n.op != "const":
        return number(n)
    names = [name for k, name in enumerate(COLOURS) if n.args[0] >> k & 1]
    return "any colour" if len(names) == len(COLOURS) else " or ".join(names)


def _without(a: Number, b: Number) -> str:
    if b.op == "const":  # all but one colour are taken away
        return f"{COLOURS[(31 & ~b.args[0]).bit_length() - 1]} among {colours(a)}"
    return f"{colours(a)} except {colours(b)}"


def own(who: Number) -> str:
    """Whose something is: `your`, `that player's`."""
    return OWN.get(number(who), f"{number(who)}'s")


NUMBERS: dict[int, Callable[..., str]] = {
    op.METRIC: lambda m, who: f"{own(who)} {METRICS[m]}",
    op.MOST_OTHER: lambda m: f"the most {METRICS[m]} of another player",
    op.LEAST: lambda m: f"the least {METRICS[m]} of any player",
    op.BELOW: lambda m: f"a player with fewer {METRICS[m]}",
    op.OTHER_PLAYERS: lambda: "another player",
    op.COUNT: lambda s: f"the number of cards in {cards(s)}",
    op.TOP_VALUE: lambda s: f"the highest value of {cards(s)}",
    op.DISTINCT_VALUES: lambda s: f"the number of different values of {cards(s)}",
    op.DISTINCT_COLOURS: lambda s: f"the number of different colours of {cards(s)}",
    op.COLOURS_OF: lambda who: f"the colours on {own(who)} board",
    op.COLOURS_ELSEWHERE: lambda: "the colours on other boards",
    op.SPLAYED: lambda who, d: f"{own(who)} colours splayed {SPLAYS[d]}",
    op.PILE_SIZE: lambda who, c: f"the number of cards in {own(who)} pile of {colour(c)}",
    op.VALUE_OF: lambda c: f"{number(c)}'s value",
    op.COLOUR_OF: lambda c: f"{number(c)}'s colour",
    op.HOW_MANY: lambda x: f"the number of {number(x)}",
    op.BIT: colour,
    op.ADD: lambda a, b: f"{number(a)} + {number(b)}",
    op.SUBTRACT: lambda a, b: f"{number(a)} - {number(b)}",
    op.DIVIDE: lambda a, b: f"({number(a)}) / {number(b)} rounded down",
    op.WITHOUT: _without,
    op.DEMAND_MOVED: lambda: "the demand moved a card",
    op.ANYBODY_MORE: lambda a, b: f"anybody has more {METRICS[a]} than {METRICS[b]}",
}


def times(n: Number) -> str:
    """How often something is done: `, 3 times`, `, once for each different value of those cards`."""
    if n.op == "const":
        return "" if n.args[0] == 1 else f", {n.args[0]} times"
    if n.op == op.ADD and number(n.args[0]) == number(n.args[1]):
        return times(n.args[0]).replace(", once", ", twice", 1)
    if n.op == "register" and n.args[0] == op.DONE:
        return ", once for each card that moved"
    if n.op in (op.DISTINCT_VALUES, op.DISTINCT_COLOURS):
        what = "value" if n.op == op.DISTINCT_VALUES else "colour"
        return f", once for each different {what} of {cards(n.args[0])}"
    if n.op == op.HOW_MANY:
        return f", once for each of {number(n.args[0])}"
    if n.op == op.DIVIDE:
        of_those = n.args[0].op == "register" and n.args[0].args[0] == op.DONE
        return f", once for every {number(n.args[1])} {'cards that moved' if of_those else f'of {number(n.args[0])}'}"
    return f", as often as {number(n)}"


# ---------------------------------------------------------------------------------------------------- sets


def cards(s: Cards) -> str:
    """A set of cards in words."""
    return SETS[s.op](*s.args)


def _filter(f: Any) -> str:
    if f.test is None:
        return of_value(f.index) if f.family == "value" else f"of {colours(f.index)}"
    return f"with {f.name}" if f.name in ICONS else f.name


def of_value(n: Number) -> str:
    """Of which value cards are: `of value 3`, `whose value is the chosen value`."""
    return f"of value {number(n)}" if n.op == "const" else f"whose value is {number(n)}"


SETS: dict[int, Callable[..., str]] = {
    op.AREA: lambda area, who: f"{own(who)} {AREAS[area]}",
    op.AREA_OF_ALL: lambda area, but: f"everybody{' else' * (but is not None)}'s {AREAS[area].removesuffix('s')}s",
    op.PILE: lambda who, c: f"{own(who)} pile of {colour(c)}",
    op.TOP: lambda who, c: f"{own(who)} top card of {colour(c)}",
    op.BOTTOM: lambda who, c: f"{own(who)} bottom card of {colour(c)}",
    op.ONE_CARD: number,
    op.KEEP: lambda s, f: f"{cards(s)} ({_filter(f)})",
    op.DROP: lambda s, f: f"{cards(s)} (not {_filter(f)})",
    op.COPY: lambda r: "those cards" if r == op.MOVED else "the noted cards",
    op.MINUS: lambda a, b: _except(a, b),
    op.HIGHEST: lambda s: f"{cards(s)} (highest value)",
    op.LOWEST: lambda s: f"{cards(s)} (lowest value)",
}


def _except(a: Cards, b: Cards) -> str:
    """`the rest of the noted cards`, when those that moved are taken away."""
    return f"the rest of {cards(a)}" if b.op == op.COPY and b.args[0] == op.MOVED else f"{cards(a)} except {cards(b)}"


NAMED_SETS = (op.ONE_CARD, op.TOP, op.BOTTOM, op.COPY)  # cards that are called by no area


def _share(n: Number, of: Cards, by: str) -> str:
    """A number of cards that is reckoned: `half of the cards of your hand`, `one card of your hand for every 2 of ...`.

    `by` says how they are chosen.
    """

    def counted(x: Number) -> bool:
        return x.op == op.COUNT and cards(x.args[0]) == cards(of)

    whole = f"the cards of {cards(of)}"
    if n.op == op.SUBTRACT and counted(n.args[0]):
        return f"all but {number(n.args[1])} of {whole}"
    if n.op == op.DIVIDE and number(n.args[1]) == "2":
        inner = n.args[0]
        if counted(inner):
            return f"half of {whole}, rounded down"
        if inner.op == op.ADD and counted(inner.args[0]) and number(inner.args[1]) == "1":
            return f"half of {whole}, rounded up"
    if n.op == op.DIVIDE:
        return f"one card of {cards(of)}{by}{times(n).removeprefix(', once')}"
    return f"so many cards of {cards(of)}{by}: {number(n)}"


def _amount(least: str, most: str) -> str:
    if least == most:
        return {"1": "one", "127": "all"}.get(least, least)
    return {("1", "127"): "any number", ("1", "2"): "1 or 2"}.get((least, most), f"{least} to {most}")


def some(what: Some | Every) -> str:
    """Cards with their quantifier."""
    if isinstance(what, Every):
        rest = what.of.op == op.MINUS and cards(what.of).startswith("the rest of")
        return cards(what.of) if rest or what.of.op in NAMED_SETS else f"all cards of {cards(what.of)}"
    backs = what.flags & op.BY_BACK
    if what.least.op not in ("const", "register") and number(what.least) == number(what.most):
        return _share(what.least, what.of, ", by its back," if backs else "")
    amount = _amount(number(what.least), number(what.most))
    noun = "card" if amount == "one" else "cards, in an order of your choice," if amount == "all" else "cards"
    many = " of" if amount == "any number" else ""
    by = "" if number(what.who) == "you" else f" ({number(what.who)} chooses)"
    by += f", by {'its back' if amount == 'one' else 'their backs'}," if backs else ""
    highest = what.flags & op.TAKE_HIGHEST
    return f"{'the ' if highest else ''}{amount}{many} {'highest ' if highest else ''}{noun} of {cards(what.of)}{by}"


# ---------------------------------------------------------------------------------------------------- conditions


def condition(test: Condition | Number | Cards) -> str:
    """A condition in words."""
    if isinstance(test, Condition):
        if test.left.op == "register" and type(test.left) is Number and test.left.args[0] == op.CHOSEN:
            return "the first was chosen"
        return f"{number(test.left)} {RELATIONS[test.relation]} {number(test.right)}"
    if isinstance(test, Cards):
        if test.op == op.KEEP and test.args[0].op == op.ONE_CARD:
            return f"that card is {_filter(test.args[1])}"
        return f"there is {cards(test)}" if test.op == op.TOP else f"there is a card in {cards(test)}"
    if test.op == "register":
        return "done"
    return number(test) if test.op in (op.DEMAND_MOVED, op.ANYBODY_MORE) else f"there is {number(test)}"


# ---- Card definitions as sentences, for the card index of the docs page and a golden file of all effects ---------

VERBS = {
    op.NOTHING: "choose", op.MELD: "meld", op.TUCK: "tuck", op.SCORE_IT: "score", op.RETURN: "return",
    op.REVEAL: "show",
}  # fmt: skip
PLACES = {op.TO_HAND: "hand", op.TO_SCORE: "score pile", op.TO_BOARD: "board"}  # of who gets a card
DRAWS = {
    op.TO_HAND: "draw", op.MELD: "draw and meld", op.SCORE_IT: "draw and score", op.TUCK: "draw and tuck",
    op.REVEAL: "draw and show",
}  # fmt: skip


def sentence(effect: st.Effect) -> str:
    """One effect in words."""
    text = block(effect.statements)
    return f"{'Demand: ' if effect.demand else ''}{text[0].upper()}{text[1:]}."


def block(statements: Sequence[st.Statement]) -> str:
    """Statements in words, one after another."""
    said, rest = [], list(statements)
    while rest:
        statement = rest.pop(0)
        if isinstance(statement, st.Choose) and statement.kind == "alternative" and rest:
            said.append(_either(rest.pop(0)))
        elif isinstance(statement, st.Move) and statement.verb == op.NOTHING and rest and _moves_those(rest[0]):
            moves: Any = rest.pop(0)  # what is chosen only to be moved
            said.append(_move(replace(moves, what=statement.what)))
        else:
            said.append(STATEMENTS[type(statement)](statement))
    return "; ".join(said)


def _either(chosen: Any) -> str:
    """One of two ways: the choice has a branch behind it."""
    (branch,) = chosen.then
    return f"you may do one of two: (a) {block(branch.then)}, or (b) {block(branch.other)}"


def _moves_those(s: st.Statement) -> bool:
    """Whether it moves the cards that were chosen just before."""
    if not isinstance(s, st.Move) or not isinstance(s.what, Every):
        return False
    return s.what.of.op == op.COPY and s.what.of.args[0] == op.MOVED


# ---------------------------------------------------------------------------------------------------- statements


def _may(s: Any) -> str:
    return "you may " if s.may else ""


def _draw(s: st.Draw) -> str:
    if s.times.op == "const" and s.times.args[0] > 1:
        return f"{DRAWS[s.verb]} {s.times.args[0]} cards {of_value(s.value)}"
    return f"{DRAWS[s.verb]} a card {of_value(s.value)}{times(s.times)}"


def _move(s: st.Move) -> str:
    if s.verb not in PLACES:
        return f"{_may(s)}{VERBS[s.verb]} {some(s.what)}".removesuffix(",")
    if number(s.owner) == "you":
        return f"{_may(s)}take {some(s.what)} {'onto' if s.verb == op.TO_BOARD else 'into'} your {PLACES[s.verb]}"
    return f"{_may(s)}hand over {some(s.what)} to {own(s.owner)} {PLACES[s.verb]}"


def _splay(s: st.Splay) -> str:
    if s.colours.op == op.SPLAYED:
        return f"{_may(s)}splay {SPLAYS[s.direction]} one of {colours(s.colours)}"
    return f"{_may(s)}splay {colours(s.colours)} {SPLAYS[s.direction]}"


def _choose(s: st.Choose) -> str:
    what = {"pair": "two colours", "alternative": "one of two"}.get(s.kind, f"a {s.kind}")
    return f"{_may(s)}choose {number(s.options) if s.kind == 'player' else what}"


SIMPLE: dict[int, Callable[..., str]] = {
    op.SET_NUMBER: lambda register, n: f"remember {number(n)}",
    op.TALLY: lambda n: f"add {number(n)} to your tally of this action",
    op.CLAIM: lambda k: f"claim {SPECIALS[k]}",
    op.PERFORM: lambda c: "perform the effects of that card alone, without its demand",
    op.SHOW_HAND: lambda who: f"{own(who)} hand is shown",
    op.REMOVE_EVERYTHING: lambda: "all hands, boards and score piles are removed from the game, and the action ends",
    op.WIN: lambda: "you win",
    op.SINGLE_WINNER: lambda m, most: f"the single player with the {'most' if most else 'fewest'} {METRICS[m]} wins",
}


def _when(s: st.When) -> str:
    test = condition(s.test)
    if not s.then:
        return f"unless {test}: {block(s.other)}"
    other = f" (otherwise: {block(s.other)})" if s.other else ""
    return f"if {test}: {block(s.then)}{other}"


STATEMENTS: dict[type, Callable[[Any], str]] = {
    st.Draw: _draw,
    st.Move: _move,
    st.Exchange: lambda s: f"exchange {cards(s.first)} and {cards(s.second)}",
    st.Splay: _splay,
    st.Choose: _choose,
    st.Reorder: lambda s: f"{_may(s)}put one of your piles into any order",
    st.Simple: lambda s: SIMPLE[s.op](*s.args),
    st.Fix: lambda s: f"note {cards(s.what)}",
    st.Optional: lambda s: f"you may {STATEMENTS[type(s.what)](s.what)}",
    st.When: _when,
    st.Loop: lambda s: block(s.body),
    st.Again: lambda s: "repeat",
    st.ForEachOther: lambda s: f"for every other player in turn: {block(s.body)}",
}
