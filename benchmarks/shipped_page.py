"""docs/shipped_players.md: the command that makes each player that comes with the project, and how long it takes."""

from __future__ import annotations

from typing import Any

from theogony.envs.core.registry import load
from theogony.training.config.recipes import Recipe, minutes_of

AGENTS = "training/agents/"
HEAD = """# How the shipped players were trained

One command makes each player that comes with the project, `reference` and `reference-policy`, from nothing: by the
stages of its recipe in [`configs/players.yaml`](../configs/players.yaml), and before it the players that it begins with
or is taught by. Every stage is a run in `runs/remake`; given again after a stop, the command goes on where it stood.
A line `reference` makes the learnt value by which `reference` searches or plans and `greedy@reference` looks one
decision ahead. In God of War all three go by the policy, so there is one line for each table.

```
theogony remake                             # lists the players
theogony remake push_of_faith/2p-policy
```

Steps are decisions of the learner in the last stage. Minutes are those of a processor for the stages of the player,
hours those for all that it needs as well. `python -m theogony.training.players.reference RUN` makes the last checkpoint
of a run the player that ships for its game and table. [Results](results.md) tells how strong they are. Written by
`python benchmarks/results.py`.
"""
HEADS = ["player", "players", "steps", "minutes", "hours from nothing", "command"]


def made_by_recipes(measured: dict[str, tuple[str, dict[str, Any]]], recipes: dict[str, Recipe]) -> str:
    """The page. `measured` has the title and the figures of players by the names of their recipes, and of others."""
    parts = [HEAD]
    learnt = {name: found for name, found in measured.items() if name in recipes}
    for game in dict.fromkeys(figures["game"] for _, figures in learnt.values()):
        rows = [_row(name, *found, recipes) for name, found in learnt.items() if found[1]["game"] == game]
        lines = [HEADS, ["---", "---", *["---:"] * 3, "---"], *rows]
        parts += [f"\n## {load(game).title}\n", *("| " + " | ".join(line) + " |" for line in lines)]
    return "\n".join(parts) + "\n"


def _row(name: str, title: str, figures: dict[str, Any], recipes: dict[str, Recipe]) -> list[str]:
    steps = "" if figures["steps"] is None else f"{figures['steps'] / 1e6:.1f} M"
    hours = f"{minutes_of(recipes, name) / 60:.1f}"
    return [title, str(figures["players"]), steps, f"{recipes[name].minutes:.0f}", hours, f"`theogony remake {name}`"]
