"""What players see: views of the seats that decide, as arrays, and positions that these seats hold possible."""

from __future__ import annotations

import functools
import hashlib
from collections.abc import Callable, Iterator, Sequence
from typing import Any, overload

import numpy as np

from theogony.envs.core.features import FeatureLayout
from theogony.envs.core.position import Position
from theogony.envs.core.thinking.lookahead_scores import batch_lookahead, greedy_rows, position_lookahead
from theogony.envs.core.thinking.player_names import PlayerError

Sampler = Callable[[int, np.random.Generator], Position]
Namer = Callable[[], np.ndarray]
Chooser = Callable[[np.ndarray, np.ndarray, np.ndarray], np.ndarray]  # indices, draws, a value -> actions


class View:
    """What one seat sees: `observation` float32 (length,), `mask` int8 (actions,), `seat`."""

    def __init__(self, views: Views, index: int) -> None:
        self.mask: np.ndarray = views.masks[index]
        self.seat: int = int(views.seats[index])
        self._views, self._index = views, index

    @property
    def observation(self) -> np.ndarray:
        """What it sees, float32 (length,)."""
        return self._views.observations[self._index]

    @property
    def episode_id(self) -> int:
        """Which game it is; see `Views.episode_ids`."""
        return int(self._views.episode_ids[self._index])

    def sample(self, rng: np.random.Generator) -> Position:
        """A position that the seat holds possible. Raises PlayerError where only observations are at hand."""
        if self._views.sampler is None:
            said = "there are no positions to sample from here, only observations"
            raise PlayerError(f"{said}; a player that samples says needs_positions = True")
        return self._views.sampler(self._index, rng)


class Views(Sequence[View]):
    """The views of n seats, as arrays: `observations` (n, length), `masks` (n, actions), `seats` (n,).

    `seen` holds the observations as they come: uint8 codes of `layout` from our games, else floats.
    """

    def __init__(
        self,
        seen: np.ndarray,
        masks: np.ndarray,
        seats: np.ndarray,
        sampler: Sampler | None = None,
        scorer: Callable[[], np.ndarray] | None = None,
        layout: FeatureLayout | None = None,
        chooser: Chooser | None = None,
        namer: Namer | None = None,
    ) -> None:
        self.seen: np.ndarray = seen
        self._layout = layout
        self.masks: np.ndarray = masks
        self.seats: np.ndarray = seats
        self.sampler: Sampler | None = sampler
        self.chooser: Chooser | None = chooser  # greedy decisions of some of them in one call, where they are a batch's
        self._scorer = scorer
        self._namer = namer

    @classmethod
    def of(cls, batch: Any, rows: np.ndarray | None = None) -> Views:
        """The views of the seats that are due in these rows of a `Batch`; without rows, in all."""
        chosen = np.arange(batch.size) if rows is None else rows

        def sample(index: int, rng: np.random.Generator) -> Position:
            return resampled(batch.position(int(chosen[index])), rng)

        def choose(indices: np.ndarray, draws: np.ndarray, net: np.ndarray) -> np.ndarray:
            return greedy_rows(batch, chosen[indices], draws, net)

        seats, layout = batch.rows["seat"][chosen], batch.game.features
        scorer = functools.partial(batch_lookahead, batch, chosen)
        namer = functools.partial(_ids_of_rows, batch.secret, chosen, batch.rows["episode"][chosen])
        return cls(batch.codes[chosen], batch.masks[chosen], seats, sample, scorer, layout, choose, namer)

    @classmethod
    def at(cls, position: Position) -> Views:
        """The one view of the seat that decides in a position."""
        seats = np.array([position.actor], np.int8)
        codes, masks, layout = position.codes.copy(), position.mask.copy(), position.game.features
        sampler, namer = functools.partial(_redrawn, position), one_episode(position.episode_id)
        return cls(codes, masks, seats, sampler, layout=layout, namer=namer)

    @property
    def codes(self) -> np.ndarray:
        """What the seats see as codes, uint8 (n, length).

        Raises PlayerError in games of other projects, which have none.
        """
        if self._layout is None:
            raise PlayerError("there are no codes to see here, only observations of another project")
        return self.seen

    @functools.cached_property
    def observations(self) -> np.ndarray:
        """What the seats see, float32 (n, length)."""
        return self.seen if self._layout is None else self._layout.decode(self.seen)

    @functools.cached_property
    def episode_ids(self) -> np.ndarray:
        """The game of each view, int64 (n,): a number that stays from its beginning to its end, and says no more.

        It is drawn at random for every game. A player with a memory keeps it by this number and the seat; a copy of a
        game, or one that was saved and loaded, is another game. Raises PlayerError where games are not told apart.
        """
        if self._namer is None:
            raise PlayerError("games are not told apart here: there are observations without the game that they are of")
        return self._namer()

    def lookahead_scores(self, rng: np.random.Generator) -> np.ndarray:
        """The score of every action by one step of lookahead, float32 (n, actions); see `lookahead_scores.py`."""
        if self._scorer is not None:
            return self._scorer()
        return np.stack([position_lookahead(view.sample(rng)) for view in self])

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


def one_episode(number: int) -> Namer:
    """What names the game of a single view."""
    return functools.partial(np.array, [number], np.int64)


def _redrawn(position: Position, index: int, rng: np.random.Generator) -> Position:
    return resampled(position.clone(), rng)


def _ids_of_rows(secret: bytes, rows: np.ndarray, episodes: np.ndarray) -> np.ndarray:
    """Row and episode, from which the seed of a game follows, behind a secret that nobody else has."""
    named = [b"%d %d" % pair for pair in zip(rows, episodes, strict=True)]
    hashed = [hashlib.blake2b(name, digest_size=8, key=secret).digest() for name in named]
    return np.array([int.from_bytes(one, "little") >> 1 for one in hashed], np.int64)


def resampled(position: Position, rng: np.random.Generator) -> Position:
    """The position itself, with what the deciding seat cannot know drawn anew."""
    position.resample(position.actor, rng.integers(2**64, size=1, dtype=np.uint64))
    return position
