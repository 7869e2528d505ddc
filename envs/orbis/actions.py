"""The actions of Orbis, in the order of a turn. Colours, gods and positions bear the names of the rules."""

from __future__ import annotations

from theogony.envs.core.actions import ActionCodec, Block
from theogony.envs.orbis.components import COLOUR_NAMES, DISPLAY, GOD_NAMES
from theogony.envs.orbis.state import STRIDE

UPPER_CELLS = tuple(STRIDE * row + column for row in (1, 2, 3) for column in range(STRIDE - row))
SLOT_NAMES = ("bottom left", "bottom right", *(f"row {c // STRIDE + 1} column {c % STRIDE + 1}" for c in UPPER_CELLS))

CODEC = ActionCodec(
    Block("take tile", range(DISPLAY), text="take tile from {}"),
    Block("take god", [name.replace("_", " ") for name in GOD_NAMES], text="take {}"),
    Block("exchange", COLOUR_NAMES, COLOUR_NAMES, text="exchange 3 {} for 1 {}"),
    Block("face up"),
    Block("wilderness"),
    Block("pay", COLOUR_NAMES),
    Block("place", SLOT_NAMES),
    Block("gain", COLOUR_NAMES),
    Block("discard", COLOUR_NAMES),
    Block("destroy", COLOUR_NAMES, range(DISPLAY), text="destroy {} from {}"),
    Block("decline"),
    Block("end turn"),
)
TAKE_TILE, TAKE_GOD, EXCHANGE, FACE_UP, TURN_OVER, PAY_COLOUR, PLACE_AT, GAIN_COLOUR, DISCARD, DESTROY_AT = (
    CODEC.first[block.kind] for block in CODEC.blocks[:10]
)
DECLINE, END_TURN = CODEC.first["decline"], CODEC.first["end turn"]
SLOTS = len(SLOT_NAMES)
