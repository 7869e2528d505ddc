"""A recorded game is played decision by decision and compared in all that it states."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from theogony.envs.core.position import Position
from theogony.envs.core.verify import Differ, RecordingError
from theogony.envs.push_of_faith.actions import SIDES
from theogony.envs.push_of_faith.components import TYPES
from theogony.verification.push_of_faith.compare import same
from theogony.verification.push_of_faith.format import RecordingHeader, configured, get, tiles_digest
from theogony.verification.push_of_faith.snapshot import (
    ACTIONS,
    KINDS,
    events,
    position_json,
    result_json,
    set_up,
)


def play_game(header: RecordingHeader, lines: Iterator[dict[str, Any]], differ: Differ) -> None:
    """Play a recorded game and compare all of it. Stops where it cannot go on."""
    game = configured(header.players, header.options.refill, header.options.first_player)
    position = Position(game, 0)
    if not _start_fits(header, position, differ):
        return
    set_up(header.start, position)
    same(differ, "start", header.state, position_json(position), "state")
    step = 0
    while True:
        try:
            line = next(lines, None)
        except RecordingError as error:
            return differ(step, "record", error, "end" if position.over else "step")
        if get(line, "record") != ("end" if position.over else "step"):
            return differ(step, "record", get(line, "record"), "end" if position.over else "step")
        assert isinstance(line, dict)
        if position.over:
            break
        if not _play_step(position, step, line, differ):
            return
        step += 1
    same(differ, "end", line, {"steps": step, **result_json(position)})
    if (further := next(lines, None)) is not None:
        differ("end", "record", f"after the end: {further}", "nothing")


def _start_fits(header: RecordingHeader, position: Position, differ: Differ) -> bool:
    """The setup (rules §3): tiles, stacks, tokens and first player are what ours could have dealt."""
    start, t = header.start, position.tables[0]
    digest, in_use = tiles_digest(position.game.components["tiles"]), [int(i) for i in t.ids[: t.in_use]]
    if header.tiles_digest != digest:
        differ("start", "tiles_digest", header.tiles_digest, f"{digest}: the game was played with another tile list")
        return False
    heights = [int(h) for h in position.g.heights]
    cells = [tile for row in start.map for tile in row]
    found = {
        "tiles_in_use": in_use,
        "split": (sorted(t for s in start.split for t in s), [len(s) for s in start.split]),
        "stacks": start.stacks,
        "map": (sorted(cells), [len(row) for row in start.map]),
        "markers": start.markers,
        "tokens": (len(start.tokens), sorted(start.tokens + start.leftover_tokens)),
        "first_player": 0 if header.options.first_player == "seat0" else start.first_player % header.players,
    }
    expected = {
        "tiles_in_use": header.tiles_in_use,
        "split": (in_use, [height + 3 for height in heights]),
        "stacks": [stack[3:] for stack in start.split],
        "map": (sorted(tile for stack in start.split for tile in stack[:3]), [3, 3, 3]),
        "markers": dict.fromkeys(SIDES, 1),
        "tokens": (header.players, list(range(TYPES))),
        "first_player": start.first_player,
    }
    bad = [field for field in found if found[field] != expected[field]]
    for field in bad:
        differ("start", field, expected[field], found[field])
    return not bad


def _play_step(position: Position, step: int, line: dict[str, Any], differ: Differ) -> bool:
    """Compare and play one decision. False when the recorded action cannot be played here."""
    g = position.g
    same(differ, step, line, {"step": step, "seat": int(g.actor), "kind": KINDS[g.decision]})
    legal = [ACTIONS[a] for a in position.legal_actions()]
    _same_legal(differ, step, line.get("legal"), legal)
    action: Any = line.get("action")
    if action not in legal:
        differ(step, "action", action, "not legal here")
        return False
    before = position.states[position.now : position.now + 1].copy()[0]
    position.play(ACTIONS.index(action))
    same(differ, step, line, {"events": events(before, position.g), "state": position_json(position)})
    return True


def _same_legal(differ: Differ, step: int, expected: Any, found: list[dict[str, Any]]) -> None:
    if expected == found or not isinstance(expected, list):
        return same(differ, step, {"legal": expected}, {"legal": found})
    missing, extra = [a for a in expected if a not in found], [a for a in found if a not in expected]
    if missing or extra:
        differ(step, "legal", f"{missing} as well" if missing else "fewer", f"{extra} as well" if extra else "fewer")
    else:
        differ(step, "legal", expected, f"another order: {found}")
