"""The bots of a table: they think on a copy; what they chose counts only if the game stands where it stood."""

from __future__ import annotations

from collections.abc import Iterator
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
        self._running = False
        self._failed = ""  # the name of a decision at which a bot has failed
        self._hurried = ""  # the name of a decision that is to be taken by what was found so far

    def run(self, table: Table) -> None:
        """Play whenever it is a bot's turn, until the table is closed. A bot that has failed is asked again when the
        game stands elsewhere: after a decision was taken back, or in another game."""
        self._running = True
        while True:
            with table.changed:
                table.changed.wait_for(lambda: table.closed or self._runs(table))
            if table.closed:
                return
            try:
                self.play(table)
            except Exception as error:  # a player of somebody's own may raise whatever it likes
                self._say_trouble(table, error)

    def _runs(self, table: Table) -> bool:
        return table.bot_due() and self._failed != table.decision

    def play(self, table: Table) -> None:
        """One decision of the bot that is due. Raises OSError when it cannot be saved, and whatever the bot raises."""
        for _ in self.thinking(table):
            if table.closed:
                return

    def thinking(self, table: Table) -> Iterator[None]:
        """One decision of the bot that is due, in pieces, of which those of a search take some 50 milliseconds each.

        The decision is taken when all are done or somebody has hurried the bot, and by nobody when the game does not
        stand any more where it stood.
        """
        with table.changed:
            if not table.bot_due():
                return
            decision, clone = table.decision, table.position.clone()
            player = table.seats.bots[clone.actor]
        action = -1
        for answer in self._answers(player, clone):
            action = answer
            yield
            if self._hurried == decision or table.decision != decision or table.closed:
                break
        with table.changed:
            if decision == table.decision and not table.closed:
                if action not in table.position.legal_actions():
                    raise Refused(NOT_LEGAL)
                table.decide(action)

    def _answers(self, player: Player, clone: Position) -> Iterator[int]:
        """What a bot would do, the last after all its thinking. Raises whatever it raises, but for what an
        IllegalAction lists."""
        answers = self._improving(player, Views.at(clone))
        while True:
            try:
                with one_thread():
                    answer = next(answers, None)
            except IllegalAction:
                raise Refused(NOT_LEGAL) from None
            if answer is None:
                return
            yield answer

    def _improving(self, player: Player, views: Views) -> Iterator[int]:
        improving = getattr(player, "improving", None)
        if improving is None:
            yield int(player.act(views, self.rng)[0])
        else:
            yield from improving(views, self.rng)

    def can_hurry(self, table: Table) -> bool:
        """Whether the bot that is due searches, so that it can be told to decide by what it has found so far."""
        return table.bot_due() and hasattr(table.seats.bots[table.position.actor], "improving")

    def quick(self, table: Table) -> bool:
        """Whether a bot is about to decide that does not search."""
        return self._running and not table.closed and self._runs(table) and not self.can_hurry(table)

    def hurry(self, decision: str) -> None:
        """Let the bot that is due decide by what it has found so far."""
        self._hurried = decision

    def _say_trouble(self, table: Table, error: Exception) -> None:
        """Tell everybody why a bot does not go on, and wait where it is to try again."""
        again = isinstance(error, OSError)
        with table.changed:
            name = table.name(table.position.actor)
            table.trouble = f"{name} cannot go on: {getattr(error, 'strerror', None) or error}"
            table.trouble += " (it is tried again)" if again else " (all is saved; start anew with --resume)"
            table.tell()
            if again:
                table.changed.wait(RETRY)
            else:
                self._failed = table.decision
