"""What a score of 0 and of 1 is: mean rewards of random and of the reference player, measured on the same deals.

They are in `anchors.json`, written from the entries `random`, `greedy` and `reference` of a folder of submissions:
`python -m theogony.benchmark.anchors benchmark/results`. Greedy is 1 where there is no reference player. All results
files of the folder are written anew, with the scores that follow.
"""

from __future__ import annotations

import functools
import json
import sys
from collections.abc import Sequence
from pathlib import Path

from pydantic import TypeAdapter, ValidationError

from theogony.benchmark.tasks import BenchmarkError, Strict
from theogony.envs.core.files import replace_file
from theogony.envs.core.outside import read_json

ANCHORS = Path(__file__).with_name("anchors.json")
ZERO, ONES = "random", ("greedy", "reference")  # entries; of those for 1, the last that played a task
LEAST = 0.02  # difference of rewards below which 0 and 1 are not told apart


class Anchor(Strict):
    """The mean rewards that score 0 and 1 against each opponent of a task; `player` is who scores 1."""

    player: str
    task_digest: str
    theogony: str
    opponents: dict[str, tuple[float, float]]

    def score(self, against: str, reward: float) -> float | None:
        """The score of a mean reward; None against whom 0 and 1 are not known, or not told apart."""
        if against not in self.opponents:
            return None
        zero, one = self.opponents[against]
        return None if one - zero < LEAST else (reward - zero) / (one - zero)


Anchors = dict[str, Anchor]  # by the id of the task
_FILE = TypeAdapter(Anchors)


def read_anchors(path: Path) -> Anchors:
    """The anchors of a file. Raises BenchmarkError."""
    try:
        return _FILE.validate_json(json.dumps(read_json(path, str(path), BenchmarkError)))
    except ValidationError as error:
        raise BenchmarkError(f"{path}: {error.errors()[0]['msg']}") from None


@functools.cache
def shipped_anchors() -> Anchors:
    """Those of this version."""
    return read_anchors(ANCHORS)


def measure(zero: Path, ones: Sequence[Path]) -> Anchors:
    """Anchors from results files of random play, and of the players that score 1. Raises BenchmarkError."""
    from theogony.benchmark.results import read_results

    low, found = read_results(zero), {}
    floors = {(figure.task, figure.against): figure.reward for figure in low.figures}
    for path in ones:
        high = read_results(path)
        for task in high.tasks:
            mine = {figure.against: figure.reward for figure in high.figures if figure.task == task.id}
            if any((task.id, against) not in floors for against in mine):
                raise BenchmarkError(f"{zero}: has not played {task.id} against all of {', '.join(mine)}")
            pairs = {against: (floors[task.id, against], reward) for against, reward in mine.items()}
            found[task.id] = Anchor(
                player=high.agent.name, task_digest=task.digest, theogony=high.theogony, opponents=pairs
            )
    return found


def rescore(path: Path, anchors: Anchors) -> None:
    """Write a results file anew with the scores that follow from other anchors; the games stay as they are."""
    from theogony.benchmark.results import read_results, write_results
    from theogony.benchmark.score import figures_of

    old = read_results(path)
    tasks = [task.model_copy(update={"anchor": anchors.get(task.id)}) for task in old.tasks]
    found = figures_of(tasks, old.games)._asdict()
    write_results(old.model_copy(update={"tasks": tasks, **found}), path)


def measure_all(folder: Path) -> Anchors:
    """Anchors from the entries of a folder, for every suite that random and another of them have played."""
    found: Anchors = {}
    for zero in sorted((folder / ZERO).glob("*.json*")):
        ones = [path for name in ONES if (path := folder / name / zero.name).is_file()]
        found |= measure(zero, ones)
    return found


def _main(folder: Path) -> None:
    anchors = {**read_anchors(ANCHORS), **measure_all(folder)}
    content = {task: anchor.model_dump() for task, anchor in sorted(anchors.items())}
    replace_file(ANCHORS, json.dumps(content, indent=1).encode() + b"\n")
    files = [path for path in sorted(folder.glob("*/*")) if path.name.endswith((".json", ".json.gz"))]
    for file in files:
        rescore(file, anchors)
    print(f"{ANCHORS}: {len(content)} tasks; {len(files)} files scored anew")


if __name__ == "__main__":
    if len(sys.argv) != 2:
        raise SystemExit("usage: python -m theogony.benchmark.anchors FOLDER")
    try:
        _main(Path(sys.argv[1]))
    except BenchmarkError as problem:
        raise SystemExit(f"theogony.benchmark.anchors: {problem}") from None
