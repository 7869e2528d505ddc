"""From judged games to figures: what a decision costs each agent, by part and kind, and how much that tells."""

from __future__ import annotations

import itertools
import zlib
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np

from theogony.benchmark.regret.judge import SEARCHES, Decision, JudgedGame
from theogony.benchmark.results import rounded
from theogony.benchmark.score import interval, resampled_means
from theogony.training.rating.evaluate import Z, wilson

TOKENS = ("few tokens", "some tokens", "many tokens")  # thirds of the decisions of an agent by what it wrote for them

ROUNDING = 1e-9  # an error below is none


class Estimate(NamedTuple):
    """A mean with its 95 % interval, of a bootstrap over deals, and its standard error in it."""

    mean: float
    low: float
    high: float
    error: float


class Row(NamedTuple):
    """An agent at a table.

    `cost` is that of a decision, `game` of all decisions of a game, `won` the share of the games; `noise` is the
    standard error of `cost` that comes from the judge alone; `same` is the share of decisions in which the move was the
    judge's. `groups` has the cost by (what, which): ("part", "opening").
    """

    table: str
    agent: str
    unit: str
    games: int
    decisions: int
    cost: Estimate
    noise: float
    game: float
    won: Estimate
    same: float
    tokens: float | None  # written for a decision
    dollars: float | None  # for a game
    groups: dict[tuple[str, str], tuple[float, int]]


class Apart(NamedTuple):
    """Two agents at a table: how much more a decision costs the first, how many fewer games it won, and how many
    standard errors each of these is from zero. Both are paired by deals where these are the same."""

    table: str
    worse: str
    better: str
    cost: Estimate
    won: Estimate
    games: int

    @property
    def as_good_as(self) -> float | None:
        """How many games would tell the two apart by results as well as these do by regret, about; None where results
        have no spread, or no difference."""
        by_cost, by_won = (abs(one.mean) / one.error if one.error > ROUNDING else 0.0 for one in (self.cost, self.won))
        return self.games * (by_cost / by_won) ** 2 if by_won else None


class Agreement(NamedTuple):
    """The judge judged: how often both searches of a decision found the same move, and how far what a game cost by one
    goes with what it cost by the other: the correlation over games."""

    table: str
    same: float
    correlation: float | None


def rows_of(games: Sequence[JudgedGame]) -> list[Row]:
    """A row for each table and agent, who plays worst first."""
    found: dict[tuple[str, str], list[JudgedGame]] = {}
    for one in games:
        found.setdefault((one.table, one.agent), []).append(one)
    rows = [_row(mine) for mine in found.values() if any(one.decisions for one in mine)]
    return sorted(rows, key=lambda row: (row.table, -row.cost.mean))


def _row(games: list[JudgedGame]) -> Row:
    decisions = [decision for one in games for decision in one.decisions]
    both = np.array([[verdict.cost for verdict in one.verdicts] for one in decisions])
    tokens = [one.tokens for one in decisions if one.tokens >= 0]
    won = sum(game.won for game in games)
    low, high = wilson(won, len(games))  # which holds also where all were won
    return Row(
        *games[0][:3],
        len(games),
        len(decisions),
        _estimate([games], _costs),
        float(np.sqrt(both.var(axis=1, ddof=1).sum() / SEARCHES)) / len(decisions),
        float(both.mean(axis=1).sum() / len(games)),
        Estimate(won / len(games), low, high, (high - low) / (2 * Z)),
        float(np.mean([verdict.same for one in decisions for verdict in one.verdicts])),
        float(np.mean(tokens)) if tokens else None,
        float(np.mean([one.dollars for one in games])) if tokens else None,
        _groups(decisions),
    )


def _groups(decisions: Sequence[Decision]) -> dict[tuple[str, str], tuple[float, int]]:
    """What a decision costs, and how many there were, by part of the game, by kind and by tokens written."""
    sorted_in: dict[tuple[str, str], list[float]] = {}
    steps = np.quantile([one.tokens for one in decisions], [1 / 3, 2 / 3])
    for one in decisions:
        which = [("part", one.part), ("kind", one.kind)]
        if one.tokens >= 0 and steps[0] < steps[1]:
            which.append(("tokens", TOKENS[int(np.searchsorted(steps, one.tokens))]))
        for key in which:
            sorted_in.setdefault(key, []).append(cost_of(one))
    return {key: (float(np.mean(costs)), len(costs)) for key, costs in sorted_in.items()}


def cost_of(decision: Decision) -> float:
    """What a decision cost, the mean over both searches."""
    return sum(verdict.cost for verdict in decision.verdicts) / len(decision.verdicts)


# ---- Ratios over deals that are drawn anew: games of one deal stay together ----------------------------------------

Parts = tuple[float, float]  # what is added up over games, and by what that is divided


def _costs(game: JudgedGame) -> Parts:
    return sum(map(cost_of, game.decisions)), len(game.decisions)


def _estimate(of: Sequence[Sequence[JudgedGame]], parts: Callable[[JudgedGame], Parts]) -> Estimate:
    """The ratio over these games; of two lists of games how much it is more in the first."""
    deals = sorted({game.deal for games in of for game in games})
    sums = np.zeros((len(deals), 2 * len(of)))  # both parts of each list, by deal
    for k, games in enumerate(of):
        for game in games:
            sums[deals.index(game.deal), 2 * k : 2 * k + 2] += parts(game)

    def figure(means: np.ndarray) -> np.ndarray:
        ratio = means[..., ::2] / np.maximum(means[..., 1::2], 1e-9)
        return ratio[..., 0] if len(of) == 1 else ratio[..., 0] - ratio[..., 1]

    again = figure(resampled_means(sums, np.random.default_rng(zlib.crc32(b"regret"))))
    low, high = interval(again, len(sums))
    return Estimate(float(figure(sums.mean(axis=0))), float(low), float(high), float(again.std()))


def apart(games: Sequence[JudgedGame]) -> list[Apart]:
    """Each agent beside the next better one at its table."""
    found = []
    for worse, better in itertools.pairwise(rows_of(games)):
        if worse.table == better.table:
            both = [[one for one in games if one[:2] == row[:2]] for row in (worse, better)]
            cost, won = _estimate(both, _costs), _estimate(both, lambda game: (game.won, 1.0))
            found.append(Apart(worse.table, worse.agent, better.agent, cost, won, min(map(len, both))))
    return found


def agreements(games: Sequence[JudgedGame]) -> list[Agreement]:
    """The judge judged, at each table."""
    found = []
    for table in dict.fromkeys(one.table for one in games):
        mine = [one for one in games if one.table == table and one.decisions]
        pairs = np.array([[verdict.same for verdict in d.verdicts] for one in mine for d in one.decisions])
        sums = np.array([[sum(d.verdicts[k].cost for d in one.decisions) for k in range(SEARCHES)] for one in mine])
        told = len(sums) > 2 and (sums.std(axis=0) > 0).all()
        correlation = float(np.corrcoef(sums.T)[0, 1]) if told else None
        found.append(Agreement(table, float((pairs[:, 0] == pairs[:, 1]).mean()), correlation))
    return found


# ---- Figures as text and as data -----------------------------------------------------------------------------------


def as_text(games: Sequence[JudgedGame], about: str) -> str:
    """All figures: a table of agents, what tells them apart, and what decisions cost by part, kind and tokens."""
    rows, lines = rows_of(games), [about]
    for judge in agreements(games):
        here = [row for row in rows if row.table == judge.table]
        lines += ["", f"{judge.table}, costs in {here[0].unit}", *_agents(here)]
        for one in (one for one in apart(games) if one.table == judge.table):
            games_for = one.as_good_as
            lines.append(
                f"{one.worse} - {one.better}: a decision costs {_range(one.cost, '+.2f')}, {_errors(one.cost)}; "
                f"games won {_range(one.won, '+.0%')}, {_errors(one.won)}"
                + (
                    ""
                    if games_for is None
                    else f"; so {one.games} games tell by regret what {games_for:,.0f} tell by results"
                )
            )
        same = f"the judge's two searches say alike whether a move is the best in {judge.same:.0%} of decisions"
        known = judge.correlation is not None
        lines.append(same + (f"; what games cost by the two correlates by {judge.correlation:.2f}" if known else ""))
        lines += [*_by("part", here), *_by("kind", here), *_by("tokens", here)]
    return "\n".join(lines)


def _agents(rows: Sequence[Row]) -> list[str]:
    wide = max(len("agent"), *(len(row.agent) for row in rows))
    spent = any(row.tokens is not None for row in rows)
    line = f"{{:<{wide}}}  {{:>5}}  {{:>9}}  {{:<26}}{{:>13}}  {{:>9}}  {{:>8}}  {{:<18}}{{}}".format
    told = ("agent", "games", "decisions", "cost of a decision (95 %)", "judge's noise", "of a game", "as judge")
    lines = [line(*told, "won (95 %)", "  tokens a decision  dollars a game" * spent)]
    for row in rows:
        decision, share = _range(row.cost, ".2f"), _range(row.won, ".0%")
        figures = f"{row.noise:.2f}", f"{row.game:.1f}", f"{row.same:.0%}"
        known = row.tokens is not None and row.dollars is not None
        more = f"{row.tokens:>10,.0f}{row.dollars:>16.3f}" if known else ""
        lines.append(line(row.agent, row.games, row.decisions, decision, *figures, share, more))
    return [one.rstrip() for one in lines]


def _by(what: str, rows: Sequence[Row]) -> list[str]:
    keys = list(dict.fromkeys(key for row in rows for key in row.groups if key[0] == what))
    if not keys:
        return []
    order = ("opening", "middle", "end", *TOKENS)
    keys.sort(key=lambda key: (order.index(key[1]) if key[1] in order else -1, key[1]))
    wide = max(len("cost by tokens"), *(len(key[1]) for key in keys))
    columns = [max(len(row.agent), len("12.34 of 1234")) for row in rows]
    names = "  ".join(f"{row.agent:>{width}}" for row, width in zip(rows, columns, strict=True))
    lines = ["", f"{'cost by ' + what:<{wide}}  {names}"]
    for key in keys:
        groups = [row.groups.get(key) for row in rows]
        cells = ["-" if group is None else f"{group[0]:.2f} of {group[1]}" for group in groups]
        lines.append(f"{key[1]:<{wide}}  " + "  ".join(f"{cell:>{w}}" for cell, w in zip(cells, columns, strict=True)))
    return lines


def _range(one: Estimate, form: str) -> str:
    """An estimate with its interval; one deal, or deals that are all alike, have none."""
    interval = f"{one.low:{form}} to {one.high:{form}}" if one.error > ROUNDING else "no interval"
    return f"{one.mean:{form}} ({interval})"


def _errors(one: Estimate) -> str:
    """How far a mean is from zero, by its interval, which is wider than the spread where there are few deals."""
    error = (one.high - one.low) / (2 * Z)
    return f"{abs(one.mean) / error:.1f} standard errors" if one.error > ROUNDING else "no spread between deals"


def as_data(games: Sequence[JudgedGame], about: dict[str, Any]) -> dict[str, Any]:
    """All figures and all judged decisions, for a file of JSON."""
    return {
        **about,
        "agents": [
            row._asdict()
            | {"cost": _numbers(row.cost), "won": _numbers(row.won)}
            | {"groups": [{"by": what, "of": which, "cost": rounded(cost), "decisions": count}
                          for (what, which), (cost, count) in row.groups.items()]}
            for row in rows_of(games)
        ],
        "apart": [one._asdict() | {"cost": _numbers(one.cost), "won": _numbers(one.won)} for one in apart(games)],
        "judge": [one._asdict() for one in agreements(games)],
        "games": [
            one._asdict()
            | {"decisions": [[d.part, d.kind, [rounded(v.cost) for v in d.verdicts], [v.same for v in d.verdicts]]
                             for d in one.decisions]}
            for one in games
        ],
    }  # fmt: skip


def _numbers(one: Estimate) -> dict[str, float]:
    return {name: rounded(value) for name, value in one._asdict().items()}
