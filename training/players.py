"""Players: what chooses actions for seats, seeing no more than a player at the table.

A player is asked for many seats at once: `act(views, rng) -> actions`. A view has what its seat sees and `sample(rng)`,
a whole position drawn from those that the seat holds possible, never the true one. `rng` is the player's own stream.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Protocol, overload

import numpy as np

from theogony.envs.core.advice import batch_advice, position_advice
from theogony.envs.core.batch import Batch, sample_masks
from theogony.envs.core.game import Game
from theogony.envs.core.opponents import parse_opponents
from theogony.envs.core.position import Position
from theogony.training.checkpoint import latest, read_policy
from theogony.training.header import HEADER, read_header
from theogony.training.modules import is_own
from theogony.training.policy import AgentPolicy, act, probabilities
from theogony.training.reference import reference_network
from theogony.training.search_player import SearchPlayer, is_search, parse_search
from theogony.training.weights import CheckpointError

REFERENCE = "reference"
EXPECTED = '"random", "greedy", "greedy:0.3", "reference", "mcts:400" or a run'
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

    def __init__(
        self,
        observations: np.ndarray,
        masks: np.ndarray,
        sampler: Sampler | None = None,
        adviser: Callable[[], np.ndarray] | None = None,
    ) -> None:
        self.observations, self.masks, self.sampler, self._adviser = observations, masks, sampler, adviser

    @classmethod
    def of(cls, batch: Batch, rows: np.ndarray | None = None) -> Views:
        """The views of the seats that are due in these rows of a batch; without rows, in all."""
        chosen = np.arange(batch.size) if rows is None else rows

        def sample(index: int, rng: np.random.Generator) -> Position:
            return resampled(batch.position(int(chosen[index])), rng)

        return cls(batch.observations[chosen], batch.masks[chosen], sample, lambda: batch_advice(batch, chosen))

    @classmethod
    def at(cls, position: Position) -> Views:
        """The one view of the seat that decides in a position."""
        return cls(position.observation.copy(), position.mask.copy(), lambda _, rng: resampled(position.clone(), rng))

    def advice(self, rng: np.random.Generator) -> np.ndarray:
        """What looking ahead says of every action, float32 (n, actions); see `theogony.envs.core.advice`."""
        if self._adviser is not None:
            return self._adviser()
        return np.stack([position_advice(view.sample(rng)) for view in self])

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


def resampled(position: Position, rng: np.random.Generator) -> Position:
    """The position itself, with what the deciding seat cannot know drawn anew."""
    position.resample(position.actor, rng.integers(2**64, size=1, dtype=np.uint64))
    return position


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

    def __init__(self, name: str, policy: AgentPolicy, draws: bool = False) -> None:
        self.name, self.policy, self.draws = name, policy, draws

    def act(self, views: Views, rng: np.random.Generator) -> np.ndarray:
        """A legal action for every view, int64 (n,)."""
        return act(self.policy, self._seen(views, rng), views.masks, rng if self.draws else None)

    def probabilities(self, views: Views, rng: np.random.Generator) -> np.ndarray:
        """How likely the policy would choose each action, float64 (n, actions)."""
        return probabilities(self.policy, self._seen(views, rng), views.masks)

    def _seen(self, views: Views, rng: np.random.Generator) -> np.ndarray:
        return np.hstack([views.observations, views.advice(rng)]) if self.policy.advice else views.observations


def load_player(path: str | Path, game: Game, draws: bool = False) -> NetworkPlayer:
    """The agent of a checkpoint, or of the last one of a run. Raises CheckpointError when it is of another game."""
    return NetworkPlayer(str(path), read_policy(checkpoint_path(Path(path)), game), draws)


def make_player(name: str, game: Game, draws: bool = False) -> Player:
    """A player by name. Raises ValueError or CheckpointError, saying what was expected.

    "random", "greedy", "greedy:0.5"; "reference" (`theogony.training.reference`);
    "mcts:400" and the like (`theogony.training.search_player`); the path of a run;
    "package.module:Class" of your own, which is called with the game. `draws` is for runs: see `NetworkPlayer`.
    """
    if in_kernel(name):
        share = parse_opponents(name)[0].greed
        return GreedyPlayer(game, share) if share else RandomPlayer()
    if name == REFERENCE:
        return NetworkPlayer(name, reference_network(game), draws)
    if is_search(name):
        options, run = parse_search(name)
        return SearchPlayer(name, game, options, None if run is None else load_player(run, game))
    return own_player(name, game) if is_own(name) else load_player(name, game, draws)


def own_player(name: str, game: Game) -> Player:
    """A player of the user's own, "package.module:Class". Raises ValueError when there is none."""
    module, _, attribute = name.partition(":")
    try:
        player = getattr(importlib.import_module(module), attribute)(game)
    except (ImportError, AttributeError, TypeError) as error:
        raise ValueError(f"player {name!r}: {error}; expected a class that is called with the game") from None
    if not callable(getattr(player, "act", None)):
        raise ValueError(f"player {name!r}: has no act(views, rng)")
    player.name = name
    return player


def run_of(name: str) -> str | None:
    """The path of the run in a player's name, where there is one: "runs/x", "mcts:400@runs/x"."""
    if in_kernel(name) or name == REFERENCE or is_own(name):
        return None
    return parse_search(name)[1] if is_search(name) else name


def in_kernel(name: str) -> bool:
    """Whether a batch plays this player by itself. Raises ValueError for a bad share of greedy decisions."""
    if name.partition(":")[0] not in ("random", "greedy"):
        return False
    parse_opponents(name)
    return True


def checkpoint_path(path: Path) -> Path:
    """The checkpoint of a path: itself, or the last one of a run. Raises CheckpointError."""
    if (path / HEADER).is_file():
        return path
    if not path.exists():
        raise CheckpointError(f"there is no player {str(path)!r}; expected {EXPECTED}")
    return latest(path)


def game_of(path: Path) -> Game:
    """The game that a run was trained in. Raises CheckpointError."""
    checkpoint = checkpoint_path(path)
    return read_header(checkpoint).make_game(checkpoint)


class PlayerPolicy:
    """A player as an opponent of a batch, with a stream of its own."""

    def __init__(self, player: Player, rng: np.random.Generator) -> None:
        self.name, self.player, self._rng = player.name, player, rng

    def __call__(self, observations: np.ndarray, masks: np.ndarray, seats: np.ndarray) -> np.ndarray:
        """A legal action for every row, int64 (n,), from what is shown."""
        return self.player.act(Views(observations, masks), self._rng)

    def play_rows(self, batch: Batch, rows: np.ndarray) -> np.ndarray:
        """The same for rows of a batch, of which the player sees views only."""
        return self.player.act(Views.of(batch, rows), self._rng)

    def play_position(self, position: Position) -> int:
        """The same for a single game."""
        return int(self.player.act(Views.at(position), self._rng)[0])


def reference_policy(game: Game) -> PlayerPolicy:
    """The reference player as an opponent. Raises CheckpointError when there is none for this game."""
    return PlayerPolicy(make_player(REFERENCE, game), np.random.default_rng(0))
