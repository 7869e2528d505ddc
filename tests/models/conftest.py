"""What the tests of models share: a scripted endpoint, and a short measurement."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from scripted import Scripted, serving

from theogony.models.named import Manner
from theogony.models.run import Measurement
from theogony.models.table import Settings


@pytest.fixture
def endpoint() -> Iterator[Scripted]:
    with serving() as server:
        yield server


@pytest.fixture
def asked(tmp_path: Path, endpoint: Scripted) -> Callable[..., Measurement]:
    """What is to be measured: Push of Faith against `random`, four games, no pause between retries to speak of."""

    def make(policy: str = "first", **changed: Any) -> Measurement:
        settings = Settings(**changed.pop("settings", {}))
        manner = Manner(timeout=changed.pop("timeout", 5.0), retries=changed.pop("retries", 2))
        model = changed.pop("model", endpoint.address(policy))
        out = changed.pop("out", tmp_path / "results.json")
        given = {"against": "random", "games": 4, "at_once": 2, **changed}
        return Measurement("push_of_faith", model, out, settings=settings, manner=manner, **given)

    return make


@pytest.fixture(autouse=True)
def no_pauses(monkeypatch: pytest.MonkeyPatch) -> None:
    """Retries come at once."""
    monkeypatch.setattr("theogony.models.endpoint.FIRST", 0.001)
