"""Write docs/lab/learning.md: how agents learn over minutes, and how settings of a training file compare.

    python tools/curves.py runs/td runs/quickstart     take the curves of these runs, and write the page
    python tools/curves.py                             only write the page

What the evaluations of a run found against the greedy player is read from its `metrics.jsonl` and kept in
docs/curves.json, under the game, the number of players and the name of the run's folder; a run of the same name
replaces the one before. Nothing is played. `comparisons.py` trains what is compared.
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import Any

from theogony.envs.core.contract import table
from theogony.envs.core.registry import load
from theogony.envs.core.untrusted.files import replace_file
from theogony.training.config.file import load_config
from theogony.training.storage.folder import read_metrics

sys.path.append(str(Path(__file__).parent))  # for those who load this file by its path
from shared import ROOT, cell, keep, named, read_figures

CURVES, COMPARISONS = ROOT / "docs/curves.json", ROOT / "docs/comparisons.json"
PAGE = ROOT / "docs/lab/learning.md"
AGAINST = "greedy"
HEAD = """# Learning curves and comparisons

Written by `python tools/curves.py`. [Results](../results.md) says how strong the players are that come with the
project.
"""
COMPARISONS_HEAD = """
## Comparisons

Measured by `python tools/comparisons.py`: agents trained from one file, changed in one thing as
`configs/comparisons.yaml` says, a line for each seed, all else as above. What a line has changed stands under its
table; one that is not there is the file as it is. Options that the file sets stand behind the title. Seconds are those
of a processor's time, in learning and the games that it plays. *Before* is the same agent before it had learnt
anything. An interval says how far chance in the games may lead, not how much agents of other seeds differ.
"""
CURVES_HEAD = """
## Curves

Share of the games won against the greedy player, over minutes of a processor's time: learning and the games that it
plays, evaluations left out. `td` is a value one decision ahead, `sb3` MaskablePPO with lookahead scores, `distil` a
policy that sees nothing but the observation, and `taught` what MaskablePPO makes of that one. A column has the last
evaluation before it. Read from the metrics of runs by `python tools/curves.py RUN...`; the runs are those of
`theogony train configs/<game>/<run>.yaml` with the steps that the table names, over which learning rates fall. Options
that the file sets stand behind the players.
"""
MINUTES = (0.5, 1, 2, 4, 8, 16, 32, 64)  # columns


def page(comparisons: dict[str, Any], curves: dict[str, Any]) -> str:
    """Return docs/lab/learning.md."""
    sections = [*_curves(list(curves.values())), *_comparisons(list(comparisons.values()))]
    return "\n".join([HEAD.rstrip("\n"), *sections, ""])


def write() -> None:
    """Write the page from what is measured."""
    replace_file(PAGE, page(read_figures(COMPARISONS), read_figures(CURVES)).encode())


def _curves(runs: list[dict[str, Any]]) -> list[str]:
    """Return the section about curves; none without runs."""
    lines, games = [CURVES_HEAD.rstrip("\n")] if runs else [], dict[str, list[dict[str, Any]]]()
    for run in runs:
        title = f"{load(run['game']).title}, {run['players']} players{named(run['options'])}"
        games.setdefault(title, []).append(run)
    for title, of_game in games.items():
        end = max(run["points"][-1][0] for run in of_game)
        minutes = [minute for minute in MINUTES if minute / 2 < end]
        heads = ["run", "engine", "steps", *(f"{minute:g} min" for minute in minutes), "games each"]
        lines += [f"\n### {title}\n", table(heads, [_curve_row(run, minutes) for run in of_game])]
    return lines


def _curve_row(run: dict[str, Any], minutes: list[float]) -> list[str]:
    cells = []
    for before, minute in zip([0.0, *minutes], minutes, strict=False):
        found = [won for when, won in run["points"] if before < when <= minute]
        cells.append(f"{found[-1]:.0%}" if found else "")
    return [run["run"], run["engine"], f"{run['steps'] / 1e6:.1f} M", *cells, str(run["games"])]


def _comparisons(runs: list[dict[str, Any]]) -> list[str]:
    """Return the section about comparisons; none without runs."""
    lines = [COMPARISONS_HEAD.rstrip("\n")] if runs else []
    for title in dict.fromkeys(run["title"] for run in runs):
        compared = [run for run in runs if run["title"] == title]
        variants = list(dict.fromkeys(run["variant"] for run in compared))
        compared.sort(key=lambda run: (variants.index(run["variant"]), run["seed"]))
        opponents = list(dict.fromkeys(opponent for run in compared for opponent in run["results"]))
        heads = ["", "seed", "parameters", "steps", "seconds", *(f"against {name}" for name in opponents)]
        rows = [_compared_row(run, opponents) for run in compared]
        lines += [f"\n### {title}{named(compared[0]['options'])}\n", table(heads, rows)]
        changes = {run["variant"]: run["changes"] for run in compared if run["changes"]}
        lines += ["", *(f"* {name}: `{json.dumps(change)}`" for name, change in changes.items())] if changes else []
    return lines


def _compared_row(run: dict[str, Any], opponents: list[str]) -> list[str]:
    """Return what an agent won against each opponent, and what it had won before it had learnt anything."""
    before = {name: f"; before {share:.1%}" for name, share in run.get("before", {}).items() if share is not None}
    cells = [cell(run["results"].get(name)) + before.get(name, "") for name in opponents]
    steps = f"{run['steps'] / 1e6:.2f} M"
    return [run["variant"], str(run["seed"]), f"{run['parameters']:,}", steps, f"{run['seconds']:.0f}", *cells]


def curve(run: Path) -> tuple[str, dict[str, Any]]:
    """Return what a run is filed under, and its curve: (processor's minutes, share won) of every evaluation.

    Raises ValueError for a run without evaluations against the greedy player, or made before they were timed.
    """
    config = load_config(run / "config.yaml")
    game = config.make_game()
    lines = [line for line in read_metrics(run) if AGAINST in line.get("evaluation", {})]
    if not lines:
        raise ValueError(f"{run}: was never evaluated against {AGAINST}")
    if "cpu" not in lines[0]:
        raise ValueError(f"{run}: its metrics do not say the processor's time; expected a run of this version")
    about = {
        "game": game.spec.name,
        "players": game.players,
        "options": {name: value for name, value in config.options.items() if name != "players"},
        "run": run.name,
        "engine": config.engine,
        "seed": config.seed,
        "steps": lines[-1]["steps"],
        "games": config.evaluation.games,
        "points": [[round(line["cpu"] / 60, 2), line["evaluation"][AGAINST]["won"]] for line in lines],
    }
    return f"{game.spec.name} {game.players} {run.name}", about


def main() -> None:
    """Run the command."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("runs", nargs="*", type=Path, help="folders of runs")
    try:
        found = dict(curve(run) for run in parser.parse_args().runs)
    except (ValueError, OSError) as error:
        raise SystemExit(f"curves.py: {error}") from None
    if found:
        keep(CURVES, read_figures(CURVES) | found)
    write()


if __name__ == "__main__":
    main()
