"""The benchmark as a paper: `python paper/build.py` makes tables, plots and figures from its results,
and paper/build/paper.pdf where pdflatex is installed.

No figure stands in paper.tex: `\\entry{td}{score}` is read from the results.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

from PIL import Image

from theogony.benchmark.report.entries import Ranked, read_entries
from theogony.benchmark.report.page import PLOTS, report
from theogony.benchmark.report.tables import frame_of
from theogony.benchmark.tasks import shipped
from theogony.envs import GAMES, load
from theogony.envs.core.draw.svg import rasterise
from theogony.envs.core.untrusted.files import make_folder, replace_file

HERE = Path(__file__).parent
RESULTS, BUILD = HERE.parent / "leaderboard" / "results", HERE / "build"
SUITE = "medium"
PICTURES = ("medium-200k-decisions", "medium-1M-decisions")
WIDTH = 2200  # of a plot, in pixels


def numbers(ranked: Ranked) -> Iterator[str]:
    """TeX that defines `entry@NAME@WHAT` for every entry, and what is said of the suite and the games."""
    frame = frame_of("entries", ranked)
    for row in frame.to_dict("records"):
        said = {"score": row["iqm"], "low": row["low"], "high": row["high"]}
        said |= {"before": row["before"], "after": row["after"]}
        for what, value in said.items():
            if value is not None:
                text = f"{100 * value:.0f}\\%" if what in ("before", "after") else f"{value:.2f}"
                yield define(f"entry@{row['agent']}@{what}", text)
    yield define("suite@tasks", str(len(ranked.members)))
    yield define("suite@entries", str(len(frame)))
    for name in GAMES:
        spec = load(name)
        game = spec.configure({"players": 2})
        yield define(f"game@{name}@players", f"{min(spec.players)}--{max(spec.players)}")
        yield define(f"game@{name}@actions", f"{game.actions.size:,}")
        yield define(f"game@{name}@entries", f"{game.features.length:,}")


def define(name: str, text: str) -> str:
    """A definition that \\csname finds, whatever signs the name has."""
    return f"\\expandafter\\def\\csname {name}\\endcsname{{{text}}}"


def main() -> None:
    make_folder(BUILD)
    report(RESULTS, BUILD, latex=True)
    entries = [entry for entry in read_entries(RESULTS) if entry.suite == SUITE]
    ranked = Ranked.of(entries, shipped().suites[SUITE])
    replace_file(BUILD / "numbers.tex", ("\n".join(numbers(ranked)) + "\n").encode())
    for name in PICTURES:
        pixels = rasterise((BUILD / PLOTS / f"{name}.svg").read_text("utf-8"), width=WIDTH)
        Image.fromarray(pixels).save(BUILD / f"{name}.png", optimize=True)
    pdflatex = shutil.which("pdflatex")
    if pdflatex is None:
        print(f"{BUILD}: tables, plots and figures are there; pdflatex, which is not installed here, makes the paper")
        return
    command = [pdflatex, "-interaction=nonstopmode", "-halt-on-error", f"-output-directory={BUILD}", "paper.tex"]
    for _ in range(2):  # references are known the second time
        done = subprocess.run(command, cwd=HERE, capture_output=True, text=True, check=False)
        if done.returncode:
            sys.exit(done.stdout[-2000:])
    print(BUILD / "paper.pdf")


if __name__ == "__main__":
    main()
