"""What the tests of `engine: td` and `engine: distil` share: tiny files of the toy game, and a run that is stopped."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml

from theogony.training.learning.ahead import AheadTraining
from theogony.training.learning.train import run
from theogony.training.storage import checkpoint

Write = Callable[..., Path]


class Stopped(Exception):
    """The process ended here."""


def writer(folder: Path, patch: pytest.MonkeyPatch, usual: dict[str, Any]) -> Write:
    """`write(name, key=...)`: a training file with these entries of the usual one changed."""
    patch.setenv("THEOGONY_ALLOW_MODULES", "1")

    def make(name: str = "run", **changes: Any) -> Path:
        path = folder / f"{name}.yaml"
        path.write_text(yaml.safe_dump({**usual, "folder": str(folder / name), **changes}), "utf-8")
        return path

    return make


def files(folder: Path) -> dict[str, bytes]:
    """Weights and moments of the last checkpoint of a run."""
    last = checkpoint.latest(folder)
    return {name: (last / name).read_bytes() for name in (checkpoint.POLICY, checkpoint.OPTIMIZER)}


def check_it_goes_on(write: Write, after: int, **changes: Any) -> None:
    """A run that is stopped behind so many steps, and goes on, ends with the same bytes as one that is not."""
    whole, parted = (write(name, **changes) for name in ("whole", "parted"))
    run(whole, [], None)
    iterate = AheadTraining.iterate

    def stop(training: AheadTraining[Any, Any]) -> None:
        if training.steps > after:
            raise Stopped
        iterate(training)

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(AheadTraining, "iterate", stop)
        with pytest.raises(Stopped):
            run(parted, [], None)
    folders = whole.with_suffix(""), parted.with_suffix("")
    assert checkpoint.latest(folders[1]).name < checkpoint.latest(folders[0]).name
    run(None, [], folders[1])
    assert files(folders[1]) == files(folders[0])
