"""Playing again: the opponents' moves of a record, and whole games with the agent itself.

The opponents' random numbers follow from the deal and the seat, so against the moves of a record each must answer as
the record says: nobody can play for it. What the agent plays only the agent can say.
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from pathlib import Path

from theogony.benchmark.check.possible import CLOSE
from theogony.benchmark.play.games import BenchmarkTable, Job, rngs
from theogony.benchmark.results.file import Results, Sample, Series
from theogony.benchmark.tasks import TEAM, BenchmarkError, Task, Tasks
from theogony.envs.core.contract import deal_seed
from theogony.envs.core.game import Game
from theogony.envs.core.players import Views
from theogony.envs.core.position import Position
from theogony.envs.core.thinking.player_names import PlayerName

MACHINES = "(on another kind of processor the last bits of a network can differ)"


def check_opponent(table: BenchmarkTable, sample: Sample, task: Task, game: Game, actions: Sequence[int]) -> int:
    """Ask the opponent again for each of its decisions in a game. Returns how many. Raises BenchmarkError."""
    if sample.against == TEAM:
        return 0
    job = Job(task, sample.against, sample.deal)
    opponent, streams = table.opponent(sample.against, task), rngs(job, game, sample.seat, 0)
    position, asked = Position(game, deal_seed(sample.deal)), 0
    for number, action in enumerate(actions, 1):
        if position.actor != sample.seat:
            found = int(opponent.act(Views.at(position), streams[position.actor])[0])
            if found != action:
                here, there = game.actions.text(found), game.actions.text(action)
                raise BenchmarkError(f"decision {number} is {there!r}, but {sample.against} plays {here!r}")
            asked += 1
        position.play(action)
    return asked


def drawn_games(results: Results, count: int, chance: random.Random) -> list[tuple[Series, int]]:
    """(series, deal) of games drawn without replacement, half of them from those with a record: all, where there are
    fewer."""
    every = [(one, deal) for one in results.games for deal in range(len(one.results))]
    kept = {(one.task, one.against, one.deal, one.seat) for one in results.records}
    with_moves = [(one, deal) for one, deal in every if (one.task, one.against, deal, one.seat) in kept]
    first = chance.sample(with_moves, min(len(with_moves), (count + 1) // 2))
    taken = {(id(one), deal) for one, deal in first}
    left = [(one, deal) for one, deal in every if (id(one), deal) not in taken]
    return [*first, *chance.sample(left, min(len(left), count - len(first)))]


def replay(results: Results, known: Tasks, players: Mapping[str, PlayerName], runs: Path, count: int) -> int:
    """Play drawn games of the tasks whose player is in `players` anew. Returns how many. Raises BenchmarkError."""
    mine = results.model_copy(update={"games": [one for one in results.games if one.task in players]})
    table = BenchmarkTable(results.agent, runs, players)
    samples = {(one.task, one.against, one.deal, one.seat): one for one in results.records}
    drawn = drawn_games(mine, count, random.SystemRandom())
    for one, deal in drawn:
        sample = samples.get((one.task, one.against, deal, one.seat))
        _check_game(table, one, deal, known.task(one.task), sample)
    return len(drawn)


def _check_game(table: BenchmarkTable, one: Series, deal: int, task: Task, sample: Sample | None) -> None:
    """One game, with the agent in its seat. Raises BenchmarkError."""
    where = f"{one.task} against {one.against}, deal {deal} in seat {one.seat}"
    found = table.play_seat(Job(task, one.against, deal), one.seat)
    letter, reward = one.results[deal], one.rewards[deal]
    if found.result != letter or abs(found.reward - reward) > CLOSE:
        raise BenchmarkError(
            f"{where}: {letter} with a reward of {reward} was counted, but played anew it is {found.result} with "
            f"{found.reward:.6f} {MACHINES}"
        )
    if sample is not None and found.record is not None:
        there, here = sample.moves.played(), found.record.played()
        if there != here:
            number = next((k for k, pair in enumerate(zip(there, here, strict=False), 1) if pair[0] != pair[1]), 0)
            raise BenchmarkError(f"{where}: played anew, decision {number} is another than in the record {MACHINES}")
