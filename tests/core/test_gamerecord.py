"""Records of games: what was played comes back, and whatever does not fit is refused by its line."""

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from theogony.envs import load
from theogony.envs.core.game import Game
from theogony.envs.core.gamerecord import RecordError, read_record, write_record
from theogony.envs.core.position import Position
from theogony.envs.push_of_faith.components import DEFAULT_TILES

SPEC = load("push_of_faith")
Lines = list[dict[str, Any]]


def play(game: Game, seed: int, decisions: int = 1_000) -> Position:
    position, generator = Position(game, seed), np.random.default_rng(seed)
    while not position.over and position.now < decisions:
        position.play(generator.choice(position.legal_actions()))
    return position


@pytest.fixture
def written(tmp_path: Path) -> Path:
    path = tmp_path / "game.jsonl"
    write_record(play(SPEC.configure({"players": 3}), 7), path)
    return path


@pytest.fixture
def other_tiles(tmp_path: Path) -> Path:
    """The tile list with the statues of every tile turned into those of another god."""
    content = json.loads(DEFAULT_TILES.read_text("utf-8"))
    for tile in content["tiles"]:
        tile["statues"] = [(god + 1) % 5 for god in tile["statues"]]
    path = tmp_path / "tiles.json"
    path.write_text(json.dumps(content), "utf-8")
    return path


def lines_of(path: Path) -> Lines:
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


def rewrite(path: Path, change: Callable[[Lines], Any]) -> None:
    lines = lines_of(path)
    change(lines)
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), "utf-8")


@pytest.mark.parametrize("decisions", [0, 1, 20, 1_000])
def test_round_trip(tmp_path: Path, decisions: int) -> None:
    options = {"players": 4, "refill": "choose", "first_player": "random"}
    position = play(SPEC.configure(options), 2**64 + 5, decisions)
    write_record(position, tmp_path / "a")
    again = read_record(tmp_path / "a")
    assert again.key() == position.key()
    assert (again.actions, again.seed) == (position.actions, position.seed)
    assert again.game.options == position.game.options
    for _ in range(position.now):
        assert again.undo() == position.undo()
        assert again.key() == position.key()
    write_record(play(SPEC.configure(options), 2**64 + 5, decisions), tmp_path / "b")
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()


def test_lines_say_what_happened(written: Path) -> None:
    header, *moves, end = lines_of(written)
    position = read_record(written)
    assert header["game"] == "push_of_faith"
    assert header["options"] == {"players": 3, "max_decisions": 0, "first_player": "seat0", "refill": "auto"}
    assert "components" not in header
    assert [move["action"] for move in moves] == position.actions
    assert [move["ply"] for move in moves] == list(range(1, position.now + 1))
    assert moves[0]["text"] == position.game.actions.text(moves[0]["action"])
    assert end["scores"] == position.scores().tolist()
    assert end["rewards"]["rank"] == position.rewards("rank").tolist()
    assert (end["over"], end["end"]) == (1, True)


def test_other_components_travel_with_the_record(tmp_path: Path, other_tiles: Path) -> None:
    position = play(SPEC.configure({"tile_file": other_tiles}), 1)
    write_record(position, tmp_path / "game.jsonl")
    other_tiles.unlink()
    again = read_record(tmp_path / "game.jsonl")
    assert again.key() == position.key()
    assert again.game.components == position.game.components
    assert str(tmp_path) not in (tmp_path / "game.jsonl").read_text("utf-8")
    write_record(again, tmp_path / "again.jsonl")
    assert (tmp_path / "again.jsonl").read_bytes() == (tmp_path / "game.jsonl").read_bytes()


def test_components_of_a_record_are_checked(tmp_path: Path, other_tiles: Path) -> None:
    path = tmp_path / "game.jsonl"
    write_record(play(SPEC.configure({"tile_file": other_tiles}), 1), path)
    rewrite(path, lambda lines: lines[0]["components"]["tiles"][0]["squares"][0].__setitem__(0, 99))
    with pytest.raises(RecordError, match=r"line 1: components of the record: tiles.0 \(id 0\).squares.0.0"):
        read_record(path)


def header(**changes: Any) -> Callable[[Lines], Any]:
    return lambda lines: lines[0].update(changes)


def move(**changes: Any) -> Callable[[Lines], Any]:
    return lambda lines: lines[4].update(changes)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (header(theogony_record=2), "line 1: record format 2 is not 1"),
        (header(game="chess"), "line 1: there is no game 'chess'; known games: .*push_of_faith"),
        (header(game="os.path"), "line 1: there is no game 'os.path'"),
        (header(version=99), r"line 1: was written by version 99 of push_of_faith \(theogony .*\), this is version"),
        (header(component_digest="0" * 16), "line 1: component digest '0000000000000000' was written"),
        (header(options={"colour": 1}), "line 1: push_of_faith has no option 'colour'"),
        (header(options={"players": 9}), "line 1: push_of_faith is for 2, 3, 4 or 5 players, not 9"),
        (header(options={"tile_file": "/etc/hostname"}), "line 1: option 'tile_file' names a file"),
        (header(seed=8), "line 1: state hash '.*' was written, but playing gives"),
        (header(seed="x"), "line 1: is not the header of a record: seed: Input should be a valid integer"),
        (header(more=1), "line 1: is not the header of a record: more: Extra inputs"),
        (lambda lines: lines[0].pop("theogony_record"), "line 1: this is no record of Theogony"),
        (move(action=10**6), "line 5: action 1000000 .* is not legal for seat"),
        (move(action=0.5), "line 5: is not a decision: action"),
        (move(hash="0" * 16), "line 5: state hash '0000000000000000' was written, but playing gives"),
        (move(seat=2), "line 5: seat 2 was written, but playing gives 1"),
        (move(ply=9), "line 5: ply 9 was written, but playing gives 4"),
        (move(text="castle"), "line 5: text 'castle' was written, but playing gives"),
        (lambda lines: lines.pop(4), "line 5: ply 5 was written, but playing gives 4"),
        (lambda lines: lines.pop(), "line 55: the file is truncated"),
        (lambda lines: lines[-1].update(scores=[1.0, 2.0, 3.0]), r"line 56: scores \[1.0, 2.0, 3.0\] was written"),
        (lambda lines: lines.append(lines[-1]), "line 56: is the end of the game, but the file goes on"),
        (lambda lines: lines.pop(-2), r"line 55: over 1 was written, but playing gives 0"),
    ],
)
def test_first_bad_line_is_named(written: Path, change: Callable[[Lines], Any], message: str) -> None:
    rewrite(written, change)
    with pytest.raises(RecordError, match=f"game.jsonl: {message}"):
        read_record(written)


def test_a_blank_line_behind_the_end_is_called_so(written: Path) -> None:
    written.write_bytes(written.read_bytes() + b"\n")
    with pytest.raises(RecordError, match="line 56: is the end of the game, but the file goes on"):
        read_record(written)


def test_only_positions_from_a_seed_are_written(tmp_path: Path) -> None:
    position = play(load("push_of_faith").configure({}), 3, 5)
    for wrong in (None, position.game, [position]):
        with pytest.raises(TypeError, match=r"a Position is recorded, such as env\.position, not "):
            write_record(wrong, tmp_path / "x")  # pyright: ignore[reportArgumentType]
    loaded = Position(position.game, 3)
    loaded.load(position.key())
    with pytest.raises(RecordError, match="was not played from a seed"):
        write_record(loaded, tmp_path / "x")
    assert not (tmp_path / "x").exists()


def test_header_names_no_module_to_import(written: Path) -> None:
    rewrite(written, header(game="antigravity.game"))
    with pytest.raises(RecordError, match=r"line 1: there is no game 'antigravity\.game'"):
        read_record(written)


@pytest.mark.parametrize(
    "content", [b"", b"\n", b"{}\n", b"[]\n", b"\xff\xfe\x00", b"hello\n", b'{"theogony_record": 1']
)
def test_foreign_files(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "x").write_bytes(content)
    with pytest.raises(RecordError, match="x: line 1: "):
        read_record(tmp_path / "x")


def test_every_cut_is_noticed(written: Path) -> None:
    content = written.read_bytes()
    for size in range(0, len(content) - 1, 97):
        written.write_bytes(content[:size])
        with pytest.raises(RecordError, match="line "):
            read_record(written)


def test_no_such_file(tmp_path: Path) -> None:
    with pytest.raises(RecordError, match="nothing: cannot be read: No such file or directory"):
        read_record(tmp_path / "nothing")


@pytest.mark.parametrize(
    ("line", "message"),
    [
        (b"[" * 100_000, "line 1: the header of a record was expected: is nested more than 64 deep"),
        (b"[]", "line 1: this is no record of Theogony"),
        (b"1", "line 1: this is no record of Theogony"),
        (b'{"theogony_record": 1, "\\u001b[2J": 0}', "line 1: is not the header of a record: "),
        (b"\xff", "line 1: the header of a record was expected: is not UTF-8 text"),
    ],
)
def test_lines_that_are_no_objects(line: bytes, message: str, tmp_path: Path) -> None:
    (tmp_path / "game.jsonl").write_bytes(line)
    with pytest.raises(RecordError, match=re.escape(f"game.jsonl: {message}")) as caught:
        read_record(tmp_path / "game.jsonl")
    assert str(caught.value).isprintable()


def test_options_beyond_what_is_counted_are_refused(written: Path) -> None:
    rewrite(written, lambda lines: lines[0]["options"].update(max_decisions=2**31))
    with pytest.raises(RecordError, match=r"option max_decisions=2147483648: .*at most 2147483647"):
        read_record(written)


def test_only_what_can_be_played_again_is_written(tmp_path: Path) -> None:
    position = play(SPEC.configure(), 3, 10)
    position.resample(0, np.array([5], np.uint64))
    with pytest.raises(RecordError, match="only a game that was played from its start, and not changed from outside"):
        write_record(position, tmp_path / "game.jsonl")
    clone = play(SPEC.configure(), 3, 10).clone()
    with pytest.raises(RecordError, match="only a game that was played from its start"):
        write_record(clone, tmp_path / "game.jsonl")
    assert list(tmp_path.iterdir()) == []


def test_writing_replaces_at_once(written: Path) -> None:
    before = written.read_bytes()
    with pytest.raises(OSError):
        write_record(read_record(written), written.parent / "no" / "folder.jsonl")
    assert [path.name for path in written.parent.iterdir()] == [written.name]
    write_record(read_record(written), written)
    assert written.read_bytes() == before
