"""The pieces: dice, as a read-only table."""

from typing import Any

from theogony.envs.core.game import ComponentError
from theogony.envs.core.record import record_dtype, tables_header

MAX_PLAYERS = 4
HIGHEST = 9  # the largest number a face can bear

COMPONENTS = {"faces": [1, 2, 3, 4, 5, 6]}  # of the printed game
TABLES = record_dtype(
    *tables_header(),
    ("rounds", "i1"),
    ("faces", "i1", (6,)),  # numbers on a die
    ("highest", "i1"),  # the most that all dice can show
)


def check_components(data: Any, where: str) -> dict[str, Any]:
    """A checked die as plain data. Raises ComponentError saying where it comes from and what was expected."""
    faces = data.get("faces") if isinstance(data, dict) else None
    numbers = faces if isinstance(faces, list) else []
    if len(numbers) != 6 or not all(type(n) is int and 1 <= n <= HIGHEST for n in numbers):
        raise ComponentError(f"{where}: faces: a list of 6 numbers from 1 to {HIGHEST} was expected")
    return {"faces": numbers}


def fill_tables(t: Any, options: Any, data: dict[str, Any]) -> None:
    """The tables for the options in force; core writes their header."""
    t.rounds = t.scale = options.rounds
    t.faces[:], t.highest = data["faces"], max(data["faces"]) * options.players
