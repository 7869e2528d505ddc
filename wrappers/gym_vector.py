"""`BatchVectorEnv`: a batch as a vector environment of Gymnasium."""

from __future__ import annotations

from typing import Any, Literal, Unpack

import numpy as np
from gymnasium import spaces
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space

from theogony.envs.core.batches.arguments import checked_actions
from theogony.envs.core.contract import check_reset_options, illegal_option
from theogony.envs.core.game import Game
from theogony.envs.core.record import CUT_OFF, ENDED, RUNNING
from theogony.envs.core.rng import seed_bits
from theogony.envs.core.thinking.sampling import sample_masks
from theogony.wrappers.over_batch import OverBatch, VectorArguments

UNMASKED = 'choose by the masks in the infos, or illegal="random" plays a legal one instead'


class LegalActions(spaces.MultiDiscrete):
    """The actions of all games, of which `sample()` draws legal ones. A copy of the space alone draws any."""

    def __init__(self, game: Game, masks: np.ndarray) -> None:
        self.masks: np.ndarray | None = masks  # int8 (num_envs, actions), those of the batch
        super().__init__([game.actions.size] * len(masks))

    def sample(self, mask: Any = None, probability: Any = None) -> np.ndarray:
        """An action for each game, int64 (num_envs,): by `mask` or `probability` where given, else legal ones."""
        if mask is None and probability is None and self.masks is not None:
            return sample_masks(self.masks, self.np_random)
        return super().sample(mask, probability)

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "masks": None}


class BatchVectorEnv(OverBatch, VectorEnv[np.ndarray, np.ndarray, np.ndarray]):
    """`num_envs` games in one call; the caller plays one seat of each, the opponents the others.

    `arguments` are those of `Batch`: `opponents`, `reward`, `threads`, `observation` ("float" unless it is given) and
    `seat`, which is a number, "random" unless it is given or, in a cooperative game, "all". A game that ends is
    followed by the next in the same step (`AutoresetMode.SAME_STEP`), and `action_space.sample()` draws legal actions.
    `illegal` is "raise", or "random": where an action is not legal, a legal one is drawn and played.
    A step gives fresh arrays: observations float32, or with observation="compact" uint8 codes, (num_envs, length),
    rewards float64, terminations and truncations bool (num_envs,), and infos with

    * `action_mask` int8 (num_envs, actions), of the observations that come with it;
    * `seat` (num_envs,), which the caller plays; with seat="all" the one that decides;
    * `illegal` bool (num_envs,): where an action was drawn because that of the caller was not legal;
    * where a game has ended: `final_obs`, an object array with the caller's last views of those games and None for the
      others, and `final_info` with their `action_mask` (one everywhere), the caller's `seat`, its printed `score` and
      the `scores` (num_envs, players) of all seats, 0 in the other games. A key with `_` in front says for which games.

    >>> from theogony.envs import load
    >>> envs = BatchVectorEnv(load("push_of_faith").configure({"players": 2}), 4, seed=0, opponents="greedy")
    >>> observations, infos = envs.reset(seed=0)
    >>> observations, rewards, terminated, truncated, infos = envs.step(infos["action_mask"].argmax(1))
    >>> rewards.shape, infos["action_mask"].shape == (4, envs.single_action_space.n)
    ((4,), True)
    """

    metadata: dict[str, Any] = {"render_modes": [], "autoreset_mode": AutoresetMode.SAME_STEP}
    autoreset_mode = AutoresetMode.SAME_STEP  # where TorchRL looks for it
    render_mode: str | None = None

    def __init__(
        self,
        game: Game,
        num_envs: int,
        seed: int | None = None,
        *,
        illegal: Literal["raise", "random"] = "raise",
        **arguments: Unpack[VectorArguments],
    ) -> None:
        self.illegal = illegal_option(illegal)
        self._begin(game, num_envs, seed, arguments)
        self.num_envs: int = self.batch.size
        low, high = game.features.bounds(self.batch.observation)
        self.single_observation_space: spaces.Box = spaces.Box(low, high, dtype=low.dtype.type)
        self.single_action_space: spaces.Discrete = spaces.Discrete(game.actions.size)
        self.observation_space: spaces.Space[Any] = batch_space(self.single_observation_space, self.num_envs)
        self.action_space: LegalActions = LegalActions(game, self.batch.masks)

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self.action_space.masks = self.batch.masks

    def __repr__(self) -> str:
        """As Gymnasium has it."""
        return VectorEnv.__repr__(self)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[np.ndarray, dict[str, Any]]:
        """New games in all rows, from one seed for all. Without one they follow from the last. No options are known."""
        bits = None if seed is None else seed_bits(seed)
        if isinstance(options, dict) and "reset_mask" in options:
            raise ValueError("a BatchVectorEnv resets its games by itself, or all of them: it takes no reset_mask")
        check_reset_options(options, self.batch.game)
        super().reset(seed=bits)
        if seed is not None or not self._fresh:
            self._anew(bits)
        self._fresh = False
        return self.batch.observations.copy(), self._infos(np.zeros(self.num_envs, bool))

    def step(self, actions: Any) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray, dict[str, Any]]:
        """One decision of the caller in every row. Raises IllegalAction, with every game as it was."""
        replaced = np.zeros(self.num_envs, bool)
        if self.illegal == "random":
            actions, replaced = self._legal(checked_actions(actions, self.num_envs, "step"))
        self._play(actions, UNMASKED)
        over = self.batch.rows["over"]
        infos = self._infos(replaced)
        ended = np.flatnonzero(over)
        if len(ended):
            infos.update(self._finals(ended))
        return self.batch.observations.copy(), self._rewards(), over == ENDED, over == CUT_OFF, infos

    def _legal(self, actions: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """The actions with a drawn one in place of each that is not legal, and which those are."""
        masks = self.batch.masks
        inside = actions.clip(0, masks.shape[1] - 1)
        wrong = (inside != actions) | (masks[np.arange(len(actions)), inside] == 0)
        return np.where(wrong, self.batch.sample(), actions) if wrong.any() else actions, wrong

    def _infos(self, replaced: np.ndarray) -> dict[str, Any]:
        learner = self.batch.rows["learner"]
        seats = np.where(learner < 0, self.batch.rows["seat"], learner).astype(np.int64)
        infos = {"action_mask": self.batch.masks.copy(), "seat": seats, "illegal": replaced}
        return infos | {f"_{name}": np.ones(self.num_envs, bool) for name in infos}

    def _finals(self, ended: np.ndarray) -> dict[str, Any]:
        over = self.batch.rows["over"] != RUNNING
        views = np.full(self.num_envs, None, object)
        for k, view in zip(ended, self.batch.in_form(self.batch.last_codes[ended]), strict=True):
            views[k] = view
        seats = np.where(over, np.maximum(self.batch.rows["ended_seat"], 0), 0).astype(np.int64)
        scores = np.where(over[:, None], self.batch.rows["scores"][:, : self.batch.game.players], 0.0)
        values = {
            "action_mask": np.repeat(over[:, None].astype(np.int8), self.batch.masks.shape[1], 1),
            "seat": seats,
            "score": scores[np.arange(self.num_envs), seats],
            "scores": scores,
        }
        final_info = values | {f"_{name}": over.copy() for name in values}
        return {"final_obs": views, "_final_obs": over.copy(), "final_info": final_info, "_final_info": over}
