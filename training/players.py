"""Players: what chooses actions for seats, seeing no more than a player at the table.

A player is asked for many seats at once: `act(views, rng) -> actions`. A view has what its seat sees and `sample(rng)`,
a whole position drawn from those that the seat holds possible, never the true one. `rng` is the player's own stream.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Protocol, overload

import numpy as np
from sb3_contrib.common.maskable.policies import MaskableActorCriticPolicy

from theogony.envs.core.batch import Batch, sample_masks
from theogony.envs.core.game import Game
from theogony.envs.core.opponents import Policy, parse_opponents
from theogony.envs.core.position import Position
from theogony.training.checkpoint import CheckpointError, latest, read_header, read_policy
from theogony.training.policy import act

Sampler = Callable[[int, np.random.Generator], Position]


class View:
    """What one seat sees: `observation` float32 (length,), `mask` int8 (actions,)."""

    def __init__(self, views: Views, index: int) -> None:
        self.observation, self.mask = views.observations[index], views.masks[index]
        self._views, self._index = views, index

    def sample(self, rng: np.random.Generator) -> Position:
        """A position that the seat holds possible. Raises ValueError where only observations are at hand."""
        if self._views.sampler is None:
            raise ValueError("there are no positions to sample from here, only observations")
        return self._views.sampler(self._index, rng)


class Views(Sequence[View]):
    """The views of many seats, as arrays: `observations` (n, length), `masks` (n, actions)."""

    def __init__(self, observations: np.ndarray, masks: np.ndarray, sampler: Sampler | None = None) -> None:
        self.observations, self.masks, self.sampler = observations, masks, sampler

    @classmethod
    def of(cls, batch: Batch) -> Views:
        """The views of the seats that are due in a batch."""

        def sample(row: int, rng: np.random.Generator) -> Position:
            position = batch.position(row)
            position.resample(position.actor, rng.integers(2**64, size=1, dtype=np.uint64))
            return position

        return cls(batch.observations, batch.masks, sample)

    def __len__(self) -> int:
        return len(self.masks)

    @overload
    def __getitem__(self, index: int) -> View: ...
    @overload
    def __getitem__(self, index: slice) -> list[View]: ...
    def __getitem__(self, index: int | slice) -> View | list[View]:
        if isinstance(index, slice):
            return [View(self, i) for i in range(*index.indices(len(self)))]
        return View(self, range(len(self))[index])

    def __iter__(self) -> Iterator[View]:
        return (View(self, i) for i in range(len(self)))


class Player(Protocol):
    """Anything that plays."""

    name: str

    def act(self, views: Views, rng: np.random.Generator) -> np.ndarray:
        """A legal action for every view, int64 (n,)."""
        ...


class RandomPlayer:
    """Any legal action, all equally likely."""

    name = "random"

    def act(self, views: Views, rng: np.random.Generator) -> np.ndarray:
        """A legal action for every view, int64 (n,)."""
        return sample_masks(views.masks, rng)


class GreedyPlayer:
    """The best decision by the game's `value`, in a share of its decisions; otherwise a random one."""

    def __init__(self, game: Game, share: float = 1.0) -> None:
        self.name = "greedy" if share == 1 else f"greedy:{share:g}"
        self.game, self.share = game, share
        depth = game.spec.lookahead + 1
        self._scratch = game.new_states(depth), np.zeros((depth, game.actions.size), np.int8)

    def act(self, views: Views, rng: np.random.Generator) -> np.ndarray:
        """A legal action for every view, int64 (n,)."""
        actions = sample_masks(views.masks, rng)
        for i in np.flatnonzero(rng.random(len(views)) < self.share):
            position = views[int(i)].sample(rng)
            actions[i] = position.kernels.greedy(
                position.states, position.now, position.tables, position.mask[0], *self._scratch, 0,
                rng.integers(2**64, size=1, dtype=np.uint64),
            )  # fmt: skip
        return actions


class NetworkPlayer:
    """A policy network: its likeliest action, or with `draws` an action drawn from it."""

    def __init__(self, name: str, policy: MaskableActorCriticPolicy, draws: bool = False) -> None:
        self.name, self.policy, self.draws = name, policy, draws

    def act(self, views: Views, rng: np.random.Generator) -> np.ndarray:
        """A legal action for every view, int64 (n,)."""
        return act(self.policy, views.observations, views.masks, rng if self.draws else None)


def load_player(path: str | Path, game: Game, draws: bool = False) -> NetworkPlayer:
    """The agent of a checkpoint, or of the last one of a run. Raises CheckpointError when it is of another game."""
    return NetworkPlayer(str(path), read_policy(checkpoint_path(Path(path)), game), draws)


def make_player(name: str, game: Game, draws: bool = False) -> Player:
    """A player by name: "random", "greedy", "greedy:0.5", or the path of a run. Raises ValueError, CheckpointError."""
    if not in_kernel(name):
        return load_player(name, game, draws)
    share = parse_opponents(name)[0].greed
    return GreedyPlayer(game, share) if share else RandomPlayer()


def in_kernel(name: str) -> bool:
    """Whether a batch plays this player by itself. Raises ValueError for a bad share of greedy decisions."""
    if name.partition(":")[0] not in ("random", "greedy"):
        return False
    parse_opponents(name)
    return True


def checkpoint_path(path: Path) -> Path:
    """The checkpoint of a path: itself, or the last one of a run. Raises CheckpointError."""
    if (path / "header.json").is_file():
        return path
    if not path.exists():
        raise CheckpointError(f'there is no player {str(path)!r}; expected "random", "greedy", "greedy:0.3" or a run')
    return latest(path)


def game_of(path: Path) -> Game:
    """The game that a run was trained in. Raises CheckpointError."""
    checkpoint = checkpoint_path(path)
    return read_header(checkpoint).make_game(checkpoint)


def as_policy(player: Player, rng: np.random.Generator) -> Policy:
    """A player as an opponent of a batch, which shows observations and masks but no positions."""

    def policy(observations: np.ndarray, masks: np.ndarray, seats: np.ndarray) -> np.ndarray:
        return player.act(Views(observations, masks), rng)

    return policy
