"""The end of a game in words: by what the seats are ranked, and what each of them has of it."""

from __future__ import annotations

import numpy as np
import pytest

from theogony.envs import GAMES, load
from theogony.envs.core.players import KernelPlay
from theogony.envs.core.position import Position
from theogony.play.seen import result

SUMMED = ("orbis", "push_of_faith", "terra_mystica")  # whose points are the sum of the rows above them


def ended(name: str, players: int, seed: int) -> Position:
    """A game of greedy players."""
    position = Position(load(name).configure({"players": players}), seed)
    greedy, stream = KernelPlay(position.game), np.array([seed], np.uint64)
    while not position.over:
        position.play(greedy.choose(position, 1.0, stream))
    return position


@pytest.mark.slow
@pytest.mark.parametrize("name", GAMES)
def test_every_game_tells_what_its_end_rests_on(name: str) -> None:
    for players in {min(load(name).players), max(load(name).players)}:
        position = ended(name, players, 2)
        told = result(position.game, position.states[position.now : position.now + 1])
        assert told is not None and len(told["counted"]) == players and told["rows"]
        for label, cells in told["rows"]:
            assert label and len(cells) == players and not any("{" in cell or "[" in cell for cell in cells)
        if name in SUMMED:
            rows = [[int(cell.rpartition("= ")[2]) for cell in cells] for _, cells in told["rows"] if numbers(cells)]
            assert rows[-1] == [int(score) for score in position.scores()]
            assert [sum(column) for column in zip(*rows[:-1], strict=True)] == rows[-1]
            assert [said.split()[-1] for said in told["counted"]] == [f"{score:g}" for score in position.scores()]


def numbers(cells: list[str]) -> bool:
    return all(cell.rpartition("= ")[2].removeprefix("-").isdigit() for cell in cells)


@pytest.mark.slow
def test_innovation_says_that_achievements_decided() -> None:
    for seed in range(20):
        position = ended("innovation", 2, seed)
        told = result(position.game, position.states[position.now : position.now + 1])
        assert told is not None
        if int(position.g.ended_by) == 1:
            winner = told["places"].index(1)
            assert told["counted"][winner] == "6 of 6 achievements" and "points do not count" in told["decided"]
            return
    pytest.fail("no game ended by achievements")
