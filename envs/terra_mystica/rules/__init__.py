"""The rules of Terra Mystica, by subject. `setup`, `legal`, `apply` and the scores are what a game is made of."""

from theogony.envs.core.jit import rule
from theogony.envs.terra_mystica.rules.scoring import score as score
from theogony.envs.terra_mystica.rules.scoring import standing as standing
from theogony.envs.terra_mystica.rules.setup import setup as setup
from theogony.envs.terra_mystica.rules.turn import apply as apply
from theogony.envs.terra_mystica.rules.turn import legal as legal


@rule
def resample(g, t, seat, rng):
    """All is open once the tiles lie: only the dice are unknown, which core draws anew."""
