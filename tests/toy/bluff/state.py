"""The options, and the record of a position."""

from pydantic import Field

from bluff.components import MAX_PLAYERS
from theogony.envs.core.game import GameOptions
from theogony.envs.core.record import header, record_dtype


class Options(GameOptions):
    players: int = 2
    rounds: int = Field(default=3, ge=1, le=9, description="rounds of a game")


STATE = record_dtype(
    *header(),
    ("dice", "i1", (MAX_PLAYERS,)),  # number each seat has rolled, in secret; 0 when the game is over
    ("bid", "i1"),  # the last bid of this round, 0 before the first
    ("bidder", "i1"),  # seat that made it
    ("rounds_over", "i1"),  # rounds that are over
    ("strikes", "i1", (MAX_PLAYERS,)),  # rounds each seat has lost
    ("shown", "i1", (MAX_PLAYERS,)),  # dice of the last round, for all to see
)
