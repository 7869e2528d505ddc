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

How the players that come with the project do against the greedy player: shares of the games won at tables of two and by
teams; at larger tables fair shares, where one player sits among greedy ones and 1 is as strong as they are. Options are
the defaults, but where a cell names others: with default options that one was not measured.

{summary}

`reference` is what plays best [within ten milliseconds](players.md#the-reference-player): a search of 64 simulations,
in Terra Mystica a plan of the own round, which sees further than such a search. `greedy@reference` is the same agent
one decision ahead, in a fraction of a millisecond, and `reference-policy` plays from the observation alone.
`mcts:1600@reference` searches for [a tenth of a second](performance.md#players) a decision, at tables of four and five
for up to three tenths ([why more helps there](lab/2026-11-26-search-at-larger-tables.md)); where its column is empty
nobody has measured it.

## How to read the tables

Written by `python benchmarks/results.py` from `configs/results.yaml`: win rates with Wilson's 95 % interval and the
number of games. The player takes every seat in turn, in the same games (seed {seed}), and a shared win counts as the
share of it. Games have their default options; a line with others names them, and often these are what the agent learnt
with. Agents play the likeliest legal action. Fair shares are the win rate times the number of players. In a cooperative
game a player plays all seats (`team`). `ms`: milliseconds of a processor for a decision that leaves a choice, the mean
over the first {decisions} of a game.

[How the players were trained](shipped_players.md) has the commands; [Learning curves and
comparisons](lab/learning.md) shows how agents of several engines learn.
"""
BEATEN = """
## How far they can be beaten

A player that does well against greedy play may still have a weakness that somebody else finds. So learners played up
to a million decisions (200,000 where they wait for a search or a plan) against nobody but one of these players, which
held every other seat, and so did players that need not learn. The best of them all met it on fresh deals, in every
seat: what it won is a [lower bound](benchmark_protocol.md) on how far the player can be beaten, with a 95 % interval.
Where it is no more than a copy of the player would win, no weakness was found. `mcts:64@td` searches by a value that
learnt against the player, `td` is that value one decision ahead, and `ppo` a policy that learnt so; the others play
by what `reference` has learnt. A star marks a player that the benchmark goes on to measure by, where the package has
a later one; an empty cell was not measured.

{table}
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
    """docs/results.md from the figures of players."""
    played = [entry for entry in table.players if key(entry) in known]
    head = HEAD.format(seed=table.seed, decisions=DECISIONS, summary=_summary(played, known))
    games = list(dict.fromkeys(known[key(entry)]["game"] for entry in played))
    parts = [head, BEATEN.format(table=beaten_table(games)), *([table.notes] if table.notes else [])]
    for name in games:
        entries = [entry for entry in played if known[key(entry)]["game"] == name]
        tables = list(dict.fromkeys(known[key(entry)]["players"] for entry in entries))
        parts.append(f"\n## {load(name).title}" + ("\n" if len(tables) == 1 else ""))
        parts += [f"\n{table.remarks[name].strip()}"] if name in table.remarks else []
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
    heads = ["player", "ms"]
    for opponent in opponents:
        heads += ["as a team" if opponent == TEAM else f"against {opponent}", *(["fair shares"] if shares else [])]
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
