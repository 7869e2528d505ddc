"""The tracks: what a model is told and may do. Figures are compared within a track only."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from theogony.benchmark.tasks import Strict

Rules = Literal["given", "renamed", "none"]
Memory = Literal["position", "conversation"]
USUAL_TRIES = 3


class Settings(Strict):
    """How a model plays.

    moves: legal moves are listed, listed with numbers, or hidden.
    rules: given, given with every word of the game's vocabulary replaced by another (`names` is the seed), or none.
    memory: of its own game a model sees the position alone, or the whole conversation.
    brief: texts are short, of a position only what has changed; it takes the memory of a conversation.
    forced: decisions with one legal move are played without asking.
    scratchpad: what it writes in <notes>...</notes> is shown to it at its next decision.
    whole_turns: a reply may hold several moves.
    learn: so many games share the lessons that the model writes after each; 1: none are asked for.
    hint: a player whose move is told with each position; "" for none.
    tries, after_tries: as in `TextEnv`.
    """

    moves: Literal["listed", "numbered", "hidden"] = "listed"
    rules: Rules = "given"
    names: Annotated[int, Field(ge=0)] = 0
    memory: Memory = "position"
    brief: bool = False
    forced: bool = False
    scratchpad: bool = False
    whole_turns: bool = False
    learn: Annotated[int, Field(ge=1, le=1000)] = 1
    hint: Annotated[str, Field(max_length=200)] = ""
    tries: Annotated[int, Field(ge=1, le=100)] = USUAL_TRIES
    after_tries: Literal["random", "forfeit"] = "random"

    @property
    def track(self) -> str:
        """The settings that make a track, in words: "listed", "hidden, renamed rules, scratchpad"."""
        parts = [self.moves, {"given": "", "renamed": "renamed rules", "none": "no rules"}[self.rules]]
        parts += [self.memory if self.memory != "position" else "", "brief" if self.brief else ""]
        parts += ["forced moves skipped" if self.forced else "", "scratchpad" if self.scratchpad else ""]
        parts += ["whole turns" if self.whole_turns else "", f"learns over {self.learn}" if self.learn > 1 else ""]
        parts += [f"hints by {self.hint}" if self.hint else ""]
        parts += [f"{self.tries} tries" if self.tries > USUAL_TRIES else ""]
        return ", ".join(part for part in parts if part)
