"""What was verified of results files, for the leaderboard: `verified.json` beside the submissions.

`theogony benchmark verify FOLDER --mark results/verified.json` writes it. It belongs to those who keep the leaderboard:
a submission is a folder of its own and does not touch it. A mark holds for the games that were verified: their digest
stands with it, and a file that has changed has no mark.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Literal, NamedTuple, TypeVar

from theogony.benchmark.results import Results
from theogony.benchmark.tasks import BenchmarkError, Count, Digest, Strict
from theogony.envs.core.untrusted.checked import checked
from theogony.envs.core.untrusted.files import replace_file
from theogony.envs.core.untrusted.outside import read_bytes

Run = TypeVar("Run")  # results of an agent, or of a model
NAME = "verified.json"
MEASURED = {"format", "suite", "agent", "training", "games", "crashes", "records", "seconds"}  # scores follow from it


class Mark(Strict):
    """One results file: the digest of its games, decisions of opponents that were asked again, games played anew."""

    games: Digest
    opponents: Count
    replayed: Count


class Marks(Strict):
    """The whole file, by the path of a results file from the folder in which this one is."""

    format: Literal["theogony-verified-1"] = "theogony-verified-1"
    files: dict[str, Mark] = {}


class Verified(NamedTuple):
    """What `verify` found of a results file."""

    path: Path
    results: Results
    opponents: int
    replayed: int
    agent: str

    def __str__(self) -> str:
        tasks, records = len(self.results.tasks), len(self.results.records)
        games = sum(len(one.results) for one in self.results.games)
        return (
            f"{self.path}: fits; {counted(tasks, 'task')}, {counted(games, 'game')}, {counted(records, 'record')} "
            f"played again, with {counted(self.opponents, 'decision')} of opponents, "
            f"{counted(self.replayed, 'game')} played anew; {self.agent}"
        )

    @property
    def mark(self) -> Mark:
        """What is written down of it."""
        return Mark(games=digest_of_games(self.results), opponents=self.opponents, replayed=self.replayed)


def counted(number: int, what: str) -> str:
    """So many of something.

    >>> counted(1, "task"), counted(1200, "game")
    ('1 task', '1,200 games')
    """
    return f"{number:,} {what}{'' if number == 1 else 's'}"


def digest_of_games(results: Results) -> str:
    """SHA-256 of what was measured; figures and scores, which follow from it, are not in it."""
    content = json.dumps(results.model_dump(include=MEASURED), sort_keys=True)
    return hashlib.sha256(content.encode()).hexdigest()


def read_marks(path: Path) -> Marks:
    """The marks of a file, none where there is none. Raises BenchmarkError."""
    if not path.exists():
        return Marks()
    return checked(Marks, read_bytes(path, str(path), BenchmarkError), str(path), BenchmarkError)


class Marked(NamedTuple):
    """A results file that was verified just now, and its mark."""

    path: Path
    mark: Mark


def write_marks(path: Path, found: Sequence[Marked | Verified]) -> None:
    """Add what was verified to a file of marks. Raises BenchmarkError for a results file that is not below it."""
    marks, place = dict(read_marks(path).files), path.parent.resolve()
    for one in found:
        if not one.path.resolve().is_relative_to(place):
            raise BenchmarkError(f"{one.path}: is not below {path.parent}, where its mark goes")
        name, mark = one.path.resolve().relative_to(place).as_posix(), one.mark
        if (before := marks.get(name)) is not None and before.games == mark.games:
            mark = mark.model_copy(update={"replayed": max(before.replayed, mark.replayed)})
        marks[name] = mark
    content = Marks(files=dict(sorted(marks.items()))).model_dump_json(indent=1)
    replace_file(path, content.encode() + b"\n")


def level_of(marks: Marks, folder: Path, runs: Sequence[tuple[Path, Run]], digest: Callable[[Run], str]) -> str:
    """What the leaderboard says of the files of an entry: played anew, checked, or neither."""
    found = [marks.files.get(file.resolve().relative_to(folder.resolve()).as_posix()) for file, _ in runs]
    valid = [mark for mark, (_, run) in zip(found, runs, strict=True) if mark and mark.games == digest(run)]
    if len(valid) < len(runs):
        return "-"
    return f"replayed ({sum(mark.replayed for mark in valid)})" if all(m.replayed for m in valid) else "checked"
