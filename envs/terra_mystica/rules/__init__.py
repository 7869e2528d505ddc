"""The rules of Terra Mystica, by subject. These six are what a game is made of."""

from theogony.envs.terra_mystica.rules.legal import legal
from theogony.envs.terra_mystica.rules.resample import resample
from theogony.envs.terra_mystica.rules.scoring import score, standing
from theogony.envs.terra_mystica.rules.setup import setup
from theogony.envs.terra_mystica.rules.turn import apply

__all__ = ["apply", "legal", "resample", "score", "setup", "standing"]
