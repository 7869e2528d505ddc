"""The table of what a seat is worth, for the pages of the games: from what `tools/seats.py` measured."""

from __future__ import annotations

import functools
import json
from pathlib import Path
from typing import Any

from theogony.envs.core.game import GameSpec
from theogony.training.rating.evaluate import wilson

FIGURES = Path(__file__).with_name("seats.json")


@functools.cache
def measured() -> dict[str, dict[str, Any]]:
    """By table, such as orbis-2p, and by who sits in all seats: the shares of games won, and the games in each seat."""
    return json.loads(FIGURES.read_text())


def seats(spec: GameSpec) -> str:
    """What a seat is worth: how often it wins where all play alike, with the 95 % interval of each figure."""
    mine = {int(table.rpartition("-")[2][:-1]): found for table, found in measured().items() if _of(table) == spec.name}
    most = max(mine)
    heads = ["players", "all seats are", *(f"seat {seat}" for seat in range(most)), "games each"]
    rows = [
        [str(players), player, *_cells(found, most), f"{found['games']:,}"]
        for players, table in sorted(mine.items())
        for player, found in table.items()
    ]
    return "\n".join("| " + " | ".join(row) + " |" for row in (heads, ["---"] * len(heads), *rows))


def _of(table: str) -> str:
    return table.rpartition("-")[0]


def _cells(found: dict[str, Any], most: int) -> list[str]:
    won, games = found["won"], found["games"]
    bounds = [(share, *wilson(share * games, games)) for share in won]
    cells = [f"{share:.0%} ({low:.0%} to {high:.0%})" for share, low, high in bounds]
    return cells + [""] * (most - len(cells))
