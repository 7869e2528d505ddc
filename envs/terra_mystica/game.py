"""`SPEC`: Terra Mystica as a game of the contract in `envs/core/game.py`."""

from __future__ import annotations

from typing import Any

from theogony.envs.core.assemble import assemble
from theogony.envs.core.game import Parts
from theogony.envs.terra_mystica.actions import CODEC
from theogony.envs.terra_mystica.components import build_tables, load_components
from theogony.envs.terra_mystica.heuristic import PAR, WEIGHTS
from theogony.envs.terra_mystica.observe import layout
from theogony.envs.terra_mystica.state import Options, flags, state_dtype


def components(options: Options) -> dict[str, Any]:
    """The pieces that the options name, checked."""
    return load_components(options.component_folder)


def build(options: Options, data: dict[str, Any]) -> Parts:
    """Layouts and tables for the options in force."""
    tables = build_tables(data, flags(options))
    tables[0].weights[: len(WEIGHTS)] = WEIGHTS
    return Parts(state_dtype(), tables, layout(options.players), CODEC)


LEAGUE = {"extra_towns": True, "ship_card": True, "temple_tile": True, "turn_order": "passing"}
DEALT = {"factions": "dealt", "first_player": "random"}

SPEC = assemble(
    __name__,
    title="Terra Mystica",
    players=(2, 3, 4, 5),
    option_sets=({}, {"players": 4} | LEAGUE | DEALT, {"players": 3, "ruleset": "chinese"}),
    lookahead=2,
    scale=80.0,
    room=1.1,
    par=PAR,
)
