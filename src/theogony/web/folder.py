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
from theogony.envs.core.thinking.value_network import OWN_VALUE
from theogony.envs.core.untrusted.files import replace_file
from theogony.envs.core.vocabulary import rules_text
from theogony.play.pages import PLAY, STYLES, fill, web
from theogony.play.words import greedy_game
from theogony.web import modules
from theogony.web.archives import NUMPY, RUNTIME, check_bundle, python
from theogony.web.library import description
from theogony.web.players import VALUE, learnt_file, learnt_files

PYODIDE = "https://cdn.jsdelivr.net/pyodide/v0.28.3/full/"
LIBRARY = ("theogony.mjs", "theogony.d.ts", "searchers.mjs", "searcher.mjs")  # for pages of others
OPPONENTS = {  # who may sit in the other seats, and what a page calls them: whom a beginner meets comes first
    "greedy": "a beginner, who takes what looks best at once",
    "greedy@reference": "the trained player, one decision ahead",
    "reference": "the trained player, which thinks ahead",
    "mcts:1000@reference": "a long search",
    "mcts:1000x4@reference": "a longer search, by several processors",
    "mcts:600": "a search",
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
    games = {name: modules.configured(name) for name in names}
    built = _modules(games, jobs, say)
    for name in (*PLAY, *STYLES):
        _put(folder / "static" / name, _own("link.js") if name == "link.js" else web(name).encode())
    for name in ("early.js", "worker.mjs", "offline.js", *LIBRARY):
        _put(folder / name, _own(name))
    files = python(names, bundle)
    for place, content in files.items():
        _put(folder / place, content)
    about = {name: _put_game(folder, configured, built[name]) for name, configured in games.items()}
    for name, configured in games.items():
        _put(folder / f"{name}.html", game_page(configured[0], trained(about[name]), bundle is not None).encode())
        _put(folder / "pictures" / f"{name}.svg", picture(configured[0]).encode())
    where = "pyodide/" if bundle else PYODIDE
    digests = {place: hashlib.sha256(content).hexdigest() for place, content in files.items()}
    runtime = {name: digests.get(f"pyodide/{name}", "") for name in RUNTIME}  # to say which is damaged
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
    weights = dict(learnt_files(configured))
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

    missing = [partial(modules.configured, name) for name in games if whole(name) is None]
    if missing:
        modules.run(missing, own_folder(), jobs, say)
        modules_of.cache_clear()
    return {name: whole(name) for name in games}


def policy(bundled: bool) -> str:
    """What a page may load, and from where."""
    outside = "" if bundled else f" {PYODIDE}"
    return (
        f"default-src 'none'; script-src 'self' 'wasm-unsafe-eval'{outside}; worker-src 'self'; "
        f"connect-src 'self'{outside}; style-src 'self' 'unsafe-inline'; img-src 'self' data:; base-uri 'none'"
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
        digest = base64.b64encode(hashlib.sha256(web(name).encode()).digest()).decode()
        page = page.replace(f'href="static/{name}"', f'href="static/{name}" integrity="sha256-{digest}"')
    first = f'<meta http-equiv="content-security-policy" content="{policy(bundled)}">\n<script src="early.js"></script>'
    page = page.replace("<title>", f"{first}\n<title>", 1)  # before style sheets, for which scripts wait
    picture = Position(game, 7).svg(0)
    before, board, after = page.partition('<div id="board"')
    opened, _, closing = after.partition(">")
    return f"{before}{board}{opened}>{picture}{closing}"


def picture(game: Game) -> str:
    """The middle of a game of greedy players, as those who look on see it."""
    position = greedy_game(game, 1)
    for _ in range(position.now // 2):
        position.undo()
    return position.svg(None)


def index(games: dict[str, list[Game]], about: dict[str, Any], bundled: bool) -> str:
    """The page on which a game is chosen: what each is about, and with whom it is played."""
    chosen = [_choice(configured, trained(about[name])) for name, configured in games.items()]
    return fill(_own("index.html").decode(), {"POLICY": policy(bundled), "GAMES": "\n".join(chosen)})


def _choice(configured: list[Game], known: bool) -> str:
    """What is said of a game, and links to play it: at once, with others in the seats, with more or fewer players.

    `known` is whether there is a reference player.
    """
    game, team = configured[0], configured[0].spec.cooperative
    others = [who for who in OPPONENTS if ("reference" in who) <= known and not (known and who == "mcts:600")]

    def link(words: str, who: str, players: int = game.players, kind: str = "") -> str:
        return f'<a{kind} href="{_address(game, who, players)}">{html.escape(words)}</a>'

    with_whom = f", {'with' if team else 'against'} {OPPONENTS[others[0]]}" if game.players > 1 else ""
    go = link("Play", others[0], kind=' class="go"')
    said = [html.escape(rules_text(game.spec.module).partition("\n\n")[0]), f"{go} {_number(game.players)}{with_whom}"]
    if with_whom:
        rest = " · ".join(link(OPPONENTS[who], who) for who in others[1:])
        said.append(f"Other {'partners' if team else 'opponents'}: {rest}")
    if numbers := sorted({one.players for one in configured} - {game.players}):
        rest = " · ".join(link(_number(players), others[0], players) for players in numbers)
        said.append(f"Other numbers of players: {rest}")
    lines = "\n".join(f"<p>{line}</p>" for line in said if line)
    name, title = game.spec.name, html.escape(game.spec.title)
    shown = f'<img src="pictures/{name}.svg" alt="{title} in the middle of a game" loading="lazy">'
    head = f'<h2 id="{name}">{title}</h2>\n<a href="{_address(game, others[0])}">{shown}</a>'
    return f'<section class="card" aria-labelledby="{name}">\n{head}\n{lines}\n</section>'


def _address(game: Game, who: str, players: int = 0) -> str:
    """A game with a person and so many others at the table, by default as many as it usually has."""
    return f"{game.spec.name}.html?seats={','.join(['human', *[who] * ((players or game.players) - 1)])}"


def _number(players: int) -> str:
    return "alone" if players == 1 else f"{players} players"


def _own(name: str) -> bytes:
    return files("theogony.web").joinpath("page", name).read_bytes()


def _put(path: Path, content: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    replace_file(path, content)


def _size(path: Path) -> int:
    """The bytes of a file, or of all files of a folder."""
    return sum(file.stat().st_size for file in (path, *path.rglob("*")) if file.is_file())
