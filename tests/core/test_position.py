"""One game in Python: history, copies, bytes, and errors that say what would be legal."""

import copy
import pickle
from typing import Any

import numpy as np
import pytest

from theogony.envs import load
from theogony.envs.core.actions import IllegalAction
from theogony.envs.core.position import NO_SEED, Position
from theogony.envs.core.record import from_bytes, to_bytes

GAME = load("push_of_faith").configure({"players": 3, "refill": "choose"})


def play(position: Position, decisions: int, seed: int = 1) -> Position:
    generator = np.random.default_rng(seed)
    for _ in range(decisions):
        position.play(generator.choice(position.legal_actions()))
    return position


def shown(position: Position) -> tuple[bytes, bytes, bytes, int, int]:
    mask, observation = position.mask.tobytes(), position.observation.tobytes()
    return position.key(), mask, observation, position.actor, position.over


@pytest.fixture
def position() -> Position:
    return play(Position(GAME, 7), 20)


def test_seeds() -> None:
    assert Position(GAME, 7).key() == Position(GAME, 7).key() == Position(GAME, 7 + 2**64).key()
    assert Position(GAME, 7).key() != Position(GAME, 8).key()
    assert Position(GAME, -1).key() != Position(GAME, 1).key()
    drawn = Position(GAME)
    assert drawn.key() == Position(GAME, drawn.seed).key()
    assert Position(GAME).seed != drawn.seed


def test_reset_begins_anew(position: Position) -> None:
    position.reset(7)
    assert shown(position) == shown(Position(GAME, 7))
    assert (position.now, position.actions) == (0, [])


def test_mask_and_observation_are_of_the_acting_seat(position: Position) -> None:
    assert position.observation[0].tobytes() == position.observe(position.actor).tobytes()
    assert position.legal_actions().tolist() == np.flatnonzero(position.mask[0]).tolist()


def test_undo_goes_back_to_the_start(position: Position) -> None:
    start = Position(GAME, 7)
    passed = [shown(start)]
    for action in position.actions:
        start.play(action)
        passed.append(shown(start))
    for before, action in zip(reversed(passed[:-1]), reversed(position.actions.copy()), strict=True):
        assert position.undo() == action
        assert shown(position) == before
    with pytest.raises(IndexError, match="there is no decision to undo"):
        position.undo()
    assert shown(position) == passed[0]


def test_undo_from_the_end_of_a_game() -> None:
    position = Position(GAME, 3)
    play(position, 81)
    assert (position.over, position.legal_actions().size, position.observation.any()) == (1, 0, False)
    position.undo()
    assert position.over == 0
    assert position.mask.any()


def test_history_grows() -> None:
    position = play(Position(GAME, 7), 80)  # room for 64 is made at first
    assert position.now == 80
    again = Position(GAME, 7)
    for action in position.actions:
        again.play(action)
    assert again.states[:81].tobytes() == position.states[:81].tobytes()
    for _ in range(80):
        position.undo()
    assert position.key() == Position(GAME, 7).key()


def test_a_clone_goes_its_own_way(position: Position) -> None:
    clone, before = position.clone(), shown(position)
    assert shown(clone) == before
    with pytest.raises(IndexError):
        clone.undo()
    play(clone, 10)
    assert shown(position) == before
    for _ in range(10):
        clone.undo()
    assert shown(clone) == before
    play(position, 10)
    assert shown(clone) == before


@pytest.mark.parametrize("copied", [copy.deepcopy, copy.copy, lambda p: pickle.loads(pickle.dumps(p))])
def test_copies_keep_the_history(position: Position, copied) -> None:
    other, before = copied(position), shown(position)
    assert shown(other) == before
    assert (other.seed, other.actions, other.now) == (position.seed, position.actions, position.now)
    for _ in range(20):
        other.undo()
    assert other.key() == Position(GAME, 7).key()
    play(other, 70)
    assert shown(position) == before


def test_load(position: Position) -> None:
    other = Position(GAME, 99)
    other.load(position.key())
    assert shown(other) == shown(position)
    assert (other.now, other.actions) == (0, [])
    assert other.hash() == position.hash() != Position(GAME, 7).hash()
    for content in (b"", position.key()[:-1]):
        with pytest.raises(ValueError, match=f"{len(content)} bytes are no whole number of records"):
            other.load(content)
    with pytest.raises(ValueError, match="bytes are 2 positions, one was expected"):
        other.load(2 * position.key())
    assert shown(other) == shown(position)


@pytest.mark.parametrize(
    ("field", "value"), [("actor", 3), ("actor", -1), ("turn", 100), ("over", 3), ("players", 2), ("ply", -1)]
)
def test_bytes_with_a_field_out_of_range_are_refused(position: Position, field: str, value: int) -> None:
    record = from_bytes(position.key(), GAME.state)
    record[field] = value
    before = shown(position)
    with pytest.raises(ValueError, match=f"the bytes: row 0: {field} is {value}, "):
        position.load(to_bytes(record))
    assert shown(position) == before


def test_views_change_nothing(position: Position) -> None:
    before = shown(position)
    for seat in range(3):
        assert position.observe(seat).shape == (GAME.features.length,)
        assert np.isfinite(position.value(seat))
    for numbers in (position.scores(), position.standings(), position.rewards("rank")):
        assert numbers.shape == (3,)
    assert shown(position) == before


def test_resample_is_decided_by_its_dice(position: Position) -> None:
    others = [position.clone() for _ in range(3)]
    for other, dice in zip(others, (1, 1, 2), strict=True):
        other.resample(0, np.array([dice], np.uint64))
    assert others[0].key() == others[1].key() != others[2].key()
    assert position.key() not in {other.key() for other in others}


# ---------------------------------------------------------------------------------------------------- illegal actions


@pytest.mark.parametrize(
    ("action", "message"),
    [
        (0, r"action 0 \('push N to a'\) is not legal for seat 0; legal: 'refill from 0' \(121\), 'refill from 1'"),
        (-1, r"action -1 \(ids go from 0 to 123\) is not legal for seat 0"),
        (124, r"action 124 \(ids go from 0 to 123\) is not legal"),
        (2**40, rf"action {2**40} \(ids go from 0 to 123\) is not legal"),
        (2**70, rf"action {2**70} \(ids go from 0 to 123\) is not legal"),
        (1.5, "an action is an integer id, not 1.5"),
        ("push N to a", "an action is an integer id, not 'push N to a'"),
        (None, "an action is an integer id, not None"),
        (np.array([1, 2]), r"an action is an integer id, not array\(\[1, 2\]\)"),
    ],
)
def test_illegal_actions_change_nothing(position: Position, action, message: str) -> None:
    before, history = shown(position), position.actions.copy()
    with pytest.raises(IllegalAction, match=message) as error:
        position.play(action)
    assert shown(position) == before
    assert position.actions == history
    if isinstance(action, int):
        assert error.value.legal == position.legal_actions().tolist()
        assert error.value.action == action


@pytest.mark.parametrize("wrong", [True, False, np.True_, np.False_])
def test_true_is_no_action(wrong: Any) -> None:
    """Though 1 is legal, and Python counts True as 1."""
    position = Position(GAME, 7)
    legal = position.legal_actions()[:2].tolist()
    assert 1 in legal or 0 in legal
    before = shown(position)
    with pytest.raises(IllegalAction, match=r"an action is an integer id, not .*(True|False)"):
        position.play(wrong)
    assert shown(position) == before


def test_integers_of_any_kind_are_actions(position: Position) -> None:
    played = []
    for kind in (int, np.int64, np.uint8, np.int16, np.array):
        played.append(int(position.legal_actions()[0]))
        position.play(kind(played[-1]))  # pyright: ignore[reportArgumentType]
    assert position.actions[-len(played) :] == played and all(type(action) is int for action in position.actions)


def test_long_lists_of_legal_actions_are_cut() -> None:
    position = play(Position(GAME, 7), 19)  # many places for a second tile
    assert position.legal_actions().size > 12
    more = position.legal_actions().size - 12
    with pytest.raises(IllegalAction, match=rf" and {more} more$"):
        position.play(0)


def test_nothing_can_be_played_after_the_end() -> None:
    position = Position(GAME, 3)
    play(position, 81)
    with pytest.raises(IllegalAction, match="the game is over: action 5 cannot be played"):
        position.play(5)
    assert position.now == 81


def test_resample_forgets_what_tells_the_truth(position: Position) -> None:
    position.resample(0, np.array([5], np.uint64))
    assert (position.seed, position.now, position.actions) == (NO_SEED, 0, [])
    assert not position.states[1:].tobytes().strip(b"\0")
    with pytest.raises(IndexError):
        position.undo()


@pytest.mark.parametrize("seat", [-1, 3, 100_000])
def test_seats_that_are_not_at_the_table(position: Position, seat: int) -> None:
    before = shown(position)
    for look in (
        lambda: position.observe(seat),
        lambda: position.value(seat),
        lambda: position.resample(seat, np.array([1], np.uint64)),
    ):
        with pytest.raises(ValueError, match=f"seat {seat} is not 0 to 2"):
            look()
    assert shown(position) == before


LOOKS = {
    "observe": lambda position, seat: position.observe(seat),
    "observe_codes": lambda position, seat: position.observe_codes(seat),
    "value": lambda position, seat: position.value(seat),
    "resample": lambda position, seat: position.resample(seat, np.array([1], np.uint64)),
}


@pytest.mark.parametrize("look", LOOKS.values(), ids=LOOKS)
@pytest.mark.parametrize("seat", [0.5, 1.0, True, np.True_, "0", None, np.array([0, 1])])
def test_seats_are_whole_numbers(position: Position, look: Any, seat: Any) -> None:
    before = shown(position)
    with pytest.raises(ValueError, match=r"seat .* is not 0 to 2"):
        look(position, seat)
    assert shown(position) == before


def test_seats_may_be_numbers_of_numpy(position: Position) -> None:
    assert position.observe(np.int8(1)).tolist() == position.observe(1).tolist()  # pyright: ignore[reportArgumentType]


def _read_only() -> np.ndarray:
    stream = np.array([1], np.uint64)
    stream.flags.writeable = False
    return stream


@pytest.mark.parametrize(
    ("rng", "found"),
    [
        (np.array([], np.uint64), r"uint64 \(0,\)"),
        (np.array([1, 2], np.uint64), r"uint64 \(2,\)"),
        (np.array(1, np.uint64), r"uint64 \(\)"),
        (np.array([1]), r"int64 \(1,\)"),
        (np.array([1.0]), r"float64 \(1,\)"),
        ([1], r"\[1\]"),
        (1, "1"),
        (None, "None"),
        (np.random.default_rng(0), "Generator"),
        (_read_only(), r"read-only uint64 \(1,\)"),
    ],
)
def test_a_stream_is_what_compiled_code_moves_on(position: Position, rng: Any, found: str) -> None:
    before = shown(position)
    with pytest.raises(ValueError, match=rf"a stream is uint64 \(1,\), an array that can be written to, not {found}"):
        position.resample(0, rng)
    assert shown(position) == before


def test_loaded_bytes_were_not_played_from_a_seed(position: Position) -> None:
    other = Position(GAME, 99)
    other.load(position.key())
    assert other.seed == NO_SEED
