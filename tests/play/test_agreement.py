"""What people agree on: taking back, new games, names. And what those see who look on."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from browser import Browser, Tab
from serving import Opener, Served
from test_browser import click_once, open_seat, play_on

from theogony.envs.core.gamerecord import read_record
from theogony.play.agreement import OPPONENTS


def moved(at: Served, count: int) -> None:
    """So many decisions, all of them some action that is legal."""
    for k in range(count):
        legal = at.table.position.legal_actions()
        assert at.play(at.table.position.actor, int(legal[5 * k % len(legal)]))[0] == 200


def wish(at: Served, seat: int | None = 0) -> dict[str, object] | None:
    return at.get(seat, "news")["wish"]


def test_people_take_back_when_all_of_them_agree(served: Opener) -> None:
    at = served("push_of_faith", ["human", "human", "human"])
    moved(at, 5)
    position = at.table.position
    asker = int(position.states[4].actor)
    others = [seat for seat in range(3) if seat != asker]
    decision = at.table.decision
    assert at.post(asker, "undo", decision=decision)[0] == 200 and position.now == 5
    assert wish(at, None) == {"kind": "undo", "seat": asker, "seats": [], "agreed": [asker]}
    assert at.post(others[0], "answer", decision=decision, agreed=True)[0] == 200 and position.now == 5
    assert at.post(others[1], "answer", decision=decision, agreed=True)[0] == 200
    assert position.now == 4 and position.actor == asker and wish(at) is None
    assert at.post(asker, "answer", decision=decision, agreed=True)[0] == 409


def test_a_wish_ends_by_a_no_and_by_the_next_decision(served: Opener) -> None:
    at = served("push_of_faith", ["human", "human"])
    moved(at, 3)
    asker = int(at.table.position.states[2].actor)
    at.post(asker, "undo", decision=at.table.decision)
    assert at.post(1 - asker, "answer", decision=at.table.decision, agreed=False)[0] == 200 and wish(at) is None
    at.post(asker, "undo", decision=at.table.decision)
    late = at.table.decision
    moved(at, 1)
    assert wish(at) is None
    assert at.post(1 - asker, "answer", decision=late, agreed=True)[0] == 409 and at.table.position.now == 4
    assert at.post(None, "answer", decision=at.table.decision, agreed=True)[0] == 409


def test_a_new_game_is_another_record_with_the_same_links(served: Opener) -> None:
    at = served("push_of_faith", ["human", "greedy"])
    moved(at, 1)
    first = read_record(at.record)
    status, news = at.post(0, "again", decision=at.table.decision, seats=["human", "random"])
    assert status == 200 and news["now"] == 0 and news["seats"] == ["human", "random"]
    records = sorted(set(at.record.parent.glob("*.jsonl")) - {at.record})
    assert news["resume"] == f"theogony play --resume {records[0]}" and "resume" not in at.get(None, "news")
    assert "resume" not in served("push_of_faith", ["human", "human"], seed=8).get(0, "news")
    assert len(records) == 1 and read_record(at.record).key() == first.key()
    moved(at, 1)
    at.wait(lambda: read_record(records[0]).now >= 1)
    assert str(at.kept.links[0]) in Path(records[0].with_suffix(".table.json")).read_text()


@pytest.mark.parametrize(
    "seats", [["human"], ["greedy", "human"], ["human", "human"], ["human", "my_module:Player"], ["human", "runs/x"]]
)
def test_only_known_players_are_asked_to_a_new_game(served: Opener, seats: list[str]) -> None:
    at = served("push_of_faith", ["human", "greedy"])
    epoch = at.table.epoch
    assert at.post(0, "again", decision=at.table.decision, seats=seats)[0] == 409 and at.table.epoch == epoch


def test_a_name_is_told_to_all(served: Opener) -> None:
    at = served("push_of_faith", ["human", "human"])
    assert at.post(1, "sit", name="Ada <b>\u0007")[0] == 200
    assert at.get(0, "news")["called"] == at.get(None, "news")["called"] == [None, "Ada <b>"]
    assert at.post(1, "sit", name="x" * 25)[0] == 400


@pytest.mark.parametrize("kind", ["undo", "again"])
@pytest.mark.xdist_group("browser")
@pytest.mark.slow
def test_two_windows_agree(browser: Browser, served: Opener, kind: str) -> None:
    at = served("push_of_faith", ["human", "human"])
    tabs = [browser.tab(at.url(seat)) for seat in (0, 1)]
    tabs[0].js("localStorage.setItem('called', 'Ada')")
    tabs[0].reload()
    for tab in tabs:
        tab.wait("['mine', 'wait'].includes(document.body.dataset.ready)")
    mover = at.table.position.actor
    tabs[mover].js("document.querySelector('#choices [data-action]').click()")
    at.wait(lambda: at.table.position.now == 1)
    asker, other = tabs[mover], tabs[1 - mover]
    asker.wait("!document.getElementById('undo').disabled")
    epoch = at.table.epoch
    click(asker, "undo" if kind == "undo" else "again")
    asker.wait("document.getElementById('wish').innerText.includes('The others are asked')")
    other.wait("!document.getElementById('wish').hidden")
    if mover == 0:
        assert "Ada" in other.js("document.getElementById('wish').innerText")
    assert at.table.epoch == epoch
    other.js("[...document.querySelectorAll('#wish button')].at(-1).click()")  # no
    asker.wait("document.getElementById('notice').innerText === 'The others did not agree.'")
    click(asker, "undo" if kind == "undo" else "again")
    asker.wait("!document.getElementById('wish').hidden && document.getElementById('notice').hidden")
    asker.js("document.querySelector('#wish button').click()")  # never mind
    other.wait("document.getElementById('wish').hidden")
    asker.wait("document.getElementById('wish').hidden && document.getElementById('notice').hidden")
    click(asker, "undo" if kind == "undo" else "again")
    other.wait("!document.getElementById('wish').hidden")
    other.js("document.querySelector('#wish button').click()")
    at.wait(lambda: at.table.position.now == 0 and at.table.epoch != epoch)
    for tab in tabs:
        tab.wait("document.getElementById('wish').hidden && game.now === 0")
        assert tab.js("document.getElementById('notice').hidden")
        tab.close()


def click(tab: Tab, name: str) -> None:
    tab.js(f"document.getElementById('{name}').click()")


@pytest.mark.xdist_group("browser")
@pytest.mark.slow
def test_a_rematch_against_somebody_else(browser: Browser, served: Opener) -> None:
    at = served("push_of_faith", ["human", "random"])
    tab = open_seat(browser, at.url(0))
    assert tab.js("document.querySelector('#opponents select').options.length") == len(OPPONENTS)
    play_on(tab)
    assert tab.js("document.getElementById('rematch').hidden") is False
    tab.js("document.querySelector('#opponents select').value = 'greedy'")
    click(tab, "rematch")
    tab.wait("document.body.dataset.ready === 'mine' && game.seats[1] === 'greedy' && !game.result")
    click_once(tab, 0)
    assert tab.js("document.getElementById('log').children.length") >= 1 and at.table.seats.names[1] == "greedy"
    tab.close()


@pytest.mark.xdist_group("browser")
@pytest.mark.slow
def test_those_who_look_on_see_what_is_public(browser: Browser, served: Opener) -> None:
    """Innovation: no card of a hand that not everybody knows is on their page, and nothing to choose."""
    at = served("innovation", ["human", "human"])
    moved(at, 12)
    tab = browser.tab(at.url(None))
    tab.wait("document.body.dataset.ready === 'wait' && game.now === 12")
    page = tab.js("document.documentElement.outerHTML + JSON.stringify(game)")
    g, text = at.table.position.g, at.table.game.actions.text
    secret = 0
    for seat in (0, 1):
        for card in range(105):
            bits = [int(row[card >> 6]) >> (card & 63) & 1 for row in (g.hand[seat], g.known[0], g.known[1])]
            if bits[0] and not all(bits[1:]):
                secret += 1
                assert not re.search(rf"\b{re.escape(text(card).removeprefix('card '))}\b", page), text(card)
    assert secret and tab.js("document.querySelectorAll('#choices [data-action], #board [data-actions]').length") == 0
    for name in ("hint", "undo", "rematch", "choices", "preparing"):
        assert tab.js(f"document.getElementById('{name}').offsetWidth") == 0, name
    tab.close()
