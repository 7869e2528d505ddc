"""docs/shipped_players.md: the command that makes each player that comes with the project, and how long it takes."""

from __future__ import annotations

from typing import Any

from theogony.training.config.recipes import Recipe, minutes_of

AGENTS = "training/agents/"
HEAD = """# How the shipped players were trained

`theogony remake` makes each player that comes with the project from nothing: by the stages of its recipe in
[`configs/players.yaml`](../configs/players.yaml), after the players that it begins with or is taught by. Every stage
is a run in `runs/remake`; given again after a stop, the command goes on where it stood.

```
theogony remake                             # lists the players
theogony remake push_of_faith/2p-policy
```

`orbis/2p` is the learnt value by which `reference` searches or plans with two players and `greedy@reference` looks
one decision ahead, `orbis/2p-policy` is `reference-policy`; in God of War all go by the policy. Steps are decisions
of the learner in the last stage, minutes those of a processor for the stages of the player, hours those for all that
it needs as well. `python -m theogony.training.players.reference RUN` makes the last checkpoint of a run the player
that ships. [Results](results.md) tells how strong they are; `python benchmarks/results.py` writes this page.

"""
HEADS = ["player", "steps", "minutes", "hours from nothing"]


def made_by_recipes(measured: dict[str, tuple[str, dict[str, Any]]], recipes: dict[str, Recipe]) -> str:
    """The page. `measured` has the title and the figures of players by the names of their recipes, and of others."""
    rows = [_row(name, found, recipes) for name, (_, found) in measured.items() if name in recipes]
    lines = [HEADS, ["---", *["---:"] * 3], *rows]
    return HEAD + "".join("| " + " | ".join(line) + " |\n" for line in lines)


def _row(name: str, figures: dict[str, Any], recipes: dict[str, Recipe]) -> list[str]:
    steps = "" if figures["steps"] is None else f"{figures['steps'] / 1e6:.1f} M"
    return [f"`{name}`", steps, f"{recipes[name].minutes:.0f}", f"{minutes_of(recipes, name) / 60:.1f}"]
