"""The page of a table in a real browser: what it says, and that nothing moves or is lost while one decides."""

from __future__ import annotations

import re
import time

import numpy as np
import pytest
from browser import Browser, Tab
from serving import Opener
from test_browser import READY, click_once, open_seat, play_on

from theogony.envs import GAMES, load
from theogony.envs.core.draw.places import move_words
from theogony.envs.core.players import KernelPlay

pytestmark = [pytest.mark.xdist_group("browser"), pytest.mark.slow]

SEED = 1  # of players whose game of Innovation ends by achievements
TURN = "document.getElementById('turn').innerText"
QUESTION = "document.getElementById('question').innerText"
FOCUS = "document.activeElement.id || document.activeElement.dataset.place || document.activeElement.tagName"
# Where the parts of the page are that must stay where they are while one decides.
LAYOUT = """['table', 'board', 'asked', 'log', 'hint', 'choices'].map((id) => {
  const r = document.getElementById(id).getBoundingClientRect();
  return [id, r.left, r.top, r.width]; })"""
# How high the list is that one sees.
ROOM = """((asked, list) => Math.min(asked.bottom, list.bottom) - list.top)(
  ...['asked', 'choices'].map((id) => document.getElementById(id).getBoundingClientRect()))"""
TIPS = """[...document.querySelectorAll('#board [data-actions]')].map((place) =>
  [place.dataset.place, place.dataset.actions.split(' ').map(Number), place.querySelector('title').textContent])"""


def played(tab: Tab, send: str) -> None:
    """Do what takes a decision, and wait for the next one."""
    decision = tab.js("document.body.dataset.decision")
    tab.js(send)
    tab.wait(f"document.body.dataset.decision !== '{decision}' && {READY}")


def test_keys_and_enter_take_what_is_found(browser: Browser, served: Opener) -> None:
    """What the field has hidden is not chosen by a key."""
    at = served("terra_mystica", ["human", "random"])
    tab = open_seat(browser, at.url(0))
    tab.js("document.getElementById('filter').focus()")
    for letter in "wit":
        tab.key(letter)
    visible = tab.js(
        "[...document.querySelectorAll('#choices [data-action]')].filter((b) => !b.hidden).map((b) => b.innerText)"
    )
    assert len(visible) == 1 and "Witches" in visible[0]
    tab.js("document.getElementById('filter').blur()")
    decision = tab.js("document.body.dataset.decision")
    tab.key("1")
    tab.wait(f"document.body.dataset.decision !== '{decision}' && {READY}")
    text = at.table.game.actions.text
    assert "witches" in text(at.table.position.actions[0])
    tab.key("u")
    tab.wait(f"{READY} && !document.getElementById('filter').hidden")
    tab.js("document.getElementById('filter').focus()")
    for letter in "witc":
        tab.key(letter)
    tab.wait("!document.querySelector('#choices [data-action]').disabled")
    decision = tab.js("document.body.dataset.decision")
    tab.key("Enter")
    tab.wait(f"document.body.dataset.decision !== '{decision}' && {READY}")
    assert "witches" in text(at.table.position.actions[0])
    tab.close()


@pytest.mark.parametrize("game", GAMES)
def test_a_tooltip_says_what_an_action_does_and_what_lies_there(browser: Browser, served: Opener, game: str) -> None:
    """The game's own words of a card or tile are not masked by the name of the action."""
    at = served(game, ["human", *["greedy"] * (min(load(game).players) - 1)])
    tab = open_seat(browser, at.url(0))
    actions, words = at.table.game.actions, at.table.game.vocabulary
    g, seat = at.table.position.g, at.table.position.actor
    for place, ids, tip in tab.js(TIPS):
        said, does = move_words(at.table.game, g, ids[0], g, seat), words.does(actions, ids[0])
        assert said in tip and does in tip and not words.unknown(tip), place
        if game == "innovation" and actions.text(ids[0]).startswith("card "):
            assert f"{actions.text(ids[0]).removeprefix('card ')} (1, " in tip  # its age, its icon and its effects
    listed = tab.js("[...document.querySelectorAll('#choices [data-action]')].map((one) => one.title)")
    assert listed and all(listed)
    tab.close()


@pytest.mark.parametrize("width", [390, 1280])
def test_every_action_has_room_for_its_words(browser: Browser, served: Opener, width: int) -> None:
    """Buttons grow with their texts, and the header's lie beside what it says."""
    at = served("push_of_faith", ["human", "random"])
    tab = open_seat(browser, at.url(0))
    tab.size(width, 800)
    tab.js("document.querySelector('#tabs [data-tab=choices]').click()")
    cut = "choices.moves().filter((b) => b.scrollHeight > b.clientHeight + 1).length"
    assert tab.js(cut) == 0
    over = """['rules', 'turn'].map((id) => document.getElementById(id).getBoundingClientRect())"""
    assert tab.js(f"(([a, b]) => a.left >= b.right || a.bottom <= b.top)({over})")
    tab.close()


def test_looking_back_moves_nothing_and_says_whose_turn_it_is(browser: Browser, served: Opener) -> None:
    at = served("push_of_faith", ["human", "greedy"])
    tab = open_seat(browser, at.url(0))
    play_on(tab, 3)
    before, question = tab.js(LAYOUT), tab.js(QUESTION)
    places = tab.js("document.querySelectorAll('#board [data-actions][tabindex]').length")
    tab.key("ArrowLeft")
    tab.wait(f"{QUESTION} === 'Looking back'")
    assert "It is your turn" in tab.js(TURN) and tab.js(LAYOUT) == before
    tab.js("document.getElementById('now').click()")
    tab.wait(f"{QUESTION} === '{question}'")
    assert tab.js(LAYOUT) == before
    assert tab.js("document.querySelectorAll('#board [data-actions][tabindex]').length") == places
    tab.close()


@pytest.mark.parametrize("game", ["god_of_war", "innovation"])
def test_nothing_moves_while_one_decides(browser: Browser, served: Opener, game: str) -> None:
    """Parts of the page keep their places, the column ends within the window, and the picture its size."""
    at = served(game, ["human", *["greedy"] * (min(load(game).players) - 1)])
    tab = open_seat(browser, at.url(0))
    play_on(tab, 12)
    first, scale = tab.js(LAYOUT), "document.querySelector('#board svg').getScreenCTM().a"
    size = tab.js(scale)
    for k in range(6):
        click_once(tab, k)
        assert tab.js(LAYOUT) == first and tab.js(scale) == size
        assert tab.js("document.documentElement.scrollHeight") <= 800
        assert tab.js("(a => a.scrollHeight <= a.clientHeight)(document.querySelector('aside'))")
    tab.close()


def test_the_focus_stays_where_one_decides(browser: Browser, served: Opener) -> None:
    at = served("push_of_faith", ["human", "greedy"])
    tab = open_seat(browser, at.url(0))
    for _ in range(3):
        tab.js("document.querySelector('#choices [data-action]').focus()")
        played(tab, "document.activeElement.click()")
        assert tab.js(FOCUS) == "question"
    tab.js("document.querySelector('#board [data-actions]').focus()")
    tab.key("Enter")
    tab.wait("document.querySelector('#menu button') !== null")
    assert tab.js("document.activeElement.closest('#menu') !== null")
    played(tab, "document.activeElement.click()")
    assert tab.js(FOCUS) != "BODY"
    tab.close()


def test_a_window_without_the_seat_says_so(browser: Browser, served: Opener) -> None:
    """It does not wait for ever, and nothing in it throws."""
    at = served("push_of_faith", ["human", "random"])
    one = open_seat(browser, at.url(0))
    two = browser.tab(at.url(0))
    two.js("window.thrown = []; window.addEventListener('error', (event) => thrown.push(event.message))")
    two.wait(f"document.body && {TURN}.includes('open in another window')")
    for name in ("u", "h", "1", "ArrowLeft", "End"):
        two.key(name)
    two.js("document.getElementById('undo').click()")
    assert two.js("thrown") == [] and "fetched" not in two.text()
    two.js("document.querySelector('#notice button').click()")
    two.wait("document.body.dataset.ready === 'mine'")
    one.wait(f"{TURN}.includes('open in another window')")
    one.close()
    two.close()


def test_a_hint_is_prepared_compares_and_says_what_follows(browser: Browser, served: Opener) -> None:
    at = served("push_of_faith", ["human", "greedy"])
    tab = open_seat(browser, at.url(0))
    tab.wait("document.getElementById('preparing').style.visibility === 'hidden'", 120)
    assert at.table.hints == "ready"
    tab.key("h")
    tab.wait("document.querySelectorAll('#choices .worth').length > 1")
    worth = tab.js("[...document.querySelectorAll('#choices .worth')].map((one) => one.innerText)")
    assert re.fullmatch(r"\d+\.\d points (ahead|behind)", worth[0])  # as such, the others against it
    assert all(re.fullmatch(r"\d+\.\d points (worse|better)|as good", one) for one in worth[1:]) and len(worth) > 1
    assert "perhaps then" in tab.js("document.querySelector('#choices .leads').innerText")
    listed = tab.js("choices.moves().map((button) => Number(button.dataset.action))")
    assert sorted(listed) == sorted(at.table.position.legal_actions())  # each of them once, those of the hint first
    best = tab.js("(move => move.querySelector('span').firstChild.textContent)(choices.moves()[0])")
    assert f"{best}: {worth[0]}." in tab.js("document.getElementById('advice').textContent")  # for who hears the page
    tab.js("choices.moves()[1].focus(); document.querySelector('#choices .worth').id = 'former'; hint()")
    tab.wait("!document.getElementById('former')")
    assert tab.js("choices.moves().every((move) => move.querySelectorAll('.worth').length <= 1)")
    assert tab.js("choices.moves().includes(document.activeElement)")
    tab.js("document.getElementById('guideyes').click()")
    for width, height in ((1280, 720), (1000, 640), (390, 844)):  # with guide and hint there is room for the list
        tab.size(width, height)
        tab.wait(f"layout.window === {width}")
        tab.js("openTab('choices')")
        assert tab.js(ROOM) > 60, width
    tab.close()


def test_a_game_is_seen_from_the_start_when_it_is_over(browser: Browser, served: Opener) -> None:
    """Players alone are done before anybody looks; who plays has it at the end only."""
    at, review = served("push_of_faith", ["greedy", "random"]), "document.getElementById('review')"
    tab = browser.tab(at.url(None))
    tab.wait("document.body.dataset.ready === 'over'")
    x, y = tab.js(f"(box => [box.left + box.width / 2, box.top + box.height / 2])({review}.getBoundingClientRect())")
    tab.click(x, y)
    for _ in range(100):
        pages = [one["url"] for one in browser.call("Target.getTargets")["targetInfos"]]
        if f"{at.url(None)}replay.html" in pages:
            break
        time.sleep(0.1)
    else:
        pytest.fail(f"the game is on none of the pages: {pages}")
    tab.close()
    own = open_seat(browser, served("orbis", ["human", "random"]).url(0))
    assert own.js(f"{review}.hidden")
    own.close()


def test_innovation_shows_what_decided(browser: Browser, served: Opener) -> None:
    """Achievements where they decided, not points; the reasons stand in a table. The game is the same every time."""
    at = served("innovation", ["human", "greedy"])
    at.table.rng = np.random.default_rng(SEED)
    greedy, stream = KernelPlay(at.table.game), np.array([SEED], np.uint64)
    while not at.table.position.over:
        at.wait(lambda: not at.table.bot_due())
        if not at.table.position.over:
            at.table.play(0, at.table.decision, greedy.choose(at.table.copy(), 1.0, stream))
    tab = open_seat(browser, at.url(0))
    said = tab.js("document.getElementById('result').innerText")
    assert "6 of 6 achievements" in said and "points do not count" in said and "points in the score pile" in said
    assert tab.js("document.querySelectorAll('#result .account tr').length") > 5
    page = browser.tab(f"{at.url(0)}replay.html")
    page.wait("document.body.dataset.ply === '0'")
    assert page.js("document.querySelector('.legend').innerText").split("\n") == ["You", "Greedy player"]
    page.close()
    tab.close()
