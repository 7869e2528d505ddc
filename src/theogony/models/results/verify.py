"""`theogony benchmark verify` for language models: every transcript is played again, and every figure counted anew.

A transcript may come from a stranger. Games, options and players must be of this package; nothing is imported, and the
model itself is not asked.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

from theogony.benchmark.check.verified import Mark
from theogony.benchmark.digests import digest_of
from theogony.benchmark.tasks import TEAM
from theogony.envs import GAMES
from theogony.envs.core.registry import load
from theogony.envs.core.thinking.player_names import parse_player
from theogony.envs.core.untrusted.checked import checked
from theogony.models.ask.said import ModelError
from theogony.models.play.game import Game, Recorded
from theogony.models.play.run import last_lesson, played_game
from theogony.models.play.settings import Settings
from theogony.models.play.table import Job, ModelTable, Seats
from theogony.models.play.transcript import End, Transcript, head_of
from theogony.models.results.file import (
    PlayedGame,
    PlayedTable,
    Results,
    digest_of_games,
    games_folder,
    read_results,
)
from theogony.models.results.score import figures_of
from theogony.wrappers.text.opponents import check_opponent


def verify(path: Path) -> str:
    """What was found, in a line. Raises ModelError naming the first thing that does not fit."""
    results = read_results(path)
    try:
        tables = {table.name: _table(table, results.settings) for table in results.tables}
        other, turns = _play_all(results, tables, games_folder(path))
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
    for player in [*played.against, *([settings.hint] if settings.hint else [])]:
        _check_player(player)
    for player, digest in played.against.items():
        if player != TEAM and digest_of(player, game) != digest:
            raise ModelError(f"{player}: plays by other weights here")
    return table


def _refuse_files(played: PlayedTable) -> None:
    """Raise ModelError for an option that names a file, before it is read."""
    options = checked(load(played.game).options, played.options, f"table {played.name}: options", ModelError)
    for name in played.options:
        if isinstance(getattr(options, name), Path):
            raise ModelError(f"table {played.name}: option {name!r} names a file")


def _check_player(player: str) -> None:
    """Raise ValueError for a module or a file, alone or behind a search, and for what would search for hours."""
    if player == TEAM:
        return
    if not parse_player(player).of_package:
        raise ModelError(f"player {player!r:.100}: expected one of this package")
    check_opponent(player)


def _play_all(results: Results, tables: dict[str, ModelTable], folder: Path) -> tuple[int, int]:
    """Play every transcript. Returns how many games were asked in other words, and how many replies there were."""
    seats, lessons, other, turns = Seats(tables, results.settings), dict[tuple[str, str, int], str](), 0, 0
    listed = {table.name: table.against for table in results.tables}
    seen: set[tuple[str, str, int, int]] = set()
    for one in results.games:
        if one.against not in listed.get(one.table, {}):
            raise ModelError(f"{one.table} against {one.against}: is none of the tables")
        job = Job(one.table, one.against, one.deal, one.seat, one.chain, one.number)
        if job.key in seen:
            raise ModelError(f"{one.transcript}: the game is there twice")
        seen.add(job.key)
        transcript = Transcript(_beside(folder, one.transcript), mend=False)
        if transcript.digest != one.sha256:
            raise ModelError(f"{one.transcript}: has another SHA-256 than the results file says")
        chain = (one.table, one.against, one.chain)
        other += not _same_words(results, transcript, one, Game(seats, job, results.settings, lessons.get(chain, "")))
        lessons[chain] = last_lesson(transcript)
        turns += len(transcript.turns)
    _check_complete(results, seen)
    return other, turns


def _same_words(results: Results, transcript: Transcript, one: PlayedGame, game: Game) -> bool:
    """Play a transcript. Returns whether the same words are sent here. Raises ModelError."""
    if transcript.head is None or transcript.end is None:
        raise ModelError(f"{one.transcript}: the game is not over")
    head = head_of(game.job, results.model, results.settings, transcript.head.system)
    if head != transcript.head:
        raise ModelError(f"{one.transcript}: its first line is of another game")
    same = transcript.head.system == game.conversation.system
    recorded = Recorded(transcript.turns, one.transcript, strict=False)
    end = game.play(recorded, None, lambda _: None)
    if end != transcript.end or played_game(transcript, game.job) != one:
        what = _difference(end, transcript.end)
        raise ModelError(f"{one.transcript}: {what}")
    if same and not recorded.same:
        raise ModelError(f"{one.transcript}: what was sent is not what this seat is told")
    return same and recorded.same


def _difference(here: End, there: End) -> str:
    for name in End.model_fields:
        if getattr(here, name) != getattr(there, name):
            return f"{name} is {getattr(there, name)!r}, played anew {getattr(here, name)!r}"
    return "the results file counts something else than it holds"


def _check_complete(results: Results, seen: Iterable[tuple[str, str, int, int]]) -> None:
    """Every deal is there in every seat, so that no lost game was left out. Raises ModelError."""
    known = set(seen)
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
