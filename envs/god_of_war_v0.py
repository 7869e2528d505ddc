"""The module `theogony.envs.god_of_war.god_of_war_v0` under a shorter name."""

import sys

from theogony.envs.god_of_war import god_of_war_v0
from theogony.envs.god_of_war.god_of_war_v0 import env as env  # for those that read types

sys.modules[__name__] = god_of_war_v0
