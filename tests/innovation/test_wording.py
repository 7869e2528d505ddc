"""Every effect can be said in words, and the words name what the card does."""

import re
from dataclasses import is_dataclass
from typing import Any

import pytest

from theogony.envs.innovation.cards.effects import DEFINITIONS
from theogony.envs.innovation.cards.expressions import Some
from theogony.envs.innovation.cards.opcodes import BY_BACK
from theogony.envs.innovation.cards.wording import sentence

BY_NAME = {definition.name: definition for definition in DEFINITIONS}


@pytest.mark.parametrize("name", BY_NAME)
def test_every_effect_is_a_sentence(name: str) -> None:
    for effect in BY_NAME[name].effects:
        said = sentence(effect)
        assert said.endswith(".") and said.startswith("Demand: ") == effect.demand
        assert "<" not in said and "None" not in said
        assert not re.search(r"\b[A-Z]('s)?\b", said), said  # no letters for people


def test_examples() -> None:
    assert sentence(BY_NAME["Writing"].effects[0]) == "Draw a card of value 2."
    assert sentence(BY_NAME["Oars"].effects[0]) == (
        "Demand: Hand over one card of your hand (with crown) to the active player's score pile; "
        "if done: draw a card of value 1."
    )
    assert sentence(BY_NAME["Empiricism"].effects[1]) == "If your visible bulb is at least 20: you win."


def test_numbers_are_said_as_people_would() -> None:
    for name, effect, said in (
        ("Antibiotics", 0, "draw a card of value 8, twice for each different value of those cards."),
        ("Composites", 0, "Demand: Hand over all but 1 of the cards of your hand to the active player's hand;"),
        ("Collaboration", 0, "meld the rest of the noted cards."),
        ("Databases", 0, "Demand: Return half of the cards of your score pile, rounded up."),
        ("Agriculture", 0, "draw and score a card whose value is that card's value + 1."),
        ("Evolution", 0, "You may do one of two: (a) draw and score a card of value 8; return one card of your score "
         "pile, or (b) draw a card whose value is the highest value of your score pile + 1."),
    ):  # fmt: skip
        assert said in sentence(BY_NAME[name].effects[effect])


def chosen_by_back(node: Any) -> bool:
    """Whether somewhere in an effect a card is chosen by its back."""
    if isinstance(node, Some):
        return node.flags & BY_BACK != 0
    parts = node if isinstance(node, tuple) else vars(node).values() if is_dataclass(node) else ()
    return any(chosen_by_back(part) for part in parts)


def test_what_somebody_gets_is_taken_and_not_handed_over() -> None:
    for name, said in (
        ("Bioengineering", "Take one card of everybody else's top cards (with leaf) into your score pile."),
        ("Compass", "take one card of the active player's top cards (not with leaf) onto your board."),
        ("Statistics", "Take one card of your score pile (highest value) into your hand;"),
        ("Services", "take one card of the active player's top cards (not with leaf) into your hand."),
        ("Medicine", "take one card of the noted cards, by its back, into your score pile."),
        ("Explosives", "Hand over the 3 highest cards of your hand to the active player's hand;"),
    ):
        assert said in sentence(BY_NAME[name].effects[0])
    for definition in DEFINITIONS:
        for effect in definition.effects:
            assert not re.search(r"hand over [^;]* to your ", sentence(effect), re.IGNORECASE), definition.name


def test_cards_that_are_chosen_by_their_backs_are_said_to_be() -> None:
    said = {card.name for card in DEFINITIONS if any(" back" in sentence(effect) for effect in card.effects)}
    assert said == {card.name for card in DEFINITIONS if any(chosen_by_back(effect) for effect in card.effects)}
    assert sentence(BY_NAME["Rocketry"].effects[0]) == (
        "Return one card of everybody else's score piles, by its back, for every 2 of your visible clock."
    )
