"""The pieces: dice, as a read-only table."""

from __future__ import annotations

from typing import Any

import numpy as np

from theogony.envs.core.game import ComponentError
from theogony.envs.core.record import record_dtype, tables_header

FACES = 6
MAX_PLAYERS = 4
HIGHEST = 9  # the largest number a face can bear

TABLES = record_dtype(
    *tables_header(),
    ("rounds", "i1"),
    ("faces", "i1", (FACES,)),  # numbers on a die
)


def check_dice(data: Any, where: str) -> dict[str, Any]:
    """A checked die as plain data. Raises ComponentError saying where it comes from and what was expected."""
    faces = data.get("faces") if isinstance(data, dict) else None
    numbers = faces if isinstance(faces, list) else []
    if len(numbers) != FACES or not all(type(n) is int and 1 <= n <= HIGHEST for n in numbers):
        raise ComponentError(f"{where}: faces: a list of {FACES} numbers from 1 to {HIGHEST} was expected")
    return {"faces": numbers}


def build_tables(data: dict[str, Any], players: int, rounds: int, cut_off: int) -> np.ndarray:
    """The tables record for a player count, as an array of one."""
    tables = np.zeros(1, TABLES)
    t = tables[0]
    t.players, t.max_decisions, t.scale = players, cut_off, rounds
    t.rounds = rounds
    t.faces[:] = data["faces"]
    return tables
