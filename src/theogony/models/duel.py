"""Model against model: what the games of several models say of all of them, on one scale with the ladder."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from theogony.envs.core.registry import load
from theogony.envs.core.untrusted.files import replace_file
from theogony.models.ladder import anchors_of
from theogony.models.lineups import TEAMMATES
from theogony.models.results import PlayedTable, Results, doubts, unrated
from theogony.models.table import MODEL, Job, seating_of
from theogony.training.rating.evaluate import Z
from theogony.training.rating.standings import Standings, as_json, as_svg, as_table, standings
from theogony.training.rating.tournament import Dealt, Plan, Played
from theogony.training.storage.disk import remove_leftovers


def standings_of(played: PlayedTable, found: Mapping[str, Results]) -> Standings | None:
    """Everybody at a table on one scale, the ladder's where one of its anchors has played; None for less than two.

    Of a team the share of its games that it won. A model that never named a legal move is left out.
    """
    game = load(played.game).configure(played.options)
    dealt = {key: one for name, results in found.items() for key, one in _dealt(played.name, name, results, game)}
    silent = {MODEL + name for name, results in found.items() if played.name in unrated(results.games)}
    rated = [one for one in dealt.values() if not silent & {mate for name in one.lineup for mate in _mates(name)}]
    names = sorted({name for one in rated for name in one.lineup})
    if len(names) < 2:
        return None
    anchors = {} if game.spec.cooperative else anchors_of(played.name)
    known = {name: (one.points, (one.high - one.low) / (2 * Z)) for name, one in anchors.items() if name in names}
    return standings(Plan(game, tuple(names), 0), rated, known)


def _dealt(table: str, name: str, results: Results, game: Any) -> Iterator[tuple[Any, Dealt]]:
    """The games of a model at a table, each by what names it: two models that met there tell of the same game."""
    for one in results.games:
        if one.table == table:
            job = Job(one.table, one.against, one.deal, one.seat, model=name)
            seats = seating_of(job, game.players)
            if game.spec.cooperative:  # a team is one player
                seats = [TEAMMATES.join(sorted(seats if len(set(seats)) > 1 else seats[:1]))] * len(seats)
            key = (one.deal, *seating_of(job, game.players))
            yield key, Dealt(lineup=sorted(seats), deal=one.deal, games=[Played(seats=seats, places=one.places)])


def _mates(name: str) -> list[str]:
    return name.split(TEAMMATES)


# ---- Output --------------------------------------------------------------------------------------------------------


def told(found: Mapping[str, Results]) -> str:
    """Each table with its ratings, and what each model took."""
    one = next(iter(found.values()))
    lines = [f"{', '.join(found)} ({one.track})"]
    for table in one.tables:
        ratings = standings_of(table, found)
        lines += ["", table.name, "nobody is rated yet" if ratings is None else as_table(ratings)]
    for name, results in found.items():
        lines += [f"{name}: {table}: no rating: {why}" for table, why in unrated(results.games).items()]
    lines += [f"{table}: the ladder {why}, so ratings are rough" for table, why in doubts(one).items()]
    return "\n".join([*lines, "", *costs(found)])


def costs(found: Mapping[str, Results]) -> Iterator[str]:
    """A line for each model: its games, legal replies, tokens and dollars."""
    width = max(len("model"), *(len(name) for name in found))
    yield f"{'model':<{width}}  games  first replies legal  tokens a game     read  written  dollars  a game  s a reply"
    for name, results in found.items():
        legal, spent, games = results.figures.legal, results.figures.spent, len(results.games)
        yield (
            f"{name:<{width}}  {games:>5}  {legal.first:>19.1%}  {spent.tokens_a_game:>13,.0f}  {spent.read:>7,}  "
            f"{spent.written:>7,}  {spent.cost:>7.2f}  {spent.cost / max(games, 1):>6.3f}  "
            f"{spent.seconds / max(spent.replies, 1):>9.2f}" + ("" if spent.counted else "  (tokens are estimated)")
        )


def write(found: Mapping[str, Results], out: Path) -> None:
    """Write the standings of all tables as JSON and as pictures, and nothing that a killed run left of them."""
    tables: dict[str, Any] = {}
    for table in next(iter(found.values())).tables:
        if (ratings := standings_of(table, found)) is not None:
            tables[table.name] = json.loads(as_json(ratings))
            picture = out.with_name(f"{out.stem}-{table.name}.svg")
            remove_leftovers(out.parent, (picture.name,))
            replace_file(picture, as_svg(ratings).encode())
    models = {name: {"model": one.model, "spent": one.figures.spent.model_dump()} for name, one in found.items()}
    remove_leftovers(out.parent, (out.name,))
    replace_file(out, json.dumps({"models": models, "tables": tables}, indent=1, ensure_ascii=False).encode() + b"\n")
