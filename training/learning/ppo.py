"""MaskablePPO whose rollouts read the arrays of a `BatchVecEnv`; what it learns from them is left to SB3."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Iterator
from typing import Any

import numpy as np
import torch
from gymnasium import spaces
from sb3_contrib import MaskablePPO
from sb3_contrib.common.maskable.buffers import MaskableRolloutBuffer, MaskableRolloutBufferSamples
from stable_baselines3.common.buffers import RolloutBuffer
from stable_baselines3.common.logger import Logger

from theogony.envs.core.batches.shaping import Shaping
from theogony.envs.core.record import CUT_OFF
from theogony.training.config.engines import Sb3Ppo
from theogony.training.config.sections import Schedule, Truncation, rate_at, worth_of_truncation
from theogony.training.networks.policy import AgentPolicy, policy_arguments
from theogony.training.rating.evaluate import won_shares
from theogony.wrappers.sb3_vec import BatchVecEnv


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


# ---- The learner ---------------------------------------------------------------------------------------------------

RECENT = 1000  # games that the running mean of the reward is over
SAME = (  # settings that SB3 calls so, too
    "n_steps batch_size n_epochs gamma gae_lambda clip_range normalize_advantage ent_coef vf_coef max_grad_norm "
    "target_kl"
).split()


class BatchPPO(MaskablePPO):
    """MaskablePPO on a `BatchVecEnv`: `rollout()` plays, `train()` is SB3's.

    `rewards` holds the final rewards of recent games, `seconds` the time spent in each part of the work.
    """

    policy: AgentPolicy

    def __init__(
        self, env: BatchVecEnv, settings: Sb3Ppo, seed: int, shaping: str = "none", truncation: Truncation = "bootstrap"
    ) -> None:
        rate = settings.learning_rate
        super().__init__(
            AgentPolicy,
            env,
            learning_rate=(lambda left: rate_at(rate, 1 - left)) if isinstance(rate, Schedule) else rate,
            **{name: getattr(settings, name) for name in SAME},
            policy_kwargs=policy_arguments(settings.net_arch, env.batch.game),
            rollout_buffer_class=RolloutBytes,
            seed=seed,
            device="cpu",
        )
        self.games = env
        self.total_steps = settings.total_steps
        goes_on = truncation == "bootstrap"
        self.shaping = Shaping(env.batch, shaping, settings.gamma, goes_on) if shaping != "none" else None
        self.truncation = worth_of_truncation(truncation, env.batch.game, env.batch.reward)
        self.rewards: deque[float] = deque(maxlen=RECENT)
        self.seconds = {"environment": 0.0, "policy": 0.0, "training": 0.0}
        self.set_logger(Logger(None, []))
        self._fresh_shares: list[float] = []

    def start(self) -> None:
        """Begin with new games."""
        self._last_obs = self.games.reset()
        self._last_episode_starts = np.ones(self.games.num_envs, bool)

    def resume(self, steps: int, updates: int, rewards: list[float], episode_starts: np.ndarray) -> None:
        """Go on with games that were restored, after so many steps and updates."""
        self._last_obs = self.games.observations()
        self._last_episode_starts = episode_starts
        self.num_timesteps, self._n_updates = steps, updates
        self.rewards.extend(rewards)

    def new_shares(self) -> list[float]:
        """What the learner won of the games that ended since this was last asked, from 0 to 1 each."""
        shares, self._fresh_shares = self._fresh_shares, []
        return shares

    def rollout(self) -> None:
        """Play `n_steps` decisions in every game; the update behind it has the learning rate of its beginning."""
        self._update_current_progress_remaining(min(self.num_timesteps, self.total_steps), self.total_steps)
        self.collect_rollouts(self.games, None, self.rollout_buffer, self.n_steps)

    def collect_rollouts(
        self, env: Any, callback: Any, rollout_buffer: Any, n_rollout_steps: int, use_masking: bool = True
    ) -> bool:
        """Fill the rollout buffer. Masks come as one array; infos are not looked at, and no callback is called."""
        assert isinstance(env, BatchVecEnv) and isinstance(rollout_buffer, RolloutBytes) and use_masking
        self.policy.set_training_mode(False)
        rollout_buffer.reset()
        if self.shaping is not None:
            self.shaping.begin()
        for _ in range(n_rollout_steps):
            started = time.perf_counter()
            masks = env.action_masks()
            with torch.no_grad():
                actions, values, log_probs = self.policy(torch.from_numpy(self._last_obs), action_masks=masks)
            chosen = actions.numpy()
            played = time.perf_counter()
            observations, rewards, dones, _ = env.step(chosen)
            self.rewards.extend(rewards[dones].tolist())
            self._fresh_shares += won_shares(env.batch).tolist()
            if self.shaping is not None:
                rewards = rewards + self.shaping.step(dones)
            self.seconds["policy"] += played - started
            self.seconds["environment"] += time.perf_counter() - played
            rollout_buffer.add(
                self._last_obs, chosen[:, None], rewards + self._beyond_truncation(env), self._last_episode_starts,
                values, log_probs, action_masks=masks,
            )  # fmt: skip
            self._last_obs, self._last_episode_starts = observations, dones  # pyright: ignore
            self.num_timesteps += env.num_envs
        with torch.no_grad():
            last_values = self.policy.predict_values(torch.from_numpy(self._last_obs))
        rollout_buffer.compute_returns_and_advantage(last_values, np.asarray(self._last_episode_starts))
        return True

    def _beyond_truncation(self, env: BatchVecEnv) -> np.ndarray:
        """What counts besides the reward of a game that was cut off, which is nothing: float32 (num_envs,); zero for
        all others."""
        beyond = np.zeros(env.num_envs, np.float32)
        cut = np.flatnonzero(env.batch.rows["over"] == CUT_OFF)
        if len(cut) and not np.isnan(self.truncation):
            beyond[cut] = self.truncation
        elif len(cut):
            with torch.no_grad():
                values = self.policy.predict_values(torch.from_numpy(env.last_observations(cut)))
            beyond[cut] = self.gamma * values.numpy()[:, 0]
        return beyond

    def _excluded_save_params(self) -> list[str]:
        """What an export to SB3's zip leaves out."""
        ours = ["games", "shaping", "truncation", "rewards", "seconds", "_fresh_shares", "_logger"]
        return [*super()._excluded_save_params(), *ours]

    def train(self) -> None:
        """SB3's update, timed."""
        started = time.perf_counter()
        super().train()
        self.seconds["training"] += time.perf_counter() - started
