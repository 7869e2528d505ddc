"""Which opponents somebody else may name: those of the package, and none that thinks for long."""

from __future__ import annotations

import re

from theogony.envs.core.thinking.player_names import parse_player

# Simulations a decision, over all threads, by what is played from a leaf ("": the usual), alone and guided by a run: a
# few seconds in the slowest game, where one simulation takes 0.1 ms, a greedy game to the end 30 ms, and one by a
# learnt value 300 ms.
ALONE = {"": 10_000, "value": 10_000, "random": 5_000, "turn": 500, "greedy": 100}
GUIDED = {"": 5_000, "value": 5_000, "random": 5_000, "turn": 500, "greedy": 10}
MOST_MS = 1_000  # milliseconds, over all threads
DIGITS = 9  # of a number that is looked at
SEARCH = re.compile(r"([0-9]+)(ms)?(?:x([0-9]+))?")  # simulations or milliseconds, threads


def check_opponent(player: str) -> None:
    """Raise ValueError for a player that is a module or a file of this machine, or would think for long."""
    parsed = parse_player(player)
    if not parsed.of_package:
        raise ValueError(
            f"there is no opponent {player!r:.60}; expected random, greedy, greedy:0.3, reference or mcts:400"
        )
    rollout = parsed.settings.partition(":")[2].partition(":")[2]
    known, guide = (ALONE, "") if parsed.guide is None else (GUIDED, f"@{parsed.guide}")
    most = known.get(rollout, known[""])
    for number, unit, threads in SEARCH.findall(player):
        if _product(number, threads) > (MOST_MS if unit else most):
            name = f"mcts:{most}{f':{rollout}' if rollout in known and rollout else ''}{guide}"
            raise ValueError(
                f"opponent {player!r:.60} would think too long; expected at most {name:.60} or mcts:{MOST_MS}ms"
            )


def _product(number: str, threads: str) -> int:
    """What a search does over all of its threads; a number of too many digits is as large as any."""
    if max(len(number), len(threads)) > DIGITS:
        return 10**DIGITS
    return int(number) * int(threads or 1)
