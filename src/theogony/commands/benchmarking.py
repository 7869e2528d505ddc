"""Commands of the benchmark: `theogony benchmark run`, `verify`, `report`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from theogony.commands.arguments import Modules, consent, writable, writable_folder


def run(
    suite: Annotated[str, typer.Argument(metavar="SUITE|TASK,TASK...", help="quick, standard, full, or ids of tasks")],
    agent: Annotated[
        str,
        typer.Option(metavar="PLAYER", help="a player, a run, a file; {game} and {players} stand for those of a task"),
    ],
    out: Annotated[
        Path | None, typer.Option(metavar="FILE", help="the results file; by default NAME-SUITE-SEED.json")
    ] = None,
    name: Annotated[str, typer.Option(help="what the agent is called; by default as the player")] = "",
    seed: Annotated[int, typer.Option(min=0, help="seed of the agent's training, or of its rng")] = 0,
    workers: Annotated[int | None, typer.Option(min=1, max=1024, help="processes; by default one a processor")] = None,
    allow_modules: Modules = False,
) -> None:
    """Play the reserved deals of a suite, and write one results file. A run that was stopped goes on."""
    consent([agent], allow_modules)
    from theogony.benchmark import run as running
    from theogony.benchmark.tasks import Suite

    chosen = Suite.named(suite)
    called = name or agent
    file = writable(out or Path(f"{_as_file(called)}-{_as_file(suite)}-{seed}.json"))
    assert file is not None
    results = running.run(chosen, agent, file, called, seed, workers)
    print(running.table(results))
    print(f"{file}: written")


def verify(
    files: Annotated[list[Path], typer.Argument(metavar="FILE|FOLDER...", help="results files, or submissions")],
) -> None:
    """Play the records of a results file again, and check its digests, counts and intervals."""
    from theogony.benchmark.verify import verify as verified

    for file in files:
        print(verified(file))


def report(
    folder: Annotated[Path, typer.Argument(metavar="FOLDER", help="holds a folder with metadata.yaml a submission")],
    out: Annotated[
        Path | None,
        typer.Option(metavar="FOLDER", help="where the page goes; by default there", callback=writable_folder),
    ] = None,
) -> None:
    """Write the leaderboard of all submissions in a folder: a page with plots."""
    from theogony.benchmark.report import report as reported

    print(f"{reported(folder, out or folder)}: written")


def _as_file(text: str) -> str:
    """A name for a file."""
    return "".join(sign if sign.isalnum() or sign in "-_.+" else "_" for sign in text)
