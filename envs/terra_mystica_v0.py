"""The module `theogony.envs.terra_mystica.terra_mystica_v0` under a shorter name."""

import sys

from theogony.envs.terra_mystica import terra_mystica_v0
from theogony.envs.terra_mystica.terra_mystica_v0 import env as env  # for those that read types

sys.modules[__name__] = terra_mystica_v0
