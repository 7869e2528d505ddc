"""The bots of a table: they think on a copy; what they chose counts only if the game stands where it stood."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from theogony.envs.core.actions import IllegalAction
from theogony.envs.core.players import Player, Views
from theogony.envs.core.position import Position
from theogony.training.players.threads import one_thread

if TYPE_CHECKING:
    from theogony.play.table import Table

NOT_LEGAL = "it chose an action that is not legal"  # which one, and what would be, is not for the others who read it
RETRY = 2.0  # seconds until a bot's decision that could not be saved is tried again


class Refused(ValueError):
    """What somebody asked for is not done; the game stands as it stood."""


class Bots:
    """Decides for the seats of a table that are no people; `rng` is what they draw from."""

    def __init__(self) -> None:
        self.rng = np.random.default_rng()

    def run(self, table: Table) -> None:
        """Play whenever it is a bot's turn, until the table is closed or a bot fails."""
        while True:
            with table.changed:
                while not (table.closed or table.bot_due()):
                    table.changed.wait()
                if table.closed:
                    return
            try:
                self.play(table)
            except Exception as error:  # a player of somebody's own may raise whatever it likes
                if not self._say_trouble(table, error):
                    return

    def play(self, table: Table) -> None:
        """One decision of the bot that is due. Raises OSError when it cannot be saved, and whatever the bot raises."""
        with table.changed:
            if not table.bot_due():
                return
            decision, clone = table.decision, table.position.clone()
            player = table.seats.bots[clone.actor]
        action = self._chosen(player, clone)
        with table.changed:
            if decision == table.decision and not table.closed:
                if action not in table.position.legal_actions():
                    raise Refused(NOT_LEGAL)
                table.decide(action)

    def _chosen(self, player: Player, clone: Position) -> int:
        """What a bot does. Raises whatever it raises, but for what an IllegalAction lists."""
        try:
            with one_thread():
                return int(player.act(Views.at(clone), self.rng)[0])
        except IllegalAction:
            raise Refused(NOT_LEGAL) from None

    def _say_trouble(self, table: Table, error: Exception) -> bool:
        """Tell everybody why a bot does not go on. Returns whether it tries again."""
        again = isinstance(error, OSError)
        with table.changed:
            name = table.name(table.position.actor)
            table.trouble = f"{name} cannot go on: {getattr(error, 'strerror', None) or error}"
            table.trouble += " (it is tried again)" if again else " (all is saved; start anew with --resume)"
            table.tell()
            if again:
                table.changed.wait(RETRY)
        return again
