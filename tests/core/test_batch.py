"""A batch is many single games, whatever the threads, and goes on from a saved state bit by bit."""

import copy
import io
import multiprocessing
import pickle
import re
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import theogony
from theogony.envs import load
from theogony.envs.core.actions import IllegalAction
from theogony.envs.core.batch import Batch
from theogony.envs.core.batch_kernels import OPPONENT, ROW
from theogony.envs.core.batch_threads import SLICE_ROWS
from theogony.envs.core.game import Game, OptionError
from theogony.envs.core.outside import read_arrays
from theogony.envs.core.players import PolicyPlayer, Views
from theogony.envs.core.position import Position
from theogony.envs.core.rng import mix
from theogony.envs.core.sampling import sample_masks

ARRAYS = ("codes", "masks", "states", "rows", "streams")


@cache
def game(**options) -> Game:
    return load("push_of_faith").configure(options)


def last_legal(observations, masks, seats):
    """A policy: the legal action with the highest id."""
    return masks.shape[1] - 1 - masks[:, ::-1].argmax(1)


def play(batch: Batch, steps: int) -> Batch:
    for _ in range(steps):
        batch.step(batch.sample())
    return batch


def assert_same(one: Batch, other: Batch) -> None:
    for name in ARRAYS:
        assert getattr(one, name).tobytes() == getattr(other, name).tobytes(), name
    ended = one.rows["over"] != 0
    assert one.last_codes[ended].tobytes() == other.last_codes[ended].tobytes()


# ---------------------------------------------------------------------------------------------------- single games


@pytest.mark.random_play
@pytest.mark.parametrize("options", [{}, {"players": 3, "refill": "choose", "first_player": "random"}])
def test_rows_are_single_games(options) -> None:
    """Row by row, byte by byte, through the ends of games, with the game's seed from batch, row and episode."""
    seed, size = 12345, 4
    batch = Batch(game(**options), size, seed, reward="margin")

    def single(row: int, episode: int) -> Position:
        return Position(batch.game, int(mix(np.uint64(seed), row, episode)))

    games = [single(row, 0) for row in range(size)]
    episodes = [0] * size
    for _ in range(150):
        actions = batch.sample()
        batch.step(actions)
        for row, position in enumerate(games):
            position.play(int(actions[row]))
            assert batch.rows[row].over == position.over
            if position.over:
                players = batch.game.players
                assert batch.rows[row].rewards[:players].tolist() == position.rewards("margin").tolist()
                assert batch.rows[row].ended_length == position.now
                assert batch.last_codes[row].tolist() == position.observe_codes(position.actor).tolist()
                episodes[row] += 1
                games[row] = position = single(row, episodes[row])
            assert batch.states[row].tobytes() == position.key()
            assert batch.codes[row].tobytes() == position.codes.tobytes()
            assert batch.masks[row].tobytes() == position.mask.tobytes()
            assert batch.rows[row].seat == position.actor
            assert batch.position(row).key() == position.key()
    assert min(episodes) >= 1
    assert batch.rows["episode"].tolist() == episodes


@pytest.mark.parametrize("seat", ["all", "random", 1])
def test_threads_change_nothing(seat) -> None:
    opponents = [(1, "random"), (1, "greedy:0.1"), (1, last_legal)]
    size = 2 * SLICE_ROWS + 77
    one = Batch(game(), size, 5, seat=seat, opponents=opponents, threads=1)
    two = Batch(game(), size, 5, seat=seat, opponents=opponents, threads=2)
    assert len(one._slices) == 1 and len(two._slices) == 2
    for _ in range(40):
        one.step(one.sample())
        two.step(two.sample())
    assert one.rows["episode"].min() >= 1
    assert_same(one, two)


def test_a_seed_decides_everything() -> None:
    assert_same(play(Batch(game(), 8, 3, seat="random"), 30), play(Batch(game(), 8, 3, seat="random"), 30))
    batch = play(Batch(game(), 8, 4, seat="random"), 7)
    assert batch.states.tobytes() != play(Batch(game(), 8, 3, seat="random"), 7).states.tobytes()
    batch.reset(3)
    assert_same(play(batch, 30), play(Batch(game(), 8, 3, seat="random"), 30))


def test_resets_without_a_seed_follow_from_the_last() -> None:
    one, two = Batch(game(), 8, 3), Batch(game(), 8, 3)
    first = one.states.tobytes()
    one.reset()
    two.reset()
    assert_same(one, two)
    assert one.states.tobytes() != first


def test_a_row_does_not_depend_on_the_others() -> None:
    few, many = Batch(game(), 3, 9), Batch(game(), 30, 9)
    play(few, 50)
    play(many, 50)
    assert few.states.tobytes() == many.states[:3].tobytes()


def _play_threaded(result) -> None:
    result.put(play(Batch(game(), 2 * SLICE_ROWS, 1, threads=2), 5).states.tobytes())


def test_threads_after_a_fork() -> None:
    """A child has none of its parent's threads, and makes its own."""
    here = play(Batch(game(), 2 * SLICE_ROWS, 1, threads=2), 5).states.tobytes()
    context = multiprocessing.get_context("fork")
    results = context.Queue()
    child = context.Process(target=_play_threaded, args=(results,))
    child.start()
    assert results.get(timeout=120) == here
    child.join(60)
    assert child.exitcode == 0


# ---------------------------------------------------------------------------------------------------- opponents


def finals(batch: Batch, episodes: int, choose=Batch.sample) -> np.ndarray:
    """Final rewards of the caller over so many games."""
    found: list[float] = []
    while len(found) < episodes:
        batch.step(choose(batch))
        found += batch.ended()[1].tolist()
    return np.array(found)


def test_greedy_beats_random_and_half_greedy_is_between() -> None:
    means = [finals(Batch(game(), 60, 1, seat="random", opponents=o), 120).mean() for o in ("random", "greedy:0.5")]
    assert abs(means[0]) < 0.4
    assert finals(Batch(game(), 60, 1, seat="random", opponents="greedy"), 120).mean() < -0.95
    assert -0.99 < means[1] < -0.5


def test_the_callers_seat() -> None:
    batch = play(Batch(game(players=3), 40, 1, seat=2), 30)
    assert set(batch.rows["seat"]) == {2} and set(batch.rows["ended_seat"]) == {2}
    batch = Batch(game(players=3), 40, 1, seat="random")
    seats: list[int] = []
    while len(seats) < 300:
        play(batch, 1)
        assert (batch.rows["seat"] == batch.rows["learner"]).all()
        seats += batch.rows["ended_seat"][batch.ended()[0]].tolist()
    assert min(np.bincount(seats, minlength=3)) > 60
    assert set(Batch(game(players=3), 40, 1).rows["seat"]) == {0}


def test_last_observation_is_the_callers_own_view_of_the_end() -> None:
    """Every world is complete in it: the last view before the reset, also when another seat ended the game."""
    batch = Batch(game(), 20, 3, seat="random", observation="float")
    placed = batch.game.features.slices()["placed"]
    seen = 0
    while seen < 60:
        play(batch, 1)
        ended, rewards = batch.ended()
        seen += len(ended)
        assert (batch.last_observations[ended][:, placed] == 1.0).all()
        assert (batch.observations[ended][:, placed] < 1.0).all()
        points = batch.last_observations[ended][:, batch.game.features.slices()["points"]]
        ahead = np.sign(points[:, 0] - points[:, 1])
        assert (ahead[ahead != 0] == rewards[ahead != 0]).all()


def test_floats_are_decoded_codes() -> None:
    """Both forms of observation, with several slices and after loading, and the same games in both."""
    compact, floats = (
        Batch(game(), 1024, 3, seat="random"),
        Batch(game(), 1024, 3, seat="random", threads=2, observation="float"),
    )
    decode = game().features.decode
    for batch in (compact, floats):
        play(batch, 36)  # the second game of every row ends
    assert compact.observations is compact.codes and compact.observations.dtype == np.uint8
    assert floats.observations.dtype == np.float32
    assert (compact.codes == floats.codes).all() and (compact.states == floats.states).all()
    assert (decode(floats.codes) == floats.observations).all()
    ended = floats.ended()[0]
    assert len(ended) and (floats.last_observations[ended] == decode(compact.last_codes[ended])).all()
    other = Batch(game(), 1024, 0, seat="random", observation="float")
    other.load_state_dict(compact.state_dict())
    assert (other.observations == floats.observations).all()
    assert pickle.loads(pickle.dumps(floats)).observations.tobytes() == floats.observations.tobytes()
    with pytest.raises(ValueError, match=r'observation=.bits. is not "float" or "compact"'):
        Batch(game(), 4, observation="bits")  # pyright: ignore[reportArgumentType]


def test_a_policy_gets_the_rows_it_owns_and_nothing_else() -> None:
    calls = []

    def watching(observations, masks, seats):
        waiting = np.flatnonzero(batch.rows["due"] > 0)
        assert len(seats) == len(waiting)
        for k, row in enumerate(waiting):
            position = batch.position(int(row))
            assert position.actor == seats[k] != batch.rows[row].learner
            assert observations[k].tobytes() == position.observe(position.actor).tobytes()
            assert masks[k].tobytes() == position.mask.tobytes()
        calls.append(len(seats))
        return last_legal(observations, masks, seats)

    batch = Batch(game(players=3), 6, 2, seat="random", opponents="random")
    batch.set_opponents(watching)
    play(batch, 60)
    assert (batch.rows["due"] == 0).all()
    assert (batch.rows["seat"] == batch.rows["learner"]).all()
    assert max(calls) == 6


def test_two_policies_play_their_own_rows() -> None:
    """Each policy marks its decisions by its choice; with one seat against one, all of a game's are by one of them."""
    seen: dict[str, int] = {"low": 0, "high": 0}

    def low(observations, masks, seats):
        seen["low"] += len(seats)
        return masks.argmax(1)

    def high(observations, masks, seats):
        seen["high"] += len(seats)
        return last_legal(observations, masks, seats)

    batch = play(Batch(game(), 64, 2, seat=0, opponents=[(1, low), (3, high)]), 200)
    assert 2 < seen["high"] / seen["low"] < 4.5
    assert [(weight, player.policy) for weight, player in batch.opponents] == [(0.25, low), (0.75, high)]  # pyright: ignore


def test_new_opponents_play_the_games_that_begin_later() -> None:
    batch = Batch(game(), 10, 1, seat=0, opponents=last_legal)
    play(batch, 3)
    batch.set_opponents("random")
    assert [player.policy for player in batch.players.values()] == [last_legal]  # pyright: ignore
    assert (batch.rows["controller"][:, 1] > 0).all()
    play(batch, 40)
    assert (batch.rows["controller"][:, 1] == -1).all()
    batch.set_opponents("random")
    assert batch.players == {}


# ---------------------------------------------------------------------------------------------------- saving


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


@pytest.mark.parametrize("duplicate", [copy.deepcopy, lambda batch: pickle.loads(pickle.dumps(batch))])
def test_copies_are_independent(duplicate) -> None:
    batch = play(Batch(game(), 6, 1, seat=1, opponents=[(1, last_legal), (1, "random")], reward="margin"), 25)
    other = duplicate(batch)
    assert_same(batch, other)
    before = other.states.tobytes()
    play(batch, 30)
    assert other.states.tobytes() == before
    assert_same(batch, play(other, 30))


# ---------------------------------------------------------------------------------------------------- errors and ends


def test_an_illegal_action_changes_nothing() -> None:
    batch = play(Batch(game(), 5, 1), 10)
    before = batch.state_dict()
    actions = batch.sample()
    actions[3] = int(np.flatnonzero(batch.masks[3] == 0)[0])
    before["streams"] = batch.streams.copy()
    for bad in (int(actions[3]), -1, batch.game.actions.size):
        actions[3] = bad
        with pytest.raises(IllegalAction, match=rf"step, row 3: action {bad} .*legal"):
            batch.step(actions)
        after = batch.state_dict()
        assert all(np.array_equal(before[name], after[name]) for name in before)


def test_bad_arguments_are_named() -> None:
    batch = Batch(game(), 3, 1)
    with pytest.raises(ValueError, match=r"step gives 3 integer actions, not int64 of shape \(2,\)"):
        batch.step([0, 0])
    with pytest.raises(ValueError, match="not float64"):
        batch.step(np.zeros(3))
    with pytest.raises(ValueError, match="a batch has 1 to 1048576 games, not 0"):
        Batch(game(), 0)
    for size in (2**20 + 1, 10**30, 2.0, True, "4"):
        with pytest.raises(ValueError, match="a batch has 1 to 1048576 games, not "):
            Batch(game(), size)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="a batch has 1 to 1024 threads, not 0"):
        Batch(game(), 1, threads=0)
    with pytest.raises(OptionError, match="seat=2 is not 0 to 1"):
        Batch(game(), 1, seat=2)
    with pytest.raises(OptionError, match="reward='points' is not one of"):
        Batch(game(), 1, reward="points")

    def illegal(observations, masks, seats):
        return np.full(len(seats), -5)

    with pytest.raises(IllegalAction, match=r"opponent 'illegal', row 0: action -5"):
        Batch(game(), 3, 1, seat=1, opponents=illegal)


def test_games_that_are_cut_off_pay_nothing() -> None:
    batch = Batch(game(max_decisions=10), 6, 1, reward="margin")
    play(batch, 9)
    assert (batch.rows["over"] == 0).all()
    play(batch, 1)
    assert (batch.rows["over"] == 2).all()
    assert (batch.rows["rewards"] == 0).all() and (batch.rows["ended_length"] == 10).all()
    play(batch, 1)
    assert (batch.rows["over"] == 0).all()


def test_a_game_that_ends_before_the_callers_first_decision_is_no_episode() -> None:
    batch = Batch(game(max_decisions=1), 40, 1, seat="random")
    assert set(batch.rows["learner"]) == {0}
    assert batch.rows["episode"].max() > 0
    assert (batch.rows["over"] == 0).all()


# ---------------------------------------------------------------------------------------------------- sampling


def test_sampling_is_uniform_over_the_legal_actions() -> None:
    legal = [0, 5, 31, 32, 63, 99]
    masks = np.zeros((6000, 100), np.int8)
    masks[:, legal] = 1
    counts = np.bincount(sample_masks(masks, np.random.default_rng(0)), minlength=100)
    assert set(np.flatnonzero(counts)) == set(legal)
    assert counts[legal].min() > 850 and counts[legal].max() < 1150


def test_sampling_many_actions_and_none() -> None:
    masks = np.ones((2000, 700), bool)
    masks[7] = False
    streams = np.arange(2000, dtype=np.uint64)
    before = streams.copy()
    actions = sample_masks(masks, streams)
    assert actions[7] == -1
    assert actions.max() >= 690 and len(set(actions)) > 600
    assert (streams != before)[:7].all()
    assert actions.tolist() == theogony.sample_masks(masks, before).tolist()
    with pytest.raises(ValueError, match=r"int8 or bool of shape"):
        sample_masks(masks[0], streams)
    with pytest.raises(ValueError, match=r"streams are uint64 \(2000,\)"):
        sample_masks(masks, streams[:3])


# ---------------------------------------------------------------------------------------------------- damage and errors


def broken(saved: dict[str, np.ndarray], name: str, **fields: Any) -> dict[str, np.ndarray]:
    """A saved state with other values in fields of the last of its rows, states or opponents."""
    dtype = {"rows": ROW, "states": game().state, "opponents": OPPONENT}[name]
    records = np.array(saved[name]).view(dtype).reshape(-1)
    for field, value in fields.items():
        records[field][-1] = value
    return {**saved, name: records.view(np.uint8).reshape(saved[name].shape)}


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


def test_after_an_opponent_fails_a_batch_says_that_it_must_be_reset() -> None:
    def failing(observations: np.ndarray, masks: np.ndarray, seats: np.ndarray) -> np.ndarray:
        if angry:
            raise OSError("the server is gone")
        return last_legal(observations, masks, seats)

    angry = False
    batch = play(Batch(game(), 6, 1, seat=0, opponents=failing), 3)
    saved, angry = batch.state_dict(), True
    with pytest.raises(OSError, match="the server is gone"):
        batch.step(batch.sample())
    angry = False
    for _ in range(2):
        with pytest.raises(RuntimeError, match=r"a step stopped half-way.*call reset\(\) or load_state_dict\(\)"):
            batch.step(batch.sample())
        with pytest.raises(RuntimeError, match="a step stopped half-way"):
            batch.state_dict()
    batch.load_state_dict(saved)
    other = Batch(game(), 6, 1, seat=0, opponents=failing)
    other.load_state_dict(saved)
    assert_same(play(batch, 20), play(other, 20))
    angry = True
    with pytest.raises(OSError, match="the server is gone"):
        play(batch, 20)
    angry = False
    batch.reset(5)
    play(batch, 5)
