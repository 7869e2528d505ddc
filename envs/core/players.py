"""Players: what chooses actions for seats, seeing no more than a player at the table.

A player is asked for many seats at once: `act(views, rng) -> actions`. A view has what its seat sees and `sample(rng)`,
a whole position drawn from those that the seat holds possible, never the true one. `rng` is the caller's generator.

Everything that takes a player (`opponents=`, training files, `theogony evaluate`, tournaments) takes one by name:

    random              any legal action
    greedy              the best decision by the game's `value`
    greedy:0.3          ε-greedy: greedy in 30 % of its decisions, else at random
    package.module:Class    one of your own, called with the game

`theogony.training` adds `reference`, `greedy@reference`, `mcts:400` and the folders of runs; see
`theogony.envs.core.thinking.player_names`.
"""

from __future__ import annotations

import importlib
import threading
from collections.abc import Callable
from typing import Any, Protocol

import numpy as np

from theogony.envs.core.contract import has_own_place, place_of
from theogony.envs.core.game import Game
from theogony.envs.core.kernels import pick
from theogony.envs.core.position import Position
from theogony.envs.core.thinking.player_names import (
    OWN,
    PlayerError,
    PlayerName,
    check_made_for,
    maker_of,
    parse_player,
    register_player,
)
from theogony.envs.core.thinking.sampling import sample_masks
from theogony.envs.core.thinking.value_network import INPUTS, OWN_VALUE
from theogony.envs.core.thinking.views import View as View
from theogony.envs.core.thinking.views import Views as Views
from theogony.envs.core.thinking.views import resampled as resampled

Policy = Callable[[np.ndarray, np.ndarray, np.ndarray], Any]  # observations, masks, seats -> actions


class Player(Protocol):
    """Anything that plays.

    One that calls `sample` of its views has `needs_positions = True`: where there are only observations, as in games of
    other projects, it is then refused when it is made and not in the middle of a game. One that can play only the game
    that it was made for has this `Game` as `made_for`, and is refused in others.
    """

    name: str

    def act(self, views: Views, rng: np.random.Generator) -> np.ndarray:
        """A legal action for every view, int64 (n,)."""
        ...


class KernelPlay:
    """Random and greedy play of one position inside the kernel. It redraws what the deciding seat cannot know.

    Every thread thinks in memory of its own, so that copies of an environment may be played in threads.
    """

    def __init__(self, game: Game) -> None:
        self._game = game
        self._own = threading.local()

    def __reduce__(self) -> tuple[Any, ...]:
        return KernelPlay, (self._game,)

    def choose(self, position: Position, greed: float, stream: np.ndarray, net: np.ndarray = OWN_VALUE) -> int:
        """A legal action: greedy in a share of decisions, else random.

        `stream` is a uint64 (1,), advanced in place; `net` the value that it goes by, see `value_network`.
        """
        mask = position.mask[0]
        if greed <= 0.0:
            return int(pick(mask, len(mask), stream))
        scratch = getattr(self._own, "scratch", None)
        if scratch is None:
            scratch = self._own.scratch = self._game.scratch()
        choose = position.kernels.choose
        return int(choose(position.states, position.now, position.tables, mask, scratch, 0, greed, stream, net))


class RandomPlayer:
    """Any legal action, all equally likely. A batch plays it in its kernel."""

    name: str = "random"
    greed: float = 0.0
    net: np.ndarray = OWN_VALUE

    def act(self, views: Views, rng: np.random.Generator) -> np.ndarray:
        """A legal action for every view, int64 (n,)."""
        return sample_masks(views.masks, rng)


class GreedyPlayer:
    """ε-greedy: the best decision by the game's `value` in a share of its decisions, otherwise a random one.

    With `net`, the packed weights of a value network, it goes by that value. A batch plays it in its kernel.
    """

    needs_positions = True

    def __init__(self, game: Game, greed: float = 1.0, net: np.ndarray = OWN_VALUE, name: str | None = None) -> None:
        if len(net) and int(net[INPUTS]) > game.features.length:  # it may have seen the first fields alone
            seen, shown = int(net[INPUTS]), game.features.length
            raise PlayerError(f"a value network of {seen} inputs cannot play {game!r}, which shows {shown}")
        self.name: str = name or ("greedy" if greed == 1 else f"greedy:{greed:g}")
        self.greed: float = greed
        self.net: np.ndarray = net
        self.made_for: Game = game
        self._play = KernelPlay(game)

    def act(self, views: Views, rng: np.random.Generator) -> np.ndarray:
        """A legal action for every view, int64 (n,)."""
        actions = sample_masks(views.masks, rng)
        due = np.flatnonzero(rng.random(len(views)) < self.greed)
        if views.chooser is not None:
            draws = rng.integers(2**64, size=(len(due), 2), dtype=np.uint64)
            actions[due] = views.chooser(due, draws, self.net)
            return actions
        for i in due:
            stream = rng.integers(2**64, size=1, dtype=np.uint64)
            actions[i] = self._play.choose(views[int(i)].sample(rng), 1.0, stream, self.net)
        return actions


class PolicyPlayer:
    """A function of yours as a player: `policy(observations, masks, seats) -> actions`."""

    def __init__(self, policy: Policy) -> None:
        self.policy = policy
        self.name: str = getattr(policy, "__name__", type(policy).__name__)

    def act(self, views: Views, rng: np.random.Generator) -> np.ndarray:
        """What the policy says, for every view."""
        return np.asarray(self.policy(views.observations, views.masks, views.seats))


def in_kernel(player: Player) -> RandomPlayer | GreedyPlayer | None:
    """A player that a batch plays in its kernel, by its `greed` and `net`; None for every other."""
    return player if isinstance(player, RandomPlayer | GreedyPlayer) else None


def same_player(one: Player, other: Player) -> bool:
    """Whether two are the same player: the same object, or the same function of the user's."""
    if isinstance(one, PolicyPlayer) and isinstance(other, PolicyPlayer):
        return one.policy is other.policy
    return one is other


# ---------------------------------------------------------------------------------------------------- by name


def make_player(player: str | PlayerName | Player | Policy, game: Game | None, *, draws: bool = False) -> Player:
    """A player by name; a player or a policy of your own is taken as it is.

    Args:
        player: a name, see the head of this module, taken apart or not; an object with `name` and `act`; or a function.
        game: what it plays; None: a game of another project, in which there are no positions.
        draws: a network draws its actions instead of taking the likeliest.

    Raises PlayerError or CheckpointError, saying what was expected, also when a player was made for another game.
    Naming a module imports it: names that a stranger may have written are looked at before (`theogony.training` does so
    with training files).
    """
    if isinstance(player, str | PlayerName):
        name = parse_player(player)
        if game is None and name.text != "random":
            others = '"random", policies, and players of your own that need no positions'
            raise PlayerError(f"player {name.text!r} plays only the games of theogony; elsewhere play {others}")
        return maker_of(name)(name, game, draws)
    made = _taken(player)
    if game is not None:
        check_made_for(made, game)
    elif getattr(made, "needs_positions", False):
        raise PlayerError(f"player {made.name!r} needs positions, and a game of another project has only observations")
    return made


def _taken(player: Any) -> Player:
    if callable(getattr(player, "act", None)) and isinstance(getattr(player, "name", None), str):
        return player
    if callable(player):
        return PolicyPlayer(player)
    expected = "a name, an object with name and act(views, rng), or a policy (observations, masks, seats) -> actions"
    raise PlayerError(f"{player!r:.60} is no player: expected {expected}")


def _random(name: PlayerName, game: Game, draws: bool) -> Player:
    if name.text != "random":
        raise PlayerError(f'player {name.text!r}: expected "random"')
    return RandomPlayer()


def _greedy(name: PlayerName, game: Game, draws: bool) -> Player:
    _, colon, share = name.text.partition(":")
    try:
        greed = float(share) if colon else 1.0
    except ValueError:
        greed = -1.0
    if not 0.0 <= greed <= 1.0:
        raise PlayerError(f'player {name.text!r}: expected a share of greedy decisions from 0 to 1, as in "greedy:0.3"')
    return GreedyPlayer(game, greed) if greed else RandomPlayer()


def _own(name: PlayerName, game: Game, draws: bool) -> Player:
    """A player of the user's own, "package.module:Class"."""
    module, _, attribute = name.text.partition(":")
    try:
        player = getattr(importlib.import_module(module), attribute)(game)
    except Exception as error:
        if has_own_place(error):
            raise PlayerError(f"player {name.text!r}: {place_of(error)}") from error
        expected = "a class that is called with the game"
        if module.endswith(".py"):
            expected += f", as module:Class: {module.removesuffix('.py')}:{attribute} without .py"
        raise PlayerError(f"player {name.text!r}: {error}; expected {expected}") from error
    if not callable(getattr(player, "act", None)):
        raise PlayerError(f"player {name.text!r}: has no act(views, rng)")
    player.name = name.text
    return player


register_player("random", _random, '"random"')
register_player("greedy", _greedy, '"greedy", "greedy:0.3"')
register_player(OWN, _own, '"module:Class"')
