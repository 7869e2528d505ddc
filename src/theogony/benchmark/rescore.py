"""What scores 0 and 1, measured, and all entries by it: `python -m theogony.benchmark.rescore leaderboard/results`.

The anchors come from the entries `random`, `greedy` and `reference` of that folder, and go to `anchors.json`. Who is
1 in a task stays so, since for another player its scores would mean something else; in a new task that is the reference
player, or greedy where there is none or the task says so. Tasks that are gone lose theirs. All results files of the
folder are written anew, with the scores that follow.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from theogony.benchmark.figures import DIGITS
from theogony.benchmark.results.anchors import ANCHORS, Anchor, Anchors, read_anchors
from theogony.benchmark.results.file import PlayedTask, Results, read_results, write_results
from theogony.benchmark.results.score import figures_of, means_of
from theogony.benchmark.tasks import BenchmarkError, shipped
from theogony.envs.core.untrusted.files import replace_file

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
            found[task.id] = Anchor(
                player=high.agent.name,
                task_digest=task.digest,
                theogony=high.theogony,
                opponents=pairs,
                deals=_by_deal(task, low, high),
            )
    return found


def _by_deal(task: PlayedTask, low: Results, high: Results) -> dict[str, tuple[list[float], list[float]]]:
    """What both got in every deal, by opponent; nothing of a task of former rules, which nobody plays any more."""
    if any(one.id == task.id and one.former for one in shipped().tasks):
        return {}
    zero, one = (np.round(means_of(task, results.games), DIGITS).T.tolist() for results in (low, high))
    return dict(zip(task.opponents, zip(zero, one, strict=True), strict=True))


def rescore(path: Path, anchors: Anchors) -> None:
    """Write a results file anew with the scores that follow from other anchors; the games stay as they are."""
    old = read_results(path)
    tasks = [task.model_copy(update={"anchor": anchors.get(task.id)}) for task in old.tasks]
    found = figures_of(tasks, old.games)._asdict()
    write_results(old.model_copy(update={"tasks": tasks, **found}), path)


def measure_all(folder: Path, former: Anchors) -> Anchors:
    """Anchors from the entries of a folder, for every suite that random and another of them have played."""
    found: Anchors = {}
    for zero in sorted((folder / ZERO).glob("*.json*")):
        ones = [path for name in ONES if (path := folder / name / zero.name).is_file()]
        found |= measure(zero, ones, former)
    return found


def _main(folder: Path) -> None:
    former = read_anchors(ANCHORS)
    known = {task.id for task in shipped().tasks}
    anchors = {task: one for task, one in {**former, **measure_all(folder, former)}.items() if task in known}
    lines = [f"{json.dumps(task)}: {anchor.model_dump_json()}" for task, anchor in sorted(anchors.items())]
    replace_file(ANCHORS, ("{\n" + ",\n".join(lines) + "\n}\n").encode())
    files = [path for path in sorted(folder.glob("*/*")) if path.name.endswith((".json", ".json.gz"))]
    for file in files:
        rescore(file, anchors)
    print(f"{ANCHORS}: {len(anchors)} tasks; {len(files)} files scored anew")


if __name__ == "__main__":
    if len(sys.argv) != 2:
        raise SystemExit("usage: python -m theogony.benchmark.rescore FOLDER")
    try:
        _main(Path(sys.argv[1]))
    except BenchmarkError as problem:
        raise SystemExit(f"theogony.benchmark.rescore: {problem}") from None
