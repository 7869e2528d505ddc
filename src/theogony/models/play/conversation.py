"""What a model is sent: the rules once at the head, then the position, or all that was said in this game."""

from __future__ import annotations

import re

from theogony.models.ask.said import Message
from theogony.models.play.renaming import Renaming
from theogony.models.play.settings import Settings

NOTES = re.compile(r"<notes>(.*?)(?:</notes>|\Z)", re.IGNORECASE | re.DOTALL)
LONGEST_NOTES = 4000  # characters
SCRATCHPAD = (
    "You may keep notes: what you write in <notes>...</notes> is shown to you at your next decision, in place of your "
    f"former notes, up to {LONGEST_NOTES} characters."
)
LESSON = (
    "This game is over. You will play again, another deal. Write what you have learnt, to be read before your next "
    f"game: at most {LONGEST_NOTES} characters, and all that is worth keeping of your former lessons."
)


def parted(reply: str) -> tuple[str | None, str]:
    """The notes in a reply (None: there are none) and the rest of it."""
    found = NOTES.findall(reply)
    return (found[-1].strip()[:LONGEST_NOTES] if found else None), NOTES.sub("", reply)


class Conversation:
    """The messages of one game.

    `head` is what the reader was told first: rules, and how to answer; `lessons` what the model wrote after former
    games.
    """

    def __init__(self, head: str, settings: Settings, names: Renaming | None, lessons: str = "") -> None:
        self._settings, self._names = settings, names
        extra = [SCRATCHPAD] if settings.scratchpad else []
        extra += [f"What you wrote after your last game:\n{lessons}"] if lessons else []
        self.system = "\n\n".join(part for part in (self.told(head), *extra) if part)
        self.notes = ""
        self._said: list[Message] = []

    def told(self, text: str) -> str:
        """A text as the model reads it: with the other names, where it has some."""
        return text if self._names is None else self._names.out(text)

    def ask(self, text: str, again: bool) -> str:
        """A position is next, or `again` after a reply that was refused: its explanation. Returns what is sent."""
        told = self.told(text)
        if self._settings.scratchpad and not again:
            told = f"Your notes:\n{self.notes or '(none)'}\n\n{told}"
        if not again and self._settings.memory == "position":
            self._said.clear()
        self._said.append({"role": "user", "content": told})
        return told

    def answered(self, reply: str) -> str:
        """What a reply says to the game: with the printed names, without its notes."""
        self._said.append({"role": "assistant", "content": reply})
        if self._settings.scratchpad:
            notes, reply = parted(reply)
            self.notes = self.notes if notes is None else notes
        return reply if self._names is None else self._names.back(reply)

    def messages(self) -> list[Message]:
        """All that is sent now."""
        head: list[Message] = [{"role": "system", "content": self.system}] if self.system else []
        return [*head, *self._said]
