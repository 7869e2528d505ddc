"""A policy learns from a value, then by PPO, and what is handed in plays as what was learnt."""

import json
import runpy
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from theogony.envs import load
from theogony.envs.core.players import Views
from theogony.envs.core.position import Position

pytest.importorskip("onnx", reason="onnx is not installed")
EXAMPLE = Path(__file__).parents[2] / "examples" / "distil_ppo.py"


@pytest.fixture(scope="module")
def example() -> dict[str, Any]:
    return runpy.run_path(str(EXAMPLE))


@pytest.mark.slow
def test_it_learns_push_of_faith(example, tmp_path: Path) -> None:
    how = ["--game", "push_of_faith", "--steps", "99999", "--most", "60000", "--eval-games", "400"]
    assert example["main"]([*how, "--out", str(tmp_path)]).low > 0.55, "random play has a half"
    stated = json.loads((tmp_path / "training.json").read_text())
    assert stated["decisions"] == 60_000 and stated["settings"]["most"] == 60_000
    assert (tmp_path / "policy.onnx").is_file()


@pytest.mark.slow
def test_floats_are_judged_as_their_codes(example, tmp_path: Path) -> None:
    game = load("orbis").configure({"players": 2})
    policy = example["learn"](game, 9_000, 0, tmp_path)
    position, seen = Position(game, 5), []
    while len(seen) < 20:
        seen.append((position.codes[0].copy(), Views.at(position).observations[0].copy()))
        position.play(int(position.legal_actions()[0]))
    codes, floats = (torch.from_numpy(np.array(part)) for part in zip(*seen, strict=True))
    with torch.no_grad():
        expected, found = policy.judge(codes)[0], example["OfFloats"](policy, game)(floats)
    assert torch.allclose(found, expected, atol=1e-4)
