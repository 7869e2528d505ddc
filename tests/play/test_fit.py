"""Every text of every picture fits where it stands: measured in windows of every width, at every number of seats."""

from __future__ import annotations

import json
import re

import numpy as np
import pytest
from browser import Browser, Tab
from serving import Opener
from test_browser import open_seat

from theogony.envs import GAMES, load
from theogony.envs.core.position import Position

pytestmark = [pytest.mark.xdist_group("browser"), pytest.mark.slow]

WIDTHS = (320, 390, 800, 1280, 1920)
NAMES = ["You", *(f"Reference player {k}" for k in range(2, 6))]  # the longest that pages use
# What is wrong with the texts in sight: two that overlap, one that runs out of its part, one that something covers, and
# those of fewer pixels than LEAST.
WRONG = """(() => {
  const found = [], inner = (r, x, y) => ({left: r.left + x, right: r.right - x, top: r.top + y, bottom: r.bottom - y});
  const meet = (a, b) => a.left < b.right - 1 && b.left < a.right - 1 && a.top < b.bottom - 1 && b.top < a.bottom - 1;
  const solid = (one) => !['none', null].includes(one.getAttribute('fill')) &&
    !one.closest('[data-frame], [opacity], [fill-opacity]');
  for (const slot of document.querySelectorAll('.slot')) {
    const frame = inner(slot.firstElementChild.getBoundingClientRect(), -2, -2);
    const parts = [...slot.querySelectorAll('text, rect, circle, polygon')];
    if (frame.right - frame.left < 5) continue;
    const texts = parts.flatMap((one, k) => {
      if (one.tagName !== 'text' || !one.textContent.trim()) return [];
      const r = one.getBoundingClientRect(), m = one.getScreenCTM();
      const size = one.getAttribute('font-size') * Math.hypot(m.a, m.b);
      return [{ k, said: one.textContent, size, ...inner(r, 1, Math.abs(m.b) > .01 ? 0 : .24 * r.height) }]; });
    texts.forEach((a, i) => {
      if (a.left < frame.left || a.right > frame.right || a.top < frame.top || a.bottom > frame.bottom)
        found.push(['out of its part', a.said, slot.dataset.slot]);
      for (const b of texts.slice(i + 1)) if (meet(a, b)) found.push(['overlap', a.said, b.said]);
      for (const over of parts.slice(a.k + 1).filter((one) => one.tagName !== 'text' && solid(one)))
        if (meet(a, inner(over.getBoundingClientRect(), 1, 1)))
          found.push(['covered', a.said, over.outerHTML.slice(0, 120)]);
    });
    for (const one of texts.filter(({size}) => size < LEAST)) found.push(['small', one.said, one.size.toFixed(1)]);
  }
  return found;
})()"""


def pictures(game: str, seats: int) -> list[str]:
    """A position in the middle and one at the end, as seat 0 sees them."""
    position = Position(load(game).configure({"players": seats}), 5)
    rng, drawn = np.random.default_rng(seats), []
    while not position.over and position.now < 400:
        position.play(int(rng.choice(position.legal_actions())))
        if position.now == 70:
            drawn.append(position.svg(0, interactive=True))
    return [*drawn, position.svg(0)]


def wrong(tab: Tab, svg: str, least: float) -> list[list[str]]:
    tab.js(f"board.show(people.draw({json.dumps(svg)}), String(Math.random()))")
    return tab.js(WRONG.replace("LEAST", str(least)))


@pytest.mark.parametrize("game", GAMES)
def test_every_text_fits(browser: Browser, served: Opener, game: str) -> None:
    counts = load(game).players
    at = served(game, ["human", *["random"] * (max(2, min(counts)) - 1)])
    tab = open_seat(browser, at.url(0))
    tab.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-reduced-motion", "value": "reduce"}])
    tab.js(f"people.names = {json.dumps(NAMES)}")
    found = set()
    for seats in counts:
        for svg in pictures(game, seats):
            for width in WIDTHS:
                tab.size(width, 800)
                tab.wait(f"innerWidth === {width} && layout.window === {width}")
                large = 9 if game == "terra_mystica" and width == 1280 else 11  # there all of it is seen at once
                for one in wrong(tab, svg, large if width >= 640 else 8 * min(width, 390) / 480):
                    found.add((width, seats, *one))
    tab.close()
    assert not found, "\n".join(map(str, sorted(found, key=lambda one: str(one[2:]))))


# Every thing with words, pointed at: how many were drawn large, their smallest text in pixels, and what was empty.
LARGE = """(() => {
  let drawn = 0, small = [99, ''];
  const empty = [];
  for (const one of document.querySelectorAll('#board [data-word]')) {
    one.scrollIntoView({block: 'center'});
    panel.hide();
    panel.show(one, 0);
    const svg = document.querySelector('#panel > svg');
    if (!svg) continue;
    drawn++;
    const shapes = [...svg.querySelectorAll('text, path, polygon, circle, rect')];
    if (shapes.filter((shape) => shape.getAttribute('fill') !== 'none').length < 2) empty.push(one.dataset.word);
    for (const text of shapes.filter(({tagName}) => tagName === 'text')) {
      const m = text.getScreenCTM(), size = text.getAttribute('font-size') * Math.hypot(m.a, m.b);
      if (size < small[0] && text.textContent) small = [size, one.dataset.word, text.textContent];
    }
  }
  return [drawn, small, empty];
})()"""


@pytest.mark.parametrize("game", GAMES)
def test_what_one_points_at_is_shown_whole_and_readable(browser: Browser, served: Opener, game: str) -> None:
    """The piece itself with what stands on it; no empty frame, and no text that is too small to read."""
    at = served(game, ["human", *["random"] * (max(2, min(load(game).players)) - 1)])
    tab = open_seat(browser, at.url(0))
    tab.js(f"board.show({json.dumps(pictures(game, 3)[0])}, 'one')")
    drawn, small, empty = tab.js(LARGE)
    assert drawn > 10 and small[0] > 8 and empty == [], (drawn, small, empty)
    tab.close()


# What is drawn as a picture of its own: its name, what is written there, and its smallest text in pixels.
DRAWN = """(async () => {
  const found = [], all = [...document.querySelectorAll('[data-drawn]')];
  for (const one of new Map(all.map((one) => [one.dataset.drawn, one])).values()) {
    panel.pictures.set(one.dataset.drawn, await panel.fetch(one.dataset.drawn));
    one.scrollIntoView({block: 'center'});
    panel.hide();
    panel.show(one, 0);
    const texts = [...document.querySelectorAll('#panel > .drawn > svg text')];
    const size = (text) => text.getAttribute('font-size') * Math.abs(text.getScreenCTM().a);
    found.push([one.dataset.drawn, texts.map((text) => text.textContent).join(' '), Math.min(...texts.map(size))]);
  }
  return found;
})()"""


@pytest.mark.parametrize(
    ("game", "kind", "says"), [("innovation", "card", "{}"), ("terra_mystica", "structure", "costs .*income")]
)
def test_a_covered_card_and_a_structure_are_drawn_whole(
    browser: Browser, served: Opener, game: str, kind: str, says: str
) -> None:
    """The card with its name and age; the structure with what it costs its faction, brings, and becomes."""
    at = served(game, ["human", "random"])
    tab = open_seat(browser, at.url(0))
    found = tab.js(f"(board.show({json.dumps(pictures(game, 3)[0])}, 'one'), {DRAWN})")
    assert len(found) > 5 and all(name.startswith(f"{kind}:") for name, *_ in found)
    for name, told, size in found:
        assert re.search(says.format(re.escape(name.partition(":")[2])), told) and size >= 8.5, (name, told, size)
    if kind == "structure":
        assert any("→ trading house" in told for _, told, _ in found)
    tab.close()


def test_a_covered_card_that_a_seat_cannot_know_is_not_drawn() -> None:
    """Where the order of a pile is unknown (ruling R11 of Innovation); its owner knows it."""
    position, rng = Position(load("innovation").configure({"players": 2}), 3), np.random.default_rng(3)
    while min(position.g.height[5:10].max(), position.g.height[:5].max()) < 3:
        position.play(int(rng.choice(position.legal_actions())))
    covered = r'<g[^>]*data-place="pile {} [a-z]+ [^"]+"[^>]*data-drawn=[^>]*>'
    before = [len(re.findall(covered.format(seat), position.svg(0))) for seat in (0, 1)]
    position.g.mixed[:] = 2**64 - 1  # as if all cards had been mixed
    after = [len(re.findall(covered.format(seat), position.svg(0))) for seat in (0, 1)]
    assert min(before) > 0 and after == [before[0], 0]
    assert "this or another covered card of this pile" in position.svg(0)


def test_panels_of_innovation_do_not_grow_with_hands() -> None:
    """So nothing below them moves when one draws: up to eight cards, in one's own hand and in that of another seat."""
    position = Position(load("innovation").configure({"players": 2}), 3)
    while position.g.decision == 0 or int(position.g.ply) < 4:
        position.play(int(position.legal_actions()[0]))
    for seat in (0, 1):
        heights = set()
        for cards in range(9):
            position.g.hand[0] = 0
            position.g.hand[0][0] = 2**cards - 1
            heights.add(re.search(r'data-region="seat 0"[^>]*data-size="([^"]+)"', position.svg(seat))[1])  # pyright: ignore[reportOptionalSubscript]
        assert len(heights) == 1, (seat, heights)
