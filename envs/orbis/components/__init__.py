"""The pieces: region tiles, gods and setups, read from a JSON file, checked and turned into read-only tables."""

from theogony.envs.orbis.components.checks import check_enough as check_enough
from theogony.envs.orbis.components.checks import check_tiles as check_tiles
from theogony.envs.orbis.components.checks import load_tiles as load_tiles
from theogony.envs.orbis.components.pieces import *  # noqa: F403  (every name there is for others)
from theogony.envs.orbis.components.tables import FACE as FACE
from theogony.envs.orbis.components.tables import FACE_COLUMNS as FACE_COLUMNS
from theogony.envs.orbis.components.tables import build_tables as build_tables
from theogony.envs.orbis.components.tables import effect_parts as effect_parts
from theogony.envs.orbis.components.tables import worshippers as worshippers
