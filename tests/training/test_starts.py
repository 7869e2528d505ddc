"""`td.starts`: games that begin from positions of recorded ones."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.toy.tictactoe import SPEC
from tests.training.ahead import Write, check_it_goes_on, writer
from tests.training.loaded import loaded
from tests.training.test_td import TOY, table
from theogony.envs.core.game import Game
from theogony.envs.core.gamerecord import write_record
from theogony.envs.core.position import Position
from theogony.envs.core.registry import load as load_game
from theogony.training.config import ConfigError
from theogony.training.config.engines import TdConfig
from theogony.training.learning.selfplay import SelfPlay, read_starts
from theogony.training.learning.td import TdTraining

MOVES = (4, 0, 8, 2, 6)  # the first seat holds the centre and three corners but one; the game goes on


@pytest.fixture
def write(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Write:
    return writer(tmp_path, monkeypatch, TOY)


def recorded(game: Game, folder: Path, moves: tuple[int, ...] = MOVES, name: str = "game.jsonl") -> Path:
    """A record of a game that was left after these moves."""
    position = Position(game, 5)
    for move in moves:
        position.play(move)
    folder.mkdir(exist_ok=True)
    write_record(position, folder / name)
    return folder / name


def toy() -> Game:
    return SPEC.configure({"players": 2})


def play(games: list[Game], files: list[Path], share: float, count: int) -> Any:
    starts, more = read_starts([str(path) for path in files], share, games)
    return SelfPlay([*games, *more], 1, 3, starts).play(table(np.zeros(0, np.float32), explore=0.5), 0, count)


def later(played: Any, k: int) -> bool:
    """Whether another game begins with sample k: its board does not go on from the one before."""
    board, before = played.states[k]["board"], played.states[k - 1]["board"]
    return not ((board == before) | (before < 0)).all() or int((board >= 0).sum()) != int((before >= 0).sum()) + 1


def test_games_begin_from_recorded_positions(tmp_path: Path) -> None:
    """What is on the first board of a game was played in the record, but for the one move that follows."""
    path = recorded(toy(), tmp_path)
    boards = [np.full(9, -1)]
    for k, move in enumerate(MOVES[:-1]):
        boards.append(np.where(np.arange(9) == move, k % 2, boards[-1]))
    played = play([toy()], [path], 1.0, 40)
    begun = [state["board"] for k, state in enumerate(played.states) if k == 0 or later(played, k)]
    moved = [min(int((board != known).sum()) for known in boards) for board in begun]
    assert set(moved) <= {0, 1}
    assert {int((board >= 0).sum()) for board in begun} == {1, 2, 3, 4, 5}  # games begin anywhere in it


def test_a_share_of_the_games(tmp_path: Path) -> None:
    """Of games that would all be dealt with variant 0, those from the record are played with its own options."""
    path = recorded(toy().spec.configure({"players": 2, "max_decisions": 8}), tmp_path)
    found = {share: set(play([toy()], [path], share, 40).samples["variant"].tolist()) for share in (1e-9, 0.5, 1.0)}
    assert found == {1e-9: {0}, 0.5: {0, 1}, 1.0: {1}}


def test_what_the_seat_to_act_cannot_know_is_drawn_anew(tmp_path: Path) -> None:
    """Bluff: the dice of the seat that begins are those of the record, the other's are others in every game."""
    game = load_game("bluff.game").configure({"players": 2, "rounds": 1})
    position = Position(game, 5)
    path = tmp_path / "bluff.jsonl"
    position.play(int(position.legal_actions()[0]))
    write_record(position, path)
    begins = int(position.states[0]["actor"])
    played = play([game], [path], 1.0, 40)
    dice = [
        {state["dice"][seat].tobytes() for state in played.states[played.samples["seat"] == seat]} for seat in (0, 1)
    ]
    assert dice[begins] == {position.states[0]["dice"][begins].tobytes()}
    assert len(dice[1 - begins]) > 2


def test_a_run_with_starts_goes_on(write: Write, tmp_path: Path) -> None:
    recorded(toy(), tmp_path / "games")
    td = {**TOY["td"], "starts": {"share": 0.5, "files": [str(tmp_path / "games")]}}
    check_it_goes_on(write, 1000, td=td)


@pytest.mark.parametrize(
    ("td", "message"),
    [
        ({"starts": {"share": 0.5}}, "share and files go together"),
        ({"starts": {"files": ["games"]}}, "share and files go together"),
        ({"plan": {"ends": 1.0}}, "td.plan.ends: there are no plans"),
        ({"plan": {"share": 0.5}}, "td.plan.share: there are no plans"),
        ({"search": 4, "starts": {"share": 0.5, "files": ["games"]}}, "td.starts: searched games"),
        ({"starts": {"share": 0.5, "files": ["nowhere"]}}, "td.starts.files: nowhere: expected a recorded game"),
        ({"starts": {"share": 0.5, "files": ["empty"]}}, "td.starts.files: empty: expected a recorded game"),
        (
            {"starts": {"share": 0.5, "files": ["other.jsonl"]}},
            "td.starts.files: tictactoe has no reader for recordings",
        ),
    ],
)
def test_wrong_starts(
    td: dict[str, Any], message: str, write: Write, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "empty").mkdir()
    (tmp_path / "other.jsonl").write_text("{}\n")
    with pytest.raises(ConfigError, match=message):
        TdTraining(loaded(TdConfig, write(td={**TOY["td"], **td})), tmp_path / "run")


def test_games_that_show_something_else(tmp_path: Path) -> None:
    spec = load_game("bluff.game")
    position = Position(spec.configure({"players": 3}), 1)
    position.play(int(position.legal_actions()[0]))
    write_record(position, tmp_path / "three.jsonl")
    with pytest.raises(
        ConfigError, match=r"td\.starts\.files: <Bluff players=3> shows its players something else than"
    ):
        read_starts([str(tmp_path / "three.jsonl")], 1.0, [spec.configure({"players": 2})])
