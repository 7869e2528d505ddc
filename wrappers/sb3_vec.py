"""`BatchVecEnv`: a batch as a vector environment of Stable-Baselines3, ready for MaskablePPO."""

from __future__ import annotations

import sys
import time
from typing import Any, Unpack

import numpy as np
from gymnasium import spaces

from theogony.console.extras import install
from theogony.envs.core.contract import check_reset_options
from theogony.envs.core.features import ObservationForm, check_form
from theogony.envs.core.game import Game
from theogony.envs.core.record import CUT_OFF, RUNNING
from theogony.envs.core.rng import seed_bits
from theogony.envs.core.thinking.lookahead_scores import LEAST, batch_lookahead
from theogony.wrappers.over_batch import OverBatch, VectorArguments

try:
    from stable_baselines3.common.monitor import Monitor
    from stable_baselines3.common.vec_env import VecEnv, VecMonitor
except ModuleNotFoundError as error:
    raise ModuleNotFoundError(f"BatchVecEnv needs stable-baselines3: {install('train')}", name=error.name) from error

UNMASKED = (
    "plain PPO, evaluate_policy and EvalCallback of stable_baselines3 know no action masks: take MaskablePPO, "
    "sb3_contrib.common.maskable.evaluation.evaluate_policy and "
    "sb3_contrib.common.maskable.callbacks.MaskableEvalCallback"
)
OWN_METHODS = ("action_masks",)  # what `env_method` calls for each game; everything else is of the whole batch


class BatchVecEnv(OverBatch, VecEnv):
    """`num_envs` games in one call; the caller plays one seat of each, the opponents the others.

    `arguments` are those of `Batch`: `opponents`, `reward`, `threads`, `observation` ("float" unless it is given) and
    `seat`, which is a number, "random" unless it is given or, in a cooperative game, "all". A step gives fresh arrays:

    * observations float32, or with observation="compact" uint8 codes, (num_envs, length), of the next game where one
      has ended;
    * rewards float32 (num_envs,), which come at the end of a game; dones bool (num_envs,);
    * infos: empty dictionaries, but where a game has ended: `terminal_observation`, the caller's last view of it before
      the reset; `episode`, as SB3's Monitor reports it: return "r", length in the caller's decisions "l", seconds since
      the start "t"; `seat`, which it played, its printed `score`, and the `scores` (players,) of all seats;
      `TimeLimit.truncated`, whether the game was truncated.

    With `lookahead`, every observation ends with the lookahead scores of all actions
    (`theogony.envs.core.thinking.lookahead_scores`); a compact one with the four bytes of each float32.

    Action masks: `env_method("action_masks")` as MaskablePPO calls it, or `action_masks()`, all in one array.
    """

    def __init__(
        self,
        game: Game,
        num_envs: int,
        seed: int | None = None,
        *,
        lookahead: bool = False,
        **arguments: Unpack[VectorArguments],
    ) -> None:
        self._begin(game, num_envs, seed, arguments)
        self.lookahead = lookahead
        self._actions: Any = None
        self._start = time.time()
        space = observation_space(game, lookahead, self.batch.observation)
        super().__init__(self.batch.size, space, spaces.Discrete(game.actions.size))

    # ------------------------------------------------------------------------------------------------ play

    def reset(self) -> np.ndarray:
        """New games in all rows: from the seed of the constructor or of `seed()`, later ones following from it."""
        for options in self._options:
            check_reset_options(options, self.batch.game)
        seed = self._seeds[0]
        if seed is not None or not self._fresh:
            self._anew(seed)
        self._fresh = False
        self._reset_seeds()
        self._reset_options()
        self.reset_infos: list[dict[str, Any]] = [{} for _ in range(self.num_envs)]
        return self.observations()

    def seed(self, seed: int | None = None) -> list[int | None]:
        """The seed of the next `reset`: any integer, of which 64 bits count. Raises TypeError."""
        return list(super().seed(None if seed is None else seed_bits(seed)))

    def step(self, actions: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray, list[dict[str, Any]]]:
        """Take the actions and play them, see `step_wait`."""
        self.step_async(actions)
        return self.step_wait()

    def step_async(self, actions: np.ndarray) -> None:
        """Take the actions; `step_wait` plays them."""
        self._actions = actions

    def step_wait(self) -> tuple[np.ndarray, np.ndarray, np.ndarray, list[dict[str, Any]]]:
        """One decision of the caller in every row. Raises IllegalAction, with every game as it was."""
        self._play(self._actions, UNMASKED)
        infos: list[dict[str, Any]] = [{} for _ in range(self.num_envs)]
        ended, rewards = self.batch.ended()
        seconds = round(time.time() - self._start, 6)
        for i, reward, last in zip(ended, rewards, self.last_observations(ended), strict=True):
            row = self.batch.rows[i]
            seat, scores = int(row["ended_seat"]), row["scores"][: self.batch.game.players].copy()
            infos[i] = {
                "terminal_observation": last,
                "episode": {"r": float(reward), "l": int(row["ended_length"]), "t": seconds},
                "seat": seat,
                "score": float(scores[max(seat, 0)]),
                "scores": scores,
                "TimeLimit.truncated": bool(row["over"] == CUT_OFF),
            }
        return self.observations(), self._rewards().astype(np.float32), self.batch.rows["over"] != RUNNING, infos

    def observations(self) -> np.ndarray:
        """What the caller sees in every row now, (num_envs, length)."""
        seen = self.batch.observations
        return with_scores(seen, batch_lookahead(self.batch)) if self.lookahead else seen.copy()

    def last_observations(self, rows: np.ndarray) -> np.ndarray:
        """The caller's last views of the games that ended in these rows, (rows, length); no scores there."""
        seen = self.batch.in_form(self.batch.last_codes[rows])
        nothing = np.full((len(rows), self.batch.game.actions.size), LEAST, np.float32)
        return with_scores(seen, nothing) if self.lookahead else seen

    def close(self) -> None:
        """Nothing is held open."""

    # ------------------------------------------------------------------------------------------------ SB3's access

    def _count(self, indices: Any) -> int:
        return len(list(self._get_indices(indices)))

    def has_attr(self, attr_name: str) -> bool:
        """Whether every game has an attribute or method of this name."""
        return hasattr(self, attr_name) or attr_name in ("render_mode", "spec")

    def get_attr(self, attr_name: str, indices: Any = None) -> list[Any]:
        """An attribute for each game. Raises AttributeError when there is none."""
        if attr_name in ("render_mode", "spec"):
            return [None] * self._count(indices)
        return [getattr(self, attr_name)] * self._count(indices)

    def set_attr(self, attr_name: str, value: Any, indices: Any = None) -> None:
        """Set an attribute of all games, as `opponents`. Raises ValueError for only some of them."""
        if self._count(indices) != self.num_envs:
            raise ValueError(f"{attr_name} is of the whole batch: it cannot be set for single games")
        setattr(self, attr_name, value)

    def env_method(self, method_name: str, *method_args: Any, indices: Any = None, **method_kwargs: Any) -> list[Any]:
        """Call a method for each game: `action_masks`. Raises AttributeError for others."""
        if method_name not in OWN_METHODS:
            raise AttributeError(f"the games of a BatchVecEnv have no method {method_name!r}, only {OWN_METHODS}")
        results = getattr(self, method_name)(*method_args, **method_kwargs)
        return list(results if indices is None else results[list(self._get_indices(indices))])

    def env_is_wrapped(self, wrapper_class: type, indices: Any = None) -> list[bool]:
        """True for SB3's Monitor: what it reports is in the infos. `VecMonitor` would warn of reports that are made
        twice, which are the same here, so it is told False."""
        asks = sys._getframe(1).f_code
        monitored = issubclass(wrapper_class, Monitor) and asks is not VecMonitor.__init__.__code__
        return [monitored] * self._count(indices)

    def get_images(self) -> list[None]:
        """There are no pictures; `batch.position(row)` is a game to draw."""
        return [None] * self.num_envs


def observation_space(game: Game, lookahead: bool = False, observation: ObservationForm = "float") -> spaces.Box:
    """What one seat sees in this form, with or without lookahead scores."""
    low, high = game.features.bounds(check_form(observation))
    if lookahead:
        count = game.actions.size
        scores = (LEAST, 0) if observation == "float" else (0, 255)  # as numbers, or the bytes of them
        more = [np.full(count * 4 // low.itemsize, score, low.dtype) for score in scores]
        low, high = np.append(low, more[0]), np.append(high, more[1])
    return spaces.Box(low, high, dtype=low.dtype.type)


def with_scores(seen: np.ndarray, scores: np.ndarray) -> np.ndarray:
    """Observations (n, length) of either form, with lookahead scores float32 (n, actions) behind them."""
    return np.hstack([seen, np.ascontiguousarray(scores).view(seen.dtype)])
