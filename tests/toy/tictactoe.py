"""Tic-tac-toe over the contract of a game: small enough to know what perfect play is."""

from __future__ import annotations

from typing import Any

import numpy as np

from theogony.envs.core.actions import ActionCodec, Block
from theogony.envs.core.assemble import assemble
from theogony.envs.core.features import Feature, FeatureLayout
from theogony.envs.core.game import GameOptions
from theogony.envs.core.jit import rule
from theogony.envs.core.record import ENDED, header, record_dtype

STATE = record_dtype(*header(), ("board", "i1", (9,)), ("winner", "i1"))
LINES = np.array(
    [(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)], np.int8
)  # fmt: skip


class Options(GameOptions):
    players: int = 2


@rule
def setup(g, t):
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
        f.board[cell] = 1
        if g.board[cell] >= 0:
            f.board[cell] = 2 if g.board[cell] == seat else 0


@rule
def score(g, t, out):
    for seat in range(2):
        out[seat] = 1.0 if g.winner == seat else 0.0


@rule
def value(g, t, seat):
    if g.winner < 0:
        return 0.0
    return 1.0 if g.winner == seat else -1.0


def layout(players: int, t: Any) -> FeatureLayout:
    return FeatureLayout(Feature("board", (9,), "own 1, other -1", -1, 1))


def render_text(game: Any, g: Any, who: Any) -> str:
    return str(g.board)


CODEC = ActionCodec(Block("cell", range(9)))
SPEC = assemble(__name__, title="Tic-tac-toe", players=(2,), decision_bound=lambda options: 9)
