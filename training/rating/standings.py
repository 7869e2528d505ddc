"""`theogony tournament`: the result as a table, as JSON and as a picture."""

from __future__ import annotations

import contextlib
import functools
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from theogony.console import interrupt
from theogony.envs.core.draw.svg import FAINT, INK, circle, line, picture, rect, text
from theogony.envs.core.game import Game, GameSpec
from theogony.envs.core.gamerecord import plain_options
from theogony.envs.core.registry import load
from theogony.envs.core.untrusted.files import replace_file
from theogony.training.config.file import apply_override
from theogony.training.rating.arena import Kept
from theogony.training.rating.elo import Placing, ahead, rate, win_shares
from theogony.training.rating.evaluate import wilson
from theogony.training.rating.tournament import Dealt, Folder, Plan, TournamentTable, open_records, refuse_foreign
from theogony.training.storage.disk import only_here, remove_leftovers

PLOT, ROW, CELL = 360.0, 26.0, 64.0  # of the picture: width of the ratings, height of a line, width of a cell


class Standing(NamedTuple):
    """One player's result. `rating` is in Elo points around 0 with its 95 % interval; in a cooperative game it is the
    win rate with Wilson's. `win_rate` counts a shared win as the share of it."""

    player: str
    rating: float
    low: float
    high: float
    win_rate: float
    games: int


class Standings(NamedTuple):
    """A whole tournament, the best player first. `ahead[i][j]`: how often i came before j; None where they never met,
    and in a cooperative game. `crashes`: player, games lost by it, first error."""

    game: Game
    seed: int
    games: int
    ratings: list[Standing]
    ahead: list[list[float | None]]
    crashes: list[dict[str, Any]]


def standings(
    plan: Plan, results: Sequence[Dealt], known: Mapping[str, tuple[float, float]] | None = None
) -> Standings:
    """What the games of a tournament say of its players; `known` are ratings from elsewhere, as `elo.rate` has them."""
    results = sorted(results, key=lambda result: (result.deal, result.lineup))
    numbers = {name: number for number, name in enumerate(sorted(plan.players))}
    games = [
        Placing(result.deal, tuple(numbers[name] for name in game.seats), tuple(game.places))
        for result in results
        for game in result.games
    ]
    if plan.game.spec.cooperative:  # a team is one player
        games = [Placing(game.deal, game.players[:1], game.places[:1]) for game in games]
    won, played = win_shares(games, len(numbers))
    if plan.game.spec.cooperative:
        rows = [(share / count, *wilson(share, int(count))) for share, count in zip(won, played, strict=True)]
    else:
        elsewhere = {numbers[name]: found for name, found in (known or {}).items() if name in numbers}
        rated = rate(games, len(numbers), plan.seed, known=elsewhere)
        rows = list(zip(rated.points, rated.low, rated.high, strict=True))
    found = [
        Standing(name, float(rating), float(low), float(high), float(share / count), int(count))
        for name, (rating, low, high), share, count in zip(numbers, rows, won, played, strict=True)
    ]
    found.sort(key=lambda standing: -standing.rating)
    best = [numbers[standing.player] for standing in found]
    table = ahead(games, len(numbers))[np.ix_(best, best)]
    cells = [[None if np.isnan(share) else round(float(share), 6) for share in row] for row in table]
    return Standings(plan.game, plan.seed, len(games), found, cells, _crashes(results))


def _crashes(results: Sequence[Dealt]) -> list[dict[str, Any]]:
    found: dict[str, dict[str, Any]] = {}
    for crash in (game.crash for result in results for game in result.games):
        if crash is not None:
            found.setdefault(crash.player, {"player": crash.player, "games": 0, "error": crash.error})["games"] += 1
    return list(found.values())


# ---------------------------------------------------------------------------------------------------- output


def as_table(result: Standings) -> str:
    """Ratings, then how often who came before whom, then who crashed."""
    team = result.game.spec.cooperative
    width = max(len("player"), *(len(row.player) for row in result.ratings))
    lines = [f"{'player':<{width}}  {'rating':>7}  {'95 % interval':<16}  {'won':>6}  games"]
    for row in result.ratings:
        rating, low, high = (f"{x:.1%}" if team else f"{x:+.0f}" for x in (row.rating, row.low, row.high))
        lines.append(
            f"{row.player:<{width}}  {rating:>7}  {f'{low} to {high}':<16}  {row.win_rate:>6.1%}  {row.games:>5}"
        )
    if not team:
        lines += ["", "came before, a shared place as one half:"]
        lines.append(" " * width + "".join(f"  {row.player[:12]:>12}" for row in result.ratings))
        for row, shares in zip(result.ratings, result.ahead, strict=True):
            cells = ("-" if share is None else f"{share:.1%}" for share in shares)
            lines.append(f"{row.player:<{width}}" + "".join(f"  {cell:>12}" for cell in cells))
    lines += [f"{c['player']} crashed in {c['games']} games and lost them: {c['error']}" for c in result.crashes]
    return "\n".join(lines)


def as_json(result: Standings) -> str:
    """The result as JSON text."""
    content = {
        "game": result.game.spec.name,
        "version": result.game.spec.version,
        "options": plain_options(result.game),
        "seed": result.seed,
        "games": result.games,
        "scale": "win rate" if result.game.spec.cooperative else "elo",
        "ratings": [row._asdict() for row in result.ratings],
        "ahead": result.ahead,
        "crashes": result.crashes,
    }
    return json.dumps(content, indent=1)


def as_svg(result: Standings) -> str:
    """Ratings as dots with their intervals, below them the table of who came before whom."""
    left = 60 + 8 * max(len(row.player) for row in result.ratings)
    top, size = 84 + ROW * len(result.ratings), 0 if result.game.spec.cooperative else ROW * len(result.ratings) + 50
    return picture(
        max(left + PLOT + 200, left + CELL * len(result.ratings) + 20),
        top + size,
        text(20, 30, f"{result.game.spec.title}, {result.game.players} players, {result.games} games", 16),
        *_draw_ratings(result, left),
        *(_draw_cross_table(result, left, top + 24) if size else ()),
    )


def _draw_ratings(result: Standings, left: float) -> Iterator[str]:
    rows, team = result.ratings, result.game.spec.cooperative
    low, high = min(row.low for row in rows), max(row.high for row in rows)
    for k, row in enumerate(rows):
        y = 64 + ROW * k
        begin, middle, end = (left + PLOT * (x - low) / max(high - low, 1e-9) for x in (row.low, row.rating, row.high))
        yield text(left - 14, y + 5, f"{row.player}  {k + 1}", text_anchor="end")
        yield line(left, y, left + PLOT, y, FAINT)
        yield line(begin, y, end, y, INK, stroke_width=3)
        yield circle(middle, y, 6, INK)
        shown = f"{row.rating:.1%}" if team else f"{row.rating:+.0f}, won {row.win_rate:.1%}"
        yield text(left + PLOT + 14, y + 5, shown)


def _draw_cross_table(result: Standings, left: float, top: float) -> Iterator[str]:
    yield text(left - 14, top - 8, "came before", 13, text_anchor="end")
    for k, row in enumerate(result.ratings):
        y = top + ROW * k
        yield text(left + CELL * (k + 0.5), top - 8, k + 1, 13, text_anchor="middle")
        yield text(left - 14, y + 17, f"{row.player}  {k + 1}", text_anchor="end")
        for j, share in enumerate(result.ahead[k]):
            if share is not None:
                yield rect(left + CELL * j, y, CELL - 2, ROW - 2, _shade(share))
                yield text(left + CELL * (j + 0.5), y + 17, f"{share:.0%}", 13, text_anchor="middle")


def _shade(share: float) -> str:
    """From red over white to green."""
    weak, strong = round(245 - 130 * abs(2 * share - 1)), 245 - round(15 * abs(2 * share - 1))
    return f"rgb({weak},{strong},{weak})" if share >= 0.5 else f"rgb({strong},{weak},{weak})"


# ---------------------------------------------------------------------------------------------------- the command


def run(
    game: str | GameSpec,
    players: Sequence[str],
    games: int,
    *,
    options: Sequence[str] = (),
    seed: int = 0,
    workers: int | None = None,
    cluster: str | None = None,
    folder: Path | None = None,
    json_file: Path | None = None,
    svg_file: Path | None = None,
    records: Path | None = None,
) -> None:
    """`theogony tournament`. Raises ValueError for everything that cannot be played."""
    given: dict[str, Any] = {}
    for option in options:
        apply_override(given, option)
    spec = load(game) if isinstance(game, str) else game
    plan = Plan(spec.configure(given), tuple(players), seed)
    if records is not None:
        plan = replace(plan, records=open_records(records, plan.game, seed, players))
    found = tournament(plan, games, workers, folder, cluster)
    print(f"{plan.game.spec.title}, {plan.game.players} players, {found.games} games, seed {seed}")
    print(as_table(found))
    written = [(json_file, as_json), (svg_file, as_svg)]
    if folder is not None:
        written += [(folder / "ratings.json", as_json), (folder / "ratings.svg", as_svg)]
    for path, form in written:
        if path is not None:
            remove_leftovers(path.parent, (path.name,))
            replace_file(path, form(found).encode())


def tournament(
    plan: Plan, games: int, workers: int | None = 1, folder: Path | None = None, cluster: str | None = None
) -> Standings:
    """Play at least `games` games with every line-up, but those that the folder has already, and rate the players.

    Raises ValueError for what cannot be played, TournamentError or InUse for the folder, ClusterError.
    """
    if games < 1:
        raise ValueError(f"games: {games}: a tournament needs at least one")
    with contextlib.ExitStack() as ended:
        if folder is None:
            kept = Kept[Dealt]()
            interrupt.say("the games are lost; with --folder RUN they are kept")
        else:
            refuse_foreign(folder)
            ended.enter_context(only_here(folder))
            kept = Folder(folder, plan)
            interrupt.say(f"the games are in {folder}; go on with the same command")
        make = functools.partial(TournamentTable, plan)
        return standings(plan, kept.play(make, plan.deals(games), "tournament", workers, cluster))
