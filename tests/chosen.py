"""Which tests run, and in which order: `make test` leaves out long tests of what has not changed, and begins with what
takes longest, so that both workers end together.

`ALL=1` runs everything, as the nightly workflow does. `DURATIONS=.test_durations` notes how long each group took.
"""

from __future__ import annotations

import json
import os
import subprocess
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path

import pytest

from theogony.envs import GAMES

ROOT = Path(__file__).parents[1]
DURATIONS = ROOT / ".test_durations"
STOPPED = ("training/", "src/theogony/", "envs/core/")  # what is killed and goes on
COMPILED = (
    "envs/core/compile/",
    "envs/core/jit.py",
    "envs/core/kernels.py",
    "src/theogony/precompile.py",
    "constraints",
)
# Long tests -> what they are about. A change there, or of the tests themselves, lets them run.
ABOUT = {
    "tests/test_site.py": ("docs/", "mkdocs.yml", "README.md", "CHANGELOG.md", "src/theogony/web/"),
    "tests/test_packaging.py": (
        "pyproject.toml",
        "setup.py",
        "MANIFEST",
        "constraints.txt",
        "src/theogony/__init__.py",
    ),
    **{f"tests/{game}/": (f"envs/{game}/", "envs/core/") for game in GAMES},
    **{
        f"tests/test_{name}.py": ("envs/",)
        for name in ("conformance", "golden", "pictures", "fuzz_games", "vocabulary")
    },
    **{f"tests/{name}.py": COMPILED for name in ("core/test_cache", "core/test_prebuilt", "test_precompile")},
    "tests/core/test_ranges.py": ("envs/",),
    "tests/core/test_mistakes.py": ("envs/core/", "src/theogony/commands/"),
    "tests/core/test_other_numba.py": COMPILED,
    "tests/core/test_slow_files.py": (
        "envs/core/untrusted/",
        "envs/core/gamerecord.py",
        "envs/core/verify.py",
        "envs/terra_mystica/ledger/",
        "training/config/",
        "training/networks/weights.py",
        "training/storage/",
        "src/theogony/benchmark/",
        "src/theogony/models/",
        "src/theogony/verification/",
    ),
    "tests/web/": ("src/theogony/web/", "src/theogony/play/", "envs/", "constraints.txt"),
    "tests/play/": ("src/theogony/play/", "src/theogony/web/", "envs/"),
    "tests/cuda/": ("src/theogony/cuda/", "src/theogony/web/emit.py", "envs/"),
    "tests/models/": ("src/theogony/models/", "src/theogony/fence/", "wrappers/", "training/rating/"),
    "tests/hubs/": ("src/theogony/models/", "wrappers/"),
    "tests/training/": ("training/", "configs/", "wrappers/", "envs/"),
    "tests/benchmark/": ("src/theogony/benchmark/", "training/", "envs/core/", "leaderboard/"),
    "tests/libraries/": ("wrappers/", "envs/core/", "src/theogony/__init__.py", "examples/", "constraints.txt"),
    "tests/examples/": ("examples/", "training/", "wrappers/"),
    **{f"tests/{name}.py": STOPPED for name in ("test_cli", "test_killed", "test_interrupt", "training/test_kills")},
}
# Of what these tests are about, what says or draws how a position is: their kernels hold none of it.
SAID = {
    "tests/cuda/": (
        "/render/",
        "/draw/",
        "/vocabulary",
        "/story.py",
        "/docs_tables.py",
        "/data/rules",
        "/data/introduction",
    )
}
LANDING = 24 * 3600  # seconds: what came to the main branch in them counts as one change
REASON = "nothing that this is about has changed; ALL=1 runs it"


def changed() -> list[str] | None:
    """The files that differ from the main branch, or from what it was a day before where this is the main branch; None
    where nobody knows: there is no repository. In a shallow clone they are those that are not committed."""
    try:
        head = git("rev-parse", "HEAD")
        fresh = git("status", "--porcelain", "--untracked-files=all", "--no-renames")
    except OSError:
        return None
    if head is None or fresh is None:
        return None
    bases = (git("merge-base", "HEAD", name) for name in ("origin/main", "main"))
    base = next((found for found in bases if found not in (None, head)), None) or a_day_before()
    if base is None and git("rev-parse", "--is-shallow-repository") != "true":  # the history is younger
        base = git("rev-parse", "HEAD~1")
    since = (git("diff", "--name-only", "--no-renames", base, "HEAD") or "") if base else ""
    return [*since.splitlines(), *(line[2:].strip() for line in fresh.splitlines())]


def git(*words: str) -> str | None:
    """What git says; None where it fails."""
    done = subprocess.run(["git", *words], cwd=ROOT, capture_output=True, text=True, check=False)
    return done.stdout.strip() if done.returncode == 0 else None


def a_day_before() -> str | None:
    """The newest commit that is a day older than the last one; None where none is."""
    last = int(git("log", "-1", "--format=%ct") or 0)
    return git("rev-list", "-1", f"--before={last - LANDING}", "HEAD") or None


def left_out(test: str, files: Sequence[str] | None) -> bool:
    """Tell whether a long test is about nothing that has changed.

    Args:
        test: its name, which begins with the path of its file in the repository. What has changed in a game is nothing
            to the tests of another one.
        files: what has changed; None where nobody knows, which leaves nothing out.
    """
    if files is None:
        return False
    others = tuple(f"envs/{game}/" for game in GAMES if game not in test) if any(game in test for game in GAMES) else ()
    files = [file for file in files if not file.startswith(others)] if others else files
    places = [place for place in ABOUT if test.startswith(place)]
    return bool(places) and not any(
        file.startswith((place, *ABOUT[place])) and not any(part in file for part in SAID.get(place, ()))
        for place in places
        for file in files
    )


def leave_out(items: Iterable[pytest.Item]) -> None:
    """Skip the long tests that nothing asks for."""
    if os.environ.get("ALL"):
        return
    slow = [(item, name_of(item)) for item in items if any(map(item.get_closest_marker, ("slow", "random_play")))]
    if not any(name.startswith(tuple(ABOUT)) for _, name in slow):
        return
    files = changed()
    for item, name in slow:
        if left_out(name, files):
            item.add_marker(pytest.mark.skip(reason=REASON))


def name_of(item: pytest.Item) -> str:
    """The path of a test's file in the repository, and what it is called there."""
    return f"{item.path.relative_to(ROOT).as_posix()}::{item.nodeid.partition('::')[2]}"


def scope(name: str) -> str:
    """What goes to one worker: the group of a test, as `--dist loadgroup` writes it, or else its file."""
    file, _, test = name.partition("::")
    return test.rpartition("@")[2] if "@" in test.rpartition("]")[2] else file


def scope_of(item: pytest.Item) -> str:
    """The scope of a test that was collected."""
    mark = item.get_closest_marker("xdist_group")
    return str(mark.args[0]) if mark is not None else item.nodeid.partition("::")[0]


def longest_first(items: list[pytest.Item], known: dict[str, float]) -> None:
    """Put what takes longest first, by what was noted, else by the number of tests. Those of one scope stay together,
    in their order."""
    counts = Counter(map(scope_of, items))
    items.sort(key=lambda item: (-known.get(name := scope_of(item), counts[name] / 10), name))


def durations() -> dict[str, float]:
    """Seconds of each scope, as they were noted; empty where none were."""
    return json.loads(DURATIONS.read_text("utf-8")) if DURATIONS.is_file() else {}


def note(reports: Iterable[pytest.TestReport], file: Path) -> None:
    """Note how long each scope took; what took less than a second need not be told apart."""
    took: Counter[str] = Counter()
    for report in reports:
        took[scope(report.nodeid)] += report.duration  # pyright: ignore[reportArgumentType]
    long = {name: round(seconds, 1) for name, seconds in sorted(took.items()) if seconds >= 1}
    file.write_text(json.dumps(long, indent=1) + "\n", "utf-8")
