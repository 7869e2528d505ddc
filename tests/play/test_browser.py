"""Whole games in a real browser: played by clicking, reloaded, killed and gone on with; replay pages from disk."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np
import pytest
from browser import Browser, Tab
from serving import Opener, Served

from theogony.envs import load
from theogony.envs.core.gamerecord import read_record
from theogony.envs.core.places import no_places
from theogony.envs.core.position import Position
from theogony.play.film import film_of
from theogony.play.replay import replay_page

pytestmark = [pytest.mark.xdist_group("browser"), pytest.mark.slow]

AT_ONCE = "localStorage.setItem('pace', '0')"
LOG = "document.getElementById('log').innerText"
READY = "['mine', 'over'].includes(document.body.dataset.ready)"
# Where the k-th thing to click is: a place of the picture, else an action in the list. [x, y, how many ids it has]
FIND = """(k => {
  const seen = (node) => { node.scrollIntoView({block: 'nearest'}); const r = node.getBoundingClientRect();
    return [r.left + r.width / 2, r.top + r.height / 2]; };
  const hit = (place) => { const [x, y] = seen(place), top = document.elementFromPoint(x, y);
    const ids = place.getAttribute('data-actions').split(' ').length;
    return top && top.closest('[data-actions]') === place ? [x, y, ids] : null; };
  const places = [...document.querySelectorAll('#board [data-actions]')];
  for (let i = 0; i < places.length; i++) {
    const found = hit(places[(k + i) % places.length]);
    if (found) return found;
  }
  const listed = [...document.querySelectorAll('#choices button')];
  return [...seen(listed[k % listed.length]), 0];
})"""
MENU = """(k => {
  const listed = document.querySelectorAll('#menu button'), r = listed[k % listed.length].getBoundingClientRect();
  return [r.left + r.width / 2, r.top + r.height / 2]; })"""


def open_seat(browser: Browser, url: str) -> Tab:
    """A window at a seat, with bots' moves shown at once."""
    tab = browser.tab(url)
    tab.wait("document.body && document.body.dataset.page")
    tab.js(AT_ONCE)
    tab.reload()
    tab.wait(READY)
    return tab


def click_once(tab: Tab, k: int) -> int:
    """Decide by real clicks: on the picture, and in the menu where a place has several actions. How many ids it had."""
    decision = tab.js("document.body.dataset.decision")
    x, y, ids = tab.js(f"{FIND}({k})")
    tab.click(x, y)
    if ids > 1:
        tab.wait("document.querySelectorAll('#menu button').length")
        tab.click(*tab.js(f"{MENU}({k})"))
    tab.wait(f"document.body.dataset.decision !== '{decision}' && {READY}")
    return ids


def play_on(tab: Tab, most: int = 400) -> tuple[int, int]:
    """Click until the game is over, or so many times. How often in all, and how often on the picture."""
    made = on_picture = 0
    while made < most and tab.js("document.body.dataset.ready") != "over":
        on_picture += click_once(tab, 7 * made) > 0
        made += 1
    return made, on_picture


@pytest.mark.parametrize(
    ("game", "seats"),
    [("push_of_faith", 2), ("orbis", 3), ("innovation", 4), ("terra_mystica", 3), ("god_of_war", 1)],
)
def test_a_whole_game_is_played_by_clicking(browser: Browser, served: Opener, game: str, seats: int) -> None:
    at = served(game, ["human", *["random"] * (seats - 1)])
    tab = open_seat(browser, at.url(0))
    made, on_picture = play_on(tab)
    own = sum(int(at.table.position.states[k].actor) == 0 for k in range(at.table.position.now))
    assert at.table.position.over and made == own
    if load(game).places is not no_places:
        assert on_picture > made / 2
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
        hidden = at.table.position.g.hand[1 - seat]
        known = at.table.position.g.known[seat]
        for card in range(105):
            if int(hidden[card >> 6]) >> (card & 63) & 1 and not int(known[card >> 6]) >> (card & 63) & 1:
                name = at.table.game.actions.text(card).removeprefix("card ")
                assert not re.search(rf"\\b{re.escape(name)}\\b", page), f"seat {seat} sees {name}"
        for secret in (at.kept.links[1 - seat], at.kept.watch, at.record.name):
            assert secret and secret not in page
    for tab in tabs:
        tab.close()


def open_seat_of(browser: Browser, at: Served, seat: int) -> Tab:
    tab = browser.tab(at.url(seat))
    tab.wait("['mine', 'wait'].includes(document.body.dataset.ready)")
    return tab


def click_once_at(tab: Tab, at: Served, k: int) -> None:
    """One decision where another person may be next."""
    tab.wait(f"document.body.dataset.decision === '{at.table.decision}' && document.body.dataset.ready === 'mine'")
    now = at.table.position.now
    x, y, ids = tab.js(f"{FIND}({k})")
    tab.click(x, y)
    if ids > 1:
        tab.wait("document.querySelectorAll('#menu button').length")
        tab.click(*tab.js(f"{MENU}({k})"))
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
    tab.wait("document.querySelectorAll('#advice .option').length")
    tab.key("u")
    tab.wait(f"document.body.dataset.decision !== '{decision}' && {READY}")
    assert len(tab.js(LOG)) < len(log)
    tab.key("ArrowLeft")
    tab.wait("!document.getElementById('past').hidden")
    tab.key("End")
    tab.wait("document.getElementById('past').hidden")
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
def command(*arguments: str) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """`theogony play ...` as a process, and the address of its first seat."""
    line = [sys.executable, "-m", "theogony", "play", *arguments, "--no-browser"]
    process = subprocess.Popen(line, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, preexec_fn=listen)
    try:
        assert process.stdout is not None
        found = next((text for text in process.stdout if "http://" in text), None)
        assert found is not None, process.stderr and process.stderr.read()
        yield process, found.split(": ", 1)[1].strip()
    finally:
        process.kill()
        process.communicate()


def test_a_killed_server_loses_nothing(browser: Browser, tmp_path: Path) -> None:
    """The same page goes on by itself when the server is there again."""
    record = tmp_path / "game.jsonl"
    with command("push_of_faith", "--seats", "human,random", "--seed", "5", "--record", str(record)) as (process, url):
        tab = open_seat(browser, url)
        play_on(tab, 4)
        decision, log = (
            tab.js(f"document.{what}") for what in ("body.dataset.decision", "getElementById('log').innerText")
        )
        os.kill(process.pid, signal.SIGKILL)
        tab.wait("document.body.innerText.includes('not connected')")
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
    tab.wait("document.body.dataset.ply === '0'")
    assert tab.js("document.querySelector('#board svg').outerHTML") == first
    tab.js("document.getElementById('pace').value = '120'")
    tab.key(" ")
    tab.wait("Number(document.body.dataset.ply) > 2")
    tab.key(" ")
    tab.js("(view => { view.value = '1'; view.dispatchEvent(new Event('change')); })(document.getElementById('view'))")
    asked = tab.js("performance.getEntriesByType('resource').map((entry) => entry.name)")
    assert [name for name in asked if not name.startswith("data:")] == []
    tab.close()
