"""Which game a player was made for. What it holds, weights or room to think in, fits no other."""

from __future__ import annotations

from typing import Any

from theogony.envs.core.game import Game
from theogony.envs.core.thinking.player_names import PlayerError


def check_made_for(player: Any, game: Game) -> None:
    """Raise PlayerError when a player was made for another game, or for another table of it.

    Players of this project have the game as `made_for`. One without it, such as a function of the user's, may play
    anything. Other components, or several packs, make no difference as long as the layouts are the same.
    """
    made_for: Game | None = getattr(player, "made_for", None)
    if made_for is None or made_for is game:
        return
    same_table = made_for.spec is game.spec and made_for.players == game.players
    if not same_table or made_for.layout() != game.layout():
        raise PlayerError(f"player {player.name!r:.60} was made for {made_for!r}, and cannot play {game!r}")
