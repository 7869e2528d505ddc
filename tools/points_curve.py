"""How many points copies of an agent make while it learns: `python tools/points_curve.py RUN --from LEDGER...`.

    theogony train configs/terra_mystica/points.yaml &
    python tools/points_curve.py runs/points --from league/*.jsonl.gz --kept 4 --follow
    python tools/points_curve.py --page                 only write the page and its picture anew

Every checkpoint of the run plays as `points.py` has it: copies of `plan:32@CHECKPOINT` from where recorded games stood.
A run keeps its last checkpoints only, so `--follow` plays beside the training, each checkpoint as it appears, until the
run has ended. Figures are kept in docs/points.json, so what was measured is not measured again.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np

sys.path.append(str(Path(__file__).parent))  # for those who load this file by its path
from points import Beginning, Since, beginnings, played

from theogony.envs.core.draw.svg import FAINT, circle, element, line, picture, text
from theogony.envs.core.players import make_player
from theogony.envs.core.registry import load
from theogony.envs.core.untrusted.files import make_folder, replace_file
from theogony.training.config.file import load_config
from theogony.training.storage.checkpoint import checkpoint_path
from theogony.training.storage.folder import read_metrics

ROOT = Path(__file__).parents[1]
FIGURES, PAGE, PICTURES = ROOT / "docs/points.json", ROOT / "docs/lab/points.md", ROOT / "docs/lab/pictures"
PAUSE = 5.0  # seconds between two looks for a checkpoint
WIDTH, HEIGHT, LEFT, TOP = 420.0, 220.0, 60.0, 40.0  # of a picture
COLOURS = ("#1f6fb2", "#c4501e", "#2e8b57", "#7a4fa3")
HEAD = """\
# Points while a value learns

Written by `python tools/points_curve.py`. Four copies of an agent play on from where recorded league games stood
when factions were chosen; [Own points](2026-11-23-own-points.md) says why points, and what people made there. Points
are the mean of all seats, with the 95 % interval over recordings; minutes are those of a processor in learning.
"""


def checkpoints(run: Path, follow: bool) -> Iterator[Path]:
    """The checkpoints of a run; with `follow` also those to come, until it has ended."""
    seen: set[str] = set()
    while True:
        ended = not follow or (run / "evaluation.json").exists()  # looked for first, so that none is missed
        for path in sorted((run / "checkpoints").glob("[0-9]*")):
            if path.name not in seen and path.is_dir():
                seen.add(path.name)
                yield path
        if ended:
            return
        time.sleep(PAUSE)


def minutes(run: Path, steps: int) -> float:
    """The processor's minutes that a run took to learn so far, its evaluations left out."""
    spent = [one.get("cpu", 0.0) for one in read_metrics(run) if one["steps"] <= steps]
    return round(max(spent, default=0.0) / 60, 2)


def measure(player: str, begun: Sequence[Beginning]) -> dict[str, Any]:
    """The mean points of all seats, and half of the interval over the beginnings."""
    means = [float(played(one.game, make_player(player, one.game), 0, one.start).scores().mean()) for one in begun]
    half = 1.96 * float(np.std(means, ddof=1)) / len(means) ** 0.5 if len(means) > 1 else 0.0
    return {"points": round(float(np.mean(means)), 2), "half": round(half, 2), "games": len(means)}


def run(folder: Path, files: list[Path], kept: int, plan: str, follow: bool, file: Path = FIGURES) -> None:
    """Measure the checkpoints of a run that are not known yet, and keep what was found.

    Raises ValueError, ConfigError or CheckpointError for what does not exist.
    """
    config = load_config(folder / "config.yaml")
    begun = list(beginnings(load(config.game), files, Since(kept)))
    if not begun:
        raise ValueError("--from: expected recorded games to begin with")
    for path in checkpoints(folder, follow):
        steps = int(path.name)
        asked = {"game": config.game, "run": folder.name, "plan": plan, "steps": steps}
        if any(all(one[key] == value for key, value in asked.items()) for one in known(file)):
            continue
        found = {**asked, "minutes": minutes(folder, steps), **measure(f"{plan}@{path}", begun)}
        print(f"{folder.name}, {steps:,} decisions: {found['points']:.1f} ± {found['half']:.1f}", flush=True)
        lines = ",\n".join(json.dumps(one) for one in sorted([*known(file), found], key=_order))
        replace_file(file, f"[\n{lines}\n]\n".encode())


def known(file: Path = FIGURES) -> list[dict[str, Any]]:
    """What was measured so far."""
    return json.loads(file.read_text("utf-8")) if file.exists() else []


def _order(one: dict[str, Any]) -> tuple[Any, ...]:
    return one["game"], one["run"], one["plan"], one["steps"]


# ---------------------------------------------------------------------------------------------------- the page


def write_page(figures: Sequence[dict[str, Any]], page: Path = PAGE, pictures: Path = PICTURES) -> None:
    """A picture of all curves of each game, and their figures."""
    make_folder(pictures)
    lines = [HEAD.rstrip()]
    for game in sorted({one["game"] for one in figures}):
        curves = _curves([one for one in figures if one["game"] == game])
        replace_file(pictures / f"points-{game}.svg", curve_svg(curves).encode())
        lines += ["", f"## {load(game).title}", "", f"![Points over minutes](pictures/points-{game}.svg)"]
        for name, found in curves.items():
            lines += ["", f"`{name}`:", "", "| decisions | minutes | points |", "|---|---|---|"]
            lines += [f"| {o['steps']:,} | {o['minutes']:.1f} | {o['points']:.1f} ± {o['half']:.1f} |" for o in found]
    replace_file(page, "\n".join([*lines, ""]).encode())


def _curves(figures: Sequence[dict[str, Any]]) -> dict[str, list[dict[str, Any]]]:
    found: dict[str, list[dict[str, Any]]] = {}
    for one in sorted(figures, key=_order):
        found.setdefault(f"{one['plan']}@runs/{one['run']}", []).append(one)
    return found


def curve_svg(curves: dict[str, list[dict[str, Any]]]) -> str:
    """Points over minutes, a line for each run, with its interval at every checkpoint."""
    every = [one for found in curves.values() for one in found]
    low = 10 * np.floor(min(one["points"] - one["half"] for one in every) / 10)
    high = 10 * np.ceil(max(one["points"] + one["half"] for one in every) / 10)
    last = max(max(one["minutes"] for one in every), 1.0)

    def at(spent: float, points: float) -> tuple[float, float]:
        return LEFT + WIDTH * spent / last, TOP + HEIGHT * (high - points) / max(high - low, 1.0)

    parts = [text(LEFT, TOP - 16, "Points of four copies", 14)]
    for points in np.arange(low, high + 1, 10):
        y = at(0, float(points))[1]
        parts += [line(LEFT, y, LEFT + WIDTH, y, FAINT), text(LEFT - 8, y + 4, f"{points:.0f}", 11, text_anchor="end")]
    for spent in np.linspace(0, last, 5):
        x = at(float(spent), low)[0]
        parts.append(text(x, TOP + HEIGHT + 18, f"{spent:.1f}", 11, text_anchor="middle"))
    parts.append(text(LEFT + WIDTH, TOP + HEIGHT + 36, "minutes of a processor", 11, text_anchor="end"))
    for k, (name, found) in enumerate(curves.items()):
        colour = COLOURS[k % len(COLOURS)]
        spots = [at(one["minutes"], one["points"]) for one in found]
        joined = " ".join(f"{x:.1f},{y:.1f}" for x, y in spots)
        parts.append(element("polyline", points=joined, fill="none", stroke=colour, stroke_width=2))
        for one, (x, y) in zip(found, spots, strict=True):
            ends = [at(one["minutes"], one["points"] + side * one["half"])[1] for side in (-1, 1)]
            parts += [line(x, ends[0], x, ends[1], colour), circle(x, y, 3, colour)]
        parts.append(text(LEFT + WIDTH + 16, TOP + 16 * (k + 1), name, 13, colour))
    return picture(LEFT + WIDTH + 220, TOP + HEIGHT + 48, *parts)


def main(arguments: list[str] | None = None) -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("run", nargs="?", type=Path, help="the folder of a run")
    parser.add_argument("--from", dest="files", type=Path, nargs="+", default=[], help="recorded games")
    parser.add_argument("--kept", type=int, default=4, help="decisions of the recorded games that stand")
    parser.add_argument("--plan", default="plan:32", help="how the agent thinks")
    parser.add_argument("--follow", action="store_true", help="wait for the checkpoints of a run that is learning")
    parser.add_argument("--page", action="store_true", help="only write the page")
    asked = parser.parse_args(arguments)
    try:
        if not asked.page:
            run(checkpoint_folder(asked.run), asked.files, asked.kept, asked.plan, asked.follow)
        write_page(known())
    except (ValueError, OSError) as error:
        raise SystemExit(f"points_curve.py: {error}") from None
    print(f"{PAGE}: written")


def checkpoint_folder(folder: Path | None) -> Path:
    """The folder of a run. Raises ValueError where none was given, or it holds no checkpoint."""
    if folder is None:
        raise ValueError("expected the folder of a run, or --page")
    checkpoint_path(folder)
    return folder


if __name__ == "__main__":
    main()
