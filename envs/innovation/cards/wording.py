"""Card definitions as sentences, for the card index of the docs page and a golden file of all effects.

"You" is who performs the effect; in a demand that is not the active player.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from theogony.envs.innovation.cards import nodes as st
from theogony.envs.innovation.cards import opcodes as op
from theogony.envs.innovation.cards.expressions import Every
from theogony.envs.innovation.cards.wording_of_expressions import (
    METRICS,
    cards,
    colours,
    condition,
    number,
    of_value,
    own,
    some,
    times,
)
from theogony.envs.innovation.components import SPECIALS, SPLAYS

VERBS = {
    op.NOTHING: "choose", op.MELD: "meld", op.TUCK: "tuck", op.SCORE_IT: "score", op.RETURN: "return",
    op.REVEAL: "show",
}  # fmt: skip
PLACES = {op.TO_HAND: "hand", op.TO_SCORE: "score pile", op.TO_BOARD: "board"}  # of who gets a card
DRAWS = {op.TO_HAND: "draw", op.MELD: "draw and meld", op.SCORE_IT: "draw and score", op.TUCK: "draw and tuck"}
DRAWS[op.REVEAL] = "draw and show"


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
    return f"{DRAWS[s.verb]} a card {of_value(s.value)}{times(s.times)}"


def _move(s: st.Move) -> str:
    if s.verb not in PLACES:
        return f"{_may(s)}{VERBS[s.verb]} {some(s.what)}".removesuffix(",")
    if number(s.owner) == "you":
        return f"{_may(s)}take {some(s.what)} {'onto' if s.verb == op.TO_BOARD else 'into'} your {PLACES[s.verb]}"
    return f"{_may(s)}hand over {some(s.what)} to {own(s.owner)} {PLACES[s.verb]}"


def _exchange(s: st.Exchange) -> str:
    return f"exchange {cards(s.first)} and {cards(s.second)}"


def _splay(s: st.Splay) -> str:
    if s.colours.op == op.SPLAYED:
        return f"{_may(s)}splay {SPLAYS[s.direction]} one of {colours(s.colours)}"
    return f"{_may(s)}splay {colours(s.colours)} {SPLAYS[s.direction]}"


def _choose(s: st.Choose) -> str:
    what = {
        "player": number(s.options) if s.kind == "player" else "",
        "pair": "two colours",
        "alternative": "one of two",
    }.get(s.kind, f"a {s.kind}")
    return f"{_may(s)}choose {what}"


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
    st.Exchange: _exchange,
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
