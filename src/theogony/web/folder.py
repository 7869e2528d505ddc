"""`theogony web`: a folder of static files in which games are played, with no server behind it."""

from __future__ import annotations

import base64
import hashlib
import html
import io
import json
from collections.abc import Callable
from functools import partial
from importlib.resources import files
from pathlib import Path
from typing import Any

import numpy as np

from theogony.envs.core.game import Game
from theogony.envs.core.portable.modules import modules_of, own_folder
from theogony.envs.core.position import Position
from theogony.envs.core.registry import load
from theogony.envs.core.thinking.value_network import OWN_VALUE
from theogony.envs.core.untrusted.files import replace_file
from theogony.play.pages import PLAY, STYLES, fill, web
from theogony.precompile import layouts
from theogony.web import modules
from theogony.web.archives import NUMPY, RUNTIME, check_bundle, python
from theogony.web.library import description
from theogony.web.players import VALUE, learnt_file
from theogony.web.weights import learnt

PYODIDE = "https://cdn.jsdelivr.net/pyodide/v0.28.3/full/"
LIBRARY = ("theogony.mjs", "theogony.d.ts", "searchers.mjs", "searcher.mjs")  # for pages of others
OPPONENTS = {  # who may sit in the other seats, and what a page calls them
    "reference": "the trained player, which thinks ahead",
    "greedy@reference": "the same, one decision ahead",
    "mcts:1000@reference": "a long search",
    "mcts:1000x4@reference": "a longer search, by several processors",
    "mcts:600": "a search",
    "greedy": "greedy play",
    "random": "random play",
    "human": "people at this screen",
}


def write(
    names: list[str], folder: Path, bundle: Path | None, jobs: int, say: Callable[[int, int, str], None]
) -> dict[str, int]:
    """Write the pages of games into a folder. Returns the bytes of each part.

    `bundle` is a folder with the files of Pyodide and NumPy's wheel for it, which the page then serves itself; without
    it they come from Pyodide's own distribution. Raises BundleError or LinkError.
    """
    if bundle is not None:
        check_bundle(bundle)
    folder.mkdir(parents=True, exist_ok=True)
    games = {name: [load(name).configure(options) for options in layouts(load(name))] for name in names}
    built = _modules(games, jobs, say)
    for name in (*PLAY, *STYLES):
        _put(folder / "static" / name, _own("link.js") if name == "link.js" else web(name).encode())
    for name in ("early.js", "worker.mjs", *LIBRARY):
        _put(folder / name, _own(name))
    files = python(names, bundle)
    for place, content in files.items():
        _put(folder / place, content)
    about = {name: _put_game(folder, configured, built[name]) for name, configured in games.items()}
    for name, configured in games.items():
        _put(folder / f"{name}.html", game_page(configured[0], trained(about[name]), bundle is not None).encode())
    where = "pyodide/" if bundle else PYODIDE
    runtime = {name: _sha256(files.get(f"pyodide/{name}")) for name in RUNTIME}  # to say which is damaged
    settings = {"pyodide": where, "numpy": NUMPY, "runtime": runtime, "games": about}
    _put(folder / "settings.json", json.dumps(settings, indent=1).encode())
    _put(folder / "index.html", index(games, about, bundle is not None).encode())
    return {part.name: _size(part) for part in sorted(folder.iterdir())}


def _put_game(folder: Path, configured: list[Game], built: Any) -> dict[int, dict[str, Any]]:
    """Write the modules of a game, what its reference players have learnt, and what the library must know. Returns
    which of these files are for how many players."""
    for module in built:
        for path in (module.path, module.path.with_suffix(".json")):
            _put(folder / "kernels" / path.name, path.read_bytes())
    weights = dict(learnt(configured))
    for file, content in weights.items():
        _put(folder / "weights" / file, content)
    found = {}
    for players, game in sorted({game.players: game for game in reversed(configured)}.items()):  # of several the first
        name = modules.name_of(game)
        found[players] = {"module": name, "weights": [file for file in weights if f"-{players}p." in file]}
        value = learnt_file(game, VALUE)
        net = np.load(io.BytesIO(weights[value])).astype(np.float32) if value in weights else OWN_VALUE
        told = description(game, f"../kernels/{name}", net, f"../weights/{value}" if value in weights else "")
        _put(folder / "games" / f"{game.spec.name}-{players}p.json", json.dumps(told).encode())
    return found


def trained(about: dict[int, dict[str, Any]]) -> bool:
    """Whether a game has a reference player that a page can play."""
    return any(files["weights"] for files in about.values())


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


def policy(bundled: bool) -> str:
    """What a page may load, and from where."""
    outside = "" if bundled else f" {PYODIDE}"
    return (
        f"default-src 'none'; script-src 'self' 'wasm-unsafe-eval'{outside}; worker-src 'self'; "
        f"connect-src 'self'{outside}; style-src 'self' 'unsafe-inline'; img-src data:; base-uri 'none'"
    )


def game_page(game: Game, known: bool, bundled: bool) -> str:
    """The page of a game: that of `theogony play`, with a drawn position from the start, against a reference player
    where one is `known`."""
    opponent = "reference" if known else "greedy"
    seats = ",".join(["human", *[opponent] * (game.players - 1)]) if game.players > 1 else "human"
    scripts = "\n".join(f'<script src="static/{name}" defer></script>' for name in PLAY)
    about = f'<meta name="game" content="{game.spec.name}">\n<meta name="seats" content="{seats}">'
    page = fill(web("play.html"), {"SCRIPTS": f"{about}\n{scripts}"}).replace('"/static/', '"static/')
    page = page.replace('href="replay.html"', 'href="#"')  # which the worker makes
    for name in STYLES:  # a browser refuses another content, and early.js says so
        page = page.replace(f'href="static/{name}"', f'href="static/{name}" integrity="{_integrity(web(name))}"')
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
        game, known = configured[0], trained(about[name])
        others = {who: words for who, words in OPPONENTS.items() if ("reference" in who) <= known}
        if known:
            others.pop("mcts:600")
        seats = {",".join(["human", *[who] * (game.players - 1)]): words for who, words in others.items()}
        seats = seats if game.players > 1 else {"human": "alone"}
        links = [f'<a href="{name}.html?seats={who}">{html.escape(words)}</a>' for who, words in seats.items()]
        others_too = {one.players: one for one in configured if one.players != game.players}
        for players in sorted(others_too) if len(seats) > 1 else ():
            who = ",".join(["human", *[next(iter(others))] * (players - 1)])
            links.append(
                f'<a href="{name}.html?seats={who}">{"alone" if players == 1 else f"for {players} players"}</a>'
            )
        rows.append(f"<h3>{html.escape(game.spec.title)}</h3>\n<p>{' · '.join(links)}</p>")
    return fill(_own("index.html").decode(), {"POLICY": policy(bundled), "GAMES": "\n".join(rows)})


def _sha256(content: bytes | None) -> str:
    """The digest of a file, "" where it comes from elsewhere."""
    return "" if content is None else hashlib.sha256(content).hexdigest()


def _integrity(text: str) -> str:
    """The digest of a file as browsers check it."""
    return f"sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}"


def _own(name: str) -> bytes:
    return files("theogony.web").joinpath("page", name).read_bytes()


def _put(path: Path, content: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    replace_file(path, content)


def _size(path: Path) -> int:
    """The bytes of a file, or of all files of a folder."""
    return sum(file.stat().st_size for file in (path, *path.rglob("*")) if file.is_file())
