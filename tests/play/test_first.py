"""What a table shows before its rules are compiled, and who compiles them."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from theogony.envs import load
from theogony.envs.core.jit import rule
from theogony.envs.core.position import Position
from theogony.play.background import elsewhere, from_cache
from theogony.play.first import Coming
from theogony.play.seats import Seats
from theogony.play.table import Refused, Table

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("game", ["push_of_faith", "innovation"])
def test_the_start_of_a_game_is_drawn_by_interpreted_rules_as_by_compiled_ones(game: str) -> None:
    """For every seat, which sees what it may see and no more."""
    made, names = load(game).configure({"players": 2}), ["human", "human"]
    coming, table = Coming(made, names, 7), Table(Position(made, 7), Seats(tuple(names), {}))
    assert coming.news(0, None, -1)["frames"] == []
    coming.draw()
    for who in (None, 0, 1):
        assert coming.news(who, None, -1)["frames"] == json.loads(json.dumps(table.news(who, None, -1)["frames"]))
        assert coming.frame(who) == coming.news(who, None, -1)["frames"][0]
    with pytest.raises(Refused, match="rules are being compiled"):
        coming.play(0, coming.decision, 0)


def test_nothing_is_compiled_where_only_the_cache_counts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("THEOGONY_CACHE_DIR", str(tmp_path))

    @rule
    def twice(number):
        return 2 * number

    assert from_cache(lambda: twice(4)) is None and not list(tmp_path.iterdir())
    assert twice(4) == 8 and from_cache(lambda: twice(5)) == 10


@pytest.mark.parametrize("work", [("table", ("human", "greedy"), 1), ("hints",)], ids=["table", "hints"])
def test_another_process_compiles_all_that_is_asked_for(work: tuple[str, ...]) -> None:
    """It tells of the rules as it goes; a process that fails would end before it has compiled what is wanted."""
    name, *given = work
    game = load("push_of_faith").configure({})
    told = list(elsewhere(name, game, *given))
    assert told and all(len(line) == 2 for line in told) and told[-1][1] == "done"


def test_a_player_that_cannot_play_ends_the_command_also_with_an_empty_cache(tmp_path: Path) -> None:
    line = [sys.executable, "-m", "theogony", "play", "push_of_faith", "--no-browser", "--seats", "runs/none,human"]
    line += ["--record", str(tmp_path / "game.jsonl")]
    variables = os.environ | {"THEOGONY_CACHE_DIR": str(tmp_path / "cache")}
    ended = subprocess.run(line, env=variables, capture_output=True, text=True, timeout=300)
    assert ended.returncode == 1 and ended.stderr.startswith("theogony: ") and "runs/none" in ended.stderr
