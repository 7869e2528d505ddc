"""What a game keeps secret and says nowhere is found: by what is shown, told, and drawn at the start."""

from __future__ import annotations

from pathlib import Path

import pytest
from interpreted import said_interpreted

TOY = Path(__file__).parents[1] / "toy"

LOOK = """
import dataclasses, json, sys
import sealed
from sealed import CARDS, SPEC, draw_bids, draw_prizes
from theogony.envs.core.conformance.mistakes import first_of_all
from theogony.envs.core.rng import below

def bids_only(g, t, seat, rng):
    draw_bids(g, seat, rng)

def prizes_only(g, t, seat, rng):
    draw_prizes(g, rng)

def prizes_with_dice(g, t, seat, rng):
    draw_bids(g, seat, rng)
    for k in range(g.round_ + 1, CARDS):
        g.prizes[k] = 1 + below(rng, CARDS)

def any_bid(g, t, seat, rng):
    draw_prizes(g, rng)
    for other in range(g.players):
        if other != seat and g.bid[other] > 0:
            g.bid[other] = 1 + below(rng, CARDS)

VARIANTS = {
    "right": {},
    "secret_move_told": {"move_text": None},
    "bid_not_said": {"hidden": ("prizes",), "resample": prizes_only, "move_text": None},
    "prizes_not_said": {"hidden": ("bid",), "resample": bids_only},
    "prizes_with_dice": {"resample": prizes_with_dice},
    "any_bid": {"resample": any_bid},
}
found = {}
for name, change in VARIANTS.items():
    spec = dataclasses.replace(SPEC, **change)
    found[name] = first_of_all([spec.configure({"players": n}) for n in spec.players], 0, 100)
json.dump(found, sys.stdout)
"""

FOUND = {
    "secret_move_told": "moves_tell_only_what_they_may: 2 players, seed 0, decision 0: seat 1 is told 'bid ",
    "bid_not_said": "the text for all eyes shows bid, which seat 1 sees neither in its text nor in its observation",
    "prizes_not_said": "prizes is drawn by `setup`, decides how the game goes on, and nobody sees it",
    "prizes_with_dice": "but every game begins with 1 of 1, 1 of 2, 1 of 3, 1 of 4 there, in some order",
    "any_bid": "redrawn for seat 1: player_0 has laid a card that it does not hold",
}


@pytest.fixture(scope="module")
def found() -> dict[str, str | None]:
    """What a first look says of each variant, interpreted."""
    return said_interpreted("-c", LOOK, folder=TOY)


@pytest.mark.slow
def test_a_game_that_says_all_is_let_through(found: dict[str, str | None]) -> None:
    assert found["right"] is None


@pytest.mark.slow
@pytest.mark.parametrize("name", FOUND)
def test_what_is_forgotten_is_found(name: str, found: dict[str, str | None]) -> None:
    said = found[name]
    assert said is not None and FOUND[name] in said
