"""The end of a game in words: by what the seats are ranked, and what each of them has of it."""

from __future__ import annotations

import json

import numpy as np
import pytest
from browser import Browser
from serving import Opener
from test_browser import open_seat, play_on

from theogony.envs import GAMES, load
from theogony.envs.core.players import KernelPlay
from theogony.envs.core.position import Position
from theogony.play.hints import Adviser
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


@pytest.mark.slow
@pytest.mark.xdist_group("browser")
def test_a_result_fills_the_window_by_itself(browser: Browser, served: Opener) -> None:
    """With a column for each of five seats, none of which is cut, and the winner's board; Escape brings the board back,
    and then it stays."""
    tab = open_seat(browser, served("push_of_faith", ["human", "random"]).url(0))
    names = ["You", *(f"Reference player {k}" for k in range(2, 6))]
    rows = [[f"reason {k}", [f"{3 * k} points of {seat} steps" for seat in range(5)]] for k in range(12)]
    told = {"places": [1, 2, 3, 4, 5], "counted": ["90 points"] * 5, "rows": rows, "decided": "", "cut_off": False}
    tab.js(f"showResult({json.dumps({**told, 'cooperative': False, 'won': None})}, {json.dumps(names)})")
    cut = (
        "[...document.querySelectorAll('#result, #result .wide')].some((one) => one.scrollWidth > one.clientWidth + 1)"
    )
    assert tab.js(f"document.getElementById('result').offsetWidth > 1000 && !{cut}")
    assert tab.js("document.querySelector('#result .ending figure svg').getBoundingClientRect().width > 300")
    tab.key("Escape")
    assert tab.js("document.getElementById('result').offsetWidth < 500")
    tab.js("document.querySelector('#result .wider').click()")
    assert tab.js("document.getElementById('result').offsetWidth > 1000")
    tab.close()


def test_a_lost_game_ends_at_nothing() -> None:
    """Also where all lose together, whatever a search had expected."""
    position = ended("god_of_war", 1, 2)
    assert Adviser(position.game).came(position, 0) == float(position.standings()[0] > 0)


ENDS = "[...document.querySelectorAll('#course .plot > span')].map((one) => one.innerText).reverse()"
BOARDS = "[...document.querySelectorAll('#result .boards figcaption')].map((one) => one.innerText)"


@pytest.mark.slow
@pytest.mark.xdist_group("browser")
def test_who_has_not_won_sees_both_boards(browser: Browser, served: Opener) -> None:
    """Copies on which nothing is on its way, dark by night as the board is."""
    tab = open_seat(browser, served("push_of_faith", ["human", "random"]).url(0))
    told = {"places": [2, 1], "counted": ["1", "2"], "rows": [], "decided": "", "cut_off": False, "cooperative": False}
    tab.js("document.querySelector('.slot [data-place]').classList.add('away')")
    tab.js(f"showResult({json.dumps({**told, 'won': None})}, ['You', 'Random player'])")
    assert tab.js(BOARDS) == ["The board of Random player", "Your board"]
    assert tab.js("document.querySelectorAll('#result .away').length") == 0
    tab.dark()
    shown = "[...document.querySelectorAll('{}')].map((one) => getComputedStyle(one).fill)[0]"
    assert tab.js(shown.format("#result .boards rect")) == tab.js(shown.format('[data-slot="seat 1"] rect'))
    tab.close()


@pytest.mark.slow
@pytest.mark.xdist_group("browser")
def test_the_end_shows_where_the_game_turned(browser: Browser, served: Opener) -> None:
    """What was expected at the decisions of the seat itself, and no others; a click looks back there."""
    at = served("push_of_faith", ["human", "random"])
    tab = open_seat(browser, at.url(0))
    assert at.ask("GET", at.path(0) + "course")[0] == 409
    play_on(tab)
    tab.wait("document.getElementById('result').classList.contains('whole')")
    tab.wait("document.querySelectorAll('#course figure').length === 1", 120)
    told, position = at.get(0, "course"), at.table.position
    assert [one.split()[-1] for one in tab.js(ENDS)] == ["behind", "ahead"] or "level" in tab.js(ENDS)
    scores = position.scores()
    assert told["end"] == pytest.approx(scores[0] - scores[1])
    assert tab.js(
        "document.querySelector('#result .top button').getBoundingClientRect().bottom < 100"
    )  # Play again is where it was before the chart came
    assert told["seat"] == 0 and len(told["points"]) > 5
    assert all(int(position.states[k]["actor"]) == 0 for k, _ in told["points"])
    assert at.ask("GET", at.path(None) + "course")[0] == 409
    turn = "document.querySelector('#course li button')"
    if tab.js(f"Boolean({turn})"):
        tab.js(f"{turn}.click()")
        tab.wait("document.getElementById('turn').innerText.startsWith('After decision')")
        assert not tab.js("document.getElementById('result').classList.contains('whole')")
    tab.close()
