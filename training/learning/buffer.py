"""The rollout buffer of a run: one byte for an entry of an observation, and one for an action that may be legal."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import torch
from gymnasium import spaces
from sb3_contrib.common.maskable.buffers import MaskableRolloutBuffer, MaskableRolloutBufferSamples
from stable_baselines3.common.buffers import RolloutBuffer


class RolloutBytes(MaskableRolloutBuffer):
    """sb3-contrib's buffer, which holds masks as float32, with masks of bool. Observations have the type of their
    space: uint8 where they are compact. Its arrays are made once, and minibatches are copied once."""

    def reset(self) -> None:
        """Empty, with room for a rollout."""
        if not hasattr(self, "mask_dims"):
            assert isinstance(self.action_space, spaces.Discrete)
            self.mask_dims = int(self.action_space.n)
            self.action_masks = np.ones((self.buffer_size, self.n_envs, self.mask_dims), bool)
            RolloutBuffer.reset(self)
        self.pos, self.full = 0, False

    def get(self, batch_size: int | None = None) -> Iterator[MaskableRolloutBufferSamples]:  # pyright: ignore
        """Minibatches of decisions in random order."""
        assert self.full
        fields = (self.observations, self.actions[:, :, 0], self.values, self.log_probs, self.advantages, self.returns)
        whole = [torch.from_numpy(field).flatten(0, 1) for field in (*fields, self.action_masks)]
        order = torch.from_numpy(np.random.permutation(len(whole[0])))
        parts = list(order.split(batch_size or len(order)))
        if len(parts) > 1 and len(parts[-1]) == 1:  # the deviation of a single advantage is nan
            parts[-2:] = [torch.cat(parts[-2:])]
        for chosen in parts:
            yield MaskableRolloutBufferSamples(*(field.index_select(0, chosen) for field in whole))
