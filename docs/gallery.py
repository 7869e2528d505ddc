"""Draws docs/pictures/ and writes docs/gallery.md: the page of every game at four sizes, and what two seats see.

`python docs/gallery.py` draws all games, `python docs/gallery.py orbis` some of them. Needs a Chromium, which it drives
as the tests do.
"""

from __future__ import annotations

import base64
import io
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np
from PIL import Image

from theogony.envs import GAMES, load
from theogony.envs.core.draw.svg import rasterise
from theogony.envs.core.gamerecord import write_record
from theogony.envs.core.players import KernelPlay
from theogony.envs.core.position import Position
from theogony.envs.core.untrusted.files import replace_file
from theogony.play import seen

DOCS = Path(__file__).parent
sys.path.insert(0, str(DOCS.parent / "tests" / "play"))

from browser import Browser, browser  # noqa: E402
from test_browser import open_seat  # noqa: E402

FOLDER = DOCS / "pictures"
QUALITY, PLAYERS, SEED = 80, 2, 1
SIZES = {
    "1920": (1920, 1080, 0.6),
    "1280": (1280, 800, 0.8),
    "800": (800, 600, 1.0),
    "390": (390, 844, 1.0),
}  # and zoom
SEAT_WIDTH = 900  # of the pictures of seats
HEAD = """# Gallery

The page to play on in windows of 1920 × 1080, 1280 × 800, 800 × 600 and 390 × 844 pixels, in the middle of games of
greedy players; then the board alone as player 1 and as player 2 see it. Hidden cards and tiles are drawn as backs:
compare the seats. What the last decision changed has an orange frame; where the seat that decides can act, there is a
dashed one. `python docs/gallery.py` draws the pictures.
"""


def middle(name: str) -> Position:
    """The middle of a game of greedy players, at a decision of the first seat."""
    position, stream = Position(load(name).configure({"players": PLAYERS}), SEED), np.array([SEED], np.uint64)
    greedy = KernelPlay(position.game)
    while not position.over:
        position.play(greedy.choose(position, 1.0, stream))
    half = position.now // 2
    while position.now > half or position.actor != 0:
        position.undo()
    return position


def keep(picture: Image.Image, file: str) -> None:
    """A picture as WebP, which is small and keeps all colours."""
    content = io.BytesIO()
    picture.convert("RGB").save(content, "WEBP", quality=QUALITY, method=6)
    replace_file(FOLDER / f"{file}.webp", content.getvalue())


@contextmanager
def served(record: Path) -> Iterator[str]:
    """The link of the first seat at a table that goes on with a record."""
    line = [
        sys.executable,
        "-m",
        "theogony",
        "play",
        "--no-browser",
        "--seats",
        "human,greedy",
        "--resume",
        str(record),
    ]
    process = subprocess.Popen(line, stdout=subprocess.PIPE, text=True)
    try:
        assert process.stdout is not None
        yield next(text for text in process.stdout if "http://" in text).split(": ", 1)[1].strip()
    finally:
        process.kill()
        process.communicate()


def draw_page(name: str, position: Position, folder: Path, running: Browser) -> None:
    """The page of the first seat at all sizes."""
    write_record(position, folder / f"{name}.jsonl")
    with served(folder / f"{name}.jsonl") as link:
        tab = open_seat(running, link)
        tab.js("document.getElementById('guideno').click()")  # the question takes the room of the moves
        for size, (width, height, zoom) in SIZES.items():
            tab.size(width, height)
            tab.call("Input.dispatchMouseEvent", type="mouseMoved", x=1, y=1)  # no panel lies above the board
            time.sleep(1.5)  # until it is arranged
            shot = Image.open(io.BytesIO(base64.b64decode(tab.call("Page.captureScreenshot", format="png")["data"])))
            keep(shot.resize((round(zoom * width), round(zoom * height)), Image.Resampling.LANCZOS), f"{name}_{size}")
        tab.close()


def draw_seats(name: str, position: Position) -> None:
    """The board as each seat sees it."""
    for seat in range(PLAYERS):
        drawn = seen.frame(seen.moment(position, position.now), seat, clickable=True)["svg"]
        keep(Image.fromarray(rasterise(drawn, width=SEAT_WIDTH)), f"{name}_seat{seat}")


def page() -> str:
    """docs/gallery.md."""
    lines = [HEAD]
    for name in GAMES:
        title = load(name).title
        lines += [f"## {title}", ""]
        shown = {size: f"{width} × {height}" for size, (width, height, _) in SIZES.items()}
        shown |= {f"seat{k}": f"player {k + 1}" for k in range(PLAYERS)}
        for file, words in shown.items():
            lines += [f"![{words[0].upper()}{words[1:]}](pictures/{name}_{file}.webp)", ""]
    return "\n".join(lines)


def main() -> None:
    """The command."""
    FOLDER.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as folder, browser(Path(folder) / "profile") as running:
        for name in sys.argv[1:] or GAMES:
            position = middle(name)
            draw_seats(name, position)
            draw_page(name, position, Path(folder), running)
    replace_file(DOCS / "gallery.md", page().encode())


if __name__ == "__main__":
    main()
