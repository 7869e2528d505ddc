"""Where a game has turned for a seat: what a search expected at each of its decisions, by what the seat knew then."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np

from theogony.envs.core.draw.places import move_words
from theogony.envs.core.position import Position
from theogony.play.hints import CLEAR, Adviser

LOOKED = 60  # decisions at most that are looked at
TOLD = 4  # turning points


def course(past: Position, seat: int, adviser: Adviser) -> dict[str, Any]:
    """`points` are (decisions taken before, what was expected then), `turns` those decisions after which clearly more
    or less was expected: (number, text, before, after), the greatest first; `end` is what came of it, None where a
    game was cut off. `past` goes back to its start."""
    game, rng, actions = past.game, np.random.default_rng(0), list(past.actions[: past.now])
    end = adviser.came(past, seat)
    own = [k for k in range(past.now) if int(past.states[k].actor) == seat]
    wanted = {own[i] for i in np.linspace(0, len(own) - 1, min(LOOKED, len(own))).astype(int)} if own else set()
    found = []
    while past.now:
        past.undo()
        if past.now in wanted and len(past.legal_actions()) > 1:
            found.append((past.now, adviser.expects(past, rng)))
    points = found[::-1]

    def text(k: int) -> str:
        g = past.states[k]
        return move_words(game, g, actions[k], past.states[k + 1], seat)

    changes = [(k, before, after) for (k, before), (_, after) in itertools.pairwise(points)]
    clear = [one for one in changes if abs(one[2] - one[1]) >= CLEAR[adviser.counted]]
    most = sorted(clear, key=lambda one: -abs(one[2] - one[1]))[:TOLD]
    turns = [(k + 1, text(k), before, after) for k, before, after in most]
    return {"measure": adviser.counted, "seat": seat, "points": points, "turns": turns, "end": end}
