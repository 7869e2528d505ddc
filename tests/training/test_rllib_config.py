"""`engine: rllib` in a training file: what is wrong is said before Ray starts. Needs no Ray."""

import importlib.util
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.training.loaded import loaded
from theogony.training.config import ConfigError
from theogony.training.config.engines import RllibConfig
from theogony.training.config.file import load_config
from theogony.training.learning import train

PLAIN: dict[str, Any] = {
    "game": "push_of_faith",
    "engine": "rllib",
    "environment": {"num_envs": 8},
    "algorithm": {"total_steps": 100, "n_steps": 5, "batch_size": 20},
}


def write(place: Path, **changes: Any) -> Path:
    path = place / "file.yaml"
    path.write_text(yaml.safe_dump({**PLAIN, **changes}), "utf-8")
    return path


def test_defaults(tmp_path: Path) -> None:
    config = loaded(RllibConfig, write(tmp_path), ["rllib.policies=separate"])
    assert (config.ray.workers, config.rllib.policies, config.ray.address) == (2, "separate", None)


@pytest.mark.parametrize(
    ("override", "message"),
    [
        ("engine=rlib", "command line: engine: there is no engine 'rlib'; expected sb3 or rllib"),
        ("ray.workers=-1", "ray.workers: input should be greater than or equal to 0, found -1"),
        ("rllib.policies=both", "rllib.policies: input should be 'shared' or 'separate', found 'both'"),
        ("ray.address=7", "ray.address: input should be a valid string, found 7"),
        ("rllib.gpus=1", "rllib.gpus: there is no such key; expected one of policies"),
        ("ray.workers=9", "ray.workers: 9 are too many for environment.num_envs: 8"),
        ("shaping=value", "shaping: engine rllib does not read it; sb3 and distil do"),
        ("algorithm.target_kl=0.1", "algorithm.target_kl: engine rllib does not read it; sb3 does"),
        ("self_play.size=3", "self_play.size: engine rllib does not read it; sb3 does"),
        ("opponents=[{player: curriculum}]", "opponents.0.player: engine rllib has no curriculum"),
    ],
)
def test_wrong_values(tmp_path: Path, override: str, message: str) -> None:
    with pytest.raises(ConfigError) as caught:
        load_config(write(tmp_path), [override])
    assert message in str(caught.value)


@pytest.mark.skipif(importlib.util.find_spec("ray") is not None, reason="Ray is installed here")
def test_without_ray(tmp_path: Path) -> None:
    path = write(tmp_path, folder=str(tmp_path / "run"))
    with pytest.raises(ConfigError, match=r"engine: rllib needs Ray, which is not installed here: make rllib,"):
        train.run(path, [], None)
    assert not (tmp_path / "run").exists()
