"""Batches pay a reward as it changes, where they are asked to."""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np
import pytest

import theogony
from theogony.envs.core.batches.shaping import Shaping
from theogony.envs.core.game import OptionError


@pytest.mark.parametrize("kind", ["points", "margin"])
def test_what_is_paid_on_the_way_adds_up_to_the_end(kind: str) -> None:
    """The sum over a game is its final reward less what the start was worth, as without shaping."""
    plain, shaped = (theogony.make_vec("push_of_faith", 6, reward=kind, seed=1, shaping=how) for how in ("none", kind))
    for env in (plain, shaped):
        env.reset()
    start = Shaping(shaped.batch, kind, 1.0).potentials()
    assert kind == "margin" or (start == -1).all()  # nobody has points, and 40 are worth nothing
    sums, final = np.zeros(6), np.zeros(6)
    over = np.zeros(6, bool)
    while not over.all():
        actions = plain.action_masks().argmax(1)
        _, last, dones, _ = plain.step(actions)
        _, paid, same, _ = shaped.step(actions)
        assert (dones == same).all()
        sums += np.where(over, 0, paid)
        final += np.where(over, 0, last)
        over |= dones
    assert sums == pytest.approx(final - start, abs=1e-5)


def test_gymnasium_pays_it_too_and_kinds_that_are_not_paid_are_refused() -> None:
    envs: Any = gymnasium.make_vec("theogony/PushOfFaith-v0", 4, shaping="points", reward="points")
    _, infos = envs.reset(seed=3)
    paid = 0.0
    for _ in range(6):
        _, rewards, _, _, infos = envs.step(infos["action_mask"].argmax(1))
        paid += np.abs(rewards).sum()
    assert paid > 0
    with pytest.raises(OptionError, match="push_of_faith: shaping='progress' is not one of none, value, outcome"):
        theogony.make_vec("push_of_faith", 2, shaping="progress")
