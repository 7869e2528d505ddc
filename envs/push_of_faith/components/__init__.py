"""The pieces: terrain tiles, read from a JSON file, checked and turned into read-only tables."""

from theogony.envs.push_of_faith.components.checks import check_enough as check_enough
from theogony.envs.push_of_faith.components.checks import check_tiles as check_tiles
from theogony.envs.push_of_faith.components.checks import load_tiles as load_tiles
from theogony.envs.push_of_faith.components.pieces import *  # noqa: F403  (every name there is for others)
from theogony.envs.push_of_faith.components.tables import build_tables as build_tables
