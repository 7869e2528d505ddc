"""`TorchRLBatch`: a batch of games as an environment of TorchRL. Needs `torchrl`."""

from __future__ import annotations

from typing import Any, Unpack

import numpy as np
import torch

from theogony.console import extras
from theogony.envs.core.contract import check_reset_options
from theogony.envs.core.game import Game
from theogony.envs.core.record import CUT_OFF, ENDED, RUNNING
from theogony.wrappers.over_batch import OverBatch, VectorArguments

try:
    from tensordict import TensorDict, TensorDictBase
    from torchrl.data import Binary, Categorical, Composite, Unbounded
    from torchrl.envs import EnvBase
except ImportError as error:
    raise extras.missing(error) from error


class TorchRLBatch(OverBatch, EnvBase):
    """`num_envs` games in one call; the caller plays one seat of each, the opponents the others.

    `arguments` are those of `Batch`: `opponents`, `reward`, `threads`, `observation` ("compact" unless it is given) and
    `seat`, which is a number, "random" unless it is given or, in a cooperative game, "all". A tensordict has, of shape
    (num_envs, ...), `observation`, uint8 codes or float32, and `action_mask`, bool; the action goes into `action`,
    int64 (num_envs,).
    """

    def __init__(
        self, game: Game, num_envs: int, seed: int | None = None, **arguments: Unpack[VectorArguments]
    ) -> None:
        EnvBase.__init__(self, device="cpu", batch_size=torch.Size([num_envs]))
        self._begin(game, num_envs, seed, {"observation": "compact", **arguments})
        actions, seen = game.actions.size, torch.from_numpy(self.batch.observations)
        one, many = torch.Size([num_envs, 1]), torch.Size([num_envs, actions])
        self.observation_spec = Composite(
            observation=Unbounded(seen.shape, dtype=seen.dtype),
            action_mask=Binary(actions, many, dtype=torch.bool),
            shape=self.batch_size,
        )
        self.action_spec = Categorical(actions, self.batch_size, mask=torch.ones(many, dtype=torch.bool))
        self.reward_spec = Unbounded(one)
        ends = {name: Binary(1, one, dtype=torch.bool) for name in ("done", "terminated", "truncated")}
        self.done_spec = Composite(ends, shape=self.batch_size)

    def _reset(self, tensordict: TensorDictBase | None = None, options: Any = None) -> TensorDictBase:
        """New games in all rows; where some are named, those that ended, which have begun anew already.

        Raises ValueError where other games are named: a batch cannot break one off; and OptionError: there are no
        options.
        """
        check_reset_options(options, self.batch.game)
        asked = None if tensordict is None else tensordict.get("_reset", None)
        rows = np.ones(self.batch.size, bool) if asked is None else asked.reshape(self.batch.size, -1).any(1).numpy()
        running = np.flatnonzero(rows & (self.batch.rows["over"] == RUNNING))
        if not self._fresh and (asked is None or len(running)):
            if not rows.all():
                raise ValueError(
                    f"games {running.tolist()} are not over, and TorchRLBatch cannot break them off: let no "
                    "StepCounter and no max_frames_per_traj end a game; the option max_decisions of the game does"
                )
            self._anew()
            self._fresh = False
        nothing = np.zeros(self.batch.size, bool)
        return self._seen(nothing, nothing)

    def _step(self, tensordict: TensorDictBase) -> TensorDictBase:
        """One decision in every game. Where a game has ended, the observation is its last view, in which all is legal.

        Raises IllegalAction, with every game as it was.
        """
        self._play(tensordict["action"].numpy())
        over, rewards = self.batch.rows["over"], self._rewards().astype(np.float32)
        ended = np.flatnonzero(over)
        found, rows = self._seen(over == ENDED, over == CUT_OFF), torch.from_numpy(ended)
        found["observation"][rows] = torch.from_numpy(self.batch.last_observations[ended])
        found["action_mask"][rows] = True  # of nothing no action could be drawn
        return found.set("reward", torch.from_numpy(rewards)[:, None])

    def _set_seed(self, seed: int | None) -> None:
        self._anew(seed)

    def _seen(self, terminated: np.ndarray, truncated: np.ndarray) -> TensorDict:
        """What stands in the batch now, copied."""
        ends = torch.from_numpy(terminated)[:, None], torch.from_numpy(truncated)[:, None]
        found = {
            "observation": torch.from_numpy(self.batch.observations.copy()),
            "action_mask": torch.from_numpy(self.action_masks()),
            "terminated": ends[0],
            "truncated": ends[1],
            "done": ends[0] | ends[1],
        }
        choices: Any = self.full_action_spec["action"]
        choices.update_mask(found["action_mask"])  # for actions drawn at random
        return TensorDict(found, self.batch_size)
