"""The reader of recorded games and scoring cases, for `theogony verify`."""

from __future__ import annotations

import functools
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from theogony.envs.core.verify import Case, RecordingError
from theogony.verification.orbis.games import play_game
from theogony.verification.orbis.scoring import score_case


def recordings(path: Path, lines: Iterable[dict[str, Any]]) -> Iterator[Case]:
    """The cases of a file: a game from its header to its end, or a scoring case a line."""
    found: list[dict[str, Any]] = []
    for line in lines:
        if not isinstance(line, dict):
            raise RecordingError(f"{path}: a line is no JSON object")
        if "expected" in line:
            yield str(line.get("id", "case")), functools.partial(score_case, line)
        elif line.get("type") == "header":
            if found:
                yield _name(found), functools.partial(play_game, found)
            found = [line]
        elif found:
            found.append(line)
        else:
            raise RecordingError(f"{path}: the file begins with neither the header of a game nor a scoring case")
    if found:
        yield _name(found), functools.partial(play_game, found)


def _name(lines: list[dict[str, Any]]) -> str:
    return f"{lines[0].get('players')} players, {lines[0].get('style', 'game')}"
