"""The module `theogony.envs.push_of_faith.push_of_faith_v0` under a shorter name."""

import sys

from theogony.envs.push_of_faith import push_of_faith_v0
from theogony.envs.push_of_faith.push_of_faith_v0 import env as env  # for those that read types

sys.modules[__name__] = push_of_faith_v0
