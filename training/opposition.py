"""Who the learner plays against while it trains: fixed players, a curriculum of greedy play, and past selves."""

from __future__ import annotations

import json
from collections import deque
from pathlib import Path
from typing import Any

import numpy as np
import torch
from safetensors.torch import save as save_tensors

from theogony.envs.core.files import replace_file
from theogony.envs.core.game import Game
from theogony.envs.core.opponents import Policy
from theogony.training.checkpoint import policy_from_file
from theogony.training.config import Config, ConfigError
from theogony.training.league import League
from theogony.training.players import NetworkPlayer, PlayerPolicy, in_kernel, make_player

CURRICULUM, SELF = "curriculum", "self"  # opponents that grow with the learner


class Opposition:
    """The opponents of a run. `spec()` is what a batch takes; `update()` lets them grow with the learner."""

    def __init__(self, config: Config, game: Game, folder: Path) -> None:
        self.config, self.game, self.folder = config, game, folder / "pool"
        self.rng = np.random.default_rng([config.seed, 1])
        self.greed = config.curriculum.start
        self.won: deque[float] = deque(maxlen=config.curriculum.games)  # of the last games: 1, 0.5 or 0
        self.pool: list[PlayerPolicy] = []
        self.league = None if config.league is None else League(config, game)
        self._trained = {name: self._load(name) for name in self._names() if not in_kernel(name)}

    def _names(self) -> list[str]:
        """The players of the list that do not grow, checked."""
        names = [opponent.player for opponent in self.config.opponents]
        for index, name in enumerate(names):
            try:
                in_kernel(name)
            except ValueError as error:
                raise ConfigError(f"opponents.{index}.player: {error}") from None
        return [name for name in names if name not in (CURRICULUM, SELF)]

    def _load(self, name: str) -> PlayerPolicy:
        try:
            return PlayerPolicy(make_player(name, self.game, draws=True), self.rng)
        except ValueError as error:
            raise ConfigError(f"opponents: {error}") from None

    @property
    def uses_self(self) -> bool:
        """Whether past selves play."""
        return any(opponent.player == SELF for opponent in self.config.opponents)

    @property
    def uses_curriculum(self) -> bool:
        """Whether the curriculum plays."""
        return any(opponent.player == CURRICULUM for opponent in self.config.opponents)

    def spec(self) -> list[tuple[float, str | Policy]]:
        """The opponents as `Batch` takes them: pairs of weight and player."""
        pairs: list[tuple[float, str | Policy]] = []
        for opponent in self.config.opponents:
            if opponent.player == SELF:
                pairs += [
                    (opponent.weight * share, member) for share, member in zip(self.shares(), self.pool, strict=True)
                ]
            elif opponent.player == CURRICULUM:
                pairs.append((opponent.weight, f"greedy:{self.greed:g}"))
            else:
                pairs.append((opponent.weight, self._trained.get(opponent.player, opponent.player)))
        return pairs

    def shares(self) -> list[float]:
        """How often each member of the pool plays where a past self does, adding up to 1."""
        if self.league is None or not self.pool:
            return [1 / len(self.pool) for _ in self.pool]
        return self.league.weights([member.name for member in self.pool])

    def note(self, rewards: list[float]) -> bool:
        """Take in the final rewards of games; True when the curriculum became harder by them."""
        self.won.extend((1.0 if reward > 0 else 0.5 if reward == 0 else 0.0) for reward in rewards)
        settings = self.config.curriculum
        full = len(self.won) == settings.games
        if not self.uses_curriculum or not full or self.greed >= 1 or self.win_rate() <= settings.raise_above:
            return False
        self.greed = min(1.0, round(self.greed + settings.step, 9))
        self.won.clear()  # games against the opponent as it was say nothing of the new one
        return True

    def win_rate(self) -> float:
        """Share of the last games that the learner won."""
        return sum(self.won) / len(self.won) if self.won else 0.0

    def join(self, weights: dict[str, torch.Tensor], steps: int) -> None:
        """Take the learner as it is into the pool; the oldest member leaves when the pool is full."""
        name = f"{steps:012d}"
        self.folder.mkdir(parents=True, exist_ok=True)
        replace_file(self.folder / f"{name}.safetensors", save_tensors(weights))
        newest = self._member(name)
        if self.league is not None:
            self.league.measure(newest.player, [member.player for member in self.pool])
            replace_file(self.folder / "league.json", json.dumps(self.league.report(), indent=1).encode())
        self.pool = [*self.pool, newest][-self.config.self_play.size :]

    def _member(self, name: str) -> PlayerPolicy:
        policy = policy_from_file(self.folder / f"{name}.safetensors", self.game, self.config.algorithm.net_arch)
        return PlayerPolicy(NetworkPlayer(name, policy, draws=True), self.rng)

    # ------------------------------------------------------------------------------------------------ saving

    def state(self, policies: dict[int, Any]) -> dict[str, Any]:
        """All that decides how the opposition goes on, for JSON; `policies` are those of the batch by number."""
        return {
            "greed": self.greed,
            "won": list(self.won),
            "pool": [member.name for member in self.pool],
            "policies": {str(number): policy.name for number, policy in policies.items()},
            "rng": self.rng.bit_generator.state,
            **({} if self.league is None else {"league": self.league.state()}),
        }

    def load_state(self, state: dict[str, Any]) -> dict[int, Policy]:
        """Go on from a saved state. Returns the policies of the batch by number."""
        self.greed = state["greed"]
        self.won.clear()
        self.won.extend(state["won"])
        known = {**self._trained, **{name: self._member(name) for name in state["pool"]}}
        self.pool = [known[name] for name in state["pool"]]
        policies: dict[int, Policy] = {}
        for number, name in state["policies"].items():  # a member that left the pool may still be playing
            if name not in known:
                known[name] = self._member(name)
            policies[int(number)] = known[name]
        self.rng.bit_generator.state = state["rng"]
        if self.league is not None:
            self.league.load_state(state["league"])
        return policies
