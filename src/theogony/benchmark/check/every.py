"""All that there is to verify in folders of submissions, for a command that runs now and then."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from theogony.benchmark.results.submission import METADATA, without_links
from theogony.benchmark.tasks import BenchmarkError
from theogony.envs.core.untrusted.outside import read_bytes

EXPLOITS = "exploits"  # the folder of a submission that says how far it can be beaten
MODELS = b'"theogony-models-1"'  # how a results file of a language model begins


def files_of(path: Path) -> list[Path]:
    """What is verified of a submission: of models each results file, of an agent the folder. A file is itself."""
    files = without_links(sorted(path.glob("*.json"))) if path.is_dir() else []
    return [one for one in files if MODELS in read_bytes(one, str(one), BenchmarkError)[:200]] or [path]


def submissions_in(folders: Sequence[Path]) -> Iterator[Path]:
    """The submissions of folders, of models their files, and files that say how far an entry can be beaten.

    Raises BenchmarkError for a folder without any.
    """
    for folder in folders:
        found = sorted(one.parent for one in folder.rglob(METADATA))
        if not found:
            raise BenchmarkError(f"{folder}: holds no submission: expected folders with {METADATA}")
        for path in found:
            yield from files_of(path)
            yield from without_links([path / EXPLOITS, *sorted((path / EXPLOITS).glob("*.json"))])[1:]
