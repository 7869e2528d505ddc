"""Draws docs/pictures/ and writes docs/gallery.md: every game at its start, in the middle, at its end, as each seat.

`python docs/gallery.py` draws all games, `python docs/gallery.py orbis` some of them.
"""

from __future__ import annotations

import io
import sys
from pathlib import Path

import numpy as np

from theogony.envs import GAMES, load
from theogony.envs.core.draw.svg import rasterise
from theogony.envs.core.draw.viewers import few_colours
from theogony.envs.core.players import KernelPlay
from theogony.envs.core.position import Position
from theogony.envs.core.untrusted.files import replace_file
from theogony.play import seen

DOCS = Path(__file__).parent
FOLDER = DOCS / "pictures"
WIDTH, COLOURS, PLAYERS, SEED = 1024, 128, 2, 1
HEAD = """# Gallery

What the page to play on and `render` draw, of games of greedy players: the start, the middle and the end of each, then
the middle as player 1 and as player 2 see it. Hidden cards and tiles are drawn as backs: compare the seats. What the
last decision changed has an orange frame; where the seat that decides can act, there is a dashed one. `python
docs/gallery.py` draws the pictures.
"""
MOMENTS = {"start": 0.0, "middle": 0.5, "end": 1.0}


def played(name: str) -> Position:
    """A finished game of greedy players."""
    position, stream = Position(load(name).configure({"players": PLAYERS}), SEED), np.array([SEED], np.uint64)
    greedy = KernelPlay(position.game)
    while not position.over:
        position.play(greedy.choose(position, 1.0, stream))
    return position


def draw(position: Position, seat: int | None, file: Path) -> None:
    """What the page of a viewer shows, with few colours, which keeps the file small."""
    pixels = rasterise(seen.frame(seen.moment(position, position.now), seat, clickable=True)["svg"], width=WIDTH)
    small = few_colours(pixels, COLOURS)
    content = io.BytesIO()
    small.save(content, "PNG", optimize=True)
    replace_file(file, content.getvalue())


def draw_game(name: str) -> None:
    """All pictures of a game, from its end back to its start."""
    position = played(name)
    whole = position.now
    for moment, share in sorted(MOMENTS.items(), key=lambda item: -item[1]):
        while position.now > round(share * whole):
            position.undo()
        draw(position, None, FOLDER / f"{name}_{moment}.png")
        if moment == "middle":
            for seat in range(PLAYERS):
                draw(position, seat, FOLDER / f"{name}_seat{seat}.png")


def page() -> str:
    """docs/gallery.md."""
    lines = [HEAD]
    for name in GAMES:
        title = load(name).title
        lines += [f"## {title}", ""]
        shown = {moment: moment for moment in MOMENTS} | {f"seat{k}": f"middle, player {k + 1}" for k in range(PLAYERS)}
        for file, words in shown.items():
            lines += [f"![{title}, {words}](pictures/{name}_{file}.png)", ""]
    return "\n".join(lines)


def main() -> None:
    FOLDER.mkdir(exist_ok=True)
    for name in sys.argv[1:] or GAMES:
        draw_game(name)
    replace_file(DOCS / "gallery.md", page().encode())


if __name__ == "__main__":
    main()
