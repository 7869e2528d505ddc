"""Plain features: fields of the record that a seat may see as they are, declared once instead of declared and written.

    PLAIN = PlainFeatures(
        Plain("rounds_over", "share of the rounds that are over", over="rounds"),
        Plain("strikes", "rounds lost, as a share of the rounds", per_seat=True, over="rounds"),
        Plain("bidder", "who made the last bid", seat=True),
    )
    write_plain = PLAIN.rule

    def layout(players, t):
        return FeatureLayout(*PLAIN.features(players, t), Feature(...), ...)

    @rule
    def observe(g, t, seat, f):
        write_plain(g, t, seat, f)
        ...

The rule is made as text and compiled as one function: a rule a field would cost a user's first start a second.
"""

from __future__ import annotations

import linecache
from dataclasses import dataclass
from typing import Any

import numpy as np

from theogony.envs.core.features import LARGEST, Feature
from theogony.envs.core.jit import rule

GENERATED = "<plain features"  # where Python believes the text of these rules to be; then a number


@dataclass(frozen=True)
class Plain:
    """A field of the record as a feature.

    Args:
        name: of the feature.
        meaning: what it tells, for the docs page.
        of: the field of the record; by default the one of the same name.
        per_seat: the field has an entry for every seat; the observer comes first.
        own: the field has an entry for every seat; only the observer's is shown.
        one_hot: the value is one of so many, from `first` on: its entry is 1. A value outside leaves all zero.
        first: the lowest value of `one_hot`.
        seat: the value is a seat: one entry a seat, the observer first. -1 leaves all zero.
        over: the value that is 1.0 (`Feature.scale`): a number, or the name of a field of the tables.
        high: the largest float; larger values are a mistake that conformance reports.
    """

    name: str
    meaning: str
    of: str = ""
    per_seat: bool = False
    own: bool = False
    one_hot: int = 0
    first: int = 0
    seat: bool = False
    over: int | str = 1
    high: float = 1.0

    def feature(self, players: int, t: Any) -> Feature:
        """The feature for a player count and the tables."""
        seats = (players,) if self.per_seat else ()
        values = (players,) if self.seat else (self.one_hot,) if self.one_hot else ()
        return Feature(self.name, (*seats, *values) or (1,), self.meaning, 0.0, self.high, self._scale(t))

    def _scale(self, t: Any) -> int:
        """The count that is 1.0. Raises ValueError for a field that the tables do not have."""
        if not isinstance(self.over, str):
            return self.over
        names = t.dtype.names or ()
        if self.over not in names:
            expected = f"expected a number or one of the tables' fields, {', '.join(names)}"
            raise ValueError(f"feature {self.name}: over={self.over!r}: {expected}")
        return int(t[self.over])

    def lines(self) -> list[str]:
        """The body of the rule for this feature."""
        owner = "[other]" if self.per_seat else "[seat]" if self.own else ""
        value = f"g.{self.of or self.name}{owner}"
        place = "k" if self.per_seat else ""
        if self.seat:
            wanted = "value - seat if value >= seat else value - seat + players"
            body = [f"value = np.int64({value})", "if value >= 0:", f"    f.{self.name}[{wanted}] = 1"]
        elif self.one_hot:
            place = ", ".join(part for part in (place, f"value - {self.first}") if part)
            inside = f"if {self.first} <= value < {self.first + self.one_hot}:"
            body = [f"value = np.int64({value})", inside, f"    f.{self.name}[{place}] = 1"]
        else:
            body = [f"f.{self.name}[{place or 0}] = min(np.int64({value}), {LARGEST})"]
        return ["for k in range(players):", *_in(["other = (seat + k) % players", *body])] if self.per_seat else body


class PlainFeatures:
    """Plain features of a game: `features(players, t)` for its layout, and the rule `rule(g, t, seat, f)`."""

    def __init__(self, *plain: Plain) -> None:
        for one in plain:
            for name in (one.name, one.of or one.name, *([one.over] if isinstance(one.over, str) else [])):
                if not name.isidentifier():
                    raise ValueError(f"a feature or field cannot be called {name!r}")
        self.plain = plain
        self.rule = _compiled([line for one in plain for line in one.lines()])

    def features(self, players: int, t: Any) -> list[Feature]:
        """The features for a player count and the tables of a game, in order."""
        return [one.feature(players, t) for one in self.plain]


def _in(lines: list[str]) -> list[str]:
    return [f"    {line}" for line in lines]


def _compiled(lines: list[str]) -> Any:
    """The rule with this body. Its text is kept where tracebacks look for it."""
    text = "\n".join(["def write_plain(g, t, seat, f):", *_in(["players = np.int64(g.players)", *lines]), ""])
    name = f"{GENERATED} {len(linecache.cache)}>"
    linecache.cache[name] = (len(text), None, text.splitlines(keepends=True), name)
    space: dict[str, Any] = {"np": np, "__name__": __name__}
    exec(compile(text, name, "exec"), space)  # made of the names above, which are identifiers
    return rule(space["write_plain"])
