"""Write docs/results.md and docs/shipped_players.md: how the players of configs/results.yaml do, and how they learnt.

    python tools/results.py             play what has not been played yet, and write the pages
    python tools/results.py --only 3p   the same, of lines that have "3p" in their names; others stay as they are
    python tools/results.py --without mcts   but those with "mcts": searches take hours, all others minutes
    python tools/results.py --again     play everything anew
    python tools/results.py --clock     measure the milliseconds of all lines anew; play nothing
    python tools/results.py --page      write the page from the figures that are there; play nothing
    python tools/results.py --check     compare the page with the figures that are there; play nothing

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
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field

from theogony.benchmark.agents import digest_of
from theogony.benchmark.exploit.file import Exploited, read_exploit
from theogony.benchmark.results import EXPLOITS
from theogony.envs.core.contract import table
from theogony.envs.core.game import Game
from theogony.envs.core.gamerecord import plain_options
from theogony.envs.core.players import make_player
from theogony.envs.core.registry import load
from theogony.envs.core.untrusted.checked import checked
from theogony.envs.core.untrusted.files import replace_file
from theogony.training.config import ConfigError
from theogony.training.config.file import read_yaml
from theogony.training.learning.reproduce import Recipe, minutes_of, read_recipes
from theogony.training.players.names import REFERENCE, run_of
from theogony.training.rating.evaluate import TEAM, evaluate
from theogony.training.rating.tournament import weights_of_runs
from theogony.training.storage import checkpoint

sys.path.append(str(Path(__file__).parent))  # for those who load this file by its path
from shared import DECISIONS, ROOT, cell, keep, milliseconds, named, read_figures

# ---- configs/results.yaml: whose figures docs/results.md has, and against whom


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
    remarks: dict[str, str] = {}  # game -> what is said before its tables
    players: list[Entry]


def read_table(path: Path) -> ResultsList:
    """Raises ConfigError naming the key that is wrong."""
    listed, lines = checked(ResultsList, read_yaml(path)[0], str(path), ConfigError), []
    for entry in listed.players:
        lines.append(entry.model_copy(update={"also": {}}))
        if entry.also:
            lines.append(lines[-1].model_copy(update={"options": {**entry.options, **entry.also}}))
    return listed.model_copy(update={"players": lines})


def key(entry: Entry) -> str:
    """What figures are filed under."""
    options = ",".join(f"{name}={value}" for name, value in sorted(entry.options.items()))
    return " ".join(part for part in (entry.player, entry.game, options) if part)


# ---- How far the shipped players can be beaten, from files of `exploit`

RESULTS = ROOT / "leaderboard/results"
# What players are called here, and the entries of the benchmark that they are: its `reference` looks one decision
# ahead, that of the package searches or plans.
ENTRIES = {
    "reference": ["mcts-64-reference", "plan-32-reference"],
    "greedy@reference": ["reference"],
    "reference-policy": ["reference-policy"],
}


def beaten_table(games: list[str], results: Path = RESULTS, only: int | None = None) -> str:
    """Return a row for each game and number of players (or `only` one); the best of several files by its low end."""
    best: dict[tuple[int, int], dict[str, Exploited]] = {}
    for name, entries in ENTRIES.items():
        for path in sorted(file for entry in entries for file in (results / entry / EXPLOITS).glob("*.json")):
            found = read_exploit(path)
            if found.game in games and only in (None, len(found.best.seats)):
                row = best.setdefault((games.index(found.game), len(found.best.seats)), {})
                row[name] = max(row.get(name, found), found, key=lambda one: one.best.low)
    rows = [
        [load(games[game]).title, players, f"{1 / players:.0%}", *(_beaten(row.get(name)) for name in ENTRIES)]
        for (game, players), row in sorted(best.items())
    ]
    return table(["game", "players", "a copy wins", *(f"`{name}`" for name in ENTRIES)], rows)


def _beaten(found: Exploited | None) -> str:
    """Return who won how often; where the package has a later player than that of the tasks, a star."""
    if found is None:
        return ""
    best, game = found.best, load(found.game).configure({"players": len(found.best.seats)})
    former = "" if found.entry.sha256 == digest_of(found.entry.player, game) else " *"
    return f"{best.won:.1%} ({best.low:.1%} to {best.high:.1%}), `{best.player}`{former}"


# ---- docs/results.md, from the figures of players

HEAD = """# Results

How the shipped players do against `greedy`: shares of the games won by one of two players and by teams; with more
players one sits among greedy ones, and the normalised win share is the win rate times the number of players, where 1
is as strong as they are. Options are the defaults, unless a cell names others.

{summary}

`reference` is what plays best [within ten milliseconds](players.md#the-reference-player), `greedy@reference` the same
agent one decision ahead, and `reference-policy` plays from the observation alone. `mcts:1600@reference` searches for
a tenth of a second a decision, with four and five players up to three tenths; it was not measured everywhere.

## How to read the tables

`python tools/results.py` plays what `configs/results.yaml` lists and writes this page. The player takes every seat
in turn, in the same games (seed {seed}); a shared win counts as the share of it; agents play the likeliest legal
action. In a cooperative game a player plays all seats.

The site adds [all figures](#all-figures): further opponents, Wilson's 95 % intervals, numbers of games, and `ms`,
the milliseconds of a processor for a decision that leaves a choice, the mean over the first {decisions} of
a game. `python docs/generate.py results` prints that page, and `docs/results.json` holds the data.

[How the players were trained](shipped_players.md) has the commands, [Learning curves](lab/learning.md) compares
engines."""
BEATEN = """
## How far they can be beaten

Learners, with up to a million decisions (200,000 where they wait for a search or a plan), and players that need not
learn met one of these players in every other seat. What the best of them won on fresh deals is a [lower
bound](benchmark_protocol.md#how-far-an-entry-can-be-beaten), with its 95 % interval: no weakness was found where it
is no more than a copy of the player would win. `mcts:64@td` searches by a value that learnt against the player, `td`
is that value one decision ahead, `ppo` a policy that learnt so; the others play by what `reference` has learnt. A
star marks a player that has a successor in the package. [All figures](#all-figures) have larger games.

{table}"""
ALL_FIGURES = """
## All figures

<!-- built: figures -->
"""
WEAKEST_FIRST = ("random", "greedy", "mcts:100", "mcts:400", "mcts:4000", TEAM)  # columns; others come behind
SUMMARY = ("mcts:1600@reference", "reference", "greedy@reference", "reference-policy")  # columns of the first table
Line = tuple[Entry, dict[str, Any]]  # a line of the list, and its figures


def page(listed: ResultsList, known: dict[str, Any]) -> str:
    """Return docs/results.md as it is committed, from the figures of players."""
    lines = _played(listed, known)
    games = _games(lines)
    parts = [HEAD.format(seed=listed.seed, decisions=DECISIONS, summary=_summary(lines))]
    parts += [BEATEN.format(table=beaten_table(games, only=2)), *([listed.notes] if listed.notes else [])]
    for name in games:
        parts += [f"\n## {load(name).title}\n\n{listed.remarks[name].strip()}"] if name in listed.remarks else []
    return "\n".join([*parts, ALL_FIGURES])


def all_figures(listed: ResultsList, known: dict[str, Any]) -> str:
    """Return a table for each game and number of players, which the site has at the end of the page."""
    lines = _played(listed, known)
    parts = ["### How far they can be beaten, for all numbers of players\n", beaten_table(_games(lines)), ""]
    for name in _games(lines):
        spec, of_game = load(name), [line for line in lines if line[1]["game"] == name]
        for players in sorted({found["players"] for _, found in of_game}):
            of_table = [line for line in of_game if line[1]["players"] == players]
            parts.append(f"### {spec.title}, {players} {'player' if players == 1 else 'players'}\n")
            parts += [_table(of_table, shares=players > 2 and not spec.cooperative), ""]
    return "\n".join(parts).rstrip()


def _played(listed: ResultsList, known: dict[str, Any]) -> list[Line]:
    return [(entry, known[key(entry)]) for entry in listed.players if key(entry) in known]


def _games(lines: list[Line]) -> list[str]:
    return list(dict.fromkeys(found["game"] for _, found in lines))


def _summary(lines: list[Line]) -> str:
    """Return the first table: a row for each game and number of players, default options where they were measured."""
    cells: dict[tuple[int, int], dict[str, str]] = {}
    games = _games(lines)
    for entry, found in sorted(lines, key=lambda line: bool(line[1]["options"])):
        row, players = cells.setdefault((games.index(found["game"]), found["players"]), {}), found["players"]
        for opponent in {"greedy", TEAM} & found["results"].keys():
            won = found["results"][opponent]["win_rate"]
            said = f"{won:.1%}" if players <= 2 or opponent == TEAM else f"{players * won:.2f}"
            for title in entry.title.split(", "):
                row.setdefault(title, said + named(found["options"]))
    rows = [
        [load(games[game]).title, players, *(row.get(title, "") for title in SUMMARY)]
        for (game, players), row in sorted(cells.items())
    ]
    return table(["game", "players", *(f"`{title}`" for title in SUMMARY)], rows)


def _table(lines: list[Line], shares: bool) -> str:
    """Return the lines of one game and number of players; with `shares` every win rate and the normalised one."""
    met = list(dict.fromkeys(opponent for entry, _ in lines for opponent in entry.against))
    opponents = [one for one in WEAKEST_FIRST if one in met] + [one for one in met if one not in WEAKEST_FIRST]
    heads, rows = ["player", "ms"], []
    for one in opponents:
        heads += ["as a team" if one == TEAM else f"against {one}", *(["normalised"] if shares else [])]
    for entry, found in lines:
        cells = [(entry.title or f"`{entry.player}`") + named(found["options"]), _milliseconds(found)]
        for result in map(found["results"].get, opponents):
            cells += [cell(result), *([_shares(result, found["players"])] if shares else [])]
        rows.append(cells)
    return table(heads, rows)


def _milliseconds(found: dict[str, Any]) -> str:
    """Return those of a decision, with two digits that count; nothing where they were not measured."""
    spent = found.get("milliseconds")
    return "" if spent is None else f"{spent:.{0 if spent >= 9.5 else 1 if spent >= 0.95 else 2}f}"


def _shares(result: dict[str, Any] | None, players: int) -> str:
    """Return a win rate as a multiple of that of equal players, which is one over their number."""
    if result is None:
        return ""
    won, low, high = (players * result[name] for name in ("win_rate", "low", "high"))
    return f"{won:.2f} ({low:.2f} to {high:.2f})"


# ---- docs/shipped_players.md: the command that makes each player that comes with the project, and how long it takes

AGENTS = "training/agents/"
TRAINED_HEAD = """# How the shipped players were trained

`theogony remake` makes each player that comes with the project from nothing, by its recipe in
[`configs/players.yaml`](../configs/players.yaml), after the players that it begins with or is taught by. Every stage
is a run in `runs/remake`; given again after a stop, the command goes on where it stood.

```
theogony remake                             # lists the players
theogony remake push_of_faith/2p-policy
```

`orbis/2p` is the learnt value of `reference` and `greedy@reference` with two players, `orbis/2p-policy` is
`reference-policy`; in God of War all go by the policy. Steps are decisions of the learner in the last stage, minutes
those of a processor for the stages of the player, hours those for all that it needs as well. [Results](results.md)
tells how strong they are; `python tools/results.py` writes this page.

"""


def made_by_recipes(measured: dict[str, dict[str, Any]], recipes: dict[str, Recipe]) -> str:
    """Return the page. `measured` has the figures of players by the names of their recipes, and of others."""
    rows = []
    for name in (name for name in measured if name in recipes):
        steps = "" if measured[name]["steps"] is None else f"{measured[name]['steps'] / 1e6:.1f} M"
        hours = minutes_of(recipes, name) / 60
        rows.append([f"`{name}`", steps, f"{recipes[name].minutes:.0f}", f"{hours:.1f}"])
    return TRAINED_HEAD + table(["player", "steps", "minutes", "hours from nothing"], rows) + "\n"


# ---- The command


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


def pages(listed: ResultsList, known: dict[str, Any]) -> dict[Path, str]:
    """Return both pages, by their paths."""
    learnt = {
        run.removeprefix(AGENTS): found
        for entry, found in _played(listed, known)
        if not entry.options and REFERENCE in entry.title and (run := run_of(entry.player))
    }
    return {PAGE: page(listed, known), TRAINED: made_by_recipes(learnt, read_recipes())}


def figures_of_site() -> str:
    """Return the tables that the site has at the end of docs/results.md."""
    return all_figures(read_table(TABLE), read_figures(FIGURES))


def play(listed: ResultsList, chosen: list[Entry], again: bool, clock: bool) -> dict[str, Any]:
    """Measure these lines; keep and return the figures of all that are listed."""
    for entry in chosen:
        found = read_figures(FIGURES).get(key(entry), {})
        if not clock:
            found = figures(entry, listed.seed, found, again)
        elif found:
            found = {**found, "milliseconds": milliseconds(game_of_entry(entry), entry.player)}
        if found:
            keep(FIGURES, {**read_figures(FIGURES), key(entry): found})  # read again: others may play other lines
    names = {key(entry) for entry in listed.players}
    known = {name: found for name, found in read_figures(FIGURES).items() if name in names}
    keep(FIGURES, known)
    return known


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
    listed = read_table(TABLE)
    only, without = arguments.only, arguments.without
    chosen = [one for one in listed.players if only in key(one) and not (without and without in key(one))]
    if not chosen:
        raise SystemExit(f"results.py: --only {only}: no line of {TABLE.name} has that in its name")
    if arguments.page or arguments.check:
        known = read_figures(FIGURES)
    else:
        known = play(listed, chosen, arguments.again, arguments.clock)
    for path, text in pages(listed, known).items():
        if not arguments.check:
            replace_file(path, text.encode())
        elif text != path.read_text("utf-8"):
            raise SystemExit(1)


if __name__ == "__main__":
    main()
