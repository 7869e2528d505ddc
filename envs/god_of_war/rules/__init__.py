"""The rules of God of War, by subject; `agenda` explains how they hang together.

| subject | files |
|---|---|
| a decision and what follows from it | `turn`; what may be decided: `legal` |
| the course of a game | `setup`, `rounds`, `scoring` |
| what a seat cannot know | `resample` |
| hero activations, answers to attacks | `figures`, `cards`, `attack`, `usable` |
| specials, rage abilities, skills | `specials` |
| scene activations | `activation` |
| scene cards, ends of scenes | `enemies`, `scene_effects` |
"""

from theogony.envs.god_of_war.rules.legal import legal
from theogony.envs.god_of_war.rules.resample import resample
from theogony.envs.god_of_war.rules.scoring import score, standing
from theogony.envs.god_of_war.rules.setup import setup
from theogony.envs.god_of_war.rules.turn import apply

__all__ = ["apply", "legal", "resample", "score", "setup", "standing"]
