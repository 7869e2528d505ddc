"""docs/reliability.md, from the results of a soak: counts and seeds, nothing of the day or of the machine."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

from checked_play import SAMPLE
from parts import REFUSALS, TEXTS, Part

HEAD = """# Reliability

Written by `make soak`, which plays every game far longer than the tests do, reads damaged files and kills runs. What
is finished is kept in `benchmarks/soak/results.json` by the digest of the rules, so that it can be stopped and goes on.
`--scale 0.01` is a quick trial; `--part` and `--only` choose.

A failure is printed with seed, game and decision, and is in the last section.
"""
FIRST = {
    "play": f"""## Random games with checks

Compiled, every decision: some action is legal while the game runs, games end within `decision_bound` (or 100,000
decisions where a game names none), rewards of every kind are finite, in [-1, 1], and sum to zero or are the same for
all. Observations of all seats are finite and within their bounds in one decision of {SAMPLE} and at one end of
{SAMPLE}.
""",
    "bounds": """## The same with array bounds checked

`NUMBA_BOUNDSCHECK=1`: an index out of range raises. All player counts and option sets of a game together.
""",
    "hidden": f"""## Hidden information

Positions redrawn for a seat: its observation and mask are compared in each, its text and that for the public in one of
{TEXTS} (drawing is slow).
""",
    "masks": f"""## Masks, both ways

Every action in the mask is played on a copy and changes more than the count of decisions; every other, and one below
and one above all ids, is refused by the kernel and changes no byte. For one position of {REFUSALS} three of them go
through `Position.play`, which must raise `IllegalAction`.
""",
    "seek": """## Looking for trouble

The player of `conformance/seeker.py` finds no position without a legal action, no game without end.
""",
    "files": """## Damaged files

Sound files with one to three changes: each is read, or refused with the error of its module; never a crash, another
exception, or more than 20 seconds.
""",
    "kills": """## Training runs that are killed

Killed at drawn times and at drawn operations on files, then gone on with: they end bit-equal to a run that was not.
""",
    "fuzz": """## Fuzzing

Test files with a larger budget (`THEOGONY_FUZZ`).
""",
}


def report(parts: dict[Part, dict[str, Any]]) -> str:
    """The page. Entries hold `found` or `failed`, and `fresh`: whether the rules are still those that were played."""
    sections = [HEAD]
    for kind, text in FIRST.items():
        held = {part: entry for part, entry in parts.items() if part.kind == kind and "found" in entry}
        if held:
            sections.append(text + "\n" + "\n".join(_table(held)) + "\n")
    failed = [f"* `{part.key}`: {entry['failed']}" for part, entry in parts.items() if "failed" in entry]
    sections.append("## What does not hold\n\n" + ("\n".join(failed) or "Nothing.") + "\n")
    return "\n".join(sections)


def _table(held: dict[Part, dict[str, Any]]) -> Iterator[str]:
    """A row a part, and the sums."""
    names = list(dict.fromkeys(name for entry in held.values() for name in entry["found"]))
    yield "| " + " | ".join(["what", *names, "seed", "day", "rules"]) + " |"
    yield "|---|" + "---:|" * len(names) + "---|---|---|"
    sums: Counter[str] = Counter()
    for part, entry in held.items():
        what = ", ".join(text for text in (part.game, part.case) if text)
        cells = [f"{entry['found'].get(name, 0):,}" for name in names]
        rules = f"`{entry['digest']}`" + ("" if entry["fresh"] else ", changed since")
        yield "| " + " | ".join([what, *cells, str(entry["seed"]), entry["day"], rules]) + " |"
        sums.update({name: entry["found"].get(name, 0) for name in names if name != "longest"})
    if len(held) > 1:
        yield "| all | " + " | ".join(f"{sums[name]:,}" if name in sums else "" for name in names) + " | | | |"
