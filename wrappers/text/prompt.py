"""What a reader is told before the first move: the rules of the game in short, and how to answer."""

from __future__ import annotations

import re
from typing import Any, Literal

from theogony.envs.core.game import GameSpec
from theogony.envs.core.vocabulary import Vocabulary, rules_text, sentence
from theogony.wrappers.text.changes import HOW

Moves = Literal["listed", "numbered", "hidden"]
NOTATION = re.compile(r"^## Actions\n.*?(?=^## |\Z)", re.MULTILINE | re.DOTALL)
CARDS = re.compile(r"^## Cards\n.*?(?=^## |\Z)", re.MULTILINE | re.DOTALL)

ANSWERS: dict[str, str] = {
    "listed": "Answer with one of the legal moves, written as in the list; words in parentheses may be left out.",
    "numbered": "Answer with one of the legal moves, as text or by its number.",
    "hidden": "Answer with one legal move in the notation of the examples. Legal moves are not listed.",
}
TURNS = "You may write several moves, one a line: they are played in this order while you are to decide."
PUT = ("put the move behind `Move: ` on a line of its own, at the end", "put the moves behind `Moves:`, at the end")
REASONS = "If you want to think aloud, {}."
MARKED = "{}: nothing else of a reply is played."
TOGETHER = (
    "Moves that begin alike stand together: `- push: N to a, S to b` are `push N to a` and `push S to b`, and "
    "`- place at: b2, c3; each: turned 0, turned 1` are four, such as `place at c3 turned 0`."
)
PIPED = 'A reply ends with an empty line, or is one line of JSON such as {"move": "..."}.'


def rules_of(spec: GameSpec, options: Any = None) -> str:
    """The rules of a game in short, in words of this project, with what the options in force change; "" for a game that
    brings none."""
    return rules_text(spec.module, options)


def notation_of(rules: str) -> str:
    """The section of the rules that tells how moves are written; "" where there is none."""
    found = NOTATION.search(rules)
    return found[0].strip() if found else ""


def with_drawn_cards(rules: str, vocabulary: Vocabulary) -> str:
    """Rules whose section about cards, where they have one, lists those in force in place of the printed ones."""
    rows = [f"| {card.name} | {card.icon} | {card.does} |" for card in vocabulary.of("card")]
    section = "\n".join(["## Cards", "", "| card | icon | effects |", "|---|---|---|", *rows, "", ""])
    return CARDS.sub(lambda _: section, rules)


def answering(moves: str, whole_turns: bool, marked: bool = False, brief: bool = False) -> str:
    """How to answer and, where texts are brief, how they are read."""
    where = sentence((MARKED if marked else REASONS).format(PUT[whole_turns]))
    how = [ANSWERS[moves], *([TURNS] if whole_turns else []), where]
    return " ".join([*how, *([f"{TOGETHER} {HOW}" if moves == "listed" else HOW] if brief else [])])
