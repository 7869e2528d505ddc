"""Results as a table and as a picture: a model between the rungs of the ladder."""

from __future__ import annotations

from theogony.benchmark.tasks import TEAM
from theogony.envs.core.registry import load
from theogony.models.results.file import PlayedTable, Results
from theogony.models.results.ladder import doubt, rungs_of
from theogony.training.rating.standings import Standing, Standings, as_svg


def as_text(results: Results) -> str:
    """Who won how often, the rating, legal replies, and what it took."""
    figures = results.figures
    lines = [
        f"{results.name} ({results.track})",
        f"{'table':<20}{'against':<14}{'won':>5}{'drawn':>7}{'lost':>6}  share",
    ]
    for one in figures.against:
        lines.append(
            f"{one.table:<20}{one.against:<14}{one.wins:>5}{one.draws:>7}{one.losses:>6}  "
            f"{one.share:.0%} ({one.low:.0%} to {one.high:.0%})"
        )
    for one in figures.ratings:
        lines.append(
            f"{one.table}: {one.points:+.0f} points above random (95 % interval {one.low:+.0f} to {one.high:+.0f})"
        )
    lines += [f"{table}: the ladder {why}, so ratings are rough" for table, why in doubts(results).items()]
    for one in figures.learnt:
        lines.append(f"{one.table} against {one.against}, by game: {', '.join(f'{x:+.2f}' for x in one.rewards)}")
    legal, spent = figures.legal, figures.spent
    lines.append(
        f"first replies legal: {legal.first:.1%} of {legal.asked:,} ({legal.low:.1%} to {legal.high:.1%}); "
        f"{legal.invalid} invalid replies, {legal.random_moves} random moves, {legal.forfeited} games forfeited"
    )
    counted = "" if spent.counted else " (estimated)"
    lines.append(
        f"{spent.read:,} tokens read and {spent.written:,} written{counted}, {spent.tokens_a_game:,.0f} a game; "
        f"{spent.cost:.2f} dollars; {spent.seconds:,.1f} s of answers"
    )
    return "\n".join(lines)


def doubts(results: Results) -> dict[str, str]:
    """Of the tables with a rating: why their ladder no longer fits, where it does not."""
    rated = {one.table for one in results.figures.ratings}
    games = {table.name: load(table.game).configure(table.options) for table in results.tables if table.name in rated}
    return {name: why for name, game in games.items() if (why := doubt(name, game)) is not None}


def pictures(results: Results) -> dict[str, str]:
    """An SVG of the ladder with the model on it for each table that has one, by the table's name."""
    return {table.name: as_svg(found) for table in results.tables if (found := _standings(results, table)) is not None}


def _standings(results: Results, table: PlayedTable) -> Standings | None:
    """The model among the rungs, the best first; it has met them, they have not met here."""
    rungs = rungs_of(table.name)
    mine = [one for one in results.figures.against if one.table == table.name and one.against != TEAM]
    rating = next((one for one in results.figures.ratings if one.table == table.name), None)
    if rating is None or not mine:
        return None
    count = sum(one.games for one in mine)
    won = sum(one.share * one.games for one in mine) / count
    rows = [Standing(results.name, rating.points, rating.low, rating.high, won, count)]
    shares = {one.against: one.share for one in mine}
    rows += [
        Standing(r.player, r.points, r.low, r.high, 1 - shares.get(r.player, float("nan")), r.games)
        for r in rungs.values()
        if r.player in shares
    ]
    rows.sort(key=lambda row: -row.rating)
    ahead = [[_ahead(a.player, b.player, results.name, shares) for b in rows] for a in rows]
    game = load(table.game).configure(table.options)
    return Standings(game, 0, count, rows, ahead, [])


def _ahead(one: str, other: str, model: str, shares: dict[str, float]) -> float | None:
    if one == model and other in shares:
        return shares[other]
    return 1 - shares[one] if other == model and one in shares else None
