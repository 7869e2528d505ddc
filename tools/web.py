"""What the rules come to as WebAssembly, run by wasmtime and by Node: recordings of other engines, sizes and speed.

    python tools/web.py recordings ../shared/reference [GAME ...] [--modules FOLDER]
    python tools/web.py figures [GAME ...] [--modules FOLDER]
    python tools/web.py page FOLDER [GAME ...]

`page` opens the pages of a folder that `theogony web --bundle` has written in headless Chromium, and lets the search
play in the same Python in Node.
Modules are built where FOLDER (by default build/wasm-bench) does not have them. Seconds are those of the processor.
"""

from __future__ import annotations

import gzip
import json
import math
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterable
from functools import partial
from pathlib import Path
from typing import Annotated, Any

import typer

from theogony.envs.core.contract import table
from theogony.envs.core.game import Game
from theogony.envs.core.kernels import CALLED
from theogony.envs.core.registry import GAMES, load
from theogony.precompile import layouts
from theogony.web.library import description
from theogony.web.modules import configured, name_of, run

app = typer.Typer(help=__doc__, add_completion=False, rich_markup_mode=None)
Games = Annotated[list[str] | None, typer.Argument(help="by default all")]
Modules = Annotated[Path, typer.Option(help="the folder of modules")]
BUILT = Path("build/wasm-bench")
PLAYED = tuple(name for name in CALLED if name not in ("choose", "playouts"))  # what recordings need
VERIFY = "import sys; from theogony.cli import app; app(['verify', *sys.argv[1:]])"
SPEED = Path(__file__).with_name("web_speed.py")
IN_PAGE = Path(__file__).parents[1] / "tests" / "web" / "page_python.mjs"
OPEN = 10.0  # seconds that the first tab stays open when its Python is kept
GONE = 2.0  # until its processes are not counted any more
ROUNDS = 2  # in turn natively, in wasmtime and in V8: of each the best, since a busy machine only slows


def every_layout(name: str) -> Iterable[Game]:
    """Return the games of all layouts that recordings need; in those of Innovation positions keep a log."""
    if name != "innovation":
        return configured(name, layouts(load(name)))
    from theogony.verification.innovation import logged_game

    return [logged_game(players) for players in (2, 3, 4)]


def usual_layout(name: str) -> Iterable[Game]:
    """Return the game with its default options."""
    return configured(name, [{}])


def ensure(names: list[str], folder: Path, games: Callable[[str], Iterable[Game]], only: tuple = ()) -> None:
    """Build the modules of games that are not there yet."""
    wanted = [partial(games, name) for name in names if not any(folder.glob(f"{name}-*.json"))]
    if wanted:
        run(wanted, folder, 1, lambda done, of, name: print(f"built {name}: {done} of {of}", flush=True), only)


def python(folder: Path | None, *words: str) -> subprocess.CompletedProcess[str]:
    """Run a Python with the modules of a folder, or with Numba."""
    chosen = {"THEOGONY_BACKEND": "wasm", "THEOGONY_WASM": str(folder)} if folder else {"THEOGONY_BACKEND": "numba"}
    return subprocess.run(
        [sys.executable, *words], env={**os.environ, **chosen}, capture_output=True, text=True, check=False
    )


@app.command()
def recordings(reference: Path, games: Games = None, modules: Modules = BUILT) -> None:
    """Play all recordings of other engines in WebAssembly. Exits with 1 where one differs."""
    names, well = games or list(GAMES), True
    ensure(names, modules, every_layout, PLAYED)
    for name in names:
        files = sorted((reference / name).rglob("*.jsonl.gz"))
        done = python(modules, "-c", VERIFY, name, *map(str, files))
        interpreted = "interpreted" in done.stderr
        lines = [line for line in done.stdout.splitlines() if line.strip()]
        print(f"{name}: {lines[-1] if lines else done.stderr[-300:]}{' (INTERPRETED)' * interpreted}", flush=True)
        well = well and done.returncode == 0 and not interpreted
    raise typer.Exit(not well)


@app.command()
def figures(games: Games = None, modules: Modules = BUILT) -> None:
    """Print a row a game: size of its module, speed of playouts and of a move by search."""
    ensure(games or list(GAMES), modules, usual_layout)
    heads = ["game", "KB", "KB packed", "playouts, share of native: wasmtime", "V8", "ms a move, wasmtime", "native"]
    print(table(heads, []))
    for name in games or GAMES:
        module = modules / f"{name_of(load(name).configure({}))}.wasm"
        fast, move, native, own, browser = 0.0, math.inf, 0.0, math.inf, 0.0
        for _ in range(ROUNDS):
            (speed, one), (its_speed, its_one) = (speeds(where, name) for where in (modules, None))
            fast, move, native, own = max(fast, speed), min(move, one), max(native, its_speed), min(own, its_one)
            browser = max(browser, in_v8(name, module))
        content = module.read_bytes()
        size, packed = len(content) / 1e3, len(gzip.compress(content, 9)) / 1e3
        shares = f"{fast / native:.2f} | {browser / native:.2f}"
        print(f"| {name} | {size:.0f} | {packed:.0f} | {shares} | {move:.0f} | {own:.0f} |", flush=True)


def speeds(folder: Path | None, name: str) -> list[float]:
    """Decisions a second of random games, and milliseconds of a move by search: with modules, or by Numba."""
    return json.loads(python(folder, str(SPEED), name).stdout)


def in_v8(name: str, module: Path) -> float:
    """Decisions a second of random games in Node, where nothing is copied, as in a browser; 0 without Node."""
    if shutil.which("node") is None:
        return 0.0
    with tempfile.TemporaryDirectory() as place:
        about = Path(place, "game.json")
        about.write_text(json.dumps(description(load(name).configure({}), module.stem)))
        script = Path(__file__).with_name("web_playouts.mjs")
        done = subprocess.run(["node", script, about, module], capture_output=True, text=True, check=True)
        return float(done.stdout)


@app.command()
def page(folder: Path, games: Games = None) -> None:
    """Print a row a game: when something is painted, when one may move, with the processor seconds of all the browser's
    processes until then; what is fetched for that, as gzip packs it; and a move by search."""
    print(f"processes that want to run before: {os.getloadavg()[0]:.0f}")
    cold = "first move, cold, s (work)"
    print(table(["game", "first picture, s", cold, "again", "MB of the game", "with Python", "ms a move"], []))
    for name in games or GAMES:
        cold, work, first, again, less = min(seconds(folder, name) for _ in range(ROUNDS))
        own, runtime = packed(folder, name)
        times = f"{first:.1f} | {cold:.1f} ({work:.1f}) | {again:.1f} ({less:.1f})"
        print(f"| {name} | {times} | {own:.2f} | {own + runtime:.1f} | {in_page(folder, name):.0f} |", flush=True)


def seconds(folder: Path, name: str) -> tuple[float, ...]:
    """First move of a browser that knows nothing, its work until then, its first picture; the first move and the
    work of a second tab, when the first was open for a while and is closed."""
    sys.path[:0] = [str(Path(__file__).parents[1] / "tests" / part) for part in ("play", "web")]
    from browser import Tab, browser
    from test_pages import COLD, READY, served

    kept = "caches.open('theogony python 1').then(one => one.keys()).then(found => found.length > 0)"
    painted = "performance.getEntriesByName('first-contentful-paint')[0].startTime"
    ready = "performance.getEntriesByName('ready')[0]?.startTime"
    with tempfile.TemporaryDirectory() as profile, browser(Path(profile)) as running, served(folder) as address:

        def opened(address: str) -> Any:
            """A tab that shares what the browser keeps on disk."""
            target = running.call("Target.createTarget", url="about:blank")["targetId"]
            tab = Tab(
                running, running.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"], target
            )
            tab.go(address)
            return tab

        begun = worked(running)
        tab = opened(f"{address}/{name}.html?seed=5")
        cold = tab.wait(f"{READY} && {ready}", COLD) / 1e3
        work, first = worked(running) - begun, tab.js(painted) / 1e3
        tab.wait(kept, COLD)
        time.sleep(OPEN)
        tab.close()
        time.sleep(GONE)
        begun = worked(running)
        again = opened(f"{address}/{name}.html?seed=5&new=1").wait(f"{READY} && {ready}", COLD) / 1e3
        return cold, work, first, again, worked(running) - begun


def in_page(folder: Path, name: str) -> float:
    """Milliseconds of a move by search in the Python of a page, in the V8 of Node; 0 where there is no Node."""
    if shutil.which("node") is None:
        return 0.0
    command = ["node", IN_PAGE, folder, name, SPEED, f"move('{name}')"]
    return float(subprocess.run(command, capture_output=True, text=True, check=True).stdout)


def worked(running: Any) -> float:
    """Seconds of processor time of a browser's processes so far."""
    return sum(one["cpuTime"] for one in running.call("SystemInfo.getProcessInfo")["processInfo"])


def packed(folder: Path, game: str) -> tuple[float, float]:
    """Megabytes that a page fetches, as gzip packs them: of the game (page, kernels, weights), and Python's."""
    players = load(game).configure({}).players
    files = json.loads((folder / "settings.json").read_text())["games"][game][str(players)]
    names = [f"{game}.html", "settings.json", "early.js", "worker.mjs", f"kernels/{files['module']}.wasm"]
    names += [f"kernels/{files['module']}.json", *(f"weights/{file}" for file in files["weights"])]
    own = [*(folder / name for name in names), *(folder / "static").iterdir()]
    runtime = [folder / "python" / "common.zip", folder / "python" / f"{game}.zip", *(folder / "pyodide").iterdir()]
    own_size, its_size = (
        sum(len(gzip.compress(one.read_bytes(), 9)) for one in files) / 1e6 for files in (own, runtime)
    )
    return own_size, its_size


if __name__ == "__main__":
    app()
