"""Write docs/results.md and docs/shipped_players.md: how the players of configs/results.yaml do, and how they learnt.

    python benchmarks/results.py             play what has not been played yet, and write the pages
    python benchmarks/results.py --only 3p   the same, of lines that have "3p" in their names; others stay as they are
    python benchmarks/results.py --without mcts   but those with "mcts": searches take hours, all others minutes
    python benchmarks/results.py --again     play everything anew
    python benchmarks/results.py --page      write the page from the figures that are there; play nothing
    python benchmarks/results.py --check     compare the page with the figures that are there; play nothing

The figures are kept in docs/results.json, each with its options and the digest of the weights that played: an agent
that was trained further is played anew. Games have the default options, whatever an agent was trained with; a line that
has others names them. A line that was never played is not on the page. A game has a table for each number of players.
The agent plays every seat, the same games in each; intervals are Wilson's at 95 %.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field

from theogony.envs.core.game import Game
from theogony.envs.core.gamerecord import plain_options
from theogony.envs.core.players import make_player
from theogony.envs.core.registry import load
from theogony.envs.core.untrusted.checked import checked
from theogony.envs.core.untrusted.files import replace_file
from theogony.training.config import ConfigError
from theogony.training.config.file import read_yaml
from theogony.training.config.recipes import read_recipes
from theogony.training.players.names import REFERENCE, run_of
from theogony.training.rating.evaluate import TEAM, evaluate
from theogony.training.rating.tournament import weights_of_runs
from theogony.training.storage import checkpoint

sys.path.append(str(Path(__file__).parent))  # for those who load this file by its path
from result_cells import cell, named
from shipped_page import AGENTS, made_by_recipes

ROOT = Path(__file__).parents[1]
TABLE, FIGURES = ROOT / "configs/results.yaml", ROOT / "docs/results.json"
PAGE, TRAINED = ROOT / "docs/results.md", ROOT / "docs/shipped_players.md"
HEAD = """# Results

How the players that come with the project do against the greedy player: shares of the games won at tables of two and by
teams; at larger tables fair shares, where one player sits among greedy ones and 1 is as strong as they are. Options are
the defaults, but where a cell names others: with default options that one was not measured.

{summary}

`reference` is what plays best [within ten milliseconds](players.md#the-reference-player): a search of 64 simulations,
in Terra Mystica a plan of the own round, which sees further than such a search. `greedy@reference` is the same agent
one decision ahead, in a fraction of a millisecond, and `reference-policy` plays from the observation alone.
`mcts:1600@reference` searches for [a tenth of a second](performance.md#players): at tables of two it is stronger still,
at those of three [not](lab/2026-11-25-reference-searches.md); where its column is empty nobody has measured it.

## How to read the tables

Written by `python benchmarks/results.py` from `configs/results.yaml`: win rates with Wilson's 95 % interval and the
number of games. The player takes every seat in turn, in the same games (seed {seed}), and a shared win counts as the
share of it. Games have their default options; a line with others names them, and often these are what the agent learnt
with. Agents play the likeliest legal action. Fair shares are the win rate times the number of players. In a cooperative
game a player plays all seats (`team`).

[How the players were trained](shipped_players.md) has the commands; [Learning curves and
comparisons](lab/learning.md) shows how agents of several engines learn.
"""
WEAKEST_FIRST = ("random", "greedy", "mcts:400", "mcts:4000", TEAM)  # columns of a table; other opponents come behind
SUMMARY = ("mcts:1600@reference", "reference", "greedy@reference", "reference-policy")  # columns of the first table


class Entry(BaseModel):
    """One line of the page, or with `also` two. A run or checkpoint knows its game and number of players; for other
    players `game` and `options` say them."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    player: str
    against: dict[str, Annotated[int, Field(ge=1)]]  # opponent -> games
    game: str = ""
    options: dict[str, Any] = {}  # in place of the defaults
    also: dict[str, Any] = {}  # options of a second line, of the same player and opponents
    title: str = ""  # shown in place of the player's name


class ResultsList(BaseModel):
    """configs/results.yaml."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    seed: int = 0
    notes: str = ""  # said before the tables
    players: list[Entry]


def read_table(path: Path) -> ResultsList:
    """Raises ConfigError naming the key that is wrong."""
    table = checked(ResultsList, read_yaml(path)[0], str(path), ConfigError)
    return table.model_copy(update={"players": [line for entry in table.players for line in _lines(entry)]})


def _lines(entry: Entry) -> list[Entry]:
    """The line of an entry, and the one with its other options."""
    first = entry.model_copy(update={"also": {}})
    other = {"options": {**entry.options, **entry.also}}
    return [first, *([first.model_copy(update=other)] if entry.also else [])]


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


def read_figures(path: Path) -> dict[str, Any]:
    """The figures of a file, none without the file."""
    return json.loads(path.read_text("utf-8")) if path.exists() else {}


def page(table: ResultsList, known: dict[str, Any]) -> str:
    """docs/results.md from the figures of players."""
    played = [entry for entry in table.players if key(entry) in known]
    parts = [HEAD.format(seed=table.seed, summary=_summary(played, known)), *([table.notes] if table.notes else [])]
    for name in dict.fromkeys(known[key(entry)]["game"] for entry in played):
        entries = [entry for entry in played if known[key(entry)]["game"] == name]
        tables = list(dict.fromkeys(known[key(entry)]["players"] for entry in entries))
        parts.append(f"\n## {load(name).title}" + ("\n" if len(tables) == 1 else ""))
        for players in sorted(tables):
            parts += [f"\n### {players} {'player' if players == 1 else 'players'}\n"] if len(tables) > 1 else []
            of_table = [entry for entry in entries if known[key(entry)]["players"] == players]
            parts += _table(of_table, known, shares=players > 2 and not load(name).cooperative)
    return "\n".join(parts) + "\n"


def _summary(played: list[Entry], known: dict[str, Any]) -> str:
    """The first table: a row for each game and number of players, with default options where they were measured."""
    cells: dict[tuple[str, int], dict[str, str]] = {}
    for entry in sorted(played, key=lambda entry: bool(known[key(entry)]["options"])):
        found = known[key(entry)]
        row = cells.setdefault((found["game"], found["players"]), {})
        for opponent in {"greedy", TEAM} & found["results"].keys():
            strength = _strength(found["results"][opponent], found["players"] if opponent != TEAM else 1)
            for title in entry.title.split(", "):
                row.setdefault(title, strength + named(found["options"]))
    games = list(dict.fromkeys(known[key(entry)]["game"] for entry in played))
    rows = [["game", "players", *(f"`{title}`" for title in SUMMARY)], ["---"] * (2 + len(SUMMARY))]
    for game, players in sorted(cells, key=lambda place: (games.index(place[0]), place[1])):
        row = cells[game, players]
        rows.append([load(game).title, str(players), *(row.get(title, "") for title in SUMMARY)])
    return "\n".join("| " + " | ".join(row) + " |" for row in rows)


def _strength(result: dict[str, Any], players: int) -> str:
    """A win rate; against more than one in fair shares."""
    return f"{result['win_rate']:.1%}" if players <= 2 else f"{players * result['win_rate']:.2f}"


def _table(entries: list[Entry], known: dict[str, Any], shares: bool) -> list[str]:
    """The lines of the players of one game and table.

    With `shares`, every win rate is followed by how many times the fair share it is.
    """
    met = list(dict.fromkeys(opponent for entry in entries for opponent in entry.against))
    opponents = [one for one in WEAKEST_FIRST if one in met] + [one for one in met if one not in WEAKEST_FIRST]
    heads = ["player"]
    for opponent in opponents:
        heads += ["as a team" if opponent == TEAM else f"against {opponent}", *(["fair shares"] if shares else [])]
    rows = [heads, ["---"] * len(heads), *(_row(entry, known[key(entry)], opponents, shares) for entry in entries)]
    return ["| " + " | ".join(row) + " |" for row in rows]


def _row(entry: Entry, found: dict[str, Any], opponents: list[str], shares: bool) -> list[str]:
    cells: list[str] = []
    for opponent in opponents:
        result = found["results"].get(opponent)
        cells += [cell(result), *([_shares(result, found["players"])] if shares else [])]
    return [(entry.title or f"`{entry.player}`") + named(found["options"]), *cells]


def _shares(result: dict[str, Any] | None, players: int) -> str:
    """A win rate as a multiple of that of equal players, which is one over their number."""
    if result is None:
        return ""
    won, low, high = (players * result[name] for name in ("win_rate", "low", "high"))
    return f"{won:.2f} ({low:.2f} to {high:.2f})"


def key(entry: Entry) -> str:
    """What figures are filed under."""
    options = ",".join(f"{name}={value}" for name, value in sorted(entry.options.items()))
    return " ".join(part for part in (entry.player, entry.game, options) if part)


def pages(table: ResultsList, known: dict[str, Any]) -> dict[Path, str]:
    """Both pages, by their paths."""
    learnt = {
        run.removeprefix(AGENTS): (f"{REFERENCE}-policy" if run.endswith("-policy") else REFERENCE, known[key(e)])
        for e in table.players
        if key(e) in known and not e.options and REFERENCE in e.title and (run := run_of(e.player))
    }
    return {PAGE: page(table, known), TRAINED: made_by_recipes(learnt, read_recipes())}


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
        played = figures(entry, table.seed, known.get(key(entry), {}), arguments.again)
        known = {**read_figures(FIGURES), key(entry): played}  # read again: others may play other lines meanwhile
        replace_file(FIGURES, json.dumps(known, indent=1).encode() + b"\n")
    listed = {key(entry) for entry in table.players}
    known = {name: found for name, found in known.items() if name in listed}
    replace_file(FIGURES, json.dumps(known, indent=1).encode() + b"\n")
    write_pages(table, known)


if __name__ == "__main__":
    main()
