"""`theogony benchmark run`: train where a training file or a program is given, play a suite, write one results file."""

from __future__ import annotations

import functools
import platform
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType

from theogony.benchmark import programs
from theogony.benchmark.agents import Agent, describe, filled
from theogony.benchmark.digests import digest_of
from theogony.benchmark.opponents import player_of
from theogony.benchmark.play import training
from theogony.benchmark.play.cost import foretold
from theogony.benchmark.play.games import BenchmarkTable, Dealt, Job
from theogony.benchmark.play.partial import Partial, partial_of, tidy
from theogony.benchmark.play.series import series_of
from theogony.benchmark.play.training import is_training_file
from theogony.benchmark.results.anchors import Anchor, Anchors, shipped_anchors
from theogony.benchmark.results.file import (
    FORMAT,
    PACKED,
    Machine,
    PlayedTask,
    Results,
    Seconds,
    as_bytes,
    read_results,
)
from theogony.benchmark.results.score import figures_of
from theogony.benchmark.tasks import TEAM, BenchmarkError, Suite, Task
from theogony.benchmark.tracks import TRACKS, TrackName
from theogony.console import interrupt
from theogony.console.progress import Progress
from theogony.envs.core.contract import deal_seed
from theogony.envs.core.game import Game
from theogony.training.rating.workers import each, on_cluster, processors


@dataclass(frozen=True)
class Asked:
    """What is to be measured: an agent, by a player's name, a training file or a program, in a suite, with one seed."""

    suite: Suite
    player: str
    out: Path
    name: str
    seed: int = 0
    track: TrackName | None = None

    def __post_init__(self) -> None:
        if self.seed < 0:
            raise BenchmarkError(f"seed: {self.seed}: expected 0 or more")
        if former := [task.id for task in self.suite.tasks if task.former]:
            raise BenchmarkError(f"{former[0]}: is of rules as they were, and is not played any more")
        if (is_training_file(self.player) or programs.is_program(self.player)) != (self.track is not None):
            here = f"expected one of --track {', '.join(TRACKS)}" if self.track is None else "expected no --track"
            raise BenchmarkError(
                f"{self.player}: a training file or a program needs a track, and nothing else has one: {here}"
            )

    @property
    def learner(self) -> ModuleType:
        """What has `train` and `trained` for an agent that learns."""
        return programs if programs.is_program(self.player) else training

    @property
    def runs(self) -> Path:
        """The folder of the runs that are trained for the tasks."""
        return runs_of(self.out)


def runs_of(results: Path) -> Path:
    """Where the runs of a results file are: `orbis-0.json.gz` has `orbis-0.runs`."""
    return results.with_name(f"{results.name.removesuffix(PACKED).removesuffix('.json')}.runs")


def run(asked: Asked, workers: int | None = None, distributed: bool = False, anchors: Anchors | None = None) -> Results:
    """Train what there is to train, play every deal that the partial file beside `out` does not have, write `out`.

    A file that is there already is what it would write again, and stays: so of several seeds none is played twice.
    Raises ConfigError, PlayerError, CheckpointError, ClusterError or BenchmarkError before anything is played, and
    OSError.
    """
    suite, games = asked.suite, [(task, task.make_game()) for task in asked.suite.tasks]
    tidy(asked.out)
    there = read_results(asked.out) if asked.out.exists() else None
    if there is not None:
        _check_asked(there, asked)
    measured = shipped_anchors() if anchors is None else anchors
    tasks = [played_task(task, game, measured) for task, game in games]
    if asked.track is not None:
        for task, game in games:
            player = filled(asked.player, task, game, asked.seed)
            again = "go on with the same command"
            asked.learner.train(player, task, game, asked.track, asked.seed, asked.runs / task.id, again)
    agent = describe(asked.player, asked.name, asked.seed, games, asked.track, asked.runs)
    if there is not None:
        _check_there(there, asked.out, agent, tasks)
        partial_of(asked.out).unlink(missing_ok=True)
        return there
    jobs = jobs_of(suite)
    partial = Partial(asked.out, _header(suite, agent, tasks))
    interrupt.say(f"what was played is in {partial.path}; go on with the same command")
    left = [job for job in jobs if job.key not in partial.dealt]
    make = functools.partial(BenchmarkTable, agent, asked.runs.absolute())
    count = workers or processors()
    _keep(on_cluster(make, left) if distributed else each(make, left, count), partial, suite, len(jobs))
    results = _results(asked, agent, tasks, partial)
    partial.finish(as_bytes(results, asked.out))
    return results


def _check_asked(there: Results, asked: Asked) -> None:
    """Whether results that are there are of what is asked for, as far as its names say. Raises BenchmarkError."""
    wanted = {"name": asked.name, "player": asked.player, "seed": asked.seed, "track": asked.track}
    pairs = [("suite", there.suite, asked.suite.name)]
    pairs += [("tasks", [task.id for task in there.tasks], [task.id for task in asked.suite.tasks])]
    pairs += [(f"the agent's {key}", getattr(there.agent, key), value) for key, value in wanted.items()]
    for what, found, value in pairs:
        if found != value:
            raise _holds_others(asked.out, f"{what} is {found!r:.80} there, and {value!r:.80} here")


def _check_there(there: Results, out: Path, agent: Agent, tasks: list[PlayedTask]) -> None:
    """Whether results that are there are what would be written, but for times. Raises BenchmarkError."""
    from theogony import __version__

    if there.theogony != __version__:
        raise _holds_others(out, f"theogony {there.theogony} measured them, and this is {__version__}")
    if there.agent != agent:
        raise _holds_others(out, "what the agent plays by has another SHA-256 now")
    if differs := [one.id for one, here in zip(there.tasks, tasks, strict=True) if one != here]:
        raise _holds_others(out, f"{differs[0]} differs: its deals, its opponents, its game, or what 0 and 1 are")


def _holds_others(out: Path, why: str) -> BenchmarkError:
    return BenchmarkError(f"{out}: holds other results: {why}; remove it, or name another file")


def _keep(done: Iterable[Dealt], partial: Partial, suite: Suite, jobs: int) -> None:
    """Write down every deal at once, and tell after the first of every task what all of them take."""
    told = foretold(suite, partial.dealt.values())
    with Progress(f"benchmark {suite.name}", jobs, "deals", len(partial.dealt)) as progress:
        for dealt in partial.keep(done):
            progress.note = f"{dealt.task} against {dealt.against}"
            progress.add()
            if told is None and progress.done < jobs and (told := foretold(suite, partial.dealt.values())):
                progress.tell(told)


def jobs_of(suite: Suite) -> list[Job]:
    """What is to be played, the first deal of every task before the second of any: so the time that is left is known
    from the beginning."""
    return [
        Job(task, against, deal)
        for deal in range(max(task.deals for task in suite.tasks))
        for task in suite.tasks
        if deal < task.deals
        for against in task.opponents
    ]


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
        anchor=_anchor(task, anchors.get(task.id)),
    )


def _anchor(task: Task, anchor: Anchor | None) -> Anchor | None:
    """What 0 and 1 are in a task, or in its first deals; None where that was measured for another task."""
    if anchor is None or anchor.task_digest == task.digest:
        return anchor
    measured = max((len(zero) for zero, _ in anchor.deals.values()), default=0)
    whole = task.model_copy(update={"deals": measured})
    if task.deals < measured and whole.digest == anchor.task_digest:
        return anchor.of_first(task.deals, task.digest)
    return None


def _header(suite: Suite, agent: Agent, tasks: list[PlayedTask]) -> dict[str, object]:
    """What must be the same for work to go on from a partial file."""
    shown = [task.model_dump(exclude={"anchor"}) for task in tasks]
    return {"format": FORMAT, "suite": suite.name, "agent": agent.model_dump(), "tasks": shown}


def _results(asked: Asked, agent: Agent, tasks: list[PlayedTask], partial: Partial) -> Results:
    from theogony import __version__

    suite = asked.suite
    learnt = [asked.learner.trained(task, asked.runs / task.id) for task in suite.tasks if asked.track is not None]
    keys = [
        (task.id, against, deal) for task in suite.tasks for against in task.opponents for deal in range(task.deals)
    ]
    dealt = [partial.dealt[key] for key in keys]
    series, crashes, records = series_of(dealt)
    figures = figures_of(tasks, series)
    cpu, own = sum(one.cpu for one in dealt), sum(one.agent_cpu for one in dealt)
    return Results(
        format=FORMAT,
        suite=suite.name,
        theogony=__version__,
        agent=agent,
        tasks=tasks,
        training=[one for one, _ in learnt],
        games=series,
        crashes=crashes,
        figures=figures.figures,
        scores=figures.scores,
        overall=figures.overall,
        records=records,
        seconds=Seconds(
            wall=round(partial.wall, 3),
            cpu=round(cpu, 3),
            agent_cpu=round(own, 3),
            training=[times for _, times in learnt],
        ),
        machine=machine(),
    )


def machine() -> Machine:
    """This machine."""
    import numba
    import numpy as np

    return Machine(
        system=platform.platform(),
        processor=_processor(),
        processors=processors(),
        python=platform.python_version(),
        numpy=np.__version__,
        numba=numba.__version__,
    )


def _processor() -> str:
    """The processor's name, as the system has it."""
    try:
        lines = Path("/proc/cpuinfo").read_text("utf-8").splitlines()
        return next(line.partition(":")[2].strip() for line in lines if line.startswith("model name"))
    except (OSError, StopIteration):
        return platform.processor() or platform.machine()


def table(results: Results) -> str:
    """The figures of a run as text, a line each."""
    wide = max((len(one.against) + 2 for one in results.figures), default=12)
    lines = [f"{'task':<28}{'against':<{wide}}{'won':>6}{'drawn':>7}{'lost':>6}{'crashed':>9}{'reward':>9}  score"]
    for one in results.figures:
        counts = [sum(values) for values in (one.wins, one.draws, one.losses, one.crashes)]
        score = "-" if one.score is None else f"{one.score:.2f} ({one.low:.2f} to {one.high:.2f})"
        lines.append(
            f"{one.task:<28}{one.against:<{wide}}{counts[0]:>6}{counts[1]:>7}{counts[2]:>6}{counts[3]:>9}"
            f"{one.reward:>9.3f}  {score}"
        )
    if results.overall is not None:
        o = results.overall
        tasks = "tasks" if o.tasks > 1 else "task"
        lines.append(
            f"interquartile mean over {o.tasks} {tasks}: {o.iqm:.2f} (95 % interval {o.low:.2f} to {o.high:.2f})"
        )
    if ones := " or ".join(sorted({one.one for one in results.scores})):
        equal = "; - where these two earn the same" if any(one.score is None for one in results.figures) else ""
        lines.append(f"score: 0 is random play, 1 {ones}{equal}")
    if results.crashes:
        first = results.crashes[0]
        lines.append(
            f"{results.agent.name} crashed or played an illegal action, and so lost, in {len(results.crashes)} of "
            f"{sum(len(one.results) for one in results.games):,} games; the first: {first.task}, deal {first.deal}: "
            f"{first.error}"
        )
    return "\n".join(lines)
