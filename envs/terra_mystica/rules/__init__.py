"""The rules of Terra Mystica, by subject. These six are what a game is made of."""

from theogony.envs.terra_mystica.rules.choices import legal as legal
from theogony.envs.terra_mystica.rules.resample import resample as resample
from theogony.envs.terra_mystica.rules.scoring import score as score
from theogony.envs.terra_mystica.rules.scoring import standing as standing
from theogony.envs.terra_mystica.rules.setup import setup as setup
from theogony.envs.terra_mystica.rules.turn import apply as apply
