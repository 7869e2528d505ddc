"""What all tests share."""

from functools import cache
from pathlib import Path

import pytest

from theogony.envs import GAMES

TOYS = ("bluff", "tictactoe")


@cache
def plays_toys(path: Path) -> bool:
    """Whether the tests of a file play the small games of the tests in their own process."""
    text = path.read_text("utf-8")
    return any(f"from {toy}" in text for toy in TOYS)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """With `--dist loadgroup`, one worker has all tests of a game: its rules are compiled once, not by every worker."""
    for item in items:
        group = next((game for game in GAMES if game in item.nodeid), None)
        if group is None and (plays_toys(item.path) or any(toy in item.nodeid for toy in TOYS)):
            group = "toys"
        if group is not None:
            item.add_marker(pytest.mark.xdist_group(group))
