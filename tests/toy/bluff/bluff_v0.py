"""PettingZoo: `from bluff import bluff_v0; bluff_v0.env(players=3)`."""

from theogony.envs.core.aec import env_function

env = raw_env = env_function("bluff.game")
