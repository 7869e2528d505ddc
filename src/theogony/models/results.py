"""The results file of a language model: what was played, how each game ended, what it took, and the figures."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Annotated, Any, Literal, NamedTuple

import numpy as np
from pydantic import Field

from theogony.benchmark.agents import digest_of
from theogony.benchmark.results import WORTH, Machine, rounded
from theogony.benchmark.tasks import TEAM, Count, Strict, Time
from theogony.benchmark.verify import Mark
from theogony.envs import GAMES
from theogony.envs.core.game import Game
from theogony.envs.core.registry import load
from theogony.envs.core.thinking.player_names import parse_player
from theogony.envs.core.untrusted.checked import checked
from theogony.envs.core.untrusted.files import replace_file
from theogony.envs.core.untrusted.outside import check_plain_text, parse_json, read_bytes
from theogony.models.ask import ModelError
from theogony.models.game import ModelGame, Recorded, Voice
from theogony.models.ladder import anchors_of, doubt, rate
from theogony.models.table import (
    BESIDE,
    MODEL,
    End,
    Job,
    ModelTable,
    OfJob,
    Seats,
    Settings,
    Transcript,
    head_of,
    jobs_of,
    path_of,
    seating_of,
)
from theogony.training.rating.evaluate import wilson
from theogony.training.rating.standings import Standing, Standings, as_svg
from theogony.wrappers.text.opponents import check_opponent

FORMAT = "theogony-models-1"
FORM = {"tries": 1, "after_tries": "random"}  # settings that may differ at one table: a program has one try
Share = Annotated[float, Field(ge=0, le=1)]


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
    prompt: str  # digest of what stands at the head of every request, in the first game
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
    sha256: Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]


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

    format: Literal["theogony-models-1"]
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


def read_results(path: Path) -> Results:
    """The content of a results file. Raises ModelError: no such file, or another form."""
    content = read_bytes(path, str(path), ModelError)
    data = parse_json(content, str(path), ModelError)
    if not isinstance(data, dict) or data.get("format") != FORMAT:
        raise ModelError(f"{path}: is no results file of a language model: expected the format {FORMAT!r}")
    try:
        check_plain_text(data)
    except ValueError as error:
        raise ModelError(f"{path}: {error}") from None
    results = checked(Results, data, str(path), ModelError)
    names = [table.name for table in results.tables]
    if len(set(names)) < len(names) or not {one.table for one in results.games} <= set(names):
        raise ModelError(f"{path}: tables: expected each that was played, once")
    if (results.kind == "program") != (results.sha256 is not None):
        raise ModelError(f"{path}: sha256: expected that of a program, and none of a language model")
    if not results.games:
        raise ModelError(f"{path}: games: expected at least one")
    return results


def write_results(results: Results, path: Path) -> None:
    """Write a results file, whole or not at all. Raises OSError."""
    replace_file(path, json.dumps(results.model_dump(), indent=1, ensure_ascii=False).encode() + b"\n")


def is_results(path: Path) -> bool:
    """Whether a file says that it holds results of a language model; what is no plain file does not."""
    if not path.is_file():
        return False
    try:
        with path.open("rb") as file:
            return f'"format": "{FORMAT}"'.encode() in file.read(200)
    except OSError:
        return False


def digest_of_games(results: Results) -> str:
    """SHA-256 of what was measured; figures, which follow from it, are not in it."""
    content = json.dumps(results.model_dump(exclude={"figures", "machine"}), sort_keys=True)
    return hashlib.sha256(content.encode()).hexdigest()


def games_folder(results: Path) -> Path:
    """The folder of the transcripts of a results file: `orbis.json` has `orbis.games`."""
    return results.with_name(f"{results.name.removesuffix('.json')}.games")


def last_lesson(transcript: Transcript) -> str:
    """What the model wrote after its game, "" for nothing."""
    return next((turn.reply for turn in reversed(transcript.turns) if turn.lesson), "")[:4000]


def played_game(transcript: Transcript, job: Job) -> PlayedGame:
    """A game that is over, as the results file has it."""
    turns, end = transcript.turns, transcript.end
    assert isinstance(end, End)
    moves = [turn for turn in turns if not turn.lesson]
    first = [turn for turn in moves if turn.first]
    return PlayedGame(
        **job.said,
        **end.model_dump(),
        asked=len(first),
        first_legal=sum(turn.legal for turn in first),
        replies=len(turns),
        read=sum(turn.read for turn in turns),
        written=sum(turn.written for turn in turns),
        counted=all(turn.counted for turn in turns),
        cost=round(sum(turn.cost for turn in turns), 9),
        seconds=round(sum(turn.seconds for turn in turns), 3),
        thought=sum(turn.thought for turn in turns),
        shortened=sum(turn.shortened for turn in turns),
        transcript=transcript.path.name,
        sha256=transcript.digest,
    )


# ---- From games to figures. The same games always give the same figures ------------------------------------------


def figures_of(games: Sequence[PlayedGame], settings: Settings) -> Figures:
    """The figures of a results file."""
    pairs = list(dict.fromkeys((one.table, one.against) for one in games))
    against = [_against([one for one in games if (one.table, one.against) == pair]) for pair in pairs]
    without = unrated(games)
    ratings = [_rating(table, games) for table in dict.fromkeys(table for table, _ in pairs) if table not in without]
    learnt = [_learnt(pair, games, settings.learn) for pair in pairs] if settings.learn > 1 else []
    return Figures(
        against=against,
        ratings=[one for one in ratings if one is not None],
        legal=_legal(games),
        spent=_spent(games),
        learnt=learnt,
    )


def _against(games: Sequence[PlayedGame]) -> Against:
    letters = [one.result for one in games]
    team = games[0].against == TEAM
    gained = sum(one.reward for one in games) if team else sum(WORTH[letter] for letter in letters)
    gained = min(max(gained, 0.0), len(games))
    low, high = wilson(gained, len(games))
    return Against(
        table=games[0].table,
        against=games[0].against,
        games=len(games),
        wins=letters.count("W"),
        draws=letters.count("D"),
        losses=letters.count("L"),
        share=rounded(gained / len(games)),
        low=rounded(low),
        high=rounded(high),
    )


def _rating(table: str, games: Sequence[PlayedGame]) -> Rating | None:
    anchors, seats = anchors_of(table), int(table.rpartition("-")[2].removesuffix("p"))
    mine = [one for one in games if one.table == table and one.against in anchors]
    if not mine:
        return None
    met, deals = [anchors[one.against] for one in mine], [one.deal for one in mine]
    found, low, high = rate(met, won_of(mine, seats), deals, max(seats, 2))
    return Rating(table=table, points=round(found, 1), low=round(low, 1), high=round(high, 1))


def won_of(games: Sequence[End], seats: int) -> list[float]:
    """What each game counts for a rating: at larger tables the reward, which is that of places, from -1 for the last to
    1 for the first."""
    return [(1.0 + one.reward) / 2 if seats > 2 else WORTH[one.result] for one in games]


def unrated(games: Sequence[PlayedGame]) -> dict[str, str]:
    """The tables at which a model has no rating, and why: where no reply named a legal move, it has not played."""
    tables = dict.fromkeys(one.table for one in games)
    own = {one.table for one in games if one.decisions > one.random_moves}
    return {table: "no reply named a legal move, so no move was its own" for table in tables if table not in own}


def _legal(games: Sequence[PlayedGame]) -> Legal:
    asked, first = sum(one.asked for one in games), sum(one.first_legal for one in games)
    low, high = wilson(first, asked)
    return Legal(
        asked=asked,
        first=rounded(first / max(asked, 1)),
        low=rounded(low),
        high=rounded(high),
        invalid=sum(one.invalid for one in games),
        random_moves=sum(one.random_moves for one in games),
        forfeited=sum(one.forfeited for one in games),
    )


def _spent(games: Sequence[PlayedGame]) -> Spent:
    read, written = sum(one.read for one in games), sum(one.written for one in games)
    return Spent(
        replies=sum(one.replies for one in games),
        read=read,
        written=written,
        thought=sum(one.thought for one in games),
        counted=all(one.counted for one in games),
        cost=rounded(sum(one.cost for one in games)),
        seconds=round(sum(one.seconds for one in games), 3),
        tokens_a_game=round((read + written) / max(len(games), 1), 1),
        shortened=sum(one.shortened for one in games),
    )


def _learnt(pair: tuple[str, str], games: Sequence[PlayedGame], count: int) -> Learnt:
    mine = [one for one in games if (one.table, one.against) == pair]
    means = [np.mean([one.reward for one in mine if one.number == number]) for number in range(count)]
    return Learnt(table=pair[0], against=pair[1], rewards=[rounded(float(mean)) for mean in means])


# ---- Results as a table and as a picture: a model between the anchors of the ladder --------------------------------


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
    lines += [f"{table}: no rating: {why}" for table, why in unrated(results.games).items()]
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
    count = sum(one.games for one in mine)
    won = sum(one.share * one.games for one in mine) / count
    rows = [Standing(results.name, rating.points, rating.low, rating.high, won, count)]
    shares = {one.against: one.share for one in mine}
    rows += [
        Standing(r.player, r.points, r.low, r.high, 1 - shares.get(r.player, float("nan")), r.games)
        for r in anchors.values()
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


# ---- `theogony benchmark verify` for language models: every transcript is played again, and every figure counted ane
#
# A transcript may come from a stranger. Games, options and players must be of this package; nothing is imported, and
# the model itself is not asked.


def verify(path: Path) -> str:
    """What was found, in a line. Raises ModelError naming the first thing that does not fit."""
    results = read_results(path)
    try:
        tables = {table.name: _table(table, results.settings) for table in results.tables}
        other, turns = _play_all(results, tables, path)
    except ValueError as error:
        raise ModelError(f"{path}: {error}") from None
    if figures_of(results.games, results.settings) != results.figures:
        raise ModelError(f"{path}: figures: are others than those that follow from the games")
    if results.track != results.settings.track:
        raise ModelError(f"{path}: track: {results.track!r} does not fit the settings")
    words = f"; in {other} games other words were sent than are today" if other else ""
    return f"{path}: {results.kind}, {len(results.games)} games and {turns:,} replies played again{words}"


class Marked(NamedTuple):
    """A results file whose transcripts were all played again, for the leaderboard."""

    path: Path
    mark: Mark


def marked(path: Path) -> Marked:
    """The mark of a results file that was verified just now. Raises ModelError."""
    results = read_results(path)
    return Marked(path, Mark(games=digest_of_games(results), opponents=0, replayed=len(results.games)))


def _table(played: PlayedTable, settings: Settings) -> ModelTable:
    """A table that is safe to play. Raises ModelError."""
    if played.game not in GAMES:
        raise ModelError(f"there is no game {played.game!r}; expected {', '.join(GAMES)}")
    _refuse_files(played)
    table = ModelTable(played.game, played.options)
    game = table.made
    found = (table.name, game.spec.version, game.component_digest)
    if found != (played.name, played.version, played.components):
        raise ModelError(f"table {played.name}: name, version or components are others here")
    others = [name for against in played.against for name in against.split(BESIDE)]
    for player in [*others, *([settings.hint] if settings.hint else [])]:
        _check_player(player)
    for against, digest in played.against.items():
        if digest_of_others(against, game) != digest:
            raise ModelError(f"{against}: plays by other weights here")
    return table


def digest_of_others(against: str, game: Game) -> str | None:
    """The SHA-256 of the weights of those in the other seats, None where nobody has any."""
    players = [name for name in against.split(BESIDE) if name != TEAM and not name.startswith(MODEL)]
    return BESIDE.join(found for name in players if (found := digest_of(name, game)) is not None) or None


def _refuse_files(played: PlayedTable) -> None:
    """Raise ModelError for an option that names a file, before it is read."""
    options = checked(load(played.game).options, played.options, f"table {played.name}: options", ModelError)
    for name in played.options:
        if isinstance(getattr(options, name), Path):
            raise ModelError(f"table {played.name}: option {name!r} names a file")


def _check_player(player: str) -> None:
    """Raise ValueError for a module or a file, alone or behind a search, and for what would search for hours."""
    if player == TEAM or player.startswith(MODEL):  # of a model there is a transcript
        return
    if not parse_player(player).of_package:
        raise ModelError(f"player {player!r:.100}: expected one of this package")
    check_opponent(player)


class Again(NamedTuple):
    """A game to be played again: what the results file says of it, the results and transcripts of all its models, and
    the game before its first decision."""

    one: PlayedGame
    job: Job
    played: list[Results]
    scripts: list[Transcript]
    game: ModelGame

    @property
    def own(self) -> Transcript:
        """The transcript that the results file describes."""
        return next(s for s, side in zip(self.scripts, self.game.sides, strict=True) if side.job == self.job)


def played_again(path: Path, results: Results) -> Iterator[tuple[PlayedGame, Transcript, ModelGame]]:
    """Every game of a results file, played again from its transcript and at its end. Raises ModelError."""
    try:
        tables = {table.name: _table(table, results.settings) for table in results.tables}
        for again in _transcripts(results, tables, path):
            _same_words(again)
            yield again.one, again.own, again.game
    except ValueError as error:
        raise ModelError(f"{path}: {error}") from None


def game_of(path: Path) -> tuple[PlayedGame, Transcript, ModelGame]:
    """What `played_again` gives of one transcript, which lies beside its results file. Raises ModelError."""
    where = path.parent.with_name(f"{path.parent.name.removesuffix('.games')}.json")
    for found in played_again(where, read_results(where)):
        if found[0].transcript == path.name:
            return found
    raise ModelError(f"{path}: is no transcript of {where}")


def _play_all(results: Results, tables: dict[str, ModelTable], path: Path) -> tuple[int, int]:
    """Play every transcript. Returns how many games were asked in other words, and how many replies there were."""
    other, turns = 0, 0
    for again in _transcripts(results, tables, path):
        other += not _same_words(again)
        turns += len(again.own.turns)
    _check_complete(results, {(one.table, one.against, one.deal, one.seat) for one in results.games})
    return other, turns


def _transcripts(results: Results, tables: dict[str, ModelTable], path: Path) -> Iterator[Again]:
    """Every game with its transcripts, before its first decision; one game of those that share lessons has them from
    the game before. Raises ModelError for a game or a file that does not fit."""
    seats, lessons = Seats(tables, results.settings), dict[tuple[Any, ...], str]()
    listed = {table.name: table.against for table in results.tables}
    everybody = {results.name: (results, games_folder(path))} | _others_beside(results, path)
    seen: set[tuple[Any, ...]] = set()
    for one in results.games:
        if one.against not in listed.get(one.table, {}):
            raise ModelError(f"{one.table} against {one.against}: is none of the tables")
        job = Job(one.table, one.against, one.deal, one.seat, one.chain, one.number, results.name)
        if job.key in seen:
            raise ModelError(f"{one.transcript}: the game is there twice")
        seen.add(job.key)
        jobs = jobs_of(one.table, seating_of(job, tables[one.table].made.players), one.deal, one.chain, one.number)
        if stranger := next((mate.model for mate in jobs if mate.model not in everybody), None):
            raise ModelError(f"{one.transcript}: {MODEL}{stranger}: has no results file beside this")
        played = [everybody[mate.model][0] for mate in jobs]
        scripts = [_script(everybody[mate.model][1], mate, one if mate == job else None) for mate in jobs]
        told = [lessons.get((*mate.key[:3], one.chain), "") for mate in jobs]
        yield Again(one, job, played, scripts, ModelGame(seats, jobs, [of.settings for of in played], told))
        lessons |= {(*m.key[:3], one.chain): last_lesson(script) for m, script in zip(jobs, scripts, strict=True)}


def _script(folder: Path, job: Job, one: PlayedGame | None) -> Transcript:
    """The transcript of a job, `one` that the results file describes. Raises ModelError."""
    name = path_of(folder, job).name if one is None else one.transcript
    transcript = Transcript(_beside(folder, name), mend=False)
    if one is not None and transcript.digest != one.sha256:
        raise ModelError(f"{name}: has another SHA-256 than the results file says")
    return transcript


def _others_beside(results: Results, path: Path) -> dict[str, tuple[Results, Path]]:
    """The results of the other models of these games, and their transcripts. Raises ModelError."""
    found = {name: read_results(_beside(path.parent, file)) for name, file in results.beside.items()}
    if wrong := next((name for name, other in found.items() if other.name != name or name == results.name), None):
        raise ModelError(f"{results.beside[wrong]}: expected the results of {wrong}")
    same = results.settings.model_copy(update=FORM)
    if odd := next((name for name, other in found.items() if other.settings.model_copy(update=FORM) != same), None):
        raise ModelError(f"{results.beside[odd]}: expected the track {results.track}")
    return {name: (other, games_folder(path.with_name(results.beside[name]))) for name, other in found.items()}


def _same_words(again: Again) -> bool:
    """Play a game by its transcripts. Returns whether the same words are sent here. Raises ModelError; also where the
    results file says something else of it."""
    one, job, played, scripts, game = again
    same = True
    for results, script, side in zip(played, scripts, game.sides, strict=True):
        if script.head is None or script.end is None:
            raise ModelError(f"{script.path.name}: the game is not over")
        if head_of(side.job, results.name, results.settings, script.head.system) != script.head:
            raise ModelError(f"{script.path.name}: its first line is of another game")
        same &= script.head.system == side.conversation.system
    voices = [Voice(Recorded(script.turns, script.path.name, strict=False), None, lambda _: None) for script in scripts]
    ends = game.play(voices)
    for end, script, side in zip(ends, scripts, game.sides, strict=True):
        assert script.end is not None
        if end != script.end or (side.job == job and played_game(script, side.job) != one):
            raise ModelError(f"{script.path.name}: {_difference(end, script.end)}")
    recorded = all(voice.recorded.same for voice in voices)
    if same and not recorded:
        first = next(voice.recorded.where for voice in voices if not voice.recorded.same)
        raise ModelError(f"{first}: what was sent is not what this seat is told")
    return same and recorded


def _difference(here: End, there: End) -> str:
    for name in End.model_fields:
        if getattr(here, name) != getattr(there, name):
            return f"{name} is {getattr(there, name)!r}, played anew {getattr(here, name)!r}"
    return "the results file counts something else than it holds"


def _check_complete(results: Results, known: set[tuple[Any, ...]]) -> None:
    """Every deal is there in every seat, so that no lost game was left out. Raises ModelError."""
    for table in results.tables:
        players = ModelTable(table.game, table.options).made.players
        for against in table.against:
            deals = {deal for name, other, deal, _ in known if (name, other) == (table.name, against)}
            expected = {(table.name, against, deal, seat) for deal in range(len(deals)) for seat in range(players)}
            if not deals or not expected <= known:
                raise ModelError(f"{table.name} against {against}: games are missing")


def _beside(folder: Path, name: str) -> Path:
    """A transcript in the folder of the results file. Raises ModelError for another place."""
    if folder.is_symlink():
        raise ModelError(f"{folder}: is a link; expected the folder of the transcripts itself")
    if Path(name).name != name or (folder / name).is_symlink():
        raise ModelError(f"{name!r:.100}: is no file of {folder.name}")
    return folder / name


def prompt_digest(system: str) -> str:
    """Twelve hexadecimal digits that stand for what is at the head of every request."""
    return hashlib.sha256(system.encode()).hexdigest()[:12]
