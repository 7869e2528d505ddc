"""`theogony benchmark submit`: whether a folder can become a pull request, and what it lacks."""

from __future__ import annotations

import zlib
from collections.abc import Iterator
from pathlib import Path

from theogony.benchmark.agents import player_at_hand
from theogony.benchmark.report.entries import exploits_of, is_of_models, read_models
from theogony.benchmark.results import (
    METADATA,
    MIN_SEEDS,
    Metadata,
    Results,
    read_metadata,
    read_results,
    results_files,
)
from theogony.benchmark.tasks import BenchmarkError, shipped
from theogony.benchmark.verify import check_together, thinks_by_time, verified
from theogony.envs.core.untrusted.outside import MEGABYTE
from theogony.models.ladder import ANCHORS
from theogony.models.verify import verify as play_again

LARGEST = 20  # megabytes of a submission: results are small, weights belong elsewhere
TRANSCRIPT = ".jsonl"
UNFINISHED = ".partial"  # what a run that was stopped leaves
ASKED = "name: ...\nauthors: ...\ndescription: ...\ntrained: true or false"
OF_LEARNERS = "and of an agent that learnt\ndecisions: ...\ncode: ..."


def missing(folder: Path) -> list[str]:
    """What a submission lacks, a sentence each; nothing when it is ready. All its files are verified.

    Raises BenchmarkError when the folder is none.
    """
    if not folder.is_dir():
        raise BenchmarkError(f"{folder}: expected a folder with {METADATA} and a results file for each seed")
    return list(_missing(folder))


def not_replayed(folder: Path) -> str | None:
    """Which games of a submission that is ready nobody could play anew, in a sentence; None where all can be."""
    if is_of_models(folder):  # nobody asks a model again: its transcripts are played
        return None
    runs = {file: read_results(file) for file in results_files(folder)}
    if any(thinks_by_time(run.agent.player) for run in runs.values()):
        return "it can become checked and not replayed: it thinks by time, and such games do not repeat"
    tasks = [(run.agent, shipped().task(played.id), file) for file, run in runs.items() for played in run.tasks]
    count = len(tasks)
    missing = sum(player_at_hand(agent, task, task.make_game(), file) is None for agent, task, file in tasks)
    if not missing:
        return None
    which = "it can become checked and not replayed" if missing == count else "it can be replayed in part only"
    return (
        f"{which}: in {missing} of {count} tasks, counted over its files, the agent is not at hand here; `verify "
        "--replay` needs its weights beside the results files, as `run` leaves them, and of a class --allow-modules"
    )


def _missing(folder: Path) -> Iterator[str]:
    metadata = None
    if not (folder / METADATA).is_file():
        yield f"{METADATA} is missing; it holds at least\n{ASKED}\n{OF_LEARNERS}"
    else:
        try:
            metadata = read_metadata(folder / METADATA)
        except BenchmarkError as error:
            yield str(error)
    files = [path for path in folder.rglob("*") if path.is_file()]
    for path in files:
        if path.suffix == UNFINISHED:
            yield f"{path}: the run has not ended: go on with the command that began it"
    size = sum(map(_bytes_of, files)) / MEGABYTE
    if size > LARGEST:
        yield f"it has {size:.0f} MB, expected at most {LARGEST}: pack the results (`--out NAME.json.gz`)"
    yield from _of_models(folder, metadata) if is_of_models(folder) else _of_agent(folder, metadata)


def _of_models(folder: Path, metadata: Metadata | None) -> Iterator[str]:
    """Of language models and programs every transcript is played again, and each table must have a rating."""
    try:
        for file in results_files(folder):
            play_again(file)
        entries = list(read_models(folder)) if metadata is not None else []  # as the report reads them
    except ValueError as error:
        yield str(error)
        return
    for results in (entry.results for entry in entries):
        rated = {one.table for one in results.figures.ratings}
        if left := [table.name for table in results.tables if table.name not in rated]:
            yield (
                f"{', '.join(left)}: not rated, so the leaderboard would not show it: expected a table with a ladder, "
                f"and games against some of {', '.join(ANCHORS)}"
            )


def _of_agent(folder: Path, metadata: Metadata | None) -> Iterator[str]:
    try:
        runs = {file: read_results(file) for file in results_files(folder)}
        for file in runs:
            verified(file)
        if metadata is not None:
            check_together(folder, metadata, runs, seeds=MIN_SEEDS)
        list(exploits_of(folder, list(runs.values()), shipped()))  # as the report reads them
        yield from _of_tasks(list(runs.values()))
    except BenchmarkError as error:
        yield str(error)
        return
    if metadata is None or not (metadata.trained or any(run.agent.trained for run in runs.values())):
        return
    if metadata.decisions is None and any(run.agent.track is None for run in runs.values()):
        yield f"{METADATA} does not say `decisions`, from how many decisions the agent learnt"
    if metadata.config is None and metadata.code is None:
        yield f"{METADATA} has neither `code` nor `config`: nobody could train the agent again"


def _of_tasks(runs: list[Results]) -> Iterator[str]:
    members = {suite: [task.id for task in shipped().suite(suite)] for suite in {run.suite for run in runs}}
    for suite, wanted in members.items():
        played = [{task.id for task in run.tasks} for run in runs if run.suite == suite]
        left = [task for task in wanted if not all(task in tasks for tasks in played)]
        if left:
            yield f"of {suite} these tasks are not played by all runs, so the entry is not ranked: {', '.join(left)}"


def _bytes_of(path: Path) -> int:
    """The size of a file; of a transcript, which says the same over and over, as git packs it."""
    return len(zlib.compress(path.read_bytes())) if path.suffix == TRANSCRIPT else path.stat().st_size
