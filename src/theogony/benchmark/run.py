"""`theogony benchmark run` and `join`: train where an agent learns, play a suite, write one results file."""

from __future__ import annotations

import functools
import json
import os
import platform
import time
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any, Generic, NamedTuple

from theogony import __version__
from theogony.benchmark import programs, training
from theogony.benchmark.agents import KINDS, Agent, describe, filled, runs_of
from theogony.benchmark.games import BenchmarkTable, Dealt, Job, played_task, series_of
from theogony.benchmark.marks import counted
from theogony.benchmark.results import (
    FORMAT,
    Anchors,
    Machine,
    PlayedTask,
    Results,
    Seconds,
    as_bytes,
    read_results,
    shipped_anchors,
)
from theogony.benchmark.score import figures_of
from theogony.benchmark.tasks import TRACKS, BenchmarkError, Strict, Suite, Tasks, TrackName
from theogony.benchmark.training import is_learner
from theogony.benchmark.verify import check
from theogony.console import interrupt
from theogony.console.progress import Progress, clock, track
from theogony.envs.core.untrusted.checked import checked
from theogony.envs.core.untrusted.files import make_folder, naming, replace_file, sync_folder
from theogony.training.players.threads import one_thread
from theogony.training.rating.arena import Done, Kept, Outcome, Store, processors
from theogony.training.storage.disk import remove_leftovers

# ---- Work under way, in `RESULTS.partial`: a header, and a line for every job that is done, such as a deal

WRITTEN = (b"{\n", b"\x1f\x8b")  # how results begin, packed or not; games under way begin with `{"`


class Line(Strict, Generic[Done]):
    """What came of one job, and how long all sessions had taken by then."""

    wall: float
    done: Done


def partial_of(results: Path) -> Path:
    """The file of games under way beside a results file."""
    return results.with_name(f"{results.name}.partial")


def tidy(results: Path) -> None:
    """Take away what a killed run left beside a results file, and name results that it had written and not named."""
    partial = partial_of(results)
    remove_leftovers(results.parent, (results.name, partial.name))
    if partial.is_file():
        with partial.open("rb") as file:
            begins = file.read(2)
        if begins in WRITTEN:
            with naming(results):
                os.replace(partial, results)
            sync_folder(results.parent)


class Partial(Kept[Outcome]):
    """What was done so far, a `line` each. Raises BenchmarkError when the file is of something else, or damaged."""

    def __init__(self, results: Path, header: dict[str, Any], line: type[Line[Outcome]]) -> None:
        super().__init__()
        self.path, self._results, self._line, self.wall = partial_of(results), results, line, 0.0
        self._store = Store(self.path, BenchmarkError)
        if self.path.exists():
            self._read(header)
        else:
            make_folder(self.path.parent)
            self._store.begin(json.dumps(header).encode())
        self._begun = time.monotonic() - self.wall
        interrupt.say(f"what was done is in {self.path}; go on with the same command")

    def _read(self, header: dict[str, Any]) -> None:
        lines = self._store.read()
        found = json.loads(next(lines, ("", b"null"))[1])
        if found != json.loads(json.dumps(header)):
            what = next((key for key in header if not isinstance(found, dict) or found.get(key) != header[key]), "it")
            raise BenchmarkError(f"{self.path}: is of something else: {what} differs; remove it, or name another file")
        for what, line in lines:
            one = checked(self._line, line, what, BenchmarkError)
            self.done[one.done.key], self.wall = one.done, max(self.wall, one.wall)

    def keep(self, done: Outcome) -> None:
        """Write it down at once."""
        self.wall = time.monotonic() - self._begun
        self._store.add(self._line(wall=self.wall, done=done).model_dump_json().encode())

    def finish(self, results: bytes) -> None:
        """Put the results into the place of the games, then name them, so that never both are there. Raises OSError."""
        replace_file(self.path, results)
        tidy(self._results)


# ---- `run --cost`: what a suite takes of a processor, by one deal of each task, before it is played

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
    games, found = [(task, task.make_game()) for task in asked.suite.tasks], []
    player = asked.player if asked.track is None else STAND_IN
    table = BenchmarkTable(describe(player, asked.name, asked.seed, games, None, asked.runs))
    jobs = {task.id: [Job(task, against, 0) for against in task.opponents] for task, _ in games}
    table.warm_up([job for some in jobs.values() for job in some])
    with one_thread():
        for task, _ in track(games, "one deal of each task", "tasks"):
            dealt = [table.play(job) for job in jobs[task.id]]
            sums = sum(len(one.games) for one in dealt), sum(one.cpu for one in dealt)
            found.append(Cost(task.id, task.deals * sums[0], task.deals * sums[1]))
    return sorted(found, key=lambda one: one.seconds)


def said(asked: Asked, found: Sequence[Cost], seeds: int) -> str:
    """The costs as text, a line each task."""
    wide = max(len(one.task) for one in found)
    games, whole = sum(one.games for one in found), sum(one.seconds for one in found)
    rows = [*found, Cost("all of a seed", games, whole)]
    rows += [Cost(f"{seeds} seeds", games * seeds, whole * seeds)] if seeds > 1 else []
    lines = [f"{one.task:<{wide}}  {one.games:>7,} games {_time(one.seconds):>11} of a processor" for one in rows]
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


# ---- `run`


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
        if is_learner(self.player) != (self.track is not None):
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


def run(
    asked: Asked, workers: int | None = None, cluster: str | None = None, anchors: Anchors | None = None
) -> Results:
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
            player, place = filled(asked.player, task, game, asked.seed), asked.runs / task.id
            asked.learner.train(player, task, game, asked.track, asked.seed, place, "go on with the same command")
    agent = describe(asked.player, asked.name, asked.seed, games, asked.track, asked.runs)
    if there is not None:
        _check_there(there, asked.out, agent, tasks)
        partial_of(asked.out).unlink(missing_ok=True)
        return there
    shown = [task.model_dump(exclude={"anchor"}) for task in tasks]
    header = {"format": FORMAT, "suite": suite.name, "agent": agent.model_dump(), "tasks": shown}
    partial = Partial(asked.out, header, Line[Dealt])
    make = functools.partial(BenchmarkTable, agent, asked.runs.absolute())
    partial.play(make, jobs_of(suite), f"benchmark {suite.name}", workers, cluster, _teller(suite, partial.done))
    results = _results(asked, agent, tasks, partial)
    partial.finish(as_bytes(results, asked.out))
    return results


def _teller(suite: Suite, done: Mapping[Any, Dealt]) -> Callable[[Progress, Dealt], None]:
    """Return what says which task is played, and after the first deals of all, once, what all of them take."""
    told = [foretold(suite, done.values())]

    def tell(progress: Progress, dealt: Dealt) -> None:
        progress.note = f"{dealt.task} against {dealt.against}"
        if told[-1] is None and progress.done < (progress.total or 0):
            told.append(foretold(suite, done.values()))
            if told[-1] is not None:
                progress.tell(told[-1])

    return tell


def _check_asked(there: Results, asked: Asked) -> None:
    """Whether results that are there are of what is asked for, as far as its names say. Raises BenchmarkError."""
    agent = ("name", "player", "seed", "track")
    for what, found, value in (
        ("suite", there.suite, asked.suite.name),
        ("tasks", [task.id for task in there.tasks], [task.id for task in asked.suite.tasks]),
        *((f"the agent's {key}", getattr(there.agent, key), getattr(asked, key)) for key in agent),
    ):
        if found != value:
            raise _holds_others(asked.out, f"{what} is {found!r:.80} there, and {value!r:.80} here")


def _check_there(there: Results, out: Path, agent: Agent, tasks: list[PlayedTask]) -> None:
    """Whether results that are there are what would be written, but for times. Raises BenchmarkError."""
    if there.theogony != __version__:
        raise _holds_others(out, f"theogony {there.theogony} measured them, and this is {__version__}")
    if there.agent != agent:
        raise _holds_others(out, "what the agent plays by has another SHA-256 now")
    if differs := [one.id for one, here in zip(there.tasks, tasks, strict=True) if one != here]:
        raise _holds_others(out, f"{differs[0]} differs: its deals, its opponents, its game, or what 0 and 1 are")


def _holds_others(out: Path, why: str) -> BenchmarkError:
    return BenchmarkError(f"{out}: holds other results: {why}; remove it, or name another file")


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


def _results(asked: Asked, agent: Agent, tasks: list[PlayedTask], partial: Partial[Dealt]) -> Results:
    suite = asked.suite
    learnt = [asked.learner.trained(task, asked.runs / task.id) for task in suite.tasks if asked.track is not None]
    times = [seconds for _, seconds in learnt]
    dealt = [
        partial.done[task.id, against, deal]
        for task in suite.tasks
        for against in task.opponents
        for deal in range(task.deals)
    ]
    series, crashes, records = series_of(dealt)
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
        records=records,
        seconds=Seconds(wall=round(partial.wall, 3), cpu=round(cpu, 3), agent_cpu=round(own, 3), training=times),
        machine=machine(),
        **figures_of(tasks, series)._asdict(),
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
    row = f"{{:<28}}{{:<{wide}}}{{:>6}}{{:>7}}{{:>6}}{{:>9}}{{:>9}}  {{}}".format
    lines = [row("task", "against", "won", "drawn", "lost", "crashed", "reward", "score")]
    for one in results.figures:
        counts = map(sum, (one.wins, one.draws, one.losses, one.crashes))
        score = "-" if one.score is None else f"{one.score:.2f} ({one.low:.2f} to {one.high:.2f})"
        lines.append(row(one.task, one.against, *counts, f"{one.reward:.3f}", score))
    if (o := results.overall) is not None:
        tasks = counted(o.tasks, "task")
        lines.append(f"interquartile mean over {tasks}: {o.iqm:.2f} (95 % interval {o.low:.2f} to {o.high:.2f})")
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


# ---- `theogony benchmark join`: one results file of a suite, from several that each played some of its tasks
#
# Tasks of a long suite can be played on several machines (`run SUITE --only TASK`). Games follow from the task, the
# agent and its seed alone, so the file is the one that a single run would have written, but for times and the
# machine.

AND = " and "  # between the names of machines
SAME = ("name", "player", "trained", "track", "seed")  # of the agent, in every part


def join(suite: str, files: Sequence[Path], tasks: Tasks | None = None, anchors: Anchors | None = None) -> Results:
    """What `files` hold together, in the order of the suite's tasks.

    Raises BenchmarkError naming a file whose figures do not fit, which is of another agent or version, or which has a
    task that is not of the suite, or that another file has too.
    """
    members = [task.id for task in Suite.named(suite, tasks).tasks]
    parts: dict[str, Results] = {}  # by task
    first: Results | None = None
    for file in files:
        part = read_results(file)
        first = first or part
        try:
            check(part, tasks, anchors)
            _check_same(part, first)
            for played in part.tasks:
                if played.id not in members:
                    raise BenchmarkError(f"{played.id}: is no task of the suite {suite}")
                if played.id in parts:
                    raise BenchmarkError(f"{played.id}: is in another of the files as well")
        except BenchmarkError as error:
            raise BenchmarkError(f"{file}: {error}") from None
        parts |= {played.id: part for played in part.tasks}
    if first is None:
        raise BenchmarkError("there are no files to join")
    return _joined(suite, first, {task: parts[task] for task in members if task in parts})


def _check_same(part: Results, first: Results) -> None:
    """Both are of one agent, measured by one version. Raises BenchmarkError."""
    for name in SAME:
        mine, other = getattr(part.agent, name), getattr(first.agent, name)
        if mine != other:
            raise BenchmarkError(f"the agent's {name} is {mine!r}, {other!r} in the first file")
    if part.theogony != first.theogony:
        raise BenchmarkError(f"was measured by theogony {part.theogony}, the first file by {first.theogony}")


def _joined(suite: str, first: Results, parts: dict[str, Results]) -> Results:
    def of_each(what: str) -> list[Any]:
        return [one for task, part in parts.items() for one in getattr(part, what) if one.task == task]

    tasks = [played for task, part in parts.items() for played in part.tasks if played.id == task]
    games = of_each("games")
    files = list({id(part): part for part in parts.values()}.values())
    kind = max((part.agent.kind for part in files), key=KINDS.index)
    digests = {task: part.agent.sha256[task] for task, part in parts.items()}
    sums = {name: round(sum(getattr(part.seconds, name) for part in files), 3) for name in ("wall", "cpu", "agent_cpu")}
    learnt = {one.task: one for part in files for one in part.seconds.training}
    return Results(
        format=first.format,
        suite=suite,
        theogony=first.theogony,
        agent=first.agent.model_copy(update={"kind": kind, "sha256": digests}),
        tasks=tasks,
        training=of_each("training"),
        games=games,
        crashes=of_each("crashes"),
        records=of_each("records"),
        seconds=Seconds(**sums, training=[learnt[task] for task in parts if task in learnt]),
        machine=_machine([part.machine for part in files]),
        **figures_of(tasks, games)._asdict(),
    )


def _machine(machines: list[Machine]) -> Machine:
    """All of them: names stand side by side, each once, and `processors` is the most that one of them has."""
    names = {
        name: AND.join(dict.fromkeys(part for one in machines for part in str(getattr(one, name)).split(AND)))
        for name in Machine.model_fields
    }
    return Machine.model_validate(names | {"processors": max(one.processors for one in machines)})
