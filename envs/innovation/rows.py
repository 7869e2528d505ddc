"""What each action is about, as places of the observation: the card, what it would cover, whose icons it counts."""

from __future__ import annotations

import itertools
from collections.abc import Mapping
from typing import Any

import numpy as np

from theogony.envs.core.rows import NOTHING, Rows
from theogony.envs.innovation.components import AGES, CARDS, MAX_PLAYERS
from theogony.envs.innovation.state import SIDE

Columns = Mapping[str, np.ndarray]
LEFT_SEATS = range(1, MAX_PLAYERS)
PAIRS = tuple(itertools.combinations(range(SIDE), 2))
WHERE = ("hand", "score_pile", "shown", "boards", "hands_known", "score_piles_known")
ALIKE = "effects that are described alike may differ in what they ask for"


def action_rows(game: Any) -> dict[str, Rows]:
    """The rows of all kinds of action."""
    at = game.features.places()
    names = ("decision", "verb", "direction", "to_choose", "performed", "demanding", "performer")
    asked = {name: at[name].reshape(1, -1) for name in names}  # what is to be chosen, for which effect: alike for all
    ages = at["tops"][None, :, :, 0]
    stand = {"points": at["points"][None], "achievements": at["achievements"][None], "ages": ages}
    hands, scores, supply, piles = at["hand_values"], at["score_values"], at["supply_heights"], _piles(at)
    left = at["actions_left"][None]
    return {
        **_cards(at, game.t.colour, asked, piles),
        "draw": Rows(1, "", draws=at["draws"][None], supply=supply[None], hand=hands[:1], **stand),
        "dogma": Rows(SIDE, ALIKE, **piles, hands=hands[None], scores=scores[None], left=left, **stand),
        "achieve": Rows(AGES - 1, "", free=_around(at["periods_free"]), **stand),
        "colour": Rows(SIDE, ALIKE, **piles, **asked),
        "pair": Rows(len(PAIRS), ALIKE, **_of_pairs(piles), **asked),
        "player": Rows(len(LEFT_SEATS), ALIKE, **_of_seats(at), **asked),
        "value": Rows(AGES, ALIKE, hands=hands.T, scores=scores.T, supply=_around(supply), **asked),
        "back": Rows(len(LEFT_SEATS) * AGES, ALIKE, **_of_backs(at), **asked),
        "answer": Rows(2, ALIKE, yes=_only(1, asked), **asked),
        "alternative": Rows(2, ALIKE, first=_only(0, asked), second=_only(1, asked)),
    }


def _only(which: int, asked: Columns) -> np.ndarray:
    """What the effect does, for one of two answers; nothing for the other: so the same layers tell them apart."""
    performed = asked["performed"]
    return np.concatenate([performed if k == which else np.full_like(performed, NOTHING) for k in range(2)])


def _piles(at: Columns) -> dict[str, np.ndarray]:
    """For each colour the own pile: its top card, who has how many of the icons that it counts, and the pile itself.

    That is the heights on all boards, the own splay, and what splays would show.
    """
    return {
        "top": at["tops"][0],
        "counted": at["dogma_icons"],
        "pile": np.concatenate([at["pile_heights"].T, at["splays"][0], at["covered"]], axis=1),
    }


def _cards(at: Columns, colours: np.ndarray, asked: Columns, piles: Columns) -> dict[str, Rows]:
    """Cards to meld or choose, and to choose none: the card, where it lies, and the own pile that it would cover."""
    where = {name: at[name].reshape(-1, CARDS).T for name in WHERE}
    context = {**asked, "icons": at["icons"][None], "draws": at["draws"][None], "left": at["actions_left"][None]}
    of_card = {"card": at["cards"], **where, **{name: places[np.int64(colours)] for name, places in piles.items()}}
    nothing = {name: np.full_like(places[:1], NOTHING) for name, places in of_card.items()}
    return {"card": Rows(CARDS, ALIKE, **of_card, **context), "stop": Rows(1, "", **nothing, **context)}


def _around(places: np.ndarray) -> np.ndarray:
    """For each place of a line all others, by how far they are from it: (n, 2 n - 1)."""
    padded = np.pad(places, len(places) - 1, constant_values=NOTHING)
    return np.lib.stride_tricks.sliding_window_view(padded, 2 * len(places) - 1)


def _of_pairs(piles: Columns) -> dict[str, np.ndarray]:
    """Both piles of each pair of colours."""
    return {
        f"{name}_{which}": places[[pair[k] for pair in PAIRS]]
        for name, places in piles.items()
        for k, which in enumerate(("first", "second"))
    }


def _of_seats(at: Columns) -> dict[str, np.ndarray]:
    """What each seat to the left has; nothing for those that are not at the table."""
    names = ("points", "achievements", "icons", "hand_values", "score_values", "pile_heights")
    return {name: _left_seats(at[name]) for name in names} | {"tops": _left_seats(at["tops"][:, :, 0])}


def _left_seats(of_players: np.ndarray) -> np.ndarray:
    """The rows of the seats to the left, out of one for each player."""
    places = of_players.reshape(len(of_players), -1)
    missing = MAX_PLAYERS - len(places)
    return np.pad(places[1:], ((0, missing), (0, 0)), constant_values=NOTHING)


def _of_backs(at: Columns) -> dict[str, np.ndarray]:
    """For each seat to the left and value, such cards in its hand and score pile, its points and achievements."""
    values = {name: _left_seats(at[name]).reshape(-1, 1) for name in ("hand_values", "score_values")}
    of_seat = {name: _left_seats(at[name]) for name in ("points", "achievements")}
    return values | {name: np.repeat(places, AGES, axis=0) for name, places in of_seat.items()}
