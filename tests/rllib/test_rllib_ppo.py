"""RLlib's own PPO learns on our environment, as the example has it. `make rllib` installs Ray and runs this."""

import logging
import runpy
import shutil
from pathlib import Path
from typing import Any

import numpy as np
import pytest

ray = pytest.importorskip("ray", reason="make rllib installs it")

from theogony.envs.core.actions import IllegalAction  # noqa: E402

EXAMPLE = Path(__file__).parents[2] / "examples" / "rllib_ppo.py"
GAME = ["--game", "tictactoe:SPEC", "--reward", "outcome"]


@pytest.fixture(scope="module")
def example() -> dict[str, Any]:
    return runpy.run_path(str(EXAMPLE))


def test_it_learns_tic_tac_toe(example: dict[str, Any]) -> None:
    learnt = example["main"]([*GAME, "--learning-rate", "3e-3", "--total-steps", "12000"])
    assert learnt.low > 0.75, "an untrained one has 0.5 to 0.65"
    assert not ray.is_initialized()


def test_only_legal_actions_are_drawn(example: dict[str, Any]) -> None:
    """In training and in play; what RLlib draws without the module is refused by the game."""
    settings = example["parsed"]([*GAME, "--total-steps", "1"])
    with ray.init("local", num_cpus=1, include_dashboard=False, logging_level=logging.ERROR):
        algorithm = example["learn"](settings)
        episodes = algorithm.env_runner.sample(num_timesteps=2000)
        with pytest.raises(RuntimeError) as refused:
            algorithm.env_runner.sample(num_timesteps=500, random_actions=True)
        shutil.rmtree(algorithm.logdir)
        views = [episode.get_observations(slice(0, len(episode))) for episode in episodes]
        masks = np.concatenate([view["action_mask"] for view in views])
        likeliest = example["choose"](algorithm, np.concatenate([view["observations"] for view in views]), masks)
        algorithm.stop()
    actions = np.concatenate([episode.get_actions() for episode in episodes])
    assert len(actions) >= 2000 and masks.mean() < 0.8, "there was something to get wrong"
    assert masks[np.arange(len(actions)), actions].all() and masks[np.arange(len(actions)), likeliest].all()
    assert isinstance(refused.value.__cause__, IllegalAction)


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ("--game nowhere", "there is no game 'nowhere'"),
        ("--opponents nobody", "there is no player 'nobody'"),
        ("--reward gold", "reward='gold' is not one of"),
        ("--workers 3 --num-envs 2", "--num-envs: expected at least 3, not 2"),
        ("--total-steps 0", "--total-steps: expected at least 1, not 0"),
    ],
)
def test_bad_arguments(example: dict[str, Any], capsys: pytest.CaptureFixture[str], wrong: str, said: str) -> None:
    with pytest.raises(SystemExit):
        example["main"](wrong.split())
    assert said in capsys.readouterr().err and not ray.is_initialized()
