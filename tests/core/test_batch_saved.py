"""Saved batches: they go on bit by bit, and damaged ones are refused."""

import copy
import io
import pickle
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from batches import assert_same, game, last_legal, play

from theogony.envs.core.batch import Batch
from theogony.envs.core.batches.kernels import OPPONENT, ROW
from theogony.envs.core.players import PolicyPlayer, Views
from theogony.envs.core.record import byte_rows, from_bytes
from theogony.envs.core.untrusted.outside import read_arrays


class Dicing:
    """Draws all that it does from the generator that it is given."""

    name = "dicing"

    def act(self, views: Views, rng: np.random.Generator) -> np.ndarray:
        return np.array([rng.choice(np.flatnonzero(view.mask)) for view in views])


@pytest.mark.parametrize("opponents", ["random", [(1, "greedy:0.1"), (1, last_legal), (2, Dicing())]])
def test_saved_and_restored_bit_by_bit(opponents) -> None:
    batch = play(Batch(game(), 12, 1, seat="random", opponents=opponents), 36)
    file = io.BytesIO()
    np.savez(file, **batch.state_dict())  # pyright: ignore[reportArgumentType]
    file.seek(0)
    other = Batch(game(), 12, 999, seat="random", opponents=opponents)
    with np.load(file, allow_pickle=False) as saved:
        other.load_state_dict(saved)
    assert_same(batch, other)
    for _ in range(60):
        actions = batch.sample()
        assert actions.tolist() == other.sample().tolist()
        batch.step(actions)
        other.step(actions)
        assert_same(batch, other)
    batch.reset()
    other.reset()
    assert_same(batch, other)


def test_a_saved_state_is_a_copy() -> None:
    batch = play(Batch(game(), 4, 1), 10)
    saved = batch.state_dict()
    before = {name: array.copy() for name, array in saved.items()}
    play(batch, 30)
    assert all(np.array_equal(saved[name], before[name]) for name in saved)


def test_a_saved_state_that_does_not_fit_is_refused() -> None:
    batch = play(Batch(game(), 4, 1, seat=0, opponents=last_legal), 5)
    saved = batch.state_dict()
    for other in (Batch(game(), 5, 1), Batch(game(refill="choose"), 4, 1)):
        before = other.states.tobytes()
        with pytest.raises(
            ValueError, match=r"the saved state is of 'push_of_faith_v0 tables .* not of 'push_of_faith_v0"
        ):
            other.load_state_dict(saved)
        assert other.states.tobytes() == before
    other = Batch(game(), 4, 1, seat=0)
    with pytest.raises(ValueError, match=r"needs players \[1\], but \[1\] are not among those given"):
        other.load_state_dict(saved)
    other.load_state_dict(saved, {1: PolicyPlayer(last_legal)})
    assert_same(play(batch, 20), play(other, 20))
    with pytest.raises(ValueError, match="has no 'rows'"):
        other.load_state_dict({name: array for name, array in saved.items() if name != "rows"})


@pytest.mark.parametrize("other", [{"seat": 1}, {"seat": "all"}, {"seat": "random"}, {"reward": "margin"}])
def test_a_state_of_another_seat_or_reward_is_refused(other: dict[str, Any]) -> None:
    arguments: dict[str, Any] = {"seat": 0, "reward": "outcome"}
    saved = play(Batch(game(), 4, 1, **arguments), 5).state_dict()
    batch = Batch(game(), 4, 1, **{**arguments, **other})
    before = batch.states.tobytes()
    found = " ".join(f"{name} {value}" for name, value in {**arguments, **other}.items())
    with pytest.raises(ValueError, match=rf"is of '.* seat 0 reward outcome', not of '.* {found}'"):
        batch.load_state_dict(saved)
    assert batch.states.tobytes() == before


@pytest.mark.parametrize("duplicate", [copy.deepcopy, lambda batch: pickle.loads(pickle.dumps(batch))])
def test_copies_are_independent(duplicate) -> None:
    batch = play(Batch(game(), 6, 1, seat=1, opponents=[(1, last_legal), (1, "random")], reward="margin"), 25)
    other = duplicate(batch)
    assert_same(batch, other)
    before = other.states.tobytes()
    play(batch, 30)
    assert other.states.tobytes() == before
    assert_same(batch, play(other, 30))


def broken(saved: dict[str, np.ndarray], name: str, **fields: Any) -> dict[str, np.ndarray]:
    """A saved state with other values in fields of the last of its rows, states or opponents."""
    dtype = {"rows": ROW, "states": game().state, "opponents": OPPONENT}[name]
    records = from_bytes(np.array(saved[name]).tobytes(), dtype)
    for field, value in fields.items():
        records[field][-1] = value
    return {**saved, name: byte_rows(records)}


DAMAGE: dict[str, Callable[[dict[str, np.ndarray]], dict[str, Any]]] = {
    "'streams' as uint64 of shape (3,), uint64 of shape (4) was": lambda s: {**s, "streams": s["streams"][:3]},
    "'rows' as uint8 of shape (4, ": lambda s: {**s, "rows": s["rows"][:, :-1]},
    "'states' as int64 of shape": lambda s: {**s, "states": s["states"].astype(np.int64)},
    "'seed' as int64 of shape (1,), uint64": lambda s: {**s, "seed": np.array([-1])},
    "states out of range: row 3: over is 1, 0 to 0 was": lambda s: broken(s, "states", over=1),
    "the saved state: row 3: actor is 2, 0 to 1 was": lambda s: broken(s, "states", actor=2),
    "the saved state: row 3: markers[0] is 100": lambda s: broken(s, "states", markers=100),
    "the saved state: row 3: map[0][0] is -128": lambda s: broken(s, "states", map=-128),
    "rows out of range: row 3: seat is 7": lambda s: broken(s, "rows", seat=7),
    "rows out of range: row 3: learner is 90": lambda s: broken(s, "rows", learner=90),
    "row 3: due is 1, 0 to 0 was expected": lambda s: broken(s, "rows", due=1),
    "row 3: rewards[0] is nan": lambda s: broken(s, "rows", rewards=np.nan),
    "in which the caller is not to decide": lambda s: broken(s, "rows", controller=1),
    "waits for other seats": lambda s: broken(s, "rows", seat=1),
    "greed is nan": lambda s: broken(s, "opponents", greed=np.nan),
    "needs players [1, 77]": lambda s: broken(s, "opponents", controller=77),
    "has no generator in 'rng'": lambda s: {**s, "rng": np.full(6, 2**64 - 1, np.uint64)},
    "has 0 views of games": lambda s: {**broken(s, "rows", over=1), "ended_codes": s["ended_codes"][:0]},
}


@pytest.mark.parametrize("message", DAMAGE)
def test_a_damaged_state_is_refused_and_changes_nothing(message: str) -> None:
    batch = play(Batch(game(), 4, 1, seat=0, opponents=[(1, last_legal), (1, "greedy")]), 3)
    before, masks, players = batch.state_dict(), batch.masks.copy(), batch.players
    with pytest.raises(ValueError, match=re.escape(message)):
        batch.load_state_dict(DAMAGE[message](before))
    after = batch.state_dict()
    assert all(np.array_equal(before[name], after[name]) for name in before)
    assert np.array_equal(batch.masks, masks) and batch.players == players


def test_a_saved_state_is_read_within_its_forms(tmp_path: Path) -> None:
    batch = play(Batch(game(), 4, 1, seat=0), 9)
    np.savez(tmp_path / "state.npz", **batch.state_dict())  # type: ignore[arg-type]
    other = Batch(game(), 4, 2, seat=0)
    other.load_state_dict(read_arrays(tmp_path / "state.npz", "state", ValueError, other.saved_forms()))
    assert_same(play(batch, 9), play(other, 9))
