"""Whole games in a real browser: played by clicking, reloaded, killed and gone on with; replay pages from disk."""

from __future__ import annotations

import os
import random
import re
import shlex
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from browser import Browser, Tab
from serving import Opener, Served

from theogony.envs import load
from theogony.envs.core.draw.places import no_places
from theogony.envs.core.gamerecord import read_record
from theogony.envs.core.position import Position
from theogony.envs.innovation.actions import name_of
from theogony.envs.innovation.state import cards_in
from theogony.play.film import film_of
from theogony.play.replay import replay_page
from theogony.play.table import Table

pytestmark = [pytest.mark.xdist_group("browser"), pytest.mark.slow]

AT_ONCE = "localStorage.setItem('pace', '0')"
LOG = "document.getElementById('log').textContent"
READY = "['mine', 'over'].includes(document.body.dataset.ready)"
# Every dotted place with a point at which a click reaches it once it is in sight: [name, ids, x, y], or [name, ids].
REACH = """(place => {
  const steps = [.5, .1, .9, .3, .7, .02, .98, .2, .8, .4, .6];
  const point = () => { const r = place.getBoundingClientRect();
    for (const v of steps) for (const u of steps) {
      const x = r.left + u * r.width, y = r.top + v * r.height, top = document.elementFromPoint(x, y);
      if (top && top.closest('[data-actions]') === place) return [x, y];
    }
    return []; };
  let found = point();
  if (!found.length) { place.scrollIntoView({block: 'center', inline: 'center'}); found = point(); }
  return [place.dataset.place, place.dataset.actions.split(' ').map(Number), ...found]; })"""
PLACES = f"[...document.querySelectorAll('#board [data-actions]')].map({REACH})"
COUNT = "document.querySelectorAll('#board [data-actions]').length"
LISTED = """(k => { const listed = choices.moves(), one = listed[k % listed.length];
  if (one.hidden) choices.toggle(one.dataset.of);
  one.scrollIntoView({block: 'nearest'}); const r = one.getBoundingClientRect();
  return [Number(one.dataset.action), r.left + r.width / 2, r.top + r.height / 2]; })"""
MENU = """[...document.querySelectorAll('#menu button')].map((one) => { one.scrollIntoView({block: 'nearest'});
  const r = one.getBoundingClientRect();
  return [Number(one.dataset.action), r.left + r.width / 2, r.top + r.height / 2]; })"""
TAB = """(name => { const r = document.querySelector(`#tabs [data-tab=${name}]`).getBoundingClientRect();
  return r.width && [r.left + r.width / 2, r.top + r.height / 2]; })"""
# The smallest text in the pictures, in pixels: [its size, what it says].
SMALLEST = """[...document.querySelectorAll('#board text')].filter((t) => t.textContent.trim()).map((t) => {
  const m = t.getScreenCTM(); return [t.getAttribute('font-size') * Math.hypot(m.a, m.b), t.textContent]; })
  .reduce((a, b) => (a[0] < b[0] ? a : b))"""
# What the page asked for in vain.
REFUSED = "performance.getEntriesByType('resource').filter((e) => e.responseStatus >= 400).map((e) => e.name)"
# What a page moves under the pointer is pointed at anew with its next pictures, and explained; menus make room for it.
SETTLED = "new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))"
WINDOW, PHONE = (1280, 800), (390, 844)
THINKS = 60.0  # seconds that one decision of a bot may take on a busy machine


def open_seat(browser: Browser, url: str, size: tuple[int, int] = WINDOW) -> Tab:
    """A window at a seat, with bots' moves shown at once."""
    tab = browser.tab(url, *size)
    tab.wait("document.body && document.body.dataset.page")
    tab.js(AT_ONCE)
    tab.reload()
    tab.wait(READY)
    tab.js(SETTLED)  # no click counts before
    return tab


def open_tab(tab: Tab, name: str) -> None:
    """Click a tab, where the window is so small that there are some."""
    if at := tab.js(f"{TAB}('{name}')"):
        tab.click(*at)


def choose(tab: Tab, k: int, every: bool = True) -> tuple[int, bool]:
    """Decide by real clicks: on the picture where it can be, and in the menu where a place has several actions.

    Where a click goes must reach the place; of all dotted places of the picture that is asked with `every`. Returns the
    action, and whether it was clicked on the picture.
    """
    open_tab(tab, "board")
    count, before = tab.js(f"[{COUNT}, document.body.dataset.decision]")
    dead = [name for name, _, *point in tab.js(PLACES) if not point] if every else []
    assert not dead, f"no click reaches {dead}"
    if not count:
        open_tab(tab, "choices")
        action, x, y = tab.js(f"{LISTED}({k})")
        tab.click(x, y)
        return action, False
    _, ids, x, y = tab.js(f"{REACH}(document.querySelectorAll('#board [data-actions]')[{k % count}])")
    tab.click(x, y)
    made = f"document.body.dataset.decision !== '{before}' || document.body.dataset.ready !== 'mine'"
    tab.wait(f"document.getElementById('menu') || layout.closer || {made}")
    tab.js(SETTLED)
    if tab.js("layout.closer") and not tab.js(MENU):  # where places are small a phone has gone nearer to them
        _, ids, x, y = tab.js(f"{REACH}(document.querySelectorAll('#board [data-actions]')[{k % count}])")
        tab.click(x, y)
        tab.js(SETTLED)
    phone = tab.js("document.body.dataset.shape === 'phone'")
    if len(ids) == 1 and not (phone and tab.js(MENU)):  # where places are small the menu has those beside it as well
        return ids[0], True
    menu = tab.wait(f"(found => found.length && found)({MENU})")
    offered = [action for action, *_ in menu]
    assert set(ids) <= set(offered) if phone else offered == ids
    action, x, y = tab.js(f"{MENU}[{k % len(menu)}]")
    tab.click(x, y)
    return action, True


def click_once(tab: Tab, k: int, every: bool = True) -> tuple[int, bool]:
    """One decision, as `choose`, and all that is answered to it."""
    decision = tab.js("document.body.dataset.decision")
    chosen = choose(tab, k, every)
    tab.wait(f"document.body.dataset.decision !== '{decision}' && {READY}", THINKS, moving="game.now")
    return chosen


def play_on(tab: Tab, most: int = 2000, least: float = 0, every: bool = True) -> list[tuple[int, bool]]:
    """Click at random until the game is over, or so many times. What was clicked, and whether on the picture.

    No text of a picture may be smaller than `least` pixels. Bots draw anew in every game, so its length differs from
    run to run; clicks by a fixed pattern can avoid the end of a game for hundreds of decisions, drawn ones do not.
    """
    made: list[tuple[int, bool]] = []
    drawn = random.Random(7)
    while len(made) < most and tab.js("document.body.dataset.ready") != "over":
        if least and len(made) % 8 == 0:
            size, said = tab.js(SMALLEST)
            assert size >= least, f"{said!r} has {size} pixels"
        made.append(click_once(tab, drawn.randrange(1 << 20), every))
    return made


@pytest.mark.parametrize("size", [WINDOW, PHONE], ids=["1280", "390"])
@pytest.mark.parametrize(
    ("game", "seats"),
    [("push_of_faith", 2), ("orbis", 3), ("innovation", 4), ("terra_mystica", 3), ("god_of_war", 1)],
)
def test_a_whole_game_is_played_by_clicking(
    browser: Browser, served: Opener, game: str, seats: int, size: tuple[int, int]
) -> None:
    """No dotted place is dead, at any decision of a game, and what is clicked is what is played; texts can be read."""
    at = served(game, ["human", *["random"] * (seats - 1)])
    tab = open_seat(browser, at.url(0), size)
    tab.js("performance.setResourceTimingBufferSize(1e5)")
    large = 9 if game == "terra_mystica" else 11
    made = play_on(tab, least=large if size == WINDOW else 0, every=size == WINDOW)
    assert tab.js(REFUSED) == []
    position = at.table.position
    own = [action for k, action in enumerate(position.actions[: position.now]) if int(position.states[k].actor) == 0]
    assert position.over and [action for action, _ in made] == own
    if load(game).places is not no_places:
        assert sum(on_picture for _, on_picture in made) > len(made) / 2
    tab.wait("!document.getElementById('result').hidden")
    record = read_record(at.record)
    assert record.key() == at.table.position.key() and record.over
    for score in record.scores():
        assert f"{score:g}" in tab.js("document.getElementById('result').innerText")
    tab.close()


def test_a_page_holds_what_its_seat_may_know(browser: Browser, served: Opener) -> None:
    """All that the page has fetched and shows, compared with a table whose hidden cards are others."""
    at = served("innovation", ["human", "human"])
    tabs = [open_seat_of(browser, at, seat) for seat in (0, 1)]
    for k in range(10):
        click_once_at(tabs[at.table.position.actor], at, k)
    for seat, tab in enumerate(tabs):
        tab.wait(f"document.body.dataset.decision === '{at.table.decision}'")
        page = tab.js("document.documentElement.outerHTML + JSON.stringify([localStorage, sessionStorage])")
        names = hidden_names(at, seat)
        assert names and not named_in(page, names), f"seat {seat} sees {named_in(page, names)}"
        tab.js(f"document.body.append(document.createTextNode('A leak: {names[0]}.'))")
        assert named_in(tab.js("document.documentElement.outerHTML"), names) == names[:1]  # it would have been found
        for secret in (at.kept.links[1 - seat], at.kept.watch, at.record.name):
            assert secret and secret not in page
    for tab in tabs:
        tab.close()


def hidden_names(at: Served, seat: int) -> list[str]:
    """Names of the cards of Innovation that the other seat of two holds and this one does not know."""
    g, game = at.table.position.g, at.table.game
    hidden = set(cards_in(g.hand[1 - seat])) - set(cards_in(g.known[seat]))
    return [game.vocabulary.name("card", name_of(game, card)) for card in sorted(hidden)]


def named_in(page: str, names: list[str]) -> list[str]:
    """Which of the names stand in a page as words of their own."""
    return [name for name in names if re.search(rf"\b{re.escape(name)}\b", page)]


def open_seat_of(browser: Browser, at: Served, seat: int) -> Tab:
    tab = browser.tab(at.url(seat), *WINDOW)
    tab.wait("['mine', 'wait'].includes(document.body.dataset.ready)")
    return tab


def click_once_at(tab: Tab, at: Served, k: int) -> None:
    """One decision where another person may be next."""
    tab.wait(f"document.body.dataset.decision === '{at.table.decision}' && document.body.dataset.ready === 'mine'")
    now = at.table.position.now
    choose(tab, k)
    at.wait(lambda: at.table.position.now > now)


def test_undo_hint_and_a_reload(browser: Browser, served: Opener) -> None:
    at = served("push_of_faith", ["human", "greedy"])
    tab = open_seat(browser, at.url(0))
    play_on(tab, 3)
    log = tab.js(LOG)
    decision = tab.js("document.body.dataset.decision")
    tab.reload()
    tab.wait(f"document.body.dataset.decision === '{decision}' && {READY}")
    assert tab.js(LOG) == log
    tab.key("h")
    tab.wait("document.querySelectorAll('#choices .worth').length", 120)  # the first one waits for the compiler
    best = "actionsOf(place).some((one) => one === Number(choices.moves()[0].dataset.action))"
    assert tab.js(f"board.places().every((place) => place.classList.contains('hinted') === {best})")
    tab.key("u")
    tab.wait(f"document.body.dataset.decision !== '{decision}' && {READY}")
    assert len(tab.js(LOG)) < len(log)
    tab.key("ArrowLeft")
    tab.wait("document.getElementById('turn').innerText.startsWith('After decision')")
    tab.key("End")
    tab.wait("document.body.dataset.ready === 'mine'")
    tab.close()


def test_a_second_window_is_told_that_the_seat_is_taken(browser: Browser, served: Opener) -> None:
    at = served("push_of_faith", ["human", "random"])
    one = open_seat(browser, at.url(0))
    two = browser.tab(at.url(0))
    two.wait("document.body && document.body.innerText.includes('this seat is taken')")
    two.js("document.querySelector('#notice button').click()")
    two.wait("document.body.dataset.ready === 'mine'")
    one.wait("document.body.innerText.includes('taken over by another window')")
    click_once(two, 0)
    assert at.table.position.now >= 1
    one.close()
    two.close()


def test_another_origin_cannot_play(browser: Browser, served: Opener) -> None:
    """A page that is not ours, in the same browser, with the link in hand."""
    at = served("push_of_faith", ["human", "random"])
    tab = browser.tab("data:text/html,<p>elsewhere")
    sent = {"method": "'POST'", "headers": "{'Content-Type': 'application/json'}", "body": "'{}'"}
    options = ", ".join(f"{key}: {value}" for key, value in sent.items())
    for extra in ("", ", mode: 'no-cors'"):
        tab.js(f"fetch('{at.url(0)}play', {{{options}{extra}}}).then((a) => a.text(), () => 'refused')")
    answer = tab.js(f"fetch('{at.url(0)}news').then((a) => a.text(), () => 'refused')")
    assert answer == "refused" and at.table.position.now == 0
    tab.close()


def listen() -> None:
    """Hear SIGINT: a process that a script started in the background ignores it, and so do those that it starts."""
    signal.signal(signal.SIGINT, signal.default_int_handler)


@contextmanager
def command(*arguments: str, **variables: str) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """`theogony play ...` as a process, and the address of its first seat."""
    line = [sys.executable, "-m", "theogony", "play", *arguments, "--no-browser"]
    pipes: dict[str, Any] = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "env": os.environ | variables}
    process = subprocess.Popen(line, **pipes, text=True, preexec_fn=listen)
    try:
        assert process.stdout is not None
        found = next((text for text in process.stdout if "http://" in text), None)
        assert found is not None, process.stderr and process.stderr.read()
        yield process, found.split(": ", 1)[1].strip()
    finally:
        process.kill()
        process.communicate()


def test_a_first_game_is_seen_while_its_rules_are_compiled(browser: Browser, tmp_path: Path) -> None:
    """With an empty cache: the page shows the start of the game and how far it is, decides nothing before, then all."""
    record, cache = tmp_path / "game.jsonl", str(tmp_path / "cache")
    seats = ("push_of_faith", "--seats", "human,greedy", "--seed", "5", "--record", str(record))
    with command(*seats, THEOGONY_CACHE_DIR=cache) as (_, url):
        tab = browser.tab(url, *WINDOW)
        tab.wait("Boolean(document.querySelector('#board svg'))")
        assert not record.exists()
        told = "document.getElementById('turn').innerText"
        tab.wait(f"/^Rules are being compiled, once: [1-9]/.test({told})", 120)
        drawn = tab.js("document.querySelector('#board svg').outerHTML")
        assert tab.js("document.body.dataset.ready") == "wait" and tab.js("document.getElementById('asked').inert")
        tab.key("r")
        tab.wait("document.getElementById('book').open")
        tab.key("Escape")
        tab.wait("document.body.dataset.ready === 'mine'", 120, moving=told)
        assert tab.js("document.querySelector('#board svg').outerHTML").split("data-actions")[0] in drawn
        click_once(tab, 0)
        tab.close()
    assert read_record(record).now >= 1


def test_a_killed_server_loses_nothing(browser: Browser, tmp_path: Path) -> None:
    """The same page goes on by itself when the server is there again."""
    record = tmp_path / "game.jsonl"
    with command("push_of_faith", "--seats", "human,random", "--seed", "5", "--record", str(record)) as (process, url):
        tab = open_seat(browser, url)
        play_on(tab, 4)
        decision, log = (
            tab.js(f"document.{what}") for what in ("body.dataset.decision", "getElementById('log').textContent")
        )
        os.kill(process.pid, signal.SIGKILL)
        tab.wait("document.body.innerText.includes('not connected')")
        assert not tab.js("document.getElementById('gone').hidden") and tab.js("document.getElementById('asked').inert")
        assert (
            "Every decision so far is saved" in tab.text()
            and f"theogony play --resume {record} starts it" in tab.text()
        )
    kept = read_record(record)
    assert kept.now >= 4
    with command("--resume", str(record)) as (process, again):
        assert again == url
        tab.wait(f"document.body.dataset.decision !== '{decision}' && {READY}")
        assert tab.js(LOG) == log
        play_on(tab)
        process.send_signal(signal.SIGINT)
        _, said = process.communicate(timeout=120)
        assert (
            said.strip() == f"theogony: stopped; every decision is saved, go on with: theogony play --resume {record}"
        )
    assert read_record(record).over
    tab.close()


def test_a_game_played_again_goes_on_from_the_record_that_the_page_names(browser: Browser, tmp_path: Path) -> None:
    """Also when the first record is at hand: it holds the first game only."""
    record = tmp_path / "game.jsonl"
    with command("push_of_faith", "--seats", "human,random", "--seed", "5", "--record", str(record)) as (process, url):
        tab = open_seat(browser, url)
        play_on(tab)
        over = tab.js("document.body.dataset.decision")
        tab.js("document.getElementById('rematch').click()")
        tab.wait(f"document.body.dataset.decision !== '{over}' && document.body.dataset.ready === 'mine'")
        play_on(tab, 2)
        log = tab.js(LOG)
        os.kill(process.pid, signal.SIGKILL)
        tab.wait("!document.getElementById('gone').hidden")
        *_, named = shlex.split(tab.js("document.getElementById('resume').innerText"))
    assert named != str(record) and read_record(named).now >= 2 and read_record(record).over
    with command("--resume", named) as (process, again):
        assert again == url
        tab.wait("document.getElementById('gone').hidden && document.body.dataset.ready === 'mine'")
        assert tab.js(LOG) == log
        play_on(tab, 2)
    assert read_record(named).now >= 4
    tab.close()


def test_what_is_asked_of_a_move_is_not_wanted_after_the_decision(
    browser: Browser, served: Opener, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Neither what is still to be asked when one clicks, nor what the server still looks at, is answered by a 409."""
    preview, began = Table.preview, threading.Event()

    def slow(*asked: Any) -> list[str]:
        began.set()
        time.sleep(0.4)
        return preview(*asked)

    monkeypatch.setattr(Table, "preview", slow)
    tab = open_seat(browser, served("push_of_faith", ["human", "random"]).url(0))
    for wait in (False, True, False, True):
        _, x, y = tab.js(f"{LISTED}(0)")
        began.clear()
        tab.call("Input.dispatchMouseEvent", type="mouseMoved", x=x, y=y)
        assert not wait or began.wait(10)
        decision = tab.js("document.body.dataset.decision")
        tab.click(x, y)
        tab.wait(f"document.body.dataset.decision !== '{decision}' && {READY}")
    time.sleep(0.8)
    assert tab.js(REFUSED) == []
    tab.close()


def test_a_replay_page_opens_from_disk(browser: Browser, tmp_path: Path) -> None:
    position, rng = Position(load("push_of_faith").configure({}), 4), np.random.default_rng(1)
    while not position.over:
        position.play(int(rng.choice(position.legal_actions())))
    path = tmp_path / "game.html"
    path.write_text(replay_page(film_of(position)), encoding="utf-8")
    tab = browser.tab(path.as_uri())
    tab.wait("document.body.dataset.ply === '0'")
    first = tab.js("document.querySelector('#board svg').outerHTML")
    tab.key("End")
    tab.wait(f"document.body.dataset.ply === '{position.now}'")
    assert "The game is over." in tab.text()
    for score in position.scores():
        assert f"{score:g}" in tab.js("document.getElementById('result').innerText")
    tab.key("Home")
    tab.key("ArrowRight")
    tab.wait("document.body.dataset.ply === '1'")
    tab.key("ArrowLeft")
    tab.wait("document.body.dataset.ply === '0' && !document.querySelector('#board .away')")  # pieces have come down
    assert tab.js("document.querySelector('#board svg').outerHTML") == first
    tab.js("document.getElementById('pace').value = '120'")
    tab.key(" ")
    tab.wait("Number(document.body.dataset.ply) > 2")
    tab.key(" ")
    tab.js("(view => { view.value = '1'; view.dispatchEvent(new Event('change')); })(document.getElementById('view'))")
    asked = tab.js("performance.getEntriesByType('resource').map((entry) => entry.name)")
    assert [name for name in asked if not name.startswith("data:")] == []
    tab.close()
