"""What happened, in sentences: the story of a decision, and of all decisions since a seat's own last one.

A game tells it in its file `story.py` by `story(game, before, action, after, viewer) -> list[str]`: what changed from
one record to the next, as far as the viewer knows it (a seat, None for the public, "all"). A story is made of what the
viewer is shown of the two positions and of nothing else, so it holds nothing that the viewer cannot know.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from theogony.envs.core.draw.places import move_words
from theogony.envs.core.draw.style import seat_name
from theogony.envs.core.position import Position

MOST = 60  # lines that are told of what happened since a seat's last move: the latest


class Told(NamedTuple):
    """A decision in words."""

    seat: int  # who decided
    text: str  # what
    story: list[str]  # what came of it, a sentence each


def told(game: Any, before: Any, action: int, after: Any, viewer: Any) -> Told:
    """A decision and what came of it, as far as a viewer knows; `before` and `after` are records."""
    story = game.spec.story
    lines = [] if story is None else story(game, before, action, after, viewer)
    return Told(int(before.actor), move_words(game, before, action, after, viewer), lines)


def since_own(position: Position, seat: int, first: int | None = None) -> Iterator[Told]:
    """All that happened since the seat decided last, or since `first` decisions, its own decision first; from the start
    where it did not decide yet."""
    if first is None:
        first = next((k for k in range(position.now - 1, -1, -1) if int(position.states[k].actor) == seat), 0)
    for k in range(first, position.now):
        yield told(position.game, position.states[k], position.actions[k], position.states[k + 1], seat)


def lines_of(happened: Iterable[Told], seat: int) -> list[str]:
    """What happened, a line each, the latest ones. The seat's own first decision is left out, not what came of it."""
    lines = []
    for k, one in enumerate(happened):
        if one.seat != seat or k:
            lines.append(f"{seat_name(one.seat, seat)}: {one.text}")
        lines += [f"  {line}" for line in one.story]
    return lines if len(lines) <= MOST else ["  ...", *lines[-MOST:]]


def gains(before: Mapping[str, int], after: Mapping[str, int]) -> str:
    """What numbers changed, those that were not there from 0 on: `+2 coins, -1 worker`."""
    found = [(name, after[name] - before.get(name, 0)) for name in after if after[name] != before.get(name, 0)]
    return ", ".join(f"{change:+d} {name.removesuffix('s') if abs(change) == 1 else name}" for name, change in found)
