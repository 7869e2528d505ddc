"""How to play the rows of a suite again: the commands, so that they can be pasted."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Sequence
from pathlib import PurePath

from theogony.benchmark.programs import SUFFIX, is_program
from theogony.benchmark.report.entries import Entry
from theogony.benchmark.report.markdown import cell, one_line

MINE, THEIRS = "mine", "leaderboard/results"
LONGEST = 40  # letters of a suite in the name of a folder: one of many tasks is called by their ids


def again_commands(entries: Sequence[Entry], members: Sequence[str]) -> Iterator[str]:
    """Of each entry its name, and a block with the commands that play it and compare the results."""
    for entry in entries:
        if _is_harmless(entry.runs[0].agent.player):
            yield from ("", f"{cell(entry.name)}:", "", "```", *commands(entry, members), "```")
        else:
            agent = cell(entry.runs[0].agent.player)
            yield from ("", f"{cell(entry.name)} has no command that can be pasted unread; its agent is {agent}.")


def commands(entry: Entry, members: Sequence[str]) -> tuple[str, str]:
    """What plays an entry again, with all its seeds, and what sets the results beside those that it has."""
    agent, suite = entry.runs[0].agent, entry.suite
    folder = f"{MINE}/{'-'.join([suite.replace(',', '-')[:LONGEST], *PurePath(entry.place).parts])}"
    words = ["theogony", "benchmark", "run", suite, "--agent", agent.player]
    words += [] if agent.track is None else ["--track", agent.track]
    words += ["--seeds", seeds_as_text([run.agent.seed for run in entry.runs])]
    played = [task.id for task in entry.runs[0].tasks]
    words += [] if set(members) <= set(played) else ["--only", ",".join(played)]
    words += ["--out", f"{folder}/{{seed}}.json"]
    return shlex.join(words), shlex.join(["theogony", "benchmark", "compare", folder, f"{THEIRS}/{entry.place}"])


def seeds_as_text(seeds: Sequence[int]) -> str:
    """Numbers as `--seeds` takes them.

    >>> seeds_as_text([0, 1, 2, 5, 7, 8])
    '0-2,5,7-8'
    """
    spans: list[list[int]] = []
    for seed in sorted(seeds):
        if spans and seed == spans[-1][1] + 1:
            spans[-1][1] = seed
        else:
            spans.append([seed, seed])
    return ",".join(str(first) if first == last else f"{first}-{last}" for first, last in spans)


def _is_harmless(player: str) -> bool:
    """Whether the name of a player, which a stranger may have written, runs no more than a script by a Python: in a
    program of a track the first word is run, whatever it is. The shell obeys none of it: it is quoted."""
    if player != one_line(player) or player.startswith("-"):
        return False
    if not is_program(player):
        return True
    try:
        first, *others = shlex.split(player)
    except ValueError:
        return False
    by_python = PurePath(first).name.startswith("python") and others[:1] and others[0].endswith(SUFFIX)
    return first.endswith(SUFFIX) or bool(by_python)
