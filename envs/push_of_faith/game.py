"""`SPEC`: Push of Faith as a game of the contract in `envs/core/game.py`."""

from __future__ import annotations

from typing import Any

from theogony.envs.core.assemble import assemble
from theogony.envs.core.game import Parts
from theogony.envs.push_of_faith.actions import CODEC
from theogony.envs.push_of_faith.components import WORLD_TILES, build_tables, check_enough, check_tiles, load_tiles
from theogony.envs.push_of_faith.observe import layout
from theogony.envs.push_of_faith.state import Options, state_dtype


def components(options: Options) -> dict[str, Any]:
    """The tile list that the options name, checked."""
    data = load_tiles(options.tile_file)
    check_enough(data, options.players, options.tile_file)
    return data


def build(options: Options, data: dict[str, Any]) -> Parts:
    """Layouts and tables for the options in force."""
    tables = build_tables(data, options.players, options.refill == "auto", options.first_player == "random")
    side, tiles = data["tile_side"], len(data["tiles"])
    state = state_dtype(tiles, side)
    features = layout(options.players, side, int(tables[0].statues.max()), state["stacks"].shape[1])
    return Parts(state, tables, features, CODEC)


def decision_bound(options: Options) -> int:
    """Decisions of a whole game: two a turn, or three where the stack is chosen (ruling R12b)."""
    return options.players * WORLD_TILES * (2 if options.refill == "auto" else 3)


SPEC = assemble(
    __name__,
    title="Push of Faith",
    players=(2, 3, 4, 5),
    option_sets=({}, {"refill": "choose", "first_player": "random"}),
    lookahead=2,
    scale=40.0,
    par=40.0,
    check_components=check_tiles,
    hidden=("stacks", "tokens"),
)
