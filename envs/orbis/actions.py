"""The actions of Orbis, in the order of a turn. Colours and gods bear the names of the rules.

A place is named by the letter of its column, from the left, and the number of its row: `a1` to `c3` in the display,
whose rows are counted from the top, and `a1` to `b4` in a pyramid, whose rows are counted from the bottom as it grows.
Texts and pictures use these names and no others.
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
    Block(
        "take tile",
        DISPLAY_NAMES,
        text="take tile from {}",
        does="Takes this tile and what lies on it; a worshipper of its colour goes to each of its neighbours.",
    ),
    Block(
        "take god",
        [name.replace("_", " ") for name in GOD_NAMES],
        text="take {}",
        does="Takes this god in place of a tile, once in a game.",
    ),
    Block(
        "exchange",
        COLOUR_NAMES,
        COLOUR_NAMES,
        text="exchange 3 {} for 1 {}",
        does="Gives three worshippers of one colour for one of another.",
    ),
    Block("face up", does="Pays for the tile and builds it face up, with its effect."),
    Block(
        "wilderness",
        does="Turns the tile face down: it costs nothing, fits everywhere, and is a point less at the end.",
    ),
    Block("pay", COLOUR_NAMES, does="Pays with a worshipper of this colour."),
    Block("place", SLOT_NAMES, does="Lays the tile here in your pyramid."),
    Block("gain", COLOUR_NAMES, does="Takes a worshipper of this colour from the supply."),
    Block("discard", COLOUR_NAMES, does="Gives up a worshipper of this colour."),
    Block(
        "destroy",
        COLOUR_NAMES,
        DISPLAY_NAMES,
        text="destroy {} from {}",
        does="Removes a worshipper of this colour that lies here in the display.",
    ),
    Block("decline", does="Does without what is offered."),
    Block("end turn", does="Ends your turn."),
)
TAKE_TILE, TAKE_GOD, EXCHANGE, FACE_UP, TURN_OVER, PAY_COLOUR, PLACE_AT, GAIN_COLOUR, DISCARD, DESTROY_AT = (
    CODEC.first[block.kind] for block in CODEC.blocks[:10]
)
DECLINE, END_TURN = CODEC.first["decline"], CODEC.first["end turn"]
SLOTS = len(SLOT_NAMES)
