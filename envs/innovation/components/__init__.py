"""The pieces: 105 cards, read from a JSON file, checked and turned into tables."""

from theogony.envs.innovation.components.checks import check_cards as check_cards
from theogony.envs.innovation.components.checks import load_cards as load_cards
from theogony.envs.innovation.components.pieces import *  # noqa: F403  (every name there is for others)
from theogony.envs.innovation.components.tables import bits as bits
from theogony.envs.innovation.components.tables import build_tables as build_tables
