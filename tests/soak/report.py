"""docs/reliability.md, from the results of a soak: what was played, with which checks, what that found, and whether the
code is still the same."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from checked_play import SAMPLE
from parts import TEXTS, WORK, Part

HEAD = """# Reliability

`make soak` plays all games, numbers of players and option sets for two hours, with the checks of the tests. A row tells
what was done last, at full length or less (`--scale`). *Changed since*: the game's rules, or for the last three rows
the project's version, are others now, and the row is due.

"""
WHAT = {  # kind of part -> what it is called, what is checked, and which of its figures are told
    "play": (
        "random games",
        "some action is legal, games end, rewards are finite and sum to zero or are shared; one observation in "
        f"{SAMPLE} is within bounds",
        ("decisions", "games"),
    ),
    "bounds": ("the same, array bounds checked", "no index is out of range", ("decisions", "games")),
    "hidden": (
        "positions drawn anew out of sight",
        f"observation, mask and one text in {TEXTS} stay the same",
        ("positions",),
    ),
    "masks": ("masks, both ways", "what is legal changes the position; all else is refused", ("actions",)),
    "seek": (
        "search for rare positions",
        "no dead end, no impossible position, no game without end",
        ("decisions",),
    ),
    "once": ("an old fault, put back", "that play finds it", ("decisions",)),
    "files": ("damaged files", "each is read, or refused in one line", ("files",)),
    "kills": ("training runs killed", "they end with the same bytes as one never killed", ("kills",)),
    "fuzz": ("fuzz tests, with more examples", "they pass", ("times the budget of the suite",)),
}
TAIL = """
Seeds and counts: [`tests/soak/results.json`](../tests/soak/results.json). A soak that was stopped goes on,
and repeats only what changed.
"""


def report(parts: dict[Part, dict[str, Any]], missing: Iterable[tuple[Part, int]]) -> str:
    """The page.

    Args:
        parts: what was done. Entries hold `found` or `failed`, and `fresh`: whether the rules are still those played.
        missing: what was not, or not with these rules, and how much of it is asked for.
    """
    due = {part for part, _ in missing}
    rows = ["| what | what must hold | done | oldest day | code |", "|---|---|---:|---|---|"]
    for kind in WHAT:
        held = {part: entry for part, entry in parts.items() if part.kind == kind and "found" in entry}
        never = [part for part in due if part.kind == kind and part not in parts]
        if held:
            rows.append(_row(kind, held, never))
    failed = [f"* `{part.key}`: {entry['failed']}" for part, entry in parts.items() if "failed" in entry]
    found = "What failed:\n\n" + "\n".join(failed) if failed else "Nothing of this failed."
    stale = sum(not entry["fresh"] for entry in parts.values())
    if stale:
        found += f" {stale} of {len(parts)} parts are older than the code."
    return HEAD + "\n".join(rows) + f"\n\n{found}\n" + TAIL


def _row(kind: str, held: dict[Part, dict[str, Any]], never: list[Part]) -> str:
    """A row of the table: all parts of a kind together."""
    called, checked, told = WHAT[kind]
    sums = [(sum(entry["found"].get(name, 0) for entry in held.values()), name) for name in told]
    done = " in ".join(f"{number:,} {WORK[kind].what if kind == 'fuzz' else name}" for number, name in sums)
    oldest = min(entry["day"] for entry in held.values())
    stale = [part for part, entry in held.items() if not entry["fresh"]]
    code = "as it is" if not stale else "changed since" + ("" if len(stale) == len(held) else f": {_names(stale)}")
    code += f"; not yet: {_names(never)}" if never else ""
    return f"| {called} | {checked} | {done} | {oldest} | {code} |"


def _names(parts: Iterable[Part]) -> str:
    """The games of some parts, or what they are about."""
    return ", ".join(sorted({part.game or part.case for part in parts}))
