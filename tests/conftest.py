"""What all tests share."""

import os
import sys
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import chosen
import pytest
from needs import told
from numba.core.config import reload_config

from theogony.envs import GAMES
from theogony.fence import room

TOYS = ("bluff", "tictactoe")

if all(map(room.lacking, room.LINES)):  # tests of the fence are skipped then; others run what they made themselves
    os.environ.setdefault(room.VARIABLE, room.UNCONFINED)


@cache
def plays_toys(path: Path) -> bool:
    """Whether the tests of a file play the small games of the tests in their own process."""
    text = path.read_text("utf-8")
    return any(f"from {toy}" in text for toy in TOYS)


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """With `-m random_play`, few files have to be imported."""
    wanted = config.option.markexpr == "random_play" and collection_path.suffix == ".py"
    return True if wanted and "mark.random_play" not in collection_path.read_text("utf-8") else None


@pytest.hookimpl(tryfirst=True)  # before xdist, which reads the groups then
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """With `--dist loadgroup`, one worker has all tests of a game: its rules are compiled once, not by every worker.
    A test that names a group itself is in that one alone: xdist would join the two names to a third group."""
    for item in items:
        if item.get_closest_marker("xdist_group") is not None:
            continue
        group = next((game for game in GAMES if game in item.nodeid), None)
        if group is None and (plays_toys(item.path) or any(toy in item.nodeid for toy in TOYS)):
            group = "toys"
        if group is not None:
            item.add_marker(pytest.mark.xdist_group(group))
    chosen.leave_out(items)
    chosen.longest_first(items, chosen.durations())


def lies_in(folder: Path, module: object) -> bool:
    """Whether a module was imported from this folder."""
    names = getattr(module, "__dict__", {})  # read without `getattr`, which makes lazy modules import others
    places = [names.get("__file__"), *(names.get("__path__") or ())]
    return any(place is not None and Path(place).is_relative_to(folder) for place in places)


def surroundings() -> tuple[str, dict[str, str]]:
    """What of the process decides how Theogony behaves: the working directory and our variables."""
    return os.getcwd(), {name: value for name, value in os.environ.items() if name.startswith("THEOGONY_")}


@pytest.fixture(autouse=True)
def _bounds_stay_as_they_are() -> Iterator[None]:
    """`theogony check` sets how rules are compiled from then on, which is not for other tests of the process."""
    name = "NUMBA_BOUNDSCHECK"
    before = os.environ.get(name)
    yield
    if os.environ.get(name) == before:
        return
    os.environ.pop(name, None)
    if before is not None:
        os.environ[name] = before
    reload_config()  # else Numba reads the variable with the next rule that it compiles, and not before


@pytest.fixture(autouse=True)
def nothing_is_left_behind(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """The next test in this process may be any other: xdist deals them out differently on every machine."""
    modules, before = set(sys.modules), surroundings()
    yield
    for name in set(sys.modules) - modules:
        if lies_in(tmp_path_factory.getbasetemp(), sys.modules[name]):
            del sys.modules[name]
    assert surroundings() == before, "a test changed the working directory or a variable for those after it"


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """What was skipped, and the command that would bring what it needs."""
    if file := os.environ.get("DURATIONS"):
        found = (report for reports in terminalreporter.stats.values() for report in reports)
        chosen.note((report for report in found if isinstance(report, pytest.TestReport)), Path(file))
    skipped = terminalreporter.stats.get("skipped", [])
    reasons = Counter(report.longrepr[2].removeprefix("Skipped: ") for report in skipped)
    if reasons:
        terminalreporter.section("skipped")
        terminalreporter.write_line("\n".join(told(reasons)))
