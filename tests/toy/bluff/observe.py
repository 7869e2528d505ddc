"""What each seat sees: its own die, the bid, the strikes, the dice of the last round. The observer comes first."""

from typing import Any

from bluff.components import HIGHEST
from theogony.envs.core.features import FeatureLayout
from theogony.envs.core.plain import Plain, PlainFeatures

PLAIN = PlainFeatures(
    Plain("actor", "who decides", seat=True),
    Plain("my_die", "number on the observer's die", of="dice", own=True, one_hot=HIGHEST, first=1),
    Plain("bid", "last bid, as a share of the highest that is possible", over="highest"),
    Plain("bidder", "who made it", seat=True),
    Plain("strikes", "rounds lost, as a share of the rounds", per_seat=True, over="rounds"),
    Plain("shown", "dice of the last round", per_seat=True, one_hot=HIGHEST, first=1),
    Plain("rounds_over", "share of the rounds that are over", over="rounds"),
)
observe = PLAIN.rule


def layout(players: int, t: Any) -> FeatureLayout:
    """The features for a player count and the tables."""
    return FeatureLayout(*PLAIN.features(players, t))
