"""The range of every field of the state: what bytes from a file must keep to before the rules see them."""

from __future__ import annotations

from theogony.envs.core.game import Game
from theogony.envs.core.untrusted.ranges import Ranges, any_value, set_of
from theogony.envs.orbis.components import COLOURS, DISPLAY, GODS, MAX_PLAYERS, REGIONS
from theogony.envs.orbis.state import CELLS, CHOOSE, FINISH, NONE, WILDERNESS

FLAG, COUNT = (0, 1), (0, 127)


def ranges(game: Game) -> Ranges:
    """Lowest and highest value of each field; -1 is nothing."""
    tile, cells = (NONE, len(game.tables[0].level) - 1), set_of(CELLS)
    return {
        "decision": (CHOOSE, FINISH),
        "turns": COUNT,
        "first": (0, MAX_PLAYERS - 1),
        "display": tile,
        "lying": COUNT,
        "pile": tile,
        "drawn": (0, REGIONS * MAX_PLAYERS),
        "offer": set_of(GODS),
        "source": (NONE, DISPLAY - 1),
        "hand": tile,
        "face": (0, WILDERNESS),
        "cell": (NONE, CELLS - 1),
        "due": COUNT,
        "begun": FLAG,
        "realm": COUNT,
        "farms": set_of(COLOURS),
        "god": (NONE, GODS - 1),
        "taken": FLAG,
        "placed": (0, REGIONS),
        "tiles": tile,
        "wild": cells,
        "colours": cells,
        "forests": cells,
        "active": cells,
        "cancelled": cells,
        "counts": (0, REGIONS),
        "icons": COUNT,
        "cp": any_value(game.state["cp"]),
    }
