"""How to play the rows of a suite again: what stood behind each option of `theogony benchmark run`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from theogony.benchmark.report.entries import Entry
from theogony.benchmark.report.markdown import cell, table


def again_table(entries: Sequence[Entry], members: Sequence[str]) -> Iterator[str]:
    """A row each entry: the agent as it was given, the track, the seeds, and how many of the suite's tasks."""
    rows = (
        [
            cell(entry.name),
            cell(entry.runs[0].agent.player),
            entry.runs[0].agent.track or "-",
            cell(", ".join(str(run.agent.seed) for run in entry.runs)),
            _only(entry, members),
        ]
        for entry in entries
    )
    yield from table(["agent", "--agent", "--track", "--seeds", "--only"], rows)


def _only(entry: Entry, members: Sequence[str]) -> str:
    played = [task.id for task in entry.runs[0].tasks]
    return "-" if set(members) <= set(played) else cell(", ".join(played))
