"""Write docs/lab/learning.md: how agents learn over minutes, and how settings of a training file compare.

    python tools/learning.py           write the page from docs/curves.json and docs/comparisons.json
    python tools/learning.py --check   compare the page with these files

`curves.py` reads the curves from runs, `comparisons.py` trains what is compared; both write the page anew.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

from theogony.envs.core.registry import load
from theogony.envs.core.untrusted.files import replace_file

sys.path.append(str(Path(__file__).parent))  # for those who load this file by its path
from shared import cell, named, read_figures

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "docs/lab/learning.md"
HEAD = """# Learning curves and comparisons

Written by `python tools/learning.py`. [Results](../results.md) says how strong the players are that come with the
project.
"""
COMPARISONS = ROOT / "docs/comparisons.json"
COMPARISONS_HEAD = """
## Comparisons

Measured by `python tools/comparisons.py`: agents trained from one file, changed in one thing as
`configs/comparisons.yaml` says, a line for each seed, all else as above. What a line has changed stands under its
table; one that is not there is the file as it is. Options that the file sets stand behind the title. Seconds are those
of a processor's time, in learning and the games that it plays. *Before* is the same agent before it had learnt
anything. An interval says how far chance in the games may lead, not how much agents of other seeds differ.
"""
CURVES = ROOT / "docs/curves.json"
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
    """docs/lab/learning.md."""
    return (
        "\n".join([HEAD.rstrip("\n"), *_curves(list(curves.values())), *_comparisons(list(comparisons.values()))])
        + "\n"
    )


def write() -> None:
    """The page from what is measured."""
    replace_file(PAGE, page(read_figures(COMPARISONS), read_figures(CURVES)).encode())


def _curves(runs: list[dict[str, Any]]) -> list[str]:
    """The lines of the section about curves; none without runs."""
    lines = [CURVES_HEAD.rstrip("\n")] if runs else []
    heads_of_runs = [f"{load(run['game']).title}, {run['players']} players{named(run['options'])}" for run in runs]
    for title in dict.fromkeys(heads_of_runs):
        of_game = [run for run, its in zip(runs, heads_of_runs, strict=True) if its == title]
        end = max(run["points"][-1][0] for run in of_game)
        minutes = [minute for minute in MINUTES if minute / 2 < end]
        heads = ["run", "engine", "steps", *(f"{minute:g} min" for minute in minutes), "games each"]
        rows = [heads, ["---"] * len(heads), *(_curve_row(run, minutes) for run in of_game)]
        lines += [f"\n### {title}\n", *("| " + " | ".join(row) + " |" for row in rows)]
    return lines


def _curve_row(run: dict[str, Any], minutes: list[float]) -> list[str]:
    cells, before = [], 0.0
    for minute in minutes:
        found = [won for when, won in run["points"] if before < when <= minute]
        cells.append(f"{found[-1]:.0%}" if found else "")
        before = minute
    return [run["run"], run["engine"], f"{run['steps'] / 1e6:.1f} M", *cells, str(run["games"])]


def _comparisons(runs: list[dict[str, Any]]) -> list[str]:
    """The lines of the section about comparisons; none without runs."""
    lines = [COMPARISONS_HEAD.rstrip("\n")] if runs else []
    for title in dict.fromkeys(run["title"] for run in runs):
        compared = [run for run in runs if run["title"] == title]
        variants = list(dict.fromkeys(run["variant"] for run in compared))
        compared.sort(key=lambda run: (variants.index(run["variant"]), run["seed"]))
        opponents = list(dict.fromkeys(opponent for run in compared for opponent in run["results"]))
        heads = ["", "seed", "parameters", "steps", "seconds", *(f"against {name}" for name in opponents)]
        rows = [heads, ["---"] * len(heads), *(_compared_row(run, opponents) for run in compared)]
        lines += [f"\n### {title}{named(compared[0]['options'])}\n", *("| " + " | ".join(row) + " |" for row in rows)]
        changes = {run["variant"]: run["changes"] for run in compared if run["changes"]}
        lines += ["", *(f"* {name}: `{json.dumps(change)}`" for name, change in changes.items())] if changes else []
    return lines


def _cell(run: dict[str, Any], opponent: str) -> str:
    """What an agent won against an opponent, and what it had won before it had learnt anything."""
    before = run.get("before", {}).get(opponent)
    return cell(run["results"].get(opponent)) + ("" if before is None else f"; before {before:.1%}")


def _compared_row(run: dict[str, Any], opponents: list[str]) -> list[str]:
    cells = [_cell(run, opponent) for opponent in opponents]
    steps = f"{run['steps'] / 1e6:.2f} M"
    return [run["variant"], str(run["seed"]), f"{run['parameters']:,}", steps, f"{run['seconds']:.0f}", *cells]


if __name__ == "__main__":
    if sys.argv[1:] == ["--check"]:
        sys.exit(page(read_figures(COMPARISONS), read_figures(CURVES)) != PAGE.read_text("utf-8"))
    write()
