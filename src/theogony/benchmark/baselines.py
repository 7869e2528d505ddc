"""The project's own entries: `python -m theogony.benchmark.baselines leaderboard/baselines.yaml`.

Plays what is missing in `results/` beside the file, entry by entry, task by task and seed by seed. After every task its
games are in the results file of that seed, so what was played can be kept at any time, and it goes on where it was
stopped. What fails is said at the end, and keeps nothing else from being played. Programs that the list names are run.
"""

from __future__ import annotations

import contextlib
import shutil
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, NamedTuple

import yaml
from pydantic import Field

from theogony.benchmark.exploit import run as hunting
from theogony.benchmark.exploit.file import EXPLOITS
from theogony.benchmark.exploit.tables import task_at
from theogony.benchmark.join import join
from theogony.benchmark.play.run import Asked, run, runs_of, table
from theogony.benchmark.results.file import read_results, write_results
from theogony.benchmark.results.submission import METADATA, Metadata, Text
from theogony.benchmark.tasks import BenchmarkError, Strict, Suite, Task
from theogony.benchmark.tracks import TrackName
from theogony.console import interrupt
from theogony.envs.core.untrusted.checked import checked
from theogony.envs.core.untrusted.files import make_folder, replace_file
from theogony.envs.core.untrusted.outside_yaml import read_yaml

FOLDER = "results"
BUDGET = 1_000_000  # decisions that an exploiter learns from
OF_TWO, DEALS = 200, 100  # fresh deals at a table of two, and at larger ones, which have more games in each
PARTS = "parts.runs"  # in the folder of an entry: tasks that are being played


class Baseline(Strict):
    """One entry: who plays what, with which seeds. `only`: these tasks of the suite. `also`: other suites, whole.
    `exploit`: tables, or tasks at them, where learners play against it alone, to find how far it can be beaten."""

    name: Annotated[str, Field(pattern=r"^[a-z0-9][a-z0-9_.-]*$")]
    agent: Text
    description: Text
    suite: Text
    only: list[str] = []
    also: list[Text] = []
    exploit: list[Text] = []
    seeds: Annotated[list[Annotated[int, Field(ge=0)]], Field(min_length=1)] = [0]
    track: TrackName | None = None
    trained: bool = False

    def tasks(self) -> list[tuple[str, Task]]:
        """What it plays, each task behind its suite. Raises BenchmarkError for what is not of its suite."""
        first = Suite.named(self.suite, only=",".join(self.only))
        return [(suite.name, task) for suite in (first, *map(Suite.named, self.also)) for task in suite.tasks]

    def metadata(self) -> Metadata:
        """What `metadata.yaml` of the entry says."""
        config = self.agent if self.track else None
        return Metadata(
            name=self.name,
            authors="Theogony contributors",
            description=self.description,
            trained=self.trained or self.track is not None,
            config=config,
        )


class Baselines(Strict):
    """The whole file, in the order in which entries are played."""

    baselines: list[Baseline]


class Failure(NamedTuple):
    """What could not be played, and why."""

    name: str
    seed: int
    reason: str


def read_baselines(file: Path) -> list[Baseline]:
    """The entries of a file. Raises BenchmarkError."""
    content, _ = read_yaml(file, str(file), BenchmarkError)
    return checked(Baselines, content, str(file), BenchmarkError).baselines


def play(file: Path, workers: int | None = None, names: Sequence[str] = ()) -> tuple[list[Path], list[Failure]]:
    """Play what is missing, of all entries or of those that are named. Returns the results files that were written, and
    what failed, which keeps nothing else from being played. Raises BenchmarkError when the list is wrong."""
    entries = read_baselines(file)
    if strange := set(names) - {one.name for one in entries}:
        raise BenchmarkError(f"{file}: there is no entry {min(strange)}")
    written: dict[Path, None] = {}
    failed = []
    for one in [one for one in entries if not names or one.name in names]:
        folder = file.parent / FOLDER / one.name
        make_folder(folder)
        metadata = one.metadata().model_dump(exclude_none=True)
        replace_file(folder / METADATA, yaml.safe_dump(metadata, sort_keys=False, width=120).encode())
        for suite, task, seed in [(*task, seed) for task in one.tasks() for seed in one.seeds]:
            out = folder / f"{suite}-{seed}.json.gz"
            try:
                if _add(one, Suite(suite, (task,)), seed, out, workers):
                    written[out] = None
            except Exception as problem:
                failed.append(_failure(one, seed, problem))
        for task in map(task_at, one.exploit):
            try:
                if found := _hunt(one, task, folder, workers):
                    written[found] = None
            except Exception as problem:
                failed.append(_failure(one, one.seeds[0], problem))
    return list(written), failed


def _failure(one: Baseline, seed: int, problem: Exception) -> Failure:
    found = Failure(one.name, seed, " ".join(f"{type(problem).__name__}: {problem}".split()))
    print(found.reason, flush=True)
    return found


def _hunt(one: Baseline, task: Task, folder: Path, workers: int | None) -> Path | None:
    """Find out how far an entry can be beaten at the table of a task, where that is not known yet. Returns the file."""
    out = folder / EXPLOITS / f"{task.id.partition('p-')[0]}p.json"
    if out.exists():
        hunting.remove_partials(out)  # a run may have been killed when it had just written
        return None
    print(f"{one.name}, beaten at {task.id}", flush=True)
    entry = one.agent if one.track is None else str(folder / f"{one.suite}-{one.seeds[0]}.json.gz")
    deals = OF_TWO if task.make_game().players == 2 else DEALS
    print(hunting.table(hunting.exploit(hunting.Hunt(entry, task, BUDGET, out, deals=deals), workers)), flush=True)
    return out


def _add(one: Baseline, suite: Suite, seed: int, out: Path, workers: int | None) -> bool:
    """Play a task that a results file does not have, and join it to that file; take away what a run needed on its way,
    a killed one as well. Returns whether it was missing."""
    task, there = suite.tasks[0].id, [out] if out.exists() else []
    part = out.parent / PARTS / f"{task}-{seed}.json.gz"
    missing = all(played.id != task for file in there for played in read_results(file).tasks)
    if missing:
        print(f"{one.name}, seed {seed}, {task}", flush=True)
        print(table(run(Asked(suite, one.agent, part, one.name, seed, one.track), workers)), flush=True)
        write_results(join(suite.name, [*there, part]), out)
    if (learnt := runs_of(part) / task).is_dir():
        make_folder(runs_of(out))
        shutil.rmtree(runs_of(out) / task, ignore_errors=True)
        learnt.rename(runs_of(out) / task)
    shutil.rmtree(runs_of(part), ignore_errors=True)
    part.unlink(missing_ok=True)
    with contextlib.suppress(OSError):  # other tasks may be under way
        part.parent.rmdir()
    return missing


def main(arguments: list[str]) -> None:
    """Play a list, and end with what failed."""
    usage = "usage: python -m theogony.benchmark.baselines FILE.yaml [WORKERS] [ENTRY ...]"
    if not arguments or not "".join(arguments[1:2] or ["1"]).isdecimal():
        raise SystemExit(usage)
    try:
        written, failed = play(Path(arguments[0]), int(arguments[1]) if arguments[1:] else None, arguments[2:])
    except ValueError as problem:
        raise SystemExit(f"theogony.benchmark.baselines: {problem}") from None
    print(f"{len(written)} results files were written, {len(failed)} failed")
    for one in failed:
        print(f"failed: {one.name}, seed {one.seed}: {one.reason}")
    if failed:
        raise SystemExit(1)


if __name__ == "__main__":
    interrupt.catch()
    try:
        main(sys.argv[1:])
    except interrupt.Interrupt:
        interrupt.leave()
