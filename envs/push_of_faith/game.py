"""`SPEC`: Push of Faith as a game of the contract in `envs/core/game.py`."""

from __future__ import annotations

from typing import Any

from theogony.envs.core.game import GameSpec, Parts
from theogony.envs.push_of_faith.actions import CODEC
from theogony.envs.push_of_faith.breakdown import breakdown
from theogony.envs.push_of_faith.components import build_tables, check_enough, check_tiles, load_tiles
from theogony.envs.push_of_faith.heuristic import value
from theogony.envs.push_of_faith.invariant import invariant
from theogony.envs.push_of_faith.observe import layout, observe
from theogony.envs.push_of_faith.ranges import ranges
from theogony.envs.push_of_faith.recordings import recordings
from theogony.envs.push_of_faith.render import render_svg, render_text
from theogony.envs.push_of_faith.rules import apply, legal, resample, score, setup, standing
from theogony.envs.push_of_faith.state import Options, state_dtype


def components(options: Options) -> dict[str, Any]:
    """The tile list that the options name, checked."""
    data = load_tiles(options.tile_file)
    check_enough(data, options.players, options.tile_file)
    return data


def build(options: Options, data: dict[str, Any]) -> Parts:
    """Layouts and tables for the options in force."""
    tables = build_tables(
        data, options.players, options.refill == "auto", options.first_player == "random", options.max_decisions
    )
    side, tiles = data["tile_side"], len(data["tiles"])
    features = layout(options.players, side, int(tables[0].statues.max()))
    return Parts(state_dtype(tiles, side), tables, features, CODEC)


def decision_bound(options: Options) -> int:
    """Decisions of a whole game: two a turn, or three where the stack is chosen (rules §9)."""
    return options.players * 9 * (2 if options.refill == "auto" else 3)


SPEC = GameSpec(
    module=__name__,
    name="push_of_faith",
    title="Push of Faith",
    version=0,
    players=(2, 3, 4, 5),
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
    option_sets=({}, {"refill": "choose", "first_player": "random"}),
    lookahead=2,
    decision_bound=decision_bound,
    check_components=check_tiles,
    hidden=("stacks", "tokens"),
    invariant=invariant,
    ranges=ranges,
)
