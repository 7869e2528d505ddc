"""The rules of God of War, by subject; `agenda` explains how they hang together.

| subject | files |
|---|---|
| a decision and what follows from it | `play`, `answers`, `run`; what may be decided: `legal`, `legal_choices` |
| the course of a game | `setup`, `scenes`, `rounds`, `upgrades`, `scene_end` |
| hero activations | `turn`, `figures`, `cards`, `sets`, `attack`, `interact` |
| specials, rage abilities, skills | `usable`, `specials`, `hero_effects`, `scry` |
| scene activations | `activation`, `enemy_attack`, `defence` |
| scene cards | `enemies`, `conditions`, `flips`, `scene_effects` |
"""

from theogony.envs.god_of_war.rules.legal import legal
from theogony.envs.god_of_war.rules.play import apply
from theogony.envs.god_of_war.rules.setup import resample, score, setup, standing

__all__ = ["apply", "legal", "resample", "score", "setup", "standing"]
