"""Results on a small game that tests of the benchmark read."""

from pathlib import Path

import pytest
from toy_tasks import played

from theogony.benchmark.keeping import measure
from theogony.benchmark.results import Anchors


@pytest.fixture(scope="session")
def anchors(tmp_path_factory: pytest.TempPathFactory) -> Anchors:
    folder = tmp_path_factory.mktemp("anchors")
    return measure(played(folder, "random"), [played(folder, "greedy")])


@pytest.fixture(scope="session")
def first(tmp_path_factory: pytest.TempPathFactory, anchors: Anchors) -> Path:
    return played(tmp_path_factory.mktemp("first"), "own_players:First", anchors=anchors)
