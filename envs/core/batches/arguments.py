"""Arguments of a batch, looked at before compiled code sees them."""

from __future__ import annotations

from typing import Any

import numpy as np

from theogony.envs.core.batches.kernels import ALL_SEATS, RANDOM_SEAT
from theogony.envs.core.contract.arguments import seat_number
from theogony.envs.core.game import Game, OptionError
from theogony.envs.core.position import Position

SEVERAL = {"all": ALL_SEATS, "random": RANDOM_SEAT}  # what a caller plays besides one seat
MOST_GAMES, MOST_THREADS = 1 << 20, 1 << 10
FEW_DECISIONS, SAMPLES = 64, 20  # games that end so soon may leave a seat without any; random games to find out


def seat_mode(game: Game, seat: Any) -> int:
    """The seat of the caller as kernels take it. Raises OptionError."""
    if isinstance(seat, str) and seat in SEVERAL:
        return SEVERAL[seat]
    found = one_seat(game, seat, '"random" or "all"')
    if 0 < game.options.max_decisions <= FEW_DECISIONS and not any(_decides(game, found, k) for k in range(SAMPLES)):
        raise OptionError(
            f"{game.spec.name}: seat={found} never decides in a game of max_decisions={game.options.max_decisions}"
        )
    return found


def seat_option(mode: int) -> int | str:
    """What `seat_mode` was made of."""
    return next((word for word, several in SEVERAL.items() if several == mode), mode)


def _decides(game: Game, seat: int, seed: int) -> bool:
    """Whether a seat has a decision in one random game. A batch would look for such a game for ever."""
    position, rng = Position(game, seed), np.random.default_rng(seed)
    while not position.over and position.actor != seat:
        position.play(int(rng.choice(position.legal_actions())))
    return not position.over


def one_seat(game: Game, seat: Any, others: str = '"random"') -> int:
    """The number of a seat; `others` are the words that would have done as well. Raises OptionError."""
    try:
        return seat_number(seat, game.players)
    except ValueError:
        last, before = game.players - 1, "," if " or " in others else " or"
        raise OptionError(f"{game.spec.name}: seat={seat!r} is not 0 to {last}{before} {others}") from None


def count(value: Any, most: int, what: str) -> int:
    """A number of games or threads. Raises ValueError."""
    if not isinstance(value, int | np.integer) or isinstance(value, bool) or not 1 <= value <= most:
        raise ValueError(f"a batch has 1 to {most} {what}, not {value!r:.60}")
    return int(value)


def checked_actions(actions: Any, count: int, who: str) -> np.ndarray:
    """Actions as int64 (count,). Raises ValueError for another shape or kind."""
    if isinstance(actions, list | tuple) and any(isinstance(action, bool | np.bool_) for action in actions):
        raise ValueError(f"{who} gives {count} integer actions, not truth values")  # which NumPy would make 0 and 1
    array = np.asarray(actions)
    if array.shape != (count,) or array.dtype.kind not in "iu":
        raise ValueError(f"{who} gives {count} integer actions, not {array.dtype} of shape {array.shape}")
    return np.array(array, np.int64)  # contiguous and writable: for other arrays Numba would compile anew
