"""docs/reliability.md, from the results of a soak: counts, seeds, days, and whether the rules are still the same."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from checked_play import SAMPLE
from parts import REFUSALS, TEXTS, WORK, Part

HEAD = """# Reliability

How long every game has been played with every check, and what that found, for those who want to know how far they can
rely on the environments. `make soak` plays every game far longer than the tests do, reads damaged files, kills
training runs, and writes this page.

Each row has its seed, its day and a digest of the compiled rules, or of the project, that it was played with. *Changed
since* says that these were edited after that day, be it in a rule or in what calls it: the row holds for the code as it
was, and is due again. The end of the page says what failed, and what is due.

To run it yourself: what is finished is kept in `tests/soak/results.json`, so a soak can be stopped at any moment and
goes on, and does again only what has changed. `SOAK="--scale 0.01"` is a quick trial, `--part` and `--only` choose. A
failure is told with seed, game and decision.
"""
FIRST = {
    "play": f"""## Random games with checks

Compiled, every decision: some action is legal while the game runs, games end within `decision_bound` (or 100,000
decisions where a game names none), rewards of every kind are finite, in [-1, 1], and sum to zero or are the same for
all. In one decision of {SAMPLE}, and at one end of {SAMPLE}, the observations of all seats are finite and within their
bounds.
""",
    "bounds": """## The same with array bounds checked

`NUMBA_BOUNDSCHECK=1`: an index out of range raises. All player counts and option sets of a game together.
""",
    "hidden": f"""## Hidden information

Positions redrawn for a seat: its observation and mask are compared in each, its text and that for the public in one of
{TEXTS} (drawing is slow).
""",
    "masks": f"""## Masks, both ways

Every action in the mask is played on a copy, and one at least changes more than the count of decisions. *Idle* are
those that do not: in God of War a card that draws may be played when all that it can draw is its like. Every other
action, and one below and one above all ids, is refused by the kernel and changes no byte. For one position of
{REFUSALS} three of them go through `Position.play`, which must raise `IllegalAction`.
""",
    "seek": """## Looking for trouble

The player of `conformance/seeker.py` goes after what is rare: kinds of action, transitions, supplies that run out. It
finds no position without a legal action, none that the game's own check refuses, no game without end. "Recorded games"
begin from positions of games between people or other programs; "plenty" has pieces with which everybody has much and
everything is cheap (`plenty.py`), so that supplies run out.
""",
    "once": """## Does it find anything?

Rules as they once were, with a fault that hundreds of millions of random decisions had not met: the last town tile may
be taken while the Mermaids of Terra Mystica hold a town over a river that they have not founded yet; when they do, a
tile is owed that does not exist. Five play with plenty, since with the printed pieces the ten tiles hardly ever go; the
seeker must end in the dead end.
""",
    "files": """## Damaged files

Sound files with one to three changes, half of which leave them well formed and change values alone; archives are packed
again, saved agents sealed again. Each is read, or refused in one line with the error of its reader; never a crash,
another exception, or more than 20 seconds of a processor.
""",
    "kills": """## Training runs that are killed

SIGKILL at drawn times, and before, after or amid drawn operations on files; then gone on with, and often killed again.
Every run ends with the same weights, optimiser, state, metrics and evaluation as one that was never killed, bit by bit.
""",
    "fuzz": """## Fuzzing

Test files with a larger budget (`THEOGONY_FUZZ`).
""",
}


def report(parts: dict[Part, dict[str, Any]], missing: Iterable[tuple[Part, int]]) -> str:
    """The page.

    Args:
        parts: what was done. Entries hold `found` or `failed`, and `fresh`: whether the rules are still those played.
        missing: what was not, or not with these rules, and how much of it is asked for.
    """
    sections = [HEAD]
    for kind, text in FIRST.items():
        held = {part: entry for part, entry in parts.items() if part.kind == kind and "found" in entry}
        if held:
            sections.append(text + "\n" + "\n".join(_table(held)) + "\n")
    failed = [f"* `{part.key}`: {entry['failed']}" for part, entry in parts.items() if "failed" in entry]
    sections.append("## What does not hold\n\n" + ("\n".join(failed) or "Nothing.") + "\n")
    left = list(_missing(missing))
    if left:
        sections.append("## What is due, in full or with the rules of today\n\n" + "\n".join(left) + "\n")
    return "\n".join(sections)


def _missing(parts: Iterable[tuple[Part, int]]) -> Iterator[str]:
    """A line for each kind of part."""
    groups: dict[str, list[tuple[Part, int]]] = {}
    for part, count in parts:
        groups.setdefault(part.kind, []).append((part, count))
    for kind, group in groups.items():
        cases = ", ".join(dict.fromkeys(part.game or part.case for part, _ in group))
        each = f"{len(group)} times {group[0][1]:,}" if len(group) > 1 else f"{group[0][1]:,}"
        yield f"* `--part {kind}`, {cases}: {each} {WORK[kind].what}"


def _table(held: dict[Part, dict[str, Any]]) -> Iterator[str]:
    """A row a game, or a part of none, and the sums. The parts are in the file of results."""
    names = list(dict.fromkeys(name for entry in held.values() for name in entry["found"]))
    rows: dict[str, list[Part]] = {}
    for part in held:
        rows.setdefault(part.game or part.case, []).append(part)
    several = any(len(parts) > 1 for parts in rows.values())
    yield "| " + " | ".join(["what", *(["option sets"] if several else []), *names, "seed", "day", "rules"]) + " |"
    yield "|---|" + "---:|" * (len(names) + several) + "---|---|---|"
    for what, parts in rows.items():
        counts = [str(len(parts))] if several else []
        cells = [f"{_together(name, [held[part]['found'] for part in parts]):,}" for name in names]
        yield "| " + " | ".join([what, *counts, *cells, *_of(held[part] for part in parts)]) + " |"
    if len(rows) > 1:
        founds = [entry["found"] for entry in held.values()]
        sums = [f"{_together(name, founds):,}" for name in names]
        yield "| all | " + " | ".join([*([str(len(held))] if several else []), *sums]) + " | | | |"


def _together(name: str, founds: list[dict[str, int]]) -> int:
    """What several parts found, the longest game of all or the sum."""
    values = [found.get(name, 0) for found in founds]
    return max(values) if name == "longest" else sum(values)


def _of(entries: Iterable[dict[str, Any]]) -> list[str]:
    """Seeds, days and rules of a row, each once."""
    entries = list(entries)
    rules = [f"`{entry['digest']}`" + ("" if entry["fresh"] else ", changed since") for entry in entries]
    columns = [str(entry["seed"]) for entry in entries], [entry["day"] for entry in entries], rules
    return [", ".join(dict.fromkeys(column)) for column in columns]
