"""Milliseconds of processor time of a picture: `python tools/pictures.py [GAME ...]`.

A game of greedy players is drawn after every decision as `render_mode="rgb_array"` draws it, at 720 px.
`compare.py --measures pictures` sets another checkout beside this one.
"""

from __future__ import annotations

import sys
import time

import numpy as np
import pandas as pd

from theogony.envs import GAMES
from theogony.envs.core.draw.svg import rasterise
from theogony.envs.core.players import KernelPlay
from theogony.envs.core.position import Position
from theogony.envs.core.registry import load

WIDTH = 720
MOST = 150  # pictures of a game


def times(game: str) -> pd.DataFrame:
    """Return the times of the SVG and of the pixels of every picture of a game."""
    position = Position(load(game).configure(), 3)
    greedy, stream = KernelPlay(position.game), np.array([3], np.uint64)
    rasterise(position.svg(), width=WIDTH)
    found = []
    while not position.over and len(found) < MOST:
        position.play(greedy.choose(position, 1.0, stream))
        started = time.process_time()
        drawn = position.svg()
        between = time.process_time()
        rasterise(drawn, width=WIDTH)
        found.append((between - started, time.process_time() - between))
    return 1000 * pd.DataFrame(found, columns=pd.Index(["svg", "pixels"]))


def main() -> None:
    """Print a table."""
    print(f"CPU ms at {WIDTH} px, medians (and the slowest of twenty): SVG, pixels, both")
    for game in sys.argv[1:] or GAMES:
        found = times(game)
        found["both"] = found["svg"] + found["pixels"]
        svg, pixels, both = found.median()
        slow = found["both"].quantile(0.95, interpolation="higher")
        print(f"{game:<16}{svg:5.1f} {pixels:6.1f} {both:6.1f} ({slow:.1f})", flush=True)


if __name__ == "__main__":
    main()
