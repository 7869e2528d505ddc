"""Verification stands apart from play: it is loaded when asked for, and leaves positions and rules as they are."""

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from theogony.envs import GAMES, load
from theogony.envs.core.game import Game
from theogony.envs.core.gamerecord import write_record
from theogony.envs.core.kernels import kernels
from theogony.envs.core.position import Position
from theogony.envs.core.record import from_bytes, to_bytes
from theogony.envs.core.verify import RecordingError, on_demand, verify
from theogony.envs.innovation.state import LOG_ENTRIES
from theogony.verification.chance import given, with_given_chances
from theogony.verification.innovation import logged_game

PLAY = """
import sys
from theogony.envs import GAMES, load
from theogony.envs.core.position import Position
for name in GAMES:
    position = Position(load(name).configure(), 0)
    position.game.spec.render_text(position.game, position.g, 0), position.svg()
print(sorted(name for name in sys.modules if name.startswith("theogony.verification")))
"""


def decisions(game: Game, seed: int, most: int) -> Position:
    """A position after so many decisions at random."""
    position, generator = Position(game, seed), np.random.default_rng(seed)
    while not position.over and position.now < most:
        position.play(int(generator.choice(position.legal_actions())))
    return position


@pytest.mark.slow
def test_play_loads_no_reader() -> None:
    done = subprocess.run([sys.executable, "-c", PLAY], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


@pytest.mark.parametrize("name", GAMES)
def test_every_game_has_a_reader(name: str) -> None:
    found = on_demand(load(name), "recordings")
    assert found is not None and f"{found.__module__}.".startswith(f"theogony.verification.{name}.")


def test_a_game_brings_its_reader_beside_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "beside"
    folder.mkdir()
    made = "dataclasses.replace(tictactoe.SPEC, module='beside.game')"
    (folder / "game.py").write_text(f"import dataclasses, tictactoe\nSPEC = {made}\n")
    monkeypatch.syspath_prepend(tmp_path)
    spec = load("beside.game:SPEC")
    assert on_demand(spec, "recordings") is None
    (folder / "recordings.py").write_text("def recordings(path, lines):\n    yield from ()\n")
    found = on_demand(spec, "recordings")
    assert found is not None and found.__module__ == "beside.recordings"


def test_positions_with_a_log_are_those_of_play_and_the_log() -> None:
    """So what is verified is what plays; the log holds the movements of the last decision."""
    plain, logged = load("innovation").configure({"players": 3}), logged_game(3)
    assert "log" not in (plain.state.names or ()) and "log" in (logged.state.names or ())
    position, moved = decisions(plain, 4, 150), 0
    begun = to_bytes(position.states[:1])
    states = from_bytes(begun + to_bytes(logged.new_states(1))[len(begun) :], logged.state)
    for k, action in enumerate(position.actions, 1):
        kernels(plain.spec).decide(states, 0, logged.tables, action)
        assert to_bytes(states)[: len(begun)] == to_bytes(position.states[k : k + 1])
        assert 0 <= states[0].log[0] <= LOG_ENTRIES
        moved += int(states[0].log[0])
    assert moved > 150


def test_given_results_are_drawn_and_then_the_dice_again() -> None:
    game = with_given_chances(load("innovation").configure())
    position = Position(game, 0)
    with given(game, position.g, [1, 2]):
        assert game.t.given == 2 and position.g.rng[0] == 0
    assert game.t.given == 0
    assert decisions(game, 3, 60).key() == decisions(load("innovation").configure(), 3, 60).key()
    with pytest.raises(RecordingError, match="17 chance results between two decisions, at most 16 fit"):
        with given(game, position.g, [0] * 17):
            pass


def test_records_of_this_program_are_played_again(tmp_path: Path) -> None:
    """Such as those that a page without a server keeps; a changed one, and one of another game, are told by name."""
    record, changed, said = tmp_path / "game.jsonl", tmp_path / "changed.jsonl", []
    spec = load("push_of_faith")
    write_record(decisions(spec.configure({}), 7, 12), record)
    first, second, third, *rest = record.read_text().splitlines()
    changed.write_text("\n".join([first, second, third.replace('"hash": "', '"hash": "0'), *rest]) + "\n")
    assert verify(spec, [record], said.append) == (1, 0) and not said
    assert verify(spec, [changed, record], said.append) == (1, 1)
    assert verify(load("orbis"), [record], said.append) == (0, 1)
    assert said[0].startswith(f"{changed}: line 3")
    assert said[1] == f"{record}: is a record of push_of_faith, and orbis was expected"


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("content", ["", "\n\n"])
def test_a_file_without_a_case_has_failed(name: str, content: str, tmp_path: Path) -> None:
    """As one that a program left empty: otherwise nothing was compared, and nobody heard of it."""
    empty, said = tmp_path / "empty.jsonl", []
    empty.write_text(content)
    assert verify(load(name), [empty], said.append) == (0, 1)
    assert said == [f"{empty}: holds no case; expected recordings of {name}"]


def test_a_file_in_which_a_reader_finds_no_case_has_failed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Beside files that are fine, too."""
    other, record, said = tmp_path / "other.jsonl", tmp_path / "game.jsonl", []
    other.write_text('{"a": 1}\n')
    spec = load("push_of_faith")
    write_record(decisions(spec.configure({}), 7, 12), record)
    monkeypatch.setattr("theogony.envs.core.verify.on_demand", lambda *_: lambda path, lines: iter(()))
    assert verify(spec, [record, other], said.append) == (1, 1)
    assert said == [f"{other}: holds no case; expected recordings of push_of_faith"]
