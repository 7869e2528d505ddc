"""The table of a page without a server, as the page asks it; and what is said where no page can be written."""

from __future__ import annotations

import importlib.util
import json
import shutil
import sys
from pathlib import Path

import pytest

from theogony import cli
from theogony.web import desk, link


@pytest.fixture
def table(tmp_path: Path) -> desk.Desk:
    return desk.Desk("push_of_faith", "human,random", 5, tmp_path / "record.jsonl", "")


def asked(table: desk.Desk, path: str, **message: object) -> tuple[int, dict[str, object]]:
    return tuple(json.loads(table.answer(path, "{}", json.dumps({"window": "page", **message}))))


def test_where_rules_are_interpreted_no_hint_holds_the_page_up(
    table: desk.Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nobody who gives hints is made, the page does not wait for it, and who asks is told why there is none."""
    monkeypatch.setattr(desk, "interpreted", lambda game: game == "push_of_faith")
    monkeypatch.setattr(table.table, "make_adviser", lambda: pytest.fail("a search was begun"))
    monkeypatch.setattr(table.table, "hint", lambda *_: pytest.fail("a search was begun"))
    table.prepare_hints()
    assert json.loads(table.event())["hints"] == "ready" and asked(table, "news")[1]["hints"] == "ready"
    said = "there are no hints here: rules of push_of_faith are interpreted, and the search for one would take minutes"
    assert asked(table, "hint", decision=table.table.decision) == (409, {"error": said})


def test_else_hints_are_prepared_and_given(table: desk.Desk) -> None:
    assert json.loads(table.event())["hints"] == "preparing"
    table.prepare_hints()
    assert json.loads(table.event())["hints"] == "ready"
    status, hint = asked(table, "hint", decision=table.table.decision)
    assert status == 200 and hint["options"]


def test_of_two_people_whoever_sits_there_takes_back_the_last_decision(tmp_path: Path) -> None:
    table = desk.Desk("push_of_faith", "human,human", 5, tmp_path / "record.jsonl", "")
    assert not asked(table, "news")[1]["undo"]
    assert asked(table, "undo", decision=table.table.decision) == (409, {"error": "there is no decision to take back"})
    while table.table.position.actor == 0:
        action = int(table.table.position.legal_actions()[0])
        status, news = asked(
            table, "play", decision=table.table.decision, action=action, epoch="none", after=-1, frames=1
        )
        assert status == 200 and news["undo"]
    now = table.table.position.now
    assert asked(table, "undo", decision=table.table.decision)[0] == 200
    assert (table.who, table.table.position.now) == (0, now - 1)


@pytest.mark.parametrize("command", ["web orbis --out {}", "compile orbis --wasm --into {}"])
def test_without_a_linker_a_plain_sentence_says_what_to_install(
    command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    find = importlib.util.find_spec
    monkeypatch.setattr(link.importlib.util, "find_spec", lambda name: None if name == "ziglang" else find(name))
    monkeypatch.setattr(shutil, "which", lambda name: None)
    monkeypatch.setenv("THEOGONY_WASM", str(tmp_path / "none"))
    monkeypatch.setattr(sys, "argv", ["theogony", *command.format(tmp_path / "out").split()])
    with pytest.raises(SystemExit) as left:
        cli.main()
    assert left.value.code == 1
    said = capsys.readouterr().err.strip().splitlines()[-1]
    assert said.startswith("theogony: WebAssembly needs the linker wasm-ld: ") and "or the package lld" in said
