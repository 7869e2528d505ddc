"""The reasons for the scores at the end: as environments hand them out, and in words for people."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from theogony.envs.core.position import Position
from theogony.envs.core.record import from_bytes


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


class Breakdown(Mapping[str, Any]):
    """The reasons for a seat's score, worked out when they are first looked at: many games end unread."""

    def __init__(self, position: Position, seat: int) -> None:
        self._game, self._key, self._seat = position.game, position.key(), seat
        self._reasons: dict[str, Any] | None = None

    def _get(self) -> dict[str, Any]:
        if self._reasons is None:
            reasons: Any = self._game.spec.breakdown
            self._reasons = dict(reasons(self._game, from_bytes(self._key, self._game.state)[0])[self._seat])
        return self._reasons

    def __getitem__(self, key: str) -> Any:
        return self._get()[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self._get())

    def __len__(self) -> int:
        return len(self._get())

    def __repr__(self) -> str:
        return repr(self._get())
