"""The rules of God of War, by subject; `agenda` explains how they hang together.

| subject | files |
|---|---|
| a decision and what follows from it | `turn`, `answers`, `run`; what may be decided: `legal`, `legal_choices` |
| the course of a game | `setup`, `scenes`, `rounds`, `upgrades`, `scene_end`, `scoring` |
| what a seat cannot know | `resample` |
| hero activations | `hero_turn`, `figures`, `cards`, `sets`, `attack`, `interact` |
| specials, rage abilities, skills | `usable`, `specials`, `hero_effects`, `scry` |
| scene activations | `activation`, `enemy_attack`, `defence` |
| scene cards | `enemies`, `conditions`, `flips`, `scene_effects` |
"""

from theogony.envs.god_of_war.rules.legal import legal
from theogony.envs.god_of_war.rules.resample import resample
from theogony.envs.god_of_war.rules.scoring import score, standing
from theogony.envs.god_of_war.rules.setup import setup
from theogony.envs.god_of_war.rules.turn import apply

__all__ = ["apply", "legal", "resample", "score", "setup", "standing"]
