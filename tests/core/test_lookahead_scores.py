"""Lookahead scores: what the greedy player goes by, as an input; blind to what its seat cannot know."""

import numpy as np
import pytest
from bluff.game import SPEC as BLUFF
from tictactoe import SPEC as TICTACTOE

from theogony.envs.core.batch import Batch
from theogony.envs.core.players import GreedyPlayer, Views
from theogony.envs.core.position import Position
from theogony.envs.core.rng import mix
from theogony.envs.core.thinking.lookahead_scores import LEAST, batch_lookahead, dice, position_lookahead


def batch_in_play(decisions: int = 5) -> Batch:
    batch = Batch(BLUFF.configure({"players": 3}), 16, seed=4)
    for _ in range(decisions):
        batch.step(batch.sample())
    return batch


def test_best_is_zero_mean_is_minus_one_and_illegal_is_least() -> None:
    batch = batch_in_play()
    told = False
    for scores, mask in zip(batch_lookahead(batch), batch.masks, strict=True):
        legal = scores[mask > 0]
        assert legal.max() == 0
        assert (scores[mask == 0] == LEAST).all()
        if legal.min() < 0:
            told = True
            assert legal.min() >= LEAST
            assert legal.min() == LEAST or legal.mean() == pytest.approx(-1)
    assert told


def test_asking_twice_or_for_some_rows_gives_the_same() -> None:
    batch = batch_in_play()
    whole = batch_lookahead(batch)
    rows = np.array([3, 11])
    assert np.array_equal(whole, batch_lookahead(batch))
    assert np.array_equal(whole[rows], batch_lookahead(batch, rows))


def test_the_greedy_player_takes_what_has_the_best_score() -> None:
    position = Position(TICTACTOE.configure(), 1)
    rng = np.random.default_rng(1)
    while not position.over:
        views = Views(position.observation, position.mask, np.zeros(1, np.int8), lambda _, __: position.clone())
        chosen = int(GreedyPlayer(position.game).act(views, rng)[0])
        assert position_lookahead(position)[chosen] == 0
        position.play(chosen)


def test_lookahead_scores_are_blind_to_what_the_seat_cannot_know() -> None:
    batch = batch_in_play()
    before = batch_lookahead(batch)
    for row in range(batch.size):
        g = batch.states[row]
        for seat in range(3):
            if seat != g.actor:
                g.dice[seat] = g.dice[seat] % 6 + 1  # what others hold
        g.rng[0] += np.uint64(1)  # and what is still to be rolled
    assert np.array_equal(before, batch_lookahead(batch))


def test_dice_of_lookahead_are_none_that_a_game_begins_with() -> None:
    """A game of seed s rolls from mix(s, 0, 0), and game k of row i of a batch has the seed mix(s, i, k)."""
    seeds = [np.uint64(seed) for seed in range(20)]
    games = {int(mix(seed, i, k)) for seed in seeds for i in range(8) for k in range(20)} | set(range(20))
    assert games.isdisjoint(int(dice(seed, i, ply)) for seed in seeds for i in range(8) for ply in range(20))
