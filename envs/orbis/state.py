"""The state record, the kinds of decision and the options."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

import numpy as np

from theogony.envs.core.game import PackOptions
from theogony.envs.core.record import header, record_dtype
from theogony.envs.core.untrusted.models import Field
from theogony.envs.orbis.components import COLOURS, DEFAULT_TILES, DISPLAY, MAX_PLAYERS, REGIONS

NONE = -1  # an empty display position, cell, god or hand
LIMIT = 10  # worshippers a seat may keep (rules §3.2, step 6)

# What is due. The first are decisions of a player, in the order of a turn; from GENERATE on they follow by themselves.
CHOOSE, PAY, PAY_ANY, PLACE, GAIN, GIVE, DESTROY, FINISH = range(8)
GENERATE, COLLECT, EFFECT, TRIM, REFILL, END = range(8, 14)
DECISIONS = ("choose", "pay", "pay any", "place", "gain", "give", "destroy", "finish")

UP, WILDERNESS = 1, 2  # faces of the tile in hand; 0 before step 3

# A pyramid is a set of cells 5 * row + column, as bits: the two tiles below cell p are p - 5 and p - 4, and a bottom
# row that grows to the left moves every cell up by one.
STRIDE = 5
CELLS = 4 * STRIDE


class Options(PackOptions):
    """Options of Orbis. Each is a ruling (A...) of docs/games/orbis.md with its default."""

    players: int = Field(default=2, description="seats at the table")
    tile_file: Path = Field(default=DEFAULT_TILES, description="JSON file with another tile list (A40)")
    first_player: Literal["seat0", "random"] = Field(default="seat0", description="who begins (A29)")
    farm_waives: Literal["all", "one"] = Field(
        default="all", description="whether a farm waives the whole part of its colour or one worshipper (A1)"
    )
    free_wilderness: bool = Field(
        default=True, description="whether a tile that could be paid and placed may become wilderness (A4)"
    )
    optional_gains: bool = Field(default=False, description="whether a conversion may be declined (A38)")
    most_needs_one: bool = Field(default=True, description="whether gods of the most need at least one tile (A20)")
    temples_counted_by: Literal["icons", "tiles"] = Field(default="icons", description="the temple ranking (A23)")
    temple_tie: Literal["white", "temples"] = Field(
        default="white", description="which tiles' mythology values break a temple tie (A24)"
    )
    same_colour_exchange: bool = Field(
        default=False, description="whether three of a colour may be returned for one of the same (A45)"
    )
    late_exchange: bool = Field(
        default=True, description="whether one may exchange at the end of a turn with nothing to discard (A44)"
    )


# One record for all player counts: what stands behind the last seat is not used.
STATE: np.dtype = record_dtype(
    *header(),
    ("turns", "i1"),  # turns that are over, 0 to 15 a seat
    ("first", "i1"),  # seat that began
    ("display", "i1", (DISPLAY,)),  # tile in each position, by rows
    ("lying", "i1", (DISPLAY, COLOURS)),  # worshippers on each position
    ("pile", "i1", (REGIONS * MAX_PLAYERS,)),  # tiles to come, the next one first; -1 where drawn
    ("drawn", "i1"),  # how many were drawn
    ("offer", "i2"),  # gods on offer, as bits
    ("source", "i1"),  # display position of the tile in hand
    ("hand", "i1"),  # tile that was taken in this turn
    ("face", "i1"),  # of the tile in hand: 0 not yet, 1 up, 2 wilderness
    ("cell", "i1"),  # where it was placed
    ("due", "i1", (COLOURS + 1,)),  # what is still to be paid, gained, given or destroyed
    ("begun", "i1"),  # an effect or the discard was begun: no exchange and no way back
    ("realm", "i1", (MAX_PLAYERS, COLOURS)),  # worshippers of each seat
    ("farms", "i1", (MAX_PLAYERS,)),  # colours that are waived, as bits
    ("god", "i1", (MAX_PLAYERS,)),  # -1 before it is taken
    ("taken", "i1", (MAX_PLAYERS,)),  # 1: the god's discard was done
    ("placed", "i1", (MAX_PLAYERS,)),  # tiles in the pyramid
    ("tiles", "i1", (MAX_PLAYERS, CELLS)),  # tile in each cell of a pyramid
    ("wild", "i4", (MAX_PLAYERS,)),  # wildernesses, as bits of cells; so are the next four
    ("colours", "i4", (MAX_PLAYERS, COLOURS)),  # tiles that count as a colour, wildernesses included
    ("forests", "i4", (MAX_PLAYERS,)),  # forests, active or not
    ("active", "i4", (MAX_PLAYERS,)),  # villages, volcanoes and irrigation that were fulfilled
    ("cancelled", "i4", (MAX_PLAYERS,)),  # and that were not
    ("counts", "i1", (MAX_PLAYERS, 3)),  # number of active villages, volcanoes and irrigation
    ("icons", "i1", (MAX_PLAYERS,)),  # number of temples
    ("cp", "i2", (MAX_PLAYERS,)),  # creation points that are certain: all but forests, wildernesses, god and token
)
