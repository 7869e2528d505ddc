"""Tables to play at, and a browser where there is one."""

from collections.abc import Iterator
from pathlib import Path

import browser as browsers
import pytest
import serving


@pytest.fixture(scope="session")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[browsers.Browser]:
    """A headless browser for all tests; without one they are skipped."""
    if browsers.find() is None:
        pytest.skip("no Chromium is installed")
    with browsers.browser(tmp_path_factory.mktemp("profile")) as running:
        yield running


@pytest.fixture
def served(tmp_path: Path) -> Iterator[serving.Opener]:
    """`served(game, seats, ...)` lays a table and serves its page, in this process, until the test ends."""
    with serving.tables(tmp_path) as opener:
        yield opener
