"""The rules of Terra Mystica, by subject; sections (§) and rulings (R) are those of docs/games/terra_mystica.md.

| subject | files |
|---|---|
| a decision and what follows from it | `turn`; what may be decided: `legal`, `targets` |
| the course of a game | `setup`, `rounds`, `scoring` |
| actions of a turn | `building`, `actions` |
| what actions bring and cost | `power`, `towns` |
| the map | `reach`, `bits` |
| what a seat cannot know | `resample` |
"""

from theogony.envs.terra_mystica.rules.legal import legal
from theogony.envs.terra_mystica.rules.resample import resample
from theogony.envs.terra_mystica.rules.scoring import score, standing
from theogony.envs.terra_mystica.rules.setup import setup
from theogony.envs.terra_mystica.rules.turn import apply

__all__ = ["apply", "legal", "resample", "score", "setup", "standing"]
