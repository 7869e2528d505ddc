"""`engine: sb3`: MaskablePPO against fixed players, a curriculum and past selves.

`ppo.py` plays rollouts and learns from them, `opponent_pool.py` says who plays against the learner.
"""

from __future__ import annotations

import io
from pathlib import Path
from typing import Annotated, Any, Literal

import numpy as np
import torch
from pydantic import Field

from theogony.envs.core.untrusted.checked import checked
from theogony.envs.core.untrusted.files import replace_file
from theogony.envs.core.untrusted.outside import Form
from theogony.training.config.engines import Sb3Config
from theogony.training.config.sections import Section
from theogony.training.learning.cluster import ClusterRows, is_asked_for
from theogony.training.learning.engine import SHARED, Training
from theogony.training.learning.opponent_pool import CURRICULUM, SELF, Opposition
from theogony.training.learning.ppo import RECENT, BatchPPO
from theogony.training.networks.policy import AgentPolicy
from theogony.training.networks.weights import (
    CheckpointError,
    load_optimizer,
    load_weights,
    optimizer_tensors,
    weights_of,
)
from theogony.training.storage import checkpoint
from theogony.training.storage.checkpoint import NUMBERS
from theogony.training.storage.header import CheckpointHeader, read_header
from theogony.wrappers.sb3_vec import BatchVecEnv

ENV = "env/"  # before the names of the arrays of the environment


class Sb3Training(Training[Sb3Config]):
    """One run: games, learner, opposition, and where it stands."""

    def __init__(self, config: Sb3Config, folder: Path) -> None:
        super().__init__(config, folder)
        torch.distributions.Distribution.set_default_validate_args(False)  # checks of every batch, a tenth of the time
        self.network = config.network
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
        self.cluster = ClusterRows(config.ray, self.env.batch) if is_asked_for(config.ray) else None
        self.model = BatchPPO(self.env, config.algorithm, config.seed, config.shaping, config.truncation)
        self.spent = self.model.seconds

    @property
    def steps(self) -> int:
        return self.model.num_timesteps

    def policy(self, name: str = SHARED) -> AgentPolicy:
        return self.model.policy

    # ------------------------------------------------------------------------------------------------ the run

    def begin(self) -> None:
        if self.config.start_from is not None:
            load_weights(self.model.policy, *self.weights_from(self.config.start_from))
        self.write_down()
        if self.opposition.uses(SELF):
            self.opposition.join(weights_of(self.model.policy), 0)
        self.env.opponents = self.opposition.spec()
        self.model.start()
        self.write_checkpoint()

    def last_step(self) -> int:
        """The steps of the run in the end: as many as were asked for, in whole rollouts."""
        now, total, rollout = self.steps, self.config.algorithm.total_steps, self._rollout()
        return now + max(0, -(-(total - now) // rollout)) * rollout

    def rounding(self, end: int) -> str:
        total = self.config.algorithm.total_steps
        return "" if end == total else f" (total_steps {total:,}, in whole rollouts of {self._rollout():,})"

    def _rollout(self) -> int:
        return self.config.environment.num_envs * self.config.algorithm.n_steps

    def iterate(self) -> None:
        before = self.steps
        self.model.rollout()
        self.model.train()
        self.let_opposition_grow(before)

    def let_opposition_grow(self, before: int) -> None:
        """Raise the curriculum when the learner wins, and take it into the pool of past selves in time."""
        changed = self.opposition.note(self.model.new_shares())
        now, every = self.steps, self.config.self_play.every
        if self.opposition.uses(SELF) and now // every > before // every:
            self.opposition.join(weights_of(self.model.policy), now)
            if self.opposition.league is not None and (circle := self.opposition.league.circle()) is not None:
                self.say(f"the pool goes round in circles: {circle}")
            changed = True
        if changed:
            self.env.opponents = self.opposition.spec()

    def metrics(self) -> dict[str, Any]:
        logged = {k: float(v) for k, v in self.model.logger.name_to_value.items() if k.startswith("train/")}
        self.model.logger.name_to_value.clear()
        metrics = {
            "steps": self.steps,
            "seconds": round(self.seconds, 3),
            "won": self.opposition.measured,
            "reward": float(np.mean(self.model.rewards)) if self.model.rewards else 0.0,
            **logged,
        }
        if self.opposition.uses(CURRICULUM):
            metrics["greedy_share"] = self.opposition.greed
        if self.opposition.league is not None:
            metrics |= self.opposition.league.metrics()
        return metrics

    def export(self) -> None:
        """`sb3.zip`, where the file asks for it."""
        if self.config.export_sb3:
            exported = io.BytesIO()
            self.model.save(exported)
            replace_file(self.folder / "sb3.zip", exported.getvalue())

    def close(self) -> None:
        if self.cluster is not None:
            self.cluster.stop()

    # ------------------------------------------------------------------------------------------------ checkpoints

    def write_checkpoint(self) -> None:
        """All that decides how the run goes on, as arrays and numbers."""
        model = self.model
        arrays = {f"{ENV}{name}": array for name, array in self.env.state_dict().items()}
        arrays["episode_starts"] = np.asarray(model._last_episode_starts)
        arrays["torch_rng"] = torch.get_rng_state().numpy()
        _, keys, position, has_gauss, gauss = np.random.get_state(legacy=True)
        arrays["numpy_rng"] = np.asarray(keys)
        numbers = {
            "numpy_rng": {"position": int(position), "has_gauss": int(has_gauss), "gauss": float(gauss)},
            "updates": model._n_updates,
            "rewards": list(model.rewards),
            "seconds": self.seconds,
            "opposition": self.opposition.state(self.env.batch.players),
        }
        header = CheckpointHeader.of(self.game, self.network, self.steps)
        moments = optimizer_tensors(model.policy.optimizer)
        checkpoint.save(self.folder, header, weights_of(model.policy), moments, arrays, numbers)

    def read_checkpoint(self, path: Path) -> int:
        read_header(path).check_same(self.game, path)
        saved = checkpoint.read(path, self.forms())
        model, arrays, what = self.model, saved.arrays, str(path / NUMBERS)
        numbers = checked(Numbers, saved.numbers, what, CheckpointError)
        load_weights(model.policy, saved.policy, path)
        load_optimizer(model.policy.optimizer, saved.optimizer, path, begun=numbers.updates > 0)
        with checkpoint.must_fit(path):
            players = self.opposition.load_state(numbers.opposition, f"{what}: opposition")
            games = {name.removeprefix(ENV): array for name, array in arrays.items() if name.startswith(ENV)}
            self.env.load_state_dict(games, players)
            model.resume(saved.header.steps, numbers.updates, numbers.rewards, arrays["episode_starts"])
            self.seconds = numbers.seconds
            torch.set_rng_state(torch.from_numpy(arrays["torch_rng"]))
            numpy = numbers.numpy_rng
            np.random.set_state(("MT19937", arrays["numpy_rng"], numpy.position, numpy.has_gauss, numpy.gauss))
        return saved.header.steps

    def forms(self) -> dict[str, Form]:
        """What the arrays of a checkpoint of this run must be."""
        games = {f"{ENV}{name}": form for name, form in self.env.batch.saved_forms().items()}
        return {
            **games,
            f"{ENV}fresh": Form(bool, (1,)),
            "episode_starts": Form(bool, (self.env.num_envs,)),
            "torch_rng": Form(np.uint8, (len(torch.get_rng_state()),)),
            "numpy_rng": Form(np.uint32, (624,)),
        }


class Generator(Section):
    """NumPy's global generator, but for its keys, which are an array."""

    position: Annotated[int, Field(ge=0, le=624)]
    has_gauss: Literal[0, 1]
    gauss: float


class Numbers(Section):
    """What is in `state.json`; `opposition` is checked where it is used."""

    numpy_rng: Generator
    updates: Annotated[int, Field(ge=0)]
    rewards: Annotated[list[float], Field(max_length=RECENT)]
    seconds: Annotated[float, Field(ge=0)]
    opposition: dict[str, Any]
