"""What the box holds: how many cards, ages and colours, the icons, splays and special achievements, by number."""

from __future__ import annotations

from pathlib import Path

DEFAULT_CARDS = Path(__file__).parents[1] / "data" / "cards.json"
CARDS = 105
AGES = 10
MAX_PLAYERS = 4
COLOURS = ("blue", "red", "green", "yellow", "purple")
ICONS = ("castle", "crown", "leaf", "bulb", "factory", "clock")
SPLAYS = ("none", "left", "right", "up")
SPECIALS = ("Empire", "Monument", "Universe", "Wonder", "World")  # achievements by conditions (rules §6)
EMPIRE, MONUMENT, UNIVERSE, WONDER, WORLD = range(5)
CASTLE, CROWN, LEAF, BULB, FACTORY, CLOCK = range(6)
NO_SPLAY, LEFT, RIGHT, UP = range(4)
WHOLE = 4  # the column of `face` for a top card, which shows everything
SHOWN_BY_SPLAY = ((), (3,), (0, 1), (1, 2, 3), (0, 1, 2, 3))  # icon places that a splay leaves in view (rules §4.5)
