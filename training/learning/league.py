"""A league of past selves: each is measured when it joins the pool, and those that are hard to beat play more often.

A new self plays every member of the pool and every anchor (a fixed player). From these games come the weights by which
members are drawn, ratings that can be compared over the whole run, and a warning when the pool goes round in circles.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import Any

import numpy as np

from theogony.envs.core.game import Game
from theogony.envs.core.players import Player, make_player
from theogony.envs.core.untrusted.checked import checked
from theogony.training.config import ConfigError
from theogony.training.config.engines.sb3 import Sb3Config
from theogony.training.config.sections import Section, Share
from theogony.training.networks.weights import CheckpointError
from theogony.training.rating import elo
from theogony.training.rating.evaluate import evaluate, wilson

EASIEST = 0.01  # of the chance to lose, so that nobody in the pool is forgotten


class State(Section):
    """What a checkpoint keeps of the league."""

    members: list[str]
    won: dict[str, dict[str, Share]]


class League:
    """What is known of the selves of a run. Raises ConfigError for an anchor that there is not."""

    def __init__(self, config: Sb3Config, game: Game) -> None:
        assert config.league is not None
        self.settings, self.game, self.seed = config.league, game, config.seed
        self.members: list[str] = []  # all that ever were in the pool, oldest first
        self.won: dict[str, dict[str, float]] = {}  # newer member -> older member or anchor -> games won, as a share
        for index, name in enumerate(self.settings.anchors):
            try:
                make_player(name, game)
            except ValueError as error:
                raise ConfigError(f"league.anchors.{index}: {error}") from None

    def measure(self, newest: Player, pool: Sequence[Player]) -> None:
        """Let a new member play the others and the anchors, seats rotated."""
        others: list[str | Player] = [*self.settings.anchors, *pool]
        results = [evaluate(newest, other, self.game, self.settings.games, self.seed) for other in others]
        self.members.append(newest.name)
        self.won[newest.name] = {result.against: result.win_rate for result in results}

    def weights(self, pool: Sequence[str]) -> list[float]:
        """How often each member of the pool is drawn, adding up to 1: by the chance that the newest loses to it.

        The newest itself counts as even.
        """
        known = self.won[self.members[-1]]
        hard = [max(1 - known.get(name, 1 / self.game.players), EASIEST) ** self.settings.power for name in pool]
        return [weight / sum(hard) for weight in hard]

    def ratings(self) -> dict[str, float]:
        """Elo points of every member, the last anchor having 0."""
        names = [*self.settings.anchors, *self.members]
        pairs, weights = [], []
        for newer, results in self.won.items():
            for older, share in results.items():
                share = self._even(share) * self.settings.games
                pairs += [(names.index(newer), names.index(older)), (names.index(older), names.index(newer))]
                weights += [share + elo.PSEUDO_COUNT, self.settings.games - share + elo.PSEUDO_COUNT]
        points = elo.ELO * elo.fit(np.array(pairs), np.array(weights), len(names))
        points -= points[len(self.settings.anchors) - 1]
        return {name: round(float(points[names.index(name)]), 1) for name in self.members}

    def _even(self, share: float) -> float:
        """A share of games won against several seats of one opponent, as it would be against one: 1/2 is even."""
        others = self.game.players - 1
        return share * others / (share * others + 1 - share)

    def circle(self) -> str | None:
        """What shows that the pool goes round in circles: the newest loses to one that another after it had beaten."""
        newest = self.members[-1]
        for older, between in itertools.combinations(self.members[:-1], 2):
            lost, won = self.won[newest].get(older), self.won[between].get(older)
            if (
                lost is not None
                and won is not None
                and self._sure(1 - self._even(lost))
                and self._sure(self._even(won))
            ):
                return f"{newest} loses to {older} (won {lost:.0%}), which {between} had beaten (won {won:.0%})"
        return None

    def _sure(self, share: float) -> bool:
        """Whether a share of games is above one half beyond doubt."""
        return wilson(share * self.settings.games, self.settings.games)[0] > 0.5

    def report(self) -> dict[str, Any]:
        """For JSON: ratings of all members and what each won against those before it."""
        return {"ratings": self.ratings(), "won": self.won}

    def metrics(self) -> dict[str, Any]:
        """The newest member in a line of metrics."""
        if not self.members:
            return {}
        circle = self.circle()
        return {"rating": self.ratings()[self.members[-1]]} | ({} if circle is None else {"circle": circle})

    # ------------------------------------------------------------------------------------------------ saving

    def state(self) -> dict[str, Any]:
        """All that was measured, for JSON."""
        return {"members": self.members, "won": self.won}

    def load_state(self, content: Any, what: str) -> None:
        """Go on from a saved state. Raises CheckpointError."""
        state = checked(State, content, f"{what}: league", CheckpointError)
        self.members, self.won = list(state.members), {name: dict(won) for name, won in state.won.items()}
