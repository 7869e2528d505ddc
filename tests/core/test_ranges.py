"""Every field of a state has a range, and play never leaves it."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from theogony.envs import GAMES, load
from theogony.envs.core.game import Game
from theogony.envs.core.position import Position
from theogony.envs.core.record import from_bytes, record_dtype, to_bytes
from theogony.envs.core.untrusted.ranges import any_value, first_out_of_range, set_of, state_ranges, two_words

CASES = [
    pytest.param(name, {"players": players} | options, id=f"{name}-{players}-{number}")
    for name in GAMES
    for number, options in enumerate(load(name).option_sets)
    for players in [options.get("players", load(name).players[number % len(load(name).players)])]
]


def configured(name: str) -> Game:
    return load(name).configure()


@pytest.mark.parametrize("name", GAMES)
def test_every_field_of_a_state_has_a_range(name: str) -> None:
    game = configured(name)
    assert set(state_ranges(game)) == set(game.state.names or ())


@pytest.mark.random_play
@pytest.mark.parametrize(("name", "options"), CASES)
def test_random_play_stays_in_range(name: str, options: dict[str, Any]) -> None:
    game = load(name).configure(options)
    rng = np.random.default_rng(5)
    for seed in range(2):
        position = Position(game, seed)
        while not position.over and position.now < 3000:
            position.play(int(rng.choice(position.legal_actions())))
        problem = first_out_of_range(position.states[: position.now + 1], state_ranges(game))
        assert problem is None, f"seed {seed}: {problem}"
        position.resample(position.actor, np.array([seed], np.uint64))
        assert first_out_of_range(position.states[:1], state_ranges(game)) is None


@pytest.mark.parametrize("name", GAMES)
def test_a_value_out_of_range_is_refused_field_by_field(name: str) -> None:
    """Where a field's type holds more than its range does, the value next to the range is refused by its name."""
    position = Position(configured(name), 1)
    before = position.key()
    for field, (low, high) in state_ranges(position.game).items():
        least, most = any_value(position.game.state[field])
        for wrong in (int(np.max(high)) + 1, int(np.min(low)) - 1):
            if least <= wrong <= most:
                record = from_bytes(before, position.game.state)
                record[field].reshape(-1)[-1] = wrong
                with pytest.raises(ValueError, match=rf"^the bytes: row 0: {field}(\[\d+\])* is {wrong}, "):
                    position.load(to_bytes(record))
    assert position.key() == before


POSSIBLE_ALONE = [  # game, a field, and what is wrong when one of its entries is one more
    ("god_of_war", "hand", "cards of design"),
    ("god_of_war", "deck_cards", "cards of design"),
    ("innovation", "height", "pile 0 holds"),
    ("innovation", "points", "are not the values of the score pile"),
    ("orbis", "drawn", "the piles are out of order"),
    ("push_of_faith", "heights", "a stack holds fewer tiles than its height"),
    ("terra_mystica", "favor_supply", "favor tiles are lost or new"),
]


@pytest.mark.parametrize(("name", "field", "reason"), POSSIBLE_ALONE)
def test_counts_that_do_not_fit_together_are_refused(name: str, field: str, reason: str) -> None:
    """Each is in its range, so only all fields together show that a pile would outgrow its array."""
    position = Position(configured(name), 1)
    record = from_bytes(position.key(), position.game.state)
    record[field].reshape(-1)[0] += 1
    assert first_out_of_range(record, state_ranges(position.game)) is None
    before = position.key()
    with pytest.raises(ValueError, match=rf"^the bytes: row 0: .*{reason}"):
        position.load(to_bytes(record))
    assert position.key() == before


def test_words_for_ranges() -> None:
    dtype = record_dtype(("bits", "u8", (2,)), ("few", "u4"), ("number", "i2", (3,)))
    ranges = {"bits": two_words(70), "few": set_of(5), "number": (np.array([0, -1, -5]), 9)}
    records = np.zeros(2, dtype)
    assert first_out_of_range(records, ranges) is None
    records["bits"][1] = 2**64 - 1, 63
    records["few"][1], records["number"][1] = 31, (0, -1, -5)
    assert first_out_of_range(records, ranges) is None
    for field, place, wrong, message in (
        ("bits", (1, 1), 64, "row 1: bits[1] is 64, 0 to 63 was expected"),
        ("few", (0,), 32, "row 0: few is 32, 0 to 31 was expected"),
        ("number", (1, 1), -2, "row 1: number[1] is -2, -1 to 9 was expected"),
    ):
        damaged = records.copy()
        damaged[field][place] = wrong
        assert first_out_of_range(damaged, ranges) == message
