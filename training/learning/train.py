"""`theogony train`: from a training file to an agent; and `engine: sb3`, which learns by PPO (`Training`).

`run` reads the file and finds the engine: `Training` below, `td.py`, `distil.py` or `rllib.py`. What a run makes is in
its folder, see `storage/folder.py`; what decides how a run of PPO goes on is in `state.py`.
"""

from __future__ import annotations

import contextlib
import importlib
import io
import os
import time
from pathlib import Path
from typing import Any

import numpy as np
import torch

from theogony.console.extras import install
from theogony.envs.core.untrusted.files import replace_file
from theogony.training.config import ConfigError
from theogony.training.config.engines.sb3 import Sb3Config
from theogony.training.config.file import load_config, resumed_config
from theogony.training.config.schema import Config
from theogony.training.learning import state
from theogony.training.learning.distil import DistilTraining
from theogony.training.learning.engine import SHARED
from theogony.training.learning.opposition import Opposition
from theogony.training.learning.ppo import BatchPPO
from theogony.training.learning.session import Limits, Session
from theogony.training.learning.td import TdTraining
from theogony.training.networks.policy import AgentPolicy
from theogony.training.networks.weights import load_weights, weights_of
from theogony.training.storage import checkpoint
from theogony.training.storage.folder import (
    new_folder,
    tidy,
)
from theogony.training.storage.lock import only_here
from theogony.wrappers.sb3_vec import BatchVecEnv


def run(config_path: Path | None, overrides: list[str], resume: Path | None) -> None:
    """Train from a file, or go on with a run. Raises ConfigError, CheckpointError or InUse."""
    if (config_path is None) == (resume is None):
        raise ConfigError("give a training file or a run to resume, one of the two")
    if resume is not None:
        config, folder = resumed_config(resume, overrides), resume
    else:
        assert config_path is not None
        config = load_config(config_path, overrides)
        folder = new_folder(config, config_path)
    carry_out(config, folder, resume is not None)


def carry_out(config: Config, folder: Path, resumed: bool, limits: Limits | None = None) -> None:
    """Train, or go on, in a folder. Raises ConfigError, CheckpointError or InUse."""
    if config.torch_threads == "auto":
        config = config.model_copy(update={"torch_threads": helpful_threads()})
    if config.engine == "rllib":
        engine = other_engine()
        with only_here(folder):
            return engine.run(config, folder, resumed=resumed)
    training = HERE[config.engine](config, folder)  # before its folder is made: what is wrong is found here
    training.limits = limits or training.limits
    with only_here(folder), contextlib.closing(training):
        tidy(folder)
        if resumed and checkpoint.any_checkpoint(folder):
            training.restore()
        else:
            training.begin()
        training.learn()
        training.finish()


def other_engine() -> Any:
    """The module of RLlib, which is an extra. Raises ConfigError when its library is not installed."""
    try:
        return importlib.import_module("theogony.training.learning.rllib")
    except ModuleNotFoundError as error:
        if error.name is None or error.name.partition(".")[0] != "ray":
            raise
        raise ConfigError(
            f"engine: rllib needs Ray, which is not installed here: {install('rllib')}, in an environment of its own"
        ) from None


class Training(Session[Sb3Config]):
    """One run: games, learner, opposition, and where it stands."""

    def __init__(self, config: Sb3Config, folder: Path) -> None:
        super().__init__(config, folder)
        self.network = config.network
        torch.distributions.Distribution.set_default_validate_args(False)  # checks of every batch, a tenth of the time
        self.opposition = Opposition(config, self.game, folder)
        self.env = BatchVecEnv(
            self.game,
            config.environment.num_envs,
            config.seed,
            seat=config.environment.seat,
            reward=config.reward,
            threads=config.environment.threads,
            lookahead=config.network.lookahead > 0,
            observation=config.environment.observation,
        )
        self.model = BatchPPO(self.env, config.algorithm, config.seed, config.shaping)
        self.spent = self.model.seconds

    @property
    def steps(self) -> int:
        """Decisions of the learner so far, over all sessions."""
        return self.model.num_timesteps

    def policy(self, name: str = SHARED) -> AgentPolicy:
        """The one network."""
        return self.model.policy

    # ------------------------------------------------------------------------------------------------ the run

    def begin(self) -> None:
        """Write down what the run is; the first checkpoint is that of the agent before any training."""
        if self.config.start_from is not None:
            self.start_from(self.config.start_from)
        self.write_down()
        if self.opposition.uses_self:
            self.opposition.join(weights_of(self.model.policy), 0)
        self.env.opponents = self.opposition.spec()
        self.model.start()
        self.save()

    def start_from(self, run: str) -> None:
        """Take over the network of another run. Raises CheckpointError when it does not fit."""
        load_weights(self.model.policy, *self.weights_from(run))

    def read_checkpoint(self, path: Path) -> int:
        """Go on from a checkpoint as if nothing had happened. Returns its steps. Raises CheckpointError."""
        return state.restore(self, path).header.steps

    def write_checkpoint(self) -> None:
        """A checkpoint of the run as it is now."""
        state.save(self)

    def iterate(self) -> None:
        """Rollout and update."""
        before = self.steps
        self.model.rollout()
        self.model.train()
        self.let_opposition_grow(before)

    def last_step(self) -> int:
        """The steps of the run in the end: as many as were asked for, in whole rollouts."""
        now, total = self.model.num_timesteps, self.config.algorithm.total_steps
        rollout = self.config.environment.num_envs * self.config.algorithm.n_steps
        return now + max(0, -(-(total - now) // rollout)) * rollout

    def rounding(self, end: int) -> str:
        """Steps are made in whole rollouts."""
        rollout = self.config.environment.num_envs * self.config.algorithm.n_steps
        total = self.config.algorithm.total_steps
        return "" if end == total else f" (total_steps {total:,}, in whole rollouts of {rollout:,})"

    def finish(self) -> None:
        """Learning curve and evaluation; the last checkpoint is there already."""
        if self.config.export_sb3:
            exported = io.BytesIO()
            self.model.save(exported)
            replace_file(self.folder / "sb3.zip", exported.getvalue())
        super().finish()

    def let_opposition_grow(self, before: int) -> None:
        """Raise the curriculum when the learner wins, and take it into the pool of past selves in time."""
        changed = self.opposition.note(self.model.new_rewards())
        now, every = self.model.num_timesteps, self.config.self_play.every
        if self.opposition.uses_self and now // every > before // every:
            self.opposition.join(weights_of(self.model.policy), now)
            if self.opposition.league is not None and (circle := self.opposition.league.circle()) is not None:
                self.say(f"the pool goes round in circles: {circle}")
            changed = True
        if changed:
            self.env.opponents = self.opposition.spec()

    # ------------------------------------------------------------------------------------------------ measuring

    def metrics(self) -> dict[str, Any]:
        """Figures of the last iteration."""
        logged = {k: float(v) for k, v in self.model.logger.name_to_value.items() if k.startswith("train/")}
        self.model.logger.name_to_value.clear()
        metrics = {
            "steps": self.model.num_timesteps,
            "seconds": round(self.seconds, 3),
            "won": self.opposition.win_rate(),
            "reward": float(np.mean(self.model.rewards)) if self.model.rewards else 0.0,
            **logged,
        }
        if self.opposition.uses_curriculum:
            metrics["greedy_share"] = self.opposition.greed
        if self.opposition.league is not None:
            metrics |= self.opposition.league.metrics()
        return metrics


HERE: dict[str, type[Session[Any]]] = {
    "sb3": Training,
    "td": TdTraining,
    "distil": DistilTraining,
}  # engines of this process


# ---------------------------------------------------------------------------------------------------- small things


def helpful_threads(seconds: float = 0.3) -> int:
    """1, 2 or 4: threads with which torch multiplies matrices faster now; on a busy machine one is best."""
    best, best_rate = 1, 0.0
    inputs, weights = torch.rand(1024, 1536), torch.rand(1536, 256)
    for threads in (count for count in (1, 2, 4) if count <= (os.cpu_count() or 1)):
        torch.set_num_threads(threads)
        torch.mm(inputs, weights)
        started, products = time.perf_counter(), 0
        while time.perf_counter() - started < seconds:
            torch.mm(inputs, weights)
            products += 1
        rate = products / (time.perf_counter() - started)
        if rate > 1.25 * best_rate:
            best, best_rate = threads, rate
    torch.set_num_threads(best)
    return best
