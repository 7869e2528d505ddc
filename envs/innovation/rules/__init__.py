"""The rules of Innovation, by subject; sections (§) and rulings (R) are those of docs/games/innovation.md.

| subject | files |
|---|---|
| the course of a game | `setup`, `turn`, `achievements`, `scoring` |
| what may be decided | `legal`, `selecting` (cards), `choices` (all else) |
| what cards do | `interpreter`, `numbers` (and sets) |
| where cards lie and go | `piles` (and the log), `moves` |
| sets of cards as bits | `bits` |
| what a seat cannot know | `resample` |
"""

from theogony.envs.innovation.rules.legal import legal
from theogony.envs.innovation.rules.resample import resample
from theogony.envs.innovation.rules.scoring import score, standing
from theogony.envs.innovation.rules.setup import setup
from theogony.envs.innovation.rules.turn import apply

__all__ = ["apply", "legal", "resample", "score", "setup", "standing"]
