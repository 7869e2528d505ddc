"""Rows of actions hold what the actions do."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from theogony.envs.core.position import Position
from theogony.envs.innovation.actions import ACHIEVE_AT, BACK_AT, DOGMA_AT, PLAYER_AT
from theogony.envs.innovation.components import AGES, CARDS, COLOURS
from theogony.envs.innovation.game import SPEC
from theogony.envs.innovation.state import ACTION, cards_in

TABLES = [{"players": 2}, {"players": 3}, {"players": 4}, {"players": 2, "components": "random:0-9"}]
every_table = pytest.mark.parametrize("options", TABLES, ids=str)


def decisions(games: int, **options: Any) -> Iterator[tuple[Position, np.ndarray]]:
    """Games at random, decision by decision, with what the one who decides sees."""
    game = SPEC.configure(options)
    for seed in range(games):
        position, rng = Position(game, seed), np.random.default_rng(seed)
        while not position.over:
            yield position, position.observe_codes(position.actor).copy()
            position.play(int(rng.choice(position.legal_actions())))


def row(position: Position, codes: np.ndarray, kind: str, number: int = 0) -> dict[str, np.ndarray]:
    """The row of an action, by its columns."""
    rows = position.game.action_rows[kind]
    found = rows.look_up(codes)[number]
    return {name: found[where] for name, where in rows.columns.items()}


def after(position: Position, action: int) -> Position:
    other = position.clone()
    other.play(action)
    return other


@every_table
def test_a_card_is_laid_on_the_pile_of_its_row(options: dict[str, Any]) -> None:
    melded = 0
    for position, codes in decisions(2, **options):
        if position.g.decision != ACTION:
            continue
        seat, t = position.actor, position.game.t
        for card in (int(action) for action in position.legal_actions() if action < CARDS):
            said, pile = row(position, codes, "card", card), 5 * seat + int(t.colour[card])
            top, then = int(position.g.top[pile]), after(position, card)
            assert (said["card"] == t.described[card]).all() and said["hand"] == 1
            assert (said["top"] == (t.described[top] if top >= 0 else 0)).all()
            assert int(said["pile"][0]) == position.g.height[pile] == then.g.height[pile] - 1
            assert then.g.top[pile] == card
            melded += 1
    assert melded > 100


@every_table
def test_a_dogma_is_shared_by_whom_its_row_says(options: dict[str, Any]) -> None:
    shared = obeyed = 0
    for position, codes in decisions(4, **options):
        if position.g.decision != ACTION:
            continue
        seat, players = position.actor, position.game.players
        for colour in (int(action) - DOGMA_AT for action in position.legal_actions()):
            if not 0 <= colour < len(COLOURS):
                continue
            said, top = row(position, codes, "dogma", colour), int(position.g.top[5 * seat + colour])
            then = after(position, DOGMA_AT + colour)
            assert (said["top"] == position.game.t.described[top]).all()
            if then.g.dogma == top and not then.over:  # it waits for a decision
                as_many = {(seat + k) % players for k in range(1, players) if said["counted"][k] >= said["counted"][0]}
                sharers = {other for other in range(players) if then.g.sharers >> other & 1} - {seat}
                victims = {other for other in range(players) if then.g.victims >> other & 1}
                assert sharers == as_many and victims == set(range(players)) - as_many - {seat}
                shared, obeyed = shared + bool(sharers), obeyed + bool(victims)
    assert shared > 5 and obeyed > 5


@every_table
def test_every_legal_card_is_described(options: dict[str, Any]) -> None:
    """But for a few that are taken from beneath a pile."""
    found = missing = 0
    for position, codes in decisions(6, **options):
        for card in (int(action) for action in position.legal_actions() if action < CARDS):
            found, missing = found + 1, missing + (not row(position, codes, "card", card)["card"].any())
    assert found > 1000 and missing < found / 200


@pytest.mark.parametrize("options", [{"players": 3}, {"players": 4}], ids=str)
def test_rows_of_seats_are_of_those_seats(options: dict[str, Any]) -> None:
    chosen = 0
    for position, codes in decisions(12, **options):
        seat, players, g = position.actor, position.game.players, position.g
        for action in (int(action) for action in position.legal_actions()):
            if PLAYER_AT <= action < PLAYER_AT + 3:
                said = row(position, codes, "player", action - PLAYER_AT)
                other = (seat + 1 + action - PLAYER_AT) % players
                assert (int(said["points"][0]), said["hand_values"].sum()) == (
                    min(int(g.points[other]), 200),
                    len(cards_in(g.hand[other])),
                )
            elif action >= BACK_AT:
                k, age = divmod(action - BACK_AT, AGES)
                said, other = row(position, codes, "back", action - BACK_AT), (seat + 1 + k) % players
                ages = [position.game.components["cards"][card]["age"] for card in cards_in(g.hand[other])]
                assert said["hand_values"] == min(ages.count(age + 1), 10)
            else:
                continue
            chosen += 1
    assert chosen > 5


@every_table
def test_an_achievement_that_can_be_claimed_is_free_in_its_row(options: dict[str, Any]) -> None:
    claimed = 0
    for position, codes in decisions(12, **options):
        for age in (int(action) - ACHIEVE_AT for action in position.legal_actions()):
            if 0 <= age < AGES - 1:
                free = row(position, codes, "achieve", age)["free"]
                assert free[AGES - 2] == 1 and free.sum() == (position.g.period == -1).sum()
                then = after(position, ACHIEVE_AT + age).observe_codes(position.actor)
                assert row(position, then, "achieve", age)["free"][AGES - 2] == 0
                claimed += 1
    assert claimed


def test_what_declines_says_nothing_of_a_card() -> None:
    game = SPEC.configure({"players": 3})
    asked = {
        "decision",
        "verb",
        "direction",
        "to_choose",
        "performed",
        "demanding",
        "performer",
        "icons",
        "draws",
        "left",
    }
    for kind, number, context in (("stop", 0, asked), ("answer", 0, asked)):
        rows = game.action_rows[kind]
        said = {name for name, where in rows.columns.items() if (rows.places[number, where] >= 0).any()}
        assert said <= context, (kind, said - context)
    assert game.action_rows["stop"].layers == game.action_rows["card"].layers
    assert (game.action_rows["answer"].places[1] >= 0).all()


def test_every_kind_has_rows_and_pairs_have_both_piles() -> None:
    game = SPEC.configure({"players": 2})
    assert set(game.action_rows) == {block.kind for block in game.actions.blocks}
    where, rows = game.features.places(), game.action_rows["pair"]
    first = rows.places[4][rows.columns["top_first"]], rows.places[4][rows.columns["top_second"]]
    assert (first[0] == where["tops"][0, 1]).all() and (first[1] == where["tops"][0, 2]).all()  # red and green
