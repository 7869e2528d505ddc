"""PettingZoo: `from bluff import bluff_v0; bluff_v0.env(players=3)`."""

from __future__ import annotations

from bluff.game import SPEC
from theogony.envs.core.aec import env_function

env = env_function(SPEC)
raw_env = env
