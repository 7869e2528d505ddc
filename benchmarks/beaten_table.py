"""The table of docs/results.md that says how far the shipped players can be beaten, from files of `exploit`."""

from __future__ import annotations

from pathlib import Path

from theogony.benchmark.agents import digest_of
from theogony.benchmark.exploit.file import EXPLOITS, Exploited, read_exploit
from theogony.envs.core.registry import load

RESULTS = Path(__file__).parents[1] / "leaderboard/results"
# What players are called here, and the entries of the benchmark that they are: its `reference` looks one decision
# ahead, that of the package searches or plans.
ENTRIES = {
    "reference": ["mcts-64-reference", "plan-32-reference"],
    "greedy@reference": ["reference"],
    "reference-policy": ["reference-policy"],
}


def beaten_table(games: list[str], results: Path = RESULTS) -> str:
    """A row for each game and number of players; of several files of a table the one whose interval begins highest."""
    best: dict[tuple[int, int], dict[str, Exploited]] = {}
    for name, entries in ENTRIES.items():
        for path in sorted(file for entry in entries for file in (results / entry / EXPLOITS).glob("*.json")):
            found = read_exploit(path)
            if found.game not in games:
                continue
            row = best.setdefault((games.index(found.game), len(found.best.seats)), {})
            if name not in row or found.best.low > row[name].best.low:
                row[name] = found
    rows = [["game", "players", "a copy wins", *(f"`{name}`" for name in ENTRIES)]]
    rows.append(["---"] * len(rows[0]))
    for game, players in sorted(best):
        cells = [_cell(best[game, players].get(name)) for name in ENTRIES]
        rows.append([load(games[game]).title, str(players), f"{1 / players:.0%}", *cells])
    return "\n".join("| " + " | ".join(row) + " |" for row in rows)


def _cell(found: Exploited | None) -> str:
    """Who won how often; where the package has a later player than that of the tasks, a star."""
    if found is None:
        return ""
    best, game = found.best, load(found.game).configure({"players": len(found.best.seats)})
    former = "" if found.entry.sha256 == digest_of(found.entry.player, game) else " *"
    return f"{best.won:.1%} ({best.low:.1%} to {best.high:.1%}), `{best.player}`{former}"
