"""How fast the local page is: `python tools/play.py [GAME ...]`, and `--record FILE.gif` films a game by clicks.

Needs a Chromium, which it drives as the tests do. Times are those of a warm start: rules are compiled before. Beside
each stands the processor time that the server took of it, which other work on the machine changes less.
"""

from __future__ import annotations

import argparse
import base64
import io
import json
import os
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

import numpy as np
from browser import Browser, Tab, browser
from test_browser import open_seat, play_on

from theogony.envs import GAMES
from theogony.envs.core.contract import table as markdown

CLICKS = 40
PREPARED = 120.0  # seconds for which hints may be prepared, which is not measured with answers
FRAME = 860, 780  # of the recording: no wider than pages of a repository show it, so that it can be read
# Moves and log beneath the board, which shows the map and one's own world beside each other.
BENEATH = """layout.shape = function () {
  document.body.dataset.shape = this.shaped = 'beneath';
  this.least = FOLDED / TEXT;
}; board.again()"""
PICTURES = 24  # of it
SECONDS = 1.2  # that each stays
HINTS = ("hints prepared", "first hint (work)")


@contextmanager
def table(game: str, folder: Path, *more: str) -> Iterator[tuple[str, int]]:
    """`theogony play` as a process; its first link and its number."""
    record = folder / f"{game}-{time.monotonic_ns()}.jsonl"
    line = [sys.executable, "-m", "theogony", "play", game, "--no-browser", "--seed", "3", "--record", str(record)]
    process = subprocess.Popen([*line, *more], stdout=subprocess.PIPE, text=True)
    try:
        assert process.stdout is not None
        yield next(text for text in process.stdout if "http://" in text).split(": ", 1)[1].strip(), process.pid
    finally:
        process.kill()
        process.communicate()


def worked(process: int) -> float:
    """Seconds of processor time of a process so far (Linux)."""
    fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def first_click(game: str, folder: Path, running: Browser) -> tuple[float, float]:
    """Seconds from the command until something on the page can be clicked, and of the server's work."""
    begun = time.perf_counter()
    with table(game, folder) as (link, process):
        tab = running.tab(link)
        tab.wait("document.body && document.body.dataset.ready === 'mine'")
        took = time.perf_counter() - begun, worked(process)
        tab.close()
    return took


def answers(game: str, folder: Path) -> tuple[float, float]:
    """Milliseconds from a decision sent until the page has the position after it and greedy's answers: median of the
    time, and mean of the server's work."""
    took = []
    with table(game, folder) as (link, process):
        while (news := _ask(f"{link}news?frames=1"))["hints"] == "preparing":
            time.sleep(0.2)
        before = worked(process)
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
        work = 1000 * (worked(process) - before) / len(took)
    return statistics.median(took), work


# Click one of the actions that are listed; milliseconds until the page shows the position in which one decides again.
DRAWN = """(k => new Promise((done) => {
  const listed = [...document.querySelectorAll('#choices [data-action]')], before = document.body.dataset.decision;
  const begun = performance.now();
  const seen = new MutationObserver(() => {
    if (!document.body.dataset.decision || document.body.dataset.decision === before) return;
    if (!['mine', 'over'].includes(document.body.dataset.ready)) return;
    seen.disconnect();
    requestAnimationFrame(() => setTimeout(() => done(performance.now() - begun)));
  });
  seen.observe(document.body, { attributes: true });
  listed[k % listed.length].click(); }))"""


def drawn(game: str, folder: Path, running: Browser) -> tuple[float, float]:
    """Milliseconds from a click until the answer to it, greedy's moves with it, is drawn: median of the time, and mean
    of the processor time of the page."""
    took: list[float] = []
    with table(game, folder) as (link, _):
        tab = open_seat(running, link)
        tab.call("Performance.enable", timeDomain="threadTicks")
        still = {"name": "prefers-reduced-motion", "value": "reduce"}  # what moves on after the answer is not counted
        tab.call("Emulation.setEmulatedMedia", features=[still])
        tab.wait("game.hints !== 'preparing'", PREPARED)
        before = page_work(tab)
        while len(took) < CLICKS and tab.js("document.body.dataset.ready") != "over":
            took.append(tab.js(f"{DRAWN}({len(took)})"))
        work = 1000 * (page_work(tab) - before) / len(took)
        tab.close()
    return statistics.median(took), work


# Ask for a hint; milliseconds until its moves stand on the page.
HINTED = """new Promise((done) => {
  const begun = performance.now(), seen = new MutationObserver(() => {
    if (!document.querySelector('#advice .option')) return;
    seen.disconnect();
    requestAnimationFrame(() => setTimeout(() => done(performance.now() - begun)));
  });
  seen.observe(document.getElementById('advice'), { childList: true, subtree: true });
  document.getElementById('hint').click(); })"""


def first_hint(game: str, folder: Path, running: Browser) -> tuple[float, float, float]:
    """Seconds from the command until hints are prepared; milliseconds from the first request until the hint is shown,
    and of the server's work for it. Asked is at the first decision of the seat that has several moves."""
    begun = time.perf_counter()
    with table(game, folder) as (link, process):
        tab = open_seat(running, link)
        tab.wait("game.hints !== 'preparing'", PREPARED)
        prepared = time.perf_counter() - begun
        while tab.js("choices.words.size") < 2:
            tab.js(f"{DRAWN}(0)")
        before = worked(process)
        took = tab.js(HINTED)
        work = 1000 * (worked(process) - before)
        tab.close()
    return prepared, took, work


def page_work(tab: Tab) -> float:
    """Seconds of processor time of a page so far."""
    return next(one["value"] for one in tab.call("Performance.getMetrics")["metrics"] if one["name"] == "TaskDuration")


def _ask(url: str, message: Any = None) -> Any:
    data = None if message is None else json.dumps(message).encode()
    request = urllib.request.Request(url, data, {"content-type": "application/json"} if data else {})
    with urllib.request.urlopen(request) as answer:
        return json.load(answer)


def film(game: str, path: Path, folder: Path, running: Browser) -> None:
    """A GIF of a game played by clicking."""
    from PIL import Image

    pictures = []
    with table(game, folder) as (link, _):
        tab = open_seat(running, link)
        tab.size(*FRAME)
        tab.js("document.getElementById('guideno').click()")  # the question takes the room of the moves
        tab.js(BENEATH)
        while len(pictures) < PICTURES and tab.js("document.body.dataset.ready") != "over":
            tab.call("Input.dispatchMouseEvent", type="mouseMoved", x=1, y=1)  # no panel lies above the board
            time.sleep(0.8)  # until what has changed has settled
            shot = base64.b64decode(tab.call("Page.captureScreenshot", format="png")["data"])
            pictures.append(Image.open(io.BytesIO(shot)).convert("RGB"))
            play_on(tab, 1)
    palette = pictures[-1].quantize(96)  # one for all: what does not change from picture to picture takes no room
    small = [picture.quantize(palette=palette, dither=Image.Dither.NONE) for picture in pictures]
    small[0].save(path, save_all=True, append_images=small[1:], duration=int(1000 * SECONDS), loop=0, optimize=True)
    print(f"{path}: {len(small)} pictures, {path.stat().st_size // 1000} kB")


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
        answered = f"answer to a click, median of {CLICKS} (work)"
        print(markdown(["game", "first click (work)", answered, "drawn (page's work)", *HINTS], []))
        for game in asked.games:
            starts = [first_click(game, folder, running) for _ in range(asked.repeats)]
            hints = [first_hint(game, folder, running) for _ in range(asked.repeats)]
            (start, work), (ready, hint, thought) = np.median(starts, axis=0), np.median(hints, axis=0)
            clicks = answers(game, folder), drawn(game, folder, running)
            cells = [f"{took:.0f} ms ({of:.0f} ms)" for took, of in clicks]
            cells = [f"{start:.2f} s ({work:.2f} s)", *cells, f"{ready:.1f} s", f"{hint:.0f} ms ({thought:.0f} ms)"]
            print(f"| {game} | {' | '.join(cells)} |", flush=True)


if __name__ == "__main__":
    main()
