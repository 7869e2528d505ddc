"""A coin that one seat has not seen decides what the other may do: small enough to know every line of play.

Seat 0 passes or stops; after a pass, seat 1 says what the coin shows, and nothing else is legal. Seat 0 wins unless
something was played that was not legal.
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

STATE = record_dtype(*header(), ("coin", "i1"), ("cheated", "i1"))
PASS, STOP, HEADS, TAILS = range(4)


class Options(GameOptions):
    players: int = 2


@rule
def setup(g, t):
    g.coin = below(g.rng, 2)


@rule
def legal(g, t, mask):
    if g.actor == 0:
        mask[PASS] = 1
        mask[STOP] = 1
    else:
        mask[HEADS + g.coin] = 1


@rule
def apply(g, t, action):
    if g.actor == 1 and action != HEADS + g.coin:
        g.cheated = 1
    if action == PASS:
        g.actor = 1
        g.turn = 1
    else:
        g.over = ENDED


@rule
def observe(g, t, seat, f):
    f.coin[0] = 2 * g.coin if seat == 1 else 1


@rule
def score(g, t, out):
    out[0] = 1.0 - g.cheated
    out[1] = g.cheated


@rule
def resample(g, t, seat, rng):
    if seat == 0:
        g.coin = below(rng, 2)


@rule
def value(g, t, seat):
    return 0.0


def layout(players: int, t: Any) -> FeatureLayout:
    return FeatureLayout(Feature("coin", (1,), "0 heads, 1 tails", scale=2))


def render_text(game: Any, g: Any, who: Any) -> str:
    return ""


CODEC = ActionCodec(*(Block(name, text=name) for name in ("pass", "stop", "heads", "tails")))
SPEC = assemble(__name__, title="Hidden coin", players=(2,), decision_bound=lambda options: 2, hidden=("coin",))
