"""`SPEC`: Orbis as a game of the contract in `envs/core/game.py`."""

from __future__ import annotations

from typing import Any

from theogony.envs.core.game import GameSpec, Parts
from theogony.envs.orbis.actions import CODEC
from theogony.envs.orbis.breakdown import breakdown
from theogony.envs.orbis.components import REGIONS, TEMPLE, build_tables, check_enough, check_tiles, load_tiles
from theogony.envs.orbis.heuristic import value
from theogony.envs.orbis.invariant import invariant
from theogony.envs.orbis.observe import layout, observe
from theogony.envs.orbis.ranges import ranges
from theogony.envs.orbis.recordings import recordings
from theogony.envs.orbis.render import render_svg, render_text
from theogony.envs.orbis.rules.scoring import score, standing
from theogony.envs.orbis.rules.setup import resample, setup
from theogony.envs.orbis.rules.turn import apply, legal
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
    t.max_decisions = options.max_decisions
    t.random_first = options.first_player == "random"
    t.farm_waives_one = options.farm_waives == "one"
    t.free_wilderness = options.free_wilderness
    t.optional_gains = options.optional_gains
    t.most_needs_one = options.most_needs_one
    t.tie_by_temples_only = options.temple_tie == "temples"
    t.same_colour_exchange = options.same_colour_exchange
    t.late_exchange = options.late_exchange
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


SPEC = GameSpec(
    module=__name__,
    name="orbis",
    title="Orbis",
    version=0,
    players=(2, 3, 4),
    options=Options,
    components=components,
    build=build,
    setup=setup,
    legal=legal,
    apply=apply,
    observe=observe,
    score=score,
    standing=standing,
    resample=resample,
    value=value,
    render_text=render_text,
    render_svg=render_svg,
    recordings=recordings,
    breakdown=breakdown,
    option_sets=(
        {},
        {"first_player": "random", "farm_waives": "one", "free_wilderness": False, "optional_gains": True},
        {"most_needs_one": False, "temples_counted_by": "tiles", "temple_tie": "temples"},
        {"same_colour_exchange": True, "late_exchange": False},
    ),
    decision_bound=decision_bound,
    check_components=check_tiles,
    hidden=("pile",),
    invariant=invariant,
    ranges=ranges,
)
