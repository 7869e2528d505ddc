"""Innovation for PettingZoo: `from theogony.envs.innovation import innovation_v0; innovation_v0.env(players=3)`."""

from __future__ import annotations

from theogony.envs.core.aec import env_function, without_parallel
from theogony.envs.innovation.game import SPEC

env = env_function(SPEC)
raw_env = env  # no wrappers are needed: the environment checks by itself
__getattr__ = without_parallel(__name__)
