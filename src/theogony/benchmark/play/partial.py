"""The file of a benchmark that is under way: `RESULTS.partial`, a header and a line for every deal that was played."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from theogony.benchmark.play.games import Dealt
from theogony.benchmark.tasks import BenchmarkError, Strict
from theogony.envs.core.untrusted.checked import checked
from theogony.envs.core.untrusted.files import make_folder, naming, replace_file, sync_folder
from theogony.envs.core.untrusted.outside import parse_json, read_bytes
from theogony.training.storage.disk import remove_leftovers

LARGEST = 4 << 30  # bytes
WRITTEN = (b"{\n", b"\x1f\x8b")  # how results begin, packed or not; games under way begin with `{"`


class Line(Strict):
    """One deal, and how long all sessions had taken by then."""

    wall: float
    dealt: Dealt


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
            _name(partial, results)


def _name(partial: Path, results: Path) -> None:
    with naming(results):
        os.replace(partial, results)
    sync_folder(results.parent)


class Partial:
    """What was played so far. Raises BenchmarkError when the file there is of something else, or damaged."""

    def __init__(self, results: Path, header: dict[str, Any]) -> None:
        self.path, self._results = partial_of(results), results
        self._begun, self.wall = time.monotonic(), 0.0
        self.dealt: dict[tuple[str, str, int], Dealt] = {}
        if self.path.exists():
            self._read(header)
        else:
            make_folder(self.path.parent)
            replace_file(self.path, json.dumps(header).encode() + b"\n")

    def _read(self, header: dict[str, Any]) -> None:
        first, *lines = read_bytes(self.path, str(self.path), BenchmarkError, LARGEST).split(b"\n")
        found = parse_json(first, f"{self.path}: line 1", BenchmarkError)
        if found != json.loads(json.dumps(header)):
            what = next((key for key in header if not isinstance(found, dict) or found.get(key) != header[key]), "it")
            raise BenchmarkError(
                f"{self.path}: is of another benchmark: {what} differs; remove it, or name another file"
            )
        for number, line in enumerate(lines[:-1], 2):  # behind the last end of a line: nothing, or what a kill cut off
            what = f"{self.path}: line {number}"
            parse_json(line, what, BenchmarkError)
            one = checked(Line, line, what, BenchmarkError)
            self.dealt[one.dealt.key], self.wall = one.dealt, max(self.wall, one.wall)
        if lines and lines[-1]:
            replace_file(self.path, b"\n".join([first, *lines[:-1], b""]))

    def keep(self, results: Iterable[Dealt]) -> Iterator[Dealt]:
        """Pass results on, each written down at once."""
        before = self.wall
        for dealt in results:
            self.wall = before + time.monotonic() - self._begun
            self.dealt[dealt.key] = dealt
            with naming(self.path), self.path.open("ab") as file:
                file.write(Line(wall=self.wall, dealt=dealt).model_dump_json().encode() + b"\n")
            yield dealt

    def finish(self, results: bytes) -> None:
        """Put the results into the place of the games, then name them, so that never both are there. Raises OSError."""
        replace_file(self.path, results)
        _name(self.path, self._results)
