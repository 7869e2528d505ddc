"""RLlib's IMPALA learns on our environment, as the example has it. `make rllib` installs Ray and runs this."""

import json
import logging
import runpy
import shutil
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

ray = pytest.importorskip("ray", reason="make rllib installs it")

EXAMPLE = Path(__file__).parents[2] / "examples" / "rllib_impala.py"
GAME = ["--game", "tictactoe:SPEC", "--reward", "outcome"]


@pytest.fixture(scope="module")
def example() -> dict[str, Any]:
    return runpy.run_path(str(EXAMPLE))


def test_it_learns_tic_tac_toe(example: dict[str, Any]) -> None:
    learnt = example["main"]([*GAME, "--steps", "24000", "--fragment", "6", "--learning-rate", "2e-3"])
    assert learnt.low > 0.75, "an untrained one has 0.5 to 0.65"
    assert not ray.is_initialized()


def test_as_a_program_of_the_benchmark_it_hands_in_its_network(example: dict[str, Any], tmp_path: Path) -> None:
    given = ["--options", "{}", "--seed", "3", "--steps", "2000", "--most", "300", "--out", str(tmp_path / "learnt")]
    assert example["main"]([*GAME, *given, "--eval-games", "0"]) is None
    stated = json.loads((tmp_path / "learnt/training.json").read_text("utf-8"))
    assert 160 <= stated["decisions"] <= 300, "one batch: a second one would be more than --most"
    assert stated["settings"]["opponents"] == "random" and "game" not in stated["settings"]
    assert (tmp_path / "learnt/policy.onnx").stat().st_size > 1000


def test_only_legal_actions_are_drawn(example: dict[str, Any]) -> None:
    """In training and in play."""
    settings = example["parsed"]([*GAME, "--steps", "160"])
    with ray.init("local", num_cpus=1, include_dashboard=False, logging_level=logging.ERROR):
        algorithm = example["impala"](settings).build_algo()
        episodes = algorithm.env_runner.sample(num_timesteps=2000)
        layers = algorithm.get_module().policy
        shutil.rmtree(algorithm.logdir)
        algorithm.stop()
    views = [episode.get_observations(slice(0, len(episode))) for episode in episodes]
    masks = np.concatenate([view["action_mask"] for view in views])
    likeliest = example["choose"](layers, np.concatenate([view["observations"] for view in views]), masks)
    actions = np.concatenate([episode.get_actions() for episode in episodes])
    assert len(actions) >= 2000 and masks.mean() < 0.8, "there was something to get wrong"
    assert masks[np.arange(len(actions)), actions].all() and masks[np.arange(len(actions)), likeliest].all()
    assert all(torch.isfinite(weight).all() for weight in layers.parameters())


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ("--game nowhere", "there is no game 'nowhere'"),
        ('--game orbis --options {"players":9}', "orbis is for 2, 3 or 4 players, not 9"),
        ("--opponents nobody", "there is no player 'nobody'"),
        ("--workers 3 --num-envs 2", "--num-envs: expected at least 3, not 2"),
        ("--fragment 0", "--fragment: expected at least 1, not 0"),
        ("--steps 100", "--steps: expected at least 160 decisions, found 100"),
    ],
)
def test_bad_arguments(example: dict[str, Any], capsys: pytest.CaptureFixture[str], wrong: str, said: str) -> None:
    with pytest.raises(SystemExit):
        example["main"](wrong.split())
    assert said in capsys.readouterr().err and not ray.is_initialized()
