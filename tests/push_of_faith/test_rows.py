"""Rows of Push of Faith: they hold the tile that a move brings, and what lies around a placement."""

from __future__ import annotations

import numpy as np
import pytest

from theogony.envs import load
from theogony.envs.core.position import Position
from theogony.envs.push_of_faith.actions import PLACE_AT, TOKEN


@pytest.mark.parametrize("options", [{"players": 2}, {"players": 5}, {"players": 2, "components": "random:3"}])
def test_rows_of_pushes_and_tokens_hold_the_tile_that_comes_into_the_hand(options: dict) -> None:
    game = load("push_of_faith").configure(options)
    at, rng, position, looked = game.features.places(), np.random.default_rng(0), Position(game, 0), set()
    while not position.over:
        seen = position.codes[0].copy()
        action = int(rng.choice(position.legal_actions()))
        position.play(action)
        if action >= PLACE_AT or position.over:
            continue
        kind = "push" if action < TOKEN else "token"
        rows = game.action_rows[kind]
        row = rows.look_up(seen)[action - game.actions.first[kind]]
        assert (row[rows.columns["squares"]] == position.codes[0][at["hand_squares"]].ravel()).all()
        assert (row[rows.columns["statues"]] == position.codes[0][at["hand_statues"]]).all()
        looked.add(kind)
    assert looked == {"push", "token"}


def test_rows_of_placements_hold_the_squares_as_they_will_lie() -> None:
    """The row's squares around the cell with the turned tile in the middle are those around it after the placement."""
    game = load("push_of_faith").configure({"players": 2})
    rng, position, checked = np.random.default_rng(1), Position(game, 0), 0
    rows = game.action_rows["place"]
    around, tile = rows.columns["around"], rows.columns["tile"]
    while not position.over:
        seen, action, seat = position.codes[0].copy(), int(rng.choice(position.legal_actions())), position.actor
        position.play(action)
        if not PLACE_AT <= action < PLACE_AT + 100:
            continue
        before = rows.look_up(seen)[action - PLACE_AT]
        laid = before[around].reshape(4, 4, 5)
        assert not laid[1:3, 1:3].any()
        laid[1:3, 1:3] = before[tile].reshape(2, 2, 5)
        after = rows.look_up(position.observe_codes(seat))[action - PLACE_AT]
        assert (after[around].reshape(4, 4, 5) == laid).all()
        checked += 1
    assert checked == 18
