"""Learning curves of runs over a processor's minutes, for docs/lab/learning.md.

    python tools/curves.py runs/td runs/quickstart     take the curves of these runs, and write the page

What the evaluations of a run found against the greedy player is read from its `metrics.jsonl` and kept in
docs/curves.json, under the game, the number of players and the name of the run's folder; a run of the same name
replaces the one before. Nothing is played. `learning.py` writes the page.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

from theogony.envs.core.untrusted.files import replace_file
from theogony.training.config.file import load_config
from theogony.training.storage.folder import read_metrics

ROOT = Path(__file__).parents[1]
CURVES = ROOT / "docs/curves.json"
AGAINST = "greedy"


def curve(run: Path) -> tuple[str, dict[str, Any]]:
    """What a run is filed under, and its curve: (processor's minutes, share won) of every evaluation.

    Raises ValueError for a run without evaluations against the greedy player, or made before they were timed.
    """
    config = load_config(run / "config.yaml")
    game = config.make_game()
    lines = [line for line in read_metrics(run) if AGAINST in line.get("evaluation", {})]
    if not lines:
        raise ValueError(f"{run}: was never evaluated against {AGAINST}")
    if "cpu" not in lines[0]:
        raise ValueError(f"{run}: its metrics do not say the processor's time; expected a run of this version")
    points = [[round(line["cpu"] / 60, 2), line["evaluation"][AGAINST]["won"]] for line in lines]
    about = {
        "game": game.spec.name,
        "players": game.players,
        "options": {name: value for name, value in config.options.items() if name != "players"},
        "run": run.name,
        "engine": config.engine,
        "seed": config.seed,
        "steps": lines[-1]["steps"],
        "games": config.evaluation.games,
        "points": points,
    }
    return f"{game.spec.name} {game.players} {run.name}", about


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("runs", nargs="+", type=Path, help="folders of runs")
    known = json.loads(CURVES.read_text("utf-8")) if CURVES.exists() else {}
    try:
        known |= dict(curve(run) for run in parser.parse_args().runs)
    except (ValueError, OSError) as error:
        raise SystemExit(f"curves.py: {error}") from None
    replace_file(CURVES, json.dumps(known, indent=1).encode() + b"\n")
    subprocess.run([sys.executable, str(ROOT / "tools/learning.py")], check=True)


if __name__ == "__main__":
    main()
