"""The parts of a soak: what each does, how much of it, and on what. `python parts.py KEY COUNT SEED` does one.

A part runs in a process of its own. It prints lines of JSON: `{"done": n}` now and then, and at the end
`{"found": ...}` with the facts, or `{"failed": "..."}` with what does not hold.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

from theogony.envs import GAMES, load
from theogony.envs.core.conformance.base import Case, cases

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
        facts.update(positions=int(game.tally.audited), actions=int(game.tally.tried))
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
    from theogony.envs.core.conformance.seeker import Seeker

    (case,) = _cases(part)
    seeker = Seeker(case.game, seed)
    while seeker.decisions < count:
        before = seeker.decisions
        for trouble in seeker.seek(min(20_000, count - before)):
            raise AssertionError(f"{case.game!r}: {trouble}")
        say(seeker.decisions - before)
    return {"decisions": seeker.decisions, "runs": seeker.runs}


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
    "seek": Work("decisions", 1_000_000, seek, each_case=True),
    "files": Work("files", 200, files),
    "kills": Work("kills", 100, kills),
    "fuzz": Work("budgets", 50, fuzz),
}
ENVIRONMENT = {"bounds": {"NUMBA_BOUNDSCHECK": "1"}}
FUZZERS = ("tests/core/test_fuzz.py", "tests/test_fuzz_games.py")


# ---------------------------------------------------------------------------------------------------- which


def every_part(games: tuple[str, ...] = tuple(GAMES)) -> Iterator[Part]:
    """All parts, those of each game in the order of `WORK`, then those of no game."""
    for name in games:
        for kind in ("play", "bounds", "hidden", "masks", "seek"):
            names = [case.name for case in cases(load(name), 1, 0)] if WORK[kind].each_case else [""]
            yield from (Part(kind, name, case) for case in names)
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
    except AssertionError as error:
        print(json.dumps({"failed": str(error)}), flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
