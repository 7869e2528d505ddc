"""`theogony web`: a folder of static files in which games are played, with no server behind it."""

from __future__ import annotations

import html
import io
import json
import shutil
import subprocess
import zipfile
from collections.abc import Callable, Iterator
from functools import partial
from importlib.resources import as_file, files
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import theogony
from theogony.envs.core.game import Game
from theogony.envs.core.portable.modules import modules_of, own_folder
from theogony.envs.core.position import Position
from theogony.envs.core.registry import load
from theogony.envs.core.untrusted.files import replace_file
from theogony.play.pages import PLAY, STYLES, fill, web
from theogony.precompile import layouts
from theogony.web import modules
from theogony.web.library import description
from theogony.web.weights import learnt

PYODIDE = "https://cdn.jsdelivr.net/pyodide/v0.28.3/full/"
NUMPY = "numpy-2.2.5-cp313-cp313-pyodide_2025_0_wasm32.whl"
RUNTIME = ("pyodide.mjs", "pyodide.asm.js", "pyodide.asm.wasm", "python_stdlib.zip", "pyodide-lock.json")
MODULES = ("python_stdlib.zip", NUMPY)  # of them those that are archives of Python's modules
SOURCES = (  # of the package: what a page's Python reads
    "__init__.py", "console/*.py", "envs/**/*.py", "envs/**/*.json", "envs/*/data/*.md", "play/*.py", "play/web/*",
    "training/__init__.py", "training/players/__init__.py", "training/players/threads.py",
    "training/players/search_player.py", "training/players/search/*.py", "training/players/plan_player.py",
    "training/players/thinking.py", "training/agents/thinking.json",
    "web/__init__.py", "web/desk.py", "web/players.py", "web/policies.py",
)  # fmt: skip
LIBRARY = ("theogony.mjs", "theogony.d.ts", "searchers.mjs", "searcher.mjs")  # for pages of others
NOT_THERE = {"conformance", "__pycache__", "modules"}
OPPONENTS = {  # who may sit in the other seats, and what a page calls them
    "reference": "the trained player",
    "mcts:64@reference": "a quick search",
    "mcts:1000@reference": "a long search",
    "mcts:600": "a search",
    "greedy": "greedy play",
    "random": "random play",
    "human": "people at this screen",
}
MADE = (1980, 1, 1, 0, 0, 0)  # the date of all files in the archive, so that a build can be repeated


class BundleError(ValueError):
    """What a page is to serve itself is not there."""


def write(
    names: list[str], folder: Path, bundle: Path | None, jobs: int, say: Callable[[int, int, str], None]
) -> dict[str, int]:
    """Write the pages of games into a folder. Returns the bytes of each part.

    `bundle` is a folder with the files of Pyodide and NumPy's wheel for it, which the page then serves itself; without
    it they come from Pyodide's own distribution. Raises BundleError or LinkError.
    """
    _check_bundle(bundle)
    folder.mkdir(parents=True, exist_ok=True)
    games = {name: [load(name).configure(options) for options in layouts(load(name))] for name in names}
    built = _modules(games, jobs, say)
    for name in (*PLAY, *STYLES):
        _put(folder / "static" / name, _own("link.js") if name == "link.js" else web(name).encode())
    for name in ("early.js", "worker.mjs", *LIBRARY):
        _put(folder / name, _own(name))
    _put(folder / "python.zip", archive())
    about: dict[str, Any] = {}
    for name, configured in games.items():
        for module in built[name]:
            for path in (module.path, module.path.with_suffix(".json")):
                _put(folder / "kernels" / path.name, path.read_bytes())
        weights = dict(learnt(configured))
        for file, content in weights.items():
            _put(folder / "weights" / file, content)
        for game in reversed(configured):  # of several with as many players the first
            content = json.dumps(description(game, f"../kernels/{modules.name_of(game)}")).encode()
            _put(folder / "games" / f"{name}-{game.players}p.json", content)
        _put(folder / f"{name}.html", game_page(configured[0], bool(weights), bundle is not None).encode())
        about[name] = {"modules": [module.path.stem for module in built[name]], "weights": sorted(weights)}
    where = "pyodide/" if bundle else PYODIDE
    _put(folder / "settings.json", json.dumps({"pyodide": where, "numpy": NUMPY, "games": about}, indent=1).encode())
    _put(folder / "index.html", index(games, about, bundle is not None).encode())
    if bundle is not None:
        _put_runtime(bundle, folder / "pyodide")
    return {part.name: _size(part) for part in sorted(folder.iterdir())}


def _put_runtime(bundle: Path, folder: Path) -> None:
    """The files of Pyodide and NumPy; where Node.js is installed, their modules as byte code."""
    folder.mkdir(exist_ok=True)
    for name in (*RUNTIME, NUMPY):
        shutil.copyfile(bundle / name, folder / name)
    if (node := shutil.which("node")) is None:
        return
    with as_file(files("theogony.web").joinpath("page", "bytecode.mjs")) as script, TemporaryDirectory() as made:
        done = subprocess.run([node, script, bundle, made, *MODULES], capture_output=True, text=True)
        if done.returncode == 0:  # else this Node.js is too old for Pyodide, and sources do as well
            for name in MODULES:
                _put(folder / name, Path(made, name).read_bytes())


def _check_bundle(bundle: Path | None) -> None:
    missing = [name for name in (*RUNTIME, NUMPY) if bundle and not (bundle / name).is_file()]
    if missing:
        raise BundleError(
            f"{bundle}: has no {missing[0]}; expected the files of the npm package pyodide 0.28 and {NUMPY}"
        )


def _modules(games: dict[str, list[Game]], jobs: int, say: Callable[[int, int, str], None]) -> dict[str, Any]:
    """The modules of games, from this user's folder; those that are not there or of other rules are built."""
    from theogony.envs.core.portable.modules import source_digest

    def whole(name: str) -> Any:
        there = [module for module in modules_of(name) if module.source == source_digest(name)]
        return there if len(there) >= len(games[name]) else None

    missing = [partial(modules.configured, name, layouts(load(name))) for name in games if whole(name) is None]
    if missing:
        modules.run(missing, own_folder(), jobs, say)
        modules_of.cache_clear()
    return {name: whole(name) for name in games}


def archive() -> bytes:
    """The Python part of a page as a zip, the same bytes at every build."""
    out, root = io.BytesIO(), Path(theogony.__file__).parent
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as file:
        for path in sorted({path for pattern in SOURCES for path in _found(root, pattern)}):
            entry = zipfile.ZipInfo(f"theogony/{path.relative_to(root).as_posix()}", MADE)
            entry.compress_type = zipfile.ZIP_DEFLATED
            file.writestr(entry, path.read_bytes())
    return out.getvalue()


def _found(root: Path, pattern: str) -> Iterator[Path]:
    """The files of a pattern; the parts of the package may be links, into which `**` does not go."""
    first, _, rest = pattern.partition("/")
    base = root / first if rest else root
    for path in base.glob(rest or first):
        if path.is_file() and not NOT_THERE & set(path.parts):
            yield path


def policy(bundled: bool) -> str:
    """What a page may load, and from where."""
    outside = "" if bundled else f" {PYODIDE}"
    return (
        f"default-src 'none'; script-src 'self' 'wasm-unsafe-eval'{outside}; worker-src 'self'; "
        f"connect-src 'self'{outside}; style-src 'self' 'unsafe-inline'; img-src data:; base-uri 'none'"
    )


def game_page(game: Game, trained: bool, bundled: bool) -> str:
    """The page of a game: that of `theogony play`, with a drawn position from the start."""
    opponent = "reference" if trained else "greedy"
    seats = ",".join(["human", *[opponent] * (game.players - 1)]) if game.players > 1 else "human"
    scripts = "\n".join(f'<script src="static/{name}" defer></script>' for name in PLAY)
    about = f'<meta name="game" content="{game.spec.name}">\n<meta name="seats" content="{seats}">'
    page = fill(web("play.html"), {"SCRIPTS": f"{about}\n{scripts}"}).replace('"/static/', '"static/')
    page = page.replace('href="replay.html"', 'href="#"')  # which the worker makes
    first = f'<meta http-equiv="content-security-policy" content="{policy(bundled)}">\n<script src="early.js"></script>'
    page = page.replace("<title>", f"{first}\n<title>", 1)  # before style sheets, for which scripts wait
    picture = Position(game, 7).svg(0)
    before, board, after = page.partition('<div id="board"')
    opened, _, closing = after.partition(">")
    return f"{before}{board}{opened}>{picture}{closing}"


def index(games: dict[str, list[Game]], about: dict[str, Any], bundled: bool) -> str:
    """The page on which a game is chosen."""
    rows = []
    for name, configured in games.items():
        game, trained = configured[0], bool(about[name]["weights"])
        others = {who: words for who, words in OPPONENTS.items() if ("reference" in who) <= trained}
        if trained:
            others.pop("mcts:600")
        seats = {",".join(["human", *[who] * (game.players - 1)]): words for who, words in others.items()}
        seats = seats if game.players > 1 else {"human": "alone"}
        links = [f'<a href="{name}.html?seats={who}">{html.escape(words)}</a>' for who, words in seats.items()]
        rows.append(f"<h3>{html.escape(game.spec.title)}</h3>\n<p>{' · '.join(links)}</p>")
    return fill(_own("index.html").decode(), {"POLICY": policy(bundled), "GAMES": "\n".join(rows)})


def _own(name: str) -> bytes:
    return files("theogony.web").joinpath("page", name).read_bytes()


def _put(path: Path, content: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    replace_file(path, content)


def _size(path: Path) -> int:
    """The bytes of a file, or of all files of a folder."""
    return sum(file.stat().st_size for file in (path, *path.rglob("*")) if file.is_file())
