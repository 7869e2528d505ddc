# pyright: reportArgumentType=false, reportOperatorIssue=false
"""The card language: mistakes are errors when a card is written, and all cards compile within the registers."""

from collections.abc import Callable

import pytest

from theogony.envs.core.game import ComponentError
from theogony.envs.innovation.cards import opcodes as op
from theogony.envs.innovation.cards.effects import DEFINITIONS
from theogony.envs.innovation.cards.language import (
    A,
    again,
    card,
    castle,
    demand,
    done,
    draw,
    hand,
    it,
    meld,
    one,
    pile_size,
    remembered,
    return_,
    share,
    splay,
    top_cards,
    transfer,
    when,
)
from theogony.envs.innovation.cards.rows import compile_cards
from theogony.envs.innovation.game import SPEC

CARDS = SPEC.configure().components["cards"]


@pytest.mark.parametrize(
    "mistake",
    [
        lambda: splay(1, it.colour),  # one colour instead of a set of them
        lambda: pile_size(A),  # a player instead of a colour
        lambda: draw(it),
        lambda: draw(it.colour),
        lambda: return_(hand),  # how many?
        lambda: transfer(one(hand), A),  # to which place of A?
        lambda: hand & hand,
        lambda: splay(1, castle),
        lambda: meld(one(done)),
        lambda: when(castle, draw(1)),
        lambda: share(remembered),
        lambda: top_cards.highest.of(A),
        lambda: draw(-1),
        lambda: bool(done == 1),
    ],
)
def test_a_wrong_word_is_an_error(mistake: Callable) -> None:
    with pytest.raises(TypeError):
        mistake()


def test_a_demand_comes_first() -> None:
    with pytest.raises(ValueError, match="demand"):
        card("Nonsense", share(draw(1)), demand(draw(1)))


def test_again_needs_a_loop() -> None:
    definitions = [card(entry["name"], share(again)) for entry in CARDS]
    with pytest.raises(ValueError, match="loop"):
        compile_cards(CARDS, definitions)


def test_every_card_of_the_list_has_a_definition() -> None:
    assert [definition.name for definition in DEFINITIONS] == [entry["name"] for entry in CARDS]
    with pytest.raises(ComponentError, match="Pottery"):
        compile_cards(CARDS, DEFINITIONS[1:])


def test_rows_are_well_formed() -> None:
    """Every effect ends, and no row jumps out of its effect."""
    program = compile_cards(CARDS, DEFINITIONS)
    starts = sorted(int(row) for rows in program.first_row for row in rows if row >= 0)
    assert len(starts) == 157
    for start, stop in zip(starts, [*starts[1:], len(program.code)], strict=True):
        assert program.code[stop - 1, 0] == op.END
        for row in program.code[start:stop]:
            target = {op.JUMP: row[1], op.NEXT_OTHER: row[1], op.UNLESS: row[4]}.get(int(row[0]))
            assert target is None or start <= target < stop


def test_a_card_is_shown_only_where_its_text_says_so() -> None:
    """Of drawn cards and cards of a hand, by a row that reveals; anything else stays hidden on its way (§7)."""
    program = compile_cards(CARDS, DEFINITIONS)
    starts = {int(row): CARDS[card]["name"] for card, rows in enumerate(program.first_row) for row in rows if row >= 0}
    shown: dict[int, set[str]] = {op.DRAW: set(), op.SELECT: set(), op.MOVE_ALL: set()}
    for number, row in enumerate(program.code):
        verb = {op.DRAW: row[3], op.SELECT: row[5], op.MOVE_ALL: row[2]}.get(int(row[0]))
        if verb == op.REVEAL:
            shown[int(row[0])].add(starts[max(start for start in starts if start <= number)])
    drawn = {"Metalworking", "Mysticism", "Alchemy", "Physics", "Astronomy", "Empiricism", "Fission", "Collaboration"}
    assert shown == {op.DRAW: drawn, op.SELECT: {"Classification", "Specialization"}, op.MOVE_ALL: set()}
