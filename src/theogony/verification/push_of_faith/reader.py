"""The reader of recordings, for `theogony verify`: whole games, finished worlds and final rankings."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from theogony.envs.core.untrusted.checked import checked
from theogony.envs.core.verify import Case, RecordingError
from theogony.verification.push_of_faith.format import RecordingHeader, get
from theogony.verification.push_of_faith.games import play_game
from theogony.verification.push_of_faith.scoring import scoring_cases


def recordings(path: Path, lines: Iterator[dict[str, Any]]) -> Iterator[Case]:
    """The cases of one file: a whole game is one case, of a scoring file every line. Raises RecordingError."""
    first = next(lines, None)
    if first is None:
        raise RecordingError(f"{path}: is empty")
    if get(first, "record") == "header":
        header = checked(RecordingHeader, first, "the header", RecordingError)
        yield header.id, lambda differ: play_game(header, lines, differ)
    elif get(first, "kind") in ("world", "ranking"):
        yield from scoring_cases(first, lines)
    else:
        raise RecordingError(f"{path}: begins with neither a header of a game nor a scoring case")
