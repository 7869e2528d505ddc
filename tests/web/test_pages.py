"""Games in a real browser from static files alone: played by clicks, kept, recorded as native play records them."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import browser as browsers
import pytest
from test_browser import LOG, READY, WINDOW, play_on

from theogony.envs.core.gamerecord import read_record, record_lines
from theogony.envs.core.position import Position
from theogony.web import folder

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("wasm")]
ROOT = Path(__file__).parents[2]
SHARED = ROOT.parent / "shared" / "reference" / "webassembly"
AT_ONCE = "(p => { p.value = '0'; p.dispatchEvent(new Event('change')); })(document.getElementById('pace'))"
GONE = "document.getElementById('gone')"
COLD = 120.0  # seconds until a page is ready on a busy machine


@pytest.fixture(scope="module")
def bundle(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Pyodide, from `$THEOGONY_PYODIDE` or build/pyodide, and NumPy for it, from there or the reference material."""
    core = Path(os.environ.get("THEOGONY_PYODIDE") or ROOT / "build" / "pyodide")
    there = {name: next((p / name for p in (core, SHARED) if (p / name).is_file()), None)
             for name in (*folder.RUNTIME, folder.NUMPY)}  # fmt: skip
    missing = [name for name, path in there.items() if path is None]
    if missing:
        pytest.skip(f"{missing[0]} is not here: `npm pack pyodide@0.28.3` unpacked into build/pyodide brings Pyodide")
    made = tmp_path_factory.mktemp("pyodide")
    for name, path in there.items():
        shutil.copyfile(str(path), made / name)
    return made


@pytest.fixture(scope="module")
def site(modules: Path, bundle: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The pages of Push of Faith for two."""
    out = tmp_path_factory.mktemp("site")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("THEOGONY_WASM", str(modules))
        patch.setattr(folder, "layouts", lambda spec: [{}])
        folder.modules_of.cache_clear()
        folder.write(["push_of_faith"], out, bundle, 1, lambda done, of, name: None)
    folder.modules_of.cache_clear()
    return out


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[browsers.Browser]:
    if browsers.find() is None:
        pytest.skip("no Chromium is installed: apt-get install chromium")
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


def test_a_whole_game_from_static_files(site: Path, browser: browsers.Browser, tmp_path: Path) -> None:
    """Against the trained player, by clicks. The record is byte for byte what native play writes, the page keeps the
    game, and nothing is asked of anybody but the folder."""
    with served(site) as address:
        tab = browser.tab(f"{address}/push_of_faith.html?seed=5", *WINDOW)
        assert tab.wait("Boolean(document.querySelector('#board svg'))")
        tab.wait(READY, COLD)
        tab.js(AT_ONCE)
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
        text = tab.js("link.ask('record')")
        asked = tab.js("performance.getEntriesByType('resource').map(one => one.name)")
        assert all(name.startswith(address) for name in asked)
        tab.close()
    path = tmp_path / "game.jsonl"
    path.write_text(text)
    record = read_record(path)
    assert record.over and record.seed == 5
    again = Position(record.game, 5)
    for action in record.actions:
        again.play(action)
    assert "\n".join(record_lines(again)) + "\n" == text


def test_a_position_is_drawn_before_python_is_there(site: Path, browser: browsers.Browser, tmp_path: Path) -> None:
    without = Path(shutil.copytree(site, tmp_path / "site"))
    (without / "worker.mjs").unlink()
    with served(without) as address:
        tab = browser.tab(f"{address}/push_of_faith.html", *WINDOW)
        tab.wait("document.querySelectorAll('#board svg text').length > 10")
        tab.wait("performance.getEntriesByName('first-contentful-paint').length === 1")
        assert tab.js("document.querySelector('#board svg').getBoundingClientRect().width") > 400
        tab.close()


def test_hints_undo_replay_and_two_people(site: Path, browser: browsers.Browser) -> None:
    with served(site) as address:
        tab = browser.tab(f"{address}/push_of_faith.html?seed=6&seats=human,human", *WINDOW)
        tab.wait(READY, COLD)
        tab.js(AT_ONCE)
        seats = set()
        for _ in range(4):
            seats.add(tab.js("shown.actor"))
            assert tab.js("game.you === shown.actor")
            play_on(tab, 1)
        assert seats == {0, 1}
        tab.go(f"{address}/push_of_faith.html?seed=6&seats=human,mcts:64@reference")
        tab.wait(f"location.search.includes('mcts') && {READY}", COLD)
        tab.wait("game.hints === 'ready'", COLD)
        tab.key("h")
        tab.wait("document.querySelectorAll('#advice .option').length > 1", COLD)
        play_on(tab, 1)
        tab.js("document.getElementById('undo').click()")
        tab.wait(f"game.now === 0 && {READY}")
        assert "<!doctype html>" in tab.js("link.ask('replay')")
        tab.close()


def test_what_is_missing_is_said(site: Path, browser: browsers.Browser, tmp_path: Path) -> None:
    broken = Path(shutil.copytree(site, tmp_path / "site"))
    next((broken / "kernels").glob("*.wasm")).unlink()
    with served(broken) as address:
        tab = browser.tab(f"{address}/push_of_faith.html", *WINDOW)
        tab.wait(f"!{GONE}.hidden", COLD)
        assert re.search(r"kernels/push_of_faith-\w+\.wasm is missing \(404\)", tab.js(f"{GONE}.innerText"))
        tab.close()


def test_a_build_of_pages_can_be_repeated(site: Path, modules: Path, bundle: Path) -> None:
    assert folder.archive() == (site / "python.zip").read_bytes()
    assert json.loads((site / "settings.json").read_text())["pyodide"] == "pyodide/"


def test_a_bundle_that_is_not_whole_is_refused(tmp_path: Path) -> None:
    with pytest.raises(folder.BundleError, match=r"has no pyodide.mjs; expected the files of the npm package"):
        folder.write(["orbis"], tmp_path / "out", tmp_path, 1, lambda done, of, name: None)
