"""`engine: td`: a value learnt by TD(λ) on afterstates in self-play.

While some threads play games with the network as it was, it learns from the games before those (`ahead.py`). So what is
played with is one update behind what is learnt, and a checkpoint holds both.
"""

from __future__ import annotations

import functools
from collections import deque
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Annotated, Any

import numpy as np
import torch
from pydantic import Field
from torch.nn import functional

from theogony.envs.core.game import Game
from theogony.envs.core.players import GreedyPlayer, Player, in_kernel, make_player
from theogony.envs.core.thinking.value_network import FRONT, GATE
from theogony.envs.core.untrusted.outside import Form
from theogony.training.config import ConfigError
from theogony.training.config.engines import TdConfig
from theogony.training.config.sections import ValueNetwork, worth_of_truncation
from theogony.training.learning.ahead import RECENT, AheadTraining, Numbers
from theogony.training.learning.cluster import players_of
from theogony.training.learning.selfplay import Played, SelfPlayTable, observer, read_starts, tables_of
from theogony.training.networks.value import ValueNet, packed
from theogony.training.networks.weights import CheckpointError
from theogony.training.storage.checkpoint import Checkpoint

ACTING = "acting"  # the array with the network that plays the games which the checkpoint interrupts


class TdNumbers(Numbers):
    """What is in `state.json`."""

    errors: Annotated[list[float], Field(max_length=1000)]
    rewards: Annotated[list[float], Field(max_length=1000)]


class TdTraining(AheadTraining[TdConfig, Played, TdNumbers]):
    """One run: games that are played, the network that learns from them, and where it stands."""

    numbers, described_by = TdNumbers, "td"

    def __init__(self, config: TdConfig, folder: Path) -> None:
        super().__init__(config, folder)
        self.reward = config.reward or ("outcome" if self.game.players <= 2 or self.game.spec.cooperative else "rank")
        network = ValueNetwork(widths=config.td.widths, own_value=config.td.own_value, reward=self.reward)
        self.net = ValueNet(self.game.features.length, network).to(self.device)
        self.learn_with(network, self.net, config.td.epochs)
        self.opponents = self._make_opponents()
        dealt = self._make_variants()
        starts, recorded = read_starts(config.td.starts.files, config.td.starts.share, dealt)
        self.variants = [*dealt, *recorded]
        self.selfplay = players_of(config, self.variants, starts)
        self._see, self._tables = observer(self.game.spec), tables_of(self.variants)
        self.acting = self.packed()  # the network that plays the games from `games` on
        self.errors: deque[float] = deque(maxlen=RECENT)
        self.rewards: deque[float] = deque(maxlen=RECENT)

    def _make_variants(self) -> list[Game]:
        """The games with all the options that are played. Raises ConfigError naming those that do not go together."""
        found = [self.game]
        for index, change in enumerate(self.config.td.variants):
            try:
                game = self.game.spec.configure({**self.config.options, **change})
            except ValueError as error:
                raise ConfigError(f"td.variants.{index}: {error}") from None
            if (game.state, game.tables.dtype, game.features.dtype) != self._layout():
                raise ConfigError(f"td.variants.{index}: changes what players see; expected the players of `options`")
            found.append(game)
        return found

    def _layout(self) -> tuple[Any, Any, Any]:
        return self.game.state, self.game.tables.dtype, self.game.features.dtype

    def _make_opponents(self) -> list[tuple[float, Any]]:
        """The players of the games that are not against itself. Raises ConfigError naming the one that is wrong."""
        found: list[tuple[float, Any]] = []
        for index, opponent in enumerate(self.config.opponents if self.config.td.opponents > 0 else ()):
            try:
                inside = in_kernel(make_player(opponent.player, self.game))
            except ValueError as error:
                raise ConfigError(f"opponents.{index}.player: {error}") from None
            if inside is None:
                raise ConfigError(
                    f"opponents.{index}.player: {opponent.player!r} does not play in compiled code; expected random, "
                    "greedy, greedy@reference or a run of engine td"
                )
            found.append((opponent.weight, inside))
        return found

    def packed(self) -> np.ndarray:
        """The network as it is now, as kernels take it."""
        return packed(self.net, self.game, self.reward)

    def player(self, name: str) -> Player:
        """The learner as it is now."""
        return GreedyPlayer(self.game, net=self.packed(), name=str(self.folder))

    @property
    def other_table(self) -> bool:
        """Whether the value may begin as one for another number of players."""
        return self.config.td.other_table

    def start_from(self, run: str) -> None:
        """Take over the network of another run or reference player. Raises CheckpointError when it does not fit."""
        super().start_from(run)
        self.acting = self.packed()

    # ------------------------------------------------------------------------------------------------ the run

    def player_of_games(self) -> Callable[[int, int], Played]:
        """The network as it acts now, and its opponents."""
        return functools.partial(self.selfplay.play, self.table())

    def table(self) -> SelfPlayTable:
        """Who plays the games from `games` on."""
        td = self.config.td
        nets = [self.acting, *(inside.net for _, inside in self.opponents)]
        weights = np.array([weight for weight, _ in self.opponents] or [1.0])
        return SelfPlayTable(
            nets=np.concatenate(nets),
            ends=np.cumsum([len(net) for net in nets]),
            greed=np.array([inside.greed for _, inside in self.opponents] or [0.0]),
            weights=np.cumsum(weights / weights.sum()),
            share=float(td.opponents),
            explore=float(td.explore),
            noise=float(td.noise),
            td_lambda=float(td.td_lambda),
            reward=self.game.spec.reward_index(self.reward),
            deep=td.own_turn,
            planned=float(td.plan.share if td.plan.width else 0.0),
            width=td.plan.width,
            plan_ends=float(td.plan.ends),
            truncation=worth_of_truncation(self.config.truncation, self.game, self.reward),
        )

    def note(self, games: Played) -> None:
        """The next games are played by the network as it is now."""
        self.acting = self.packed()
        self.rewards.append(games.reward)

    def loss(self, games: Played, rows: np.ndarray) -> torch.Tensor:
        """The squared error of the values."""
        game, tables = self.game, self._tables
        codes, own = np.zeros((len(rows), game.features.length), np.uint8), np.zeros(len(rows), np.float32)
        spare = game.new_states(1)
        reward = game.spec.reward_index(self.reward)
        self._see(games.states, games.samples, rows, tables, reward, spare, game.features.records(codes), own)
        targets = torch.from_numpy(games.samples["target"][rows]).to(self.device)
        seen, own_values = (torch.from_numpy(array).to(self.device) for array in (game.features.decode(codes), own))
        error = functional.mse_loss(self.net(seen, own_values), targets)
        self.errors.append(float(error.detach()))
        return error

    def metrics(self) -> dict[str, Any]:
        """Figures of the last updates."""
        return {
            **super().metrics(),
            "reward": float(np.mean(self.rewards)) if self.rewards else 0.0,
            "train/error": float(np.mean(self.errors)) if self.errors else 0.0,
            "train/gate": float(self.net.gate.detach()),
        }

    # ------------------------------------------------------------------------------------------------ going on

    def kept(self) -> tuple[dict[str, np.ndarray], dict[str, Any]]:
        """The network that acts, and the figures of the last updates."""
        return {ACTING: self.acting}, {"errors": list(self.errors), "rewards": list(self.rewards)}

    def forms(self) -> Mapping[str, Form]:
        """The network that acts has the size of this one."""
        return {ACTING: Form("f4", self.acting.shape)}

    def go_on(self, saved: Checkpoint, numbers: TdNumbers) -> None:
        """Raises CheckpointError where the network that acts is not one of this run."""
        acting = saved.arrays[ACTING]
        shape = np.delete(acting[:FRONT] == self.acting[:FRONT], GATE)
        if not all(np.isfinite(array).all() for array in saved.arrays.values()) or not shape.all():
            raise CheckpointError(f"{saved.path}: the network that plays is not one of this run")
        self.acting = acting
        self.errors.extend(numbers.errors)
        self.rewards.extend(numbers.rewards)

    def close(self) -> None:
        """End the threads that play."""
        self.selfplay.stop()
        super().close()
