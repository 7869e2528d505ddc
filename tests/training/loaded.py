"""A training file of an engine that a test knows."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TypeVar

from theogony.training.config.engines import BaseConfig
from theogony.training.config.file import load_config

Kind = TypeVar("Kind", bound=BaseConfig)


def loaded(kind: type[Kind], path: Path, overrides: Sequence[str] = ()) -> Kind:
    """The file, which is of this kind."""
    config = load_config(path, list(overrides))
    assert isinstance(config, kind)
    return config
