"""The script that counts points, and says where they came from."""

from __future__ import annotations

import re
import runpy
from pathlib import Path

import numpy as np
import pytest

from theogony.envs.core.gamerecord import write_record
from theogony.envs.core.players import Views, make_player
from theogony.envs.core.position import Position
from theogony.envs.core.registry import load

POINTS = runpy.run_path(str(Path(__file__).parents[1] / "tools" / "points.py"))
GAME = "push_of_faith"


def table(printed: str, head: str) -> dict[str, list[str]]:
    """The lines of a printed table by their first cell."""
    lines = [[cell.strip() for cell in line.strip("| ").split("|")] for line in printed.splitlines()]
    start = next(k for k, line in enumerate(lines) if line[0] == head)
    end = next((k for k, line in enumerate(lines[start:], start) if line == [""]), len(lines))
    return {line[0]: line[1:] for line in lines[start:end]}


@pytest.fixture
def record(tmp_path: Path) -> Position:
    """A finished game, in `tmp_path / "game.jsonl"`."""
    game = load(GAME).configure({"players": 2})
    position, player, rng = Position(game, 4), make_player("greedy", game), np.random.default_rng(0)
    while not position.over:
        position.play(int(player.act(Views.at(position), rng)[0]))
    write_record(position, tmp_path / "game.jsonl")
    return position


def test_points_by_source_stand_beside_those_of_records(
    record: Position, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    POINTS["main"]([GAME, "random", "--from", str(tmp_path / "game.jsonl"), "--games", "3", "--sources"])
    found = table(capsys.readouterr().out, "points from")
    assert found["points from"] == ["random (6)", "recorded (2)", "difference"]
    everything = [float(cell) for cell in found["all"]]
    assert everything[1] == pytest.approx(record.scores().mean(), abs=0.051)
    assert everything[2] == pytest.approx(everything[0] - everything[1], abs=0.11)
    sources = [
        [float(cell) for cell in line] for name, line in found.items() if name not in ("all", "points from", "---")
    ]
    assert len(sources) >= 3
    for total, column in zip(everything, zip(*sources, strict=True), strict=True):
        assert sum(column) == pytest.approx(total, abs=0.06 * len(column))


def test_games_that_are_dealt_anew_have_nothing_beside_them(capsys: pytest.CaptureFixture[str]) -> None:
    POINTS["main"](["terra_mystica", "random", "--option", "players=2", "--games", "2", "--sources", "--by", "faction"])
    printed = capsys.readouterr().out
    assert table(printed, "points from")["points from"] == ["random (4)"]
    factions = printed.rpartition("| --- ")[2].splitlines()[1:]
    assert len(factions) >= 2 and all(len(line.split("|")) == len(factions[0].split("|")) for line in factions)


def test_games_go_on_from_where_the_state_first_says_so(
    record: Position, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """From the last decision of the recorded game on, which ends it: the points are those of the record."""
    last = int(record.states[record.now - 1]["ply"])
    POINTS["main"]([GAME, "greedy", "--from", str(tmp_path / "game.jsonl"), "--since", f"ply={last}", "--games", "1"])
    assert f"mean {record.scores().mean():.1f} " in capsys.readouterr().out.splitlines()[-1]


@pytest.mark.parametrize(
    ("since", "said"),
    [
        ("ply", "points.py: --since ply: expected FIELD=NUMBER, such as round_number=6"),
        ("nothing=1", "points.py: --since: a position has no number 'nothing'"),
        ("ply=9999", "points.py: --since: game.jsonl: there is no position with ply=9999"),
    ],
)
def test_where_no_game_goes_on_from(since: str, said: str, record: Position, tmp_path: Path) -> None:
    with pytest.raises(SystemExit, match=re.escape(said)):
        POINTS["main"]([GAME, "random", "--from", str(tmp_path / "game.jsonl"), "--since", since])


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--since", "ply=1"], "--since: goes with --from, in place of --kept"),
        (["--sources", "--by", "colour"], "--by colour: push_of_faith tells of no such thing; expected one of "),
        (["--by", "colour"], "--by: goes with --sources"),
    ],
)
def test_what_cannot_be_set_apart_is_refused(
    arguments: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as refused:
        POINTS["main"]([GAME, "random", "--games", "1", *arguments])
    assert said in f"{refused.value}{capsys.readouterr().err}"
