"""What the 105 cards do, each written once in the words of `language` and `statements`."""

from __future__ import annotations

from theogony.envs.innovation.cards.effects.ages_1_2 import CARDS as AGES_1_2
from theogony.envs.innovation.cards.effects.ages_3_4 import CARDS as AGES_3_4
from theogony.envs.innovation.cards.effects.ages_5_6 import CARDS as AGES_5_6
from theogony.envs.innovation.cards.effects.ages_7_8 import CARDS as AGES_7_8
from theogony.envs.innovation.cards.effects.ages_9_10 import CARDS as AGES_9_10

DEFINITIONS = (*AGES_1_2, *AGES_3_4, *AGES_5_6, *AGES_7_8, *AGES_9_10)
