"""Drawn components play like the printed ones: `theogony packs` measures it, and this holds it within limits."""

import functools
import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from theogony.envs import GAMES, load
from theogony.envs.core.game import OptionError
from theogony.packs import Measured, run, table

PACKS, GAMES_OF_EACH = 4, 12
LENGTHS, POINTS = (0.75, 1.35), (0.75, 1.5)  # beside those with the printed components
ADVANTAGE = 0.3  # of seat 0 over its share, beside that with the printed components: 48 games tell 0.14 apart


@functools.cache
def measured(name: str) -> tuple[Measured, list[Measured]]:
    printed, *packs = run(load(name), {"players": 2, "components": f"random:0-{PACKS - 1}"}, GAMES_OF_EACH, 0, None)
    assert [pack.components for pack in packs] == [f"random:{seed}" for seed in range(PACKS)]
    return printed, packs


@pytest.mark.parametrize("name", GAMES)
def test_games_with_packs_are_as_long_as_with_print(name: str) -> None:
    printed, packs = measured(name)
    for pack in packs:
        assert LENGTHS[0] < pack.decisions / printed.decisions < LENGTHS[1], pack
        assert pack.cut_off <= 0.1, f"games that do not end: {pack}"


@pytest.mark.parametrize("name", [name for name in GAMES if not load(name).cooperative])
def test_points_and_the_advantage_of_beginning_are_like_those_of_print(name: str) -> None:
    printed, packs = measured(name)
    points, advantage = (float(np.mean([getattr(pack, name) for pack in packs])) for name in ("points", "first"))
    assert POINTS[0] < points / printed.points < POINTS[1]
    assert printed.first is not None and abs(advantage - printed.first) < ADVANTAGE


@pytest.mark.parametrize("name", [name for name in GAMES if load(name).cooperative])
def test_a_team_wins_about_as_often_as_with_print(name: str) -> None:
    printed, packs = measured(name)
    assert printed.won is not None and abs(float(np.mean([pack.won or 0.0 for pack in packs])) - printed.won) < 0.25


def test_the_command_writes_a_table_and_a_file(tmp_path: Path) -> None:
    file = tmp_path / "packs.json"
    arguments = ["--option", "components=random:3-4", "--option", "players=3", "--games", "2", "--json", str(file)]
    told = subprocess.run(
        [sys.executable, "-m", "theogony", "packs", "push_of_faith", *arguments],
        capture_output=True,
        text=True,
        check=True,
    )
    found = [Measured(**one) for one in json.loads(file.read_text("utf-8"))]
    assert [one.components for one in found] == ["printed", "random:3", "random:4"]
    assert told.stdout.strip() == table(found)


def test_printed_components_alone_are_refused() -> None:
    with pytest.raises(OptionError, match="push_of_faith: which packs\\? Expected an option such as components=random"):
        run(load("push_of_faith"), {}, 1, 0, None)
