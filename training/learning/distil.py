"""`engine: distil`: a policy that plays from the observation alone learns from a learnt value.

A value plays well by trying every action on a copy of the position; where there are only observations, as behind
`gymnasium.make`, it cannot. So a policy network learns to say at once what those trials would have found. Its targets
are soft, a softmax over what all actions are worth: how good the others are teaches more than which is the best.

Games are played while the network learns from those before (`ahead.py`). Each decision is used `distil.epochs` times
and forgotten: games are cheap, and used ones overfit.
"""

from __future__ import annotations

import functools
from collections import deque
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any, NamedTuple

import numpy as np
import torch
from pydantic import Field
from torch.nn import functional

from theogony.envs.core.batches.shaping import OWN_VALUE
from theogony.envs.core.game import Game, GameSpec
from theogony.envs.core.jit import rule
from theogony.envs.core.kernels import kernels, pick
from theogony.envs.core.memory import clear_record, copy_record
from theogony.envs.core.packs import pack_of
from theogony.envs.core.players import in_kernel
from theogony.envs.core.record import CUT_OFF, SEATS, record_dtype
from theogony.envs.core.rng import mix, uniform
from theogony.envs.core.thinking.value_network import REWARD
from theogony.training.config import ConfigError
from theogony.training.config.engines import DistilConfig
from theogony.training.learning.ahead import RECENT, AheadTraining, Numbers
from theogony.training.learning.cluster import players_of
from theogony.training.learning.engine import player_named
from theogony.training.learning.selfplay import ROOM, NumberedGames, best_with_noise, count, make_desk
from theogony.training.networks.policy import NEVER, AgentPolicy, make_policy
from theogony.training.players.names import GREEDY_BY, REFERENCE

DEALS, TEACHERS = 21, 22  # what the seed is mixed with: for games, for those who play them

CURSOR = record_dtype(
    ("game", "i8"),  # the next to begin
    ("running", "i1"),
    ("pack", "i2"),  # whose tables are in play
    ("start", "i8"),  # where its decisions begin
    ("used", "i8"),  # decisions so far
    ("explore", "f8"),  # share of its decisions that are drawn at random
    ("reward", "f8"),  # sum of the rewards of seat 0 over the games that are over
    ("stream", "u8", (1,)),
    ("pay", "f8", (2, SEATS)),
)


class Teacher(NamedTuple):
    """The value that is taught, and how it plays."""

    net: np.ndarray  # float32: a packed network; empty: the game's own value
    explore: float  # share of decisions that are drawn at random, at most
    noise: float  # Gumbel noise on the values when it compares them, in rewards
    reward: int  # index in `KINDS`
    shaping: float  # how much of the own value a return leaves out
    deep: bool  # look ahead over one's own turn, as far as the greedy player


class Taught(NamedTuple):
    """N decisions in the order of their games."""

    codes: np.ndarray  # uint8 (N, length): what the seat saw
    values: np.ndarray  # float32 (N, actions): what each action is worth to the teacher, nan where it is not legal
    returns: np.ndarray  # float32 (N,): the final reward of the seat, less what shaping has paid by then
    games: int
    reward: float  # mean final reward of seat 0

    @property
    def decisions(self) -> int:
        """How many there are to learn from."""
        return len(self.codes)


@functools.cache
def teaching_kernels(spec: GameSpec) -> Any:
    """`play` of a game: plays on from a cursor until its games are over or there is no room for another decision."""
    k = kernels(spec)
    legal, observe, own_value = spec.legal, spec.observe, spec.value
    setup, advance, rewards, judge = k.setup, k.advance, k.rewards, k.judge

    @rule
    def begin(state, tables, cursor, teacher, seed):
        clear_record(state, 0)
        deal = mix(seed, cursor.game, DEALS)
        cursor.pack = pack_of(deal, tables.shape[0])
        setup(state[0], tables[cursor.pack], deal)
        cursor.stream[0] = mix(seed, cursor.game, TEACHERS)
        cursor.explore = teacher.explore * uniform(cursor.stream)
        cursor.game += 1
        cursor.running, cursor.start = 1, cursor.used

    @rule
    def decide(mask, values, cursor, noise):
        """The best action, or one drawn at random."""
        if cursor.explore > 0.0 and uniform(cursor.stream) < cursor.explore:
            return pick(mask, mask.shape[0], cursor.stream)
        return best_with_noise(mask, values, noise, cursor.stream)

    @rule
    def finish(state, tables, cursor, teacher, seats, returns):
        """The returns of the game that is over; a game that was cut off has none."""
        rewards(state, 0, tables, teacher.reward, cursor.pay[0], cursor.pay[1])
        for n in range(cursor.start, cursor.used):
            returns[n] = np.nan if state[0].over == CUT_OFF else cursor.pay[1, seats[n]] - returns[n]
        cursor.reward += cursor.pay[1, 0]
        cursor.running = 0

    @rule
    def one_decision(desk, cursor, teacher, features, values, seats, returns):
        """One decision; if there was a choice, what its seat saw and what the teacher thought are kept."""
        g, mask, n = desk.state[0], desk.mask, cursor.used
        tables = desk.tables[cursor.pack : cursor.pack + 1]
        mask[:] = 0
        legal(g, tables[0], mask)
        if count(mask) == 1:
            advance(g, tables[0], pick(mask, mask.shape[0], cursor.stream))
            return
        clear_record(features, n)
        observe(g, tables[0], g.actor, features[n])
        judge(desk.state, 0, tables, mask, desk.scratch, 0, cursor.stream, teacher.net, teacher.deep, values[n])
        seats[n] = g.actor
        returns[n] = 0.0
        if teacher.shaping:
            copy_record(desk.scratch.states, 0, desk.state, 0)  # `value` may write on what it judges
            returns[n] = teacher.shaping * own_value(desk.scratch.states[0], tables[0], np.int64(g.actor))
        cursor.used += 1
        advance(g, tables[0], decide(mask, values[n], cursor, teacher.noise))

    @rule
    def play(desk, cursors, teacher, features, values, seats, returns, seed, last):
        """Games up to `last`. Returns whether they are over; otherwise there must be room for more decisions."""
        cursor, state, tables = cursors[0], desk.state, desk.tables
        while cursor.running or cursor.game < last:
            if not cursor.running:
                begin(state, tables, cursor, teacher, seed)
            while state[0].over == 0:
                if cursor.used >= values.shape[0]:
                    return False
                one_decision(desk, cursor, teacher, features, values, seats, returns)
            finish(state, tables[cursor.pack : cursor.pack + 1], cursor, teacher, seats, returns)
        return True

    return play


class Teaching(NumberedGames):
    """Games of `engine: distil`."""

    def __init__(self, game: Game, teacher: Teacher, threads: int, seed: int) -> None:
        super().__init__(threads, "theogony-teach")
        self.game, self.teacher, self.seed = game, teacher, np.uint64(seed)
        self._play = teaching_kernels(game.spec)

    def play(self, first: int, count: int) -> Taught:
        """Games `first` to `first + count`."""
        return self.played(self._part, first, count)

    def _part(self, first: int, last: int) -> Taught:
        game, desk, cursors = self.game, make_desk(self.game), np.zeros(1, CURSOR)
        cursors["game"] = last if self.stopped else first
        kept = [
            np.zeros((ROOM, game.features.length), np.uint8),
            np.zeros((ROOM, game.actions.size), np.float32),
            np.zeros(ROOM, np.int8),
            np.zeros(ROOM, np.float32),
        ]
        given = desk, cursors, self.teacher
        while not self._play(*given, game.features.records(kept[0]), *kept[1:], self.seed, last):
            kept = [np.concatenate([array, np.zeros_like(array)]) for array in kept]
        used = int(cursors["used"][0])
        reward = float(cursors["reward"][0]) / (last - first)
        return Taught(kept[0][:used], kept[1][:used], kept[3][:used], last - first, reward)


# ---- The run -------------------------------------------------------------------------------------------------------

FIGURES = ("cross_entropy", "value_error", "agrees", "regret")


class DistilNumbers(Numbers):
    """What is in `state.json`."""

    figures: Annotated[list[list[float]], Field(max_length=RECENT)]


class DistilTraining(AheadTraining[DistilConfig, Taught]):
    """One run: the games of the teacher, the policy that learns from them, and where it stands."""

    numbers, described_by = DistilNumbers, "algorithm.net_arch"

    def __init__(self, config: DistilConfig, folder: Path) -> None:
        super().__init__(config, folder)
        self.net = make_policy(self.game, config.network, ortho_init=True).to(self.device)
        self.learn_with(config.network, self.net, config.distil)
        how = self.game, self._teacher(), config.environment.threads, config.seed
        self.players = self.teaching = players_of(config.ray, functools.partial(Teaching, *how))
        self.recent = {"figures": deque(maxlen=RECENT)}

    def _teacher(self) -> Teacher:
        """The value that is taught: of `reference` what it judges by, not how it thinks ahead.

        Raises ConfigError where the player goes by none.
        """
        given = self.config.distil
        judge = f"{GREEDY_BY}{REFERENCE}" if given.teacher == REFERENCE else given.teacher
        found = in_kernel(player_named("distil.teacher", judge, self.game))
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
        return self.net

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
        scores, guesses = scores.masked_fill(~legal, NEVER), guesses[:, 0]
        cross = -(target * torch.log_softmax(scores, 1)).sum(1).mean()
        known = ~returns.isnan()
        error = functional.mse_loss(guesses[known], returns[known]) if known.any() else guesses.sum() * 0.0
        chosen = scores.detach().argmax(1, keepdim=True)
        regret = (worth.max(1).values - worth.gather(1, chosen)[:, 0]).mean()
        agrees = (worth.argmax(1) == chosen[:, 0]).float().mean()
        self.recent["figures"].append([float(figure.detach()) for figure in (cross, error, agrees, regret)])
        return cross + self.config.algorithm.vf_coef * error

    def metrics(self) -> dict[str, Any]:
        """Figures of the last updates: `agrees` is the share of decisions in which the pupil's likeliest action is the
        teacher's best, `regret` what its own would lose by the teacher's value."""
        means = np.mean(self.recent["figures"] or [[0.0] * len(FIGURES)], axis=0)
        figures = {f"train/{name}": float(mean) for name, mean in zip(FIGURES, means, strict=True)}
        return {**super().metrics(), **figures}
