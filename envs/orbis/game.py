"""`SPEC`: Orbis as a game of the contract in `envs/core/game.py`."""

from __future__ import annotations

from typing import Any

from theogony.envs.core.assemble import assemble
from theogony.envs.core.game import Parts
from theogony.envs.orbis.actions import CODEC
from theogony.envs.orbis.components import REGIONS, TEMPLE, build_tables, check_enough, check_tiles, load_tiles
from theogony.envs.orbis.observe import layout
from theogony.envs.orbis.state import STATE, Options


def components(options: Options) -> dict[str, Any]:
    """The tile list that the options name, checked."""
    data = load_tiles(options.tile_file)
    check_enough(data, options.players, options.tile_file)
    return data


def build(options: Options, data: dict[str, Any]) -> Parts:
    """Layouts and tables for the options in force."""
    tables = build_tables(data, options.players)
    t = tables[0]
    t.random_first = options.first_player == "random"
    t.farm_waives_one = options.farm_waives == "one"
    t.tie_by_temples_only = options.temple_tie == "temples"
    for name in ("free_wilderness", "optional_gains", "most_needs_one", "same_colour_exchange", "late_exchange"):
        t[name] = getattr(options, name)
    if options.temples_counted_by == "tiles":
        t.icons[:] = t.effect == TEMPLE
    return Parts(STATE, tables, layout(options.players, len(data["regions"])), CODEC)


def decision_bound(options: Options) -> int:
    """Decisions of a whole game, at most.

    Each region turn has one decision each for tile, face, slot, a declined effect and the end of the turn, each god
    turn three. Every other decision but a gain uses up a worshipper (an exchange even two), and a region turn brings
    at most 4 + 2 of them, a god 10; gains are decisions too, at most 2 and 10.
    """
    regions = REGIONS * options.players
    return regions * (5 + 6 + 2) + options.players * (3 + 10 + 10)


SPEC = assemble(
    __name__,
    title="Orbis",
    players=(2, 3, 4),
    option_sets=(
        {},
        {"first_player": "random", "farm_waives": "one", "free_wilderness": False, "optional_gains": True},
        {"most_needs_one": False, "temples_counted_by": "tiles", "temple_tie": "temples"},
        {"same_colour_exchange": True, "late_exchange": False},
    ),
    scale=25.0,
    par=25.0,
    check_components=check_tiles,
    hidden=("pile",),
)
