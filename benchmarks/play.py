"""How fast the local page is: `python benchmarks/play.py [GAME ...]`, and `--record FILE.gif` films a game by clicks.

Needs a Chromium, which it drives as the tests do. Times are those of a warm start: rules are compiled before.
"""

from __future__ import annotations

import argparse
import io
import json
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1] / "tests" / "play"))

from browser import Browser, Tab, browser
from test_browser import open_seat, play_on

from theogony.envs import GAMES

CLICKS = 40
FRAME = 800, 500  # of the recording
SECONDS = 0.9  # that each picture of it stays


@contextmanager
def table(game: str, folder: Path, *more: str) -> Iterator[str]:
    """`theogony play` as a process; its first link."""
    record = folder / f"{game}-{time.monotonic_ns()}.jsonl"
    line = [sys.executable, "-m", "theogony", "play", game, "--no-browser", "--seed", "3", "--record", str(record)]
    process = subprocess.Popen([*line, *more], stdout=subprocess.PIPE, text=True)
    try:
        assert process.stdout is not None
        yield next(text for text in process.stdout if "http://" in text).split(": ", 1)[1].strip()
    finally:
        process.kill()
        process.communicate()


def first_click(game: str, folder: Path, running: Browser) -> float:
    """Seconds from the command until something on the page can be clicked."""
    begun = time.perf_counter()
    with table(game, folder) as link:
        tab = running.tab(link)
        tab.wait("document.body && document.body.dataset.ready === 'mine'")
        took = time.perf_counter() - begun
        tab.close()
    return took


def answers(game: str, folder: Path) -> float:
    """Median milliseconds from a decision sent until the page has the position after it and greedy's answers."""
    took = []
    with table(game, folder) as link:
        news = _ask(f"{link}news?frames=1")
        while len(took) < CLICKS and news["result"] is None:
            frame = news["frames"][-1]
            if frame["actor"] != 0:
                news = _ask(f"{link}news?frames=1")
                continue
            action = frame["choices"][len(took) % len(frame["choices"])][0]
            message = {"window": "bench", "decision": news["decision"], "action": action}
            begun = time.perf_counter()
            news = _ask(f"{link}play", message | {"epoch": news["epoch"], "after": news["now"], "frames": 1})
            while news["result"] is None and news["frames"][-1]["actor"] != 0:
                news = _ask(f"{link}news?frames=1")
            took.append(1000 * (time.perf_counter() - begun))
    return statistics.median(took)


def _ask(url: str, message: Any = None) -> Any:
    data = None if message is None else json.dumps(message).encode()
    request = urllib.request.Request(url, data, {"content-type": "application/json"} if data else {})
    with urllib.request.urlopen(request) as answer:
        return json.load(answer)


def film(game: str, path: Path, folder: Path, running: Browser) -> None:
    """A GIF of a game played by clicking."""
    from PIL import Image

    pictures = []
    with table(game, folder) as link:
        tab = open_seat(running, link)
        for _ in range(60):
            time.sleep(0.8)  # until what has changed has settled
            pictures.append(
                Image.open(io.BytesIO(_screenshot(tab))).convert("RGB").resize(FRAME, Image.Resampling.LANCZOS)
            )
            if tab.js("document.body.dataset.ready") == "over":
                break
            play_on(tab, 1)
    small = [picture.quantize(96, dither=Image.Dither.NONE) for picture in pictures]
    small[0].save(path, save_all=True, append_images=small[1:], duration=int(1000 * SECONDS), loop=0, optimize=True)
    print(f"{path}: {len(small)} pictures, {path.stat().st_size // 1000} kB")


def _screenshot(tab: Tab) -> bytes:
    with tempfile.NamedTemporaryFile(suffix=".png") as file:
        tab.screenshot(file.name)
        return Path(file.name).read_bytes()


def main() -> None:
    """The command."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("games", nargs="*", default=list(GAMES))
    parser.add_argument("--record", type=Path, metavar="FILE.gif")
    parser.add_argument("--repeats", type=int, default=3)
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as name, browser(Path(name) / "profile") as running:
        folder = Path(name)
        if asked.record:
            film(asked.games[0], asked.record, folder, running)
            return
        print(f"{'game':<16} first click   answer to a click (median of {CLICKS})")
        for game in asked.games:
            starts = [first_click(game, folder, running) for _ in range(asked.repeats)]
            print(f"{game:<16} {statistics.median(starts):>9.2f} s   {answers(game, folder):>6.0f} ms", flush=True)


if __name__ == "__main__":
    main()
