"""What tiles and factions do besides their numbers, in words."""

from __future__ import annotations

from theogony.envs.terra_mystica.rules.building import ALCHEMISTS_POWER, CULTISTS_VP, HALFLINGS_SPADES
from theogony.envs.terra_mystica.rules.towns import NEEDED_WITH_FAV5, WITCHES_VP
from theogony.envs.terra_mystica.rules.transform import SKIP_VP

# What a tile does beside the goods and points in the data.
EFFECTS = {
    "BON1": "special action: a spade",
    "BON2": "special action: a cult step",
    "BON4": "shipping reaches one space farther while the card is held",
    "FAV5": f"a town needs a value of {NEEDED_WITH_FAV5}",
    "FAV6": "special action: a cult step",
    "TW7": "a level of shipping; for the Fakirs a longer flight",
}
CULTISTS_DECLINED = "1 power when all decline"  # with the option `cultists_power`
# What sets a faction apart at any time, and from its stronghold on (§12).
ABILITIES = {
    "alchemists": (
        "a point becomes a coin and 2 coins a point; at the end 2 coins are a point",
        f"{ALCHEMISTS_POWER} power once; from then on 2 power for each spade",
    ),
    "auren": ("", "a favor tile once; action: two steps on one cult track"),
    "chaosmagicians": (
        "one first dwelling, placed last; two favor tiles for a temple or the sanctuary",
        "action: two actions in a row",
    ),
    "cultists": (
        "a cult step when a neighbour takes power of one of their actions",
        f"{CULTISTS_VP} points once",
    ),
    "darklings": ("spades cost a priest and bring 2 points each", "up to three workers become priests, once"),
    "dwarves": (f"tunnelling: skip one space for 2 workers and gain {SKIP_VP} points", "a tunnel costs 1 worker"),
    "engineers": (
        "action: a bridge for 2 workers, as often as bridges last",
        "3 points on passing for each own bridge between own structures",
    ),
    "fakirs": (
        f"carpet flight: skip one space for 1 priest and gain {SKIP_VP} points",
        "a flight skips up to two spaces",
    ),
    "giants": ("every transformation takes two spades, to red", "action: two spades"),
    "halflings": ("1 point for each spade", f"{HALFLINGS_SPADES} spades once, and a dwelling on one of the spaces"),
    "mermaids": ("a town may reach over one river space", "a level of shipping once"),
    "nomads": ("a third first dwelling", "action: a space beside an own structure becomes yellow, without spades"),
    "swarmlings": ("3 workers for each town", "action: a dwelling becomes a trading house, free"),
    "witches": (f"{WITCHES_VP} points for each town", "action: a free dwelling on any free green space"),
}
