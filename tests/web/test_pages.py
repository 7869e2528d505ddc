"""Games in a real browser from static files alone: played by clicks, kept, recorded as native play records them."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import browser as browsers
import pytest
from test_browser import LOG, READY, WINDOW, choose, play_on

from theogony.envs.core.gamerecord import read_record, record_lines
from theogony.envs.core.position import Position
from theogony.envs.core.registry import load
from theogony.play.pages import STYLES
from theogony.web import archives, folder

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("wasm")]
AT_ONCE = "(p => { p.value = '0'; p.dispatchEvent(new Event('change')); })(document.getElementById('pace'))"
GONE = "document.getElementById('gone')"
COLD = 120.0  # seconds until a page is ready on a busy machine


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[browsers.Browser]:
    if browsers.find() is None:
        pytest.skip("no Chromium is installed")
    with browsers.browser(tmp_path_factory.mktemp("profile")) as running:
        yield running


@contextmanager
def served(site: Path) -> Iterator[str]:
    """The address of a folder, served by Python's own web server."""
    command = [sys.executable, "-u", "-m", "http.server", "0", "--bind", "127.0.0.1", "-d", str(site)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as server:
        try:
            assert server.stdout is not None
            found = re.search(r"port (\d+)", server.stdout.readline())
            assert found
            yield f"http://127.0.0.1:{found[1]}"
        finally:
            server.kill()


@pytest.fixture(scope="module")
def address(site: Path) -> Iterator[str]:
    """Where the pages are."""
    with served(site) as found:
        yield found


def opened(browser: browsers.Browser, page: str) -> browsers.Tab:
    """A page on which one may decide, with moves of others shown at once."""
    tab = browser.tab(page, *WINDOW)
    assert tab.wait("Boolean(document.querySelector('#board svg'))")
    tab.wait(READY, COLD)
    tab.js(AT_ONCE)
    return tab


def check_record(text: str, seed: int, path: Path) -> None:
    """A record of a whole game is byte for byte what native play writes for the same seed and moves."""
    path.write_text(text)
    record = read_record(path)
    assert record.over and record.seed == seed
    again = Position(record.game, seed)
    for action in record.actions:
        again.play(action)
    assert "\n".join(record_lines(again)) + "\n" == text


def test_a_whole_game_from_static_files(address: str, browser: browsers.Browser, tmp_path: Path) -> None:
    """Against the trained player, by clicks. The page keeps the game, and asks nobody but the folder for anything."""
    tab = opened(browser, f"{address}/push_of_faith.html?seed=5")
    tab.wait("Number(document.body.dataset.words) > 10")
    preview = "link.ask(`preview?${new URLSearchParams({ decision: game.decision, action: shown.choices[0][0] })}`)"
    assert isinstance(tab.js(preview), list)
    first = play_on(tab, 2)
    shown = tab.js(LOG)
    tab.reload()
    tab.wait(READY, COLD)
    assert tab.js(LOG) == shown
    play_on(tab)
    assert len(first) == 2 and tab.js("document.body.dataset.ready") == "over"
    assert "all that is hidden, is in the memory" in tab.js("document.getElementById('knows').textContent")
    check_record(tab.js("link.ask('record')"), 5, tmp_path / "game.jsonl")
    asked = tab.js("performance.getEntriesByType('resource').map(one => one.name)")
    assert all(name.startswith(address) for name in asked)
    tab.close()


@pytest.mark.parametrize(
    ("game", "opponent"),
    [
        ("orbis", "mcts:64@reference"),
        ("innovation", "mcts:64@reference"),
        ("terra_mystica", "mcts:64@reference"),
        ("god_of_war", "random"),  # beside a good player a hero played at random may live for a thousand decisions
    ],
)
def test_every_game_is_played_by_clicks(
    game: str, opponent: str, address: str, browser: browsers.Browser, tmp_path: Path
) -> None:
    """From beginning to end, in competitive games against a search."""
    seats = ",".join(["human", *[opponent] * (load(game).configure({}).players - 1)])
    tab = opened(browser, f"{address}/{game}.html?seed=5&seats={seats}")
    made = play_on(tab, every=False)
    assert tab.js("document.body.dataset.ready") == "over" and len(made) > 10
    check_record(tab.js("link.ask('record')"), 5, tmp_path / "game.jsonl")
    tab.close()


def test_a_search_is_stopped_and_the_page_answers_meanwhile(address: str, browser: browsers.Browser) -> None:
    """What was found so far is played, and the game goes on; a search of so many simulations would take an hour."""
    tab = opened(browser, f"{address}/push_of_faith.html?seed=5&seats=human,mcts:999999@reference")
    while not tab.js("game.hurry"):
        decision = tab.js("document.body.dataset.decision")
        choose(tab, 0)
        tab.wait(f"game.decision !== '{decision}' && (game.hurry || {READY})")
    while tab.wait(f"{READY} ? 'mine' : game.hurry && !document.getElementById('stop').hidden") != "mine":
        now = tab.js("game.now")
        assert len(tab.js("link.ask('frame?ply=0')")["svg"]) > 1000
        tab.js("document.getElementById('stop').click()")
        tab.wait(f"game.now > {now}")
        assert tab.js("link.ask('record')").count("\n") > now and not tab.js("game.trouble")
    tab.close()


def test_trees_of_a_search_grow_in_workers_of_their_own(
    address: str, browser: browsers.Browser, tmp_path: Path
) -> None:
    """As many as the machine has processors for; the game goes on and its record is that of native play."""
    tab = opened(browser, f"{address}/push_of_faith.html?seed=5&seats=human,mcts:100x3@reference")
    play_on(tab)
    helpers = int(tab.js("document.body.dataset.helpers || '0'"))
    assert helpers == min(2, tab.js("navigator.hardwareConcurrency") - 1)
    check_record(tab.js("link.ask('record')"), 5, tmp_path / "game.jsonl")
    tab.close()


def test_a_search_goes_on_where_no_other_worker_can_be_had(
    site: Path, browser: browsers.Browser, tmp_path: Path
) -> None:
    with without(site, tmp_path, "searcher.mjs", None) as address:
        tab = opened(browser, f"{address}/push_of_faith.html?seed=5&seats=human,mcts:40x3@reference")
        assert len(play_on(tab, 3)) == 3
        tab.close()


def test_other_numbers_of_players(address: str, browser: browsers.Browser) -> None:
    """Each has a module of its own; where it is missing rules are interpreted, and the page says so."""
    tab = opened(browser, f"{address}/push_of_faith.html?seed=5&seats=human,random,random")
    assert "rules of push_of_faith are interpreted" in tab.js("document.getElementById('notice').innerText")
    assert tab.js("game.seats") == ["human", "random", "random"] and tab.js("shown.choices.length") == 14
    tab.key("h")
    tab.wait("document.getElementById('advice').innerText.includes('there are no hints here: rules of push_of_faith')")
    play_on(tab, 1)
    tab.close()


SEATS = {
    "human,reference,reference": "this page has no trained player for .* with 3 seats",
    "human,mcts:64@runs/x": "seat 'mcts:64@runs/x': expected human, random, greedy, reference, a plan or a search",
    "human,human,human,human,human,human,human": r"--seats names 7, and push_of_faith is for 2, 3, 4, 5 players",
}


@pytest.mark.parametrize("seats", SEATS)
def test_players_that_no_page_has_are_refused(seats: str, address: str, browser: browsers.Browser) -> None:
    tab = browser.tab(f"{address}/push_of_faith.html?seats={seats}", *WINDOW)
    tab.wait(f"{GONE} && !{GONE}.hidden", COLD)
    assert re.search(SEATS[seats], tab.js(f"{GONE}.innerText"))
    tab.close()


def test_the_record_is_a_file_of_the_same_bytes(address: str, browser: browsers.Browser, tmp_path: Path) -> None:
    tab = opened(browser, f"{address}/push_of_faith.html?seed=8&seats=human,random")
    page = next(one for one in browser.call("Target.getTargets")["targetInfos"] if "seed=8" in one["url"])
    allowed = {"behavior": "allow", "downloadPath": str(tmp_path), "browserContextId": page["browserContextId"]}
    browser.call("Browser.setDownloadBehavior", **allowed)
    play_on(tab)
    tab.js("document.getElementById('record').click()")
    deadline, saved = time.monotonic() + COLD, tmp_path / "game.jsonl"
    while not saved.is_file() and time.monotonic() < deadline:
        time.sleep(0.05)
    check_record(saved.read_text(), 8, saved)
    tab.close()


def test_a_position_is_drawn_before_python_is_there(site: Path, browser: browsers.Browser, tmp_path: Path) -> None:
    without = Path(shutil.copytree(site, tmp_path / "site"))
    (without / "worker.mjs").unlink()
    with served(without) as address:
        tab = browser.tab(f"{address}/push_of_faith.html", *WINDOW)
        tab.wait("document.querySelectorAll('#board svg text').length > 10")
        tab.wait("performance.getEntriesByName('first-contentful-paint').length === 1")
        assert tab.js("document.querySelector('#board svg').getBoundingClientRect().width") > 400
        tab.close()


def test_hints_undo_replay_and_two_people(address: str, browser: browsers.Browser) -> None:
    tab = browser.tab(f"{address}/push_of_faith.html?seed=6&seats=human,human", *WINDOW)
    tab.wait(READY, COLD)
    tab.js(AT_ONCE)
    tab.js("document.getElementById('nevercover').click()")
    seats = set()
    for _ in range(4):
        seats.add(who := tab.js("shown.actor"))
        assert tab.js("game.you === shown.actor")
        assert tab.js("document.getElementById('turn').innerText").startswith(f"Player {who + 1}, your turn. ")
        play_on(tab, 1)
    assert seats == {0, 1}
    tab.go(f"{address}/push_of_faith.html?seed=6&seats=human,mcts:64@reference")
    tab.wait(f"location.search.includes('mcts') && {READY}", COLD)
    tab.wait("game.hints === 'ready'", COLD)
    tab.key("h")
    tab.wait("document.querySelectorAll('#choices .worth').length > 1", COLD)
    play_on(tab, 1)
    tab.js("document.getElementById('undo').click()")
    tab.wait(f"game.now === 0 && {READY}")
    assert "<!doctype html>" in tab.js("link.ask('replay')")
    tab.close()


def test_between_two_people_the_board_is_covered(address: str, browser: browsers.Browser) -> None:
    """Until the next one asks for it, who also may take back what the other has just decided; or for good."""
    tab = browser.tab(f"{address}/push_of_faith.html?seed=8&seats=human,human", *WINDOW)
    cover = "document.getElementById('handover')"
    tab.wait(READY, COLD)
    assert tab.js(f"{cover}.open") and "Player 1 is next" in tab.js(f"{cover}.innerText")
    at = tab.js("document.elementsFromPoint(600, 300).map((one) => one.id || one.tagName).join(' ')")
    assert "board" not in at, "nothing of it is met, let alone seen"
    tab.key("Escape")
    assert tab.js(f"{cover}.open")
    tab.key("Enter")
    tab.wait(f"!{cover}.open")
    while tab.js("game.you") == 0:
        play_on(tab, 1)
    assert tab.js(f"{cover}.open") and "Player 2 is next" in tab.js(f"{cover}.innerText")
    tab.js("document.getElementById('uncover').click(); document.getElementById('undo').click()")
    tab.wait(f"game.you === 0 && {READY}")
    assert tab.js(f"{cover}.open")
    tab.js("document.getElementById('nevercover').click()")
    while tab.js("game.you") == 0:
        play_on(tab, 1)
    assert not tab.js(f"{cover}.open") and not tab.js("document.getElementById('coveron').checked")
    tab.js("document.getElementById('coveron').click()")
    tab.close()


@contextmanager
def without(site: Path, folder: Path, name: str, content: bytes | None) -> Iterator[str]:
    """The address of the pages, of which one file is missing or has another content."""
    broken = Path(shutil.copytree(site, folder / "site"))
    found = next(broken.glob(name))
    found.unlink() if content is None else found.write_bytes(content)
    with served(broken) as address:
        yield address


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("kernels/push_of_faith-*.wasm", None, r"kernels/push_of_faith-\w+\.wasm is missing \(404\)"),
        ("settings.json", b"{", "settings.json is damaged: .+"),
        ("python/common.zip", b"no zip", "python/common.zip is damaged: .+"),
        ("python/push_of_faith.zip", None, r"python/push_of_faith.zip is missing \(404\)"),
        ("weights/push_of_faith-2p.npy", b"half", r"weights/push_of_faith-2p.npy is damaged\."),
        ("pyodide/pyodide.mjs", None, r"pyodide/pyodide.mjs is missing \(404\)"),
        ("pyodide/pyodide.asm.wasm", b"\0asm", "pyodide/pyodide.asm.wasm is damaged"),
        ("pyodide/python_stdlib.zip", b"no zip", "pyodide/python_stdlib.zip is damaged"),
        ("worker.mjs", b"(", "worker.mjs is missing or damaged"),
        ("early.js", None, "early.js is missing or damaged"),
    ],
)
def test_what_is_missing_or_damaged_is_said(
    name: str, content: bytes | None, said: str, site: Path, browser: browsers.Browser, tmp_path: Path
) -> None:
    with without(site, tmp_path, name, content) as address:
        tab = browser.tab(f"{address}/push_of_faith.html", *WINDOW)
        tab.wait(f"!{GONE}.hidden", COLD)
        assert re.search(f"This page cannot go on. .*{said}.*What was played is kept", tab.js(f"{GONE}.innerText"))
        assert tab.js("document.querySelectorAll('#board svg').length")
        tab.close()


@pytest.mark.parametrize("content", [None, b"(("])
def test_a_script_that_is_missing_or_damaged_is_said(
    content: bytes | None, site: Path, browser: browsers.Browser, tmp_path: Path
) -> None:
    with without(site, tmp_path, "static/play.js", content) as address:
        tab = browser.tab(f"{address}/push_of_faith.html", *WINDOW)
        tab.wait(f"{GONE} && !{GONE}.hidden", COLD)
        why = "is missing" if content is None else "is damaged: .*SyntaxError.*"
        assert re.match(rf"This page is not whole: static/play.js {why}\. What was played", tab.js(f"{GONE}.innerText"))
        tab.close()


@pytest.mark.parametrize("content", [None, b"body { color: red; }"])
@pytest.mark.parametrize("name", STYLES)
def test_a_style_sheet_that_is_missing_or_damaged_is_said(
    name: str, content: bytes | None, site: Path, browser: browsers.Browser, tmp_path: Path
) -> None:
    """The game goes on as it can."""
    with without(site, tmp_path, f"static/{name}", content) as address:
        tab = browser.tab(f"{address}/push_of_faith.html", *WINDOW)
        tab.wait(f"{GONE} && !{GONE}.hidden", COLD)
        said = f"This page is not whole: static/{name} is missing or damaged. What was played is kept in this browser."
        assert tab.js(f"{GONE}.innerText") == said
        tab.wait(READY, COLD)
        tab.close()


def test_without_a_network_a_page_says_so(site: Path, browser: browsers.Browser, tmp_path: Path) -> None:
    """Where Pyodide comes from elsewhere; the position that was drawn before stays."""
    settings = json.loads((site / "settings.json").read_text()) | {"pyodide": "http://127.0.0.1:9/"}
    with without(site, tmp_path, "settings.json", json.dumps(settings).encode()) as address:
        tab = browser.tab(f"{address}/push_of_faith.html", *WINDOW)
        tab.wait(f"{GONE} && !{GONE}.hidden", COLD)
        assert "http://127.0.0.1:9/pyodide.mjs cannot be fetched: is there a network? What was" in tab.js(
            f"{GONE}.innerText"
        )
        assert tab.js("document.querySelectorAll('#board svg text').length") > 10
        tab.close()


def test_of_two_tabs_the_first_keeps_the_game(address: str, browser: browsers.Browser) -> None:
    """And it is there when the first is closed and opened again."""
    page = f"{address}/push_of_faith.html?seed=9&seats=human,random"
    tab = opened(browser, page)
    play_on(tab, 2)
    known = next(one for one in browser.call("Target.getTargets")["targetInfos"] if "seed=9" in one["url"])
    context = known["browserContextId"]
    target = browser.call("Target.createTarget", url=page, browserContextId=context)["targetId"]
    other = browsers.Tab(
        browser, browser.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"], target
    )
    other.wait(READY, COLD)
    assert other.js("game.now") == tab.js("game.now")
    other.wait("document.getElementById('notice').innerText.startsWith('This game is open in another tab')")
    play_on(other, 1)
    other.close()
    now = tab.js("game.now")
    tab.go(f"{address}/index.html")
    tab.wait("location.pathname.includes('index') && document.readyState === 'complete'")
    tab.go(page)
    tab.wait(f"location.pathname.includes('push') && {READY}", COLD)
    assert tab.js("game.now") == now and not tab.js("document.getElementById('notice').innerText")
    tab.close()


def test_a_damaged_module_is_not_run(site: Path, browser: browsers.Browser, tmp_path: Path) -> None:
    """Rules are interpreted in its place, and the page says so."""
    module = next((site / "kernels").glob("push_of_faith-*.wasm"))
    damaged = bytes([*module.read_bytes()[:-1], 0x55])
    with without(site, tmp_path, f"kernels/{module.name}", damaged) as address:
        tab = browser.tab(f"{address}/push_of_faith.html", *WINDOW)
        said = tab.wait("document.getElementById('notice').innerText", COLD)
        assert re.match(r"rules of push_of_faith are interpreted, .* slower .*\.wasm is damaged", said)
        tab.close()


@pytest.mark.parametrize("missing", ["WebAssembly", "Worker"])
def test_a_browser_without_what_a_page_needs_is_told(missing: str, address: str, browser: browsers.Browser) -> None:
    tab = browser.tab("about:blank", *WINDOW)
    tab.call("Page.addScriptToEvaluateOnNewDocument", source=f"delete self.{missing};")
    tab.go(f"{address}/push_of_faith.html")
    tab.wait(f"{GONE} && !{GONE}.hidden")
    assert "This browser has no WebAssembly or no workers" in tab.js(f"{GONE}.innerText")
    tab.close()


def test_a_record_of_another_version_is_not_lost(address: str, browser: browsers.Browser) -> None:
    """A new game begins, and what was kept can be saved."""
    tab = browser.tab(f"{address}/index.html", *WINDOW)
    tab.wait("document.readyState === 'complete'")
    tab.js("localStorage.setItem('theogony push_of_faith human,reference', '{\"format\": \"of tomorrow\"}')")
    tab.go(f"{address}/push_of_faith.html")
    tab.wait(f"location.pathname.includes('push') && {READY}", COLD)
    assert "the game that was kept cannot be read, so a new one begins" in tab.text()
    assert tab.js("game.now") == 0 and tab.js("document.getElementById('unread').download") == "unread.jsonl"
    tab.js("document.getElementById('unread').click()")
    tab.close()


def test_python_wakes_as_it_was_kept(address: str, browser: browsers.Browser) -> None:
    """The memory of a Python that has started is kept in the browser, and dropped where it cannot be read."""
    tab = opened(browser, f"{address}/push_of_faith.html?seed=5")
    assert tab.js("document.body.dataset.python") == "new"
    kept = "caches.open('theogony python 1').then(one => one.keys()).then(found => found.length)"
    tab.wait(f"{kept}.then(found => found === 1)", COLD)
    for expected, spoiled in (("kept", False), ("new", True)):
        if spoiled:
            spoil = "cache.keys().then(([key]) => cache.put(key, new Response('nothing')))"
            tab.js(f"caches.open('theogony python 1').then(cache => {spoil})")
        tab.js("document.body.dataset.ready = ''")
        tab.reload()
        tab.wait(f"document.body.dataset.python && {READY}", COLD)
        assert tab.js("document.body.dataset.python") == expected
        play_on(tab, 1)
    tab.close()


@pytest.fixture
def one_game(modules: Path, bundle: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The pages of Push of Faith."""
    monkeypatch.setenv("THEOGONY_WASM", str(modules))
    monkeypatch.setattr("theogony.web.modules.layouts", lambda spec: [{}])
    folder.modules_of.cache_clear()
    folder.write(["push_of_faith"], tmp_path / "one", bundle, 1, lambda done, of, name: None)
    yield tmp_path / "one"
    folder.modules_of.cache_clear()


def test_a_page_is_opened_again_and_played_on_without_a_network(one_game: Path, browser: browsers.Browser) -> None:
    """The server has ended: the same game goes on after a reload, against the trained player; the index is there."""
    with served(one_game) as address:
        tab = opened(browser, f"{address}/push_of_faith.html?seed=5")
        play_on(tab, 2)
        tab.wait("document.body.dataset.offline", COLD)
        assert "can be opened without a network" in tab.js("document.getElementById('knows').textContent")
        now = tab.js("game.now")
    for _ in range(2):
        tab.js("document.body.dataset.ready = ''")
        tab.reload()
        tab.wait(f"document.body && document.body.dataset.python && {READY}", COLD)
        assert tab.js("game.now") == now
        play_on(tab, 1)
        now = tab.js("game.now")
    tab.go(f"{address}/push_of_faith.html?seed=6&seats=human,greedy&new=1")
    tab.wait(f"location.search.includes('seed=6') && {READY}", COLD)
    play_on(tab, 1)
    tab.go(f"{address}/index.html")
    tab.wait("location.pathname.includes('index') && document.images.length && document.images[0].naturalWidth > 100")
    tab.close()


def test_the_index_shows_every_game_and_offers_a_beginner_first(one_game: Path, browser: browsers.Browser) -> None:
    with served(one_game) as address:
        tab = browser.tab(f"{address}/index.html", 390, 844)
        tab.wait("document.images.length && document.images[0].naturalWidth > 100")
        links = tab.js("[...document.querySelectorAll('main a')].map((one) => one.search)")
        assert links[:2] == ["?seats=human,greedy"] * 2 and "?seats=human,reference" in links
        assert "against a beginner" in tab.js("document.querySelector('a.go').parentNode.innerText")
        assert tab.js("document.documentElement.scrollWidth") <= 390
        tab.close()


def test_a_build_of_pages_can_be_repeated(site: Path, bundle: Path) -> None:
    for place, content in archives.python(["push_of_faith"], bundle).items():
        assert content == (site / place).read_bytes(), place
    assert json.loads((site / "settings.json").read_text())["pyodide"] == "pyodide/"


def test_a_bundle_that_is_not_whole_is_refused(tmp_path: Path) -> None:
    with pytest.raises(archives.BundleError, match=r"has no pyodide.mjs; expected the files of the npm package"):
        folder.write(["orbis"], tmp_path / "out", tmp_path, 1, lambda done, of, name: None)
