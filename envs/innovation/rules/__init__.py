"""The rules of Innovation: sets, piles, movement, choices, the interpreter of card effects, dogma and turns."""

from theogony.envs.innovation.rules.legal import legal
from theogony.envs.innovation.rules.resample import resample
from theogony.envs.innovation.rules.scoring import score, standing
from theogony.envs.innovation.rules.setup import setup
from theogony.envs.innovation.rules.turn import apply

__all__ = ["apply", "legal", "resample", "score", "setup", "standing"]
