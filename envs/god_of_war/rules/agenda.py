"""The agenda: what is still to be done, the next on top. It lives in the position, so play can stop at any choice.

A frame is a row of seven numbers: its kind (`F_...` in `codes.py`) and up to six arguments. A rule that works on a
frame gets it as `frame`; it pushes what must happen first and is called again afterwards. So rules never call each
other in a cycle, however deep the effects of cards cause one another.
"""

from __future__ import annotations

from typing import Any

from theogony.envs.core.jit import rule
from theogony.envs.core.record import CUT_OFF, ENDED
from theogony.envs.god_of_war.codes import DEPTH, WIDTH
from theogony.envs.god_of_war.state import IS_OVER, LOOP


@rule
def push(g, kind, a: Any = 0, b: Any = 0, c: Any = 0, d: Any = 0, e: Any = 0, f: Any = 0):
    """Put a frame on top. A full agenda is a loop of the component file: the game is cut off."""
    if g.depth == DEPTH:
        if g.over == 0:
            stop(g, CUT_OFF, LOOP)
        return
    frame = g.agenda[g.depth]
    frame[0] = kind
    frame[1] = a
    frame[2] = b
    frame[3] = c
    frame[4] = d
    frame[5] = e
    frame[6] = f
    g.depth += 1


@rule
def pop(g):
    """Take the top frame away; its numbers are cleared, so that equal positions have equal bytes."""
    g.depth -= 1
    frame = g.agenda[g.depth]
    for k in range(WIDTH):
        frame[k] = 0


@rule
def lowest(bits):
    """The lowest bit that is set, for what is left of a list in a frame; there must be one."""
    k = 0
    while (bits >> k) & 1 == 0:
        k += 1
    return k


@rule
def ask(g, seat, decision):
    """A decision is due: the run of the agenda stops."""
    g.actor = seat
    g.decision = decision
    g.turn = g.active
    return True


@rule
def stop(g, over, reason):
    """The game ends and stays as it is."""
    g.over = over
    g.reason = reason
    g.phase = IS_OVER
    g.agenda[:, :] = 0
    g.depth = 0


@rule
def end_game(g, reason):
    """The game ends by rule."""
    stop(g, ENDED, reason)
