"""`SPEC`: Innovation as a game of the contract in `envs/core/game.py`."""

from __future__ import annotations

from typing import Any

from theogony.envs.core.game import GameSpec, Parts
from theogony.envs.innovation.actions import CODEC
from theogony.envs.innovation.compiler import compile_cards
from theogony.envs.innovation.components import build_tables, load_cards
from theogony.envs.innovation.effects import DEFINITIONS
from theogony.envs.innovation.heuristic import value
from theogony.envs.innovation.observe import layout, observe
from theogony.envs.innovation.recordings import recordings
from theogony.envs.innovation.render import breakdown, render_svg, render_text
from theogony.envs.innovation.rules.resample import resample
from theogony.envs.innovation.rules.turns import apply, legal, score, setup, standing
from theogony.envs.innovation.state import Options, state_dtype


def components(options: Options) -> list[dict[str, Any]]:
    """The card list that the options name, checked."""
    return load_cards(options.card_file)


def build(options: Options, data: list[dict[str, Any]]) -> Parts:
    """Layouts and tables for the options in force."""
    tables = build_tables(data, compile_cards(data, DEFINITIONS), options.players, options.max_decisions)
    return Parts(state_dtype(options.log), tables, layout(options.players), CODEC)


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
)
