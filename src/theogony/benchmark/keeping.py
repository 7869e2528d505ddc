"""Commands of those who keep the leaderboard: `python -m theogony.benchmark.keeping COMMAND ...`.

`play FILE.yaml [WORKERS] [ENTRY ...]` plays what is missing of the project's own entries, `rescore FOLDER` measures
what 0 and 1 are and scores all entries by it, `hold-back RUN` makes an opponent that nobody trains against, and
`keep AGENT` puts a reference player aside before it is replaced, where tasks go on to mean it.
"""

from __future__ import annotations

import contextlib
import json
import shutil
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NamedTuple

import numpy as np
import yaml
from pydantic import Field

from theogony.benchmark import agents
from theogony.benchmark.agents import PREFIX, digest_of_weights, runs_of
from theogony.benchmark.exploit import run as hunting
from theogony.benchmark.exploit.file import task_at
from theogony.benchmark.results import (
    ANCHORS,
    DIGITS,
    EXPLOITS,
    METADATA,
    Anchor,
    Anchors,
    Metadata,
    Text,
    read_anchors,
    read_metadata,
    read_results,
    write_results,
)
from theogony.benchmark.run import Asked, join, run, table
from theogony.benchmark.score import figures_of, means_of
from theogony.benchmark.tasks import BenchmarkError, Strict, Suite, Task, TrackName, shipped
from theogony.console import interrupt
from theogony.envs.core.untrusted.checked import checked
from theogony.envs.core.untrusted.files import make_folder, replace_file
from theogony.envs.core.untrusted.outside_yaml import read_yaml

if TYPE_CHECKING:
    from theogony.training.storage.header import CheckpointHeader

# ---- The project's own entries, `leaderboard/baselines.yaml`
#
# Plays what is missing in `results/` beside the file, entry by entry, seed by seed and task by task. A new entry lies
# in `unfinished/` until all of it is played. After every task its games are in the results file of that seed, so what
# was played can be kept at any time, and it goes on where it was stopped. What fails is said at the end, and keeps
# nothing else from being played. Programs that the list names are run.

FOLDER, UNFINISHED = "results", "unfinished"
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
        return Metadata(
            name=self.name,
            authors="Theogony contributors",
            description=self.description,
            trained=self.trained or self.track is not None,
            config=self.agent if self.track else None,
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
    failed: list[Failure] = []
    wanted = [one for one in entries if not names or one.name in names]
    return [path for one in wanted for path in _play(one, file.parent, workers, failed)], failed


def _play(one: Baseline, room: Path, workers: int | None, failed: list[Failure]) -> list[Path]:
    """Play what is missing of one entry, in a folder of `room`. Returns the files that were written."""
    whole = room / FOLDER / one.name
    folder = whole if whole.is_dir() else room / UNFINISHED / one.name
    make_folder(folder)
    before = read_metadata(folder / METADATA).before if (folder / METADATA).is_file() else {}
    metadata = one.metadata().model_copy(update={"before": before}).model_dump(exclude_none=True)
    replace_file(folder / METADATA, yaml.safe_dump(metadata, sort_keys=False, width=120).encode())
    names, known = dict[str, None](), len(failed)
    for suite, task, seed in [(*task, seed) for seed in one.seeds for task in one.tasks()]:
        out = folder / f"{suite}-{seed}.json.gz"
        with _noted(failed, one, seed):
            if _add(one, Suite(suite, (task,)), seed, out, workers):
                names[out.name] = None
    if folder != whole and len(failed) == known:  # among those that are whole
        make_folder(whole.parent)
        folder = folder.rename(whole)
        with contextlib.suppress(OSError):  # others are not whole yet
            (room / UNFINISHED).rmdir()
    written = [folder / name for name in names]
    for task in map(task_at, one.exploit):
        with _noted(failed, one, one.seeds[0]):
            if found := _hunt(one, task, folder, workers):
                written.append(found)
    return written


@contextlib.contextmanager
def _noted(failed: list[Failure], one: Baseline, seed: int) -> Iterator[None]:
    """What fails in this block is said and noted, and keeps nothing else from being played."""
    try:
        yield
    except Exception as problem:
        failed.append(Failure(one.name, seed, " ".join(f"{type(problem).__name__}: {problem}".split())))
        print(failed[-1].reason, flush=True)


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


# ---- What scores 0 and 1, measured, and all entries by it
#
# The anchors come from the entries `random`, `greedy` and `reference` of that folder, and go to `anchors.json`. Who
# is 1 in a task stays so, since for another player its scores would mean something else; in a new task that is the
# reference player, or greedy where there is none or the task says so. Tasks that are gone lose theirs. All results
# files of the folder are written anew, with the scores that follow.

ZERO, ONES = "random", ("greedy", "reference")  # entries; of those for 1, the last that played a task


def measure(zero: Path, ones: Sequence[Path], former: Anchors | None = None) -> Anchors:
    """Anchors from results files of random play, and of the players that score 1: those of `former` where it has them.

    Raises BenchmarkError.
    """
    low, found = read_results(zero), {}
    named = {task.id: task.one for task in shipped().tasks} | {id: one.player for id, one in (former or {}).items()}
    floors = {(figure.task, figure.against): figure.reward for figure in low.figures}
    for path in ones:
        high = read_results(path)
        for task in high.tasks:
            if named.get(task.id) not in (None, high.agent.name):
                continue
            mine = {figure.against: figure.reward for figure in high.figures if figure.task == task.id}
            if any((task.id, against) not in floors for against in mine):
                raise BenchmarkError(f"{zero}: has not played {task.id} against all of {', '.join(mine)}")
            pairs = {against: (floors[task.id, against], reward) for against, reward in mine.items()}
            both = [np.round(means_of(task, results.games), DIGITS).T.tolist() for results in (low, high)]
            found[task.id] = Anchor(
                player=high.agent.name,
                task_digest=task.digest,
                theogony=high.theogony,
                opponents=pairs,
                deals=dict(zip(task.opponents, zip(*both, strict=True), strict=True)),
            )
    return found


def rescore(path: Path, anchors: Anchors) -> None:
    """Write a results file anew with the scores that follow from other anchors; the games stay as they are."""
    old = read_results(path)
    tasks = [task.model_copy(update={"anchor": anchors.get(task.id)}) for task in old.tasks]
    write_results(old.model_copy(update={"tasks": tasks, **figures_of(tasks, old.games)._asdict()}), path)


def measure_all(folder: Path, former: Anchors) -> Anchors:
    """Anchors from the entries of a folder, for every suite that random and another of them have played."""
    found: Anchors = {}
    for zero in sorted((folder / ZERO).glob("*.json*")):
        ones = [path for name in ONES if (path := folder / name / zero.name).is_file()]
        found |= measure(zero, ones, former)
    return found


def rescore_all(folder: Path) -> None:
    """Measure the anchors anew, write them, and score all results files of a folder by them. Raises BenchmarkError."""
    former = read_anchors(ANCHORS)
    known = {task.id for task in shipped().tasks}
    anchors = {task: one for task, one in {**former, **measure_all(folder, former)}.items() if task in known}
    lines = [f"{json.dumps(task)}: {anchor.model_dump_json()}" for task, anchor in sorted(anchors.items())]
    replace_file(ANCHORS, ("{\n" + ",\n".join(lines) + "\n}\n").encode())
    files = [path for path in sorted(folder.glob("*/*")) if path.name.endswith((".json", ".json.gz"))]
    for file in files:
        rescore(file, anchors)
    print(f"{ANCHORS}: {len(anchors)} tasks; {len(files)} files scored anew")


# ---- Agents that the package keeps: opponents for the evaluation, and reference players that tasks still mean

LARGEST = 500_000  # bytes of weights


def hold_back(run: Path) -> Path:
    """Make the last checkpoint of a run an opponent. Returns its folder. Raises CheckpointError or BenchmarkError."""
    from theogony.training.players.reference import in_half_precision

    header, weights = in_half_precision(run)
    if len(weights) > LARGEST:
        raise BenchmarkError(f"{run}: has {len(weights):,} bytes of weights; expected at most {LARGEST:,}")
    return _put(agents.HELD_BACK, header, weights)


def _put(place: Path, header: CheckpointHeader, weights: bytes) -> Path:
    """Write an agent into a folder of `place` that is named after its game, its table and its weights. Returns it.

    Raises OSError.
    """
    from theogony.training.storage.checkpoint import POLICY
    from theogony.training.storage.header import HEADER

    folder = place / f"{header.game}-{header.options['players']}p-{digest_of_weights(weights)}"
    make_folder(folder)
    replace_file(folder / POLICY, weights)
    replace_file(folder / HEADER, header.as_bytes())
    return folder


def keep_former(agent: Path) -> Path:
    """Put a reference player where it is found when the package comes with another. Returns its folder.

    Raises OSError or CheckpointError.
    """
    from theogony.training.storage.checkpoint import POLICY
    from theogony.training.storage.header import read_header

    return _put(agents.FORMER, read_header(agent), (agent / POLICY).read_bytes())


# ---- The command


def main(arguments: Sequence[str]) -> None:
    """Carry out one of the commands. Ends the process with what failed, or a line where it cannot be carried out."""
    try:
        match list(arguments):
            case ["play", file, *more] if not more or more[0].isdecimal():
                written, failed = play(Path(file), int(more[0]) if more else None, more[1:])
                print(f"{len(written)} results files were written, {len(failed)} failed")
                for one in failed:
                    print(f"failed: {one.name}, seed {one.seed}: {one.reason}")
                if failed:
                    raise SystemExit(1)
            case ["rescore", folder]:
                rescore_all(Path(folder))
            case ["hold-back", first, *others]:
                for learnt in (first, *others):
                    print(f"{PREFIX}{hold_back(Path(learnt)).name}")
            case ["keep", first, *others]:
                for agent in (first, *others):
                    print(keep_former(Path(agent)))
            case _:
                raise SystemExit(__doc__)
    except (ValueError, OSError) as problem:
        raise SystemExit(f"theogony.benchmark.keeping: {problem}") from None


if __name__ == "__main__":
    interrupt.catch()
    try:
        main(sys.argv[1:])
    except interrupt.Interrupt:
        interrupt.leave()
