"""What the cards do: their language, the 105 cards written in it, and what the interpreter performs."""

from __future__ import annotations

from theogony.envs.innovation.cards.compiler import compile_cards
from theogony.envs.innovation.cards.effects import DEFINITIONS

__all__ = ["DEFINITIONS", "compile_cards"]
