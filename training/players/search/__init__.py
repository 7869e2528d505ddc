"""Search over the contract of a game: information-set Monte Carlo tree search, and flat Monte Carlo.

Single-observer IS-MCTS (Cowling, Powley and Whitehouse 2012), max-n for any number of seats: every simulation descends
one tree in a freshly resampled position, so that the tree stands for what the searching seat knows. Children are chosen
by PUCT with their availability as the parent's count; a cooperative game is the case in which all rewards are equal.

The root is a resampled copy already (a player never holds the true position), and every simulation resamples it again.

`options.py` has the settings and their names, `tree.py` the nodes, `leaves.py` what a leaf is worth,
`kernels.py` simulations and sequential halving; `search.py` searches.
"""

from theogony.training.players.search.options import SearchOptions
from theogony.training.players.search.search import Search

__all__ = ["Search", "SearchOptions"]
