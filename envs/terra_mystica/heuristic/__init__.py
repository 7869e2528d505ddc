"""What the greedy player and searches think of a position."""

from theogony.envs.terra_mystica.heuristic.value import PAR as PAR
from theogony.envs.terra_mystica.heuristic.value import WEIGHTS as WEIGHTS
from theogony.envs.terra_mystica.heuristic.value import outlook as outlook
from theogony.envs.terra_mystica.heuristic.value import value as value
