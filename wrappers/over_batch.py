"""What the vector environments over a batch have in common: arguments, masks, and a saved state to go on from."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal, TypedDict

import numpy as np

from theogony.envs.core.actions import IllegalAction
from theogony.envs.core.batch import Batch
from theogony.envs.core.batches.arguments import one_seat
from theogony.envs.core.batches.shaping import Shaping
from theogony.envs.core.features import ObservationForm
from theogony.envs.core.game import Game, OptionError, configured
from theogony.envs.core.players import Player
from theogony.envs.core.record import RUNNING
from theogony.envs.core.rng import seed_bits
from theogony.envs.core.rows import Rows
from theogony.envs.core.thinking.opponents import OpponentSpec
from theogony.envs.core.untrusted.outside import Form

FRESH = Form("?", (1,))  # in a saved state: whether nobody has stepped yet


class VectorArguments(TypedDict, total=False):
    """How the games of a vector environment are played. What is left out is as `Batch` has it, but for `DEFAULTS`."""

    seat: int | Literal["random", "all"]  # the caller's; "all" in a cooperative game only
    opponents: OpponentSpec
    reward: str | None
    threads: int
    observation: ObservationForm
    shaping: str  # what is paid out as it changes, a kind of reward or "value"; "none" unless it is given


DEFAULTS: VectorArguments = {"seat": "random", "observation": "float"}


class OverBatch:
    """`num_envs` games in one `batch`, of which the caller plays one seat each, or all as a team."""

    batch: Batch
    _fresh: bool  # nobody has stepped or begun since the batch was made; `reset` then need not begin anew

    def _begin(self, game: Game, num_envs: int, seed: int | None, arguments: VectorArguments) -> None:
        """Make the batch. Raises OptionError or ValueError, as `Batch` does."""
        configured(game)
        given: Any = {**DEFAULTS, **arguments}
        seat = given.get("seat")
        if seat == "all" and not game.spec.cooperative:
            raise OptionError(f'{game.spec.name}: seat="all" has no single reward; take a Batch, or a seat')
        if not game.spec.cooperative and seat != "random":  # else `Batch` would offer "all" as well
            one_seat(game, seat)
        shaping = given.pop("shaping", "none")
        self.batch = Batch(game, num_envs, seed, **given)
        self._shaping = Shaping(self.batch, shaping, gamma=1.0) if shaping != "none" else None
        self._begin_shaping()
        self._fresh = True

    def __repr__(self) -> str:
        """The class, the game, its options and how many there are."""
        return f"{type(self).__name__}({self.batch!r})"

    @property
    def action_rows(self) -> Mapping[str, Rows]:
        """By kind of action, the places of the flat observation that each action is about (`envs/core/rows.py`)."""
        return self.batch.game.action_rows

    @property
    def opponents(self) -> OpponentSpec:
        """Who plays the other seats, as (weight, player); setting it takes effect in games that begin later."""
        return self.batch.opponents

    @opponents.setter
    def opponents(self, spec: OpponentSpec) -> None:
        self.batch.set_opponents(spec)

    def set_opponents(self, spec: OpponentSpec) -> None:
        """Other opponents, in games that begin later. Raises PlayerError."""
        self.batch.set_opponents(spec)

    def _anew(self, seed: int | None = None) -> None:
        """New games in all rows, from one seed for all. Without one they follow from the last. Raises TypeError."""
        self.batch.reset(None if seed is None else seed_bits(seed))
        self._begin_shaping()
        self._fresh = True

    def _play(self, actions: Any, instead: str = "") -> None:
        """One decision of the caller in every row. Raises IllegalAction, with every game as it was; where the caller's
        action is not legal, it says what to do `instead`."""
        self._fresh = False
        try:
            self.batch.step(actions)
        except IllegalAction as error:
            if error.legal and instead:
                raise IllegalAction(f"{error}; {instead}", error.action, error.legal) from None
            raise

    def _begin_shaping(self) -> None:
        """Count from the positions as they are: to be called whenever others than a step have changed them."""
        if self._shaping is not None:
            self._shaping.begin()

    def _rewards(self) -> np.ndarray:
        """What the step just made pays in every row, float64 (num_envs,): final rewards, and what shaping pays."""
        rewards, (ended, final) = np.zeros(self.batch.size), self.batch.ended()
        rewards[ended] = final
        return rewards if self._shaping is None else rewards + self._shaping.step(self.batch.rows["over"] != RUNNING)

    def action_masks(self) -> np.ndarray:
        """What is legal in every row, bool (num_envs, actions)."""
        return self.batch.masks.view(bool).copy()

    def state_dict(self) -> dict[str, np.ndarray]:
        """All that decides how the games go on, as plain arrays; see `Batch.state_dict`."""
        return {**self.batch.state_dict(), "fresh": np.array([self._fresh])}

    def load_state_dict(self, state: Mapping[str, np.ndarray], players: Mapping[int, Player] | None = None) -> None:
        """Go on from a saved state, see `Batch.load_state_dict`; what is seen then is in `batch.observations`."""
        fresh = np.asarray(state.get("fresh"))
        if not FRESH.fits(fresh.dtype, fresh.shape):
            raise ValueError(f"the saved state has 'fresh' as {fresh!r:.60}, {FRESH} was expected")
        self.batch.load_state_dict(state, players)
        self._fresh = bool(fresh[0])
        self._begin_shaping()

    def saved_forms(self) -> dict[str, Form]:
        """What the arrays of a saved state must be, for `core.untrusted.outside.read_arrays`."""
        return {**self.batch.saved_forms(), "fresh": FRESH}
