"""The module `theogony.envs.innovation.innovation_v0` under a shorter name."""

import sys

from theogony.envs.innovation import innovation_v0
from theogony.envs.innovation.innovation_v0 import env as env  # for those that read types

sys.modules[__name__] = innovation_v0
