"""Who plays the other seats of a batch."""

import pickle

import numpy as np
import pytest
from batches import game, last_legal, play

from theogony.envs.core.batch import Batch
from theogony.envs.core.game import OptionError
from theogony.envs.core.registry import load


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


def test_a_seat_that_never_decides_is_refused() -> None:
    """Games that are cut off before its first decision are no games of its own: there would never be one."""
    short = load("orbis").configure({"players": 2, "max_decisions": 1})
    with pytest.raises(OptionError, match=r"orbis: seat=1 never decides in a game of max_decisions=1"):
        Batch(short, 2, seat=1)
    for seat in (0, "random", "all"):
        batch = Batch(short, 2, seat=seat, seed=1)
        batch.step(batch.sample())
        assert (batch.rows["episode"] > 0).all()
