"""What the box of the game fixes: the printed tiles, numbers and names."""

from __future__ import annotations

from pathlib import Path

DEFAULT_TILES = Path(__file__).parents[1] / "data" / "tiles.json"
COLOUR_NAMES = ("white", "yellow", "green", "blue", "red")
WHITE = 0
COLOURS, ANY = 5, 5  # ANY follows the colours where something may be of any of them
REGIONS = 14  # a finished pyramid
DISPLAY = 9
LEVELS = 3
MAX_PLAYERS = 4

EFFECTS = ("conversion", "holy_stone", "farm", "village", "volcano", "irrigation", "forest", "temple")
CONVERSION, HOLY_STONE, FARM, VILLAGE, VOLCANO, IRRIGATION, FOREST, TEMPLE = range(len(EFFECTS))
CONDITIONAL = (VILLAGE, VOLCANO, IRRIGATION)  # fulfilled or not when they are placed
GOD_NAMES = (
    "apprentice_goddess", "idle_goddess", "god_of_technology", "god_of_balance", "god_of_death", "goddess_of_love",
    "god_of_the_sea", "goddess_of_fire", "goddess_of_nature", "god_of_harvest",
)  # fmt: skip
GODS = len(GOD_NAMES)
GOD_ENDS = ("flat", "wilderness_penalty_waived", "fewest", "set", "if_on_take_done", "most")
FLAT, WAIVED, FEWEST, SET, IF_DONE, MOST = range(len(GOD_ENDS))
# What gods count, in the order of `scoring.count`.
COUNTED = ("active_village", "active_volcano", "active_irrigation", "active_forest", "temple", "wilderness")
