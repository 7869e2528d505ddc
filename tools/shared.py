"""What several of these scripts share: kept figures, cells and curves of pages, how long a player thinks."""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from theogony.envs.core.game import Game
from theogony.envs.core.players import Views, make_player
from theogony.envs.core.position import Position
from theogony.envs.core.untrusted.files import replace_file

ROOT = Path(__file__).resolve().parents[1]
DECISIONS = 60  # of games from their beginning

# ---- Figures that are kept, and pages that are made of them


def read_figures(path: Path) -> Any:
    """Return the figures of a file, none without the file."""
    return json.loads(path.read_text("utf-8")) if path.exists() else {}


def keep(path: Path, figures: Any) -> None:
    """Write figures whole or not at all; of a list each on a line of its own."""
    text = json.dumps(figures, indent=1)
    if isinstance(figures, list):
        text = "[\n" + ",\n".join(map(json.dumps, figures)) + "\n]"
    replace_file(path, f"{text}\n".encode())


def named(options: dict[str, Any]) -> str:
    """Return what stands behind a name for options that are not the defaults."""
    texts = {name: value if isinstance(value, str) else json.dumps(value) for name, value in options.items()}
    return "".join(f", `{name}={text}`" for name, text in texts.items())


def cell(result: dict[str, Any] | None) -> str:
    """Return a win rate with its interval and the number of games; nothing for what was not played."""
    if result is None:
        return ""
    return f"{result['win_rate']:.1%} ({result['low']:.1%} to {result['high']:.1%}, {result['games']})"


def curves_svg(points: pd.DataFrame, title: str, across: str, shares: bool = False) -> str:
    """Return a picture with a dot at each `x` and `y` with `half` of its interval, the means of each `curve` joined.

    With `shares`, y is a share of 1 and x is a number of things on a logarithmic axis.
    """
    import matplotlib as mpl
    from matplotlib.figure import Figure
    from matplotlib.ticker import PercentFormatter

    from theogony.benchmark.report.plots import STYLE, svg_of

    with mpl.rc_context(STYLE):
        figure = Figure(figsize=(5.5, 3))
        axes = figure.subplots()
        if shares:
            counts = sorted(set(points["x"]))
            axes.set_xscale("log")
            axes.set_xticks(counts, [f"{count:,}" for count in counts])
            axes.minorticks_off()
            axes.yaxis.set_major_formatter(PercentFormatter(1))
            axes.set_ylim(0, 1)
        for k, (name, one) in enumerate(points.groupby("curve", sort=False)):
            dots = axes.errorbar(one["x"], one["y"], one["half"], fmt="o", ms=4, color=f"C{k}").lines[0]
            dots.set_gid(f"dots-{k}")
            means = one.groupby("x")["y"].mean()
            axes.plot(means.index, means, color=f"C{k}", label=name, gid=f"curve-{k}")
        axes.set(title=title, xlabel=across)
        axes.legend(loc="upper left", bbox_to_anchor=(1, 1), frameon=False)
        return svg_of(figure)


# ---- How long a player thinks


def milliseconds(game: Game, name: str) -> float:
    """Return those of a processor: the mean of a player's first decisions that leave a choice, after one that compiles.

    All seats are the player's. Where a game is over sooner, another one follows.
    """
    player, rng, seconds = make_player(name, game), np.random.default_rng(1), []
    position, seed = Position(game, seed=1), 1
    player.act(Views.at(position), rng)
    while len(seconds) < DECISIONS:
        if position.over:
            seed += 1
            position = Position(game, seed=seed)
        started = time.process_time()
        action = int(player.act(Views.at(position), rng)[0])
        if len(position.legal_actions()) > 1:
            seconds.append(time.process_time() - started)
        position.play(action)
    return 1000 * float(np.mean(seconds))
