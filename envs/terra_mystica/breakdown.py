"""Where each seat's points come from."""

from __future__ import annotations

from typing import Any

from theogony.envs.terra_mystica.recordings.snapshot import name_of
from theogony.envs.terra_mystica.state import SOURCES


def breakdown(game: Any, g: Any) -> list[dict[str, Any]]:
    """For each seat its faction, its points by source (they add up to `score`), and the largest area once counted."""
    return [
        {
            "faction": name_of(g, seat),
            "points": {name: int(g.vp_from[seat, k]) for k, name in enumerate(SOURCES)},
            "largest_area": int(g.area[seat]),
            "score": int(g.vp[seat]),
        }
        for seat in range(game.players)
    ]
