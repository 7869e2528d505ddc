"""Reader for recordings of another implementation: single dogma actions (scenarios) and whole games (replays).

Such a recording leaves out most decisions with a single outcome and lists some that our rules do not ask for; both
are played or passed over. Everything else must be equal: who decides what, the options, each movement, the positions.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from functools import cache
from itertools import chain
from pathlib import Path
from typing import Any

from theogony.envs.core.game import Game
from theogony.envs.core.registry import load
from theogony.envs.core.verify import Case, Differ, RecordingError, compare
from theogony.envs.innovation import actions as at
from theogony.envs.innovation.snapshot import PositionError, load_position, to_json
from theogony.envs.innovation.state import ACTION, BY_ACHIEVEMENTS, ENDINGS, SIDE, state_dtype
from theogony.verification.chance import with_given_chances
from theogony.verification.innovation.events import in_groups, straight
from theogony.verification.innovation.follow import Follower, Lost, Record


@cache
def logged_game(players: int) -> Game:
    game = load("innovation").configure({"players": players})
    return with_given_chances(game, state_dtype(game.state["lists"].shape[1], log=True))


def recordings(path: Path, lines: Iterator[dict[str, Any]]) -> Iterator[Case]:
    """The cases of one file: every line of a scenario file, a whole game of a replay. Raises RecordingError."""
    first = next(lines, None)
    if not isinstance(first, dict):
        raise RecordingError(f"{path}: holds no record")
    if first.get("record") == "header":
        yield path.name, lambda differ: _play_game(first, lines, differ)
    elif "before" in first:
        for line in chain([first], lines):
            yield f"{line['id']} {line['name']}", lambda differ, line=line: _play_scenario(line, differ)
    else:
        raise RecordingError(f"{path}: begins with neither the header of a game nor a scenario")


def _load(follower: Follower, position: dict[str, Any], turn: int, actions_left: int) -> None:
    try:
        data = {**position, "turn": turn, "actions_left": actions_left}
        load_position(follower.game, follower.states, 0, data)
    except PositionError as error:
        raise RecordingError(str(error)) from None


# ---------------------------------------------------------------------------------------------------- scenarios


def _play_scenario(line: dict[str, Any], differ: Differ) -> None:
    """One dogma action: choices, movements, the position after it, the sharing bonus and the end."""
    follower = Follower(logged_game(line["players"]), differ)
    _load(follower, line["before"], line["active"], 2)
    try:
        follower.expected = straight(line["events"])
        records = deque({**c, "at_event": len(straight(line["events"][: c["at_event"]]))} for c in line["choices"])
        follower.follow(_dogma_of(follower, line["card"]), records)
        follower.finish(records)
    except Lost:
        return
    _compare_events(differ, "end", follower.expected, follower.events)
    _compare_end(follower, differ, line["end"])
    if line["end"] is None:
        differ_if(differ, "end", "sharing_bonus", line["sharing_bonus"], bool(follower.g.had_bonus))
    if line["end"] is None or line["end"]["by"] != ENDINGS[BY_ACHIEVEMENTS]:
        _compare_position(differ, "end", line["after"], to_json(follower.game, follower.g))


def differ_if(differ: Differ, step: Any, field: str, expected: Any, found: Any) -> None:
    if expected != found:
        differ(step, field, expected, found)


def _dogma_of(follower: Follower, card: int) -> int:
    """The action that performs a top card of the active player. Raises RecordingError when it is none."""
    g = follower.g
    colour = int(follower.game.tables[0].colour[card])
    if g.top[int(g.turn) * SIDE + colour] != card:
        raise RecordingError(f"{at.NAMES[card]} is no top card of seat {g.turn}")
    return at.DOGMA_AT + colour


def _compare_events(differ: Differ, step: Any, expected: list[Any], found: list[Any]) -> None:
    """Every movement, in order; inside a group that moves at once the order carries no meaning."""
    one, two = in_groups(expected), in_groups(found)
    for k in range(max(len(one), len(two))):
        a, b = one[k] if k < len(one) else "nothing", two[k] if k < len(two) else "nothing"
        if a != b:
            differ(step, f"events.{k}", a, b)
            return


def _compare_end(follower: Follower, differ: Differ, end: dict[str, Any] | None) -> None:
    g = follower.g
    winners = [seat for seat in range(follower.game.players) if g.winners >> seat & 1]
    found = {"by": ENDINGS[g.ended_by], "winners": winners} if g.over else None
    if end is None or found is None:
        differ_if(differ, "end", "end", end, found)
    else:
        compare(differ, "end", {"by": end["by"], "winners": sorted(end["winners"])}, found, "end")


def _compare_position(differ: Differ, step: Any, expected: dict[str, Any], found: dict[str, Any]) -> None:
    compare(differ, step, _sorted(expected), _sorted(found), "position")


def _sorted(position: dict[str, Any]) -> dict[str, Any]:
    """Sets in order; seats by number, so that every difference has a path."""
    players = {}
    for seat, player in enumerate(position["players"]):
        sets = ("hand", "score", "age_achievements", "special_achievements", "revealed")
        players[str(seat)] = {**player, **{key: sorted(player.get(key, [])) for key in sets}}
    unclaimed = {key: sorted(position[key]) for key in ("age_achievements", "special_achievements")}
    supply = {str(age): pile for age, pile in enumerate(position["supply"], 1)}
    return {"supply": supply, **unclaimed, "players": players}


# ---------------------------------------------------------------------------------------------------- whole games


def _play_game(header: dict[str, Any], lines: Iterator[dict[str, Any]], differ: Differ) -> None:
    """A whole game: every decision's options and position, the movements, the end."""
    follower = Follower(logged_game(header["players"]), differ)
    _load(follower, header["start"], 0, 0)
    try:
        follower.step = "initial melds"
        melds = next(lines)
        for card in melds["cards"]:
            follower.play(card)
        compare(differ, follower.step, melds["first_player"], int(follower.g.turn), "first_player")
        in_order = [e for card in melds["cards"] for e in melds["events"] if e["card"] == card]
        _compare_events(differ, follower.step, in_order, follower.events)  # all at once: recorded in any order
        follower.events.clear()
        expected: list[Any] = []
        end: Record | None = None
        for action, choices, following in _actions(lines):
            _play_action(follower, action, choices, expected)
            end = following
        if end is None or end["record"] != "end":
            raise RecordingError("the game has no record of its end")
        _close_game(follower, differ, end, expected)
    except Lost:
        return


def _actions(lines: Iterator[dict[str, Any]]) -> Iterator[tuple[Record, list[Record], Record]]:
    """Every action with the choices inside it; the last one comes with the record of the end."""
    action: Record | None = None
    inside: list[Record] = []
    for line in lines:
        if line["record"] == "decision" and line["kind"] != "action":
            inside.append(line)
            continue
        if action is not None:
            yield action, inside, line
        action, inside = line, []


def _play_action(follower: Follower, action: Record, choices: list[Record], expected: list[Any]) -> None:
    """One action: the position before it, its options, its choices."""
    g, differ = follower.g, follower.differ
    follower.step = action["n"]
    found = {"kind": "action" if g.decision == ACTION else "other", "player": int(g.actor), "over": int(g.over)}
    found |= {"actions_left": int(g.actions_left), "action_no": int(g.action_count) + 1}
    recorded = {key: action[key] for key in ("kind", "player", "actions_left", "action_no")} | {"over": 0}
    compare(differ, follower.step, recorded, found)
    _compare_events(differ, follower.step, expected, follower.events)
    _compare_position(differ, follower.step, action["before"], to_json(follower.game, g))
    options = sorted(_action(follower, option) for option in action["options"])
    differ_if(differ, follower.step, "options", options, follower.legal())
    follower.events.clear()
    expected[:] = straight(action["events"])
    records: deque[Record] = deque()
    for choice in choices:
        records.append({**choice, "at_event": len(expected)})
        expected += straight(choice["events"])
    follower.expected = expected
    follower.follow(_action(follower, action["choice"]), records)
    follower.finish(records)


def _action(follower: Follower, option: Record) -> int:
    """The id of a recorded action."""
    kind = option["action"]
    if kind == "draw":
        return at.DRAW_AT
    if kind == "achieve":
        return at.ACHIEVE_AT + option["age"] - 1
    return option["card"] if kind == "meld" else _dogma_of(follower, option["card"])


def _close_game(follower: Follower, differ: Differ, end: Record, expected: list[Any]) -> None:
    """How the game ended: by what, who won, the points and the last position."""
    follower.step = "end"
    _compare_end(follower, differ, end)
    points = [int(p) for p in follower.g.points[: follower.game.players]]
    if end["by"] != ENDINGS[BY_ACHIEVEMENTS]:  # else a group may have been cut short, in any order
        _compare_events(differ, "end", expected, follower.events)
        differ_if(differ, "end", "points", end["points"], points)
        _compare_position(differ, "end", end["final"], to_json(follower.game, follower.g))
