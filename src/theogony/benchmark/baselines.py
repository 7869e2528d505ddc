"""The project's own entries: `python -m theogony.benchmark.baselines benchmark/baselines.yaml`.

Plays what is missing in `results/` beside the file, entry by entry and seed by seed, and goes on where it was stopped.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import yaml
from pydantic import Field

from theogony.benchmark.run import Asked, run, table
from theogony.benchmark.submission import METADATA, Metadata, Text
from theogony.benchmark.tasks import BenchmarkError, Strict, Suite
from theogony.benchmark.tracks import TrackName
from theogony.console import interrupt
from theogony.envs.core.checked import checked
from theogony.envs.core.files import make_folder, replace_file
from theogony.envs.core.outside_yaml import read_yaml

FOLDER = "results"


class Baseline(Strict):
    """One entry: who plays what, with which seeds. `only`: these tasks of the suite."""

    name: Annotated[str, Field(pattern=r"^[a-z0-9][a-z0-9_.-]*$")]
    agent: Text
    description: Text
    suite: Text
    only: list[str] = []
    seeds: Annotated[list[Annotated[int, Field(ge=0)]], Field(min_length=1)] = [0]
    track: TrackName | None = None
    trained: bool = False

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


def play(file: Path, workers: int | None = None) -> list[Path]:
    """Play what is missing. Returns the results files that were written. Raises BenchmarkError, and as `run` does."""
    content, _ = read_yaml(file, str(file), BenchmarkError)
    written = []
    for one in checked(Baselines, content, str(file), BenchmarkError).baselines:
        folder = file.parent / FOLDER / one.name
        make_folder(folder)
        metadata = one.metadata().model_dump(exclude_none=True)
        replace_file(folder / METADATA, yaml.safe_dump(metadata, sort_keys=False, width=120).encode())
        for seed in one.seeds:
            out = folder / f"{one.suite}-{seed}.json.gz"
            if not out.exists():
                suite = Suite.named(one.suite, only=",".join(one.only))
                results = run(Asked(suite, one.agent, out, one.name, seed, one.track), workers)
                print(f"{one.name}, seed {seed}\n{table(results)}", flush=True)
                written.append(out)
    return written


if __name__ == "__main__":
    interrupt.catch()
    if len(sys.argv) not in (2, 3):
        raise SystemExit("usage: python -m theogony.benchmark.baselines FILE.yaml [WORKERS]")
    try:
        play(Path(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) == 3 else None)
    except ValueError as problem:
        raise SystemExit(f"theogony.benchmark.baselines: {problem}") from None
