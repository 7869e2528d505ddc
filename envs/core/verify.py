"""`theogony verify`: play the recordings of other engines through ours and report every difference. Records of this
program, from a page without a server too, are played again as well.

A game adds only its reader, a function `recordings(path, lines) -> cases`, which no game imports: `on_demand` finds it.
`lines` are the JSON objects of one file; a case is a name and a function that plays it and calls
`differ(step, field, expected, found)` for every difference. Readers are generators, so that a long file is played case
by case.
"""

from __future__ import annotations

import gzip
import importlib
import importlib.util
import itertools
import sys
import zlib
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

from theogony.envs.core.actions import IllegalAction
from theogony.envs.core.game import ComponentError, GameSpec, OptionError
from theogony.envs.core.gamerecord import RecordError, read_record
from theogony.envs.core.registry import load_registered
from theogony.envs.core.untrusted.outside import MEGABYTE, parse_json, printable

Differ = Callable[[Any, str, Any, Any], None]
Case = tuple[str, Callable[[Differ], None]]
OURS = ("theogony.envs.", "theogony.verification.")  # the games of this package, and what reads for them
SHOWN = 200  # characters of a value in a difference
LONGEST = 64 * MEGABYTE  # bytes of a line


class RecordingError(ValueError):
    """A recording cannot be read: broken JSON, a foreign format, a field that is missing."""


def read_lines(path: Path) -> Iterator[dict[str, Any]]:
    """The JSON objects of a `.jsonl` or `.jsonl.gz` file. Raises RecordingError naming the first bad line."""
    if path.exists() and not path.is_file():
        raise RecordingError(f"{path}: cannot be read: it is not a plain file")
    try:
        with gzip.open(path) if path.suffix == ".gz" else path.open("rb") as file:
            for number, line in enumerate(iter(lambda: file.readline(LONGEST + 1), b""), 1):
                if line.strip():
                    yield _object(line, f"{path}: line {number}")
    except (OSError, EOFError, zlib.error) as error:
        raise RecordingError(f"{path}: cannot be read: {error}") from None


def _object(line: bytes, where: str) -> dict[str, Any]:
    content = parse_json(line, where, RecordingError, LONGEST)
    if not isinstance(content, dict):
        raise RecordingError(f"{where} is no JSON object, but {content!r:.{SHOWN}}")
    return content


def on_demand(spec: GameSpec, piece: str) -> Callable[..., Any] | None:
    """`recordings` or `dataset` of a game, imported now; None where it has none.

    They stand in the game's own module or in `recordings` beside it; for the games of this package in
    `theogony.verification`.
    """
    module = spec.module.partition(":")[0]
    package = module.rpartition(".")[0]
    beside = [f"{package}.recordings", package.replace(*OURS)] if package else []
    for name in (module, *beside):
        if name in sys.modules or importlib.util.find_spec(name):
            found = getattr(importlib.import_module(name), piece, None)
            if callable(found):
                return found
    return None


def verify(spec: GameSpec, paths: Iterable[Path], say: Callable[[str], None] = print) -> tuple[int, int]:
    """Play every case of every file; prints each difference with file, step and field. Returns (passed, failed); a file
    without a case has failed."""
    recordings = on_demand(spec, "recordings")
    if recordings is None:
        raise RecordingError(f"{spec.name} has no reader for recordings")
    passed = failed = 0

    def tell(text: str) -> None:
        say(printable(text))

    for path in paths:
        found = 0
        try:
            for held in _played(spec, path, recordings, tell):
                found += 1
                passed += held
                failed += not held
            if not found:
                raise RecordingError(f"{path}: holds no case; expected recordings of {spec.name}")
        except (RecordingError, RecordError, OptionError, ComponentError) as error:
            tell(str(error) if str(path) in str(error) else f"{path}: {error}")
            failed += 1
        except (KeyError, IndexError, TypeError, AttributeError, ValueError) as error:
            tell(f"{path}: is not a recording of {spec.name}: {type(error).__name__}: {error}")
            failed += 1
    return passed, failed


def _played(
    spec: GameSpec, path: Path, recordings: Callable[..., Iterable[Case]], say: Callable[[str], None]
) -> Iterator[bool]:
    """Play the cases of a file, or the record that it is; whether each passed."""
    lines = read_lines(path)
    first = next(lines, None)
    if first is None:
        return
    if "theogony_record" in first:
        _play_own(path, spec)
        yield True
        return
    for name, play in recordings(path, itertools.chain([first], lines)):
        yield _play(path, name, play, say)


def _play_own(path: Path, spec: GameSpec) -> None:
    """Play a record of this program again. Raises RecordError where it does not hold what it says."""
    if path.suffix == ".gz":
        raise RecordError(f"{path}: is a packed record; expected the record itself, as gunzip leaves it")
    game = read_record(path, lambda name: spec if name == spec.name else load_registered(name)).game
    if game.spec.name != spec.name:
        raise RecordError(f"{path}: is a record of {game.spec.name}, and {spec.name} was expected")


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


def compare(differ: Differ, step: Any, expected: Any, found: Any, field: str = "", whole: bool = False) -> None:
    """Report every leaf in which two JSON-like values differ, by its path.

    Keys that only `found` has count where the `whole` is compared: then lists of lists or objects have a path as well,
    and 1 is not True.
    """
    if whole and isinstance(expected, list) and isinstance(found, list):
        if any(isinstance(one, dict | list) for one in expected + found):
            expected, found = dict(enumerate(expected)), dict(enumerate(found))
    if isinstance(expected, dict) and isinstance(found, dict):
        for key in {**expected, **found} if whole else expected:
            where = f"{field}.{key}" if field else str(key)
            if key in expected and key in found:
                compare(differ, step, expected[key], found[key], where, whole)
            else:
                differ(step, where, expected.get(key, "nothing"), found.get(key, "nothing"))
    elif expected != found or (whole and isinstance(expected, bool) != isinstance(found, bool)):
        differ(step, field, expected, found)


def _short(value: Any) -> str:
    text = str(value)
    return text if len(text) <= SHOWN else text[: SHOWN - 3] + "..."
