"""Milliseconds of processor time of a picture: `python tools/pictures.py [GAME ...] [--against CHECKOUT]`.

A game of greedy players is drawn after every decision as `render_mode="rgb_array"` draws it, at 720 px. With
`--against`, a process of another checkout (with its own .venv) draws the same positions in turn, position by position.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import pandas as pd
from shared import ROOT, Worker

from theogony.envs import GAMES

WIDTH = 720

# What the process of a checkout runs: for each line that it reads one decision, and the times of its picture.
WORKER = """
import json, sys, time
import numpy as np
from theogony.envs.core.players import KernelPlay
from theogony.envs.core.position import Position
from theogony.envs.core.registry import load
from theogony.envs.core.draw.svg import rasterise

position = Position(load(sys.argv[1]).configure(), 3)
greedy, stream, width = KernelPlay(position.game), np.array([3], np.uint64), int(sys.argv[2])
rasterise(position.svg(), width=width)
for line in sys.stdin:
    if position.over:
        print("null", flush=True)
        continue
    position.play(greedy.choose(position, 1.0, stream))
    times = [time.process_time()]
    drawn = position.svg()
    times.append(time.process_time())
    rasterise(drawn, width=width)
    times.append(time.process_time())
    print(json.dumps([1000 * (after - before) for before, after in zip(times, times[1:])]), flush=True)
"""


def measure(checkouts: dict[str, Path], game: str, most: int) -> dict[str, pd.DataFrame]:
    """Return by checkout the times of every picture of a game."""
    workers = {name: Worker(checkout, WORKER, game, str(WIDTH)) for name, checkout in checkouts.items()}
    found: dict[str, list[list[float]]] = {name: [] for name in workers}
    for _ in range(most):
        frames = {name: worker.ask() for name, worker in workers.items()}
        if None in frames.values():
            break
        for name, times in frames.items():
            found[name].append(times)
    for worker in workers.values():
        worker.close()
    return {name: pd.DataFrame(times, columns=pd.Index(["svg", "pixels"])) for name, times in found.items()}


def main() -> None:
    """Read the command line, measure, print a table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("games", nargs="*", default=GAMES)
    parser.add_argument("--against", type=Path, metavar="CHECKOUT")
    parser.add_argument("--most", type=int, default=150, help="pictures of each game at most")
    asked = parser.parse_args()
    checkouts = {"now": ROOT} | ({"before": asked.against.resolve()} if asked.against else {})
    print(f"CPU ms at {WIDTH} px, medians (and the slowest of twenty): SVG, pixels, both")
    for game in asked.games:
        for name, times in measure(checkouts, game, asked.most).items():
            svg, pixels, both = times.assign(both=times.sum(axis=1)).median()
            slow = times.sum(axis=1).quantile(0.95, interpolation="higher")
            print(f"{game:<16}{name:<8}{svg:5.1f} {pixels:6.1f} {both:6.1f} ({slow:.1f})", flush=True)


if __name__ == "__main__":
    main()
