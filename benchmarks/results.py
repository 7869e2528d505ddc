"""Write docs/results.md: how the players of configs/results.yaml do against fixed players.

    python benchmarks/results.py             play what has not been played yet, and write the page
    python benchmarks/results.py --only 3p   the same, of lines that have "3p" in their names; others stay as they are
    python benchmarks/results.py --again     play everything anew
    python benchmarks/results.py --page      write the page from the figures that are there; play nothing
    python benchmarks/results.py --check     compare the page with the figures that are there; play nothing

The figures are kept in docs/results.json, each with its options and the digest of the weights that played: an agent
that was trained further is played anew. Games have the default options, whatever an agent was trained with; a line that
has others names them. A line that was never played is not on the page. A game has a table for each number of players.
The agent plays every seat, the same games in each; intervals are Wilson's at 95 %. The page
ends with the curves of docs/curves.json, which `curves.py` reads from runs, and the figures of docs/comparisons.json,
which `comparisons.py` measures.
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

from theogony.envs.core.checked import checked
from theogony.envs.core.files import replace_file
from theogony.envs.core.game import Game
from theogony.envs.core.gamerecord import plain_options
from theogony.envs.core.players import make_player
from theogony.envs.core.registry import load
from theogony.training.config.file import read_yaml
from theogony.training.config.schema import ConfigError
from theogony.training.players.names import run_of
from theogony.training.rating.evaluate import TEAM, evaluate
from theogony.training.rating.tournament import weights_of_runs
from theogony.training.storage import checkpoint

ROOT = Path(__file__).parents[1]
TABLE, FIGURES, PAGE = ROOT / "configs/results.yaml", ROOT / "docs/results.json", ROOT / "docs/results.md"
HEAD = """# Results

Written by `python benchmarks/results.py` from `configs/results.yaml`. Win rates with Wilson's 95 % interval and the
number of games; the player takes every seat in turn, in the same games (seed {seed}), and a shared win counts as the
share of it. Games have their default options; a line with others names them, and often these are what the agent learnt
with. Agents play the likeliest legal action. Steps are decisions of the learner in its last training (an agent
for three and more began as that for fewer), minutes those of the run, or of a processor's time where other work ran
beside it. What the players' names mean is told in [Players](players.md).

Where more than two play, one sits among others of one kind. Its fair share of the wins is one over the number of
players, and beside the win rate stands how many times that share it has won. In a cooperative game a player plays all
seats (`team`).
"""
COMPARISONS = ROOT / "docs/comparisons.json"
COMPARISONS_HEAD = """
## Comparisons

Measured by `python benchmarks/comparisons.py`: agents trained from one file, changed in one thing as
`configs/comparisons.yaml` says, a line for each seed, all else as above. What a line has changed stands under its
table; one that is not there is the file as it is. Options that the file sets stand behind the title. Seconds are those
of a processor's time, in learning and the games that it plays. An interval says how far chance in the games may lead,
not how much agents of other seeds differ.
"""
CURVES = ROOT / "docs/curves.json"
CURVES_HEAD = """
## Curves

Share of the games won against the greedy player, over minutes of a processor's time: learning and the games that it
plays, evaluations left out. `td` is a value one decision ahead, `sb3` MaskablePPO with lookahead scores, `distil` a
policy that sees nothing but the observation, and `taught` what MaskablePPO makes of that one. A column has the last
evaluation before it. Read from the metrics of runs by `python benchmarks/curves.py RUN...`; the runs are those of
`theogony train configs/<game>/<run>.yaml` with the steps that the table names, over which learning rates fall. Options
that the file sets stand behind the players.
"""
MINUTES = (0.5, 1, 2, 4, 8, 16, 32, 64)  # columns


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
    command: str = ""  # by which it was trained
    minutes: float | None = None  # of training, where the run itself does not tell


class Table(BaseModel):
    """configs/results.yaml."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    seed: int = 0
    notes: str = ""  # said before the tables
    players: list[Entry]


def read_table(path: Path) -> Table:
    """Raises ConfigError naming the key that is wrong."""
    table = checked(Table, read_yaml(path)[0], str(path), ConfigError)
    return table.model_copy(update={"players": [line for entry in table.players for line in _lines(entry)]})


def _lines(entry: Entry) -> list[Entry]:
    """The line of an entry, and the one with its other options."""
    first = entry.model_copy(update={"also": {}})
    other = {"options": {**entry.options, **entry.also}, "command": ""}
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
    return {name: value for name, value in plain_options(game).items() if value != usual[name]}


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
        return {"steps": None, "minutes": entry.minutes}
    path = checkpoint.checkpoint_path(Path(run))
    minutes = entry.minutes
    if minutes is None and (path / checkpoint.NUMBERS).is_file():
        minutes = json.loads((path / checkpoint.NUMBERS).read_text("utf-8")).get("seconds", 0) / 60
    return {"steps": checkpoint.read_header(path).steps, "minutes": minutes}


def read_figures(path: Path) -> dict[str, Any]:
    """The figures of a file, none without the file."""
    return json.loads(path.read_text("utf-8")) if path.exists() else {}


def page(table: Table, known: dict[str, Any], comparisons: dict[str, Any], curves: dict[str, Any]) -> str:
    """docs/results.md from figures of players and of comparisons, and from curves."""
    played = [entry for entry in table.players if key(entry) in known]
    parts = [HEAD.format(seed=table.seed), *([table.notes] if table.notes else [])]
    for name in dict.fromkeys(known[key(entry)]["game"] for entry in played):
        entries = [entry for entry in played if known[key(entry)]["game"] == name]
        tables = list(dict.fromkeys(known[key(entry)]["players"] for entry in entries))
        parts.append(f"\n## {load(name).title}" + ("\n" if len(tables) == 1 else ""))
        for players in sorted(tables):
            parts += [f"\n### {players} {'player' if players == 1 else 'players'}\n"] if len(tables) > 1 else []
            of_table = [entry for entry in entries if known[key(entry)]["players"] == players]
            parts += _table(of_table, known, shares=players > 2 and not load(name).cooperative)
    return "\n".join(parts + _curves(list(curves.values())) + _comparisons(list(comparisons.values()))) + "\n"


def _table(entries: list[Entry], known: dict[str, Any], shares: bool) -> list[str]:
    """The lines of the players of one game and table, and the commands that trained them.

    With `shares`, every win rate is followed by how many times the fair share it is.
    """
    opponents = list(dict.fromkeys(opponent for entry in entries for opponent in entry.against))
    heads = ["player", "seats", "steps", "minutes"]
    for opponent in opponents:
        heads += ["as a team" if opponent == TEAM else f"against {opponent}", *(["fair shares"] if shares else [])]
    rows = [heads, ["---"] * len(heads), *(_row(entry, known[key(entry)], opponents, shares) for entry in entries)]
    commands = [f"* {entry.title or entry.player}: `{entry.command}`" for entry in entries if entry.command]
    return [*("| " + " | ".join(row) + " |" for row in rows), *(["", *commands] if commands else [])]


def _curves(runs: list[dict[str, Any]]) -> list[str]:
    """The lines of the section about curves; none without runs."""
    lines = [CURVES_HEAD.rstrip("\n")] if runs else []
    heads_of_runs = [f"{load(run['game']).title}, {run['players']} players{_named(run['options'])}" for run in runs]
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
        lines += [f"\n### {title}{_named(compared[0]['options'])}\n", *("| " + " | ".join(row) + " |" for row in rows)]
        changes = {run["variant"]: run["changes"] for run in compared if run["changes"]}
        lines += ["", *(f"* {name}: `{json.dumps(change)}`" for name, change in changes.items())] if changes else []
    return lines


def _compared_row(run: dict[str, Any], opponents: list[str]) -> list[str]:
    cells = [_cell(run["results"].get(opponent)) for opponent in opponents]
    steps = f"{run['steps'] / 1e6:.2f} M"
    return [run["variant"], str(run["seed"]), f"{run['parameters']:,}", steps, f"{run['seconds']:.0f}", *cells]


def _row(entry: Entry, found: dict[str, Any], opponents: list[str], shares: bool) -> list[str]:
    steps = "" if found["steps"] is None else f"{found['steps'] / 1e6:.1f} M"
    minutes = "" if found["minutes"] is None else f"{found['minutes']:.0f}"
    cells: list[str] = []
    for opponent in opponents:
        result = found["results"].get(opponent)
        cells += [_cell(result), *([_shares(result, found["players"])] if shares else [])]
    name = (entry.title or f"`{entry.player}`") + _named(found["options"])
    return [name, str(found["players"]), steps, minutes, *cells]


def _named(options: dict[str, Any]) -> str:
    """What stands behind a name for options that are not the defaults."""
    texts = {name: value if isinstance(value, str) else json.dumps(value) for name, value in options.items()}
    return "".join(f", `{name}={text}`" for name, text in texts.items())


def _cell(result: dict[str, Any] | None) -> str:
    if result is None:
        return ""
    return f"{result['win_rate']:.1%} ({result['low']:.1%} to {result['high']:.1%}, {result['games']})"


def _shares(result: dict[str, Any] | None, players: int) -> str:
    """The same win rate in shares of one over the number of players."""
    if result is None:
        return ""
    won, low, high = (players * result[name] for name in ("win_rate", "low", "high"))
    return f"{won:.2f} ({low:.2f} to {high:.2f})"


def key(entry: Entry) -> str:
    """What figures are filed under."""
    options = ",".join(f"{name}={value}" for name, value in sorted(entry.options.items()))
    return " ".join(part for part in (entry.player, entry.game, options) if part)


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--only", default="", metavar="TEXT", help="play only lines that have this in their names")
    parser.add_argument("--again", action="store_true", help="play everything anew")
    parser.add_argument("--page", action="store_true", help="only write the page from the figures")
    parser.add_argument("--check", action="store_true", help="only compare the page with the figures")
    arguments = parser.parse_args()
    os.chdir(ROOT)  # runs are named from here
    table = read_table(TABLE)
    known, comparisons, curves = read_figures(FIGURES), read_figures(COMPARISONS), read_figures(CURVES)
    if arguments.check:
        raise SystemExit(page(table, known, comparisons, curves) != PAGE.read_text("utf-8"))
    if arguments.page:
        return replace_file(PAGE, page(table, known, comparisons, curves).encode())
    chosen = [entry for entry in table.players if arguments.only in key(entry)]
    if not chosen:
        raise SystemExit(f"results.py: --only {arguments.only}: no line of {TABLE.name} has that in its name")
    kept = {key(entry) for entry in table.players} - {key(entry) for entry in chosen}
    found = {name: facts for name, facts in known.items() if name in kept}
    for entry in chosen:
        found[key(entry)] = figures(entry, table.seed, known.get(key(entry), {}), arguments.again)
        replace_file(FIGURES, json.dumps({**known, **found}, indent=1).encode() + b"\n")
    replace_file(FIGURES, json.dumps(found, indent=1).encode() + b"\n")
    replace_file(PAGE, page(table, found, comparisons, curves).encode())


if __name__ == "__main__":
    main()
