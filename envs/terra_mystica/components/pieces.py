"""Names and numbers of the pieces that are no data: how many there are, what they are called, what they count."""

from __future__ import annotations

from pathlib import Path

import numpy as np

DATA = Path(__file__).parents[1] / "data"
FACTIONS = (
    "alchemists", "auren", "chaosmagicians", "cultists", "darklings", "dwarves", "engineers",
    "fakirs", "giants", "halflings", "mermaids", "nomads", "swarmlings", "witches",
)  # fmt: skip
(ALCHEMISTS, AUREN, CHAOS_MAGICIANS, CULTISTS, DARKLINGS, DWARVES, ENGINEERS,
 FAKIRS, GIANTS, HALFLINGS, MERMAIDS, NOMADS, SWARMLINGS, WITCHES) = range(14)  # fmt: skip
STRUCTURES = ("D", "TP", "TE", "SH", "SA")  # a space without structure has the number 0
NO_STRUCTURE, D, TP, TE, SH, SA = range(6)
LIMITS = (0, 8, 4, 3, 1, 1)  # pieces of each structure (§1)
POWER_VALUE = np.array((0, 1, 2, 2, 3, 3), np.int64)
CULTS = ("FIRE", "WATER", "EARTH", "AIR")
GOODS = ("C", "W", "P", "PW", "S")  # coins, workers, priests, power, spades
COIN, WORKER, PRIEST, POWER, SPADE = range(5)
BONUS = tuple(f"BON{k}" for k in range(1, 11))
FAVOR = tuple(f"FAV{k}" for k in range(1, 13))
TOWN = tuple(f"TW{k}" for k in range(1, 9))
SCORING = tuple(f"SCORE{k}" for k in range(1, 10))
SCORES = (*STRUCTURES, "SPADE", "TOWN")  # what a scoring tile may count, from number 1 on
SCORE_SPADE, SCORE_TOWN = 6, 7
BON1, BON2, BON4, BON10 = 0, 1, 3, 9
FAV5, FAV6, FAV10, FAV11, FAV12 = 4, 5, 9, 10, 11
TW6, TW7 = 5, 6
SCORE1, SCORE9 = 0, 8
SHIP_COST = (4, 0, 1, 0, 0)  # of an advance in shipping (§6.2)
POWER_COST = (3, 3, 4, 4, 4, 6)  # of ACT1 to ACT6 (§6.6)
POWER_GOODS = ("", "1 P", "2 W", "7 C", "1 S", "2 S")  # what they bring; ACT1 brings a bridge
MAX_PLAYERS, ROUNDS, BRIDGES, PRIESTS, TOP = 5, 6, 3, 7, 10


def goods(text: str) -> list[int]:
    """Coins, workers, priests, power and spades of a text like "2 C 1 PW"."""
    words = text.split()
    out = [0] * len(GOODS)
    for number, name in zip(words[::2], words[1::2], strict=True):
        out[GOODS.index(name)] += int(number)
    return out
