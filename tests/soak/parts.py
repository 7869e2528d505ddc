"""The parts of a soak: what each does, how much of it, and on what. `python parts.py KEY COUNT SEED` does one.

A part runs in a process of its own. It prints lines of JSON: `{"done": n}` now and then, and at the end
`{"found": ...}` with the facts, or `{"failed": "..."}` with what does not hold.
"""

from __future__ import annotations

import contextlib
import json
import os
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

from once import FAULTS, with_fault
from plenty import PLENTY, with_plenty

from theogony.envs import GAMES, load
from theogony.envs.core.conformance.base import Case, cases
from theogony.envs.core.conformance.explore import Seeker, Trouble, recorded_starts
from theogony.envs.core.game import GameSpec
from theogony.envs.core.verify import RecordingError

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
TEXTS, REFUSALS = 100, 100  # one redrawn position in so many has its texts compared; one audited, its refusals
Say = Callable[[int], None]


class Part(NamedTuple):
    """One thing to do: `kind:game:case`, or `kind::name` for what belongs to no game."""

    kind: str
    game: str
    case: str

    @property
    def key(self) -> str:
        return ":".join(self)

    @classmethod
    def of(cls, key: str) -> Part:
        return cls(*key.split(":", 2))


class Work(NamedTuple):
    """A kind of part: what is counted, how much of it, and the function that does it."""

    what: str
    count: int
    do: Callable[[Part, int, int, Say], dict[str, Any]]
    each_case: bool = False  # or once a game, its cases one after another


def play(part: Part, count: int, seed: int, say: Say) -> dict[str, Any]:
    """Random games with checks in the kernel."""
    facts: Counter[str] = Counter()
    chosen = _cases(part)
    for number, case in enumerate(chosen):
        game = _checked(case, seed + number)
        for done in game.run("play", -(-count // len(chosen))):
            say(done)
        facts.update(decisions=int(game.tally.decisions), games=int(game.tally.games) - 1)
        facts["longest"] = max(facts["longest"], int(game.tally.longest))
    return dict(facts)


def masks(part: Part, count: int, seed: int, say: Say) -> dict[str, Any]:
    """Every action of a position, both ways."""
    facts: Counter[str] = Counter()
    chosen = _cases(part)
    for number, case in enumerate(chosen):
        game = _checked(case, seed + number)
        each = -(-count // len(chosen))
        for done in game.run("masks", each):
            say(done)
        game.refusals(max(1, each // REFUSALS))
        facts.update(positions=int(game.tally.audited), actions=int(game.tally.tried), idle=int(game.tally.idle))
        facts.update(refusals=3 * max(1, each // REFUSALS))
    return dict(facts)


def hidden(part: Part, count: int, seed: int, say: Say) -> dict[str, Any]:
    """What a seat receives, in redrawn positions."""
    facts: Counter[str] = Counter()
    chosen = _cases(part)
    for number, case in enumerate(chosen):
        game = _checked(case, seed + number)
        each = -(-count // len(chosen))
        for done in game.run("hidden", each):
            say(done)
        game.texts(max(1, each // TEXTS))
        facts.update(positions=int(game.tally.audited), texts=max(1, each // TEXTS))
    return dict(facts)


def seek(part: Part, count: int, seed: int, say: Say) -> dict[str, Any]:
    """The player that looks for trouble."""
    special = {RECORDED: recorded, WITH_PLENTY: lambda spec: [with_plenty(spec)]}
    chosen = special[part.case](load(part.game)) if part.case in special else _cases(part)
    facts: Counter[str] = Counter()
    for case in chosen:
        seeker = Seeker(case.game, seed, case.starts)
        for trouble in _sought(seeker, -(-count // len(chosen)), say):
            raise AssertionError(f"{case.game!r}: {trouble}")
        facts.update(decisions=seeker.decisions, runs=seeker.runs)
    return dict(facts)


def once(part: Part, count: int, seed: int, say: Say) -> dict[str, Any]:
    """A fault that was mended, put back: the seeker must find it within so many decisions."""
    fault, began = FAULTS[part.case], time.process_time()
    with tempfile.TemporaryDirectory() as folder:
        seeker = Seeker(with_plenty(with_fault(fault, Path(folder)), fault.game).game, seed)
        for trouble in _sought(seeker, count, say):
            if trouble.what == fault.said:
                seconds = round(time.process_time() - began)
                return {"decisions": seeker.decisions, "runs": seeker.runs, "seconds of a processor": seconds}
    raise AssertionError(f"{part.case} was not found")


def _sought(seeker: Seeker, count: int, say: Say) -> Iterator[Trouble]:
    """What a seeker finds in so many decisions."""
    while seeker.decisions < count:
        before = seeker.decisions
        yield from seeker.seek(min(20_000, count - before))
        say(seeker.decisions - before)


def recorded(spec: GameSpec) -> list[Case]:
    """Cases that begin from the recorded games among the test data, those with most positions first."""
    found = []
    for path in sorted((ROOT / "tests" / spec.name / "data").glob("*.jsonl*")):
        with contextlib.suppress(RecordingError):  # not every file has positions of whole games
            found += recorded_starts(spec, [path])
    return sorted(found, key=lambda case: -len(case.starts))


def files(part: Part, count: int, seed: int, say: Say) -> dict[str, Any]:
    """Damaged files of one kind. A process that dies or hangs is a failure with the number of the file."""
    facts: Counter[str] = Counter()
    with tempfile.TemporaryDirectory() as folder:
        done = subprocess.run(
            [sys.executable, str(HERE / "damage.py"), part.case, folder, str(seed), "0", str(count)],
            capture_output=True,
            text=True,
            check=False,
        )
    lines = done.stdout.splitlines()
    for begin, line in zip(lines, [*lines[1:], ""], strict=True):
        if not begin.startswith("begin "):
            continue
        if not line.startswith(("read", "refused")):
            lost = line or f"the process ended with {done.returncode}: {done.stderr.strip()[-300:]}"
            raise AssertionError(f"{part.case}, seed {seed}, file {begin[6:]}: {lost}")
        facts[line.partition(":")[0]] += 1
    if sum(facts.values()) != count:
        raise AssertionError(f"{part.case}: {sum(facts.values())} files of {count}: {done.stderr.strip()[-300:]}")
    say(count)
    return {"files": count, **facts}


def kills(part: Part, count: int, seed: int, say: Say) -> dict[str, Any]:
    """Training runs that are killed and go on."""
    from kills import kill_runs  # pyright: ignore[reportMissingImports]

    with tempfile.TemporaryDirectory() as folder:
        facts = dict(kill_runs(count, seed, Path(folder)))
    say(count)
    return facts


def fuzz(part: Part, count: int, seed: int, say: Say) -> dict[str, Any]:
    """A test file of fuzzing with a larger budget."""
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", part.case],
        cwd=ROOT,
        env={**os.environ, "THEOGONY_FUZZ": str(count)},
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        raise AssertionError(f"{part.case}: {done.stdout[-1500:]}")
    say(count)
    return {"times the budget of the suite": count}


def _checked(case: Case, seed: int) -> Any:
    from checked_play import CheckedPlay

    return CheckedPlay(case.game, seed)


WORK: dict[str, Work] = {
    "play": Work("decisions", 100_000_000, play, each_case=True),
    "bounds": Work("decisions", 10_000_000, play),
    "hidden": Work("positions", 100_000, hidden),
    "masks": Work("positions", 100_000, masks),
    "seek": Work("decisions", 200_000, seek, each_case=True),
    "once": Work("decisions", 50_000_000, once),  # at most
    "files": Work("files", 200, files),
    "kills": Work("kills", 100, kills),
    "fuzz": Work("budgets", 50, fuzz),
}
ENVIRONMENT = {"bounds": {"NUMBA_BOUNDSCHECK": "1"}}
RECORDED = "recorded games"  # a part of `seek` that begins from them
PLAYED = ("orbis", "innovation", "terra_mystica")  # games of which there are such
WITH_PLENTY = "plenty"  # a part of `seek` with other pieces
FUZZERS = ("tests/core/test_fuzz.py", "tests/test_fuzz_games.py")


# ---------------------------------------------------------------------------------------------------- which


def every_part(games: tuple[str, ...] = tuple(GAMES)) -> Iterator[Part]:
    """All parts, those of each game in the order of `WORK`, then those of no game."""
    for name in games:
        for kind in ("play", "bounds", "hidden", "masks", "seek"):
            names = [case.name for case in cases(load(name), 1, 0)] if WORK[kind].each_case else [""]
            if kind == "seek" and name in PLAYED:
                names.append(RECORDED)
            if kind == "seek" and name in PLENTY:
                names.append(WITH_PLENTY)
            yield from (Part(kind, name, case) for case in names)
        yield from (Part("once", name, fault) for fault in FAULTS if FAULTS[fault].game == name)
    from kinds import KINDS

    yield from (Part("files", "", kind) for kind in KINDS)
    if (HERE / "kills.py").exists():
        yield Part("kills", "", "training")
    yield from (Part("fuzz", "", file) for file in FUZZERS if (ROOT / file).exists())


def _cases(part: Part) -> list[Case]:
    return [case for case in cases(load(part.game), 1, 0) if part.case in ("", case.name)]


def main(key: str, count: str, seed: str) -> None:
    """Do a part and print what it found."""
    part = Part.of(key)

    def say(done: int) -> None:
        print(json.dumps({"done": done}), flush=True)

    try:
        print(json.dumps({"found": WORK[part.kind].do(part, int(count), int(seed), say)}), flush=True)
    except (AssertionError, RuntimeError) as error:
        print(json.dumps({"failed": str(error)}), flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
