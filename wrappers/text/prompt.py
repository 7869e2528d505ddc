"""What a reader is told before the first move: the rules of the game in short, and how to answer."""

from __future__ import annotations

from typing import Any, Literal

from theogony.envs.core.game import GameSpec
from theogony.envs.core.vocabulary import rules_text

Moves = Literal["listed", "numbered", "hidden"]

ANSWERS: dict[str, str] = {
    "listed": "Answer with one of the legal moves, written as in the list; words in parentheses may be left out.",
    "numbered": "Answer with one of the legal moves, as text or by its number.",
    "hidden": "Answer with one legal move in the notation of the examples. Legal moves are not listed.",
}
TURNS = "You may write several moves, one a line: they are played in this order while you are to decide."
REASONS = "If you want to think aloud, put the move behind: `Move: ` on a line of its own, at the end."
MARKED = "Put the move behind `Move: ` on a line of its own, at the end: nothing else of a reply is played."
PIPED = 'A reply ends with an empty line, or is one line of JSON such as {"move": "..."}.'


def rules_of(spec: GameSpec, options: Any = None) -> str:
    """The rules of a game in short, in words of this project, with what the options in force change; "" for a game that
    brings none."""
    return rules_text(spec.module, options)


def answering(moves: str, whole_turns: bool, marked: bool = False) -> str:
    """How to answer."""
    return " ".join([ANSWERS[moves], *([TURNS] if whole_turns else []), MARKED if marked else REASONS])
