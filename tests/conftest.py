"""What all tests share."""

import pytest

from theogony.envs import GAMES


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """With `--dist loadgroup`, one worker has all tests of a game: its rules are compiled once, not by every worker."""
    for item in items:
        for game in GAMES:
            if game in item.nodeid:
                item.add_marker(pytest.mark.xdist_group(game))
                break
