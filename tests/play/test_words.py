"""Words on the page in a real browser: the log's stories, the panel of cards and tiles, rules, glossary and guide."""

from __future__ import annotations

import random

import numpy as np
import pytest
from browser import Browser, Tab
from serving import Opener
from test_browser import PHONE, READY, click_once, open_seat, play_on

from theogony.envs import GAMES, load
from theogony.envs.core.position import Position
from theogony.play.seen import advice, asked, moment, preview

pytestmark = [pytest.mark.xdist_group("browser"), pytest.mark.slow]

TURN = "document.getElementById('turn').innerText"
PANEL = "document.getElementById('panel') ? document.getElementById('panel').innerText : ''"
WORDS = "[...document.querySelectorAll('#board [data-word]')]"
NOWS = "[...document.querySelectorAll('#board [data-now]')]"
WHOLE = "(one => one.scrollHeight <= one.clientHeight + 1)(document.getElementById('guidance'))"
SPARE = """(all => all.getBoundingClientRect().bottom - choices.visible().at(-1).getBoundingClientRect().bottom > 12)(
  document.getElementById('choices'))"""
# The middle of the first thing in the picture whose word begins so.
MIDDLE = """(word => { const r = [...document.querySelectorAll('#board [data-word]')].find((one) =>
  one.dataset.word.startsWith(word)).getBoundingClientRect(); return [r.left + r.width / 2, r.top + r.height / 2]; })"""


# A move, every other time the use of a top card where there is one.
USED = """(k => { const all = choices.moves(), text = (one) => choices.words.get(Number(one.dataset.action));
  const uses = all.filter((one) => text(one).startsWith('use ')), some = k % 2 && uses.length ? uses : all;
  return some[(k >> 1) % some.length]; })"""


def played(tab: Tab, send: str) -> None:
    """Do what takes a decision, and wait for the next one."""
    decision = tab.js("document.body.dataset.decision")
    tab.js(send)
    tab.wait(f"document.body.dataset.decision !== '{decision}' && {READY}")


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
    assert "Greedy player takes the tile" in tab.js("document.querySelector('#log .since .story').innerText")
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
    assert "You take the tile" in page.js("document.querySelector('#log .now').innerText")
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


# The panel and the thing that it explains: [what they share, how far apart they are at the most in one direction].
IN_FULL = "((id) => (one => !one.hidden && one.scrollHeight <= one.clientHeight + 1)(document.getElementById(id)))"
BESIDE = """(() => { const [a, b] = [document.getElementById('panel'), panel.beside].map((one) =>
  one.getBoundingClientRect());
  return [shared(a, b), Math.min(Math.max(a.left - b.right, b.left - a.right), 999),
    Math.max(a.top - b.bottom, b.top - a.bottom)]; })()"""


@pytest.mark.parametrize("size", [(1920, 1080), (1280, 800), (800, 600)])
def test_the_panel_stands_beside_what_it_explains(browser: Browser, served: Opener, size: tuple[int, int]) -> None:
    """Never over it, and nowhere else on the board; it goes with a new game."""
    tab = open_seat(browser, served("push_of_faith", ["human", "random"]).url(0), size)
    tab.wait("document.body.dataset.words")
    for place in ("map a1", "map b2", "map c3"):
        tab.js(f"panel.hide(); panel.show(panel.around(document.querySelector('[data-place=\"{place}\"]')))")
        both, across, along = tab.js(BESIDE)
        assert both == 0 and max(across, along) < 20, (place, across, along)
    tab.js("take({...game, epoch: 'another', frames: [shown], first: 0, now: 0})")
    assert tab.js("document.getElementById('panel') === null")
    tab.close()


def test_on_a_phone_the_menu_stands_below_the_explanation(browser: Browser, served: Opener) -> None:
    """And neither lies over the card that was tapped."""
    tab = open_seat(browser, served("innovation", ["human", "random"]).url(0), PHONE)
    tab.wait("document.body.dataset.words")
    play_on(tab, 2, every=False)
    tab.js("""(place => { panel.show(panel.around(place)); clicked([place], 9, 9, true); })(
      board.places().find((place) => panel.around(place) && choices.what.has(actionsOf(place)[0])))""")
    tab.wait("panel.at && panel.at === document.querySelector('#menu button')")
    tops = "['panel', 'menu'].map((id) => document.getElementById(id).getBoundingClientRect())"
    assert tab.js(f"(([panel, menu]) => menu.top >= panel.bottom && menu.bottom <= innerHeight)({tops})")
    assert tab.js(f"{tops}.every((one) => shared(one, panel.beside.getBoundingClientRect()) === 0)")
    tab.close()


def test_a_click_that_decides_nothing_says_why(browser: Browser, served: Opener) -> None:
    at = served("push_of_faith", ["human", "random"])
    tab = open_seat(browser, at.url(0))
    tab.wait("document.body.dataset.words")
    spot = """(r => [r.left + r.width / 2, r.top + r.height / 2])(
      document.querySelector('[data-place="{}"]').getBoundingClientRect())"""
    tab.click(*tab.js(spot.format("push N to b")))
    tab.wait(f"({PANEL}).includes('the marker stands here already') && ({PANEL}).includes('click a dotted place')")
    assert at.table.position.now == 0
    play_on(tab, 2)
    tab.wait("document.body.dataset.ready === 'mine'")
    tab.key("ArrowLeft")
    drawn = "document.getElementById('turn').innerText.startsWith('After decision')"
    tab.wait(f"{drawn} && !document.querySelector('#board .away')")  # pieces have come down
    tab.click(*tab.js(spot.format("map a1")))
    tab.wait(f"({PANEL}).includes('This is an earlier position')")
    tab.close()


def test_an_icon_stands_before_a_whole_name(browser: Browser, served: Opener) -> None:
    """*Machine Tools* is one card, though *Tools* is another."""
    tab = open_seat(browser, served("innovation", ["human", "random"]).url(0))
    tab.wait("document.body.dataset.words")
    line = "make('p', {}, ...words.signed('Player 1 melds Machine Tools (6) and gets Tools.'))"
    found = tab.js(f"[...{line}.querySelectorAll('.signed')].map((one) => one.textContent)")
    assert found == ["Machine Tools", "Tools"]
    tab.close()


def test_the_panel_says_whom_a_card_of_innovation_concerns_now(browser: Browser, served: Opener) -> None:
    at = served("innovation", ["human", "random"])
    tab = open_seat(browser, at.url(0))
    play_on(tab, 4)
    assert tab.js("document.querySelectorAll('#board [data-now]').length") >= 2
    tab.wait("document.body.dataset.words")
    for k in range(tab.js(f"{NOWS}.length")):
        tab.js(f"panel.show({NOWS}[{k}], 0)")
        assert "Used by " in tab.js(PANEL)
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


@pytest.mark.parametrize("game", GAMES)
def test_every_kind_of_decision_has_advice_for_a_first_game(game: str) -> None:
    words = load(game).configure().vocabulary
    assert [entry.key for entry in words.of("first game")] == [entry.key for entry in words.of("phase")]
    assert all(len(entry.does) > 30 and not words.unknown(entry.does) for entry in words.of("first game"))


def test_who_is_new_is_asked_once_whether_to_be_guided(browser: Browser, served: Opener) -> None:
    at = served("orbis", ["human", "random"])
    tab = open_seat(browser, at.url(0))
    shown = "!document.getElementById('{}').hidden"
    assert tab.js(shown.format("newcomer")) and not tab.js(shown.format("welcome"))  # one question at a time
    tab.js("document.getElementById('nothanks').click()")
    assert tab.js(shown.format("welcome")) and not tab.js(shown.format("guidance"))
    tab.js("document.getElementById('guideno').click()")
    assert not tab.js(shown.format("welcome")) and not tab.js(shown.format("guidance"))
    tab.reload()
    tab.wait(READY)
    assert not tab.js(shown.format("welcome"))
    tab.js("localStorage.removeItem('guide')")
    tab.reload()
    tab.wait(READY)
    tab.js("document.getElementById('guideyes').click()")
    assert not tab.js(shown.format("welcome")) and tab.js(shown.format("guidance"))
    tab.close()


@pytest.mark.parametrize("size", [(1280, 800), (800, 600), PHONE, (320, 640)])
def test_a_first_visit_is_offered_the_introduction(browser: Browser, served: Opener, size: tuple[int, int]) -> None:
    """In a line above the board, which is never there again; on a phone the headline has the words of the guide."""
    tab = open_seat(browser, served("orbis", ["human", "random"]).url(0), size)
    offer = "document.getElementById('howto')"
    box = tab.js(f"(r => [r.top, r.bottom, r.right])({offer}.getBoundingClientRect())")
    assert box[0] > 0 and box[2] < size[0] and tab.js(f"{offer}.scrollWidth <= {offer}.clientWidth + 1")
    assert box[1] <= tab.js("document.getElementById('board').getBoundingClientRect().top")
    tab.js(f"{offer}.click()")
    tab.wait("document.querySelectorAll('#bookpage figure').length === 5")
    right = "document.getElementById('{}').getBoundingClientRect().right"
    assert tab.js(f"{right.format('bookclose')} < {right.format('book')}")
    tab.js("[...document.querySelectorAll('#bookpage button')].at(-1).click()")
    tab.wait("guide.on() && !document.getElementById('book').open")
    advised = "document.querySelector('#turn .advised').offsetWidth > 0"
    assert tab.js(advised) == tab.js("document.body.dataset.shape === 'phone'")
    tab.reload()
    tab.wait(READY)
    assert tab.js("document.getElementById('newcomer').hidden")
    tab.close()


def test_the_list_says_what_each_card_does(browser: Browser, served: Opener) -> None:
    """Below its name, and large beside it: nobody has to look for the card on the board."""
    at = served("innovation", ["human", "random"])
    tab = open_seat(browser, at.url(0))
    tab.wait("document.querySelectorAll('#choices small').length === 2")
    words = at.table.game.vocabulary
    for k in range(2):
        name = tab.js(f"[...document.querySelectorAll('#choices [data-action]')][{k}].lastChild.firstChild.textContent")
        does = words["card", name.removeprefix("begin with ")].does
        assert tab.js(f"[...document.querySelectorAll('#choices small')][{k}].textContent") == does
        tab.js(f"document.querySelectorAll('#choices [data-action]')[{k}].focus()")
        tab.wait(f"({PANEL}).includes({does[:25]!r})")
    tab.js("document.getElementById('filter').value = 'draw'; choices.filter()")  # looks for moves, not for effects
    assert tab.js("choices.visible().length") == 0
    tab.close()


def test_the_list_says_what_each_god_of_orbis_pays_for(browser: Browser, served: Opener) -> None:
    """As it does of tiles: on a phone the list is all that is seen."""
    at = served("orbis", ["human", "random"])
    tab = open_seat(browser, at.url(0))
    tab.wait("document.querySelectorAll('#choices small').length > 3")
    said = [one for one in tab.js("choices.moves().map((one) => one.innerText)") if "take god" in one]
    gods = {entry.name: entry.does for entry in at.table.game.vocabulary.of("god")}
    assert len(said) > 2
    for one in said:
        name, does = one.partition("take ")[2].splitlines()
        assert does == f"{gods[name][:1].upper()}{gods[name][1:]}.", one
    tab.close()


def test_rules_and_glossary_stand_beside_the_board(browser: Browser, served: Opener) -> None:
    at = served("terra_mystica", ["human", "random"])
    tab = open_seat(browser, at.url(0))
    tab.wait("document.body.dataset.words")
    tab.js("document.getElementById('rules').click()")
    tab.js("document.querySelector('[data-tab=rules]').click()")
    page = "document.getElementById('bookpage')"
    assert "Rulings" in tab.js(f"{page}.innerText") and tab.js(f"{page}.querySelectorAll('table').length") > 2
    assert "**" not in tab.js(f"{page}.innerText") and "|---" not in tab.js(f"{page}.innerText")
    assert "\n  B1 " in tab.js(f"{page}.querySelector('pre').textContent"), "rows of the map stand one below the other"
    codes, actions = (
        set(tab.js(f"[...{page}.querySelectorAll('code')].map((one) => one.innerText)")),
        at.table.game.actions,
    )
    assert codes and not codes & {actions.text(action) for action in range(actions.size)}, "moves are in words"
    assert tab.js("markdown('| a |\\n|---|\\n| x<br>y |')[0].querySelectorAll('br').length") == 1
    tab.js("document.querySelector('[data-tab=glossary]').click()")
    tops = tab.js(f"['dt', 'dd'].map((tag) => {page}.querySelector(tag).getBoundingClientRect().top)")
    assert abs(tops[0] - tops[1]) < 3, "a word and what it means are on one line"
    for entry in at.table.game.vocabulary:
        if entry.does:
            assert entry.name in tab.js(f"{page}.innerText"), entry
    tab.js("bookfilter.value = 'smaller towns'; bookfilter.dispatchEvent(new Event('input'))")
    assert 1 <= tab.js(f"{page}.querySelectorAll('dt').length") <= 3 and "Fire 2: smaller towns" in tab.js(
        f"{page}.innerText"
    )
    tab.key("Escape")
    tab.wait("!document.getElementById('book').open")
    tab.close()


@pytest.mark.parametrize("game", GAMES)
def test_the_guide_explains_the_decision_at_hand(browser: Browser, served: Opener, game: str) -> None:
    """Every kind of move that may be made now, when it is asked to; it is remembered."""
    at = served(game, ["human", *["random"] * (min(load(game).players) - 1)])
    tab = open_seat(browser, at.url(0))
    assert tab.js("document.getElementById('guidance').hidden")
    tab.js("document.getElementById('guideon').click()")
    position = at.table.position
    kinds = {at.table.game.actions.decode(int(action))[0] for action in position.legal_actions()}
    said = tab.js("document.getElementById('guidance').innerText")
    assert all(at.table.game.vocabulary["action", kind].name in said for kind in kinds)
    assert advice(moment(position, position.now)) in said.replace("\xa0", " ")
    tab.size(390, 844)
    tab.wait("layout.window === 390")
    tab.js("openTab('choices')")
    assert tab.js(WHOLE) or not tab.js(SPARE), "it is cut off only where moves need the room"
    tab.reload()
    tab.wait(READY)
    assert not tab.js("document.getElementById('guidance').hidden")
    tab.js("localStorage.removeItem('guide')")
    tab.close()


def test_a_move_says_what_it_brings_before_it_is_made(browser: Browser, served: Opener) -> None:
    at = served("push_of_faith", ["human", "random"])
    tab = open_seat(browser, at.url(0))
    tab.wait("document.body.dataset.words")
    tab.js("document.querySelector('#choices [data-action]').focus()")
    tab.wait(f"({PANEL}).includes('would bring')")
    told = tab.js(PANEL)
    click_once_listed(tab)
    assert "You take the tile" in told
    line = next(line for line in told.splitlines() if line.startswith("You take the tile"))
    assert line in tab.js("document.getElementById('log').textContent")
    tab.js("document.querySelector('#board [data-actions]').focus()")
    tab.key("Enter")
    tab.wait("document.querySelector('#menu button') !== null")  # four rotations
    tab.js("document.querySelectorAll('#menu button')[1].focus()")
    tab.wait(f"({PANEL}).includes('would bring: place at') && ({PANEL}).includes('points')")
    tab.close()


def click_once_listed(tab: Tab) -> None:
    """Take the first action of the list."""
    decision = tab.js("document.body.dataset.decision")
    tab.js("document.querySelector('#choices [data-action]').click()")
    tab.wait(f"document.body.dataset.decision !== '{decision}' && {READY}")


def test_moves_are_confirmed_where_one_wants_it(browser: Browser, served: Opener) -> None:
    at = served("push_of_faith", ["human", "human"])
    tab = browser.tab(at.url(0))
    tab.wait("document.body.dataset.ready === 'mine'")
    tab.js("document.getElementById('confirmon').click()")
    tab.js("document.querySelector('#choices [data-action]').click()")
    tab.wait("document.getElementById('notice').innerText.includes('cannot be taken back')")
    assert at.table.position.now == 0
    tab.js("document.querySelector('#notice button').click()")
    at.wait(lambda: at.table.position.now == 1)
    tab.js("localStorage.removeItem('confirm')")
    tab.close()


@pytest.mark.parametrize("game", GAMES)
def test_what_a_move_brings_depends_on_nothing_hidden(game: str) -> None:
    """What is told beforehand is the same whatever lies where the seat cannot see."""
    position, rng = Position(load(game).configure(), 5), np.random.default_rng(2)
    certain = 0
    for k in range(60):
        if position.over:
            break
        legal = [int(action) for action in position.legal_actions()]
        if k % 6 == 0:
            other = position.clone()
            other.resample(position.actor, np.array([k + 1], np.uint64))
            for action in legal[:3]:
                lines = preview(position, action, np.random.default_rng(k))
                assert lines == preview(other, action, np.random.default_rng(k))
                certain += len(lines)
        position.play(int(rng.choice(legal)))
    assert certain > 5


def test_a_choice_for_an_effect_says_which_effect(browser: Browser, served: Opener) -> None:
    """Innovation: whether a card is chosen to be scored or to be given back is read where one chooses."""
    at = served("innovation", ["human", "greedy"])
    tab = open_seat(browser, at.url(0))
    said, room, drawn = [], "document.getElementById('choices').offsetTop", random.Random(5)
    first = tab.js(room)
    for _ in range(120):
        if tab.js("document.body.dataset.ready") == "over" or len(said) > 4:
            break
        assert tab.js(room) == first  # the list stays where it is
        g = at.table.position.g
        shown = tab.js("document.getElementById('about').hidden ? '' : document.getElementById('about').innerText")
        assert bool(shown) == (tab.js("choices.words.size") < 12)  # where there are many a field stands in its room
        if shown and g.dogma < 0:
            assert shown in tab.js(TURN)  # what is asked
        elif shown:
            card = int(g.frame_card[g.depth - 1]) if g.depth else int(g.dogma)
            name = at.table.game.components["cards"][card]["name"]
            assert shown.startswith(f"{name}: ") and len(shown) > len(name) + 10
            assert tab.js(f"{IN_FULL}('effect') || {IN_FULL}('about')")
            said.append(shown)
        played(tab, f"{USED}({drawn.randrange(1 << 20)}).click()")
    assert said
    tab.close()


SHOWN = """[...document.querySelectorAll('#bookpage figure')].map((one) => {
  const r = one.querySelector('svg').getBoundingClientRect();
  return [one.querySelector('figcaption').innerText.trim().length > 20, r.width > 60, r.height > 40,
    one.querySelector('svg').viewBox.baseVal.width > 0]; })"""


@pytest.mark.parametrize("name", GAMES)
def test_an_introduction_in_pictures_comes_first(browser: Browser, served: Opener, name: str) -> None:
    tab = open_seat(browser, served(name, ["human", *["random"] * (min(load(name).players) - 1)]).url(0))
    tab.js("document.getElementById('rules').click()")
    tab.wait("document.querySelectorAll('#bookpage figure').length === 5", 120)  # greedy play is compiled
    assert all(map(all, tab.js(SHOWN)))
    tab.js("document.querySelector('#book [data-tab=rules]').click()")
    tab.wait("document.querySelectorAll('#bookpage h3').length > 0 && !document.querySelector('#bookpage figure')")
