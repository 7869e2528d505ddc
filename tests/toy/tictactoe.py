"""Tic-tac-toe over the contract of a game: small enough to know what perfect play is."""

from __future__ import annotations

from typing import Any

import numpy as np

from theogony.envs.core.actions import ActionCodec, Block
from theogony.envs.core.features import Feature, FeatureLayout
from theogony.envs.core.game import GameOptions, GameSpec, Parts
from theogony.envs.core.jit import rule
from theogony.envs.core.record import ENDED, header, record_dtype, tables_header
from theogony.envs.core.rng import mix, next_u64

STATE = record_dtype(*header(), ("board", "i1", (9,)), ("winner", "i1"))
LINES = np.array(
    [(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)], np.int8
)  # fmt: skip


class Options(GameOptions):
    players: int = 2


@rule
def setup(g, t, seed):
    g.rng[0] = mix(seed, 0, 0)
    g.players = 2
    g.board[:] = -1
    g.winner = -1


@rule
def legal(g, t, mask):
    for cell in range(9):
        mask[cell] = g.board[cell] < 0


@rule
def apply(g, t, action):
    g.board[action] = g.actor
    full = True
    for cell in range(9):
        full = full and g.board[cell] >= 0
    for line in range(LINES.shape[0]):
        a, b, c = LINES[line, 0], LINES[line, 1], LINES[line, 2]
        if g.board[a] == g.actor and g.board[b] == g.actor and g.board[c] == g.actor:
            g.winner = g.actor
            g.over = ENDED
    if full:
        g.over = ENDED
    g.actor = 1 - g.actor
    g.turn = g.actor


@rule
def observe(g, t, seat, f):
    for cell in range(9):
        if g.board[cell] >= 0:
            f.board[cell] = 1.0 if g.board[cell] == seat else -1.0


@rule
def score(g, t, out):
    for seat in range(2):
        out[seat] = 1.0 if g.winner == seat else 0.0


@rule
def resample(g, t, seat, rng):
    g.rng[0] = next_u64(rng)


@rule
def value(g, t, seat):
    if g.winner < 0:
        return 0.0
    return 1.0 if g.winner == seat else -1.0


def build(options: Options, data: Any) -> Parts:
    tables = np.zeros(1, record_dtype(*tables_header()))
    tables[0].players, tables[0].scale = 2, 1.0
    layout = FeatureLayout(Feature("board", (9,), "own 1, other -1", -1, 1))
    return Parts(STATE, tables, layout, ActionCodec(Block("cell", range(9))))


SPEC = GameSpec(
    module=__name__,
    name="tictactoe",
    title="Tic-tac-toe",
    version=0,
    players=(2,),
    options=Options,
    components=lambda options: {},
    build=build,
    setup=setup,
    legal=legal,
    apply=apply,
    observe=observe,
    score=score,
    standing=score,
    resample=resample,
    value=value,
    render_text=lambda game, g, seat: str(g.board),
    render_svg=lambda game, g, seat: "<svg/>",
    decision_bound=lambda options: 9,
)
