"""What a reader is told before the first move: the rules of the game in short, and how to answer."""

from __future__ import annotations

from importlib import resources
from typing import Literal

from theogony.envs.core.game import GameSpec

Moves = Literal["listed", "numbered", "hidden"]
RULES = "rules.md"  # in the game's folder `data`

ANSWERS: dict[str, str] = {
    "listed": "Answer with one of the legal moves, written as in the list; words in parentheses may be left out.",
    "numbered": "Answer with one of the legal moves, as text or by its number.",
    "hidden": "Answer with one legal move in the notation of the examples. Legal moves are not listed.",
}
TURNS = "You may write several moves, one a line: they are played in this order while you are to decide."
REASONS = "If you want to think aloud, put the move behind: `Move: ` on a line of its own, at the end."
MARKED = "Put the move behind `Move: ` on a line of its own, at the end: nothing else of a reply is played."
PIPED = 'A reply ends with an empty line, or is one line of JSON such as {"move": "..."}.'


def rules_of(spec: GameSpec) -> str:
    """The rules of a game in short, in words of this project; "" for a game that brings none."""
    package = spec.module.partition(":")[0].rpartition(".")[0]
    if not package:
        return ""
    file = resources.files(package) / "data" / RULES
    return file.read_text("utf-8").strip() if file.is_file() else ""


def answering(moves: str, whole_turns: bool, marked: bool = False) -> str:
    """How to answer."""
    return " ".join([ANSWERS[moves], *([TURNS] if whole_turns else []), MARKED if marked else REASONS])
