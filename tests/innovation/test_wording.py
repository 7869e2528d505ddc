"""Every effect can be said in words, and the words name what the card does."""

import re

import pytest

from theogony.envs.innovation.cards.effects import DEFINITIONS
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
