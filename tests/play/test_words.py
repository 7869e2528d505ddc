"""Words on the page in a real browser: the log's stories, the panel of cards and tiles, rules, glossary and guide."""

from __future__ import annotations

import pytest
from browser import Browser, Tab
from serving import Opener
from test_browser import READY, click_once, open_seat, play_on

from theogony.envs import GAMES, load
from theogony.play.seen import asked, moment

pytestmark = [pytest.mark.xdist_group("browser"), pytest.mark.slow]

TURN = "document.getElementById('turn').innerText"
PANEL = "document.getElementById('panel') ? document.getElementById('panel').innerText : ''"
WORDS = "[...document.querySelectorAll('#board [data-word]')]"
NOWS = "[...document.querySelectorAll('#board [data-now]')]"
# The middle of the first thing in the picture whose word begins so.
MIDDLE = """(word => { const r = [...document.querySelectorAll('#board [data-word]')].find((one) =>
  one.dataset.word.startsWith(word)).getBoundingClientRect(); return [r.left + r.width / 2, r.top + r.height / 2]; })"""


def hover(tab: Tab, word: str) -> None:
    """Rest on a thing of the picture."""
    tab.wait("document.body.dataset.words")
    x, y = tab.js(f"{MIDDLE}('{word}')")
    tab.call("Input.dispatchMouseEvent", type="mouseMoved", x=x, y=y)


def test_the_log_tells_stories_from_the_last_own_move_on(browser: Browser, served: Opener) -> None:
    at = served("push_of_faith", ["human", "greedy"])
    tab = open_seat(browser, at.url(0))
    play_on(tab, 4)
    heads = tab.js("[...document.querySelectorAll('#log [data-head]')].map((one) => one.dataset.head)")
    assert heads == ["Since your last move"]
    since = tab.js("[...document.querySelectorAll('#log .since')].map((one) => Number(one.dataset.seat))")
    assert since == [1, 1]  # the other one takes a tile and places it
    assert "Player 1 takes the tile" in tab.js("document.querySelector('#log .since .story').innerText")
    first, seen = (
        tab.js("document.querySelector('#log .since').dataset.ply"),
        "document.querySelector('#board svg').outerHTML",
    )
    now = tab.js(seen)
    tab.js("document.querySelector('#log .since .story').click()")
    tab.wait(f"{TURN}.startsWith('After decision {first} of')")
    tab.wait(f"{seen} !== {now!r}")
    tab.key("End")
    tab.wait("document.body.dataset.ready === 'mine'")
    page = browser.tab(f"{at.url(0)}replay.html")
    page.wait("document.body.dataset.ply === '0'")
    page.js("document.querySelectorAll('#log .story')[0].click()")
    page.wait("document.body.dataset.ply !== '0'")
    assert "Player 0 (you) takes the tile" in page.js("document.querySelector('#log .now').innerText")
    page.close()
    tab.close()


@pytest.mark.parametrize(
    ("game", "word", "kind"),
    [
        ("push_of_faith", "piece:tile", "piece"), ("orbis", "tile:", "tile"), ("innovation", "card:", "card"),
        ("terra_mystica", "faction:", "faction"), ("god_of_war", "scene card:", "scene card"),
    ],
)  # fmt: skip
def test_the_panel_shows_what_is_under_the_pointer(
    browser: Browser, served: Opener, game: str, word: str, kind: str
) -> None:
    """Large, with its name and all that it does; it takes no click, and goes with the pointer."""
    at = served(game, ["human", *["random"] * (min(load(game).players) - 1)])
    tab = open_seat(browser, at.url(0))
    if game == "god_of_war":
        play_on(tab, 1)
    hover(tab, word)
    tab.wait("document.getElementById('panel') !== null")
    said = tab.js(f"{WORDS}.find((one) => one.dataset.word.startsWith('{word}')).dataset.word")
    entry = at.table.game.vocabulary[tuple(said.split(":", 1))]
    shown = tab.js(PANEL)
    assert entry.kind == kind and entry.name in shown and entry.does[1:40] in shown
    assert tab.js("getComputedStyle(document.getElementById('panel')).pointerEvents") == "none"
    tab.call("Input.dispatchMouseEvent", type="mouseMoved", x=2, y=2)
    tab.wait("!document.getElementById('panel')")
    tab.close()


def test_the_panel_says_whom_a_card_of_innovation_concerns_now(browser: Browser, served: Opener) -> None:
    at = served("innovation", ["human", "random"])
    tab = open_seat(browser, at.url(0))
    play_on(tab, 4)
    assert tab.js("document.querySelectorAll('#board [data-now]').length") >= 2
    tab.wait("document.body.dataset.words")
    for place in tab.js("[...document.querySelectorAll('#board [data-now]')].map((one) => one.dataset.place)"):
        assert "Used by player" in tab.js(PANEL)
    tab.js("document.querySelector('#board [data-actions]').focus()")
    tab.key("Tab")
    tab.wait("document.getElementById('panel') !== null")  # by keyboard too
    tab.key("Escape")
    tab.wait("!document.getElementById('panel')")
    tab.close()


@pytest.mark.parametrize("game", GAMES)
def test_the_headline_asks_in_plain_words(browser: Browser, served: Opener, game: str) -> None:
    at = served(game, ["human", *["random"] * (min(load(game).players) - 1)])
    tab = open_seat(browser, at.url(0))
    for k in range(3):
        position = at.table.position
        question = asked(moment(position, position.now))
        assert question and tab.js(TURN) == f"Your turn. {question}"
        click_once(tab, k)
        tab.wait(READY)
    tab.close()


@pytest.mark.parametrize("game", GAMES)
def test_every_kind_of_decision_has_a_question(game: str) -> None:
    """Phases stand in the order of the kinds of decision, each with its question."""
    phases = load(game).configure().vocabulary.of("phase")
    assert len(phases) > 2 and all(phase.does for phase in phases)
