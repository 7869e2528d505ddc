"""The loop of the engines that learn from games which are played meanwhile: `td.py` and `distil.py`.

While some threads play games, the network learns from the games before those. A game follows from its number and from
those who play it, so the games that a checkpoint interrupts are simply played again.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import Annotated, Any, Generic, Protocol, TypeVar

import numpy as np
import torch
from pydantic import Field
from torch import nn

from theogony.envs.core.game import Game
from theogony.envs.core.untrusted.checked import checked
from theogony.envs.core.untrusted.outside import Form
from theogony.training.config.engines import Distil, DistilConfig, Td, TdConfig
from theogony.training.config.sections import Network, Section, ValueNetwork, rate_at
from theogony.training.learning.engine import Training, whole_weights
from theogony.training.networks.value import value_net_of
from theogony.training.networks.weight_transfer import moved_policy, moved_value
from theogony.training.networks.weights import (
    CheckpointError,
    Tensors,
    load_optimizer,
    load_weights,
    optimizer_tensors,
    policy_of,
    weights_of,
)
from theogony.training.players.reference import KINDS, reference_folder
from theogony.training.storage import checkpoint
from theogony.training.storage.checkpoint import NUMBERS, Checkpoint
from theogony.training.storage.header import CheckpointHeader, read_header


def weights_of_another_table(game: Game, network: Network | ValueNetwork, run: str) -> tuple[Tensors, Path]:
    """The weights of a run or reference player, moved to the inputs of this game, and where they lie.

    Raises CheckpointError when it plays another game or has another network, or they are damaged.
    """
    path = reference_folder(game, run, nearest=True) if run in KINDS else checkpoint.checkpoint_path(Path(run))
    header = read_header(path)
    other = header.make_game(path)
    if other.spec.name != game.spec.name:
        raise CheckpointError(f"{path}: the agent plays {other.spec.name}, not {game.spec.name}")
    header.check_network(network, path)
    weights = whole_weights(path)
    if isinstance(network, ValueNetwork):
        value_net_of(weights, other, network, path)  # where they do not fit it raises
        return moved_value(weights, other, game), path
    policy = policy_of(weights, other, network, path)
    return moved_policy(weights_of(policy), network, other, game), path


# ---- The loop ------------------------------------------------------------------------------------------------------

RECENT = 100  # updates that figures are the mean of


class Games(Protocol):
    """What was played: so many games, with so many decisions to learn from."""

    @property
    def games(self) -> int: ...
    @property
    def decisions(self) -> int: ...


class Numbers(Section):
    """What is in `state.json`, whatever is learnt."""

    games: Annotated[int, Field(ge=0)]
    updates: Annotated[int, Field(ge=0)]
    seconds: Annotated[float, Field(ge=0)]


Given = TypeVar("Given", bound=TdConfig | DistilConfig)
Played = TypeVar("Played", bound=Games)


class AheadTraining(Training[Given], Generic[Given, Played]):
    """One run: games that are played ahead, the network that learns from them, and where it stands."""

    numbers: type[Numbers]
    described_by: str  # the key of the training file that describes the network
    players: Any  # who plays the games

    def __init__(self, config: Given, folder: Path) -> None:
        super().__init__(config, folder)
        self.device = torch.device("cuda" if config.device == "auto" and torch.cuda.is_available() else "cpu")
        torch.manual_seed(config.seed)
        self._ahead = ThreadPoolExecutor(1, "theogony-ahead")
        self._next: Future[Played] | None = None
        self.games = self.updates = self._steps = 0
        self.spent = {"waiting for games": 0.0, "learning": 0.0}
        self.recent: dict[str, deque[Any]] = {}  # figures of the last updates, by their names in `state.json`

    def learn_with(self, network: Network | ValueNetwork, net: nn.Module, settings: Td | Distil) -> None:
        """What learns, and how often each decision is used."""
        self.network, self._net, self._settings = network, net, settings
        self.parameters = [parameter for parameter in net.parameters() if parameter.requires_grad]
        self.optimizer = torch.optim.Adam(self.parameters, lr=rate_at(self.config.algorithm.learning_rate, 0.0))

    # ------------------------------------------------------------------------------------------------ of the engine

    def player_of_games(self) -> Callable[[int, int], Played]:
        """What plays games by their numbers (the first, how many) from now on, in another thread."""
        raise NotImplementedError

    def note(self, games: Played) -> None:
        """Games were played, and the next will begin."""

    def loss(self, games: Played, rows: np.ndarray) -> torch.Tensor:
        """What is to be made smaller, of these decisions of the games."""
        raise NotImplementedError

    def start_from(self, run: str) -> None:
        """Take over the network of another run or reference player, which may be of another number of players where
        the training file says so. Raises CheckpointError when it does not fit."""
        other = self._settings.other_table
        found = weights_of_another_table(self.game, self.network, run) if other else self.weights_from(run)
        load_weights(self._net, *found)

    def kept(self) -> dict[str, np.ndarray]:
        """The arrays by which it goes on, besides the network and what the optimiser remembers."""
        return {}

    def forms(self) -> Mapping[str, Form]:
        """What arrays a checkpoint must have."""
        return {}

    def go_on(self, saved: Checkpoint) -> None:
        """Take over what `kept` gave. Raises CheckpointError where it is not of this run."""

    # ------------------------------------------------------------------------------------------------ the run

    @property
    def steps(self) -> int:
        """Decisions that were learnt from so far, over all sessions."""
        return self._steps

    def begin(self) -> None:
        if self.config.start_from is not None:
            self.start_from(self.config.start_from)
        self.write_down()
        self.write_checkpoint()
        self._play_ahead()

    def iterate(self) -> None:
        """Take the games that were played, let the next begin, and learn."""
        assert self._next is not None
        started = time.perf_counter()
        games = self._next.result()
        begun = time.perf_counter()
        self.games += games.games
        self.note(games)
        self._play_ahead()
        self._learn(games)
        self._steps += games.decisions
        self.spent["waiting for games"] += begun - started
        self.spent["learning"] += time.perf_counter() - begun

    def _play_ahead(self) -> None:
        self._next = self._ahead.submit(self.player_of_games(), self.games, self.config.environment.num_envs)

    def _learn(self, games: Played) -> None:
        """Every decision `epochs` times, in an order that follows from the seed and the number of the games."""
        settings, count = self.config.algorithm, games.decisions
        rng = np.random.default_rng([self.config.seed, self.games])
        for group in self.optimizer.param_groups:
            group["lr"] = rate_at(settings.learning_rate, self.steps / settings.total_steps)
        self._net.train(True)
        for _ in range(self._settings.epochs):
            for rows in np.array_split(rng.permutation(count), max(1, round(count / settings.batch_size))):
                if len(rows):
                    loss = self.loss(games, np.ascontiguousarray(rows))
                    self.optimizer.zero_grad()
                    loss.backward()
                    torch.nn.utils.clip_grad_norm_(self.parameters, settings.max_grad_norm)
                    self.optimizer.step()
                    self.updates += 1
        self._net.train(False)

    def metrics(self) -> dict[str, Any]:
        """How far it is; engines add figures of the last updates."""
        return {
            "steps": self.steps,
            "games": self.games,
            "seconds": round(self.seconds, 3),
            "train/learning_rate": self.optimizer.param_groups[0]["lr"],
        }

    def close(self) -> None:
        """End those who play, and the thread that waits for them."""
        self.players.stop()
        self._ahead.shutdown(wait=True, cancel_futures=True)

    # ------------------------------------------------------------------------------------------------ checkpoints

    def write_checkpoint(self) -> None:
        numbers: dict[str, Any] = {name: list(figures) for name, figures in self.recent.items()}
        numbers |= {"games": self.games, "updates": self.updates, "seconds": self.seconds}
        header = CheckpointHeader.of(self.game, self.network, self.steps)
        weights = {name: tensor.cpu() for name, tensor in weights_of(self._net).items()}
        moments = {name: tensor.cpu() for name, tensor in optimizer_tensors(self.optimizer).items()}
        checkpoint.save(self.folder, header, weights, moments, self.kept(), numbers)

    def read_checkpoint(self, path: Path) -> int:
        header = read_header(path)
        header.check_same(self.game, path)
        if header.network != self.network:
            raise CheckpointError(f"{path}: holds another network than {self.described_by} describes: {header.network}")
        saved = checkpoint.read(path, self.forms())
        numbers = checked(self.numbers, saved.numbers, str(path / NUMBERS), CheckpointError)
        load_weights(self._net, saved.policy, path)
        load_optimizer(self.optimizer, saved.optimizer, path, begun=numbers.updates > 0)
        self.go_on(saved)
        for name, figures in self.recent.items():
            figures.extend(getattr(numbers, name))
        self.games, self.updates, self._steps = numbers.games, numbers.updates, header.steps
        self.seconds = numbers.seconds
        self._play_ahead()
        return self._steps
