"""How the page of a table is laid out in windows of every shape, in a real browser."""

from __future__ import annotations

import random

import pytest
from browser import Browser, Tab
from serving import Opener, Served
from test_browser import PHONE, REACH, READY, SMALLEST, WINDOW, click_once, open_seat, open_tab, play_on

from theogony.envs import GAMES, load

pytestmark = [pytest.mark.xdist_group("browser"), pytest.mark.slow]

WINDOWS = {(390, 844): "phone", (800, 1000): None, (1280, 800): None, (1920, 1080): "beside"}
# What is wider than the window, or reaches beyond what holds it without being scrolled there.
OVERFLOWS = """[document.documentElement,
    ...document.querySelectorAll('header, main, aside, #asked, #choices, #past, #log, #tabs')]
  .filter((one) => one.scrollWidth > one.clientWidth + 1 && one.clientWidth).map((one) => one.id || one.tagName)"""
OWN_FITS = "document.querySelector('.slot.own').offsetWidth <= document.getElementById('board').clientWidth"
SMALL_TARGETS = """[...document.querySelectorAll('button, select, input')].filter((one) => {
  const r = one.getBoundingClientRect(), target = one.type === 'checkbox' ? one.closest('label') : one;
  return r.width && r.height && target.getBoundingClientRect().height < 40; }).map((one) => one.id || one.innerText)"""
# What contrasts are measured with. `under` is what lies under the middle of an element.
LIGHT = """const numbers = (colour) => (colour.match(/[\\d.]+/g) || [0, 0, 0]).slice(0, 3).map(Number);
  const light = (colour) => { const [r, g, b] = colour.map((v) => (v / 255 <= .03928 ? v / 255 / 12.92
    : ((v / 255 + .055) / 1.055) ** 2.4)); return .2126 * r + .7152 * g + .0722 * b; };
  const contrast = (p, q) => { const [a, b] = [light(p), light(q)];
    return (Math.max(a, b) + .05) / (Math.min(a, b) + .05); };
  const faded = (one) => { for (let at = one; at && at.id !== 'board'; at = at.parentElement)
    if (at.getAttribute('opacity')) return true; return false; };
  const page = numbers(getComputedStyle(document.body).backgroundColor);
  const under = (t) => { const r = t.getBoundingClientRect();
    const all = document.elementsFromPoint(r.left + r.width / 2, r.top + r.height / 2);
    const found = all.find((one) => one !== t && /rect|circle|polygon|path/.test(one.tagName) && !faded(one)
      && !['none', 'rgba(0, 0, 0, 0)'].includes(getComputedStyle(one).fill)
      && one.compareDocumentPosition(t) & 4 && getComputedStyle(one).fillOpacity === '1');
    return found ? numbers(getComputedStyle(found).fill) : page; };"""
# The pictures anew, with every shape where it is used, so that it is found there, in the colours that it has there.
INLINE = """(() => {
  layout.key = null;
  board.again();
  for (let k = 0; k < 5; k++) {
    const used = [...document.querySelectorAll('#board use')].filter((use) => !use.closest('defs'));
    const inks = used.map((use) => getComputedStyle(use)).map(({ fill, stroke }) => ({ fill, stroke }));
    for (const [n, use] of used.entries()) {
      const group = document.createElementNS('http://www.w3.org/2000/svg', 'g');
      const shape = use.ownerSVGElement.querySelector(`#${CSS.escape(use.getAttribute('href').slice(1))}`);
      const [x, y] = ['x', 'y'].map((at) => use.getAttribute(at) || 0);
      const told = [...use.attributes].filter(({ name }) => !/href|^x$|^y$/.test(name));
      for (const { name, value } of told) group.setAttribute(name, value);
      group.setAttribute('transform', `${use.getAttribute('transform') || ''} translate(${x} ${y})`);
      group.dataset.own = '1';
      Object.assign(group.style, inks[n]);
      group.append(shape.cloneNode(true));
      use.replaceWith(group);
    }
  }
  for (const defs of document.querySelectorAll('#board defs')) defs.remove();
})()"""
# The contrast of every text of the pictures in sight with what lies under its middle: [contrast, text].
CONTRASTS = f"""(() => {{ {LIGHT}
  return [...document.querySelectorAll('#board text')].filter((t) => t.textContent.trim() && !faded(t)).map((t) =>
    [contrast(numbers(getComputedStyle(t).fill), under(t)), t.textContent]); }})()"""
# The same of every icon and sign, by its fill or its line, whichever stands out more: [contrast, where it is].
SYMBOLS = f"""(() => {{ {LIGHT}
  const where = (t) => (t.closest('[data-word], [data-place]') || {{dataset: {{}}}}).dataset;
  const drawn = [...document.querySelectorAll('#board path')]; // scenes are shades: tests/test_colours.py measures them
  const clear = drawn.filter((t) => !t.parentElement.closest('[opacity], [id^=land-]'));
  return clear.map((t) => {{
    const css = getComputedStyle(t), ground = under(t), part = Number(t.getAttribute('opacity') || 1);
    const inks = [css.fill, css.stroke].filter((one) => one.startsWith('rgb')).map(numbers);
    const seen = inks.map((ink) => contrast(ink.map((v, k) => part * v + (1 - part) * ground[k]), ground));
    return [Math.max(...seen), where(t).word || where(t).place || '', css.fill, css.stroke, ground.join()]; }});
  }})()"""
# Dotted places that a finger misses where it should meet them, at most 40 pixels around: [place, x, y]. And all places.
MISSED = """(() => { const missed = [], places = board.places(), pane = document.getElementById('board');
  for (const place of places) {
    place.scrollIntoView({block: 'center', inline: 'center'});
    const r = place.getBoundingClientRect(), p = pane.getBoundingClientRect();
    for (const u of [-19, 0, 19]) for (const v of [-19, 0, 19]) {
      const x = r.left + r.width / 2 + u, y = r.top + r.height / 2 + v;
      if (x < p.left || x > p.right || y < p.top || y > p.bottom) continue;
      const top = document.elementFromPoint(x, y);
      if (!top || !pane.contains(top)) continue; // a button that floats above the board
      const under = top.closest('[data-actions]');
      if (!board.meant(under, x, y).includes(place) && !(under && place.contains(under)))
        missed.push([place.dataset.place, u, v]);
    }
  }
  return [missed, places.length]; })()"""
AA_TEXT, AA_SYMBOL = 4.5, 3.0
# Whether a headline is seen in full, with what stands before and after the question.
HEADLINE = """(asked => { const line = document.getElementById('turn'), said = line.textContent;
  line.textContent = `Your turn. ${asked} (100 ways).`;
  const full = line.scrollWidth <= line.clientWidth && line.scrollHeight <= line.clientHeight + 2;
  const above = document.getElementById('state').getBoundingClientRect(), r = line.getBoundingClientRect();
  line.textContent = said;
  return full && (r.bottom <= above.top + 1 || r.top >= above.bottom - 1); })"""
# Corners of the board over which something else lies.
COVERED = """((pane, r) => [[r.left, r.top], [r.right, r.top], [r.left, r.bottom], [r.right, r.bottom]].map(([x, y]) =>
    document.elementFromPoint(x + (x === r.left ? 9 : -30), y + (y === r.top ? 9 : -9)))
  .filter((one) => !pane.contains(one)).map((one) => one.id || one.outerHTML))(
  document.getElementById('board'), document.getElementById('board').getBoundingClientRect())"""
# The places whose whole height is in sight.
IN_SIGHT = """((pane) => board.places().filter((place) => { const box = place.getBoundingClientRect();
  return box.top >= pane.top - 1 && box.bottom <= pane.bottom + 1; }))(
  document.getElementById('board').getBoundingClientRect())"""
SCALE = "document.querySelector('#board svg').getScreenCTM().a"


def seats_of(game: str) -> list[str]:
    return ["human", *["greedy"] * (max(2, min(load(game).players)) - 1)]


@pytest.mark.parametrize("game", GAMES)
def test_nothing_overflows_and_texts_can_be_read(browser: Browser, served: Opener, game: str) -> None:
    at = served(game, seats_of(game))
    tab = open_seat(browser, at.url(0))
    play_on(tab, 6)
    for (width, height), shape in WINDOWS.items():
        tab.size(width, height)
        tab.wait(f"innerWidth === {width} && layout.window === {width}")
        found = tab.js("document.body.dataset.shape")
        assert found == shape if shape else found != "phone"
        for name in ("board", "hand", "choices", "log"):
            open_tab(tab, name)
            assert tab.js(OVERFLOWS) == [], f"{width}: {name}"
            assert tab.js(SMALL_TARGETS) == [], f"{width}: {name}"
        for asked in at.table.game.vocabulary.of("phase"):  # of all headlines
            assert tab.js(f"{HEADLINE}({asked.does!r})"), f"{width}: {asked.does}"
        if shape == "phone":  # what is mine needs no moving sideways
            open_tab(tab, "hand")
            assert tab.js(OWN_FITS)
        if width >= 800:
            size, said = tab.js(SMALLEST)
            large = 9 if game == "terra_mystica" and width == 1280 else 11  # there all of it is seen at once
            assert size >= large, f"{width}: {said!r} has {size} pixels"
    tab.close()


def test_the_own_seat_lies_next_to_the_board(browser: Browser, served: Opener) -> None:
    """As large as the board, whatever the number of the seat."""
    at = served("orbis", ["greedy", "greedy", "human"])
    tab = open_seat(browser, at.url(2))
    parts = tab.js("[...document.querySelectorAll('.slot')].map((slot) => slot.dataset.slot)")
    assert parts[:2] == ["display", "seat 2"]
    widths = [tab.js(f"document.querySelector(`[data-slot='{name}']`).offsetWidth") for name in parts]
    assert widths[1] > widths[0] and widths[1] > 0.4 * tab.js("document.getElementById('board').offsetWidth")
    tab.close()


@pytest.mark.parametrize(
    ("game", "seats"), [("innovation", 2), ("god_of_war", 1), ("terra_mystica", 5), ("orbis", 4), ("push_of_faith", 5)]
)
def test_board_and_own_seat_are_in_sight_beside_the_moves(
    browser: Browser, served: Opener, game: str, seats: int
) -> None:
    """In a window of 1280 by 800 nobody has to look for the own cards below the board: most of them are in sight."""
    at = served(game, ["human", *["greedy"] * (seats - 1)])
    tab = open_seat(browser, at.url(0))
    play_on(tab, 4, every=False)
    assert tab.js("document.body.dataset.shape") == "beside"
    tab.js("document.getElementById('board').scrollTop = 0")
    share = tab.js("""(([seat, pane]) => (Math.min(seat.bottom, pane.bottom) - seat.top) / seat.height)(
      ['.slot.own', '#board'].map((one) => document.querySelector(one).getBoundingClientRect()))""")
    assert share > 0.75
    tab.close()


@pytest.mark.parametrize(("game", "seats"), [("push_of_faith", 5), ("orbis", 4), ("innovation", 2)])
def test_a_large_window_shows_all_seats(browser: Browser, served: Opener, game: str, seats: int) -> None:
    """None hangs off the bottom beside an empty slot, and what has room is drawn large."""
    tab = open_seat(browser, served(game, ["human", *["random"] * (seats - 1)]).url(0), (1920, 1080))
    tab.js("guide.met()")
    tab.wait("(pane => pane.scrollHeight <= pane.clientHeight + 1)(document.getElementById('board'))")
    assert tab.js("Math.min(...layout.scales)") > 1
    tab.close()


def test_the_board_is_zoomed_and_moved(browser: Browser, served: Opener) -> None:
    at = served("push_of_faith", ["human", "greedy"])
    tab = open_seat(browser, at.url(0))
    size = tab.js(SCALE)
    for _ in range(3):
        tab.key("+")
    assert tab.js(SCALE) > 1.2 * size
    decision = tab.js("game.decision")
    x, y = tab.js(f"{REACH}(board.named('map b2'))")[2:]
    drag(tab, (x, y), (x - 60, y - 40))  # from a dotted place, which moves along
    assert tab.js("document.getElementById('board').scrollLeft") > 50
    assert tab.js("link.busy.then(() => game.decision)") == decision
    drag(tab, (500, 400), (300, 350))
    assert tab.js("document.getElementById('board').scrollLeft") > 100
    tab.key("w")
    assert tab.js("(pane => pane.scrollHeight <= pane.clientHeight + 1)(document.getElementById('board'))")
    tab.key("0")
    assert tab.js(SCALE) == size
    shown = (
        "[...document.querySelectorAll('#zoom button')].filter((one) => one.offsetWidth).map((one) => one.innerText)"
    )
    assert tab.js(shown) == ["Zoom"]
    assert tab.js(COVERED) == []  # none of its corners lies beneath a button
    tab.js("document.querySelector('#zoom button').focus()")
    assert tab.js(shown) == ["Zoom", "+", "−", "1:1", "▣"]
    tab.call("Input.dispatchMouseEvent", type="mouseWheel", x=500, y=400, deltaX=0, deltaY=-100, modifiers=2)
    tab.wait(f"{SCALE} > {size}")
    tab.close()


def drag(tab: Tab, start: tuple[int, int], end: tuple[int, int]) -> None:
    mouse = {"button": "left", "buttons": 1}
    tab.call("Input.dispatchMouseEvent", type="mousePressed", x=start[0], y=start[1], clickCount=1, **mouse)
    tab.call("Input.dispatchMouseEvent", type="mouseMoved", x=end[0], y=end[1], **mouse)
    tab.call("Input.dispatchMouseEvent", type="mouseReleased", x=end[0], y=end[1], clickCount=1, **mouse)


@pytest.mark.parametrize("game", GAMES)
def test_pictures_stand_out_by_day_and_by_night(browser: Browser, served: Opener, game: str) -> None:
    """As WCAG 2.1 AA asks of texts and of graphics."""
    at = served(game, seats_of(game))
    tab = open_seat(browser, at.url(0))
    play_on(tab, 8)
    tab.size(1920, 1600)
    tab.wait("layout.window === 1920")
    tab.key("w")
    tab.js("document.head.append(make('style', {}, '#board * { pointer-events: all !important; }'))")  # all is found
    for dark in (False, True):
        tab.dark(dark)
        tab.js(INLINE)
        found = tab.js(CONTRASTS)
        assert len(found) > 20
        assert [(round(contrast, 1), said) for contrast, said in found if contrast < AA_TEXT] == []
        assert [(round(contrast, 1), *where) for contrast, *where in tab.js(SYMBOLS) if contrast < AA_SYMBOL] == []
    tab.close()


# Between two spaces of a map that lie side by side and can be clicked: a point, or nothing.
AMONG = """(() => { const boxes = board.places().filter((place) => place.closest('[data-slot=map]'))
    .map((place) => place.getBoundingClientRect()).map((box) => [box.x + box.width / 2, box.y + box.height / 2]);
  for (const [x, y] of boxes) for (const [u, v] of boxes) {
    if ((u !== x || v !== y) && Math.hypot(u - x, v - y) < 34) return [(x + u) / 2, (y + v) / 2];
  } })()"""


@pytest.mark.parametrize("game", GAMES)
def test_a_finger_meets_every_place_of_a_board(browser: Browser, served: Opener, game: str) -> None:
    """On a phone every dotted place is a target of 40 pixels, which may overlap: then one is asked."""
    at = served(game, seats_of(game))
    tab = open_seat(browser, at.url(0), PHONE)
    seen = 0
    for _ in range(14):
        open_tab(tab, "board")
        missed, count = tab.js(MISSED)
        assert missed == []
        seen += count
        if tab.js("document.body.dataset.ready") == "over":
            break
        decision = tab.js("document.body.dataset.decision")
        tab.js("(all => all[all.length >> 1].click())([...document.querySelectorAll('#choices [data-action]')])")
        tab.wait(f"document.body.dataset.decision !== '{decision}' && {READY}")
    assert seen > 14
    tab.close()


def test_a_tap_among_small_places_comes_near_first(browser: Browser, served: Opener) -> None:
    """Nothing is decided by it; the next one meets a single space, and the board is whole again behind the decision."""
    at = served("terra_mystica", ["human", "greedy"])
    tab = open_seat(browser, at.url(0), PHONE)
    while not tab.js(AMONG):
        play_on(tab, 1, every=False)
    decision = tab.js("document.body.dataset.decision")
    tab.click(*tab.js(AMONG))
    tab.wait("layout.zoom > 2")
    assert tab.js("document.body.dataset.decision") == decision and not tab.js("document.getElementById('menu')")
    assert all(side >= 40 for side in tab.js("board.places().filter((place) => place.closest('[data-slot=map]'))"
                                             ".map((place) => place.getBoundingClientRect().width)"))  # fmt: skip
    play_on(tab, 1, every=False)
    assert tab.js("layout.zoom") == 1
    tab.close()


@pytest.mark.parametrize(("size", "least"), [(PHONE, 400), (WINDOW, 100)])
def test_what_is_going_on_stays_in_sight(browser: Browser, served: Opener, size: tuple[int, int], least: int) -> None:
    at = served("god_of_war", ["human"])
    tab = open_seat(browser, at.url(0), size)
    top = "document.querySelector('.pinned').getBoundingClientRect().top - document.getElementById('board')"
    for where in (0, 400, 9999):
        tab.js(f"document.getElementById('board').scrollTop = {where}")
        assert 0 <= tab.js(f"{top}.getBoundingClientRect().top") < 8
    assert tab.js("document.getElementById('board').scrollTop") > least
    tab.close()


def test_a_tap_beside_a_small_place_takes_it_or_asks(browser: Browser, served: Opener) -> None:
    at = served("push_of_faith", ["human", "greedy"])
    tab = open_seat(browser, at.url(0), PHONE)
    tab.js("layout.zoomTo(0.3)")
    x, y, width = tab.js(
        "(r => [r.left + r.width / 2, r.top + r.height / 2, r.width])(board.places()[0].getBoundingClientRect())"
    )
    assert width < 30
    tab.click(x - width / 2 - 3, y)
    tab.wait("document.getElementById('menu') || document.body.dataset.ready !== 'mine'")
    tab.close()


def test_what_is_gone_for_good_leaves_no_hole(browser: Browser, served: Opener) -> None:
    """The factions of Terra Mystica once they are chosen; in a wide window nothing is left beside what is narrow."""
    at = served("terra_mystica", ["human", "greedy"])
    tab = open_seat(browser, at.url(0), (1920, 1080))
    slots = "[...document.querySelectorAll('[data-slot]')].map((one) => one.dataset.slot)"
    assert "factions" in tab.js(slots)
    play_on(tab, 3, every=False)
    assert tab.js(slots)[0] == "map" and "factions" not in tab.js(slots)
    assert tab.js("document.querySelectorAll('#board > .row').length") == 1
    tab.close()


def test_the_end_leaves_room_for_the_log(browser: Browser, served: Opener) -> None:
    """Also where the rest of the page lies beneath a wide board."""
    at = served("god_of_war", ["human"])
    tab = open_seat(browser, at.url(0), (1100, 800))
    play_on(tab, every=False)
    tab.wait("document.body.dataset.ready === 'over' && document.body.dataset.shape === 'beneath'")
    width = "document.getElementById('{}').offsetWidth"
    assert tab.js(width.format("past")) > 300 and tab.js(width.format("result")) > 300
    assert tab.js(OVERFLOWS) == []
    tab.close()


HELD = """[...document.querySelectorAll('.slot svg')].map((one) => {
  const part = board.parts.get(one.parentNode.dataset.slot);
  return [one.parentNode.dataset.slot, part.height - part.own, part.own]; })"""
EMPTY = """[...document.querySelectorAll('.slot.empty')].map((one) =>
  [one.dataset.slot, board.parts.get(one.dataset.slot).main])"""


@pytest.mark.parametrize("game", ["innovation", "god_of_war"])
def test_what_has_become_small_leaves_no_hole(browser: Browser, served: Opener, game: str) -> None:
    """A hand that was large keeps its room within a turn only, and so does what was there for a while."""
    drawn = random.Random(7)
    fell = k = 0
    for seed in range(7, 17):  # bots draw anew in every game, and a game can end before anything became smaller
        at = served(game, ["human", *["random"] * (len(seats_of(game)) - 1)], seed)  # whose games last long
        tab = open_seat(browser, at.url(0))
        needed: dict[str, float] = {}
        while (k < 48 or not fell) and tab.js("document.body.dataset.ready") != "over":
            k += 1
            click_once(tab, drawn.randrange(1 << 20), False)
            leaves_no_hole(tab, at)
            for name, _, own in tab.js(HELD):
                fell += own < needed.get(name, 0)
                needed[name] = own
        tab.close()
        if k >= 48 and fell:
            return
    raise AssertionError(f"nothing became smaller in {k} decisions")


def leaves_no_hole(tab: Tab, at: Served) -> None:
    """Where another seat decided last, no part keeps room that it does not need: a new turn began."""
    last = at.table.position
    if tab.js("document.body.dataset.ready") == "over" or not last.now or int(last.states[last.now - 1].actor) == 0:
        return
    assert [one for one in tab.js(HELD) if one[1] > 40] == []
    assert [name for name, main in tab.js(EMPTY) if not main] == []


@pytest.mark.parametrize("game", GAMES)
def test_a_phone_shows_the_board_without_moving_it(browser: Browser, served: Opener, game: str) -> None:
    """What is wide stands in rows or is drawn as small as it must be; zooming makes it large."""
    at = served(game, seats_of(game))
    tab = open_seat(browser, at.url(0), PHONE)
    for _ in range(6):
        open_tab(tab, "board")
        assert (
            tab.js("[...document.querySelectorAll('#board > .row')].filter((r) => r.scrollWidth > r.clientWidth)") == []
        )
        play_on(tab, 1, every=False)
    open_tab(tab, "board")
    size = tab.js(SCALE)
    tab.js("document.querySelector('#zoom button').focus()")
    assert tab.js("document.querySelector('#zoom .steps').offsetWidth") > 100
    tab.js("document.querySelector('#zoom .steps button').click()")
    assert tab.js(SCALE) > 1.2 * size
    tab.close()


def test_a_turn_begins_at_the_board(browser: Browser, served: Opener) -> None:
    """Terra Mystica: after a bonus card was taken below the map, the map is in sight when the next turn begins."""
    at = served("terra_mystica", ["human", "greedy"])
    tab = open_seat(browser, at.url(0))
    while "bonus card" not in tab.js("document.getElementById('turn').innerText"):
        play_on(tab, 1, every=False)
    tab.js("document.getElementById('board').scrollTop = 5000")
    decision = tab.js("document.body.dataset.decision")
    tab.js("document.querySelector('#choices [data-action]').click()")
    tab.wait(f"document.body.dataset.decision !== '{decision}' && {READY}")
    assert tab.js(f"{IN_SIGHT}.some((place) => place.closest('[data-slot=map]'))")
    tab.close()


def test_the_board_stays_in_sight_where_a_list_has_the_rest(browser: Browser, served: Opener) -> None:
    """Terra Mystica for four: bonus cards to pass for lie below the fold, and the map is not scrolled away for them."""
    at = served("terra_mystica", ["human", *["greedy"] * 3])
    tab = open_seat(browser, at.url(0))
    hidden = f"board.places().length - {IN_SIGHT}.length"
    while not (tab.js("board.places().some((place) => place.closest('[data-slot=map]'))") and tab.js(hidden)):
        play_on(tab, 1, every=False)
    assert tab.js("document.getElementById('board').scrollTop") == 0
    tab.close()


def test_a_rival_is_in_sight_rather_than_the_key(browser: Browser, served: Opener) -> None:
    """Orbis for two: what the signs of tiles mean lies below the rival's tiles."""
    tab = open_seat(browser, served("orbis", ["human", "greedy"]).url(0), WINDOW)
    slot = "document.querySelector('[data-slot=\"{}\"]').getBoundingClientRect()"
    rival, signs = (slot.format(name) for name in ("seat 1", "signs"))
    assert tab.js(f"{rival}.bottom <= innerHeight && {signs}.top >= {rival}.bottom")
    tab.close()


def test_a_phone_shows_what_is_attacked(browser: Browser, served: Opener) -> None:
    """God of War alone: the target is in sight beneath the line that tells the attack, and not the companions at the
    foot of the board whose skills could be used, as the list has them."""
    at = served("god_of_war", ["human"])
    tab = open_seat(browser, at.url(0), PHONE)
    asked = "document.querySelector('#board [data-asked]')"
    far = "board.places().length && board.places().every((place) => place.closest('[data-slot=companions]'))"
    for _ in range(200):
        if tab.js(f"Boolean({asked}) && {far}"):
            break
        play_on(tab, 1, every=False)
    else:
        pytest.fail("no companion's skill could be used in an attack")
    top, bottom = "layout.pinned() + document.getElementById('board').getBoundingClientRect().top", "innerHeight"
    assert tab.js(f"{asked}.getBoundingClientRect().top >= {top} - 1 && {asked}.getBoundingClientRect().top < {bottom}")
    tab.close()


@pytest.mark.parametrize("size", [WINDOW, PHONE])
@pytest.mark.parametrize("game", ["push_of_faith", "orbis", "innovation", "terra_mystica"])
def test_everybodys_points_are_at_the_head(browser: Browser, served: Opener, game: str, size: tuple[int, int]) -> None:
    """One's own too, each behind the sign of its seat, and none is cut, whatever the line says beside them."""
    tab = open_seat(browser, served(game, ["human", *["greedy"] * 3]).url(0), size)
    play_on(tab, 6, every=False)
    assert tab.js("document.querySelectorAll('#tally > span > .sign').length") == 4
    assert tab.js("[...document.querySelectorAll('#tally b')].every((one) => /^-?[0-9]+/.test(one.innerText))")
    cut = (
        "[...document.querySelectorAll('#tally, #tally > span')].filter((one) => one.scrollWidth > one.clientWidth + 1)"
    )
    assert tab.js(f"{cut}.length") == 0
    tab.close()


def test_a_phone_shows_the_board_after_a_move_of_the_list(browser: Browser, served: Opener) -> None:
    """Where the next decision has places there; a faction is chosen in the list, a dwelling is placed on the map."""
    at = served("terra_mystica", ["human", "greedy"])
    tab = open_seat(browser, at.url(0), PHONE)
    shown = "document.body.dataset.tab"
    for _ in range(3):
        open_tab(tab, "choices")
        assert tab.js(shown) == "choices"
        decision = tab.js("document.body.dataset.decision")
        tab.js("document.querySelector('#choices [data-action]').click()")
        tab.wait(f"document.body.dataset.decision !== '{decision}' && {READY}")
        assert tab.js(shown) == ("board" if tab.js("board.places().length") else "choices")
    assert tab.js("board.places().length")
    tab.close()


@pytest.mark.parametrize(("game", "size"), [("terra_mystica", (1920, 1080)), ("push_of_faith", PHONE)])
def test_all_that_can_be_clicked_is_in_sight(
    browser: Browser, served: Opener, game: str, size: tuple[int, int]
) -> None:
    """Wherever the board was left, and however the page was loaded, where it fits; else from the first place on."""
    at = served(game, ["human", "random"])
    tab = open_seat(browser, at.url(0), size)
    high = "document.getElementById('board').clientHeight"
    for _ in range(7):
        tab.wait(f"{IN_SIGHT}.length")
        boxes = tab.js("board.places().map((place) => (r => [r.top, r.bottom])(place.getBoundingClientRect()))")
        fits = max(bottom for _, bottom in boxes) - min(top for top, _ in boxes) < tab.js(high) - 28
        assert tab.js(f"{IN_SIGHT}.length") == len(boxes) or not fits
        assert tab.js(f"{IN_SIGHT}.includes(board.places().sort((a, b) => a.getBoundingClientRect().top - "
                      "b.getBoundingClientRect().top)[0])")  # fmt: skip
        assert tab.js("layout.zoom") == 1
        tab.js("document.getElementById('board').scrollTop = 300")
        play_on(tab, 1, every=False)
    tab.close()


@pytest.mark.parametrize("seats", [2, 4])
def test_terra_mystica_is_seen_on_one_screen(browser: Browser, served: Opener, seats: int) -> None:
    """Map, own board, cults, rounds and power actions; rivals by their top, and whole when they are clicked."""
    at = served("terra_mystica", ["human", *["random"] * (seats - 1)])
    tab = open_seat(browser, at.url(0))
    while tab.js("!game.result && board.parts.has('factions')"):
        click_once(tab, 0)
    sight = "(([top, bottom], r) => r.top >= top && r.bottom <= bottom + 1)"
    pane = "((r) => [r.top, r.bottom])(document.getElementById('board').getBoundingClientRect())"
    tab.js("document.getElementById('board').scrollTop = 0")
    for part in ("map", "seat 0", "cults", "rounds"):
        slot = f"document.querySelector('[data-slot=\"{part}\"]')"
        assert tab.js(f"{sight}({pane}, {slot}.getBoundingClientRect())"), part
    assert tab.js(SMALLEST)[0] >= 9
    rival = "document.querySelector('[data-slot=\"seat 1\"]')"
    if tab.js("board.parts.get('seat 1').brief"):
        assert tab.js(f"{rival}.offsetHeight") < 100
        tab.click(*tab.js(f"((r) => [r.left + 200, r.top + 20])({rival}.getBoundingClientRect())"))
        assert tab.js(f"{rival}.offsetHeight") > 150
        tab.click(*tab.js(f"((r) => [r.left + 200, r.top + 20])({rival}.getBoundingClientRect())"))
        assert tab.js(f"{rival}.offsetHeight") < 100
    tab.close()


@pytest.mark.parametrize("game", GAMES)
def test_a_small_window_gives_the_board_more_than_half(browser: Browser, served: Opener, game: str) -> None:
    at = served(game, ["human", *["random"] * (max(2, min(load(game).players)) - 1)])
    tab = open_seat(browser, at.url(0), (800, 600))
    assert tab.js("document.getElementById('board').clientHeight") > 330
    tab.close()
