"""Rulings where the rulebook is silent. Those on order and knowledge stand in `test_order` and `test_knowledge`."""

from collections.abc import Callable

import numpy as np
import pytest

from theogony.envs.core.position import Position
from theogony.envs.innovation.actions import NAMES
from theogony.envs.innovation.components import SPECIALS
from theogony.envs.innovation.rules.achievements import settle
from theogony.envs.innovation.rules.interpreter import open_frame, run_frame
from theogony.envs.innovation.state import ACTION, BY_POINTS, NONE, cards_in


def special(position: Position, name: str) -> int:
    return int(position.g.special[SPECIALS.index(name)])


def names(words: np.ndarray) -> set[str]:
    return {NAMES[card] for card in cards_in(words)}


ALL_OF_EIGHT = (
    {"Rocketry": "none", "Mobility": "none", "Mass Media": "none", "Antibiotics": "none", "Empiricism": "none"},
    {"Computers": "none", "Composites": "none", "Satellites": "none", "Suburbia": "none", "Services": "none"},
)


@pytest.mark.parametrize(("active", "winner"), [(0, 0), (1, 1), (2, 0)])
def test_the_active_player_takes_a_special_achievement_first_then_clockwise(
    active: int, winner: int, lay: Callable
) -> None:
    """Seats 0 and 1 meet Universe with one change (ruling R1)."""
    position = lay(players=3, turn=active, p0={"board": ALL_OF_EIGHT[0]}, p1={"board": ALL_OF_EIGHT[1]})
    assert special(position, "Universe") == NONE
    position.g.dirty = 0b011
    settle(position.g, position.tables[0])
    assert special(position, "Universe") == winner


LATE = {"Computers": "none", "Ecology": "none", "Services": "none"}
OTHERS = {"Oars": "none", "Mass Media": "none", "Corporations": "none"}
SWAPS = {  # when five tops are 8 or more: the first card melded, other piles of seats 0 and 1, who has Universe then
    "half way only": ("Masonry", {"Tools": "none"}, {"Oars": "none", "Corporations": "none", **LATE}, NONE),
    "by what was given": ("Masonry", {"Tools": "none"}, {**OTHERS, **LATE}, 1),
    "by what was got": ("Mobility", LATE, OTHERS, 0),
    "on both sides": ("Mobility", LATE, {**OTHERS, "Genetics": "none", "Suburbia": "none", "Empiricism": "none"}, 0),
}


@pytest.mark.parametrize("name", SWAPS)
def test_the_swap_of_road_building_is_one_change(name: str, lay: Callable, play: Callable) -> None:
    """Seat 0 swaps Flight for Corporations; only then is Universe looked at (§4.9, ruling R1)."""
    melded, mine, theirs, winner = SWAPS[name]
    position = lay(p0={"board": {"Road Building": "none", **mine}, "hand": [melded, "Flight"]}, p1={"board": theirs})
    play(position, "dogma of red", f"card {melded}", "card Flight", "player 1 to the left")
    assert special(position, "Universe") == winner


def test_monument_counts_in_the_turn_of_another_player(lay: Callable, play: Callable) -> None:
    """Seat 1 shares Stem Cells in the turn of seat 0 and scores six cards itself (ruling R2)."""
    hand = ["Tools", "Oars", "Sailing", "Pottery", "Writing", "Archery"]
    position = lay(p0={"board": {"Stem Cells": "none"}}, p1={"board": {"Services": "none"}, "hand": hand})
    play(position, "dogma of yellow", "yes")
    assert position.g.turn == 0 and position.g.scores.tolist()[:2] == [0, 6]
    assert special(position, "Monument") == 1


def test_monument_does_not_count_cards_that_were_handed_over(lay: Callable, play: Callable) -> None:
    """Combustion brings seat 0 two cards for its score pile, which it has not scored itself (ruling R2)."""
    victim = {"score": ["Tools", "Oars"], "board": {"Lighting": "none"}}
    position = lay(p0={"board": {"Combustion": "none"}, "scored": 5}, p1=victim)
    play(position, "dogma of red")
    assert names(position.g.scored[0]) == {"Tools", "Oars"} and special(position, "Monument") == NONE


@pytest.mark.parametrize(("card", "claimed", "winner"), [("Translation", "World", NONE), ("Astronomy", "Universe", 1)])
def test_translation_needs_a_top_card_and_astronomy_none(card: str, claimed: str, winner: int, lay: Callable) -> None:
    """Performed by seat 1, which has an empty board (ruling R3)."""
    position = lay()
    open_frame(position.g, position.tables[0], 0, NAMES.index(card), 1, 1, 0)
    assert run_frame(position.g, position.tables[0])
    assert special(position, claimed) == winner


def test_translation_claims_world_with_crowns_on_top_only(lay: Callable, play: Callable) -> None:
    """Ruling R3, the other way round."""
    for other, owner in (("Currency", NONE), ("Sailing", 0)):
        board = {"Translation": "none", other: "none", **({"Canning": "none"} if owner == NONE else {})}
        position = lay(p0={"board": board})
        play(position, "dogma of blue")
        assert special(position, "World") == owner


def test_measurement_of_a_colour_without_cards_draws_a_1(lay: Callable, play: Callable) -> None:
    """Ruling R4."""
    position = lay(p0={"board": {"Measurement": "none"}, "hand": ["Canning"]}, supply={1: ["Tools"]})
    play(position, "dogma of green", "card Canning", "colour purple")
    assert names(position.g.hand[0]) == {"Tools"} and position.g.decision == ACTION


TENS = ("Bioengineering", "Software", "Miniaturization", "Robotics", "Databases", "Self Service", "Globalization")


@pytest.mark.parametrize("shared", [True, False])
def test_the_free_draw_ends_the_action_and_may_end_the_game(shared: bool, lay: Callable, play: Callable) -> None:
    """All 10s are out: both have melded before seat 0 has to draw one for the sharing of seat 1 (ruling R5)."""
    position = lay(
        p0={"board": {"Sailing": "none", "A.I.": "none"}, "score": [*TENS, "Stem Cells", "The Internet"]},
        p1={"board": {"Currency" if shared else "Paper": "none"}},
        supply={1: ["Pottery", "Tools"]},
    )
    play(position, "dogma of green")
    seats = position.game.to_json(position.g)["players"]
    assert bool(position.over) == shared and "blue" in seats[0]["board"]
    assert ("blue" in seats[1]["board"]) == shared
    if shared:
        assert position.g.ended_by == BY_POINTS and position.g.winners == 1


def test_classification_shows_the_hands_of_the_others(lay: Callable, play: Callable) -> None:
    """All see that seats 1 and 2 have no blue card left (ruling R9)."""
    position = lay(
        players=3,
        p0={"board": {"Classification": "none"}, "hand": ["Pottery", "Paper"]},
        p1={"hand": ["Tools", "Oars"]},
        p2={"hand": ["Sailing"]},
    )
    play(position, "dogma of green", "card Pottery")
    for seat in range(3):
        assert {"Oars", "Sailing"} <= names(position.g.known[seat])
    assert "Paper" not in names(position.g.known[1])
