"""`engine: td`: a value learnt by TD(λ) on afterstates in self-play.

While some threads play games with the network as it was, it learns from the games before those (`ahead.py`). So what is
played with is one update behind what is learnt, and a checkpoint holds both.
"""

from __future__ import annotations

import functools
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any, NamedTuple

import numpy as np
import torch
from pydantic import Field
from torch.nn import functional

from theogony.envs.core.game import Game
from theogony.envs.core.players import GreedyPlayer, Player, in_kernel, resampled
from theogony.envs.core.position import Position
from theogony.envs.core.record import CUT_OFF, RUNNING
from theogony.envs.core.rewards import KINDS
from theogony.envs.core.rng import mixed
from theogony.envs.core.thinking.value_network import FRONT, GATE
from theogony.envs.core.untrusted.outside import Form
from theogony.training.config import ConfigError
from theogony.training.config.engines import TdConfig
from theogony.training.config.sections import ValueNetwork, worth_of_truncation
from theogony.training.learning.ahead import RECENT, AheadTraining, Numbers
from theogony.training.learning.cluster import players_of
from theogony.training.learning.engine import player_named
from theogony.training.learning.selfplay import (
    GAMES,
    SAMPLE,
    NumberedGames,
    Played,
    SelfPlay,
    SelfPlayTable,
    observer,
    read_starts,
    tables_of,
)
from theogony.training.networks.value import ValueNet, packed
from theogony.training.networks.weights import CheckpointError
from theogony.training.players.search import Search, SearchOptions
from theogony.training.players.search_player import with_value
from theogony.training.storage.checkpoint import Checkpoint

# ---- Search as a teacher of the value: games in which every decision is searched (`td.search`) ---------------------
#
# A tree search by the network sees further than the network. Its action is played, and what it found that action to be
# worth takes the place of what the network says, so that the λ-returns mix the search's values with the final reward.
#
# It looked at other actions too, and throws away what it found. With `td.tried` the value learns from those as well, as
# Descent does (Cohen-Solal 2020): from every action with so many simulations, what they found on average.


class Searched(NamedTuple):
    """How every decision is searched."""

    simulations: int
    tried: int = 0  # simulations of an action that is learnt from although it was not played; 0: none is


class SearchPlay(NumberedGames):
    """Games of `engine: td` as `SelfPlay` has them, with a search for every decision."""

    def __init__(self, variants: Sequence[Game], searched: Searched, threads: int, seed: int) -> None:
        super().__init__(threads, "theogony-search")
        self.tried = searched.tried
        self.variants, self.seed = [pack for game in variants for pack in game.packs or (game,)], seed
        self.options = SearchOptions(iterations=searched.simulations, rollout="turn")

    def play(self, table: SelfPlayTable, first: int, count: int) -> Played:
        """Games `first` to `first + count`."""
        return self.played(lambda number, _: self._game(table, number), first, count, chunk=1)

    def _game(self, table: SelfPlayTable, number: int) -> Played:
        """One game, all seats."""
        variant = number % len(self.variants)
        game, net = self.variants[variant], table.nets[: table.ends[0]]
        search = Search(game, with_value(self.options, game, net), net)
        rng = np.random.default_rng([self.seed, number])
        position = Position(game, mixed(self.seed, number, GAMES))
        states, samples = [game.new_states(0)], np.zeros(0, SAMPLE)
        others, found = [game.new_states(0)], np.zeros(0, SAMPLE)  # what else was tried, and what it was worth
        while position.over == RUNNING and not self.stopped:
            legal, seat = position.legal_actions(), position.actor
            if len(legal) == 1:
                position.play(int(legal[0]))
                continue
            seen = resampled(position.clone(), rng)
            chosen = search.choose(seen.states, seen.now, rng.integers(2**64, size=1, dtype=np.uint64))
            results, chain = search.results(), 0 if game.spec.cooperative else seat
            visits, total = results[chosen]
            explored = rng.random() < table.explore
            if explored:
                chosen = int(rng.choice(legal))
            for action, worth in self._tried(results, chosen):
                if (after := _afterstate(seen, action)) is not None:
                    others.append(after)
                    found = np.append(found, _sample(seat, chain, variant, False, worth, worth))
            seen.play(chosen)
            if seen.over == RUNNING:
                states.append(seen.states[seen.now : seen.now + 1].copy())
                samples = np.append(samples, _sample(seat, chain, variant, explored, total / visits, 0.0))
            position.play(chosen)
        rewards = position.rewards(KINDS[table.reward])
        paid = np.full_like(rewards, table.truncation) if position.over == CUT_OFF else rewards
        lambda_returns(samples, paid, table.td_lambda)
        return Played(np.concatenate([*states, *others]), np.concatenate([samples, found]), 1, float(rewards[0]))

    def _tried(self, results: dict[int, tuple[int, float]], chosen: int) -> list[tuple[int, float]]:
        """The actions besides the chosen one that the search tried often enough, and what each was worth on average."""
        enough = max(self.tried, 1)
        found = {action: total / visits for action, (visits, total) in results.items() if visits >= enough}
        return [(action, worth) for action, worth in found.items() if self.tried and action != chosen]


def _afterstate(seen: Position, action: int) -> np.ndarray | None:
    """The record of the position behind an action, None where the game ends."""
    after = seen.clone()
    after.play(action)
    return after.states[after.now : after.now + 1].copy() if after.over == RUNNING else None


def lambda_returns(samples: np.ndarray, rewards: np.ndarray, td_lambda: float) -> None:
    """Write the targets of one game, backwards along each chain, as the kernel of `selfplay.py` does; a reward that is
    NaN is what the network thought of the end."""
    ahead: dict[int, float] = {}
    for sample in samples[::-1]:
        paid = float(rewards[sample["seat"]])
        last = float(sample["best"]) if np.isnan(paid) else paid
        sample["target"] = target = ahead.get(int(sample["chain"]), last)
        trace = 0.0 if sample["explored"] else td_lambda
        ahead[int(sample["chain"])] = (1.0 - trace) * float(sample["best"]) + trace * target


def _sample(seat: int, chain: int, variant: int, explored: bool, best: float, target: float) -> np.ndarray:
    """One sample; by names, since a record's fields have an order of their own in memory."""
    one = np.zeros(1, SAMPLE)
    one["seat"], one["chain"], one["variant"], one["explored"] = seat, chain, variant, explored
    one["best"], one["target"] = best, target
    return one


# ---- The run -------------------------------------------------------------------------------------------------------

ACTING = "acting"  # the array with the network that plays the games which the checkpoint interrupts


class TdNumbers(Numbers):
    """What is in `state.json`."""

    errors: Annotated[list[float], Field(max_length=1000)]
    rewards: Annotated[list[float], Field(max_length=1000)]


class TdTraining(AheadTraining[TdConfig, Played]):
    """One run: games that are played, the network that learns from them, and where it stands."""

    numbers, described_by = TdNumbers, "td"

    def __init__(self, config: TdConfig, folder: Path) -> None:
        super().__init__(config, folder)
        self.reward = config.reward or ("outcome" if self.game.players <= 2 or self.game.spec.cooperative else "rank")
        network = ValueNetwork(widths=config.td.widths, own_value=config.td.own_value, reward=self.reward)
        self.net = ValueNet(self.game.features.length, network).to(self.device)
        self.learn_with(network, self.net, config.td)
        self.opponents = self._make_opponents()
        dealt = self._make_variants()
        starts, recorded = read_starts(config.td.starts.files, config.td.starts.share, dealt)
        self.variants = [*dealt, *recorded]
        how, searched = (config.environment.threads, config.seed), Searched(config.td.search, config.td.tried)
        play = functools.partial(SelfPlay, self.variants, *how, starts)
        search = functools.partial(SearchPlay, self.variants, searched, *how)
        self.players = self.selfplay = players_of(config.ray, search if config.td.search else play)
        self._see, self._tables = observer(self.game.spec), tables_of(self.variants)
        self.acting = self.packed()  # the network that plays the games from `games` on
        self.recent = {"errors": deque(maxlen=RECENT), "rewards": deque(maxlen=RECENT)}

    def _make_variants(self) -> list[Game]:
        """The games with all the options that are played. Raises ConfigError naming those that do not go together."""
        found = [self.game]
        for index, change in enumerate(self.config.td.variants):
            try:
                game = self.game.spec.configure({**self.config.options, **change})
            except ValueError as error:
                raise ConfigError(f"td.variants.{index}: {error}") from None
            forms = {(one.state, one.tables.dtype, one.features.dtype) for one in (game, self.game)}
            if len(forms) > 1:
                raise ConfigError(f"td.variants.{index}: changes what players see; expected the players of `options`")
            found.append(game)
        return found

    def _make_opponents(self) -> list[tuple[float, Any]]:
        """The players of the games that are not against itself. Raises ConfigError naming the one that is wrong."""
        found: list[tuple[float, Any]] = []
        for index, opponent in enumerate(self.config.opponents if self.config.td.opponents > 0 else ()):
            key = f"opponents.{index}.player"
            if (inside := in_kernel(player_named(key, opponent.player, self.game))) is None:
                raise ConfigError(
                    f"{key}: {opponent.player!r} does not play in compiled code; expected random, greedy, "
                    "greedy@reference or a run of engine td"
                )
            found.append((opponent.weight, inside))
        return found

    def packed(self) -> np.ndarray:
        """The network as it is now, as kernels take it."""
        return packed(self.net, self.game, self.reward)

    def player(self, name: str) -> Player:
        return GreedyPlayer(self.game, net=self.packed(), name=str(self.folder))

    def start_from(self, run: str) -> None:
        """Take over the network of another run or reference player. Raises CheckpointError when it does not fit."""
        super().start_from(run)
        self.acting = self.packed()

    # ------------------------------------------------------------------------------------------------ the run

    def player_of_games(self) -> Callable[[int, int], Played]:
        """The network as it acts now, and its opponents."""
        return functools.partial(self.selfplay.play, self.table())

    def table(self) -> SelfPlayTable:
        """Who plays the games from `games` on."""
        td = self.config.td
        nets = [self.acting, *(inside.net for _, inside in self.opponents)]
        weights = np.array([weight for weight, _ in self.opponents] or [1.0])
        return SelfPlayTable(
            nets=np.concatenate(nets),
            ends=np.cumsum([len(net) for net in nets]),
            greed=np.array([inside.greed for _, inside in self.opponents] or [0.0]),
            weights=np.cumsum(weights / weights.sum()),
            share=float(td.opponents),
            explore=float(td.explore),
            noise=float(td.noise),
            td_lambda=float(td.td_lambda),
            reward=self.game.spec.reward_index(self.reward),
            deep=td.own_turn,
            planned=float(td.plan.share if td.plan.width else 0.0),
            width=td.plan.width,
            plan_ends=float(td.plan.ends),
            truncation=worth_of_truncation(self.config.truncation, self.game, self.reward),
        )

    def note(self, games: Played) -> None:
        """The next games are played by the network as it is now."""
        self.acting = self.packed()
        self.recent["rewards"].append(games.reward)

    def loss(self, games: Played, rows: np.ndarray) -> torch.Tensor:
        """The squared error of the values."""
        game, tables = self.game, self._tables
        codes, own = np.zeros((len(rows), game.features.length), np.uint8), np.zeros(len(rows), np.float32)
        spare = game.new_states(1)
        reward = game.spec.reward_index(self.reward)
        self._see(games.states, games.samples, rows, tables, reward, spare, game.features.records(codes), own)
        targets = torch.from_numpy(games.samples["target"][rows]).to(self.device)
        seen, own_values = (torch.from_numpy(array).to(self.device) for array in (game.features.decode(codes), own))
        error = functional.mse_loss(self.net(seen, own_values), targets)
        self.recent["errors"].append(float(error.detach()))
        return error

    def metrics(self) -> dict[str, Any]:
        reward, error = (float(np.mean(self.recent[name] or [0.0])) for name in ("rewards", "errors"))
        gate = float(self.net.gate.detach())
        return {**super().metrics(), "reward": reward, "train/error": error, "train/gate": gate}

    # ------------------------------------------------------------------------------------------------ going on

    def kept(self) -> dict[str, np.ndarray]:
        """The network that acts."""
        return {ACTING: self.acting}

    def forms(self) -> Mapping[str, Form]:
        """The network that acts has the size of this one."""
        return {ACTING: Form("f4", self.acting.shape)}

    def go_on(self, saved: Checkpoint) -> None:
        """Raises CheckpointError where the network that acts is not one of this run."""
        acting = saved.arrays[ACTING]
        shape = np.delete(acting[:FRONT] == self.acting[:FRONT], GATE)
        if not all(np.isfinite(array).all() for array in saved.arrays.values()) or not shape.all():
            raise CheckpointError(f"{saved.path}: the network that plays is not one of this run")
        self.acting = acting
