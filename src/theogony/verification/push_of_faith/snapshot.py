"""Our actions and positions in the format of the recordings, and recorded positions as ours."""

from __future__ import annotations

from typing import Any

import numpy as np

from theogony.envs.core.position import Position
from theogony.envs.push_of_faith.actions import CODEC, SIDES
from theogony.envs.push_of_faith.breakdown import breakdown, turns_finished, world_squares
from theogony.envs.push_of_faith.components import FRAME
from theogony.envs.push_of_faith.state import NONE, STACKS
from theogony.verification.push_of_faith.format import Start

KINDS = ("take", "place", "refill")


def _cell(index: int) -> list[int]:
    return list(divmod(index, 3))


def action_json(action: int) -> dict[str, Any]:
    """One of our actions in the format of the recordings, which count lines, rows and columns from 0."""
    kind, _ = CODEC.decode(action)
    number = action - CODEC.first[kind]
    if kind == "push":
        return {"type": kind, "side": SIDES[number // 3], "to": number % 3}
    if kind == "token":
        return {"type": kind, "cell": _cell(number)}
    if kind == "place":
        return {"type": kind, "cell": list(divmod(number // 4, FRAME)), "rot": number % 4}
    return {"type": kind, "stack": number}


ACTIONS = [action_json(action) for action in range(CODEC.size)]


def events(before: Any, g: Any) -> dict[str, Any]:
    """What a decision caused, seen from the positions around it."""
    if g.hand != NONE:  # a tile was taken
        source = _cell(int(np.flatnonzero(before.map.reshape(-1) == g.hand)[0]))
        taken = {"taken": int(g.hand), "from": source, "hole": _cell(int(g.hole))}
        spent = g.spent[g.actor] > before.spent[g.actor]
        return {**taken, "god": int(g.tokens[g.actor])} if spent else taken
    if g.hole != NONE:  # placed, the stack is chosen next
        return {}
    refilled = _cell(int(before.hole))
    stack = int(np.flatnonzero(before.heights != g.heights)[0])
    return {"drawn": int(g.map[tuple(refilled)]), "stack": stack, "refilled": refilled}


def position_json(position: Position) -> dict[str, Any]:
    """A position in the format of the recordings."""
    g, players = position.g, position.game.players
    return {
        "turn": turns_finished(g),
        "phase": "over" if position.over else KINDS[g.decision],
        "to_move": None if position.over else int(g.actor),
        "map": [[None if tile == NONE else int(tile) for tile in row] for row in g.map],
        "markers": {side: int(index) for side, index in zip(SIDES, g.markers, strict=True)},
        "hand": None if g.hand == NONE else int(g.hand),
        "hole": None if g.hole == NONE else _cell(int(g.hole)),
        "stacks": [[int(tile) for tile in g.stacks[s, : g.heights[s]][::-1]] for s in range(STACKS)],
        "tokens": [{"god": int(g.tokens[s]), "spent": bool(g.spent[s])} for s in range(players)],
        "worlds": [_world(g, seat) for seat in range(players)],
    }


def _world(g: Any, seat: int) -> list[dict[str, Any]]:
    return [
        {
            "cell": list(divmod(int(g.cells[seat, k]), FRAME)),
            "tile": int(g.tiles[seat, k]),
            "rot": int(g.rotations[seat, k]),
        }
        for k in range(int(g.placed[seat]))
    ]


def result_json(position: Position) -> dict[str, Any]:
    """The end of a game in the format of the recordings."""
    reasons = breakdown(position.game, position.g)
    return {
        **ranks_json(position),
        "breakdown": reasons,
        "squares": [world_squares(position.game, position.g, s).tolist() for s in range(len(reasons))],
    }


def ranks_json(position: Position) -> dict[str, Any]:
    """Scores, tie-break values and winners."""
    standings = position.standings()
    return {
        "scores": [int(score) for score in position.scores()],
        "tie_break": [reasons["tie_break"] for reasons in breakdown(position.game, position.g)],
        "winners": [int(seat) for seat in np.flatnonzero(standings == standings.max())],
    }


def set_up(start: Start, position: Position) -> None:
    """Write a recorded starting position over ours."""
    g = position.g
    g.map[:] = start.map
    g.stacks[:] = NONE
    for stack, tiles in enumerate(start.stacks):
        g.heights[stack] = len(tiles)
        g.stacks[stack, : len(tiles)] = tiles[::-1]
    g.tokens[:] = start.tokens + start.leftover_tokens
    g.actor = g.turn = start.first_player
    position.refresh()
