"""Sounds of the page in a real browser: none unless somebody switches them on, and then none from elsewhere."""

from __future__ import annotations

import numpy as np
import pytest
from browser import Browser, Tab
from serving import Opener
from test_browser import READY, click_once, open_seat, play_on

from theogony.envs.core.players import KernelPlay

pytestmark = [pytest.mark.xdist_group("browser"), pytest.mark.slow]

LISTEN = """window.heard = []; for (const make of [OscillatorNode, AudioBufferSourceNode]) {
  const start = make.prototype.start;
  make.prototype.start = function (...when) {
    heard.push(Math.round(this.frequency.value));
    return start.apply(this, when); };
} 0"""
SWITCH = "document.getElementById('soundon').click()"


def heard(tab: Tab) -> list[int]:
    """The pitches since this was asked last."""
    return tab.js("heard.splice(0)")


def test_nothing_sounds_unless_it_is_switched_on(browser: Browser, served: Opener) -> None:
    at = served("push_of_faith", ["human", "greedy"])
    tab = open_seat(browser, at.url(0))
    tab.js(LISTEN)
    assert not tab.js("document.getElementById('soundon').checked")
    play_on(tab, 4)
    assert heard(tab) == [] and tab.js("sound.context") is None
    assert tab.js("document.querySelectorAll('audio, video').length") == 0
    tab.js(SWITCH)
    assert heard(tab) == tab.js("TONES.turn.map(([pitch]) => pitch)")  # what it is like
    click_once(tab, 0)
    assert heard(tab)
    tab.js(SWITCH)
    click_once(tab, 1)
    assert heard(tab) == []
    tab.close()


def test_a_move_the_own_turn_and_the_end_sound_differently(browser: Browser, served: Opener) -> None:
    """The choice is kept, looking back is silent, and nothing is fetched to be heard."""
    at = served("push_of_faith", ["human", "human"])
    tab = open_seat(browser, at.url(0))
    tab.js(SWITCH)
    tab.reload()
    tab.wait(READY)
    assert tab.js("document.getElementById('soundon').checked")
    tab.js(LISTEN)
    told = {name: tab.js(f"TONES.{name}.map(([pitch]) => pitch)") for name in ("move", "turn", "over")}
    greedy, stream, seen = KernelPlay(at.table.game), np.array([1], np.uint64), []
    while not at.table.position.over:
        seat = at.table.position.actor
        at.table.play(seat, at.table.decision, greedy.choose(at.table.copy(), 1.0, stream))
        tab.wait(f"game.now === {at.table.position.now} && shown.ply === game.now")
        after = at.table.position
        seen.append((heard(tab), "over" if after.over else "turn" if seat == 1 and after.actor == 0 else "move"))
    assert all(pitches == told[name] for pitches, name in seen)
    assert {name for _, name in seen} == {"move", "turn", "over"}
    tab.key("ArrowLeft")
    tab.wait("document.getElementById('turn').innerText.startsWith('After decision')")
    assert heard(tab) == []
    loaded = tab.js("performance.getEntriesByType('resource').map((one) => new URL(one.name).host)")
    assert set(loaded) == {tab.js("location.host")}
    tab.close()
