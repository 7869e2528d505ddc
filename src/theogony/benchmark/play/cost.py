"""`theogony benchmark run --cost`: what a suite takes of a processor, by one deal of each task, before it is played."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING, NamedTuple

from theogony.benchmark.agents import describe
from theogony.benchmark.play.games import BenchmarkTable, Dealt, Job
from theogony.benchmark.tasks import Suite, Task
from theogony.benchmark.tracks import TRACKS
from theogony.console.progress import clock, track
from theogony.training.players.threads import one_thread

if TYPE_CHECKING:
    from theogony.benchmark.play.run import Asked

STAND_IN = "greedy"  # for an agent that has yet to learn


class Cost(NamedTuple):
    """What one seed takes in a task: games, and seconds of a processor that they take."""

    task: str
    games: int
    seconds: float


def costs(asked: Asked) -> list[Cost]:
    """The tasks of a suite, cheap ones first, by their first deal against each opponent. Nothing is kept.

    Raises PlayerError, CheckpointError or BenchmarkError.
    """
    games = [(task, task.make_game()) for task in asked.suite.tasks]
    player = asked.player if asked.track is None else STAND_IN
    table = BenchmarkTable(describe(player, asked.name, asked.seed, games, None, asked.runs))
    jobs = {task.id: [Job(task, against, 0) for against in task.opponents] for task, _ in games}
    table.warm_up([job for some in jobs.values() for job in some])
    with one_thread():
        found = [_cost(task, table, jobs[task.id]) for task, _ in track(games, "one deal of each task", "tasks")]
    return sorted(found, key=lambda one: one.seconds)


def _cost(task: Task, table: BenchmarkTable, jobs: Sequence[Job]) -> Cost:
    dealt = [table.play(job) for job in jobs]
    return Cost(task.id, task.deals * sum(len(one.games) for one in dealt), task.deals * sum(one.cpu for one in dealt))


def said(asked: Asked, found: Sequence[Cost], seeds: int) -> str:
    """The costs as text, a line each task."""
    wide = max(len(one.task) for one in found)
    lines = [f"{one.task:<{wide}}  {one.games:>7,} games {_time(one.seconds):>11} of a processor" for one in found]
    games, whole = sum(one.games for one in found), sum(one.seconds for one in found)
    lines.append(f"{'all of a seed':<{wide}}  {games:>7,} games {_time(whole):>11} of a processor")
    if seeds > 1:
        lines.append(f"{f'{seeds} seeds':<{wide}}  {games * seeds:>7,} games {_time(whole * seeds):>11} of a processor")
    if asked.track is not None:
        lines.append(
            f"learning is not in these figures: before the games come {_trainings(asked, len(found), seeds)}, and "
            f"{STAND_IN} stood in for what they learn"
        )
    return "\n".join(lines)


def in_a_line(asked: Asked, found: Sequence[Cost], seeds: int) -> str:
    """The costs of all seeds of an agent that has yet to learn, in a line."""
    games, whole = seeds * sum(one.games for one in found), seeds * sum(one.seconds for one in found)
    return (
        f"benchmark {asked.suite.name}: {_trainings(asked, len(found), seeds)}, then {games:,} games, which take about "
        f"{_time(whole)} of a processor if what was learnt plays as fast as {STAND_IN}"
    )


def foretold(suite: Suite, dealt: Collection[Dealt]) -> str | None:
    """What all games of a suite take, by the first deal of each task, in a line; None until they are played."""
    first = [one for one in dealt if one.deal == 0]
    if len(first) < sum(len(task.opponents) for task in suite.tasks):
        return None
    deals = {task.id: task.deals for task in suite.tasks}
    games = sum(deals[one.task] * len(one.games) for one in first)
    whole = sum(deals[one.task] * one.cpu for one in first)
    return f"benchmark {suite.name}: by the first deals, {games:,} games take about {_time(whole)} of a processor"


def _trainings(asked: Asked, tasks: int, seeds: int) -> str:
    """How much an agent of a track learns before it plays."""
    assert asked.track is not None
    decisions = TRACKS[asked.track].decisions
    limit = "one hour of the processor" if asked.track == "1h" else f"{decisions:,.0f} decisions"
    return (
        f"{tasks * seeds} trainings of at most {limit} each" if tasks * seeds > 1 else f"a training of at most {limit}"
    )


def _time(seconds: float) -> str:
    """How long, at least a second."""
    return clock(max(seconds, 1.0))
