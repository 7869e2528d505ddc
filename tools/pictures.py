"""Milliseconds of processor time of a picture: `python tools/pictures.py [GAME ...] [--against CHECKOUT]`.

A game of greedy players is drawn after every decision as `render_mode="rgb_array"` draws it, at 720 px. With
`--against`, a process of another checkout (with its own .venv) draws the same positions in turn, position by position.
"""

from __future__ import annotations

import argparse
import json
import statistics
import subprocess
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent.parent
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


class DrawingProcess:
    """One checkout, drawing one game."""

    def __init__(self, checkout: Path, game: str) -> None:
        command = [str(checkout / ".venv/bin/python"), "-c", WORKER, game, str(WIDTH)]
        self._process: Any = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd=checkout
        )

    def frame(self) -> tuple[float, float] | None:
        """Milliseconds of the SVG and of its pixels after one more decision; None when the game is over."""
        self._process.stdin.write("go\n")
        self._process.stdin.flush()
        return json.loads(self._process.stdout.readline())

    def close(self) -> None:
        """End the process."""
        self._process.communicate()


def measure(checkouts: list[Path], game: str, most: int) -> list[list[tuple[float, float]]]:
    """Per checkout the times of every picture of a game."""
    workers = [DrawingProcess(checkout, game) for checkout in checkouts]
    found: list[list[tuple[float, float]]] = [[] for _ in workers]
    for _ in range(most):
        frames = [worker.frame() for worker in workers]
        for times, one in zip(found, frames, strict=True):
            if one is not None:
                times.append(one)
        if None in frames:
            break
    for worker in workers:
        worker.close()
    return found


def main() -> None:
    """Read the command line, measure, print a table."""
    parser = argparse.ArgumentParser(description=__doc__)
    games = ["push_of_faith", "orbis", "innovation", "terra_mystica", "god_of_war"]
    parser.add_argument("games", nargs="*", default=games)
    parser.add_argument("--against", type=Path, metavar="CHECKOUT")
    parser.add_argument("--most", type=int, default=150, help="pictures of each game at most")
    asked = parser.parse_args()
    checkouts = [HERE, *([asked.against.resolve()] if asked.against else [])]
    print(f"CPU ms at {WIDTH} px, medians (and the slowest of twenty): SVG, pixels, both")
    for game in asked.games:
        for checkout, times in zip(checkouts, measure(checkouts, game, asked.most), strict=True):
            svg, pixels = (statistics.median(column) for column in zip(*times, strict=True))
            both = sorted(map(sum, times))
            figures = f"{svg:5.1f} {pixels:6.1f} {statistics.median(both):6.1f} ({both[len(both) * 19 // 20]:.1f})"
            print(f"{game:<16}{'before' if checkout != HERE else 'now':<8}{figures}", flush=True)


if __name__ == "__main__":
    main()
