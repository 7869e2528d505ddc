"""Best responses to random play, exactly: by a walk over all positions of a small game.

What is returned is the share of games won, a drawn game counting half, the mean over both seats.
"""

from __future__ import annotations

import functools

from theogony.envs import load
from theogony.envs.core.game import Game
from theogony.envs.core.position import Position

DEALS = 2000  # among them are all dice of Bluff


def won(position: Position, seat: int) -> float:
    standings = position.standings()
    return 0.5 * (1.0 + (standings[seat] > standings[1 - seat]) - (standings[seat] < standings[1 - seat]))


def after(position: Position, action: int) -> Position:
    following = position.clone()
    following.play(action)
    return following


def tictactoe() -> float:
    """Nothing is hidden: the best of one's own actions, the mean of the other's."""
    game = load("tictactoe:SPEC").configure({"players": 2})
    return sum(_open(Position(game, 0), seat, {}) for seat in range(2)) / 2


def _open(position: Position, seat: int, known: dict[bytes, float]) -> float:
    if position.over:
        return won(position, seat)
    key = bytes(position.g.board) + bytes([position.actor])
    if key not in known:
        values = [_open(after(position, int(a)), seat, known) for a in position.legal_actions()]
        known[key] = max(values) if position.actor == seat else sum(values) / len(values)
    return known[key]


def bluff() -> float:
    """One round for two. A random bidder tells nothing of its die, so all six are possible to the end."""
    game = load("bluff.game:SPEC").configure({"players": 2, "rounds": 1})
    dealt = _dealt(game)
    total = 0.0
    for seat in range(2):
        for mine in range(1, 7):
            dice = [(mine, other) if seat == 0 else (other, mine) for other in range(1, 7)]
            total += _hidden([dealt[pair] for pair in dice], seat, {})
    return total / 12


def _dealt(game: Game) -> dict[tuple[int, ...], Position]:
    found: dict[tuple[int, ...], Position] = {}
    for seed in range(DEALS):
        position = Position(game, seed)
        found.setdefault(tuple(int(die) for die in position.g.dice[:2]), position)
    assert len(found) == 36
    return found


def _hidden(possible: list[Position], seat: int, known: dict[tuple[int, int], float]) -> float:
    """The value of what a seat knows: the positions that it holds possible, all equally likely."""
    first = possible[0]
    if first.over:
        return sum(won(one, seat) for one in possible) / len(possible)
    key = int(first.g.bid), first.actor
    if key not in known:
        actions = first.legal_actions()
        values = [_hidden([after(one, int(a)) for one in possible], seat, known) for a in actions]
        known[key] = max(values) if first.actor == seat else sum(values) / len(values)
    return known[key]


EXACT = {"tictactoe": functools.cache(tictactoe), "bluff": functools.cache(bluff)}
