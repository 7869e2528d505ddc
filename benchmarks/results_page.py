"""docs/results.md, from the figures of players."""

from __future__ import annotations

from typing import Any

from beaten_table import beaten_table
from clock import DECISIONS
from result_cells import cell, named
from results_list import Entry, ResultsList, key

from theogony.envs.core.registry import load
from theogony.training.rating.evaluate import TEAM

HEAD = """# Results

How the players that come with the project do against `greedy`: shares of the games won by one of two players and by
teams; with more players the normalised win share, the win rate times the number of players, where one player sits
among greedy ones and 1 is as strong as they are. Options are the defaults, unless a cell names others.

{summary}

`reference` is what plays best [within ten milliseconds](players.md#the-reference-player), `greedy@reference` the same
agent one decision ahead, and `reference-policy` plays from the observation alone. `mcts:1600@reference` searches for
a tenth of a second a decision, with four and five players for up to three tenths; where its column is empty it was
not measured.

## How to read the tables

`python benchmarks/results.py` plays what `configs/results.yaml` lists and writes this page. The player takes every
seat in turn, in the same games (seed {seed}); a shared win counts as the share of it; agents play the likeliest legal
action. In a cooperative game a player plays all seats.

The site adds [all figures](#all-figures): against further opponents, with Wilson's 95 % intervals, numbers of games,
and `ms`, the milliseconds of a processor for a decision that leaves a choice, the mean over the first {decisions} of
a game. `python docs/generate.py results` prints that page, and `docs/results.json` holds the data.

[How the players were trained](shipped_players.md) has the commands, [Learning curves](lab/learning.md) shows how
agents of several engines learn."""
BEATEN = """
## How far they can be beaten

A player that does well against greedy play may have a weakness that somebody else finds. So learners, with up to a
million decisions (200,000 where they wait for a search or a plan), and players that need not learn met one of these
players in every other seat. What the best of them won on fresh deals is a [lower
bound](benchmark_protocol.md#how-far-an-entry-can-be-beaten), with its 95 % interval: no weakness was found where it
is no more than a copy of the player would win. `mcts:64@td` searches by a value that learnt against the player, `td`
is that value one decision ahead, `ppo` a policy that learnt so; the others play by what `reference` has learnt. A
star marks a player of the benchmark that has a successor in the package; an empty cell was not measured.

{table}"""
FIGURES = """
## All figures

<!-- built: figures -->
"""
WEAKEST_FIRST = (
    "random",
    "greedy",
    "mcts:100",
    "mcts:400",
    "mcts:4000",
    TEAM,
)  # columns of a table; other opponents come behind
SUMMARY = ("mcts:1600@reference", "reference", "greedy@reference", "reference-policy")  # columns of the first table


def page(table: ResultsList, known: dict[str, Any]) -> str:
    """Return docs/results.md as it is committed, from the figures of players."""
    played = [entry for entry in table.players if key(entry) in known]
    head = HEAD.format(seed=table.seed, decisions=DECISIONS, summary=_summary(played, known))
    games = _games(played, known)
    parts = [head, BEATEN.format(table=beaten_table(games)), *([table.notes] if table.notes else [])]
    for name in games:
        parts += [f"\n## {load(name).title}\n\n{table.remarks[name].strip()}"] if name in table.remarks else []
    return "\n".join([*parts, FIGURES])


def all_figures(table: ResultsList, known: dict[str, Any]) -> str:
    """Return a table for each game and number of players, which the site has at the end of the page."""
    played = [entry for entry in table.players if key(entry) in known]
    parts: list[str] = []
    for name in _games(played, known):
        entries = [entry for entry in played if known[key(entry)]["game"] == name]
        for players in sorted({known[key(entry)]["players"] for entry in entries}):
            of_table = [entry for entry in entries if known[key(entry)]["players"] == players]
            parts.append(f"### {load(name).title}, {players} {'player' if players == 1 else 'players'}\n")
            parts += [*_table(of_table, known, shares=players > 2 and not load(name).cooperative), ""]
    return "\n".join(parts).rstrip()


def _games(played: list[Entry], known: dict[str, Any]) -> list[str]:
    return list(dict.fromkeys(known[key(entry)]["game"] for entry in played))


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
    games = _games(played, known)
    rows = [["game", "players", *(f"`{title}`" for title in SUMMARY)], ["---"] * (2 + len(SUMMARY))]
    for game, players in sorted(cells, key=lambda place: (games.index(place[0]), place[1])):
        row = cells[game, players]
        rows.append([load(game).title, str(players), *(row.get(title, "") for title in SUMMARY)])
    return "\n".join("| " + " | ".join(row) + " |" for row in rows)


def _strength(result: dict[str, Any], players: int) -> str:
    """A win rate; against more than one normalised."""
    return f"{result['win_rate']:.1%}" if players <= 2 else f"{players * result['win_rate']:.2f}"


def _table(entries: list[Entry], known: dict[str, Any], shares: bool) -> list[str]:
    """The lines of the players of one game and table.

    With `shares`, every win rate is followed by the normalised one.
    """
    met = list(dict.fromkeys(opponent for entry in entries for opponent in entry.against))
    opponents = [one for one in WEAKEST_FIRST if one in met] + [one for one in met if one not in WEAKEST_FIRST]
    heads = ["player", "ms"]
    for opponent in opponents:
        heads += ["as a team" if opponent == TEAM else f"against {opponent}", *(["normalised"] if shares else [])]
    rows = [heads, ["---"] * len(heads), *(_row(entry, known[key(entry)], opponents, shares) for entry in entries)]
    return ["| " + " | ".join(row) + " |" for row in rows]


def _row(entry: Entry, found: dict[str, Any], opponents: list[str], shares: bool) -> list[str]:
    cells: list[str] = []
    for opponent in opponents:
        result = found["results"].get(opponent)
        cells += [cell(result), *([_shares(result, found["players"])] if shares else [])]
    return [(entry.title or f"`{entry.player}`") + named(found["options"]), _milliseconds(found), *cells]


def _milliseconds(found: dict[str, Any]) -> str:
    """Of a decision, with two digits that count; empty where they were not measured."""
    spent = found.get("milliseconds")
    if spent is None:
        return ""
    return f"{spent:.0f}" if spent >= 9.5 else f"{spent:.1f}" if spent >= 0.95 else f"{spent:.2f}"


def _shares(result: dict[str, Any] | None, players: int) -> str:
    """A win rate as a multiple of that of equal players, which is one over their number."""
    if result is None:
        return ""
    won, low, high = (players * result[name] for name in ("win_rate", "low", "high"))
    return f"{won:.2f} ({low:.2f} to {high:.2f})"
