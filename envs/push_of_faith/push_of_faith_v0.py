"""Push of Faith for PettingZoo: `from theogony.envs import push_of_faith_v0; env = push_of_faith_v0.env(players=3)`."""

from __future__ import annotations

from theogony.envs.core.aec import env_function, without_parallel
from theogony.envs.push_of_faith.game import SPEC

env = env_function(SPEC)
raw_env = env  # no wrappers are needed: the environment checks by itself
__getattr__ = without_parallel(__name__)
