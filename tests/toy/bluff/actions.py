"""The actions: bid a sum, or doubt the last bid."""

from bluff.components import HIGHEST, MAX_PLAYERS
from theogony.envs.core.actions import ActionCodec, Block

CODEC = ActionCodec(Block("bid", range(1, HIGHEST * MAX_PLAYERS + 1)), Block("doubt"))
DOUBT = CODEC.first["doubt"]
