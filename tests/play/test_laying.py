"""Laying a table: who sits at it, what going on with a game keeps, and damaged files, which stay as they are."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from serving import lay

from theogony.envs import load
from theogony.play.launch import Asked, laid
from theogony.play.saved import TableError, beside
from theogony.play.seats import SeatError, game_for
from theogony.training.storage.disk import InUse


@pytest.mark.parametrize(
    ("seats", "options", "names"),
    [
        (None, {}, ["human", "greedy"]),
        (None, {"players": 3}, ["human", "greedy", "greedy"]),
        ("human,random,human", {}, ["human", "random", "human"]),
    ],
)
def test_seats(seats: str | None, options: dict[str, int], names: list[str]) -> None:
    assert game_for(load("push_of_faith"), seats, options)[1] == names


@pytest.mark.parametrize(
    ("seats", "options", "problem"),
    [
        ("human,,greedy", {}, "a seat is empty"),
        ("human", {}, "names 1, and push_of_faith is for 2, 3, 4, 5 players"),
        ("human,greedy", {"players": 3}, "names 2, and option players=3"),
    ],
)
def test_seats_that_do_not_fit(seats: str, options: dict[str, int], problem: str) -> None:
    with pytest.raises(SeatError, match=problem):
        game_for(load("push_of_faith"), seats, options)


def test_resuming_keeps_seats_and_links(tmp_path: Path) -> None:
    record = tmp_path / "game.jsonl"
    with laid(Asked(load("push_of_faith"), "human,random", seed=1, record=record)) as one:
        one.table.play(0, one.table.decision, int(one.table.position.legal_actions()[0]))
        with pytest.raises(InUse, match="another process plays on this record"), laid(Asked(resume=record)):
            pass
    assert beside(record).stat().st_mode & 0o077 == 0
    with laid(Asked(resume=record)) as two:
        assert two.kept == one.kept and two.table.position.key() == one.table.position.key()
        assert two.table.decision != one.table.decision  # what an old page sends is refused
    with laid(Asked(resume=record, seats="human,human")) as three:
        assert three.kept.links[0] == one.kept.links[0] and three.kept.links[1] is not None
    with pytest.raises(SeatError, match="is there already"), laid(Asked(load("push_of_faith"), record=record)):
        pass


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        (b"{", "is not JSON"),
        (b"{}", "is not of a table: seats: Field required"),
        (b'{"seats": ["human"], "links": [null], "watch": "aaaaaaaaaaaaaaaaaaaaaaaa", "port": 0}', "of another table"),
        (b'{"seats": ["human", "greedy"], "links": [null, null], "watch": "aaaaaaaaaaaaaaaaaaaaaaaa", "port": 0}',
         "a link for every seat"),
        (b'{"seats": ["human", "greedy"], "links": ["../../../../../../../etc", null], '
         b'"watch": "aaaaaaaaaaaaaaaaaaaaaaaa", "port": 0}', "links"),
    ],
)  # fmt: skip
def test_a_damaged_file_of_a_table_is_refused(tmp_path: Path, content: bytes, problem: str) -> None:
    record = tmp_path / "game.jsonl"
    lay(load("push_of_faith").configure({}), ["human", "greedy"], record)
    beside(record).write_bytes(content)
    with pytest.raises(TableError, match=problem), laid(Asked(resume=record)):
        pass


@pytest.mark.parametrize(
    ("damage", "problem"),
    [
        (lambda content: content[: len(content) // 2], "line 1"),
        (lambda content: re.sub(rb'"version": ?\d+', b'"version": 999', content), "version 999"),
        (lambda content: content.replace(b'"hash":', b'"hush":'), "hash"),
        (lambda content: content.replace(b"push_of_faith", b"no_such_game"), "no_such_game"),
    ],
)
def test_a_damaged_record_is_not_gone_on_with_and_stays_as_it_is(
    tmp_path: Path, damage: Callable[[bytes], bytes], problem: str
) -> None:
    record = tmp_path / "game.jsonl"
    lay(load("push_of_faith").configure({}), ["human", "greedy"], record)
    damaged = damage(record.read_bytes())
    assert damaged != record.read_bytes()
    record.write_bytes(damaged)
    with pytest.raises(ValueError, match=problem), laid(Asked(resume=record)):
        pass
    assert record.read_bytes() == damaged
