"""Data of others, and what is said of the first problem in them."""

from __future__ import annotations

import re

import pytest
from pydantic import BaseModel, ConfigDict

from theogony.envs.core.untrusted.checked import checked


class Card(BaseModel):
    model_config = ConfigDict(strict=True, extra="forbid")

    id: str
    value: int


class Deck(BaseModel):
    cards: list[Card]


class BadDeck(ValueError):
    pass


def test_a_model_of_plain_data_and_of_text() -> None:
    assert checked(Deck, {"cards": [{"id": "a", "value": 3}]}, "deck", BadDeck).cards[0].value == 3
    assert checked(Deck, '{"cards": []}', "deck", BadDeck).cards == []


REFUSED = {
    "an entry with an id": ({"cards": [{"id": "a", "value": "3"}]}, "deck: cards.0 (id a).value: ", ", found '3'"),
    "an entry without": ({"cards": [{"value": 3}]}, "deck: cards.0.id: Field required", ""),
    "an unknown key": ({"cards": [{"id": "a", "value": 3, "x": 1}]}, "deck: cards.0 (id a).x: Extra", ", found 1"),
    "something else": ([], "deck: Input should be", ", found []"),
    "broken text": ('{"cards": ', "deck: is not JSON: Expecting value", ""),
    "a long value": ({"cards": "x" * 500}, "deck: cards: ", ", found '" + "x" * 59),
}


@pytest.mark.parametrize("what", REFUSED)
def test_the_first_problem_is_one_line(what: str) -> None:
    content, start, end = REFUSED[what]
    with pytest.raises(BadDeck, match=f"^{re.escape(start)}.*{re.escape(end)}$"):
        checked(Deck, content, "deck", BadDeck)
