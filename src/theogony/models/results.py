"""The results file of a language model: what was played, how each game ended, what it took, and the figures."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any, Literal

import numpy as np
from pydantic import Field

from theogony.benchmark.results import WORTH, Machine, begins_as, read_formed, rounded
from theogony.benchmark.tasks import TEAM, Count, Digest, Share, Strict, Time
from theogony.envs.core.registry import load
from theogony.envs.core.untrusted.files import replace_file
from theogony.models.ask import ModelError
from theogony.models.ladder import anchors_of, doubt, rate, seats_at
from theogony.models.table import MODEL, TEAMMATES, End, Job, OfJob, Settings, Transcript, Turn, seating_of
from theogony.training.rating.evaluate import Z, wilson
from theogony.training.rating.standings import Standing, Standings, as_json, as_svg, as_table, standings
from theogony.training.rating.tournament import Dealt, Plan, Played
from theogony.training.storage.disk import remove_leftovers

FORMAT: Literal["theogony-models-1"] = "theogony-models-1"


class Manners(Strict):
    """How an endpoint was asked; None: its own default. `more` are further parameters of its requests."""

    temperature: float | None
    reply_tokens: Count | None
    more: dict[str, Any] = {}


class PlayedTable(Strict):
    """A table as it was played, and the SHA-256 of the weights of those who sat there."""

    name: Annotated[str, Field(pattern=r"^[a-z0-9_]{1,60}-[1-9]\d{0,2}p$")]
    game: str
    version: int
    options: dict[str, Any]
    components: str
    prompt: str  # twelve digits of SHA-256 of what stands at the head of every request, in the first game
    against: dict[str, str | None]


class PlayedGame(OfJob, End):
    """One game. Replies: at how many decisions the model was asked, and how often its first reply was legal."""

    asked: Count
    first_legal: Count
    replies: Count
    read: Count
    written: Count
    counted: bool
    cost: Time
    seconds: Time
    thought: Count
    shortened: Count
    transcript: str
    sha256: Digest


class Against(Strict):
    """All games of a table against one player. `share`: of the win, a draw as one half; of a team, its mean reward."""

    table: str
    against: str
    games: Count
    wins: Count
    draws: Count
    losses: Count
    share: Share
    low: Share
    high: Share


class Rating(Strict):
    """Elo points on the ladder of a table, `random` at 0, with the 95 % interval."""

    table: str
    points: float
    low: float
    high: float


class Legal(Strict):
    """The share of decisions whose first reply was legal, with Wilson's interval, and what else is form, not play."""

    asked: Count
    first: Share
    low: Share
    high: Share
    invalid: Count
    random_moves: Count
    forfeited: Count


class Spent(Strict):
    """What all games took. `counted`: tokens are the endpoint's own numbers, else estimates; `thought` are those of the
    written ones that were thinking. `shortened`: so often a conversation became too long and was shortened."""

    replies: Count
    read: Count
    written: Count
    thought: Count
    counted: bool
    cost: Time
    seconds: Time
    tokens_a_game: Time
    shortened: Count


class Learnt(Strict):
    """The mean reward of the first, second ... game of those that share lessons."""

    table: str
    against: str
    rewards: list[float]


class Figures(Strict):
    """All that follows from the games."""

    against: list[Against]
    ratings: list[Rating]
    legal: Legal
    spent: Spent
    learnt: list[Learnt]


class Results(Strict):
    """A whole results file."""

    format: Literal["theogony-models-1"] = FORMAT
    kind: Literal["language model", "program"]
    theogony: str
    name: str
    model: str
    sha256: str | None  # of a program
    settings: Settings
    track: str
    manners: Manners
    tables: list[PlayedTable]
    games: list[PlayedGame]
    figures: Figures
    machine: Machine
    beside: dict[str, str] = {}  # of games of several models: the others' results files, in the same folder

    @property
    def measured(self) -> str:
        """SHA-256 of what was measured; figures, which follow from it, are not in it."""
        content = json.dumps(self.model_dump(exclude={"figures", "machine"}), sort_keys=True)
        return hashlib.sha256(content.encode()).hexdigest()


def read_results(path: Path) -> Results:
    """The content of a results file. Raises ModelError: no such file, or another form."""
    results = read_formed(Results, path, "results file of a language model", (FORMAT,), ModelError)
    names = [table.name for table in results.tables]
    if len(set(names)) < len(names) or not {one.table for one in results.games} <= set(names):
        raise ModelError(f"{path}: tables: expected each that was played, once")
    if (results.kind == "program") != (results.sha256 is not None):
        raise ModelError(f"{path}: sha256: expected that of a program, and none of a language model")
    if not results.games:
        raise ModelError(f"{path}: games: expected at least one")
    return results


def write_results(results: Results, path: Path) -> None:
    """Write a results file and its pictures, each whole or not at all, and nothing that a killed run left of them.
    Raises OSError."""
    drawn = {f"{path.stem}-{name}.svg": picture for name, picture in pictures(results).items()}
    remove_leftovers(path.parent, (path.name, *drawn))
    replace_file(path, json.dumps(results.model_dump(), indent=1, ensure_ascii=False).encode() + b"\n")
    for name, picture in drawn.items():
        replace_file(path.with_name(name), picture.encode())


def is_results(path: Path) -> bool:
    """Whether a file says that it holds results of a language model."""
    return begins_as(path, (FORMAT,))


def games_folder(results: Path) -> Path:
    """The folder of the transcripts of a results file: `orbis.json` has `orbis.games`."""
    return results.with_name(f"{results.name.removesuffix('.json')}.games")


def played_game(transcript: Transcript, job: Job) -> PlayedGame:
    """A game that is over, as the results file has it."""
    turns, end = transcript.turns, transcript.end
    assert isinstance(end, End)
    moves = [turn for turn in turns if not turn.lesson]
    first = [turn for turn in moves if turn.first]
    return PlayedGame(
        **job.said,
        **end.model_dump(),
        **_sums(turns, "read", "written", "thought", "shortened"),
        asked=len(first),
        first_legal=sum(turn.legal for turn in first),
        replies=len(turns),
        counted=all(turn.counted for turn in turns),
        cost=round(sum(turn.cost for turn in turns), 9),
        seconds=round(sum(turn.seconds for turn in turns), 3),
        transcript=transcript.path.name,
        sha256=transcript.digest,
    )


def _sums(of: Sequence[Turn] | Sequence[PlayedGame], *fields: str) -> dict[str, Any]:
    """What each of these fields adds up to."""
    return {name: sum(getattr(one, name) for one in of) for name in fields}


# ---- From games to figures. The same games always give the same figures ------------------------------------------


def figures_of(games: Sequence[PlayedGame], settings: Settings) -> Figures:
    """The figures of a results file."""
    pairs = list(dict.fromkeys((one.table, one.against) for one in games))
    against = [_against([one for one in games if (one.table, one.against) == pair]) for pair in pairs]
    without = unrated(games)
    ratings = [_rating(table, games) for table in dict.fromkeys(table for table, _ in pairs) if table not in without]
    learnt = [_learnt(pair, games, settings.learn) for pair in pairs] if settings.learn > 1 else []
    ratings = [one for one in ratings if one is not None]
    return Figures(against=against, ratings=ratings, legal=_legal(games), spent=_spent(games), learnt=learnt)


def _against(games: Sequence[PlayedGame]) -> Against:
    letters = [one.result for one in games]
    team = games[0].against == TEAM
    gained = sum(one.reward for one in games) if team else sum(WORTH[letter] for letter in letters)
    gained = min(max(gained, 0.0), len(games))
    low, high = map(rounded, wilson(gained, len(games)))
    return Against(
        table=games[0].table,
        against=games[0].against,
        games=len(games),
        **{name: letters.count(letter) for name, letter in (("wins", "W"), ("draws", "D"), ("losses", "L"))},
        share=rounded(gained / len(games)),
        low=low,
        high=high,
    )


def _rating(table: str, games: Sequence[PlayedGame]) -> Rating | None:
    anchors = anchors_of(table)
    mine = [one for one in games if one.table == table and one.against in anchors]
    if not mine:
        return None
    met, deals = [anchors[one.against] for one in mine], [one.deal for one in mine]
    points, low, high = rate(met, won_of(mine, table), deals, seats_at(table))
    return Rating(table=table, points=points, low=low, high=high)


def won_of(games: Sequence[End], table: str) -> list[float]:
    """What each game counts for a rating: at larger tables the reward, which is that of places, from -1 for the last to
    1 for the first."""
    return [(1.0 + one.reward) / 2 if seats_at(table) > 2 else WORTH[one.result] for one in games]


def unrated(games: Sequence[PlayedGame]) -> dict[str, str]:
    """The tables at which a model has no rating, and why: where no reply named a legal move, it has not played."""
    tables = dict.fromkeys(one.table for one in games)
    own = {one.table for one in games if one.decisions > one.random_moves}
    return {table: "no reply named a legal move, so no move was its own" for table in tables if table not in own}


def _legal(games: Sequence[PlayedGame]) -> Legal:
    asked, first = sum(one.asked for one in games), sum(one.first_legal for one in games)
    low, high = map(rounded, wilson(first, asked))
    form = _sums(games, "invalid", "random_moves", "forfeited")
    return Legal(asked=asked, first=rounded(first / max(asked, 1)), low=low, high=high, **form)


def _spent(games: Sequence[PlayedGame]) -> Spent:
    sums = _sums(games, "replies", "read", "written", "thought", "shortened")
    return Spent(
        **sums,
        counted=all(one.counted for one in games),
        cost=rounded(sum(one.cost for one in games)),
        seconds=round(sum(one.seconds for one in games), 3),
        tokens_a_game=round((sums["read"] + sums["written"]) / max(len(games), 1), 1),
    )


def _learnt(pair: tuple[str, str], games: Sequence[PlayedGame], count: int) -> Learnt:
    mine = [one for one in games if (one.table, one.against) == pair]
    means = [np.mean([one.reward for one in mine if one.number == number]) for number in range(count)]
    return Learnt(table=pair[0], against=pair[1], rewards=[rounded(float(mean)) for mean in means])


# ---- Results as a table and as a picture: a model between the anchors of the ladder --------------------------------


def as_text(results: Results) -> str:
    """Who won how often, the rating, legal replies, and what it took."""
    figures = results.figures
    row = "{:<20}{:<14}{:>5}{:>7}{:>6}  {}".format
    lines = [f"{results.name} ({results.track})", row("table", "against", "won", "drawn", "lost", "share")]
    for one in figures.against:
        share = f"{one.share:.0%} ({one.low:.0%} to {one.high:.0%})"
        lines.append(row(one.table, one.against, one.wins, one.draws, one.losses, share))
    lines += [f"{table}: no rating: {why}" for table, why in unrated(results.games).items()]
    for one in figures.ratings:
        interval = f"95 % interval {one.low:+.0f} to {one.high:+.0f}"
        lines.append(f"{one.table}: {one.points:+.0f} points above random ({interval})")
    lines += [f"{table}: the ladder {why}, so ratings are rough" for table, why in doubts(results).items()]
    for one in figures.learnt:
        lines.append(f"{one.table} against {one.against}, by game: {', '.join(f'{x:+.2f}' for x in one.rewards)}")
    legal, spent = figures.legal, figures.spent
    lines.append(
        f"first replies legal: {legal.first:.1%} of {legal.asked:,} ({legal.low:.1%} to {legal.high:.1%}); "
        f"{legal.invalid} invalid replies, {legal.random_moves} random moves, {legal.forfeited} games forfeited"
    )
    counted = "" if spent.counted else " (estimated)"
    thought = f" ({spent.thought:,} of them thinking)" if spent.thought else ""
    lines += [f"{spent.shortened} times a conversation became too long, and was shortened"] if spent.shortened else []
    lines.append(
        f"{spent.read:,} tokens read and {spent.written:,} written{thought}{counted}, "
        f"{spent.tokens_a_game:,.0f} a game; {spent.cost:.2f} dollars; {spent.seconds:,.1f} s of answers"
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
    """The model among the anchors, the best first; it has met them, they have not met here."""
    anchors = anchors_of(table.name)
    mine = [one for one in results.figures.against if one.table == table.name and one.against != TEAM]
    rating = next((one for one in results.figures.ratings if one.table == table.name), None)
    if rating is None or not mine:
        return None
    count, model = sum(one.games for one in mine), results.name
    won = sum(one.share * one.games for one in mine) / count
    rows = [Standing(model, rating.points, rating.low, rating.high, won, count)]
    shares = {one.against: one.share for one in mine}
    met = [anchor for anchor in anchors.values() if anchor.player in shares]
    rows += [Standing(r.player, r.points, r.low, r.high, 1 - shares[r.player], r.games) for r in met]
    rows.sort(key=lambda row: -row.rating)
    known = {(model, name): share for name, share in shares.items()}
    known |= {(name, model): 1 - share for name, share in shares.items()}
    ahead = [[known.get((a.player, b.player)) for b in rows] for a in rows]
    return Standings(load(table.game).configure(table.options), 0, count, rows, ahead, [])


# ---- Model against model: what the games of several say of all of them, on one scale with the ladder ---------------


def standings_of(played: PlayedTable, found: Mapping[str, Results]) -> Standings | None:
    """Everybody at a table on one scale, the ladder's where one of its anchors has played; None for less than two.

    Of a team the share of its games that it won. A model that never named a legal move is left out.
    """
    game = load(played.game).configure(played.options)
    dealt = {key: one for name, results in found.items() for key, one in _dealt(played.name, name, results, game)}
    silent = {MODEL + name for name, results in found.items() if played.name in unrated(results.games)}
    rated = [one for one in dealt.values() if not silent & {*TEAMMATES.join(one.lineup).split(TEAMMATES)}]
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


def write_standings(found: Mapping[str, Results], out: Path) -> None:
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
