"""What happened, in sentences: the story of a decision, and of all decisions since a seat's own last one.

A game tells it in its file `story.py` by `story(game, before, action, after, viewer) -> list[str]`: what changed from
one record to the next, as far as the viewer knows it (a seat, None for the public, "all"). A story is made of what the
viewer is shown of the two positions and of nothing else, so it holds nothing that the viewer cannot know.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from theogony.envs.core.draw.places import move_words
from theogony.envs.core.draw.style import seat_name
from theogony.envs.core.position import Position

LEFT = "; left "
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


def in_notation(game: Any, before: Any, action: int, after: Any, viewer: Any) -> str:
    """A decision as lists of moves write it, for readers who write moves; where the viewer does not know all of it, in
    the words of what it knows."""
    known, whole = (move_words(game, before, action, after, who) for who in (viewer, "all"))
    return known if known != whole else game.vocabulary.beside(game.actions, action)


def since_own(position: Position, seat: int, first: int | None = None) -> Iterator[Told]:
    """All that happened since the seat decided last, or since `first` decisions, its own decision first; from the start
    where it did not decide yet. Moves are told as lists write them."""
    if first is None:
        first = next((k for k in range(position.now - 1, -1, -1) if int(position.states[k].actor) == seat), 0)
    for k in range(first, position.now):
        happened = position.game, position.states[k], position.actions[k], position.states[k + 1], seat
        yield told(*happened)._replace(text=in_notation(*happened))


def price_of(position: Position, action: int) -> str:
    """What a move costs and brings and, behind `LEFT`, what that leaves, where the game tells it in its file of stories
    by `price(game, before, action, after)`: a game without hidden information. "" in others."""
    story = position.game.spec.story
    tells = None if story is None else getattr(sys.modules[story.__module__], "price", None)
    if tells is None:
        return ""
    other = position.clone()
    other.play(action)
    return tells(position.game, position.g, action, other.g)


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
