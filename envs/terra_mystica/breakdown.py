"""Where each seat's points come from."""

from __future__ import annotations

from typing import Any

from theogony.envs.core.contract import Account
from theogony.envs.core.game import Game
from theogony.envs.terra_mystica.snapshot import name_of
from theogony.envs.terra_mystica.state import SOURCES
from theogony.envs.terra_mystica.vocabulary import faction_name


def breakdown(game: Game, g: Any) -> list[dict[str, Any]]:
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


def account(game: Game, g: Any) -> Account:
    """Points by source; each seat is told by its faction."""
    seats = breakdown(game, g)
    rows = [(name, [seat["points"][name] for seat in seats]) for name in SOURCES]
    account = Account.of_points([seat["score"] for seat in seats], rows)
    factions = [faction_name(seat["faction"]) if seat["faction"] else "" for seat in seats]
    return account._replace(
        counted=[f"{name} {points}".strip() for name, points in zip(factions, account.counted, strict=True)]
    )
