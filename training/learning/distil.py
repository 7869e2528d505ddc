"""`engine: distil`: a policy that plays from the observation alone learns from a learnt value.

A value plays well by trying every action on a copy of the position; where there are only observations, as behind
`gymnasium.make`, it cannot. So a policy network learns to say at once what those trials would have found. Its targets
are soft, a softmax over what all actions are worth: how good the others are teaches more than which is the best.

While some threads play games with the teacher, the network learns from the games before those. Each decision is used
`distil.epochs` times and forgotten: games are cheap, and used ones overfit.
"""

from __future__ import annotations

import time
from collections import deque
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import Annotated, Any

import numpy as np
import torch
from pydantic import Field
from torch.nn import functional

from theogony.envs.core.checked import checked
from theogony.envs.core.players import in_kernel, make_player
from theogony.envs.core.value_network import REWARD
from theogony.training.config.schema import Config, ConfigError, Section, rate_at
from theogony.training.learning.session import Session
from theogony.training.learning.teaching import Taught, Teacher, Teaching
from theogony.training.networks.policy import AgentPolicy, make_policy
from theogony.training.networks.weights import (
    CheckpointError,
    load_optimizer,
    load_weights,
    optimizer_tensors,
    weights_of,
)
from theogony.training.storage import checkpoint
from theogony.training.storage.checkpoint import NUMBERS
from theogony.training.storage.header import Header, read_header

RECENT = 100  # updates that figures are the mean of
OFF = -1e8  # logit of an action that is not legal
FIGURES = ("cross_entropy", "value_error", "agrees", "regret")


class Numbers(Section):
    """What is in `state.json`."""

    games: Annotated[int, Field(ge=0)]
    updates: Annotated[int, Field(ge=0)]
    figures: Annotated[list[list[float]], Field(max_length=RECENT)]
    seconds: Annotated[float, Field(ge=0)]


class DistilTraining(Session):
    """One run: the games of the teacher, the policy that learns from them, and where it stands."""

    def __init__(self, config: Config, folder: Path) -> None:
        super().__init__(config, folder)
        self.device = torch.device("cuda" if config.device == "auto" and torch.cuda.is_available() else "cpu")
        torch.manual_seed(config.seed)
        self.network = config.algorithm.net_arch
        self.net = make_policy(self.game, self.network, ortho_init=True).to(self.device)
        self.optimizer = torch.optim.Adam(self.net.parameters(), rate_at(config.algorithm.learning_rate, 0.0))
        self.teaching = Teaching(self.game, self._teacher(), config.environment.threads, config.seed)
        self._ahead = ThreadPoolExecutor(1, "theogony-distil")
        self._next: Future[Taught] | None = None
        self.games = self.updates = self._steps = 0
        self.figures: deque[list[float]] = deque(maxlen=RECENT)
        self.spent = {"waiting for games": 0.0, "learning": 0.0}

    def _teacher(self) -> Teacher:
        """The value that is taught. Raises ConfigError where the player goes by none."""
        given = self.config.distil
        try:
            found = in_kernel(make_player(given.teacher, self.game))
        except ValueError as error:
            raise ConfigError(f"distil.teacher: {error}") from None
        if found is None or found.greed < 1.0:
            raise ConfigError(
                f"distil.teacher: {given.teacher!r} goes by no value; expected greedy, a run of engine td or a "
                "reference player that holds a learnt value"
            )
        usual = "outcome" if self.game.players <= 2 or self.game.spec.cooperative else "rank"
        learnt = int(found.net[REWARD]) if len(found.net) else self.game.spec.reward_index(usual)
        paid = self.game.spec.reward_index(self.config.reward) if self.config.reward else learnt
        shaping = float(self.config.shaping)
        return Teacher(found.net, float(given.explore), float(given.noise), paid, shaping, given.own_turn)

    @property
    def steps(self) -> int:
        """Decisions that were learnt from so far, over all sessions."""
        return self._steps

    def policy(self, name: str) -> AgentPolicy:
        """The pupil as it is now."""
        return self.net

    # ------------------------------------------------------------------------------------------------ the run

    def begin(self) -> None:
        """Write down what the run is; the first checkpoint is that of the network before any training."""
        if self.config.start_from is not None:
            load_weights(self.net, *self.weights_from(self.config.start_from))
        self.write_down()
        self.write_checkpoint()
        self._play_ahead()

    def iterate(self) -> None:
        """Take the games that were played, let the next begin, and learn."""
        assert self._next is not None
        started = time.perf_counter()
        taught = self._next.result()
        begun = time.perf_counter()
        self.games += taught.games
        self._play_ahead()
        self._learn(taught)
        self._steps += len(taught.codes)
        self.spent["waiting for games"] += begun - started
        self.spent["learning"] += time.perf_counter() - begun

    def _play_ahead(self) -> None:
        self._next = self._ahead.submit(self.teaching.play, self.games, self.config.environment.num_envs)

    def _learn(self, taught: Taught) -> None:
        """Every decision `epochs` times, in an order that follows from the seed and the number of the games."""
        settings, count = self.config.algorithm, len(taught.codes)
        rng = np.random.default_rng([self.config.seed, self.games])
        for group in self.optimizer.param_groups:
            group["lr"] = rate_at(settings.learning_rate, self.steps / settings.total_steps)
        self.net.set_training_mode(True)
        for _ in range(self.config.distil.epochs):
            for rows in np.array_split(rng.permutation(count), max(1, round(count / settings.batch_size))):
                if len(rows):
                    self._update(*(torch.from_numpy(array[rows]).to(self.device) for array in taught[:3]))
        self.net.set_training_mode(False)

    def _update(self, codes: torch.Tensor, values: torch.Tensor, returns: torch.Tensor) -> None:
        """One step of the optimiser: cross entropy towards the teacher's softmax, squared error of the returns."""
        legal, settings = ~values.isnan(), self.config.algorithm
        worth = values.masked_fill(~legal, -torch.inf)
        target = torch.softmax(worth / self.config.distil.temperature, 1)
        scores, guesses = judge(self.net, codes)
        scores = scores.masked_fill(~legal, OFF)
        cross = -(target * torch.log_softmax(scores, 1)).sum(1).mean()
        known = ~returns.isnan()
        error = functional.mse_loss(guesses[known], returns[known]) if known.any() else guesses.sum() * 0.0
        self.optimizer.zero_grad()
        (cross + settings.vf_coef * error).backward()
        torch.nn.utils.clip_grad_norm_(self.net.parameters(), settings.max_grad_norm)
        self.optimizer.step()
        self.updates += 1
        chosen = scores.detach().argmax(1, keepdim=True)
        regret = (worth.max(1).values - worth.gather(1, chosen)[:, 0]).mean()
        agrees = (worth.argmax(1) == chosen[:, 0]).float().mean()
        self.figures.append([float(figure.detach()) for figure in (cross, error, agrees, regret)])

    def metrics(self) -> dict[str, Any]:
        """Figures of the last updates: `agrees` is the share of decisions in which the pupil's likeliest action is the
        teacher's best, `regret` what its own would lose by the teacher's value."""
        means = np.mean(self.figures, axis=0) if self.figures else np.zeros(len(FIGURES))
        return {
            "steps": self.steps,
            "games": self.games,
            "seconds": round(self.seconds, 3),
            **{f"train/{name}": float(mean) for name, mean in zip(FIGURES, means, strict=True)},
            "train/learning_rate": self.optimizer.param_groups[0]["lr"],
        }

    def write_checkpoint(self) -> None:
        """A checkpoint of the run as it is now."""
        numbers = {
            "games": self.games,
            "updates": self.updates,
            "figures": list(self.figures),
            "seconds": self.seconds,
        }
        weights = {name: tensor.cpu() for name, tensor in weights_of(self.net).items()}
        moments = {name: tensor.cpu() for name, tensor in optimizer_tensors(self.optimizer).items()}
        checkpoint.save(self.folder, Header.of(self.game, self.network, self.steps), weights, moments, {}, numbers)

    def read_checkpoint(self, path: Path) -> int:
        """Go on from a checkpoint as if nothing had happened. Returns its steps. Raises CheckpointError."""
        header = read_header(path)
        header.check_same(self.game, path)
        if header.network != self.network:
            raise CheckpointError(f"{path}: holds another network than net_arch describes: {header.network}")
        saved = checkpoint.read(path, {})
        numbers = checked(Numbers, saved.numbers, str(path / NUMBERS), CheckpointError)
        load_weights(self.net, saved.policy, path)
        load_optimizer(self.optimizer, saved.optimizer, path, begun=numbers.updates > 0)
        self.games, self.updates, self._steps = numbers.games, numbers.updates, header.steps
        self.figures.extend(numbers.figures)
        self.seconds = numbers.seconds
        self._play_ahead()
        return self._steps

    def close(self) -> None:
        """End the threads that play."""
        self.teaching.stop()
        self._ahead.shutdown(wait=True, cancel_futures=True)


def judge(policy: AgentPolicy, codes: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
    """Logits of all actions (n, actions), legal or not, and values (n,)."""
    features = policy.extract_features(codes, policy.features_extractor)
    assert isinstance(features, torch.Tensor)
    for_actions, for_values = policy.mlp_extractor(features)
    return policy.action_net(for_actions), policy.value_net(for_values)[:, 0]
