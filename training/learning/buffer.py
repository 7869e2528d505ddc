"""The rollout buffer of a run: one byte for an entry of an observation, and one for an action that may be legal."""

from __future__ import annotations

import numpy as np
from gymnasium import spaces
from sb3_contrib.common.maskable.buffers import MaskableRolloutBuffer
from stable_baselines3.common.buffers import RolloutBuffer


class RolloutBytes(MaskableRolloutBuffer):
    """sb3-contrib's buffer, which holds masks as float32, with masks of bool. Observations have the type of their
    space: uint8 where they are compact."""

    def reset(self) -> None:
        """Empty, with room for a rollout."""
        assert isinstance(self.action_space, spaces.Discrete)
        self.mask_dims = int(self.action_space.n)
        self.action_masks = np.ones((self.buffer_size, self.n_envs, self.mask_dims), bool)
        RolloutBuffer.reset(self)
