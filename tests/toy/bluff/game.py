"""`SPEC`: Bluff as a game of the contract in theogony/envs/core/game.py."""

from typing import Any

from bluff.components import HIGHEST
from theogony.envs.core.assemble import assemble


def decision_bound(options: Any) -> int:
    """A round has at most one decision for each number that can be bid, and the doubt."""
    return options.rounds * (HIGHEST * options.players + 1)


def invariant(game: Any, g: Any) -> str | None:
    """Every round that is over gave one strike."""
    lost, rounds = int(g.strikes.sum()), int(g.rounds_over)
    return None if lost == rounds else f"{lost} strikes after {rounds} rounds"


SPEC = assemble(__name__, title="Bluff", players=(2, 3, 4), hidden=("dice",), option_sets=({}, {"rounds": 1}))
