"""Training with packs, and evaluation with those that were held out."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
import yaml

from theogony.envs import load
from theogony.envs.core.batch import Batch
from theogony.envs.core.batches.shaping import Shaping
from theogony.envs.core.players import make_player
from theogony.training.config import ConfigError
from theogony.training.config.file import load_config
from theogony.training.learning.train import run
from theogony.training.rating.evaluate import Asked, evaluate
from theogony.training.storage.checkpoint import game_of

SMALL: dict[str, Any] = {
    "game": "push_of_faith",
    "options": {"players": 2, "components": "random:0-4"},
    "engine": "td",
    "environment": {"num_envs": 8, "threads": 1},
    "algorithm": {"total_steps": 600, "batch_size": 64},
    "td": {"widths": [8]},
    "evaluation": {
        "every": 10**6, "games": 4, "against": ["random"], "final_games": 8, "components": "random:1000-1004",
    },
}  # fmt: skip


def written(path: Path, **changes: Any) -> Path:
    file = path / "run.yaml"
    file.write_text(yaml.safe_dump({**SMALL, **changes, "folder": str(path / "run")}))
    return file


def test_a_run_learns_with_some_packs_and_is_tested_with_others(tmp_path: Path) -> None:
    run(written(tmp_path), [], None)
    trained = game_of(tmp_path / "run")
    assert trained.options.components == "random:0-4" and len(trained.packs) == 5
    asked = Asked(str(tmp_path / "run"), ["random"], options=["components=random:1000-1004"])
    game = asked.make_game()
    assert game.options.components == "random:1000-1004" and game.component_digest != trained.component_digest
    assert evaluate(make_player(str(tmp_path / "run"), game), "random", game, 8).games == 8
    printed = load("push_of_faith").configure({"players": 2})
    assert evaluate(make_player(str(tmp_path / "run"), printed), "random", printed, 8).games == 8


@pytest.mark.parametrize(
    ("components", "said"),
    [("random:x", "evaluation.components: .*random:SEED"), ("random:9-1", "evaluation.components: .*FIRST not above")],
)
def test_other_packs_of_the_evaluation_are_refused(tmp_path: Path, components: str, said: str) -> None:
    with pytest.raises(ConfigError, match=said):
        load_config(written(tmp_path, evaluation={**SMALL["evaluation"], "components": components}))


def test_shaping_goes_by_the_pack_in_play() -> None:
    batch = Batch(load("push_of_faith").configure({"components": "random:0-4"}), 10, seed=2, seat=0)
    for _ in range(7):
        batch.step(batch.sample())
    found = Shaping(batch, "value", 1.0).potentials()
    for row in range(batch.size):
        assert found[row] == pytest.approx(np.float32(batch.position(row).value(0)))
