"""`engine: distil`: a policy that plays from the observation alone learns from a learnt value.

A value plays well by trying every action on a copy of the position; where there are only observations, as behind
`gymnasium.make`, it cannot. So a policy network learns to say at once what those trials would have found. Its targets
are soft, a softmax over what all actions are worth: how good the others are teaches more than which is the best.

Games are played while the network learns from those before (`ahead.py`). Each decision is used `distil.epochs` times
and forgotten: games are cheap, and used ones overfit.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any

import numpy as np
import torch
from pydantic import Field
from torch.nn import functional

from theogony.envs.core.batches.shaping import OWN_VALUE
from theogony.envs.core.players import in_kernel, make_player
from theogony.envs.core.thinking.value_network import REWARD
from theogony.training.config import ConfigError
from theogony.training.config.engines.distil import DistilConfig
from theogony.training.learning.ahead import RECENT, AheadTraining, Numbers
from theogony.training.learning.teaching import Taught, Teacher, Teaching
from theogony.training.networks.policy import AgentPolicy, make_policy
from theogony.training.players.names import GREEDY_BY, REFERENCE
from theogony.training.storage.checkpoint import Checkpoint

OFF = -1e8  # logit of an action that is not legal
FIGURES = ("cross_entropy", "value_error", "agrees", "regret")


class DistilNumbers(Numbers):
    """What is in `state.json`."""

    figures: Annotated[list[list[float]], Field(max_length=RECENT)]


class DistilTraining(AheadTraining[DistilConfig, Taught, DistilNumbers]):
    """One run: the games of the teacher, the policy that learns from them, and where it stands."""

    numbers, described_by = DistilNumbers, "algorithm.net_arch"

    def __init__(self, config: DistilConfig, folder: Path) -> None:
        super().__init__(config, folder)
        self.net = make_policy(self.game, config.network, ortho_init=True).to(self.device)
        self.learn_with(config.network, self.net, config.distil.epochs)
        self.teaching = Teaching(self.game, self._teacher(), config.environment.threads, config.seed)
        self.figures: deque[list[float]] = deque(maxlen=RECENT)

    def _teacher(self) -> Teacher:
        """The value that is taught: of `reference` what it judges by, not how it thinks ahead.

        Raises ConfigError where the player goes by none.
        """
        given = self.config.distil
        judge = f"{GREEDY_BY}{REFERENCE}" if given.teacher == REFERENCE else given.teacher
        try:
            found = in_kernel(make_player(judge, self.game))
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
        shaping = float(self.config.shaping == OWN_VALUE)
        return Teacher(found.net, float(given.explore), float(given.noise), paid, shaping, given.own_turn)

    def policy(self, name: str) -> AgentPolicy:
        """The pupil as it is now."""
        return self.net

    @property
    def other_table(self) -> bool:
        """Whether the pupil may begin as a policy for another number of players."""
        return self.config.distil.other_table

    # ------------------------------------------------------------------------------------------------ the run

    def player_of_games(self) -> Callable[[int, int], Taught]:
        """The teacher, who stays as it is."""
        return self.teaching.play

    def loss(self, games: Taught, rows: np.ndarray) -> torch.Tensor:
        """Cross entropy towards the teacher's softmax, and the squared error of the returns."""
        codes, values, returns = (torch.from_numpy(array[rows]).to(self.device) for array in games[:3])
        legal = ~values.isnan()
        worth = values.masked_fill(~legal, -torch.inf)
        target = torch.softmax(worth / self.config.distil.temperature, 1)
        scores, guesses = self.net.judge(codes, legal)
        scores, guesses = scores.masked_fill(~legal, OFF), guesses[:, 0]
        cross = -(target * torch.log_softmax(scores, 1)).sum(1).mean()
        known = ~returns.isnan()
        error = functional.mse_loss(guesses[known], returns[known]) if known.any() else guesses.sum() * 0.0
        chosen = scores.detach().argmax(1, keepdim=True)
        regret = (worth.max(1).values - worth.gather(1, chosen)[:, 0]).mean()
        agrees = (worth.argmax(1) == chosen[:, 0]).float().mean()
        self.figures.append([float(figure.detach()) for figure in (cross, error, agrees, regret)])
        return cross + self.config.algorithm.vf_coef * error

    def metrics(self) -> dict[str, Any]:
        """Figures of the last updates: `agrees` is the share of decisions in which the pupil's likeliest action is the
        teacher's best, `regret` what its own would lose by the teacher's value."""
        means = np.mean(self.figures, axis=0) if self.figures else np.zeros(len(FIGURES))
        figures = {f"train/{name}": float(mean) for name, mean in zip(FIGURES, means, strict=True)}
        return {**super().metrics(), **figures}

    # ------------------------------------------------------------------------------------------------ going on

    def kept(self) -> tuple[dict[str, np.ndarray], dict[str, Any]]:
        """The figures of the last updates."""
        return {}, {"figures": list(self.figures)}

    def go_on(self, saved: Checkpoint, numbers: DistilNumbers) -> None:
        """Take over the figures of the last updates from a checkpoint."""
        self.figures.extend(numbers.figures)

    def close(self) -> None:
        """End the threads that play."""
        self.teaching.stop()
        super().close()
