"""`TianshouBatch` plays what a `Batch` plays, in the shapes that Tianshou's collector takes."""

from typing import Any

import numpy as np
import pytest

pytest.importorskip("tianshou", reason="needs the extra `examples`")

from theogony.envs import load
from theogony.envs.core.actions import IllegalAction
from theogony.envs.core.batch import Batch
from theogony.wrappers import TianshouBatch

GAME = load("push_of_faith").configure({"players": 3})
HOW: dict[str, Any] = {"seat": "random", "opponents": "greedy:0.5", "reward": "margin"}


def test_steps_are_those_of_the_batch() -> None:
    envs, batch = TianshouBatch(GAME, 6, 1, **HOW), Batch(GAME, 6, 1, **HOW, observation="compact")
    (seen, infos), games = envs.reset(), 0
    for _ in range(40):
        assert (seen.obs == batch.observations).all() and (seen.mask == batch.masks).all()
        actions = batch.sample()
        batch.step(actions)
        seen, rewards, terminated, truncated, infos = envs.step(actions, np.arange(6))
        ended, final = batch.ended()
        assert np.flatnonzero(terminated).tolist() == ended.tolist() and not truncated.any() and len(infos) == 6
        assert rewards[ended].tolist() == final.tolist() and np.count_nonzero(rewards) <= len(ended)
        assert (seen.obs[ended] == batch.last_observations[ended]).all() and seen.mask[ended].all()
        seen.obs[ended], seen.mask[ended] = envs.reset(ended)[0].obs, envs.reset(ended)[0].mask
        games += len(ended)
    assert games == 12, "two a row"


def test_the_same_seed_gives_the_same_games() -> None:
    envs = TianshouBatch(GAME, 3)
    first = [envs.reset()[0].obs for _ in envs.seed(5)]
    envs.step(envs.reset()[0].mask.argmax(1))
    assert (first[0] != envs.reset()[0].obs).any()
    envs.seed(5)
    assert (first[0] == envs.reset()[0].obs).all()


def test_a_reset_of_all_games_begins_them_anew() -> None:
    envs = TianshouBatch(GAME, 3, 5)
    first = envs.reset()[0].obs
    assert (envs.reset()[0].obs == first).all(), "nobody has stepped"
    for _ in range(3):
        envs.step(envs.batch.masks.argmax(1))
    running, plies = envs.batch.codes.copy(), envs.batch.states["ply"].copy()
    assert (envs.reset([0, 2])[0].obs == running[[0, 2]]).all()
    assert (envs.reset()[0].obs != running).any() and (envs.batch.rows["episode"] == 0).all()
    assert (envs.batch.states["ply"] < plies).all()
    envs.step(envs.batch.masks.argmax(1))
    assert (envs.reset(seed=5)[0].obs == first).all()


def test_bad_steps_are_refused_with_every_game_as_it_was() -> None:
    envs = TianshouBatch(GAME, 3, 0)
    before = envs.reset()[0].obs
    with pytest.raises(ValueError, match="all games are stepped at once"):
        envs.step(np.zeros(2, int), np.array([0, 2]))
    with pytest.raises(IllegalAction):
        envs.step(envs.reset()[0].mask.argmin(1))
    assert (envs.batch.observations == before).all()
