"""The rules, one module a chapter; sections (§) and rulings (R) are those of docs/games/push_of_faith.md."""

from theogony.envs.push_of_faith.rules.legal import legal
from theogony.envs.push_of_faith.rules.resample import resample
from theogony.envs.push_of_faith.rules.scoring import score, standing
from theogony.envs.push_of_faith.rules.setup import setup
from theogony.envs.push_of_faith.rules.turn import apply

__all__ = ["apply", "legal", "resample", "score", "setup", "standing"]
