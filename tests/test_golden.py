"""Every game with golden play-throughs still plays them (see golden.py)."""

import runpy
from pathlib import Path
from typing import Any

import pytest

from theogony.envs import load
from theogony.envs.core.registry import GAMES

GOLDEN = runpy.run_path(str(Path(__file__).with_name("golden.py")))
NAMES = [name for name in GAMES if GOLDEN["folder"](name).is_dir()]
CASES = [(name, file, options) for name in NAMES for file, options in GOLDEN["cases"](load(name))]
FIRST = [next(case for case in CASES if case[0] == name) for name in NAMES]  # `make quick` plays one of each game


@pytest.mark.parametrize(
    ("name", "file", "options"),
    [pytest.param(*case, marks=() if case in FIRST else pytest.mark.slow) for case in CASES],
    ids=lambda value: str(value) if isinstance(value, str) else "",
)
def test_golden_playthrough(name: str, file: str, options: dict[str, Any]) -> None:
    found = GOLDEN["difference"](name, file, options)
    assert not found, f"behaviour changed; python tests/golden.py --write {name} accepts it:\n{found}"


def test_no_file_is_left_over() -> None:
    for name in NAMES:
        expected = {file for game, file, _ in CASES if game == name}
        assert {path.name for path in GOLDEN["folder"](name).iterdir()} == expected


def test_a_difference_shows() -> None:
    """What the comparison says about an option set that has no file: every line of the game."""
    found = GOLDEN["difference"]("push_of_faith", "no such file.txt", {"players": 2})
    assert "+* player 1: 0 points" in found and found.count(" legal: ") == 36
