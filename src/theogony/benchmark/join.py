"""`theogony benchmark join`: one results file of a suite, from several that each played some of its tasks.

Tasks of a long suite can be played on several machines (`run SUITE --only TASK`). Games follow from the task, the agent
and its seed alone, so the file is the one that a single run would have written, but for times and the machine.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from theogony.benchmark.agents import KINDS
from theogony.benchmark.check.verify import check
from theogony.benchmark.results.anchors import Anchors
from theogony.benchmark.results.file import Machine, Results, Seconds, read_results
from theogony.benchmark.results.score import figures_of
from theogony.benchmark.tasks import BenchmarkError, Suite, Tasks

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
        seconds=_seconds(files, list(parts)),
        machine=_machine([part.machine for part in files]),
        **figures_of(tasks, games)._asdict(),
    )


def _seconds(files: list[Results], tasks: list[str]) -> Seconds:
    """Times added up; those of the trainings in the order of tasks."""
    sums = {name: round(sum(getattr(part.seconds, name) for part in files), 3) for name in ("wall", "cpu", "agent_cpu")}
    trained = {one.task: one for part in files for one in part.seconds.training}
    return Seconds(**sums, training=[trained[task] for task in tasks if task in trained])


def _machine(machines: list[Machine]) -> Machine:
    """All of them: names stand side by side, each once, and `processors` is the most that one of them has."""
    names = {
        name: AND.join(dict.fromkeys(part for one in machines for part in str(getattr(one, name)).split(AND)))
        for name in Machine.model_fields
    }
    return Machine.model_validate(names | {"processors": max(one.processors for one in machines)})
