"""What the tests of parts of a policy's network share: a run with such a network that is stopped and goes on."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import torch
from sb3_contrib import MaskablePPO

from theogony.envs.core.batch import Batch
from theogony.envs.core.game import Game
from theogony.training.config.sections import Network
from theogony.training.learning.train import run
from theogony.training.networks.policy import act
from theogony.training.storage import checkpoint
from theogony.training.storage.checkpoint import Checkpoint

Write = Callable[..., Path]


def check_a_run_goes_on(write: Write, folder: Path, game: Game, network: Network) -> Checkpoint:
    """Weights and moments are bit-equal, and the checkpoint plays as its export for SB3 does. Returns the last one."""
    whole, cut = folder / "whole", folder / "cut"

    def settings(total: int) -> dict[str, Any]:
        return {"total_steps": total, "n_steps": 5, "batch_size": 20, "n_epochs": 2, "net_arch": network.model_dump()}

    run(write(algorithm=settings(320), folder=str(whole)), ["export_sb3=true"], None)
    run(write(algorithm=settings(160), folder=str(cut)), [], None)
    run(None, ["algorithm.total_steps=320"], cut)
    one, other = (checkpoint.read(checkpoint.latest(path)) for path in (whole, cut))
    for name in ("policy", "optimizer"):
        first, second = getattr(one, name), getattr(other, name)
        assert first.keys() == second.keys() and all(torch.equal(first[key], second[key]) for key in first), name
    assert one.header.network == network
    batch = Batch(game, 16, seed=0)
    exported = MaskablePPO.load(whole / "sb3.zip", device="cpu")
    chosen, _ = exported.predict(batch.observations, action_masks=batch.masks, deterministic=True)
    assert np.array_equal(chosen, act(checkpoint.read_policy(one.path, game), batch.observations, batch.masks))
    return one
