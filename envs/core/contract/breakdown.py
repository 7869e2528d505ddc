"""The reasons for the scores at the end, in words for people."""

from __future__ import annotations

from typing import Any, NamedTuple


class Account(NamedTuple):
    """The end of a game for people: by what the seats are ranked, and what each of them has of it."""

    decided: str  # a sentence where points alone do not say who won, else ""
    counted: list[str]  # for each seat what counts, such as "38 points" or "6 achievements"
    rows: list[tuple[str, list[str]]]  # a reason, and what it brought each seat

    @classmethod
    def of_points(cls, points: list[Any], rows: list[tuple[str, list[Any]]], decided: str = "") -> Account:
        """Where points decide: reasons that brought nobody anything are left out, and the sum comes last."""
        told = [(label, list(map(str, cells))) for label, cells in [*rows, ("all", points)] if any(cells)]
        return cls(decided, [f"{number:g}" for number in points], told)
