"""The site: `mkdocs build --strict` passes, links out of docs/ lead into the repository, and *Play now* to the pages to
play on, here without their modules."""

import json
import os
import re
import runpy
import subprocess
import sys
import threading
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from importlib.util import find_spec
from pathlib import Path
from urllib.parse import urlsplit

import browser as browsers
import pytest

from theogony.envs import GAMES
from theogony.web import folder

ROOT = Path(__file__).parents[1]
NEEDS = "the site needs mkdocs, which is not installed"
HOOKS = runpy.run_path(str(ROOT / "docs" / "hooks.py")) if find_spec("mkdocs") else {}


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What `theogony web` writes, without modules, which take minutes to build."""
    out = tmp_path_factory.mktemp("pages")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("theogony.web.modules.layouts", lambda spec: [{}])
        patch.setattr(folder, "_modules", lambda games, jobs, say: {name: [] for name in games})
        folder.write(list(GAMES), out, None, 1, lambda done, of, name: None)
    return out


@pytest.fixture(scope="module")
def site(pages: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    if find_spec("mkdocs") is None or find_spec("mkdocstrings") is None:
        pytest.skip(NEEDS)
    target = tmp_path_factory.mktemp("site")
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--site-dir", str(target)]
    environment = {**os.environ, "THEOGONY_PAGES": str(pages)}
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, env=environment)
    assert done.returncode == 0, done.stderr
    return target


@pytest.mark.slow
def test_every_page_is_built_and_nothing_else(site: Path) -> None:
    pages = {
        path.relative_to(ROOT / "docs").with_suffix("")
        for path in (ROOT / "docs").rglob("*.md")
        if not path.match("lab/20*.md")
    }
    built = {path.parent.relative_to(site) for path in site.rglob("index.html")}
    assert {page.parent if page.name == "README" else page for page in pages} | {Path("play_now")} == built
    assert not [path for path in site.rglob("*") if path.suffix in (".py", ".ipynb", ".pyc")]


@pytest.mark.slow
def test_pages_ask_no_other_server(site: Path) -> None:
    """No fonts, scripts or pictures from elsewhere."""
    for path in site.rglob("index.html"):
        text = path.read_text("utf-8")
        loaded = re.findall(r"<(?:script|img|iframe)[^>]* src=\"?(https?:[^\" >]+)", text)
        loaded += re.findall(r"<link[^>]* href=\"?(https?:[^\" >]+)[^>]* rel=\"?(?:stylesheet|preconnect)", text)
        assert not loaded, f"{path}: {loaded}"


WIDER = """[...document.querySelectorAll(".md-content table:not(.highlighttable)")]
    .map((table) => table.closest(".md-typeset__scrollwrap") ?? table.parentElement)
    .filter((frame) => frame.scrollWidth > frame.clientWidth + 1).map((frame) => frame.innerText.slice(0, 80))"""

# Names of players in the heads of tables that are broken within a word, by the lines that they take.
BROKEN = """[...document.querySelectorAll(".md-content tr:not(:has(th:nth-child(9))) th code")]
    .filter((one) => new Set([...one.getClientRects()].map((box) => box.top)).size > one.innerText.split(/[@-]/).length)
    .map((one) => one.innerText)"""


@pytest.mark.slow
def test_tables_fit_a_window_of_1280_pixels(site: Path, tmp_path: Path) -> None:
    if browsers.find() is None:
        pytest.skip("no Chromium is installed")
    with browsers.browser(tmp_path) as browser:
        for page in ("leaderboard", "leaderboard/medium", "results", "players", "performance", "libraries", "."):
            tab = browser.tab((site / page / "index.html").as_uri(), width=1280)
            tab.wait("document.readyState == 'complete' && document.querySelector('.md-content table') !== null")
            assert tab.js(WIDER) == [], page
            assert tab.js(BROKEN) == [], page
            tab.close()


@pytest.mark.slow
@pytest.mark.parametrize(
    "page, name",
    [
        ("theogony", "theogony.make_vec"),
        ("environments", "theogony.envs.core.aec.GameEnv.step"),
        ("environments", "theogony.envs.core.batch.Batch.step"),
        ("games", "theogony.envs.core.position.Position.resample"),
        ("games", "theogony.envs.core.features.FeatureLayout.decode"),
        ("players", "theogony.envs.core.players.make_player"),
        ("wrappers", "theogony.wrappers.single_agent.SingleAgentEnv.undo"),
        ("training", "theogony.training.rating.evaluate.evaluate"),
    ],
)
def test_the_reference_has_what_users_import(site: Path, page: str, name: str) -> None:
    assert f'id="{name}"' in (site / "api" / page / "index.html").read_text("utf-8")


def links(page: Path) -> list[Path]:
    """The files of the site that a page refers to."""
    found = re.findall(r"(?:href|src)=\"?([^\" >]+)", page.read_text("utf-8"))
    local = [urlsplit(one).path for one in found if not urlsplit(one).scheme and urlsplit(one).path]
    paths = [(page.parent / path).resolve() for path in local]
    return [path / "index.html" if path.is_dir() else path for path in paths]


@pytest.mark.slow
def test_play_now_leads_to_a_drawn_position(site: Path, pages: Path) -> None:
    """From the home page and from each game's; whatever the pages refer to is there."""
    play = site / "play_now"
    assert play / "index.html" in links(site / "index.html")
    for game in GAMES:
        assert play / f"{game}.html" in links(site / "games" / game / "index.html")
        for index in (site / "index.html", play / "index.html"):
            assert play / f"{game}.html" in links(index)
        assert "<svg" in (play / f"{game}.html").read_text("utf-8")
    for page in play.glob("*.html"):
        assert not [path for path in links(page) if not path.is_file()]
    there = {path.relative_to(pages) for path in pages.rglob("*") if path.is_file()}
    assert {path.relative_to(play) for path in play.rglob("*") if path.is_file()} == there
    assert sorted(json.loads((play / "settings.json").read_text())["games"]) == sorted(GAMES)


class Quiet(SimpleHTTPRequestHandler):
    def log_message(self, format: str, *args: object) -> None:
        pass


@pytest.mark.slow
@pytest.mark.parametrize("width", [390, 1440])
def test_every_game_can_be_chosen_in_a_window_of_any_width(width: int, pages: Path, tmp_path: Path) -> None:
    """The page on which a game is chosen is read and scrolled like any other; each game says what it is about first."""
    if browsers.find() is None:
        pytest.skip("no Chromium is installed")
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(pages)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    with browsers.browser(tmp_path) as browser:
        tab = browser.tab(f"http://127.0.0.1:{server.server_port}/index.html", width, 844)
        tab.wait("document.readyState === 'complete' && document.links.length > 20")
        assert tab.js("document.documentElement.scrollWidth") <= width
        assert tab.js("Math.min(...[...document.querySelectorAll('section p')].map((one) => one.clientWidth))") > 300
        tab.js("scrollTo(0, 1e6)")
        assert tab.js("[...document.links].at(-1).getBoundingClientRect().bottom <= innerHeight")
        said = tab.js("[...document.querySelectorAll('section')].map((one) => one.innerText)")
        assert len(said) == len(GAMES) and all(len(one.split("\n\n")[1]) > 100 for one in said)
        team = [one.splitlines()[0] for one in said if ", with a beginner" in one]
        assert team == ["God of War: The Card Game"]  # the others are played against somebody
    server.shutdown()


@pytest.mark.skipif(not HOOKS, reason=NEEDS)
def test_without_pages_to_play_on_nothing_leads_there() -> None:
    text = "# Orbis\n\nA game.\n\n![A picture](x.png)\n"
    assert HOOKS["playable"](text, "games/orbis.md", set()) == text
    assert HOOKS["playable"](text, "core.md", {"index", "orbis"}) == text
    assert "Play now](../play_now/orbis.html)" in HOOKS["playable"](text, "games/orbis.md", {"index", "orbis"})


@pytest.mark.skipif(not HOOKS, reason=NEEDS)
def test_what_keeps_pages_from_being_built_is_said_in_a_line(tmp_path: Path) -> None:
    """Here there is no linker."""
    code = "import sys; sys.modules['ziglang'] = None; import pages; pages.main()"
    paths = os.pathsep.join([str(ROOT / "docs"), *filter(None, [os.environ.get("PYTHONPATH")])])
    without = {"THEOGONY_PAGES": str(tmp_path / "pages"), "THEOGONY_WASM": str(tmp_path / "none"), "PATH": ""}
    command, environment = [sys.executable, "-c", code, "push_of_faith"], {**os.environ, **without, "PYTHONPATH": paths}
    done = subprocess.run(command, capture_output=True, text=True, env=environment)
    assert done.returncode == 0, done.stderr
    assert re.fullmatch(r"The site has no pages to play on: WebAssembly needs the linker wasm-ld: .*\n", done.stdout)
    assert not (tmp_path / "pages").exists()


@pytest.mark.skipif(not HOOKS, reason=NEEDS)
@pytest.mark.parametrize(
    "link, expected",
    [
        ("[`rules/`](../../envs/orbis/rules)", "[`rules/`](https://x.org/a/b/tree/HEAD/envs/orbis/rules)"),
        ("[](../../LICENSE#top)", "[](https://x.org/a/b/blob/HEAD/LICENSE#top)"),
        ("[](../core.md#seeds)", "[](../core.md#seeds)"),  # stays in docs/
        (
            "[](../lab/2026-11-22-heads.md)",
            "[](https://x.org/a/b/blob/HEAD/docs/lab/2026-11-22-heads.md)",
        ),  # not on the site
        ("[](../../envs/no_such_file.py)", "[](../../envs/no_such_file.py)"),  # of which mkdocs complains
        ("[](../../../outside.py)", "[](../../../outside.py)"),
    ],
)
def test_links_out_of_the_pages_lead_into_the_repository(link: str, expected: str) -> None:
    assert HOOKS["absolute"](link, "games/orbis.md", "https://x.org/a/b") == expected
