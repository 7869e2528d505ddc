"""`engine: td`: a value learnt by TD(λ) on afterstates in self-play.

While some threads play games with the network as it was, it learns from the games before those. So what is played with
is one update behind what is learnt, and a checkpoint holds both: the games that it interrupts are played again.
"""

from __future__ import annotations

import time
from collections import deque
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import torch

from theogony.envs.core.players import GreedyPlayer, Player, in_kernel, make_player
from theogony.training.config.schema import Config, ConfigError, ValueNetwork, rate_at
from theogony.training.learning import td_state
from theogony.training.learning.cluster import players_of
from theogony.training.learning.selfplay import Played, Table, observer
from theogony.training.learning.session import Session
from theogony.training.networks.value import ValueNet, packed

RECENT = 100  # updates that figures are the mean of


class TdTraining(Session):
    """One run: games that are played, the network that learns from them, and where it stands."""

    learns = ValueNetwork

    def __init__(self, config: Config, folder: Path) -> None:
        super().__init__(config, folder)
        self.reward = config.reward or ("outcome" if self.game.players <= 2 or self.game.spec.cooperative else "rank")
        self.network = ValueNetwork(widths=config.td.widths, own_value=config.td.own_value, reward=self.reward)
        self.device = torch.device("cuda" if config.device == "auto" and torch.cuda.is_available() else "cpu")
        torch.manual_seed(config.seed)
        self.net = ValueNet(self.game.features.length, self.network).to(self.device)
        learnt = [parameter for parameter in self.net.parameters() if parameter.requires_grad]
        self.optimizer = torch.optim.Adam(learnt, lr=rate_at(config.algorithm.learning_rate, 0.0))
        self.opponents = self._make_opponents()
        self.selfplay = players_of(config, self.game)
        self._see = observer(self.game.spec)
        self._ahead = ThreadPoolExecutor(1, "theogony-td")
        self._next: Future[Played] | None = None
        self.acting = self.packed()  # the network that plays the games from `games` on
        self.games = self.updates = self._steps = 0
        self.errors: deque[float] = deque(maxlen=RECENT)
        self.rewards: deque[float] = deque(maxlen=RECENT)
        self.spent = {"waiting for games": 0.0, "learning": 0.0}

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
                    "greedy or a run of engine td"
                )
            found.append((opponent.weight, inside))
        return found

    @property
    def steps(self) -> int:
        """Decisions that were learnt from so far, over all sessions."""
        return self._steps

    def packed(self) -> np.ndarray:
        """The network as it is now, as kernels take it."""
        return packed(self.net, self.game, self.reward)

    def player(self, name: str) -> Player:
        """The learner as it is now."""
        return GreedyPlayer(self.game, net=self.packed(), name=str(self.folder))

    # ------------------------------------------------------------------------------------------------ the run

    def begin(self) -> None:
        """Write down what the run is; the first checkpoint is that of the network before any training."""
        if self.config.start_from is not None:
            td_state.start_from(self, self.config.start_from)
            self.acting = self.packed()
        self.write_down()
        self.write_checkpoint()
        self._play_ahead()

    def iterate(self) -> None:
        """Take the games that were played, let the next begin, and learn."""
        assert self._next is not None
        started = time.perf_counter()
        played = self._next.result()
        begun = time.perf_counter()
        self.games += played.games
        self.acting = self.packed()
        self._play_ahead()
        self._learn(played)
        self._steps += len(played.samples)
        self.rewards.append(played.reward)
        self.spent["waiting for games"] += begun - started
        self.spent["learning"] += time.perf_counter() - begun

    def _play_ahead(self) -> None:
        self._next = self._ahead.submit(self.selfplay.play, self._table(), self.games, self.config.environment.num_envs)

    def _table(self) -> Table:
        td = self.config.td
        nets = [self.acting, *(inside.net for _, inside in self.opponents)]
        weights = np.array([weight for weight, _ in self.opponents] or [1.0])
        return Table(
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
        )

    def _learn(self, played: Played) -> None:
        """Every sample `epochs` times, in an order that follows from the seed and the number of the games."""
        settings, count = self.config.algorithm, len(played.samples)
        rng = np.random.default_rng([self.config.seed, self.games])
        for group in self.optimizer.param_groups:
            group["lr"] = rate_at(settings.learning_rate, self.steps / settings.total_steps)
        for _ in range(self.config.td.epochs):
            order = rng.permutation(count)
            for rows in np.array_split(order, max(1, round(count / settings.batch_size))):
                if len(rows):
                    self._update(played, np.ascontiguousarray(rows))

    def _update(self, played: Played, rows: np.ndarray) -> None:
        game = self.game
        codes, own = np.zeros((len(rows), game.features.length), np.uint8), np.zeros(len(rows), np.float32)
        spare = game.new_states(1)
        self._see(played.states, played.samples, rows, game.tables, spare, game.features.records(codes), own)
        targets = torch.from_numpy(played.samples["target"][rows]).to(self.device)
        values = self.net(
            torch.from_numpy(game.features.decode(codes)).to(self.device), torch.from_numpy(own).to(self.device)
        )
        loss = torch.nn.functional.mse_loss(values, targets)
        self.optimizer.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(self.net.parameters(), self.config.algorithm.max_grad_norm)
        self.optimizer.step()
        self.updates += 1
        self.errors.append(float(loss.detach()))

    def metrics(self) -> dict[str, Any]:
        """Figures of the last updates."""
        return {
            "steps": self.steps,
            "games": self.games,
            "seconds": round(self.seconds, 3),
            "reward": float(np.mean(self.rewards)) if self.rewards else 0.0,
            "train/error": float(np.mean(self.errors)) if self.errors else 0.0,
            "train/gate": float(self.net.gate.detach()),
            "train/learning_rate": self.optimizer.param_groups[0]["lr"],
        }

    def write_checkpoint(self) -> None:
        """A checkpoint of the run as it is now."""
        td_state.save(self)

    def read_checkpoint(self, path: Path) -> int:
        """Go on from a checkpoint as if nothing had happened. Returns its steps. Raises CheckpointError."""
        self._steps = td_state.restore(self, path)
        self._play_ahead()
        return self._steps

    def close(self) -> None:
        """End the threads that play."""
        self.selfplay.stop()
        self._ahead.shutdown(wait=True, cancel_futures=True)
