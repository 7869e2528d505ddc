"""What the rules come to as WebAssembly, run by wasmtime and by Node: recordings of other engines, sizes and speed.

    python benchmarks/web.py recordings ../shared/reference [GAME ...] [--modules FOLDER]
    python benchmarks/web.py figures [GAME ...] [--modules FOLDER]
    python benchmarks/web.py page FOLDER [GAME ...]

`page` opens the pages of a folder that `theogony web --bundle` has written in headless Chromium.
Modules are built where FOLDER (by default build/wasm-bench) does not have them. Seconds are those of the processor.
"""

from __future__ import annotations

import argparse
import gzip
import json
import math
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterable
from functools import partial
from pathlib import Path
from typing import Any

from theogony.envs.core.game import Game
from theogony.envs.core.kernels import CALLED
from theogony.envs.core.registry import GAMES, load
from theogony.precompile import layouts
from theogony.web.library import description
from theogony.web.modules import configured, name_of, run

PLAYED = tuple(name for name in CALLED if name not in ("choose", "playouts"))  # what recordings need
VERIFY = "import sys; from theogony.cli import app; app(['verify', *sys.argv[1:]])"
FIGURES = """
import json, sys, time
import numpy as np
from theogony.envs import load
from theogony.envs.core.kernels import kernels
from theogony.envs.core.players import Views, make_player
from theogony.envs.core.position import Position
game = load(sys.argv[1]).configure({})
k, mask = kernels(game.spec), np.zeros(game.actions.size, np.int8)
states, rng = game.new_states(1), np.array([7], np.uint64)
def playouts(games):
    started = time.process_time()
    decisions = k.playouts(states, 0, game.tables, mask, np.uint64(12345), games, rng)
    return decisions / (time.process_time() - started)
def move():
    player, position = make_player("mcts:64@reference", game), Position(game, 11)
    rng, took = np.random.default_rng(4), []
    while len(took) < 24 and not position.over:
        started = time.process_time()
        action = int(player.act(Views.at(position), rng)[0])
        if position.mask.sum() > 1:
            took.append(time.process_time() - started)
        position.play(action)
    return 1000 * float(np.median(took[2:]))
playouts(1)
end = time.process_time() + 1
print(json.dumps([max(iter(lambda: playouts(100) if time.process_time() < end else 0, 0)), move()]))
"""
ROUNDS = 2  # in turn natively, in wasmtime and in V8: of each the best, since a busy machine only slows


def recorded_innovation() -> list[Game]:
    """Innovation as recordings play it: positions keep a log of what happens."""
    from theogony.verification.innovation.reader import logged_game

    return [logged_game(players) for players in (2, 3, 4)]


def every_layout(name: str) -> Callable[[], Iterable[Game]]:
    """The games of all layouts that recordings need."""
    return recorded_innovation if name == "innovation" else partial(configured, name, layouts(load(name)))


def ensure(names: list[str], folder: Path, games: Callable[[str], Callable[[], Iterable[Game]]], only: tuple) -> None:
    """Build the modules of games that are not there yet."""
    wanted = [games(name) for name in names if not any(folder.glob(f"{name}-*.json"))]
    if wanted:
        run(wanted, folder, 1, lambda done, of, name: print(f"built {name}: {done} of {of}", flush=True), only)


def python(folder: Path | None, *words: str) -> subprocess.CompletedProcess[str]:
    """A Python with the modules of a folder, or with Numba."""
    chosen = {"THEOGONY_BACKEND": "wasm", "THEOGONY_WASM": str(folder)} if folder else {"THEOGONY_BACKEND": "numba"}
    return subprocess.run(
        [sys.executable, *words], env={**os.environ, **chosen}, capture_output=True, text=True, check=False
    )


def recordings(names: list[str], folder: Path, reference: Path) -> bool:
    """Play all recordings in WebAssembly. Returns whether all are equal."""
    ensure(names, folder, every_layout, PLAYED)
    well = True
    for name in names:
        files = sorted((reference / name).rglob("*.jsonl.gz"))
        done = python(folder, "-c", VERIFY, name, *map(str, files))
        interpreted = "interpreted" in done.stderr
        lines = [line for line in done.stdout.splitlines() if line.strip()]
        print(f"{name}: {lines[-1] if lines else done.stderr[-300:]}{' (INTERPRETED)' * interpreted}", flush=True)
        well = well and done.returncode == 0 and not interpreted
    return well


def figures(names: list[str], folder: Path) -> None:
    """A row a game: size of its module, speed of playouts and of a move by search."""
    ensure(names, folder, lambda name: partial(configured, name, [{}]), ())
    print("| game | KB | KB packed | playouts, share of native: wasmtime | V8 | ms a move, wasmtime | native |")
    print("|---|---|---|---|---|---|---|")
    for name in names:
        module = folder / f"{name_of(load(name).configure({}))}.wasm"
        fast, move, native, own, browser = 0.0, math.inf, 0.0, math.inf, 0.0
        for _ in range(ROUNDS):
            (speed, one), (its_speed, its_one) = (speeds(where, name) for where in (folder, None))
            fast, move, native, own = max(fast, speed), min(move, one), max(native, its_speed), min(own, its_one)
            browser = max(browser, in_v8(name, module))
        content = module.read_bytes()
        size, packed = len(content) / 1e3, len(gzip.compress(content, 9)) / 1e3
        shares = f"{fast / native:.2f} | {browser / native:.2f}"
        print(f"| {name} | {size:.0f} | {packed:.0f} | {shares} | {move:.0f} | {own:.0f} |", flush=True)


def speeds(folder: Path | None, name: str) -> list[float]:
    """Decisions a second of random games, and milliseconds of a move by search: with modules, or by Numba."""
    return json.loads(python(folder, "-c", FIGURES, name).stdout)


def in_v8(name: str, module: Path) -> float:
    """The same decisions in Node, where nothing is copied, as in a browser; 0 where there is no Node."""
    if shutil.which("node") is None:
        return 0.0
    with tempfile.TemporaryDirectory() as place:
        about = Path(place, "game.json")
        about.write_text(json.dumps(description(load(name).configure({}), module.stem)))
        script = Path(__file__).with_name("web_playouts.mjs")
        done = subprocess.run(["node", script, about, module], capture_output=True, text=True, check=True)
        return float(done.stdout)


def page(folder: Path, names: list[str]) -> None:
    """A row a game: when something is painted, when one may move, with the processor seconds of all the browser's
    processes until then, and what was fetched for that, as gzip packs it."""
    sys.path[:0] = [str(Path(__file__).parents[1] / "tests" / part) for part in ("play", "web")]
    from browser import browser
    from test_pages import COLD, READY, served

    kept = "caches.open('theogony python 1').then(one => one.keys()).then(found => found.length > 0)"
    painted = "performance.getEntriesByName('first-contentful-paint')[0].startTime"
    ready = "performance.getEntriesByName('ready')[0]?.startTime"
    print(
        "| game | first picture, s | first move, cold, s (work) | with cache, s (work) | MB packed | of them Python's |"
    )
    print("|---|---|---|---|---|---|")
    for name in names:
        with tempfile.TemporaryDirectory() as profile, browser(Path(profile)) as running, served(folder) as address:
            begun = worked(running)
            tab = running.tab(f"{address}/{name}.html?seed=5")
            cold = tab.wait(f"{READY} && {ready}", COLD) / 1e3
            work, first = worked(running) - begun, tab.js(painted) / 1e3
            tab.wait(kept, COLD)
            tab.js("document.body.dataset.ready = ''")
            begun = worked(running)
            tab.go(f"{address}/{name}.html?seed=5&new=1")
            again = tab.wait(f"location.search.includes('new') && {READY} && {ready}", COLD) / 1e3
            less = worked(running) - begun
        own, runtime = packed(folder, name), packed(folder / "pyodide") + packed(folder / "python.zip")
        times = f"{first:.1f} | {cold:.1f} ({work:.1f}) | {again:.1f} ({less:.1f})"
        print(f"| {name} | {times} | {own + runtime:.1f} | {runtime:.1f} |", flush=True)


def worked(running: Any) -> float:
    """Seconds of processor time of a browser's processes so far."""
    return sum(one["cpuTime"] for one in running.call("SystemInfo.getProcessInfo")["processInfo"])


def packed(path: Path, game: str | None = None) -> float:
    """Megabytes of a file or a folder as gzip packs them; with a game those that its page fetches besides Python."""
    files = [file for file in (path, *path.rglob("*")) if file.is_file()]
    if game is not None:
        count = load(game).configure({}).players
        files = [path / f"{game}.html", path / "settings.json", path / "worker.mjs", *(path / "static").iterdir()]
        files += [*(path / "kernels").glob(f"{game}-*"), *(path / "weights").glob(f"{game}-{count}p.*")]
    return sum(len(gzip.compress(file.read_bytes(), 9)) for file in files) / 1e6


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=["recordings", "figures", "page"])
    parser.add_argument(
        "names", nargs="*", metavar="NAME", help="the folder of the reference or of the pages, then games"
    )
    parser.add_argument("--modules", type=Path, default=Path("build/wasm-bench"))
    asked = parser.parse_args()
    names = asked.names if asked.what == "figures" else asked.names[1:]
    chosen = names or list(GAMES)
    if asked.what == "figures":
        figures(chosen, asked.modules)
    elif asked.what == "page":
        page(Path(asked.names[0]), chosen)
    else:
        sys.exit(not recordings(chosen, asked.modules, Path(asked.names[0])))


if __name__ == "__main__":
    main()
