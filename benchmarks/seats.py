"""How often each seat wins where all play alike: `python benchmarks/seats.py [GAME ...]`, written to docs/seats.json.

All tables of a game with default options, of greedy players and of reference players one decision ahead. Both follow
from the position, up to equal values, so a seat wins more than others by its place alone. Figures are kept after every
table, and those that are there are not played again; `python docs/generate.py` puts them into the pages of the games.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

from theogony.envs import GAMES, load
from theogony.envs.core.players import make_player
from theogony.envs.core.untrusted.files import replace_file
from theogony.training.rating.evaluate import evaluate

FIGURES = Path(__file__).parents[1] / "docs/seats.json"
PLAYERS = {"greedy": "greedy", "reference": "greedy@reference"}
EACH = 1_000  # games in each seat
SLOW = {"terra_mystica": 50}  # of games that take a second
SEED = 77


def measure(name: str, players: int, player: str) -> dict[str, Any]:
    """Shares of the games won in every seat; a shared win counts as the share of it."""
    game, each = load(name).configure({"players": players}), SLOW.get(name, EACH)
    found = evaluate(make_player(player, game), make_player(player, game), game, each * players, SEED)
    return {"won": [round(share, 4) for share in found.seats], "games": each}


def main(names: list[str]) -> None:
    """Play what is missing."""
    figures = json.loads(FIGURES.read_text()) if FIGURES.exists() else {}
    for name in names or list(GAMES):
        spec = load(name)
        for players in () if spec.cooperative else spec.players:
            for called, player in PLAYERS.items():
                table = figures.setdefault(f"{name}-{players}p", {})
                if called not in table:
                    table[called] = measure(name, players, player)
                    replace_file(FIGURES, (json.dumps(figures, indent=1, sort_keys=True) + "\n").encode())
                    print(name, players, called, table[called], flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
