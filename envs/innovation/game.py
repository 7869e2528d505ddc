"""`SPEC`: Innovation as a game of the contract in `envs/core/game.py`."""

from __future__ import annotations

from typing import Any

from theogony.envs.core.game import GameSpec, Parts
from theogony.envs.innovation.actions import CODEC
from theogony.envs.innovation.breakdown import breakdown
from theogony.envs.innovation.compiler import compile_cards
from theogony.envs.innovation.components import build_tables, check_cards, load_cards
from theogony.envs.innovation.effects import DEFINITIONS
from theogony.envs.innovation.heuristic import value
from theogony.envs.innovation.invariant import invariant
from theogony.envs.innovation.observe import layout, observe
from theogony.envs.innovation.position_json import position_from_json, to_json
from theogony.envs.innovation.ranges import ranges
from theogony.envs.innovation.recordings import recordings
from theogony.envs.innovation.render import render_svg, render_text
from theogony.envs.innovation.rules.resample import resample
from theogony.envs.innovation.rules.turns import apply, legal, score, setup, standing
from theogony.envs.innovation.state import Options, state_dtype


def components(options: Options) -> dict[str, Any]:
    """The card list that the options name, checked."""
    return load_cards(options.card_file)


def build(options: Options, data: dict[str, Any]) -> Parts:
    """Layouts and tables for the options in force."""
    cards = data["cards"]
    tables = build_tables(cards, compile_cards(cards, DEFINITIONS), options.players, options.max_decisions)
    return Parts(state_dtype(), tables, layout(options.players), CODEC)


HIDDEN = (
    "place", "below", "top", "bottom", "hand", "scored", "known", "options", "sets", "num", "meld_choice", "log",
    "log_count",
)  # fmt: skip

SPEC = GameSpec(
    module=__name__,
    name="innovation",
    title="Innovation",
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
    check_components=check_cards,
    hidden=HIDDEN,
    invariant=invariant,
    ranges=ranges,
    from_json=position_from_json,
    to_json=to_json,
)
