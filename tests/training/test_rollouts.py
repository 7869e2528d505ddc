"""What PPO collects between two updates: decisions, values, shaping, minibatches, games that are cut off."""

from typing import Any

import numpy as np
import pytest
import torch

from theogony.envs.core.batch import Batch
from theogony.envs.core.batches.shaping import Shaping
from theogony.envs.core.game import Game
from theogony.envs.core.record import CUT_OFF
from theogony.envs.core.registry import load
from theogony.envs.push_of_faith.game import SPEC
from theogony.training.config.engines import Sb3Ppo
from theogony.training.config.sections import Network, Truncation, worth_of_truncation
from theogony.training.learning.ppo import BatchPPO
from theogony.training.networks.weights import weights_of
from theogony.wrappers.sb3_vec import BatchVecEnv


def learner(game: Game, shaping: str = "none", truncation: Truncation = "bootstrap", **changes: Any) -> BatchPPO:
    settings = Sb3Ppo(total_steps=1000, n_steps=20, batch_size=20, net_arch=Network(shared=[8], policy=[], value=[]))
    model = BatchPPO(BatchVecEnv(game, 6, 0, **changes), settings, 0, shaping, truncation)
    model.start()
    return model


def test_rollouts_hold_what_happened(game: Game) -> None:
    """The same decisions played once more give the observations, masks and rewards of the rollout."""
    model = learner(game, reward="margin")
    model.rollout()
    buffer = model.rollout_buffer
    batch = Batch(game, 6, 0, seat="random", reward="margin", observation=model.games.batch.observation)
    for step in range(20):
        assert np.array_equal(buffer.observations[step], batch.observations)
        assert np.array_equal(buffer.action_masks[step], batch.masks)
        batch.step(buffer.actions[step, :, 0])
        ended, rewards = batch.ended()
        expected = np.zeros(6, np.float32)
        expected[ended] = rewards
        assert np.array_equal(buffer.rewards[step], expected)
        if step < 19:
            assert np.array_equal(buffer.episode_starts[step + 1] > 0, batch.rows["over"] > 0)
    assert model.num_timesteps == 120 and len(model.new_shares()) == 6
    assert model.new_shares() == []


def test_no_decision_is_a_minibatch_of_its_own(game: Game) -> None:
    """The deviation of a single advantage is nan, and so would be the weights."""
    settings = Sb3Ppo(total_steps=100, n_steps=7, batch_size=4, net_arch=Network(policy=[8], value=[8]))
    model = BatchPPO(BatchVecEnv(game, 3, 0, observation="compact"), settings, seed=0)
    model.start()
    model.rollout()
    sizes = [len(part.actions) for part in model.rollout_buffer.get(4)]
    assert sizes == [4, 4, 4, 4, 5]
    model.train()
    assert all(torch.isfinite(weights).all() for weights in weights_of(model.policy).values())


def test_a_game_that_is_cut_off_is_worth_what_the_last_view_promised() -> None:
    game = SPEC.configure({"players": 2, "max_decisions": 10})
    model = learner(game)
    torch.nn.init.constant_(model.policy.value_net.bias, 3.0)
    model.rollout()
    ends = model.rollout_buffer.episode_starts[1:] > 0
    assert ends.any()
    assert (model.rollout_buffer.rewards[:-1][ends] > 1.5).all()
    assert (model.rollout_buffer.rewards[:-1][~ends] == 0).all()


@pytest.mark.parametrize(("kind", "worth"), [("outcome", -1.0), ("progress", 0.0)])
def test_a_team_may_learn_that_a_game_which_is_cut_off_is_lost(kind: str, worth: float) -> None:
    """As evaluations have it; what shaping had paid is taken back, as at every end."""
    game = load("god_of_war").configure({"players": 1, "max_decisions": 10})
    model = learner(game, seat="all", reward=kind, truncation="terminal", shaping="value")
    assert model.shaping is not None
    torch.nn.init.constant_(model.policy.value_net.bias, 3.0)
    start = model.shaping.potentials()
    model.rollout()
    paid = model.rollout_buffer.rewards[:10]
    assert (model.rollout_buffer.episode_starts[10] == 1).all()
    assert paid.sum(0) == pytest.approx(worth - start, abs=1e-5) and (paid[:9] != 0).any()


def test_in_a_game_against_others_it_counts_nothing(game: Game) -> None:
    assert [worth_of_truncation("terminal", game, kind) for kind in ("outcome", "rank", "margin")] == [0, 0, 0]
    assert np.isnan(worth_of_truncation("bootstrap", game, "outcome"))


def test_shaping_adds_up_to_what_the_start_was_worth(game: Game) -> None:
    """Without discount the shaping rewards of a game sum to minus the potential of its start, for either seat."""
    batch = Batch(game, 12, seed=4, seat="random", opponents="random")
    shaping = Shaping(batch, "value", 1.0)
    shaping.begin()
    start = shaping.potentials()
    total, done = np.zeros(12), np.zeros(12, bool)
    while not done.all():
        batch.step(batch.sample())
        over = batch.rows["over"] > 0
        gained = shaping.step(over)
        total[~done] += gained[~done]
        done |= over
    assert total == pytest.approx(-start, abs=1e-5)
    assert set(batch.rows["learner"]) == {0, 1}


def test_a_game_that_is_cut_off_keeps_a_potential() -> None:
    """It would go on, so that what shaping paid is not taken back; the network says what else it would bring."""
    batch, whole = (
        Batch(SPEC.configure({"players": 2, "max_decisions": most}), 12, seed=4, seat=0, opponents="random")
        for most in (8, 0)
    )
    shaping = Shaping(batch, "value", 1.0)
    shaping.begin()
    while not (over := batch.rows["over"] == CUT_OFF).any():
        before, actions = shaping.potentials(), batch.sample()
        batch.step(actions)
        gained = shaping.step(batch.rows["over"] > 0)
        whole.step(actions)
    last = over & (whole.states["ply"] == 8)  # there the same position waits for the learner
    expected = Shaping(whole, "value", 1.0).potentials()[last]
    assert last.any() and batch.last_worth[last] == pytest.approx(expected)
    assert gained[last] == pytest.approx(expected - before[last], abs=1e-6) and (gained[last] != 0).any()


def test_potentials_are_values_of_the_learners_seat(game: Game) -> None:
    batch = Batch(game, 8, seed=4, seat="random")
    for _ in range(7):
        batch.step(batch.sample())
    expected = [batch.position(i).value(int(batch.rows["learner"][i])) for i in range(8)]
    assert Shaping(batch, "value", 1.0).potentials() == pytest.approx(expected, abs=1e-6)
