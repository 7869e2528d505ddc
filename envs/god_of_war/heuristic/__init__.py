"""A value of a position for the greedy and the searching player, and the potential that reward="progress" pays."""

from theogony.envs.god_of_war.heuristic.heuristic import value
from theogony.envs.god_of_war.heuristic.progress import potential

__all__ = ["potential", "value"]
