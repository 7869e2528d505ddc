"""Which game a recording was made with: its rulings as our options, and the digest of its tiles."""

from __future__ import annotations

import functools
import hashlib
import json
from typing import Any

from theogony.envs.core.game import Game
from theogony.envs.core.registry import load
from theogony.envs.core.verify import Differ, RecordingError

# Rulings a header states, with the values this reader knows and our options for them.
RULINGS: dict[str, dict[Any, dict[str, Any]]] = {
    "farm_waives": {
        "the whole named-colour part of a tile cost, never 'any', never the farm's own cost (A1, A2, A3)": {}
    },
    "wilderness_by_free_choice": {True: {}, False: {"free_wilderness": False}},
    "payable_without_matching_slot": {"wilderness, nothing paid": {}},
    "bottom_row_grows_at_both_ends": {True: {}},
    "upper_rows_may_have_gaps": {True: {}},
    "irrigation_in_bottom_row": {"cancelled": {}},
    "conversions_are_automatic": {True: {}, False: {"optional_gains": True}},
    "exchange_window": {"own turn, from taking the tile or god until the discard of step 6": {}},
    "exchange_into_same_colour": {"allowed, never recorded": {"same_colour_exchange": True}},
    "realm_discard": {"exactly the excess over 10": {}},
    "god_of_death": {"exactly 6 or nothing": {}},
    "most_gods_need_at_least_one": {True: {}, False: {"most_needs_one": False}},
    "fewest_wilderness_counts_zero_and_ties": {True: {}},
    "temples_counted_by": {"icons": {}, "tiles": {"temples_counted_by": "tiles"}},
    "temple_tie": {"highest mythology on any own face-up white tile, then next values, then seat": {}},
    "final_tie": {"most worshippers left, then shared victory": {}},
    "negative_totals": {True: {}},
}


def tiles_digest(components: dict[str, Any]) -> str:
    """SHA-256 by which recordings name the tile data they were made with."""
    gods = [{key: god[key] for key in ("id", "on_take", "end")} for god in components["gods"]]
    keys = ("id", "level", "colour", "cost", "effect", "cp", "stars", "mythology")
    regions = [{key: tile[key] for key in keys} for tile in components["regions"]]
    data = {"gods": gods, "regions": regions, "setup": components["setup"]}
    text = json.dumps(data, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()


@functools.cache
def _configured(players: int, options: tuple[tuple[str, Any], ...]) -> Game:
    return load("orbis").configure({"players": players, **dict(options)})


def game_of(line: dict[str, Any], differ: Differ) -> Game:
    """Our game under the rulings of a header; a ruling that is not known is a difference."""
    options: dict[str, Any] = {}
    for name, stated in line.get("options", {}).items():
        known = RULINGS.get(name, {})
        if isinstance(stated, (str, bool)) and stated in known:
            options |= known[stated]
        else:
            differ("header", f"options.{name}", stated, list(known) or "no such ruling")
    game = _configured(line["players"], tuple(sorted(options.items())))
    if line["tiles_digest"] != tiles_digest(game.components):
        raise RecordingError(f"made with other tiles: tiles_digest {line['tiles_digest']!r}")
    return game
