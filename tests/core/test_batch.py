"""A batch is many single games, whatever the threads, and goes on from a saved state bit by bit."""

import multiprocessing

import numpy as np
import pytest
from batches import assert_same, game, last_legal, play

import theogony
from theogony.envs.core.actions import IllegalAction
from theogony.envs.core.batch import Batch
from theogony.envs.core.batches.arguments import SLICE_ROWS
from theogony.envs.core.game import OptionError
from theogony.envs.core.position import NO_SEED, Position
from theogony.envs.core.record import to_bytes
from theogony.envs.core.rng import mix
from theogony.envs.core.thinking.sampling import sample_masks

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
            assert to_bytes(batch.states[row : row + 1]) == position.key()
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
    with pytest.raises(ValueError, match="3 integer actions, not bool"):
        batch.step(np.ones(3, bool))
    for mixed in ([1, True, 1], (1, np.True_, 1)):  # NumPy would make them 1, 1, 1
        with pytest.raises(ValueError, match="step gives 3 integer actions, not truth values"):
            batch.step(mixed)
    with pytest.raises(ValueError, match="a batch has 1 to 1048576 games, not 0"):
        Batch(game(), 0)
    for size in (2**20 + 1, 10**30, 2.0, True, "4"):
        with pytest.raises(ValueError, match="a batch has 1 to 1048576 games, not "):
            Batch(game(), size)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="a batch has 1 to 1024 threads, not 0"):
        Batch(game(), 1, threads=0)
    with pytest.raises(OptionError, match="seat=2 is not 0 to 1"):
        Batch(game(), 1, seat=2)
    with pytest.raises(OptionError, match="reward='progress' is not one of"):
        Batch(game(), 1, reward="progress")

    def illegal(observations, masks, seats):
        return np.full(len(seats), -5)

    with pytest.raises(IllegalAction, match=r"opponent 'illegal', row 0: action -5 is not legal$") as told:
        Batch(game(), 3, 1, seat=1, opponents=illegal)
    assert told.value.legal == []  # what an opponent may do is not told to the others


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
    streams.flags.writeable = False
    for rng in (streams, streams.astype(np.int64), [1], None, np.random.RandomState(0)):
        with pytest.raises(
            ValueError, match=r"streams are uint64 \(2000,\)|rng is a numpy\.random\.Generator or a stream"
        ):
            sample_masks(masks, rng)  # pyright: ignore[reportArgumentType]
    for wrong in ([[1, 0]], None, masks.astype("S1")):
        with pytest.raises(ValueError, match="masks are int8 or bool of shape"):
            sample_masks(wrong, before)  # pyright: ignore[reportArgumentType]


def test_a_position_of_a_row_has_no_seed() -> None:
    batch = Batch(game(), 2, seed=5)
    assert batch.position(1).seed == NO_SEED
