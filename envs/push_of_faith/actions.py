"""The actions of Push of Faith, in the order of a turn.

A place is named by the letter of its column, from the west, and the number of its row, from the north: `a1` to `c3` on
the map, `a1` to `e5` in the frame of a world. A marker stands at a column or a row, and is named by it. Texts and
pictures use these names and no others.
"""

from __future__ import annotations

from theogony.envs.core.actions import ActionCodec, Block
from theogony.envs.push_of_faith.components import FRAME
from theogony.envs.push_of_faith.state import STACKS

COLUMN_NAMES, ROW_NAMES = "abcde"[:FRAME], "12345"[:FRAME]
MAP_NAMES = [column + row for row in ROW_NAMES[:3] for column in COLUMN_NAMES[:3]]
FRAME_NAMES = [column + row for row in ROW_NAMES for column in COLUMN_NAMES]
SIDES = "NSWE"
LINE_NAMES = (COLUMN_NAMES[:3], COLUMN_NAMES[:3], ROW_NAMES[:3], ROW_NAMES[:3])  # where a marker of each side may stand

CODEC = ActionCodec(
    Block("push", [f"{side} to {line}" for side, lines in zip(SIDES, LINE_NAMES, strict=True) for line in lines]),
    Block("token", MAP_NAMES, text="token takes {}"),
    Block("place", FRAME_NAMES, range(4), text="place at {} turned {}"),
    Block("refill", range(STACKS), text="refill from {}"),
)
PUSH, TOKEN, PLACE_AT, REFILL_FROM = (CODEC.first[kind] for kind in ("push", "token", "place", "refill"))
CENTRE = FRAME * FRAME // 2  # frame cell of the first tile
