"""`make soak`: every game for hours, with checks; damaged files; runs that are killed. Writes docs/reliability.md.

    python tests/soak/soak.py [--part KIND] [--only GAME] [--scale 0.01] [--jobs 2]

What is finished is kept in a file of results, by part and digest of the rules, and not done again until something of it
changes. So a soak can be stopped at any moment, and goes on when it is started again.
"""

from __future__ import annotations

import argparse
import json
import os
import signal
import subprocess
import sys
import threading
import time
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from digests import part_digest
from parts import ENVIRONMENT, HERE, ROOT, WORK, Part, every_part
from report import report

from theogony.envs.core.untrusted.files import replace_file

EVERY = 30.0  # seconds between two lines of progress
SEED = 20_000


@dataclass
class Results:
    """What is finished: `{key: {"digest", "day", "count", "seed", "found" or "failed"}}`, in a file."""

    path: Path
    parts: dict[str, dict[str, Any]] = field(default_factory=dict)

    @classmethod
    def read(cls, path: Path) -> Results:
        """Those of the file; none where there is no such file. Raises ValueError for a file that is not ours."""
        try:
            parts = json.loads(path.read_text("utf-8")) if path.exists() else {}
        except ValueError as error:
            raise ValueError(f"{path}: is not JSON: {error}") from None
        if not isinstance(parts, dict) or not all(isinstance(entry, dict) for entry in parts.values()):
            raise ValueError(f"{path}: is no file of results of a soak")
        return cls(path, parts)

    def has(self, part: Part, count: int) -> bool:
        """Whether so much of a part was done, with these rules, and holds."""
        entry = self.parts.get(part.key, {})
        return _fresh(part, entry) and entry.get("count", 0) >= count and "found" in entry

    def told(self) -> dict[Part, dict[str, Any]]:
        """Everything that was done, in the order of the parts; with `fresh`, whether the rules are still the same."""
        order = {part: place for place, part in enumerate(every_part())}
        known = [Part.of(key) for key in self.parts]
        parts = {part: self.parts[part.key] for part in sorted(known, key=lambda part: order.get(part, len(order)))}
        return {part: {**entry, "fresh": _fresh(part, entry)} for part, entry in parts.items()}

    def note(self, part: Part, count: int, outcome: dict[str, Any]) -> None:
        """Keep what came of a part, in the file as well."""
        day = datetime.now(UTC).date().isoformat()
        self.parts[part.key] = {
            "digest": part_digest(part.kind, part.game), "day": day, "count": count, "seed": SEED, **outcome,
        }  # fmt: skip
        replace_file(self.path, (json.dumps(dict(sorted(self.parts.items())), indent=1) + "\n").encode())


def _fresh(part: Part, entry: dict[str, Any]) -> bool:
    return entry.get("digest") == part_digest(part.kind, part.game)


@dataclass
class Running:
    """A part in a process of its own, and how far it is."""

    part: Part
    count: int
    process: subprocess.Popen[str]
    done: int = 0
    outcome: dict[str, Any] = field(default_factory=dict)

    @classmethod
    def start(cls, part: Part, count: int) -> Running:
        """Begin a part."""
        process = subprocess.Popen(
            [sys.executable, str(HERE / "parts.py"), part.key, str(count), str(SEED)],
            env={**os.environ, **ENVIRONMENT.get(part.kind, {})},
            stdout=subprocess.PIPE,
            text=True,
            start_new_session=True,  # so that what it starts ends with it
        )
        running = cls(part, count, process)
        threading.Thread(target=running._listen, daemon=True).start()
        return running

    def _listen(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            try:
                said = json.loads(line)
            except ValueError:  # something that a game or a library prints
                continue
            if isinstance(said, dict):
                self.done += said.pop("done", 0)
                self.outcome |= said
        code = self.process.wait()
        if not self.outcome:
            self.outcome = {"failed": f"the process ended with {code}"}

    def __str__(self) -> str:
        return f"{self.part.key} {self.done:,} of {self.count:,} {WORK[self.part.kind].what}"


def soak(wanted: list[tuple[Part, int]], results: Results, jobs: int) -> bool:
    """Do the parts that are not finished, some at a time. Returns whether all of them hold."""
    waiting = [(part, count) for part, count in wanted if not results.has(part, count)]
    print(f"{len(wanted)} parts, of which {len(wanted) - len(waiting)} are finished", flush=True)
    running: list[Running] = []
    said, good = time.monotonic(), True
    try:
        while waiting or running:
            while waiting and len(running) < jobs:
                running.append(Running.start(*waiting.pop(0)))
            time.sleep(0.2)
            for job in [job for job in running if job.outcome]:
                running.remove(job)
                results.note(job.part, job.count, job.outcome)
                good &= "found" in job.outcome
                print(f"{job.part.key}: {_told(job.outcome)}", flush=True)
            if time.monotonic() - said > EVERY:
                said = time.monotonic()
                print(f"{len(waiting)} parts wait; " + "; ".join(map(str, running)), flush=True)
    finally:
        for job in running:
            os.killpg(job.process.pid, signal.SIGKILL)
    return good


def _told(outcome: dict[str, Any]) -> str:
    if "failed" in outcome:
        return f"FAILED: {outcome['failed']}"
    return ", ".join(f"{value:,} {name}" for name, value in outcome["found"].items())


def main() -> None:
    """The command."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--part", choices=WORK, action="append", help="only this kind; may be given several times")
    parser.add_argument("--only", metavar="GAME", action="append", help="only this game, or these; no part of none")
    parser.add_argument("--scale", type=float, default=1.0, help="share of everything that is done")
    parser.add_argument("--jobs", type=int, default=2, help="processes")
    parser.add_argument("--results", type=Path, default=HERE / "results.json", help="file of what is finished")
    parser.add_argument("--report", type=Path, default=ROOT / "docs/reliability.md", help="page to write")
    given = parser.parse_args()
    found = every_part(tuple(given.only)) if given.only else every_part()
    wanted = [
        (part, max(1, round(given.scale * WORK[part.kind].count)))
        for part in found
        if (given.part is None or part.kind in given.part) and (given.only is None or part.game)
    ]
    results = Results.read(given.results)
    good = soak(wanted, results, given.jobs)
    asked = ((part, WORK[part.kind].count) for part in every_part())
    missing = [(part, count) for part, count in asked if not results.has(part, count)]
    replace_file(given.report, report(results.told(), missing).encode())
    sys.exit(0 if good else 1)


if __name__ == "__main__":
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        main()
    except KeyboardInterrupt:
        sys.exit("stopped; what is finished is kept")
    except ValueError as error:
        sys.exit(str(error))
