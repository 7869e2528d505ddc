"""The page without a mouse and for those who hear it; and what axe-core finds, where that is installed."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path

import pytest
from browser import Browser, Tab
from serving import Opener
from test_browser import PHONE, READY, click_once, open_seat, open_tab, play_on
from test_layout import seats_of

from theogony.envs import GAMES

pytestmark = [pytest.mark.xdist_group("browser"), pytest.mark.slow]

AXE = Path(os.environ.get("THEOGONY_AXE", Path(sys.prefix) / "axe")) / "node_modules" / "axe-core" / "axe.min.js"
RULES = {"runOnly": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "best-practice"]}
FOCUS = "document.activeElement.id || document.activeElement.dataset.place || document.activeElement.tagName"


def faults(tab: Tab) -> list[str]:
    """What axe-core calls serious or critical on the page as it stands."""
    if not tab.js("Boolean(window.axe)"):
        tab.js(AXE.read_text(encoding="utf-8") + "; 0")
    found = tab.js(f"axe.run(document, {json.dumps(RULES)}).then((found) => found.violations)")
    return [
        f"{one['id']}: {one['help']} ({node['html'][:120]})"
        for one in found
        if one["impact"] in ("serious", "critical")
        for node in one["nodes"]
    ]


@pytest.mark.skipif(not AXE.exists(), reason=f"axe-core is not installed ({AXE}): npm brings it")
@pytest.mark.parametrize("game", GAMES)
def test_axe_finds_no_serious_fault(browser: Browser, served: Opener, game: str) -> None:
    at = served(game, seats_of(game))
    tab = open_seat(browser, at.url(0))
    play_on(tab, 4)
    for dark in (False, True):
        tab.dark(dark)
        assert faults(tab) == []
    tab.key("?")
    tab.wait("document.getElementById('menus').open")
    assert faults(tab) == []
    tab.key("Escape")
    tab.wait("!document.getElementById('menus').open")
    tab.size(*PHONE)
    tab.wait("document.body.dataset.shape === 'phone'")
    for name in ("board", "hand", "choices", "log"):
        open_tab(tab, name)
        assert faults(tab) == []
    tab.close()


def test_a_game_is_played_by_keys_alone(browser: Browser, served: Opener) -> None:
    """The focus goes by arrows from place to place, a place is taken by Enter, and the focus is never lost."""
    at = served("push_of_faith", ["human", "random"])
    tab = open_seat(browser, at.url(0))
    while tab.js("document.body.dataset.ready") != "over":
        decision = tab.js("document.body.dataset.decision")
        tab.key("b")
        assert tab.js("document.activeElement.hasAttribute('data-actions')")
        first = tab.js(FOCUS)
        if tab.js("board.places().length") > 1:
            assert any(press(tab, key) != first for key in ("ArrowRight", "ArrowDown", "ArrowLeft", "ArrowUp"))
        tab.key("Enter")
        tab.wait(f"document.body.dataset.decision !== '{decision}' || document.getElementById('menu')")
        if tab.js("document.getElementById('menu') !== null"):
            assert tab.js("document.activeElement.closest('#menu') !== null")
            tab.key("ArrowDown")
            tab.key("Enter")
        tab.wait(f"document.body.dataset.decision !== '{decision}' && {READY}")
        assert tab.js(FOCUS) != "BODY", (tab.js("document.body.dataset.ready"), at.table.position.now)
    assert at.table.position.over
    tab.close()


def press(tab: Tab, key: str) -> str:
    """Press a key; where the focus is then."""
    tab.key(key)
    return tab.js(FOCUS)


def test_tab_visits_the_board_once_and_then_what_may_be_done(browser: Browser, served: Opener) -> None:
    at = served("terra_mystica", seats_of("terra_mystica"))
    tab = open_seat(browser, at.url(0))
    assert tab.js("document.querySelectorAll('#board [data-actions]').length") > 5
    assert tab.js("document.querySelectorAll('#board [tabindex=\"0\"]').length") == 1
    tab.key("/")
    assert tab.js(FOCUS) == "filter"
    tab.key("Escape")
    assert tab.js(FOCUS) == "question"
    tab.close()


def test_the_board_is_labelled_and_moves_of_others_are_told(browser: Browser, served: Opener) -> None:
    at = served("push_of_faith", ["human", "greedy"])
    tab = open_seat(browser, at.url(0))
    while tab.js("document.getElementById('told').textContent") == "":
        click_once(tab, 1)
    assert tab.js("document.getElementById('told').textContent").startswith("Greedy player: ")
    labels = tab.js(
        "[...document.querySelectorAll('#board svg')].map((one) => [one.getAttribute('role'), one.ariaLabel])"
    )
    assert labels == [
        ["graphics-document", "map"],
        ["graphics-document", "You"],
        ["graphics-document", "Greedy player"],
    ]
    assert "Turn" in tab.js("document.getElementById('board').ariaDescription")
    tab.close()


def test_a_line_of_the_log_is_opened_by_keys(browser: Browser, served: Opener) -> None:
    """Tab comes to one line, arrows go from line to line, and Enter shows the moment, which has the mark."""
    at = served("push_of_faith", ["human", "greedy"])
    tab = open_seat(browser, at.url(0))
    play_on(tab, 4)
    line = "document.activeElement.closest('#log li').dataset.ply"
    assert tab.js("document.querySelectorAll('#log [tabindex=\"0\"]').length") == 1
    tab.js("document.getElementById('pace').focus()")
    tab.key("Tab")
    last = int(tab.js(line))
    tab.key("ArrowUp")
    tab.key("ArrowUp")
    assert int(tab.js(line)) == last - 2
    tab.key("Enter")
    tab.wait(f"document.getElementById('turn').textContent.startsWith('After decision {last - 2} of')")
    assert tab.js("document.querySelector('#log [aria-current]').closest('li').dataset.ply") == str(last - 2)
    assert int(tab.js(line)) == last - 2  # the focus stays
    tab.key("Tab")
    assert tab.js("document.activeElement.closest('#log')") is None
    page = browser.tab(f"{at.url(0)}replay.html")
    page.wait("document.body.dataset.ply === '0'")
    page.js("document.querySelector('#log button').focus()")
    page.key("Enter")
    page.wait("document.body.dataset.ply === '1'")
    page.close()
    tab.close()
