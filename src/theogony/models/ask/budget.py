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
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def price(self, said: Said) -> float:
        """What a reply cost: as the endpoint tells, else by the prices."""
        own = (said.read * self.price_read + said.written * self.price_written) / MILLION
        return own if said.cost is None else said.cost

    def reserve(self, who: int, read: int) -> None:
        """Set aside what a request that reads so many tokens may take. Raises OverBudget."""
        most = Said("", read, self.longest)
        wanted = (read + self.longest, self.price(most))
        with self._lock:
            held = [sum(one[k] for one in self._held.values()) for k in (0, 1)]
            if self.spent_tokens + held[0] + wanted[0] > self.tokens:
                raise OverBudget(_spent(f"{self.spent_tokens:,}", f"{self.tokens:,}", f"{wanted[0]:,}", "tokens"))
            if self.spent_cost + held[1] + wanted[1] > self.cost:
                raise OverBudget(_spent(f"{self.spent_cost:.4f}", f"{self.cost:g}", f"{wanted[1]:.4f}", "dollars"))
            self._held[who] = wanted

    def release(self, who: int) -> None:
        """A request that got no reply."""
        with self._lock:
            self._held.pop(who, None)

    def spend(self, who: int, read: int, written: int, cost: float) -> None:
        """Count a reply."""
        with self._lock:
            self._held.pop(who, None)
            self.spent_tokens += read + written
            self.spent_cost += cost


def _spent(spent: str, budget: str, most: str, what: str) -> str:
    return f"the budget is spent: {spent} of {budget} {what}, and the next request may take {most}"
