"""A league of past selves: each is measured when it joins the pool, and those that are hard to beat play more often.

A new self plays every member of the pool and every anchor (a fixed player). From these games come the weights by which
members are drawn, ratings that can be compared over the whole run, and a warning when the pool goes round in circles.
"""

from __future__ import annotations

import hashlib
import itertools
import json
from collections import deque
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any

import numpy as np
from pydantic import Field
from safetensors.torch import save as save_tensors

from theogony.envs.core.game import Game
from theogony.envs.core.players import Player
from theogony.envs.core.untrusted.checked import checked
from theogony.envs.core.untrusted.files import make_folder, replace_file
from theogony.envs.core.untrusted.outside import read_bytes
from theogony.training.config.engines import Sb3Config
from theogony.training.config.sections import Section, Share
from theogony.training.learning.engine import player_named
from theogony.training.networks.weights import LARGEST, CheckpointError, Tensors, policy_of, tensors_from
from theogony.training.players.network import NetworkPlayer
from theogony.training.rating import elo
from theogony.training.rating.evaluate import evaluate, wilson

EASIEST = 0.01  # of the chance to lose, so that nobody in the pool is forgotten


class LeagueState(Section):
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
            player_named(f"league.anchors.{index}", name, game)

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
        points = elo.ELO * elo.fit(np.array(pairs), np.array([weights]), len(names))[0]
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
            if lost is None or won is None:
                continue
            if self._sure(1 - self._even(lost)) and self._sure(self._even(won)):
                return f"{newest} loses to {older} (won {lost:.0%}), which {between} had beaten (won {won:.0%})"
        return None

    def _sure(self, share: float) -> bool:
        """Whether a share of games is above one half beyond doubt."""
        return wilson(share * self.settings.games, self.settings.games)[0] > 0.5

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
        state = checked(LeagueState, content, f"{what}: league", CheckpointError)
        self.members, self.won = list(state.members), {name: dict(won) for name, won in state.won.items()}


# ---- Who the learner plays against while it trains: fixed players, a curriculum of greedy play, and past selves ----

CURRICULUM, SELF = "curriculum", "self"  # opponents that grow with the learner
Member = Annotated[str, Field(pattern=r"^\d{12}$")]  # of the pool: the steps that it had learnt


class State(Section):
    """What a checkpoint keeps of the opposition; `digests` are the SHA-256 of the members' files."""

    greed: Share
    won: list[Share]
    pool: list[Member]
    digests: dict[Member, str]
    players: dict[Annotated[str, Field(pattern=r"^\d{1,9}$")], str]  # of the batch: its number -> name
    league: dict[str, Any] | None = None


class Opposition:
    """The opponents of a run. `spec` is what a batch takes; `note` and `join` let them grow with the learner.

    Raises ConfigError naming the entry that is wrong.
    """

    def __init__(self, config: Sb3Config, game: Game, folder: Path) -> None:
        self.config, self.game, self.folder = config, game, folder / "pool"
        self.greed = config.curriculum.start
        self.won: deque[float] = deque(maxlen=config.curriculum.games)  # of the last games, from 0 to 1
        self.measured: float | None = None  # the share of the last games that was won, when games were last taken in
        self.pool: list[NetworkPlayer] = []
        self.digests: dict[str, str] = {}  # of the files of past selves
        self.league = None if config.league is None else League(config, game)
        self._fixed = {
            one.player: player_named(f"opponents.{index}.player", one.player, game, draws=True)
            for index, one in enumerate(config.opponents)
            if one.player not in (CURRICULUM, SELF)
        }

    def uses(self, player: str) -> bool:
        """Whether `self` or `curriculum` plays."""
        return any(opponent.player == player for opponent in self.config.opponents)

    def spec(self) -> list[tuple[float, str | Player]]:
        """The opponents as `Batch` takes them: pairs of weight and player."""
        pairs: list[tuple[float, str | Player]] = []
        for opponent in self.config.opponents:
            if opponent.player == SELF:
                shares = zip(self.shares(), self.pool, strict=True)
                pairs += [(opponent.weight * share, member) for share, member in shares]
            elif opponent.player == CURRICULUM:
                pairs.append((opponent.weight, f"greedy:{self.greed:g}"))
            else:
                pairs.append((opponent.weight, self._fixed[opponent.player]))
        return pairs

    def shares(self) -> list[float]:
        """How often each member of the pool plays where a past self does, adding up to 1."""
        if self.league is None or not self.pool:
            return [1 / len(self.pool) for _ in self.pool]
        return self.league.weights([member.name for member in self.pool])

    def note(self, shares: list[float]) -> bool:
        """Take in what was won of games, from 0 to 1 each; True when the curriculum became harder by them."""
        self.won.extend(shares)
        self.measured = sum(self.won) / len(self.won) if self.won else None
        settings = self.config.curriculum
        grows = self.uses(CURRICULUM) and len(self.won) == settings.games and self.greed < 1
        if not grows or self.measured is None or self.measured <= settings.raise_above:
            return False
        self.greed = min(1.0, round(self.greed + settings.step, 9))
        self.won.clear()  # games against the opponent as it was say nothing of the new one
        return True

    def join(self, weights: Tensors, steps: int) -> None:
        """Take the learner as it is into the pool; the oldest member leaves when the pool is full."""
        name = f"{steps:012d}"
        make_folder(self.folder)
        replace_file(self.folder / f"{name}.safetensors", save_tensors(weights))
        newest = self._member(name)
        if (league := self.league) is not None:
            league.measure(newest, self.pool)
            replace_file(
                self.folder / "league.json",
                json.dumps({"ratings": league.ratings(), "won": league.won}, indent=1).encode(),
            )
        self.pool = [*self.pool, newest][-self.config.self_play.size :]

    def _member(self, name: str, digest: str | None = None) -> NetworkPlayer:
        """A past self from its file, which must be as it was. Raises CheckpointError."""
        path = self.folder / f"{name}.safetensors"
        content = read_bytes(path, str(path), CheckpointError, LARGEST)
        self.digests[name] = hashlib.sha256(content).hexdigest()
        if digest not in (None, self.digests[name]):
            raise CheckpointError(f"{path}: is damaged: its digest is not the one in the checkpoint")
        policy = policy_of(tensors_from(content, path), self.game, self.config.network, path)
        return NetworkPlayer(name, policy, draws=True, game=self.game)

    # ------------------------------------------------------------------------------------------------ saving

    def state(self, players: dict[int, Player]) -> dict[str, Any]:
        """All that decides how the opposition goes on, for JSON; `players` are those of the batch by number."""
        playing = {str(number): player.name for number, player in players.items()}
        pool = [member.name for member in self.pool]
        used = sorted({*pool, *playing.values()} & self.digests.keys())
        return {
            "greed": self.greed,
            "won": list(self.won),
            "pool": pool,
            "digests": {name: self.digests[name] for name in used},
            "players": playing,
            **({} if self.league is None else {"league": self.league.state()}),
        }

    def load_state(self, content: Any, what: str) -> dict[int, Player]:
        """Go on from a saved state. Returns the players of the batch by number. Raises CheckpointError."""
        state = checked(State, content, what, CheckpointError)
        self.greed = state.greed
        self.won = deque(state.won, self.won.maxlen)
        members = {name: self._member(name, digest) for name, digest in state.digests.items()}
        known: dict[str, Player] = {**self._fixed, **members}
        unknown = [name for name in state.pool if name not in members]
        unknown += [name for name in state.players.values() if name not in known]
        if unknown:
            raise CheckpointError(f"{what}: names the player {unknown[0]!r}, whom the run does not have")
        self.pool = [members[name] for name in state.pool]
        if self.league is not None:
            self.league.load_state(state.league, what)
        return {int(number): known[name] for number, name in state.players.items()}
