"""What seats are called: names for people, which count from 1 where there is no other name."""

from __future__ import annotations

import numpy as np
import pytest
from browser import Browser
from serving import Opener
from test_browser import open_seat, play_on

from theogony.envs import GAMES, load
from theogony.envs.core.draw.style import seat_does, seats_do
from theogony.envs.core.kernels import pick
from theogony.envs.core.position import Position
from theogony.envs.core.story import told
from theogony.play.seats import seat_titles


def test_seats_are_called_by_who_plays() -> None:
    assert seat_titles(["human", "greedy"], 0) == ["You", "Greedy player"]
    assert seat_titles(["human", "greedy", "greedy"]) == ["Player 1", "Greedy player 2", "Greedy player 3"]
    assert seat_titles(["human", "human", "reference"], 1) == ["Player 1", "You", "Reference player"]
    assert seat_titles(["greedy", "greedy"], 1) == ["Greedy player", "You"]
    assert seat_titles(["mcts:7", "runs/mine"]) == ["mcts:7", "runs/mine"]


def test_what_a_seat_does_is_said_to_it_as_to_a_person() -> None:
    assert seat_does(1, 0, "takes a tile", "passes") == "Player 2 takes a tile, passes"
    assert seat_does(1, 1, "takes a tile", "passes", "has 3 points") == "You take a tile, pass, have 3 points"
    assert seat_does(0, 0, "is to act", name="you (Auren)") == "you (Auren) are to act"
    assert seats_do([0], 0, "wins", "share the win") == "you win"
    assert seats_do([0, 2], 2, "wins", "share the win") == "player 1 and you share the win"
    assert seats_do([], None, "wins", "share the win") == "nobody wins"


@pytest.mark.parametrize("game", GAMES)
def test_no_text_of_a_game_speaks_of_seats_by_number(game: str) -> None:
    """Neither pictures nor texts nor stories count from 0, and nobody is told what `you` do in the third person."""
    position = Position(load(game).configure({"players": max(2, min(load(game).players))}), 9)
    streams = np.array([9], np.uint64)
    for _ in range(60):
        if position.over:
            break
        before, seat = position.g.copy(), position.actor
        action = int(pick(position.mask[0], position.mask.shape[1], streams))
        position.play(action)
        lines = told(position.game, before, action, position.g, seat)
        spec = position.game.spec
        drawn = (draw(position.game, position.g, 0) for draw in (spec.render_text, spec.render_svg))
        said = [lines.text, *lines.story, *drawn]
        for text in said:
            low = text.lower()
            assert "player 0" not in low and "seat 0 " not in low.replace('="seat 0 ', "")
            assert not any(
                f"you {verb}" in low for verb in ("takes", "gets", "melds", "is ", "has ", "chooses", "places")
            )


@pytest.mark.slow
@pytest.mark.xdist_group("browser")
@pytest.mark.parametrize("game", GAMES)
def test_a_page_calls_nobody_by_number(browser: Browser, served: Opener, game: str) -> None:
    at = served(game, ["human", *["greedy"] * (max(2, min(load(game).players)) - 1)])
    tab = open_seat(browser, at.url(0))
    play_on(tab, 6, every=False)
    assert tab.js(r"document.body.innerText.match(/player \d(?! to the left)|\bP\d\b|seat \d/gi)") is None
    assert "Greedy player" in tab.js("document.getElementById('log').textContent")
    tab.close()


@pytest.mark.slow
@pytest.mark.xdist_group("browser")
def test_people_are_called_as_they_like(browser: Browser, served: Opener) -> None:
    """On the pages of all others: in the picture, the log and the headline; a name is no mark-up."""
    at = served("push_of_faith", ["human", "human"])
    one = browser.tab(at.url(0))
    one.wait("['mine', 'wait'].includes(document.body.dataset.ready)")
    two = browser.tab(at.url(1))
    two.wait("['mine', 'wait'].includes(document.body.dataset.ready)")
    one.js("(called.value = 'Ann <b>& Bo', called.dispatchEvent(new Event('change')))")
    two.wait("document.getElementById('turn').innerText.includes('Ann <b>& Bo decides')")
    two.wait("[...document.querySelectorAll('#board text')].some((one) => one.textContent === 'Ann <b>& Bo')")
    one.js("document.querySelector('#choices [data-action]').click()")
    two.wait("document.getElementById('log').textContent.includes('Ann <b>& Bo takes the tile')")
    one.wait("document.getElementById('log').textContent.startsWith('You:')")
    one.close()
    two.close()
