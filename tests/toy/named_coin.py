"""A coin that is thrown in everybody's sight, and named by whoever threw it: what is right differs each time.

The first seat stops, for nothing, or throws; whoever throws must say what the coin shows, and wins a little or loses a
lot. So throwing is good for who looks at the coin, and bad for who would say the same whatever it shows.
"""

from __future__ import annotations

from typing import Any

from theogony.envs.core.actions import ActionCodec, Block
from theogony.envs.core.assemble import assemble
from theogony.envs.core.features import Feature, FeatureLayout
from theogony.envs.core.game import GameOptions
from theogony.envs.core.jit import rule
from theogony.envs.core.record import ENDED, header, record_dtype
from theogony.envs.core.rng import below

STATE = record_dtype(*header(), ("coin", "i1"), ("points", "i1"))
THROW, STOP, HEADS, TAILS = range(4)
RIGHT, WRONG = 1, -2
NOT_THROWN = 2


class Options(GameOptions):
    players: int = 2


@rule
def setup(g, t):
    g.coin = NOT_THROWN


@rule
def legal(g, t, mask):
    if g.coin == NOT_THROWN:
        mask[THROW] = 1
        mask[STOP] = 1
    else:
        mask[HEADS] = 1
        mask[TAILS] = 1


@rule
def apply(g, t, action):
    if action == THROW:
        g.coin = below(g.rng, 2)
        return
    g.over = ENDED
    if action != STOP:
        g.points = RIGHT if action - HEADS == g.coin else WRONG


@rule
def observe(g, t, seat, f):
    f.coin[0] = g.coin


@rule
def score(g, t, out):
    out[0] = g.points
    out[1] = -g.points


@rule
def resample(g, t, seat, rng):
    return


@rule
def value(g, t, seat):
    return 0.0


def layout(players: int, t: Any) -> FeatureLayout:
    return FeatureLayout(Feature("coin", (1,), "0 heads, 1 tails, 2 not thrown", scale=2))


def render_text(game: Any, g: Any, who: Any) -> str:
    return ""


CODEC = ActionCodec(*(Block(name, text=name) for name in ("throw", "stop", "heads", "tails")))
SPEC = assemble(__name__, title="Named coin", players=(2,), decision_bound=lambda options: 2, hidden=())
