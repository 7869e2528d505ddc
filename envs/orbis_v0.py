"""The module `theogony.envs.orbis.orbis_v0` under a shorter name."""

import sys

from theogony.envs.orbis import orbis_v0
from theogony.envs.orbis.orbis_v0 import env as env  # for those that read types

sys.modules[__name__] = orbis_v0
