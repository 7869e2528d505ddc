"""`SPEC`: Bluff as a game of the contract in theogony/envs/core/game.py."""

from __future__ import annotations

from typing import Any

from bluff.actions import CODEC
from bluff.components import HIGHEST, build_tables, check_dice
from bluff.heuristic import value
from bluff.observe import layout, observe
from bluff.render import render_svg, render_text
from bluff.rules import apply, legal, resample, score, setup
from bluff.state import STATE, Options
from theogony.envs.core.game import GameSpec, Parts


def components(options: Options) -> dict[str, Any]:
    """The die of the printed game."""
    return {"faces": [1, 2, 3, 4, 5, 6]}


def build(options: Options, data: dict[str, Any]) -> Parts:
    """Layouts and tables for the options in force."""
    tables = build_tables(data, options.players, options.rounds, options.max_decisions)
    return Parts(STATE, tables, layout(options.players), CODEC)


def decision_bound(options: Options) -> int:
    """A round has at most one decision for each number that can be bid, and the doubt."""
    return options.rounds * (HIGHEST * options.players + 1)


def invariant(game: Any, g: Any) -> str | None:
    """Every round that is over gave one strike."""
    if int(g.strikes.sum()) != int(g.rounds_over):
        return f"{int(g.strikes.sum())} strikes after {int(g.rounds_over)} rounds"
    return None


SPEC = GameSpec(
    module=__name__,
    name="bluff",
    title="Bluff",
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
    standing=score,
    resample=resample,
    value=value,
    render_text=render_text,
    render_svg=render_svg,
    option_sets=({}, {"rounds": 1}),
    decision_bound=decision_bound,
    check_components=check_dice,
    hidden=("dice",),
    invariant=invariant,
)
