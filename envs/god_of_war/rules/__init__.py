"""The rules of God of War, by subject; `agenda` explains how they hang together."""

from theogony.envs.god_of_war.rules.legal import legal
from theogony.envs.god_of_war.rules.play import apply
from theogony.envs.god_of_war.rules.setup import resample, score, setup, standing

__all__ = ["apply", "legal", "resample", "score", "setup", "standing"]
