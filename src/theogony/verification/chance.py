"""What readers share: games with the options of a recording; chance results that it gives to the rules, which take them
in the order in which they draw; parts of its lines; and that nothing follows on its end.

Rules draw with `core.rng.chance`. It looks first at results in the tables, of which there are none in play: so what is
verified is the compiled code that plays, on positions of the same layout.
"""

from __future__ import annotations

import contextlib
import dataclasses
import functools
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from pydantic import BaseModel, ConfigDict

from theogony.envs.core.game import Game
from theogony.envs.core.registry import load
from theogony.envs.core.verify import Differ, RecordingError


@functools.cache
def configured(name: str, **options: Any) -> Game:
    """A game with these options, made once."""
    return load(name).configure(options)


def with_given_chances(game: Game, state: np.dtype | None = None) -> Game:
    """A copy of a game with tables of its own, in which `given` writes; with another layout of positions, if named."""
    tables = game.tables.copy()
    shown = tables.view()
    shown.flags.writeable = False  # rules are compiled for tables that nobody writes
    return dataclasses.replace(game, tables=shown, state=game.state if state is None else state)


@contextlib.contextmanager
def given(game: Game, g: Any, results: Sequence[int]) -> Iterator[None]:
    """While it lasts, rules draw these results from a game of `with_given_chances`, beginning at the position `g`.

    Then `g.rng[0]` of the position that was reached says how many were drawn: a large number if more than there are.
    Raises RecordingError when they are too many.
    """
    tables: Any = game.tables.base
    most = tables["results"].shape[1]
    if len(results) > most:
        raise RecordingError(f"{len(results)} chance results between two decisions, at most {most} fit")
    g.rng[0] = 0
    tables["results"][0, : len(results)] = results
    tables["given"] = len(results)
    try:
        yield
    finally:
        tables["given"] = 0


class Part(BaseModel):
    """A part of a line of a recording; what it does not name is passed over."""

    model_config = ConfigDict(strict=True, extra="ignore")


def nothing_after(lines: Iterator[Any], differ: Differ) -> None:
    """Report a line behind the end of a game."""
    if (further := next(lines, None)) is not None:
        differ("end", "record", f"after the end: {further}", "nothing")
