"""A decision is told to nobody in words that give away what is hidden from them.

Logs, prompts and pages tell every seat what the others decided. Without a `move_text` that is the text of the action,
which for a card laid face down names the card. Neither observation nor picture shows that: it is said beside them.
"""

from __future__ import annotations

import itertools
from collections import defaultdict
from collections.abc import Iterator
from typing import Any

import numpy as np

from theogony.envs.core.conformance.base import sometimes
from theogony.envs.core.conformance.hidden import alternatives, stream
from theogony.envs.core.conformance.positions import some_of
from theogony.envs.core.position import Position
from theogony.envs.core.record import RUNNING
from theogony.envs.core.story import Told, told

TRIED = 8  # decisions that are compared with each other
WORLDS = 8  # that a seat holds possible, in which a decision is tried
Entries = tuple[Any, Any]  # of a field: whether each entry is the same in all worlds, and the entries in one of them
Played = tuple[int, Position]  # a decision, and the position that it leads to


@sometimes("move_text", most=12, games=1)
def moves_tell_only_what_they_may(position: Position) -> Iterator[str]:
    """Of decisions that a seat cannot tell apart by what it sees, the words do not tell it either which one it was,
    where that fixes something that is hidden from it."""
    game = position.game
    if position.over != RUNNING or not game.spec.hidden:
        return
    played = [(action, _after(position, action)) for action in some_of(position, position.legal_actions())[:TRIED]]
    for seat in range(game.players):
        if seat == position.actor:
            continue
        for (action, after), (other, instead) in _alike(position, seat, played):
            words = [_told(position, one, then, seat) for one, then in ((action, after), (other, instead))]
            if words[0] != words[1] and (fields := _given_away(position, seat, action, other)):
                yield (
                    f"seat {seat} is told {words[0].text!r}, not {words[1].text!r}, and so learns what is hidden from "
                    f"it ({', '.join(fields)}): expected a move_text(game, before, action, after, who) in render, "
                    "which says as much as `who` can see"
                )
                return


def _after(position: Position, action: int) -> Position:
    copy = position.clone()
    copy.play(action)
    return copy


def _told(before: Position, action: int, after: Position, seat: int) -> Told:
    return told(before.game, before.g, action, after.g, seat)


def _alike(before: Position, seat: int, played: list[Played]) -> Iterator[tuple[Played, Played]]:
    """Pairs of decisions with results that are the same for all the seat knows: of both the same draw makes the same
    position."""
    groups: dict[bytes, list[Played]] = defaultdict(list)
    for action, after in played:
        redrawn = after.clone()
        redrawn.resample(seat, stream(before, seat, 0))
        groups[redrawn.key()].append((action, after))
    for group in groups.values():
        yield from itertools.pairwise(group)


def _given_away(position: Position, seat: int, action: int, other: int) -> list[str]:
    """Fields that are fixed by either decision, each in its own way, whatever world the seat is in."""
    one, two = _fixed(position, seat, action), _fixed(position, seat, other)
    both = one.keys() & two.keys()
    return [name for name in one if name in both and _differ(one[name], two[name])]


def _differ(one: Entries, two: Entries) -> bool:
    return bool((one[0] & two[0] & (one[1] != two[1])).any())


def _fixed(position: Position, seat: int, action: int) -> dict[str, Entries]:
    """Of every hidden field: which entries are the same after the decision in all worlds, and their values."""
    worlds = [position, *alternatives(position, seat, WORLDS)]
    ends = [_after(world, action).g for world in worlds if world.mask[0, action]]
    found = {}
    for name in position.game.spec.hidden if len(ends) > 2 else ():
        values = np.array([np.asarray(end[name]) for end in ends])
        found[name] = ((values == values[0]).all(axis=0), values[0])
    return found
