"""`theogony benchmark verify` for language models: every transcript is played again, and every figure counted anew.

A transcript may come from a stranger. Games, options and players must be of this package; nothing is imported, and the
model itself is not asked.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from theogony.benchmark.agents import digest_of
from theogony.benchmark.marks import Mark, Marked
from theogony.benchmark.tasks import TEAM
from theogony.envs import GAMES
from theogony.envs.core.game import Game
from theogony.envs.core.registry import load
from theogony.envs.core.thinking.player_names import parse_player
from theogony.envs.core.untrusted.checked import checked
from theogony.models.ask import ModelError
from theogony.models.game import ModelGame, Recorded, Voice, changed
from theogony.models.results import (
    PlayedGame,
    PlayedTable,
    Results,
    figures_of,
    games_folder,
    played_game,
    read_results,
)
from theogony.models.table import BESIDE, MODEL, Job, ModelTable, Seats, Settings, Transcript, jobs_of, seating_of
from theogony.wrappers.text.opponents import check_opponent

FORM = {"tries": 1, "after_tries": "random"}  # settings that may differ at one table: a program has one try


def verify(path: Path) -> str:
    """What was found, in a line. Raises ModelError naming the first thing that does not fit."""
    results, other, turns = read_results(path), 0, 0
    try:
        for again in _played_again(results, path):
            other += not again.same
            turns += len(again.transcript.turns)
        _check_complete(results)
        if figures_of(results.games, results.settings) != results.figures:
            raise ModelError("figures: are others than those that follow from the games")
        if results.track != results.settings.track:
            raise ModelError(f"track: {results.track!r} does not fit the settings")
    except ValueError as error:
        raise ModelError(f"{path}: {error}") from None
    words = f"; in {other} games other words were sent than are today" if other else ""
    return f"{path}: {results.kind}, {len(results.games)} games and {turns:,} replies played again{words}"


def marked(path: Path) -> Marked:
    """The mark of a results file that was verified just now. Raises ModelError."""
    results = read_results(path)
    return Marked(path, Mark(games=results.measured, opponents=0, replayed=len(results.games)))


def _table(played: PlayedTable, settings: Settings) -> ModelTable:
    """A table that is safe to play. Raises ModelError."""
    if played.game not in GAMES:
        raise ModelError(f"there is no game {played.game!r}; expected {', '.join(GAMES)}")
    options = checked(load(played.game).options, played.options, f"table {played.name}: options", ModelError)
    for name in played.options:
        if isinstance(getattr(options, name), Path):  # before it is read
            raise ModelError(f"table {played.name}: option {name!r} names a file")
    table = ModelTable(played.game, played.options)
    game = table.made
    if (table.name, game.spec.version, game.component_digest) != (played.name, played.version, played.components):
        raise ModelError(f"table {played.name}: name, version or components are others here")
    others = [name for against in played.against for name in against.split(BESIDE)]
    for player in [*others, settings.hint] if settings.hint else others:
        _check_player(player)
    for against, digest in played.against.items():
        if digest_of_others(against, game) != digest:
            raise ModelError(f"{against}: plays by other weights here")
    return table


def digest_of_others(against: str, game: Game) -> str | None:
    """The SHA-256 of the weights of those in the other seats, None where nobody has any."""
    players = [name for name in against.split(BESIDE) if name != TEAM and not name.startswith(MODEL)]
    return BESIDE.join(found for name in players if (found := digest_of(name, game)) is not None) or None


def _check_player(player: str) -> None:
    """Raise ValueError for a module or a file, alone or behind a search, and for what would search for hours."""
    if player == TEAM or player.startswith(MODEL):  # of a model there is a transcript
        return
    if not parse_player(player).of_package:
        raise ModelError(f"player {player!r:.100}: expected one of this package")
    check_opponent(player)


class Again(NamedTuple):
    """A game that was played again: what the results file says of it, its transcript, the game at its end, and whether
    the same words are sent here."""

    one: PlayedGame
    transcript: Transcript
    game: ModelGame
    same: bool


def played_again(path: Path, results: Results) -> Iterator[Again]:
    """Every game of a results file, played again from its transcript. Raises ModelError."""
    try:
        yield from _played_again(results, path)
    except ValueError as error:
        raise ModelError(f"{path}: {error}") from None


def game_of(path: Path) -> Again:
    """What `played_again` gives of one transcript, which lies beside its results file. Raises ModelError."""
    where = path.parent.with_name(f"{path.parent.name.removesuffix('.games')}.json")
    for found in played_again(where, read_results(where)):
        if found.one.transcript == path.name:
            return found
    raise ModelError(f"{path}: is no transcript of {where}")


def _played_again(results: Results, path: Path) -> Iterator[Again]:
    """Every game, played again; one of those that share lessons has them from the game before. Raises ModelError for a
    game or a file that does not fit."""
    tables = {table.name: _table(table, results.settings) for table in results.tables}
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
        game = ModelGame(seats, jobs, [of.settings for of in played], told)
        same = _same_words(one, job, played, scripts, game)
        yield Again(one, scripts[jobs.index(job)], game, same)
        lessons |= {(*m.key[:3], one.chain): script.lesson for m, script in zip(jobs, scripts, strict=True)}


def _script(folder: Path, job: Job, one: PlayedGame | None) -> Transcript:
    """The transcript of a job, `one` that the results file describes. Raises ModelError."""
    name = job.file if one is None else one.transcript
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


def _same_words(
    one: PlayedGame, job: Job, played: Sequence[Results], scripts: Sequence[Transcript], game: ModelGame
) -> bool:
    """Play a game by its transcripts. Returns whether the same words are sent here. Raises ModelError; also where the
    results file says something else of it."""
    same = True
    for results, script, side in zip(played, scripts, game.sides, strict=True):
        if script.head is None or script.end is None:
            raise ModelError(f"{script.path.name}: the game is not over")
        if side.job.head(results.name, results.settings, script.head.system) != script.head:
            raise ModelError(f"{script.path.name}: its first line is of another game")
        same &= script.head.system == side.conversation.system
    voices = [Voice(Recorded(script.turns, script.path.name, strict=False), None, lambda _: None) for script in scripts]
    ends = game.play(voices)
    for end, script, side in zip(ends, scripts, game.sides, strict=True):
        assert script.end is not None
        if change := changed(script.end, end):
            raise ModelError(f"{script.path.name}: {change}")
        if side.job == job and played_game(script, side.job) != one:
            raise ModelError(f"{script.path.name}: the results file counts something else than it holds")
    recorded = all(voice.recorded.same for voice in voices)
    if same and not recorded:
        first = next(voice.recorded.where for voice in voices if not voice.recorded.same)
        raise ModelError(f"{first}: what was sent is not what this seat is told")
    return same and recorded


def _check_complete(results: Results) -> None:
    """Every deal is there in every seat, so that no lost game was left out. Raises ModelError."""
    known = {(one.table, one.against, one.deal, one.seat) for one in results.games}
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
