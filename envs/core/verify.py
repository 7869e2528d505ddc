"""`theogony verify`: play the recordings of other engines through ours and report every difference.

A game adds only its reader: `recordings` of its `GameSpec`, a function `(path, lines) -> cases`. `lines` are the JSON
objects of one file; a case is a name and a function that plays it and calls `differ(step, field, expected, found)` for
every difference. Readers are generators, so that a long file is played case by case.
"""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

from theogony.envs.core.actions import IllegalAction
from theogony.envs.core.game import ComponentError, GameSpec, OptionError

Differ = Callable[[Any, str, Any, Any], None]
Case = tuple[str, Callable[[Differ], None]]
SHOWN = 200  # characters of a value in a difference


class RecordingError(ValueError):
    """A recording cannot be read: broken JSON, a foreign format, a field that is missing."""


def read_lines(path: Path) -> Iterator[dict[str, Any]]:
    """The JSON objects of a `.jsonl` or `.jsonl.gz` file. Raises RecordingError naming the first bad line."""
    try:
        opened = gzip.open(path, "rt", encoding="utf-8") if path.suffix == ".gz" else path.open(encoding="utf-8")
        with opened as file:
            for number, line in enumerate(file, 1):
                if not line.strip():
                    continue
                try:
                    yield json.loads(line)
                except ValueError as error:
                    raise RecordingError(f"{path}: line {number} is not JSON: {error}") from None
    except (OSError, EOFError, UnicodeDecodeError) as error:
        raise RecordingError(f"{path}: cannot be read: {error}") from None


def verify(spec: GameSpec, paths: Iterable[Path], say: Callable[[str], None] = print) -> tuple[int, int]:
    """Play every case of every file; prints each difference with file, step and field. Returns (passed, failed)."""
    if spec.recordings is None:
        raise RecordingError(f"{spec.name} has no reader for recordings")
    passed = failed = 0
    for path in paths:
        try:
            for name, play in spec.recordings(path, read_lines(path)):
                if _play(path, name, play, say):
                    passed += 1
                else:
                    failed += 1
        except (RecordingError, OptionError, ComponentError) as error:
            say(str(error) if str(path) in str(error) else f"{path}: {error}")
            failed += 1
        except (KeyError, IndexError, TypeError, AttributeError, ValueError) as error:
            say(f"{path}: is not a recording of {spec.name}: {type(error).__name__}: {error}")
            failed += 1
    return passed, failed


def _play(path: Path, name: str, play: Callable[[Differ], None], say: Callable[[str], None]) -> bool:
    differences = 0

    def differ(step: Any, field: str, expected: Any, found: Any) -> None:
        nonlocal differences
        differences += 1
        say(f"{path.name}: {name}: step {step}: {field}: expected {_short(expected)}, found {_short(found)}")

    try:
        play(differ)
    except IllegalAction as error:
        differ("?", "action", "legal", error)
    except RecordingError as error:
        differ("?", "recording", "readable", error)
    return differences == 0


def compare(differ: Differ, step: Any, expected: Any, found: Any, field: str = "") -> None:
    """Report every leaf in which two JSON-like values differ, by its path; keys only `found` has do not count."""
    if isinstance(expected, dict) and isinstance(found, dict):
        for key in expected:
            where = f"{field}.{key}" if field else str(key)
            if key in found:
                compare(differ, step, expected[key], found[key], where)
            else:
                differ(step, where, expected[key], "nothing")
    elif expected != found:
        differ(step, field, expected, found)


def _short(value: Any) -> str:
    text = str(value)
    return text if len(text) <= SHOWN else text[: SHOWN - 3] + "..."
