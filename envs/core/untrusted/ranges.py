"""What bytes from a file must keep to before compiled rules see them: the range of every state field, and the game's
invariant.

Compiled rules do not check indices. In play they need no check, since every position comes from the one before. A
position that was read from a file may be damaged, so its fields are compared with what the game declares. Ranges are
of single fields. What they say together (that no piece is lost or twice, so that no pile can outgrow its array) is
checked by `invariant`, which conformance holds against play. Both catch damage, and do not prove that a position can
come up in play.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import numpy as np

from theogony.envs.core.record import CUT_OFF, RUNNING

if TYPE_CHECKING:
    from theogony.envs.core.game import Game

Ranges = dict[str, tuple[Any, Any]]  # field -> lowest and highest value, of all its entries or entry by entry


def any_value(dtype: np.dtype) -> tuple[int, int]:
    """The range of a field that is never used as an index: all that its type holds."""
    limits = np.iinfo(dtype.base)
    return int(limits.min), int(limits.max)


def set_of(count: int) -> tuple[int, int]:
    """The range of a set of `count` things, kept as bits."""
    return 0, (1 << count) - 1


def two_words(count: int) -> tuple[Any, Any]:
    """The range of a set of 64 to 128 things, kept as bits in two words of 64: the field's last axis."""
    return 0, np.array([2**64 - 1, (1 << (count - 64)) - 1], np.uint64)


def declared(fields: Iterable[tuple[Any, ...]]) -> Ranges:
    """The ranges of fields that a game declares as name, type, range (None: all that the type holds) and shape."""
    return {name: any_value(np.dtype(kind)) if within is None else within for name, kind, within, *_ in fields}


def header_ranges(game: Game) -> Ranges:
    """The ranges of the fields that every position begins with."""
    seat = (0, game.players - 1)
    return {
        "rng": (0, 2**64 - 1),
        "ply": (0, 2**31 - 1),
        "players": (game.players, game.players),
        "actor": seat,
        "turn": seat,
        "decision": (0, 127),
        "over": (RUNNING, CUT_OFF),
    }


def state_ranges(game: Game) -> Ranges:
    """The ranges of all fields that have one: of the header, and what the game declares."""
    return header_ranges(game) | (game.spec.ranges(game) if game.spec.ranges else {})


def check_states(game: Game, states: np.ndarray, what: str) -> None:
    """Raises ValueError for the first position with a field out of its range, or against the game's invariant.

    The message says `what` the positions are of, the row, and what is wrong there.
    """
    problem = first_out_of_range(states, state_ranges(game)) or first_impossible(game, states)
    if problem is not None:
        raise ValueError(f"{what}: {problem}")


def first_impossible(game: Game, states: np.ndarray) -> str | None:
    """What the game's invariant says of the first position that breaks it; None when none does. Fields are in range."""
    for row in range(len(states) if game.spec.invariant else 0):
        try:
            wrong = game.spec.invariant(game, states[row])  # pyright: ignore[reportOptionalCall]
        except (ArithmeticError, LookupError, TypeError, ValueError) as error:  # it looks things up, too
            wrong = f"{type(error).__name__}: {error}"
        if wrong:
            return f"row {row}: {wrong}"
    return None


def first_out_of_range(records: np.ndarray, ranges: Ranges) -> str | None:
    """What is wrong in the first record with a value out of its range; None when all are in theirs."""
    for name, (low, high) in ranges.items():
        values = records[name]
        wrong = ~((values >= low) & (values <= high))  # the negation, so that NaN is wrong as well
        if wrong.any():
            at = tuple(int(k) for k in np.argwhere(wrong)[0])
            least, most = (np.broadcast_to(bound, values.shape)[at] for bound in (low, high))
            place = "".join(f"[{k}]" for k in at[1:])
            return f"row {at[0]}: {name}{place} is {values[at]}, {least} to {most} was expected"
    return None
