"""`theogony play --text`."""

from __future__ import annotations

import io
import re
from pathlib import Path

import pytest

from theogony.envs import load
from theogony.envs.core.gamerecord import read_record
from theogony.envs.core.position import Position
from theogony.play.launch import Asked, laid
from theogony.play.terminal import Screen, play


def played(record: Path, *answers: str, game: str = "push_of_faith", seats: str = "human,random") -> str:
    """What is said to these answers."""
    out = io.StringIO()
    asked = Asked(resume=record) if record.exists() else Asked(load(game), seats, seed=4, record=record)
    with laid(asked) as at:
        play(at, at.table.seats.people[0] if at.table.seats.people else None, Screen(out), answers)
    return out.getvalue()


def test_a_whole_game_by_number(tmp_path: Path) -> None:
    said = played(tmp_path / "game.jsonl", *["1"] * 40)
    position = read_record(tmp_path / "game.jsonl")
    assert position.over and f"{position.scores()[0]:g}" in said.splitlines()[-1] + said.splitlines()[-2]


def test_by_text_undo_and_what_is_not_understood(tmp_path: Path) -> None:
    record = tmp_path / "game.jsonl"
    said = played(
        record,
        "1",
        "undo",
        "99",
        "jump",
        "push",
        "",
        "Token Tales",
        "hint",
        "board",
        "help",
        "token takes",
        "2",
        "quit",
    )
    for line in (
        "did you mean 'token takes",
        "there is no number 99: 1 to",
        "'jump' is no legal action",
        "'push' fits several",
        "expects ",
    ):
        assert line in said
    position = read_record(record)
    second = int(Position(position.game, position.seed).legal_actions()[1])
    assert position.actions == [second]
    text, said = position.game.actions.text(second), position.game.vocabulary.say(position.game.actions, second)
    told = played(record, "quit")
    assert f"You: {said}" in told and "You take the tile" in told
    again = played(record, "undo", text, "quit")
    assert "of yours to take back" not in again and read_record(record).actions == [second]


def test_moves_stand_with_what_they_bring(tmp_path: Path) -> None:
    """The points of a placement, in brackets that are no part of its text."""
    said = played(tmp_path / "game.jsonl", *["1"] * 6, "quit")
    placed = re.findall(r"(place at \w\d turned \d)[^\[\n]*\[\+\d+ points?\]", said)
    assert placed
    position = read_record(tmp_path / "game.jsonl")
    assert all(position.game.actions.parse(text) >= 0 for text in placed)


def test_nobody_is_shown_what_a_seat_cannot_know(tmp_path: Path) -> None:
    said = played(tmp_path / "game.jsonl", "1", "1", "1", "quit", game="innovation")
    position = read_record(tmp_path / "game.jsonl")
    for card in range(105):
        if int(position.g.hand[1][card >> 6]) >> (card & 63) & 1:
            assert position.game.actions.text(card).removeprefix("card ") not in said


def test_colours_are_for_terminals(monkeypatch: pytest.MonkeyPatch) -> None:
    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("TERM", "xterm")
    assert Screen(Terminal()).style("a\x1b[2J", "bold") == "\x1b[1ma\\x1b[2J\x1b[0m"
    monkeypatch.setenv("NO_COLOR", "1")
    assert Screen(Terminal()).style("a", "bold") == "a" == Screen(io.StringIO()).style("a", "bold")
