"""The order in which several cards leave a board is chosen where it can matter, and only there (ruling R6)."""

from collections.abc import Callable
from typing import Any

import pytest
from moves import legal_texts

from theogony.envs.core.position import Position
from theogony.envs.innovation.components import SPECIALS
from theogony.envs.innovation.state import CARD, NONE


def owner(position: Position, name: str) -> int:
    return int(position.g.special[SPECIALS.index(name)])


# by card: the seats, what is played up to the question, who is asked, the cards, which one has to go first for which
# achievement
CASES: dict[str, Any] = {
    "Engineering": (
        {
            "p0": {"board": {"Engineering": "none", "The Wheel": "none", "Domestication": "none", "Mysticism": "none"}},
            "p1": {
                "board": {"Writing": "none", "Mobility": "up", "Metalworking": "up", "Compass": "none",
                          "Machinery": "left", "Statistics": "left", "Masonry": "left", "Railroad": "none"}
            },
        },
        ["dogma of red"], 1, ["Metalworking", "Masonry"], "Masonry", "Empire",
    ),
    "Canning": (
        {
            "p0": {
                "board": {"Rocketry": "right", "Mathematics": "right", "Composites": "up", "Fission": "up",
                          "Databases": "up", "Collaboration": "up", "Canning": "none", "Specialization": "none",
                          "Mysticism": "none", "The Internet": "none"}
            },
            "supply": {6: ["Encyclopedia"]},
        },
        ["dogma of yellow", "yes"], 0, ["Mathematics", "Fission", "Collaboration", "The Internet"],
        "Mathematics", "World",
    ),
    "Electricity": (
        {
            "p0": {
                "board": {"Physics": "none", "Rocketry": "none", "Flight": "none", "Optics": "none",
                          "Satellites": "up", "Electricity": "up", "Stem Cells": "none", "Mysticism": "none"}
            },
        },
        ["dogma of green"], 0, ["Mysticism", "Optics", "Rocketry", "Stem Cells"], "Rocketry", "Empire",
    ),
    "Skyscrapers": (
        {
            "p0": {"board": {"Skyscrapers": "none", "Translation": "none", "Currency": "none"}},
            "p1": {
                "board": {"Genetics": "none", "Flight": "none", "Mass Media": "none", "Suburbia": "none",
                          "Empiricism": "none", "Mysticism": "none", "Enterprise": "none", "The Internet": "none"}
            },
        },
        ["dogma of yellow", "card The Internet"], 1, ["Mysticism", "Empiricism"], "Mysticism", "Universe",
    ),
}  # fmt: skip


@pytest.mark.parametrize("card", CASES)
def test_an_order_that_meets_an_achievement_can_be_chosen(card: str, lay: Callable, play: Callable) -> None:
    """The owner of the board in a demand, else the performer, chooses: one order meets it, another does not (R6)."""
    seats, before, chooser, cards, first, special = CASES[card]
    position = lay(**seats)
    play(position, *before)
    assert position.actor == chooser and sorted(legal_texts(position)) == sorted(f"card {name}" for name in cards)
    assert owner(position, special) == NONE
    met, missed = position.clone(), position.clone()
    play(met, f"card {first}")
    assert owner(met, special) == chooser
    while missed.g.decision == CARD:
        play(missed, next(text for text in legal_texts(missed) if text != f"card {first}"))
    assert owner(missed, special) == NONE


@pytest.mark.parametrize("card", CASES)
def test_no_order_is_asked_when_the_achievement_is_gone(card: str, lay: Callable, play: Callable) -> None:
    seats, before, chooser, cards, _, special = CASES[card]
    other = f"p{1 - chooser}"
    position = lay(**{**seats, other: {**seats.get(other, {}), "special_achievements": [special]}})
    play(position, *before)
    assert not set(legal_texts(position)) & {f"card {name}" for name in cards}


def test_no_order_is_asked_where_every_order_meets_the_achievement(lay: Callable, play: Callable) -> None:
    """Electricity returns the only two top cards below 8: with both gone it is Universe, whichever went first."""
    board = {"Quantum Theory": "none", "Tools": "none", "Flight": "none", "Optics": "none"}
    rest = {"Electricity": "none", "Stem Cells": "none", "Empiricism": "none"}
    position = lay(p0={"board": {**board, **rest}})
    play(position, "dogma of green")
    assert not {"card Tools", "card Optics"} <= set(legal_texts(position))
