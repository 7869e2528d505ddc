"""What a search would do and the odds it sees, for analysed games.

It gets what the deciding seat knows and nothing else: a position redrawn from those that the seat holds possible.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, Protocol

import numpy as np

from theogony.envs.core.game import Game
from theogony.envs.core.players import Views, make_player
from theogony.envs.core.position import Position
from theogony.envs.core.thinking.player_names import PlayerError
from theogony.training.players.search import Search
from theogony.training.players.search.names import KINDS, parse_search

PLAYED_OUT = ("random", "greedy")  # rollouts that reach the end, where a win is seen as one


@dataclass(frozen=True)
class Advice:
    """What a search says of the decision of one seat.

    `odds` is how likely that seat wins with the best action, from 0 to 1; None where that cannot be told. `options`
    are (action, share of the visits, odds or None), the most visited first.
    """

    seat: int
    odds: float | None
    options: list[tuple[int, float, float | None]]


class Adviser(Protocol):
    """Somebody who looks at a decision."""

    def look(self, position: Position, rng: np.random.Generator) -> Advice:
        """What it would do. `position` is not changed, and only what the deciding seat knows of it is looked at."""
        ...


def odds_of(reward: float, players: int, cooperative: bool) -> float:
    """The chance to win that an expected `outcome` reward stands for; what lies outside of 0 to 1 is cut off."""
    share = (reward + 1) / 2 if cooperative else (reward * (players - 1) + 1) / players
    return min(1.0, max(0.0, share))


class SearchAdviser:
    """A search, by a player's name such as `mcts:2000`. Raises PlayerError."""

    def __init__(self, name: str, game: Game) -> None:
        options, guide = parse_search(name)
        if guide is not None:
            raise PlayerError(f'{name!r}: a search without a guide was expected, such as "mcts:2000"')
        self._game = game
        rewards: dict[str, Any] = {"reward": "outcome"} if options.rollout in PLAYED_OUT else {}
        self._search = Search(game, replace(options, **rewards))

    def look(self, position: Position, rng: np.random.Generator) -> Advice:
        """Visits and odds of every action that was looked at."""
        game, seat = self._game, position.actor
        seen = position.clone()
        seen.resample(seat, rng.integers(2**64, size=1, dtype=np.uint64))
        self._search.choose(seen.states, seen.now, rng.integers(2**64, size=1, dtype=np.uint64), tables=seen.tables)
        found = self._search.results()
        visits = sum(count for count, _ in found.values()) or 1
        options = [
            (action, count / visits, odds_of(total / count, game.players, game.spec.cooperative) if count else None)
            for action, (count, total) in found.items()
        ]
        options.sort(key=lambda option: (-option[1], -(option[2] or 0.0), option[0]))
        return Advice(seat, options[0][2] if options else None, options)


class PolicyAdviser:
    """The policy of a run, or the reference player: how likely it would choose each action. It knows no odds."""

    def __init__(self, name: str, game: Game) -> None:
        player: Any = make_player(name, game)
        if not callable(getattr(player, "probabilities", None)):
            raise PlayerError(f'{name!r} cannot analyse: expected a search such as "mcts:2000", or a trained run')
        self._player = player

    def look(self, position: Position, rng: np.random.Generator) -> Advice:
        """How likely each action is, and what the value layers say of the position where the player has some."""
        chances = self._player.probabilities(Views.at(position), rng)[0]
        best = sorted(map(int, np.flatnonzero(chances)), key=lambda action: -chances[action])
        return Advice(position.actor, None, [(action, float(chances[action]), None) for action in best])


def adviser(name: str, game: Game) -> Adviser:
    """Somebody who looks at decisions, by name: a search, or a player with a policy. Raises PlayerError."""
    kind = name.partition("@")[0].partition(":")[0]
    return SearchAdviser(name, game) if kind in KINDS else PolicyAdviser(name, game)
