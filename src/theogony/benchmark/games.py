"""The games of one deal: the agent in every seat in turn, everything drawn from the deal's seed.

The opponents' rngs follow from the deal and their seat alone, the agent's also from its own seed. So a deal is played
alike by any process, at any time, by whatever agent decides alike.
"""

from __future__ import annotations

import contextlib
import functools
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Literal, NamedTuple

import numpy as np

from theogony.benchmark.agents import Agent, digest_of, player_of, views_of
from theogony.benchmark.results import DIGITS, Anchors, Crash, Moves, PlayedTask, Sample, Series
from theogony.benchmark.tasks import TEAM, Strict, Task
from theogony.envs.core.contract import deal_seed
from theogony.envs.core.game import Game
from theogony.envs.core.players import Player, RandomPlayer, Views, make_player
from theogony.envs.core.position import Position
from theogony.envs.core.record import ENDED
from theogony.envs.core.thinking.player_names import PlayerError, PlayerName
from theogony.envs.core.thinking.player_rng import player_rng, seen_rng
from theogony.training.rating.arena import Decide, places_of, play_out, seated

Letter = Literal["W", "D", "L", "C"]  # won, drawn, lost, crashed (and therefore lost)
LONGEST_ERROR = 300  # characters
AGENT = ""  # in the place of an opponent's name


class Job(NamedTuple):
    """One deal against one opponent."""

    task: Task
    against: str
    deal: int

    @property
    def key(self) -> tuple[str, str, int]:
        """What names it in files."""
        return self.task.id, self.against, self.deal


class Outcome(Strict):
    """One game: the agent's seat, how it ended for the agent, what it was paid, and its moves if kept."""

    seat: int
    result: Letter
    reward: float
    error: str | None = None
    record: Moves | None = None


class Dealt(Strict):
    """All games of a job. Seconds of the processor: of everything, and of the agent's decisions."""

    task: str
    against: str
    deal: int
    games: list[Outcome]
    cpu: float
    agent_cpu: float

    @property
    def key(self) -> tuple[str, str, int]:
        """That of its job."""
        return self.task, self.against, self.deal


class BenchmarkTable:
    """Where jobs are played; players are made once, in each process."""

    def __init__(self, agent: Agent, runs: Path | None = None, named: Mapping[str, PlayerName] | None = None) -> None:
        """`runs` holds what `run` trained; `named` says by task who the agent is, where that is known already."""
        self.agent, self.runs, self._named = agent, runs, named or {}
        self._spent = 0.0
        self._warm: set[str] = set()  # tasks of which everybody has decided once
        self._players: dict[tuple[str, str], Player] = {}

    def warm_up(self, jobs: Sequence[Job]) -> None:
        """One decision of everybody, so that rules are compiled once and not by every process."""
        for task in {job.task.id: job.task for job in jobs}.values():
            position = Position(task.make_game(), 0)
            views = {name: Views.at(position) for name in task.opponents if name != TEAM}
            for name, seen in (views | {AGENT: views_of(position, self.agent.kind)}).items():
                with contextlib.suppress(Exception):  # it will fail again where that counts
                    self.player(name, task).act(seen, np.random.default_rng(0))

    def play(self, job: Job) -> Dealt:
        """The games of a job. Before the first of a task everybody decides once, which takes the time of compiling."""
        game = job.task.make_game()
        if job.task.id not in self._warm:
            self.warm_up([job])
            self._warm.add(job.task.id)
        begun = time.process_time()
        self._spent = 0.0
        games = [self.play_seat(job, seat) for seat in job.task.seats(game, job.against)]
        cpu = time.process_time() - begun
        return Dealt(task=job.task.id, against=job.against, deal=job.deal, games=games, cpu=cpu, agent_cpu=self._spent)

    def player(self, opponent: str, task: Task) -> Player:
        """The agent, or who an opponent of a task is. Raises PlayerError, CheckpointError or BenchmarkError."""
        if (opponent, task.id) not in self._players:
            game = task.make_game()
            name = self._named.get(task.id) if opponent == AGENT else player_of(opponent, game)
            self._players[opponent, task.id] = make_player(name or self.agent.player_for(task, game, self.runs), game)
        return self._players[opponent, task.id]

    def play_seat(self, job: Job, seat: int) -> Outcome:
        """One game with the agent in a seat, or in all. Whatever it raises is its own fault, and the game is lost."""
        game, agent = job.task.make_game(), self.player(AGENT, job.task)
        position, streams = Position(game, deal_seed(job.deal)), rngs(job, game, seat, self.agent.seed)
        mine = range(game.players) if job.against == TEAM else (seat,)
        seats: list[Decide] = [functools.partial(self._decide, agent, stream) for stream in streams]
        if job.against != TEAM:
            other = self.player(job.against, job.task)
            seats = [seats[place] if place in mine else seated(other, streams[place]) for place in range(game.players)]
        broken = play_out(position, seats, mine)
        kept = job.deal < job.task.records and seat == job.task.seat_recorded(game, job.against, job.deal)
        record = Moves.of(position) if kept else None
        if broken is not None:
            lost, error = lost_reward(job.task.reward, game), " ".join(broken[1].split())[:LONGEST_ERROR]
            return Outcome(seat=seat, result="C", reward=lost, error=error, record=record)
        result, reward = result_of(position, seat), float(position.rewards(job.task.reward)[seat])
        return Outcome(seat=seat, result=result, reward=reward, record=record)

    def _decide(self, agent: Player, stream: np.random.Generator, position: Position) -> Any:
        """One decision of the agent, whose time is counted. Raises PlayerError for what is no list of actions."""
        begun = time.process_time()
        try:
            views = views_of(position, self.agent.kind)
            actions: Any = agent.act(views, rng_of(agent, self.agent, views, position, stream))
        finally:
            self._spent += time.process_time() - begun
        if np.ndim(actions) != 1 or len(actions) != 1:
            found = f"{type(actions).__name__} of shape {np.shape(actions)}"
            raise PlayerError(f"act returned {found}; expected one action for each view, here of shape (1,)")
        return actions[0]


def rngs(job: Job, game: Game, seat: int, agent_seed: int) -> list[np.random.Generator]:
    """The rng of every seat: the agent's depends on its seed as well."""
    own = range(game.players) if job.against == TEAM else (seat,)
    seeds = [[deal_seed(job.deal), place] + ([1 + agent_seed] if place in own else []) for place in range(game.players)]
    return [player_rng(one) for one in seeds]


def rng_of(
    player: Player, agent: Agent, views: Views, position: Position, stream: np.random.Generator
) -> np.random.Generator:
    """The generator of the agent's next decision.

    Which deal it is decides every card, and the list of deals is public: what follows from the deal could be looked up.
    So an agent that may see observations alone gets a generator that follows from these, its seed and the number of
    the decision. `random` is this package's own, and draws what it always drew.
    """
    if agent.kind != "observation-only" or isinstance(player, RandomPlayer):
        return stream
    return seen_rng(views, [agent.seed, position.actor, position.now])


def result_of(position: Position, seat: int) -> Letter:
    """How a finished game ended for a seat: a truncated one is drawn, and lost for a team; a shared win is drawn."""
    places = places_of(position)
    if places[seat] > 1:
        return "L"
    return "W" if position.game.spec.cooperative or (position.over == ENDED and places.count(1) == 1) else "D"


def lost_reward(kind: str, game: Game) -> float:
    """What a game pays that the agent broke off: the least there is."""
    if kind == "progress":
        return 0.0
    return -1.0 / (game.players - 1) if kind == "outcome" and not game.spec.cooperative else -1.0


# ---- From games that were played to what a results file says of them


def series_of(dealt: Sequence[Dealt]) -> tuple[list[Series], list[Crash], list[Sample]]:
    """Games by task, opponent and seat, in the order of `dealt`, which is that of tasks, opponents and deals."""
    found: dict[tuple[str, str, int], list[Outcome]] = {}
    crashes, records = [], []
    for one in dealt:
        for game in one.games:
            found.setdefault((one.task, one.against, game.seat), []).append(game)
            where = {"task": one.task, "against": one.against, "deal": one.deal, "seat": game.seat}
            if game.error is not None:
                crashes.append(Crash(**where, error=game.error))
            if game.record is not None:
                records.append(Sample(**where, moves=game.record))
    series = []
    for (task, against, seat), games in found.items():
        letters, rewards = "".join(game.result for game in games), [round(game.reward, DIGITS) for game in games]
        series.append(Series(task=task, against=against, seat=seat, results=letters, rewards=rewards))
    return series, crashes, records


def played_task(task: Task, game: Game, anchors: Anchors) -> PlayedTask:
    """A task with the versions and digests of what is here. Raises PlayerError or CheckpointError."""
    return PlayedTask(
        id=task.id,
        digest=task.digest,
        game=game.spec.name,
        version=game.spec.version,
        components=game.component_digest,
        first_seed=deal_seed(0),
        deals=task.deals,
        opponents={name: None if name == TEAM else digest_of(player_of(name, game), game) for name in task.opponents},
        anchor=anchor.of(task) if (anchor := anchors.get(task.id)) else None,
    )
