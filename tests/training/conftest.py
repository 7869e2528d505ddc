"""A run small enough for a test."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml

from theogony.envs.core.game import Game
from theogony.envs.push_of_faith.game import SPEC

TINY: dict[str, Any] = {
    "game": "push_of_faith",
    "reward": "margin",
    "shaping": "value",
    "environment": {"num_envs": 8},
    "algorithm": {
        "total_steps": 480,
        "n_steps": 5,
        "batch_size": 20,
        "n_epochs": 2,
        "learning_rate": {"start": 1e-3, "end": 1e-4},
        "ent_coef": 0.01,
        "net_arch": {"shared": [16], "policy": [8], "value": [8]},
    },
    "opponents": [
        {"player": "curriculum", "weight": 1.0},
        {"player": "self", "weight": 1.0},
        {"player": "random", "weight": 0.5},
    ],
    "curriculum": {"step": 0.25, "raise_above": 0.3, "games": 8},
    "self_play": {"size": 2, "every": 80},
    "evaluation": {"every": 160, "games": 8, "against": ["random"], "final_games": 10},
    "checkpoint_every": 80,
}

Write = Callable[..., Path]


@pytest.fixture
def write(tmp_path: Path) -> Write:
    """`write(gamma=0.9, folder=...)`: a training file with these entries changed at the top level."""

    def make(**changes: Any) -> Path:
        path = tmp_path / "tiny.yaml"
        path.write_text(yaml.safe_dump({**TINY, "folder": str(tmp_path / "run"), **changes}), "utf-8")
        return path

    return make


@pytest.fixture(scope="session")
def game() -> Game:
    """Push of Faith for two."""
    return SPEC.configure({"players": 2})
