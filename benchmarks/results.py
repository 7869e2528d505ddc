"""Write docs/results.md and docs/shipped_players.md: how the players of configs/results.yaml do, and how they learnt.

    python benchmarks/results.py             play what has not been played yet, and write the pages
    python benchmarks/results.py --only 3p   the same, of lines that have "3p" in their names; others stay as they are
    python benchmarks/results.py --without mcts   but those with "mcts": searches take hours, all others minutes
    python benchmarks/results.py --again     play everything anew
    python benchmarks/results.py --clock     measure the milliseconds of all lines anew; play nothing
    python benchmarks/results.py --page      write the page from the figures that are there; play nothing
    python benchmarks/results.py --check     compare the page with the figures that are there; play nothing

The figures are kept in docs/results.json, each with its options and the digest of the weights that played: an agent
that was trained further is played anew. Games have the default options, whatever an agent was trained with; a line that
has others names them. A line that was never played is not on the page. A game has a table for each number of players.
The agent plays every seat, the same games in each; intervals are Wilson's at 95 %. Milliseconds are those of a
processor, so other work on the machine lengthens them by less than what a clock on the wall shows.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from dataclasses import asdict
from pathlib import Path
from typing import Any

from theogony.envs.core.game import Game
from theogony.envs.core.gamerecord import plain_options
from theogony.envs.core.players import make_player
from theogony.envs.core.registry import load
from theogony.envs.core.untrusted.files import replace_file
from theogony.training.config.recipes import read_recipes
from theogony.training.players.names import REFERENCE, run_of
from theogony.training.rating.evaluate import TEAM, evaluate
from theogony.training.rating.tournament import weights_of_runs
from theogony.training.storage import checkpoint

sys.path.append(str(Path(__file__).parent))  # for those who load this file by its path
from clock import milliseconds
from result_cells import read_figures
from results_list import Entry, ResultsList, key, read_table
from results_page import all_figures, page
from shipped_page import AGENTS, made_by_recipes

ROOT = Path(__file__).parents[1]
TABLE, FIGURES = ROOT / "configs/results.yaml", ROOT / "docs/results.json"
PAGE, TRAINED = ROOT / "docs/results.md", ROOT / "docs/shipped_players.md"


def game_of_entry(entry: Entry) -> Game:
    """The game that a line is about, with the options of the line; a run says no more than how many play."""
    run = run_of(entry.player)
    if run is not None and not entry.game:
        trained = checkpoint.game_of(Path(run))
        return trained.spec.configure({"players": trained.players, **entry.options})
    return load(entry.game).configure(entry.options)


def changed_options(game: Game) -> dict[str, Any]:
    """The options that are not the defaults, but the number of players."""
    usual = plain_options(game.spec.configure({"players": game.players}))
    return {name: value for name, value in plain_options(game).items() if value != usual.get(name)}


def figures(entry: Entry, seed: int, known: dict[str, Any], again: bool) -> dict[str, Any]:
    """Everything that the page says of one line; what is known of the same weights is not played again."""
    game = game_of_entry(entry)
    against = tuple(entry.against)
    weights = weights_of_runs([name for name in (entry.player, *against) if name != TEAM])
    about = {"game": game.spec.name, "players": game.players, "options": changed_options(game), "weights": weights}
    facts = {**about, **training(entry)}
    same = not again and all(known.get(name) == about[name] for name in about)
    results = dict(known.get("results", {})) if same else {}
    for name, games in entry.against.items():
        if results.get(name, {}).get("games", 0) < games:
            print(f"{entry.player} against {name}, {games} games", file=sys.stderr)
            results[name] = asdict(evaluate(make_player(entry.player, game), name, game, games, seed))
    spent = known.get("milliseconds") if same else None
    facts["milliseconds"] = milliseconds(game, entry.player) if spent is None else spent
    return {**facts, "results": {name: results[name] for name in against}}


def training(entry: Entry) -> dict[str, Any]:
    """Steps and minutes of the training of a line's agent, None where there was none."""
    run = run_of(entry.player)
    if run is None:
        return {"steps": None, "minutes": None}
    path, minutes = checkpoint.checkpoint_path(Path(run)), None
    if run.startswith(AGENTS):
        minutes = read_recipes()[run.removeprefix(AGENTS)].minutes
    elif (path / checkpoint.NUMBERS).is_file():
        minutes = json.loads((path / checkpoint.NUMBERS).read_text("utf-8")).get("seconds", 0) / 60
    return {"steps": checkpoint.read_header(path).steps, "minutes": minutes}


def pages(table: ResultsList, known: dict[str, Any]) -> dict[Path, str]:
    """Both pages, by their paths."""
    learnt = {
        run.removeprefix(AGENTS): (f"{REFERENCE}-policy" if run.endswith("-policy") else REFERENCE, known[key(e)])
        for e in table.players
        if key(e) in known and not e.options and REFERENCE in e.title and (run := run_of(e.player))
    }
    return {PAGE: page(table, known), TRAINED: made_by_recipes(learnt, read_recipes())}


def figures_of_site() -> str:
    """Return the tables that the site has at the end of docs/results.md."""
    return all_figures(read_table(TABLE), read_figures(FIGURES))


def write_pages(table: ResultsList, known: dict[str, Any]) -> None:
    """Write both pages."""
    for path, text in pages(table, known).items():
        replace_file(path, text.encode())


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--only", default="", metavar="TEXT", help="play only lines that have this in their names")
    parser.add_argument("--without", metavar="TEXT", help="and none that has this in its name")
    parser.add_argument("--again", action="store_true", help="play everything anew")
    parser.add_argument("--clock", action="store_true", help="only measure how long players think")
    parser.add_argument("--page", action="store_true", help="only write the page from the figures")
    parser.add_argument("--check", action="store_true", help="only compare the page with the figures")
    arguments = parser.parse_args()
    os.chdir(ROOT)  # runs are named from here
    table = read_table(TABLE)
    known = read_figures(FIGURES)
    if arguments.check:
        raise SystemExit(any(text != path.read_text("utf-8") for path, text in pages(table, known).items()))
    if arguments.page:
        return write_pages(table, known)
    left_out = arguments.without or None
    chosen = [e for e in table.players if arguments.only in key(e) and not (left_out and left_out in key(e))]
    if not chosen:
        raise SystemExit(f"results.py: --only {arguments.only}: no line of {TABLE.name} has that in its name")
    for entry in chosen:
        found = known.get(key(entry), {})
        if not arguments.clock:
            played = figures(entry, table.seed, found, arguments.again)
        elif found:
            played = {**found, "milliseconds": milliseconds(game_of_entry(entry), entry.player)}
        else:
            continue
        known = {**read_figures(FIGURES), key(entry): played}  # read again: others may play other lines meanwhile
        replace_file(FIGURES, json.dumps(known, indent=1).encode() + b"\n")
    listed = {key(entry) for entry in table.players}
    known = {name: found for name, found in known.items() if name in listed}
    replace_file(FIGURES, json.dumps(known, indent=1).encode() + b"\n")
    write_pages(table, known)


if __name__ == "__main__":
    main()
