"""The rules, one module a chapter; sections (§) and rulings (A) are those of docs/games/orbis.md."""

from theogony.envs.orbis.rules.legal import legal
from theogony.envs.orbis.rules.resample import resample
from theogony.envs.orbis.rules.scoring import score, standing
from theogony.envs.orbis.rules.setup import setup
from theogony.envs.orbis.rules.turn import apply

__all__ = ["apply", "legal", "resample", "score", "setup", "standing"]
