"""The pieces: names and numbers, the map, the data files, and the tables made from them."""

from theogony.envs.terra_mystica.components.checks import BOARD as BOARD
from theogony.envs.terra_mystica.components.checks import check_components as check_components
from theogony.envs.terra_mystica.components.checks import load_components as load_components
from theogony.envs.terra_mystica.components.pieces import *  # noqa: F403  (every name there is for others)
from theogony.envs.terra_mystica.components.tables import COLOURS as COLOURS
from theogony.envs.terra_mystica.components.tables import LAND as LAND
from theogony.envs.terra_mystica.components.tables import LETTERS as LETTERS
from theogony.envs.terra_mystica.components.tables import REACHES as REACHES
from theogony.envs.terra_mystica.components.tables import RIVER as RIVER
from theogony.envs.terra_mystica.components.tables import SITES as SITES
from theogony.envs.terra_mystica.components.tables import WHEEL as WHEEL
from theogony.envs.terra_mystica.components.tables import build_map as build_map
from theogony.envs.terra_mystica.components.tables import build_tables as build_tables
from theogony.envs.terra_mystica.components.tables import in_set as in_set
from theogony.envs.terra_mystica.components.tables import land_set as land_set
