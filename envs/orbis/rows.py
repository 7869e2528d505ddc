"""What each action is about, as places of the observation: the tile that it takes or lays, and what lies around."""

from __future__ import annotations

from typing import Any

import numpy as np

from theogony.envs.core.rows import NOTHING, Rows
from theogony.envs.orbis.actions import SLOTS
from theogony.envs.orbis.components import ANY, COLOURS, DISPLAY, FEWEST, GODS, MOST, REGIONS
from theogony.envs.orbis.components.tables import COST
from theogony.envs.orbis.rules.effects import BESIDE
from theogony.envs.orbis.rules.pyramid import LEFT, PYRAMID, RIGHT, SLOT_CELLS, STEPS
from theogony.envs.orbis.rules.scoring import FORESTS
from theogony.envs.orbis.state import PLACE, STRIDE

Places = dict[str, np.ndarray]
ELSEWHERE = "what is alike may lie elsewhere in the display or the pyramid"
COLOUR = "so much is there of two colours, which are asked for elsewhere"
HAND = DISPLAY  # the last row of `reach` is the tile in hand


def action_rows(game: Any) -> dict[str, Rows]:
    """The rows of all kinds of action."""
    at = game.features.places()
    own = {"realm": at["realm"][None, 0], "farms": at["farms"][None, 0]}
    hand = {"hand": at["hand"][None], "reach": at["reach"][None, HAND]}
    return {
        "take tile": Rows(
            DISPLAY,
            alike=ELSEWHERE,
            tile=at["display"],
            lying=at["lying"],
            reach=at["reach"][:HAND],
            **own,
            others=at["realm"][None, 1:],
            around=_or_nothing(at["lying"], BESIDE),
        ),
        "take god": _gods(game, at),
        "exchange": _exchanges(at),
        "face up": Rows(1, up=at["face"][None, 0], **hand, **own, slots=at["slots"][None]),
        "wilderness": Rows(1, turned=at["wilderness"][None], **hand, **own, god=at["god"][None, 0]),
        "pay": _colours(at, "paid"),
        "place": _slots(at),
        "gain": _colours(at, "gained"),
        "discard": _colours(at, "paid"),
        "destroy": _destruction(at),
        "decline": Rows(1, **hand, **own, due=at["due"][None], god=at["god"][None, 0]),
        "end turn": Rows(1, **own),
    }


def _or_nothing(places: np.ndarray, wanted: np.ndarray) -> np.ndarray:
    """Rows of places by index; an index below zero is nothing."""
    padded = np.concatenate([places, np.full_like(places[:1], NOTHING)])
    return padded[np.where(wanted < 0, len(places), wanted)]


def _which(place: Any, count: int) -> np.ndarray:
    """Which of so many an action is: one entry each, of those that are 1 whenever it is legal."""
    return np.where(np.eye(count, dtype=bool), place, NOTHING)


def _gods(game: Any, at: Places) -> Rows:
    """Gods: which it is, how all stand in what it counts, and what the others ask for."""
    compared = [(end in (FEWEST, MOST)) and what <= FORESTS for end, what in zip(game.t.end, game.t.what, strict=True)]
    return Rows(
        GODS,
        which=_which(at["offer"], GODS),
        standing=_or_nothing(at["active"].T, np.where(compared, game.t.what, NOTHING)),
        active=at["active"][None, 0],
        icons=at["icons"][None],
        wilderness=at["wilderness"][None],
        realm=at["realm"][None, 0],
        time=at["turns"][None],
        placed=at["placed"][None],
    )


def _exchanges(at: Places) -> Rows:
    """Exchanges: the colour that goes and the one that comes."""
    give, get = np.divmod(np.arange(COLOURS * COLOURS), COLOURS)
    mine = np.stack([at["realm"][0], at["farms"][0], at["hand"][COST], at["due"][:COLOURS]], axis=1)
    costs = at["display"][:, COST].T
    return Rows(
        COLOURS * COLOURS,
        alike=COLOUR,
        given=mine[give],
        taken=mine[get],
        any=np.array([[at["hand"][COST.start + ANY], at["due"][ANY]]]),
        reach=at["reach"][None, HAND],
        face=at["face"][None],
        costs_given=costs[give],
        costs_taken=costs[get],
    )


def _colours(at: Places, what: str) -> Rows:
    """One worshipper of a colour: those of all seats, what is due, and the tiles that cost or hold the colour."""
    return Rows(
        COLOURS,
        alike=COLOUR,
        **{what: at["realm"].T},
        farms=at["farms"][0][:, None],
        due=at["due"][:COLOURS, None],
        due_any=at["due"][None, ANY:],
        costs=at["display"][:, COST].T,
        lying=at["lying"].T,
        hand=at["hand"][None],
    )


def _destruction(at: Places) -> Rows:
    """A worshipper of a colour on a position: what else lies there, on which tile, and who has that colour."""
    colour, position = np.divmod(np.arange(COLOURS * DISPLAY), DISPLAY)
    return Rows(
        COLOURS * DISPLAY,
        alike=ELSEWHERE,
        there=at["lying"].T.reshape(-1, 1),
        lying=at["lying"][position],
        tile=at["display"][position],
        due=at["due"][colour, None],
        seats=at["realm"].T[colour],
    )


def _slots(at: Places) -> Rows:
    """Slots of the pyramid: the tiles beside, below and above, what their forests lack, and the tile in hand.

    Left of the bottom row lies nothing but its first tile; at its right end `right_end` says what lies there.
    """
    number = {divmod(cell, STRIDE): k for k, cell in enumerate(PYRAMID)}
    cells = np.concatenate([at["pyramid"][0], at["right_end"][None]])
    around = np.full((SLOTS, len(STEPS)), NOTHING)
    around[LEFT, STEPS.index((0, 1))] = number[0, 0]
    around[RIGHT, STEPS.index((0, -1))] = REGIONS
    for slot in range(RIGHT + 1, SLOTS):
        row, column = divmod(int(SLOT_CELLS[slot]), STRIDE)
        around[slot] = [number.get((row + up, column + right), NOTHING) for up, right in STEPS]
    height = [0 if slot <= RIGHT else int(SLOT_CELLS[slot]) // STRIDE for slot in range(SLOTS)]
    return Rows(
        SLOTS,
        alike=ELSEWHERE,
        around=_or_nothing(cells, around),
        missing=_or_nothing(at["missing"], around),
        does=at["slots"],
        hand=at["hand"][None],
        face=at["face"][None],
        height=_which(at["decision"][PLACE], 4)[height],
    )
