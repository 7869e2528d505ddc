"""The reader of recordings: those of another implementation pass, and every damage is reported with step and field."""

import gzip
import hashlib
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from recordings import outcome, write

from theogony.envs.push_of_faith.game import SPEC

HERE = Path(__file__).parent
Lines = list[dict[str, Any]]


def test_recorded_games(condensed: dict[str, Any], expanded: Callable, tmp_path: Path) -> None:
    """Setup and actions of a recording give the very lines that the other implementation wrote."""
    lines = expanded(condensed)
    digest = hashlib.sha256("\n".join(json.dumps(line, sort_keys=True) for line in lines).encode()).hexdigest()
    assert digest == condensed["sha256"]
    assert outcome(SPEC, write(tmp_path / "game.jsonl", lines)) == ((1, 0), "")


def test_recorded_scores() -> None:
    path = HERE / "data" / "scoring.jsonl"
    assert outcome(SPEC, path) == ((len(path.read_text().splitlines()), 0), "")


# ---------------------------------------------------------------------------------------------------- damaged games


def edit(*keys: Any, to: Any) -> Callable[[Lines], None]:
    """Set lines[keys[0]][keys[1]]... to a value."""

    def change(lines: Lines) -> None:
        target: Any = lines
        for key in keys[:-1]:
            target = target[key]
        assert target[keys[-1]] != to
        target[keys[-1]] = to

    return change


def drop(*keys: Any) -> Callable[[Lines], None]:
    def change(lines: Lines) -> None:
        target: Any = lines
        for key in keys[:-1]:
            target = target[key]
        del target[keys[-1]]

    return change


def swap_lines(lines: Lines) -> None:
    lines[5], lines[6] = lines[6], lines[5]


def swap_legal(lines: Lines) -> None:
    legal = lines[1]["legal"]
    legal[0], legal[1] = legal[1], legal[0]


DAMAGES = {  # what is done, and the beginning of what is said
    "a score": (edit(-1, "scores", to=[63, 52]), "step end: scores: expected [63, 52], found [63, 51]"),
    "a tie-break": (edit(-1, "tie_break", 0, to=9), "step end: tie_break: expected [9, 9], found [10, 9]"),
    "winners": (edit(-1, "winners", to=[0, 1]), "step end: winners: expected [0, 1], found [0]"),
    "a group": (
        edit(-1, "breakdown", 1, "groups", 3, to=[9, 2]),
        "step end: breakdown.1.groups.3: expected [9, 2], found",
    ),
    "a square": (edit(-1, "squares", 0, 0, 0, to=3), "step end: squares.0.0: expected [3, 4, 0"),
    "no breakdown": (drop(-1, "breakdown"), "step end: breakdown: expected nothing, found"),
    "number of steps": (edit(-1, "steps", to=35), "step end: steps: expected 35, found 36"),
    "a missing line": (drop(8), "step 7: step: expected 8, found 7"),
    "a missing end": (drop(-1), "step 36: record: expected None, found end"),
    "a missing header": (drop(0), "begins with neither a header of a game nor a scoring case"),
    "lines in another order": (swap_lines, "step 4: step: expected 5, found 4"),
    "a line twice": (lambda lines: lines.insert(4, lines[3]), "step 3: step: expected 2, found 3"),
    "a line too many": (
        lambda lines: lines.append(lines[3]),
        "step end: record: expected after the end: {'record': 'step'",
    ),
    "a line of another kind": (
        lambda lines: lines.__setitem__(4, ["a list"]),
        "line 5 is no JSON object",
    ),
    "an illegal action": (
        edit(1, "action", to={"type": "push", "side": "N", "to": 1}),
        "step 0: action: expected {'type': 'push', 'side': 'N', 'to': 1}, found not legal here",
    ),
    "an action that is none": (edit(1, "action", to="push"), "step 0: action: expected push, found not legal here"),
    "another action": (
        edit(1, "action", to={"type": "push", "side": "W", "to": 2}),
        "step 0: events.taken: expected 13, found 23",
    ),
    "no action": (drop(1, "action"), "step 0: action: expected None, found not legal here"),
    "a legal action less": (
        drop(1, "legal", 3),
        "step 0: legal: expected fewer, found [{'type': 'push', 'side': 'S', 'to': 2}] as",
    ),
    "a legal action more": (
        lambda lines: lines[1]["legal"].append({"type": "refill", "stack": 0}),
        "step 0: legal: expected [{'type': 'refill', 'stack': 0}] as well, found fewer",
    ),
    "legal actions in another order": (
        swap_legal,
        "step 0: legal: expected [{'type': 'push', 'side': 'N', 'to': 2}, {",
    ),
    "the seat": (edit(3, "seat", to=0), "step 2: seat: expected 0, found 1"),
    "the kind": (edit(3, "kind", to="place"), "step 2: kind: expected place, found take"),
    "an event": (edit(2, "events", "drawn", to=1), "step 1: events.drawn: expected 1, found 27"),
    "a marker": (edit(9, "state", "markers", "W", to=1), "step 8: state.markers.W: expected 1, found"),
    "a map tile": (edit(9, "state", "map", 0, to=[1, 2, 3]), "step 8: state.map.0: expected [1, 2, 3], found"),
    "a stack": (edit(9, "state", "stacks", 2, to=[7]), "step 8: state.stacks.2: expected [7], found [7, 24, 15"),
    "a token": (edit(9, "state", "tokens", 1, "spent", to=2), "step 8: state.tokens.1.spent: expected 2, found"),
    "a rotation": (edit(20, "state", "worlds", 0, 1, "rot", to=4), "step 19: state.worlds.0.1.rot: expected 4, found"),
    "a world tile less": (
        drop(20, "state", "worlds", 0, 4),
        "step 19: state.worlds.0.4: expected nothing, found {'cell'",
    ),
    "who moves": (edit(36, "state", "to_move", to=0), "step 35: state.to_move: expected 0, found None"),
    "no hand": (drop(4, "state", "hand"), "step 3: state.hand: expected nothing, found None"),
    "the first state": (edit(0, "state", "turn", to=1), "step start: state.turn: expected 1, found 0"),
    "another tile list": (edit(0, "tiles_digest", to="0" * 64), "step start: tiles_digest: expected 0000"),
    "tiles in use": (drop(0, "tiles_in_use", 3), "step start: tiles_in_use: expected [0, 1, 2, 4"),
    "a stack at the start": (drop(0, "start", "stacks", 1, 0), "step start: stacks: expected"),
    "a tile twice at the start": (edit(0, "start", "map", 0, 0, to=13), "step start: map: expected"),
    "a map of four rows": (lambda lines: lines[0]["start"]["map"].append([]), "step start: map: expected"),
    "a token twice": (edit(0, "start", "tokens", 0, to=1), "step start: tokens: expected"),
    "markers at the start": (edit(0, "start", "markers", "N", to=2), "step start: markers: expected"),
    "a first player who is not there": (
        edit(0, "start", "first_player", to=3),
        "step start: first_player: expected 3, found 1",
    ),
    "a foreign game": (edit(0, "game", to="orbis"), "the header: game: Input should be 'push_of_faith', found 'orbis'"),
    "a newer format": (edit(0, "schema", to=2), "the header: schema: Input should be 1, found 2"),
    "a player too many": (
        edit(0, "players", to=6),
        "the header: players: Input should be less than or equal to 5, found 6",
    ),
    "an unknown option": (
        edit(0, "options", "refill", to="never"),
        "the header: options.refill: Input should be 'auto' or",
    ),
    "no setup": (drop(0, "start"), "the header: start: Field required"),
}


@pytest.mark.parametrize("what", DAMAGES)
def test_damage_is_reported(what: str, short_recording: Lines, tmp_path: Path) -> None:
    change, message = DAMAGES[what]
    change(short_recording)
    counts, said = outcome(SPEC, write(tmp_path / "game.jsonl", short_recording))
    assert counts == (0, 1)
    assert message in said and "game.jsonl" in said


def test_every_difference_is_said(short_recording: Lines, tmp_path: Path) -> None:
    """A difference in a recorded state does not hide the ones behind it."""
    short_recording[9]["state"]["hand"] = 3
    short_recording[-1]["scores"][0] = 0
    _, said = outcome(SPEC, write(tmp_path / "game.jsonl", short_recording))
    assert [line.split(": ")[2:4] for line in said.splitlines()] == [["step 8", "state.hand"], ["step end", "scores"]]


def test_truncated_file(short_recording: Lines, tmp_path: Path) -> None:
    content = gzip.compress("\n".join(json.dumps(line) for line in short_recording).encode())
    path = tmp_path / "game.jsonl.gz"
    path.write_bytes(content[: len(content) // 2])
    counts, said = outcome(SPEC, path)
    assert counts == (0, 1) and "2p_01: step " in said and "Compressed file ended before" in said
    path.write_bytes(content[:5])
    assert outcome(SPEC, path)[0] == (0, 1)


@pytest.mark.parametrize("content", ["", "[]\n", "3\n", "no JSON\n", '{"kind": "orbit"}\n', '{"record": "step"}\n'])
def test_foreign_files(content: str, tmp_path: Path) -> None:
    path = tmp_path / "game.jsonl"
    path.write_text(content)
    counts, said = outcome(SPEC, path)
    assert counts == (0, 1) and str(path) in said and len(said.splitlines()) == 1


# ---------------------------------------------------------------------------------------------------- damaged scores

SCORE_DAMAGES = {
    "a score": (edit(0, "expected", "score", to=1), "case 0: step seat 0: expected.score: expected 1, found 23"),
    "a group": (
        edit(0, "expected", "groups", 1, to=[3]),
        "case 0: step seat 0: expected.groups.1: expected [3], found [4, 2",
    ),
    "a rotation": (edit(0, "rots", 0, 0, to=2), "case 0: step seat 0: squares: expected"),
    "a rotation out of range": (edit(0, "rots", 0, 0, to=4), "case 0: step seat 0: rots: expected [4], found"),
    "a tile of another player count": (
        edit(0, "tiles", 0, 0, to=54),
        "case 0: step seat 0: tiles: expected [54], found",
    ),
    "a statue": (edit(0, "statue_gods", 0, 0, to=[3]), "case 0: step seat 0: statue_gods.0.0: expected [3], found [4]"),
    "two rows of tiles": (drop(0, "tiles", 0), "case 0: tiles: List should have at least 3 items"),
    "winners": (edit(-1, "winners", to=[]), "step ranking: winners: expected [], found"),
    "a world less": (drop(-1, "worlds", 0), "worlds of"),
    "no scores": (drop(-1, "scores"), "scores: Field required"),
}


@pytest.mark.parametrize("what", SCORE_DAMAGES)
def test_damaged_score_is_reported(what: str, tmp_path: Path) -> None:
    lines = [json.loads(line) for line in (HERE / "data" / "scoring.jsonl").read_text().splitlines()]
    change, message = SCORE_DAMAGES[what]
    change(lines)
    (passed, failed), said = outcome(SPEC, write(tmp_path / "scoring.jsonl", lines))
    assert (passed, failed) == (len(lines) - 1, 1)
    assert message in said
