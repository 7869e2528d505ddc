"""What the heuristic counts, in victory points: one table, and how much more goods are worth early."""

from __future__ import annotations

from theogony.envs.core.jit import rule

WEIGHTS: list[float] = []  # as rules find them in `t.weights`


def weight(*values: float) -> int:
    """Put weights into the table. Returns the place of the first, by which rules name them."""
    WEIGHTS.extend(values)
    return len(WEIGHTS) - len(values)


COIN_ = weight(0.285)  # of goods to come; these four in the order of goods
WORKER_ = weight(0.488)
PRIEST_ = weight(1.53)
POWER_ = weight(0.0697)
TOKEN = weight(0.0345)  # a token of power that is not burned, for each round
BOWL_2 = weight(0.0864)  # power at hand
BOWL_3 = weight(0.401)
DEEP = weight(0.161)  # in bowl III beyond the sixth
EARLY = weight(0.258)  # how much more goods are worth for each round that is left
LAST = weight(0.11)  # and in the last round, as a share
INCOME = weight(0.981)  # income of a later round, as a share of the goods
DWELLING = weight(1.7)  # structures
HOUSE = weight(3.41)
TEMPLE = weight(2.39)
STRONGHOLD = weight(3.19)
SANCTUARY = weight(3.62)
STRONGHOLD_ROUND = weight(1.4)  # a stronghold's power, for each round
AREA = weight(0.536)  # a structure of the largest area
TOWN_POWER = weight(6.94)  # groups on the way to a town
TOWN_COUNT = weight(3.62)
SITE = weight(0.803, 0.379, 0.217, 0.0413)  # a space in reach, by its distance from the own colour
ROOM = weight(14.6)  # sites beyond this are worth half
NEIGHBOUR = weight(0.242)  # a structure of others beside one's own
SPADE_ = weight(1.59)
SHIPPING = weight(0.613)
DIGGING = weight(2.88)
LEVEL_ROUND = weight(0.661)  # of these two, for each round
CULT_STEP = weight(0.217)
CULT_PRIZE = weight(0.12)  # of the prizes as the tracks stand, more for each step
CULT_HIGH = weight(0.0351)
CULT_BONUS = weight(1.38)  # of what the scoring tiles will give for steps
KEY = weight(0.734)
FAVOR_DUE = weight(4.72)  # what an action still brings
TOWN_DUE = weight(12.8)
STEP_DUE = weight(0.958)
BRIDGE_DUE = weight(1.03)
HOUSE_DUE = weight(2.94)
FAVOR_TOWN = weight(1.01)  # FAV5, FAV10 and FAV11, for each round
FAVOR_HOUSE = weight(2.54)
FAVOR_DWELLING = weight(3.52)
CARD_ACTION = weight(1.0)
CARD_POINTS = weight(0.526)
FACTION = weight(  # points that greedy players make with a faction, above or below the mean; in the order of the names
    -18.0, 1.0, -7.0, 8.0, 18.0, 6.0, -12.0, -1.0, -11.0, 10.0, -3.0, -1.0, 6.0, 5.0,
)  # fmt: skip


@rule
def share_of(t, left):
    """What goods are worth now, compared with their weights: more early, less in the last round."""
    return 1.0 + t.weights[EARLY] * (left - 1.0) if left > 0.0 else t.weights[LAST]


@rule
def incomes(t, left):
    """How often an income will still come, later ones being worth less."""
    return t.weights[INCOME] * (left + t.weights[EARLY] * 0.5 * (left - 1.0) * (left - 2.0))
