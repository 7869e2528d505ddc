"""What moves on the page: pieces on their way, the preview of a piece, moves that are forced."""

from __future__ import annotations

import numpy as np
import pytest
from browser import Browser, Tab
from serving import Opener
from test_browser import LISTED, PHONE, READY, click_once, open_seat
from test_page import played

from theogony.envs.core.position import Position

pytestmark = [pytest.mark.xdist_group("browser"), pytest.mark.slow]

FLIGHTS = """window.flights = []; new MutationObserver((changes) => {
    for (const node of changes.flatMap((change) => [...change.addedNodes])) {
      if (!node.closest || !node.closest('#sky')) continue;
      flights.push(...node.getAnimations().map((one) => one.effect.getTiming().duration)); }
    }).observe(document.body, {childList: true, subtree: true}); 0"""
# The colours of the squares in a part of the picture, from left to right and down.
SQUARES = """(root => [...root.querySelectorAll('use[href^="#square"]')]
  .map((r) => [r.getBoundingClientRect(), r.getAttribute('href')]).filter(([box]) => box.width > 20)
  .sort(([a], [b]) => (Math.abs(a.top - b.top) > 9 ? a.top - b.top : a.left - b.left)).map(([, fill]) => fill))"""
PUSH = """(place => document.querySelector(`#choices [data-action="${actionsOf(place)[0]}"]`).click())(
  document.querySelector('#board [data-actions][data-place^=push]'))"""


def reduced(tab: Tab) -> None:
    tab.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-reduced-motion", "value": "reduce"}])


def test_pieces_move_unless_less_motion_is_wanted(browser: Browser, served: Opener) -> None:
    at = served("push_of_faith", ["human", "greedy"])
    tab = open_seat(browser, at.url(0))
    tab.js("document.getElementById('pace').value = '400'")
    tab.js(FLIGHTS)
    played(tab, PUSH)  # a tile is pushed out and goes to the hand, its neighbours along
    tab.wait("flights.length >= 3")
    assert all(150 <= duration <= 300 for duration in tab.js("flights"))
    tab.wait("document.querySelectorAll('#sky > g, .away').length === 0")
    reduced(tab)
    tab.js("flights.length = 0")
    for k in range(3):
        click_once(tab, k)
    assert tab.js("flights.length") == 0 and tab.js("document.querySelectorAll('.away').length") == 0
    tab.close()


SLOW = """(animate => { Element.prototype.animate = function (frames, timing) {
  return animate.call(this, frames, {...timing, duration: 60000}); }; })(Element.prototype.animate)"""
# Whether a click in the middle of a copy would meet the copy.
HELD = """[...document.querySelectorAll('#sky > g, .preview')].map((copy) => { const r = copy.getBoundingClientRect();
  return copy.contains(document.elementFromPoint(r.left + r.width / 2, r.top + r.height / 2)); })"""


def test_pieces_on_their_way_take_no_clicks(browser: Browser, served: Opener) -> None:
    """A click meets what lies below a flying piece or a preview: they are copies that bear its marks."""
    at = served("push_of_faith", ["human", "human"])
    tab = open_seat(browser, at.url(0))
    tab.js("document.getElementById('pace').value = '400'")
    tab.js(SLOW)
    tab.js(PUSH)
    tab.wait("document.querySelectorAll('#sky > g').length >= 3")
    held = tab.js(HELD)
    assert len(held) >= 3 and not any(held)
    _, x, y = tab.js(f"{LISTED}(0)")
    tab.call("Input.dispatchMouseEvent", type="mouseMoved", x=x, y=y)
    tab.wait("document.querySelectorAll('#board .preview').length === 1")
    assert not any(tab.js(HELD))
    tab.close()


def test_the_preview_of_a_push_is_how_the_lane_will_lie(browser: Browser, served: Opener) -> None:
    """Two tiles move on, the third is in hand, and where the first lay is nothing; nothing of it stays."""
    at = served("push_of_faith", ["human", "greedy"])
    tab = open_seat(browser, at.url(0))
    _, x, y = tab.js(f"{LISTED}(0)")
    lying = "[...document.querySelectorAll('#board [data-place^=\"map \"]')].map((one) => one.outerHTML).join()"
    before = tab.js(lying)
    tab.call("Input.dispatchMouseEvent", type="mouseMoved", x=x, y=y)
    tab.wait("document.querySelectorAll('#board .preview').length === 3")
    where = "[...document.querySelectorAll('.preview')].map((one) => one.closest('[data-place]').dataset.place).sort()"
    places = tab.js(where)
    assert places[0] == "hand" and all(place.startswith("map ") for place in places[1:])
    assert len(set(places)) == 3 and tab.js("document.querySelectorAll('#board .under').length") >= 3
    tab.call("Input.dispatchMouseEvent", type="mouseMoved", x=2, y=2)
    tab.wait("document.querySelectorAll('#board .preview, #board .under').length === 0")
    assert tab.js(lying).replace(' class=""', "") == before
    tab.close()


def test_a_tap_shows_a_push_and_a_second_one_makes_it(browser: Browser, served: Opener) -> None:
    """As the mouse does by resting there; a tap on a tile that would lie in a place turns it."""
    at = served("push_of_faith", ["human", "greedy"])
    tab = open_seat(browser, at.url(0), PHONE)
    middle = "(r => [r.left + r.width / 2, r.top + r.height / 2])({}.getBoundingClientRect())"
    push = middle.format("document.querySelector('#board [data-actions][data-place^=push]')")
    tab.click(*tab.js(push))
    tab.wait("document.querySelectorAll('#board .preview').length === 3")
    assert at.table.position.now == 0 and tab.js("document.querySelectorAll('#menu .thumb').length") == 1
    tab.click(*tab.js(push))
    tab.wait(f"game.now === 1 && {READY}")
    seen = []
    for _ in range(3):
        tab.click(*tab.js(middle.format("board.places()[0]")))
        tab.wait("document.querySelectorAll('#board .preview').length === 1")
        seen.append(tab.js("document.querySelector('#menu .pointed').dataset.action"))
    assert len(set(seen)) == 3 and at.table.position.now == 1
    tab.close()


def test_the_preview_of_a_tile_is_how_it_is_laid(browser: Browser, served: Opener) -> None:
    at = served("push_of_faith", ["human", "greedy"])
    tab = open_seat(browser, at.url(0))
    turned = set()
    for k in range(4):
        played(tab, PUSH)
        _, x, y = tab.js(f"{LISTED}({k})")
        tab.call("Input.dispatchMouseEvent", type="mouseMoved", x=x, y=y)
        tab.wait("document.querySelectorAll('#board .preview').length === 1")
        place = tab.js("document.querySelector('.preview').closest('[data-place]').dataset.place")
        turned.add(tab.js("document.querySelector('.preview').getAttribute('transform')").partition("rotate")[2])
        seen = tab.js(f"{SQUARES}(document.querySelector('.preview'))")
        assert place.startswith("world 0 ") and len(seen) == 4
        decision = tab.js("document.body.dataset.decision")
        tab.click(x, y)
        tab.wait(f"document.body.dataset.decision !== '{decision}' && {READY}")
        assert tab.js(f"{SQUARES}(document.querySelector('[data-place=\"{place}\"]'))") == seen
    assert len(turned) == 4
    tab.close()


@pytest.mark.parametrize("forced", [False, True])
def test_forced_moves_are_played_by_themselves_where_that_is_wanted(
    browser: Browser, served: Opener, forced: bool
) -> None:
    at = served("orbis", ["human", "random"])
    tab = open_seat(browser, at.url(0))
    if forced:
        tab.js("document.getElementById('forced').click()")
    made = 0
    while tab.js("document.body.dataset.ready") != "over":
        click_once(tab, 7 * made, every=False)
        made += 1
    position = at.table.position
    own = [k for k in range(position.now) if int(position.states[k].actor) == 0]
    free = [k for k in own if len(legal_at(position, k)) > 1]
    assert len(free) < len(own)
    assert made == (len(free) if forced else len(own))
    tab.close()


def legal_at(position: Position, k: int) -> np.ndarray:
    """The legal actions after k decisions."""
    clone = position.clone()
    clone.states, clone.actions, clone.now = position.states.copy(), list(position.actions), position.now
    while clone.now > k:
        clone.undo()
    return clone.legal_actions()


def test_moves_of_the_others_are_shown_one_by_one(browser: Browser, served: Opener) -> None:
    """Each of them on the board and in words, at the pace that is set."""
    at = served("push_of_faith", ["human", "greedy", "greedy"])
    tab = open_seat(browser, at.url(0))
    tab.js("document.getElementById('pace').value = '400'")
    tab.js("""window.seen = []; new MutationObserver(() => seen.push([document.getElementById('told').textContent,
      document.getElementById('state').textContent])).observe(document.getElementById('told'), {childList: true}); 0""")
    while at.table.position.actor == 0:
        played(tab, "document.querySelector('#choices [data-action]').click()")
        if at.table.position.now > 3:
            break
    position = at.table.position
    others = [k for k in range(position.now) if int(position.states[k].actor) != 0]
    seen = tab.js("seen")
    assert len(others) == len(seen) >= 4
    for k, (told, _) in zip(others, seen, strict=True):
        assert told.startswith(f"Greedy player {int(position.states[k].actor) + 1}: ")
    assert len({state for _, state in seen}) > 2
    tab.close()
