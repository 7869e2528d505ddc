"""Players: what chooses actions for seats, seeing no more than a player at the table.

A player is asked for many seats at once: `act(views, rng) -> actions`. A view has what its seat sees and `sample(rng)`,
a whole position drawn from those that the seat holds possible, never the true one. `rng` is the player's own stream.

Everything that takes a player (`opponents=`, training files, `theogony evaluate`, tournaments) takes one by name:

    random              any legal action
    greedy              the best decision by the game's `value`
    greedy:0.3          ε-greedy: greedy in 30 % of its decisions, else at random
    package.module:Class    one of your own, called with the game, where modules are allowed

`theogony.training` adds `reference`, `mcts:400` and the folders of runs (`register_player`).
"""

from __future__ import annotations

import importlib
import re
from collections.abc import Callable, Iterator, Sequence
from typing import Any, Protocol, overload

import numpy as np

from theogony.envs.core.advice import batch_advice, position_advice
from theogony.envs.core.game import Game
from theogony.envs.core.position import Position
from theogony.envs.core.sampling import sample_masks

OWN = re.compile(r"\w+(\.\w+)*:[A-Za-z_]\w*")  # "package.module:Class"
RUN = "run"  # the kind of a name that is a path
Sampler = Callable[[int, np.random.Generator], Position]
Policy = Callable[[np.ndarray, np.ndarray, np.ndarray], Any]  # observations, masks, seats -> actions


class PlayerError(ValueError):
    """There is no player of that name, or it cannot play here: says what was expected."""


# ---------------------------------------------------------------------------------------------------- what is seen


class View:
    """What one seat sees: `observation` float32 (length,), `mask` int8 (actions,), `seat`."""

    def __init__(self, views: Views, index: int) -> None:
        self.observation, self.mask = views.observations[index], views.masks[index]
        self.seat = int(views.seats[index])
        self._views, self._index = views, index

    def sample(self, rng: np.random.Generator) -> Position:
        """A position that the seat holds possible. Raises PlayerError where only observations are at hand."""
        if self._views.sampler is None:
            raise PlayerError("there are no positions to sample from here, only observations")
        return self._views.sampler(self._index, rng)


class Views(Sequence[View]):
    """The views of n seats, as arrays: `observations` (n, length), `masks` (n, actions), `seats` (n,)."""

    def __init__(
        self,
        observations: np.ndarray,
        masks: np.ndarray,
        seats: np.ndarray,
        sampler: Sampler | None = None,
        adviser: Callable[[], np.ndarray] | None = None,
    ) -> None:
        self.observations, self.masks, self.seats = observations, masks, seats
        self.sampler, self._adviser = sampler, adviser

    @classmethod
    def of(cls, batch: Any, rows: np.ndarray | None = None) -> Views:
        """The views of the seats that are due in these rows of a `Batch`; without rows, in all."""
        chosen = np.arange(batch.size) if rows is None else rows

        def sample(index: int, rng: np.random.Generator) -> Position:
            return resampled(batch.position(int(chosen[index])), rng)

        seats = batch.rows["seat"][chosen]
        return cls(batch.observations[chosen], batch.masks[chosen], seats, sample, lambda: batch_advice(batch, chosen))

    @classmethod
    def at(cls, position: Position) -> Views:
        """The one view of the seat that decides in a position."""
        seats = np.array([position.actor], np.int8)
        observations, masks = position.observation.copy(), position.mask.copy()
        return cls(observations, masks, seats, lambda _, rng: resampled(position.clone(), rng))

    def advice(self, rng: np.random.Generator) -> np.ndarray:
        """One-step lookahead scores of every action, float32 (n, actions); see `theogony.envs.core.advice`."""
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


# ---------------------------------------------------------------------------------------------------- players


class Player(Protocol):
    """Anything that plays. `needs_positions` says that views must have `sample`; without it, observations suffice."""

    name: str

    def act(self, views: Views, rng: np.random.Generator) -> np.ndarray:
        """A legal action for every view, int64 (n,)."""
        ...


class RandomPlayer:
    """Any legal action, all equally likely. A batch plays it in its kernel."""

    name = "random"
    greed = 0.0

    def act(self, views: Views, rng: np.random.Generator) -> np.ndarray:
        """A legal action for every view, int64 (n,)."""
        return sample_masks(views.masks, rng)


class GreedyPlayer:
    """ε-greedy: the best decision by the game's `value` in a share of its decisions, otherwise a random one.

    A batch plays it in its kernel.
    """

    needs_positions = True

    def __init__(self, game: Game, greed: float = 1.0) -> None:
        self.name = "greedy" if greed == 1 else f"greedy:{greed:g}"
        self.greed = greed
        depth = game.spec.lookahead + 1
        self._scratch = game.new_states(depth), np.zeros((depth, game.actions.size), np.int8)

    def act(self, views: Views, rng: np.random.Generator) -> np.ndarray:
        """A legal action for every view, int64 (n,)."""
        actions = sample_masks(views.masks, rng)
        for i in np.flatnonzero(rng.random(len(views)) < self.greed):
            position = views[int(i)].sample(rng)
            actions[i] = position.kernels.greedy(
                position.states, position.now, position.tables, position.mask[0], *self._scratch, 0,
                rng.integers(2**64, size=1, dtype=np.uint64),
            )  # fmt: skip
        return actions


class PolicyPlayer:
    """A function of yours as a player: `policy(observations, masks, seats) -> actions`."""

    def __init__(self, policy: Policy) -> None:
        self.policy = policy
        self.name = getattr(policy, "__name__", type(policy).__name__)

    def act(self, views: Views, rng: np.random.Generator) -> np.ndarray:
        """A legal action for every view, int64 (n,)."""
        return np.asarray(self.policy(views.observations, views.masks, views.seats))


def kernel_greed(player: Player) -> float | None:
    """The share of greedy decisions of a player that a batch plays in its kernel; None for every other."""
    return player.greed if isinstance(player, RandomPlayer | GreedyPlayer) else None


# ---------------------------------------------------------------------------------------------------- by name


Maker = Callable[..., Player]  # (name, game, draws=False) -> player
_makers: dict[str, Maker] = {}


def register_player(kind: str, maker: Maker) -> None:
    """Let `maker(name, game, draws)` make the players whose names begin with `kind`, as in "mcts:400"."""
    _makers[kind] = maker


def _random(name: str, game: Game, draws: bool) -> Player:
    if name != "random":
        raise PlayerError(f'player {name!r}: expected "random"')
    return RandomPlayer()


def _greedy(name: str, game: Game, draws: bool) -> Player:
    _, colon, share = name.partition(":")
    try:
        greed = float(share) if colon else 1.0
    except ValueError:
        greed = -1.0
    if not 0.0 <= greed <= 1.0:
        raise PlayerError(f'player {name!r}: expected a share of greedy decisions from 0 to 1, as in "greedy:0.3"')
    return GreedyPlayer(game, greed) if greed else RandomPlayer()


register_player("random", _random)
register_player("greedy", _greedy)


def kind_of(name: str) -> str:
    """The kind of a player's name: what it begins with, "own" for a module of one's own, else `RUN`."""
    kind = name.partition("@")[0].partition(":")[0]
    if kind in _makers and kind != RUN:
        return kind
    return "own" if OWN.fullmatch(name) else RUN


def make_player(
    player: str | Player | Policy, game: Game, *, draws: bool = False, modules: bool = False, positions: bool = True
) -> Player:
    """A player of a game, by name; a player or a policy of your own is taken as it is.

    Args:
        player: a name, see the head of this module.
        game: what it plays.
        draws: a network draws its actions instead of taking the likeliest.
        modules: whether names of modules ("package.module:Class") are allowed: importing one runs its code.
        positions: whether views will have positions to sample from.

    Raises PlayerError, saying what was expected, or CheckpointError for a run that cannot be read.
    """
    made = _made(player, game, draws, modules) if isinstance(player, str) else _taken(player)
    if not positions and getattr(made, "needs_positions", False):
        raise PlayerError(f"{made.name} thinks in positions, and here are only observations")
    return made


def _taken(player: Any) -> Player:
    if callable(getattr(player, "act", None)):
        return player
    if callable(player):
        return PolicyPlayer(player)
    raise PlayerError(f"{player!r:.60} is no player: expected a name, an object with act(views, rng), or a policy")


def _made(name: str, game: Game, draws: bool, modules: bool) -> Player:
    kind = kind_of(name)
    if kind == "own":
        if not modules:
            raise PlayerError(f"player {name!r} is code of a module, which is not allowed here (see --allow-modules)")
        return own_player(name, game)
    if kind not in _makers:
        raise PlayerError(f"there is no player {name!r}; expected {expected()}")
    return _makers[kind](name, game, draws)


def own_player(name: str, game: Game) -> Player:
    """A player of the user's own, "package.module:Class". Raises PlayerError when there is none."""
    module, _, attribute = name.partition(":")
    try:
        player = getattr(importlib.import_module(module), attribute)(game)
    except (ImportError, AttributeError, TypeError) as error:
        raise PlayerError(f"player {name!r}: {error}; expected a class that is called with the game") from None
    if not callable(getattr(player, "act", None)):
        raise PlayerError(f"player {name!r}: has no act(views, rng)")
    player.name = name
    return player


def expected() -> str:
    """The kinds of names, for messages."""
    examples = {"random": '"random"', "greedy": '"greedy", "greedy:0.3"', "mcts": '"mcts:400"', RUN: "a run"}
    return ", ".join(examples.get(kind, f'"{kind}"') for kind in _makers)
