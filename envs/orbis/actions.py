"""The actions of Orbis, in the order of a turn. Colours and gods bear the names of the rules.

A place is named by the letter of its column, from the left, and the number of its row: `a1` to `c3` in the display,
whose rows are counted from the top, and `a1` to `b4` in a pyramid, whose rows are counted from the bottom as it grows.
Texts use these names. People see a place of a pyramid by its row and its number in it, `2-1` for `a2`
(`vocabulary.place_name`), which no place of the display is called.
"""

from __future__ import annotations

from theogony.envs.core.actions import ActionCodec, Block
from theogony.envs.orbis.components import COLOUR_NAMES, GOD_NAMES
from theogony.envs.orbis.state import CELLS, STRIDE

DISPLAY_NAMES = [column + row for row in "123" for column in "abc"]
CELL_NAMES = [f"{'abcde'[cell % STRIDE]}{cell // STRIDE + 1}" for cell in range(CELLS)]
UPPER_CELLS = tuple(STRIDE * row + column for row in (1, 2, 3) for column in range(STRIDE - row))
SLOT_NAMES = ("bottom left", "bottom right", *(CELL_NAMES[cell] for cell in UPPER_CELLS))

CODEC = ActionCodec(
    Block("take tile", DISPLAY_NAMES, text="take tile from {}"),
    Block("take god", [name.replace("_", " ") for name in GOD_NAMES], text="take {}"),
    Block("exchange", COLOUR_NAMES, COLOUR_NAMES, text="exchange 3 {} for 1 {}"),
    Block("face up"),
    Block("wilderness"),
    Block("pay", COLOUR_NAMES),
    Block("place", SLOT_NAMES),
    Block("gain", COLOUR_NAMES),
    Block("discard", COLOUR_NAMES),
    Block("destroy", COLOUR_NAMES, DISPLAY_NAMES, text="destroy {} from {}"),
    Block("decline", ends=True),
    Block("end turn", ends=True),
)
TAKE_TILE, TAKE_GOD, EXCHANGE, FACE_UP, TURN_OVER, PAY_COLOUR, PLACE_AT, GAIN_COLOUR, DISCARD, DESTROY_AT = (
    CODEC.first[block.kind] for block in CODEC.blocks[:10]
)
DECLINE, END_TURN = CODEC.first["decline"], CODEC.first["end turn"]
SLOTS = len(SLOT_NAMES)
