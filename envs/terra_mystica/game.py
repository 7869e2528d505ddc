"""`SPEC`: Terra Mystica as a game of the contract in `envs/core/game.py`."""

from __future__ import annotations

from typing import Any

from theogony.envs.core.game import GameSpec, Parts
from theogony.envs.terra_mystica.actions import CODEC
from theogony.envs.terra_mystica.breakdown import breakdown
from theogony.envs.terra_mystica.check_components import check_components
from theogony.envs.terra_mystica.components import build_tables, load_components
from theogony.envs.terra_mystica.dataset import dataset
from theogony.envs.terra_mystica.heuristic import value
from theogony.envs.terra_mystica.invariant import invariant
from theogony.envs.terra_mystica.observe import layout, observe
from theogony.envs.terra_mystica.ranges import ranges
from theogony.envs.terra_mystica.recordings import recordings
from theogony.envs.terra_mystica.render import render_svg, render_text
from theogony.envs.terra_mystica.rules import apply, legal, resample, score, setup, standing
from theogony.envs.terra_mystica.state import Options, flags, state_dtype
from theogony.envs.terra_mystica.weights import WEIGHTS


def components(options: Options) -> dict[str, Any]:
    """The pieces that the options name, checked."""
    return check_components(load_components(options.component_folder), options.component_folder)


def build(options: Options, data: dict[str, Any]) -> Parts:
    """Layouts and tables for the options in force."""
    tables = build_tables(data, options.players, options.max_decisions, flags(options))
    tables[0].weights[: len(WEIGHTS)] = list(WEIGHTS.values())
    return Parts(state_dtype(), tables, layout(options.players), CODEC)


LEAGUE = {"extra_towns": True, "ship_card": True, "temple_tile": True, "turn_order": "passing"}
DEALT = {"factions": "dealt", "first_player": "random"}

SPEC = GameSpec(
    module=__name__,
    name="terra_mystica",
    title="Terra Mystica",
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
    dataset=dataset,
    breakdown=breakdown,
    option_sets=({}, {"players": 4} | LEAGUE | DEALT, {"players": 3, "ruleset": "seed"}),
    lookahead=2,
    check_components=check_components,
    invariant=invariant,
    ranges=ranges,
)
