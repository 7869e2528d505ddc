"""How often each seat wins where all play alike: `python tools/seats.py [GAME ...]`, into docs/seats.json.

All tables of a game with default options, of greedy players and of reference players one decision ahead. Both follow
from the position, up to equal values, so a seat wins more than others by its place alone. Figures are kept after every
table, with their number of games and a digest of what played, and those that are there are not played again; `--each
200` plays so many games in every seat. `python docs/generate.py` puts them into the pages of the games.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import Any

from theogony.benchmark.agents import digest_of
from theogony.envs import GAMES, load
from theogony.envs.core.game import Game
from theogony.envs.core.players import make_player
from theogony.training.rating.evaluate import evaluate

sys.path.append(str(Path(__file__).parent))  # for those who load this file by its path
from shared import ROOT, keep, read_figures

FIGURES = ROOT / "docs/seats.json"
PLAYERS = ("greedy", "greedy@reference")
EACH = 1_000  # games in each seat
SLOW = {"terra_mystica": 50}  # of games that take a second
SEED = 77
DIGITS = 16  # of a digest


def measure(game: Game, player: str, each: int) -> dict[str, Any]:
    """Return shares of the games won in every seat; a shared win counts as the share of it."""
    found = evaluate(make_player(player, game), make_player(player, game), game, each * game.players, SEED)
    return {"games": each, "weights": weights(game, player), "won": [round(share, 4) for share in found.seats]}


def weights(game: Game, player: str) -> str | None:
    """Return a digest of what a player has learnt, None for one who has learnt nothing."""
    found = digest_of(player, game)
    return found and found[:DIGITS]


def main() -> None:
    """Play what is missing."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("games", nargs="*", metavar="GAME")
    parser.add_argument("--each", type=int, help=f"games in each seat; by default {EACH}, {SLOW} in slow games")
    asked = parser.parse_args()
    if asked.each is not None and asked.each < 1:
        parser.error("--each: expected at least 1")
    if strange := sorted(set(asked.games) - set(GAMES)):
        parser.error(f"{strange[0]}: expected {', '.join(GAMES)}")
    figures = read_figures(FIGURES)
    specs = [load(name) for name in asked.games or GAMES]
    for game in (spec.configure({"players": n}) for spec in specs if not spec.cooperative for n in spec.players):
        name = game.spec.name
        table = figures.setdefault(f"{name}-{game.players}p", {})
        for player in PLAYERS:
            if table.get(player, {}).get("weights", "") != weights(game, player):
                table[player] = measure(game, player, asked.each or SLOW.get(name, EACH))
                keep(FIGURES, dict(sorted(figures.items())))
                print(name, game.players, player, table[player], flush=True)


if __name__ == "__main__":
    main()
