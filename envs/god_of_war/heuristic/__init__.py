"""A value of a position for the greedy and the searching player, and the potential that reward="progress" pays."""

from theogony.envs.god_of_war.heuristic.hands import potential
from theogony.envs.god_of_war.heuristic.value import value

__all__ = ["potential", "value"]
