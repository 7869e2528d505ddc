"""Which opponents somebody else may name: those of the package, and none that thinks for hours."""

from __future__ import annotations

import re

from theogony.envs.core.thinking.player_names import OWN, RUN, kind_of

MOST, MOST_MS = 10_000, 1_000  # simulations and milliseconds that an opponent may search, over all of its threads
SEARCH = re.compile(r"(\d+)(ms)?(?:x(\d+))?", re.ASCII)  # simulations or milliseconds, threads


def check_opponent(player: str) -> None:
    """Raise ValueError for a player that is a module or a file of this machine, or would think for hours."""
    guided = [part for part in player.partition("@") if part not in ("", "@")] or [player]
    if any(kind_of(name) in (OWN, RUN) for name in guided):
        raise ValueError(
            f"there is no opponent {player!r:.60}; expected random, greedy, greedy:0.3, reference or mcts:400"
        )
    for number, unit, threads in SEARCH.findall(player):
        if int(number) * int(threads or 1) > (MOST_MS if unit else MOST):
            raise ValueError(
                f"opponent {player!r:.60} would think too long; expected at most mcts:{MOST} or mcts:{MOST_MS}ms"
            )
