"""The actions of Push of Faith (rules §9, in its canonical order)."""

from __future__ import annotations

from theogony.envs.core.actions import ActionCodec, Block
from theogony.envs.push_of_faith.components import FRAME
from theogony.envs.push_of_faith.state import STACKS

SIDES = "NSWE"
MAP_NAMES = [f"{column}{row}" for row in "123" for column in "abc"]
FRAME_NAMES = [f"{column}{row}" for row in "12345" for column in "abcde"]

CODEC = ActionCodec(
    Block("push", SIDES, range(3), text="push {} to {}"),
    Block("token", MAP_NAMES, text="token takes {}"),
    Block("place", FRAME_NAMES, range(4), text="place at {} turned {}"),
    Block("refill", range(STACKS), text="refill from {}"),
)
PUSH, TOKEN, PLACE_AT, REFILL_FROM = (CODEC.first[kind] for kind in ("push", "token", "place", "refill"))
CENTRE = FRAME * FRAME // 2  # frame cell of the first tile
