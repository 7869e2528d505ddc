"""What may be spent. Requests reserve what they may need before they are sent, so that no sum goes over the budget
because several games ask at once."""

from __future__ import annotations

import math
import threading
from dataclasses import dataclass, field

from theogony.models.ask.said import Said

MILLION = 1e6


class OverBudget(Exception):
    """The next request could cost more than is left; says what was spent of how much."""


@dataclass
class Budget:
    """At most so many tokens, read and written together, and dollars; prices are dollars a million tokens."""

    tokens: float = math.inf
    cost: float = math.inf
    price_read: float = 0.0
    price_written: float = 0.0
    longest: int = 4096  # tokens that a reply may have, as far as is known beforehand
    spent_tokens: int = 0
    spent_cost: float = 0.0
    _held: dict[int, tuple[int, float]] = field(default_factory=dict)
    _free: threading.Condition = field(default_factory=threading.Condition)

    def price(self, said: Said) -> float:
        """What a reply cost: as the endpoint tells, else by the prices."""
        own = (said.read * self.price_read + said.written * self.price_written) / MILLION
        return own if said.cost is None else said.cost

    def reserve(self, who: int, read: int) -> None:
        """Set aside what a request that reads so many tokens may take, when others have left enough of what they set
        aside. Raises OverBudget where it is too much even so."""
        wanted = (read + self.longest, self.price(Said("", read, self.longest)))
        with self._free:
            while not self._has_room(wanted):
                self._free.wait()
            self._held[who] = wanted

    def _has_room(self, wanted: tuple[int, float]) -> bool:
        """Whether so much is left besides what is set aside. Raises OverBudget where it is not left at all."""
        if self.spent_tokens + wanted[0] > self.tokens:
            raise OverBudget(self._used_up(f"{self.spent_tokens:,}", f"{self.tokens:,}", f"{wanted[0]:,}", "tokens"))
        if self.spent_cost + wanted[1] > self.cost:
            raise OverBudget(self._used_up(f"{self.spent_cost:.4f}", f"{self.cost:g}", f"{wanted[1]:.4f}", "dollars"))
        held = [sum(one[k] for one in self._held.values()) for k in (0, 1)]
        return self.spent_tokens + held[0] + wanted[0] <= self.tokens and (
            self.spent_cost + held[1] + wanted[1] <= self.cost
        )

    def release(self, who: int) -> None:
        """A request that got no reply."""
        with self._free:
            self._held.pop(who, None)
            self._free.notify_all()

    def spend(self, who: int, read: int, written: int, cost: float) -> None:
        """Count a reply."""
        with self._free:
            self._held.pop(who, None)
            self.spent_tokens += read + written
            self.spent_cost += cost
            self._free.notify_all()

    def _used_up(self, spent: str, budget: str, most: str, what: str) -> str:
        return (
            f"the budget is used up: {spent} of {budget} {what} are spent, and the next request may take {most}, "
            f"with a reply of {self.longest:,} tokens (--reply-tokens says how many at most)"
        )
