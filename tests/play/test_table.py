"""A game at a table: who may decide, what is saved, what can be taken back."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from serving import lay

from theogony.envs import load
from theogony.envs.core.gamerecord import Keeper, read_record
from theogony.envs.core.position import Position
from theogony.play.hints import Adviser, Hint
from theogony.play.launch import Asked, laid
from theogony.play.seats import Seats
from theogony.play.table import Refused, Table


def table(folder: Path, *names: str, game: str = "push_of_faith") -> Table:
    return lay(load(game).configure({"players": len(names)}), list(names), folder / "game.jsonl")[0]


def first(at: Table) -> int:
    return int(at.position.legal_actions()[0])


def test_every_decision_is_on_the_disk(tmp_path: Path) -> None:
    at = table(tmp_path, "human", "human")
    while not at.position.over:
        at.play(at.position.actor, at.decision, first(at))
        assert read_record(tmp_path / "game.jsonl").key() == at.position.key()


@pytest.mark.skipif(os.name == "nt", reason="modes of files are POSIX's")
def test_only_the_owner_reads_the_record(tmp_path: Path) -> None:
    """It holds the seed, and so all that is hidden."""
    record, before = tmp_path / "game.jsonl", os.umask(0o022)
    try:
        with laid(Asked(load("push_of_faith"), "human,random", seed=7, record=record)) as at:
            at.table.play(0, at.table.decision, first(at.table))
        record.chmod(0o644)  # as one that an earlier version began
        with laid(Asked(resume=record)):
            pass
    finally:
        os.umask(before)
    assert {path.name: path.stat().st_mode & 0o077 for path in tmp_path.glob("game*")} == {
        "game.jsonl": 0,
        "game.table.json": 0,
    }


KILLED = """
import os, signal, sys
from pathlib import Path
from theogony.envs import load
from theogony.play.launch import Asked, laid

with laid(Asked(load("push_of_faith"), "human,random", seed=7, record=Path(sys.argv[1]))) as at:
    os.replace = lambda *_: os.kill(os.getpid(), signal.SIGKILL)
    at.table.play(0, at.table.decision, int(at.table.position.legal_actions()[0]))
"""


@pytest.mark.skipif(os.name == "nt", reason="no SIGKILL")
def test_what_a_killed_game_left_half_written_goes_at_the_next_start(tmp_path: Path) -> None:
    """A game that runs in the same folder keeps what it is writing, and so does everybody else."""
    subprocess.run([sys.executable, "-c", KILLED, tmp_path / "killed.jsonl"], check=False)
    left = list(tmp_path.glob(".killed*.tmp"))
    assert len(left) == 1
    left.append(tmp_path / ".killed.table.json.77.0123abcd.tmp")
    kept = [tmp_path / f".{name}.77.0123abcd.tmp" for name in ("running.jsonl", "running.table.json", "other.jsonl")]
    with laid(Asked(load("push_of_faith"), "human,random", record=tmp_path / "running.jsonl")):
        for path in (left[1], *kept):
            path.touch()
        with laid(Asked(load("push_of_faith"), "human,random", record=tmp_path / "new.jsonl")):
            assert not any(path.exists() for path in left) and all(path.exists() for path in kept)
    with laid(Asked(resume=tmp_path / "killed.jsonl")) as at:
        assert at.table.position.now == 0


def test_an_action_counts_once(tmp_path: Path) -> None:
    at = table(tmp_path, "human", "human")
    decision, action = at.decision, first(at)
    at.play(0, decision, action)
    with pytest.raises(Refused, match="was taken already"):
        at.play(at.position.actor, decision, first(at))
    assert at.position.now == 1


def test_only_the_seat_that_is_due_decides(tmp_path: Path) -> None:
    at = table(tmp_path, "human", "human")
    with pytest.raises(Refused, match=r"not your turn: Player 1 decides"):
        at.play(1, at.decision, first(at))
    with pytest.raises(Refused, match="not your turn"):
        at.hint(1, at.decision)
    with pytest.raises(Refused, match="is not legal for seat 0"):
        at.play(0, at.decision, at.game.actions.size - 1)
    assert at.position.now == 0


def test_who_plays_alone_takes_back_to_the_own_decision(tmp_path: Path) -> None:
    at = table(tmp_path, "human", "random")
    with pytest.raises(Refused, match="no decision of yours"):
        at.undo(0, at.decision)
    before = at.position.key()
    decision = at.decision
    while at.position.actor == 0:
        at.play(0, at.decision, first(at))
    while at.bot_due():
        at.play_bot()
    with pytest.raises(Refused, match="taken already, or taken back"):
        at.undo(0, decision)
    while at.position.now:
        at.undo(0, at.decision)
        assert at.position.actor == 0
    assert at.position.key() == before and at.decision != decision
    assert read_record(tmp_path / "game.jsonl").now == 0


def test_a_search_is_stopped_and_what_it_has_found_is_played(tmp_path: Path) -> None:
    at = table(tmp_path, "human", "mcts:600000ms")
    with pytest.raises(Refused, match="no search to stop"):
        at.hurry(0, at.decision)
    while at.position.actor == 0:
        at.play(0, at.decision, first(at))
    decision, before = at.decision, at.position.now
    assert at.news(0, None, -1)["hurry"] and not at.news(1, None, -1)["hurry"] and not at.news(None, None, -1)["hurry"]
    for seat in (1, None):
        with pytest.raises(Refused, match="only who plays"):
            at.hurry(seat, decision)
    at.start()
    try:
        at.hurry(0, decision)
        with at.changed:
            assert at.changed.wait_for(lambda: at.decision != decision, 120)
        with pytest.raises(Refused, match="taken already"):
            at.hurry(0, decision)
        assert at.position.now == before + 1 and at.trouble is None
        assert read_record(tmp_path / "game.jsonl").now == before + 1
    finally:
        at.close()


def test_what_is_taken_back_ends_the_search_that_followed(tmp_path: Path) -> None:
    at = table(tmp_path, "human", "mcts:600000ms")
    while at.position.actor == 0:
        at.play(0, at.decision, first(at))
    thoughts = at.thinking()
    next(thoughts)
    at.undo(0, at.decision)
    before = at.position.now
    assert list(thoughts) == [] and at.position.now == before


def test_with_other_people_decisions_stand(tmp_path: Path) -> None:
    at = table(tmp_path, "human", "human")
    at.play(0, at.decision, first(at))
    with pytest.raises(Refused, match="decisions stand"):
        at.undo(0, at.decision)


def test_what_cannot_be_saved_is_not_done(tmp_path: Path) -> None:
    folder = tmp_path / "gone"
    folder.mkdir()
    at = table(folder, "human", "random")
    at.play(0, at.decision, first(at))
    kept, now = at.position.key(), at.position.now
    folder.rename(tmp_path / "elsewhere")
    with pytest.raises(FileNotFoundError):
        at.play(0, at.decision, first(at))
    with pytest.raises(FileNotFoundError):
        at.undo(0, at.decision)
    assert (at.position.key(), at.position.now) == (kept, now)
    (tmp_path / "elsewhere").rename(folder)
    at.play(0, at.decision, first(at))
    assert read_record(folder / "game.jsonl").now == now + 1


def test_a_bot_that_fails_is_told_and_nothing_is_lost(tmp_path: Path) -> None:
    class Broken:
        name = "broken"

        def act(self, views: object, rng: object) -> np.ndarray:
            raise RuntimeError("no idea")

    at = table(tmp_path, "human", "random")
    at.seats = Seats(("human", "broken"), {1: Broken()})
    at.start()
    with at.changed:
        while at.position.actor == 0:
            at.play(0, at.decision, first(at))
    for _ in range(1000):
        if at.trouble:
            break
        with at.changed:
            at.changed.wait(0.01)
    assert at.trouble == "broken cannot go on: no idea (all is saved; start anew with --resume)"
    assert read_record(tmp_path / "game.jsonl").key() == at.position.key()


def test_after_a_bot_has_failed_the_game_goes_on_from_elsewhere(tmp_path: Path) -> None:
    """It is not asked again where it failed; it is when a decision was taken back, and another bot in a new game."""
    asked: list[int] = []

    class Moody:
        name = "moody"

        def act(self, views: Any, rng: np.random.Generator) -> np.ndarray:
            asked.append(1)
            if len(asked) < 3:
                raise RuntimeError("no idea")
            return views.masks.argmax(1)

    def waits(condition: Callable[[], bool]) -> None:
        with at.changed:
            assert at.changed.wait_for(condition, 20)

    at = table(tmp_path, "human", "random")
    at.seats = Seats(("human", "moody"), {1: Moody()})
    at.start()
    for times in (1, 2):
        with at.changed:
            while at.position.actor == 0:
                at.play(0, at.decision, first(at))
        waits(lambda: at.trouble is not None)
        at.tell()
        assert len(asked) == times, "it is asked once"
        if times == 1:
            at.undo(0, at.decision)
            assert at.trouble is None
    new = Position(at.game, 5)
    at.begin(new, at.seats, Keeper(new, tmp_path / "new.jsonl"))
    with at.changed:
        while at.position.actor == 0:
            at.play(0, at.decision, first(at))
    waits(lambda: at.position.actor == 0 and at.position.now > 1)
    assert at.trouble is None and len(asked) >= 3
    at.close()


@pytest.mark.parametrize("choose", [lambda position: -1, lambda position: position.play(-1)])
def test_nobody_reads_what_a_bot_may_do(tmp_path: Path, choose: Callable[[Position], int]) -> None:
    class Cheat:
        name = "cheat"

        def act(self, views: Any, rng: np.random.Generator) -> np.ndarray:
            return np.array([choose(views[0].sample(rng))])

    at = table(tmp_path, "human", "random", game="innovation")
    at.seats = Seats(("human", "cheat"), {1: Cheat()})
    while at.position.actor == 0:
        at.play(0, at.decision, first(at))
    with pytest.raises(Refused, match=r"^it chose an action that is not legal$"):  # what everybody is told
        at.play_bot()


def test_two_seats_that_ask_for_hints_at_once_get_their_own(tmp_path: Path) -> None:
    """A person may ask, and decide before the search has ended; then it still works when the next one asks."""
    at = table(tmp_path, "human", "human", game="innovation")
    adviser, positions = Adviser(at.game), [at.position.clone()]
    at.play(0, at.decision, first(at))
    positions.append(at.position.clone())
    assert [position.actor for position in positions] == [0, 1]
    found: dict[int, Hint] = {}

    def ask(position: Position) -> None:
        found[position.actor] = adviser.look(position, np.random.default_rng(0))

    asking = [threading.Thread(target=ask, args=[position], daemon=True) for position in positions]
    for thread in asking:
        thread.start()
    for thread in asking:
        thread.join(60)
    for position in positions:
        assert {option.action for option in found[position.actor].options} <= set(position.legal_actions().tolist())


def test_a_bot_that_thinks_while_its_turn_is_taken_back_plays_nothing(tmp_path: Path) -> None:
    at = table(tmp_path, "human", "random")

    class Slow:
        name = "slow"

        def act(self, views: object, rng: object) -> np.ndarray:
            at.undo(0, at.decision)
            return np.array([0])

    at.seats = Seats(("human", "slow"), {1: Slow()})
    while at.position.actor == 0:
        at.play(0, at.decision, first(at))
    at.play_bot()
    assert at.position.actor == 0


def test_hints_do_not_depend_on_what_is_hidden(tmp_path: Path) -> None:
    """The search gets the redrawn position: with the same dice of its own it sees the same in every alternative."""
    at = table(tmp_path, "human", "human", game="innovation")
    for _ in range(14):
        at.play(at.position.actor, at.decision, first(at))
    adviser = Adviser(at.game)
    other = at.position.clone()
    other.resample(at.position.actor, np.array([5], np.uint64))
    looks = [adviser.look(position, np.random.default_rng(3)) for position in (at.position, other)]
    assert looks[0] == looks[1] and other.key() != at.position.key()


def test_history_is_a_copy(tmp_path: Path) -> None:
    at = table(tmp_path, "human", "human")
    at.play(0, at.decision, first(at))
    copy = at.copy()
    copy.play(int(copy.legal_actions()[0]))
    assert isinstance(copy, Position) and at.position.now == 1 and copy.now == 2


LEAVE = """
import sys, time
from theogony.play import background

def work():
    for _ in range(20):
        time.sleep(0.05)  # Python's end would stop the thread here
    print("done", flush=True)

def for_ever():
    while not left:
        time.sleep(0.01)

left = []
background.begin("hints", work)
background.begin("bots", for_ever, end=lambda: left.append(True))
sys.exit(3)
"""


def test_a_process_waits_for_the_threads_of_its_tables() -> None:
    """One that compiles hints would be stopped within machine code, which ends in `terminate called`."""
    done = subprocess.run([sys.executable, "-c", LEAVE], capture_output=True, text=True, timeout=60)
    assert (done.returncode, done.stdout, done.stderr) == (3, "done\n", "")


def test_a_closed_table_ends_a_search(tmp_path: Path) -> None:
    at = table(tmp_path, "mcts:1000000", "human")
    at.close()
    at.play_bot()
    assert at.position.now == 0
