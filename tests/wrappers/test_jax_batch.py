"""`JaxBatch` plays what a `Batch` plays, and JAX takes its arrays over without a copy."""

import subprocess
import sys

import numpy as np
import pytest

jax = pytest.importorskip("jax", reason="needs the extra `jax`")

from theogony.console.extras import install  # noqa: E402
from theogony.envs import load  # noqa: E402
from theogony.envs.core.actions import IllegalAction  # noqa: E402
from theogony.envs.core.batch import Batch  # noqa: E402
from theogony.wrappers import JaxBatch  # noqa: E402
from theogony.wrappers.jax_batch import aligned, hand_over  # noqa: E402

GAME = load("push_of_faith").configure({"players": 3})


@pytest.mark.parametrize("observation", ["compact", "float"])
def test_steps_are_those_of_the_batch(observation) -> None:
    envs = JaxBatch(GAME, 6, opponents="greedy:0.5", reward="margin", observation=observation)
    batch = Batch(GAME, 6, 1, seat="random", opponents="greedy:0.5", reward="margin", observation=observation)
    step, games = envs.reset(seed=1), 0
    for _ in range(40):
        assert all(isinstance(leaf, jax.Array) for leaf in step)
        assert np.asarray(step.observations).tobytes() == batch.observations.tobytes()
        assert (np.asarray(step.masks) == batch.masks).all()
        actions = batch.sample()
        batch.step(actions)
        step = envs.step(jax.numpy.asarray(actions))
        ended, final = batch.ended()
        assert np.flatnonzero(step.last).tolist() == np.flatnonzero(step.discounts == 0).tolist() == ended.tolist()
        assert np.asarray(step.rewards)[ended].tolist() == final.astype(np.float32).tolist()
        assert np.count_nonzero(step.rewards) <= len(ended)
        games += len(ended)
    assert games == 12, "two a row"


def test_truncated_games_keep_their_discount_and_their_last_view() -> None:
    envs = JaxBatch(load("push_of_faith").configure({"max_decisions": 4}), 3, seat=0)
    step = envs.reset(seed=0)
    first = step.observations
    for _ in range(2):
        step = envs.step(step.masks.argmax(1))
    assert step.last.all() and (step.discounts == 1).all() and not step.rewards.any()
    assert envs.final_observations().shape == first.shape
    assert (envs.final_observations() != step.observations).any(1).all(), "that of the next game"


@pytest.mark.parametrize("dtype", [np.uint8, bool, np.float32])
@pytest.mark.parametrize("shape", [(3,), (7, 131), (256, 1000)])
def test_nothing_is_copied_on_the_way_to_jax(shape: tuple[int, ...], dtype: type) -> None:
    ours = aligned(np.ones(shape), dtype)
    theirs = jax.numpy.from_dlpack(ours)
    assert theirs.unsafe_buffer_pointer() == ours.ctypes.data and theirs.shape == shape
    assert (hand_over(ours) == theirs).all() and hand_over(ours).dtype == dtype


def test_what_was_given_stays_as_it_was() -> None:
    envs = JaxBatch(GAME, 16)
    given = [envs.reset(seed=3)]
    kept = [np.array(given[0].observations)]
    for _ in range(20):
        given.append(envs.step(given[-1].masks.argmax(1)))
        kept.append(np.array(given[-1].observations))
    assert all((np.array(step.observations) == was).all() for step, was in zip(given, kept, strict=True))
    assert (kept[0] != kept[1]).any()


def test_illegal_actions_and_seeds_are_named() -> None:
    envs = JaxBatch(GAME, 2)
    step = envs.reset(seed=0)
    with pytest.raises(IllegalAction, match="step, row 0"):
        envs.step(step.masks.argmin(1))
    with pytest.raises(ValueError, match="step gives 2 integer actions, not truth values"):
        envs.step([True, 1])  # pyright: ignore[reportArgumentType]
    assert (envs.step(step.masks.argmax(1)).observations != step.observations).any()
    with pytest.raises(TypeError, match="a seed is an integer"):
        envs.reset(seed="one")  # pyright: ignore[reportArgumentType]


@pytest.mark.slow
def test_without_jax_one_line_names_the_extra() -> None:
    code = "import sys; sys.modules['jax'] = None\nimport theogony.wrappers as wrappers\nwrappers.JaxBatch"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.stderr.splitlines()[-1] == (f"ModuleNotFoundError: jax is not installed: {install('jax')} brings it")
