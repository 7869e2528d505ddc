"""The rules of Innovation: sets, piles, movement, choices, the interpreter of card effects, dogma and turns."""

from theogony.envs.innovation.rules.resample import resample
from theogony.envs.innovation.rules.turns import apply, legal, score, setup, standing

__all__ = ["apply", "legal", "resample", "score", "setup", "standing"]
