"""All that there is to verify in folders of submissions, for a command that runs now and then."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from theogony.benchmark.results.submission import METADATA
from theogony.benchmark.tasks import BenchmarkError
from theogony.envs.core.untrusted.outside import read_bytes

MODELS = b'"theogony-models-1"'  # how a results file of a language model begins


def submissions_in(folders: Sequence[Path]) -> Iterator[Path]:
    """The submissions of folders, of models their files, and files that say how far an entry can be beaten.

    Raises BenchmarkError for a folder without any.
    """
    for folder in folders:
        found = sorted(one.parent for one in folder.rglob(METADATA))
        if not found:
            raise BenchmarkError(f"{folder}: holds no submission: expected folders with {METADATA}")
        for path in found:
            files = sorted(path.glob("*.json"))
            of_models = [one for one in files if MODELS in read_bytes(one, str(one), BenchmarkError)[:200]]
            yield from of_models or [path]
            yield from sorted((path / "exploits").glob("*.json"))
