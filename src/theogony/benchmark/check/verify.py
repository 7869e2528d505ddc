"""`theogony benchmark verify`: whether a results file fits its tasks, its games, its records and its agent.

Whatever does not fit is named, the first thing only: a file with one fault is not looked at further. A file may come
from a stranger: what is read of the agent that it names is in `at_hand.py`.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np

from theogony.benchmark.agents import Kind
from theogony.benchmark.check.at_hand import player_at_hand, why_not
from theogony.benchmark.check.claims import (
    check_claims,
    check_kind,
    check_together,
    check_track,
    kind_here,
    thinks_by_time,
)
from theogony.benchmark.check.possible import CLOSE, possible
from theogony.benchmark.check.replay import check_opponent, replay
from theogony.benchmark.check.verified import Verified, counted
from theogony.benchmark.digests import digest_of
from theogony.benchmark.play.games import BenchmarkTable, result_of
from theogony.benchmark.play.run import played_task, runs_of
from theogony.benchmark.play.training import check_training
from theogony.benchmark.results.anchors import Anchors, shipped_anchors
from theogony.benchmark.results.file import PlayedTask, Results, Sample, read_results
from theogony.benchmark.results.score import figures_of
from theogony.benchmark.results.submission import METADATA, MIN_SEEDS, read_metadata, results_files
from theogony.benchmark.tasks import TEAM, BenchmarkError, Task, Tasks, shipped
from theogony.envs.core.actions import IllegalAction
from theogony.envs.core.contract import deal_seed
from theogony.envs.core.game import Game
from theogony.envs.core.position import Position
from theogony.envs.core.record import RUNNING
from theogony.envs.core.thinking.player_names import PlayerError, PlayerName
from theogony.training.players.threads import one_thread


def verify(path: Path, tasks: Tasks | None = None, anchors: Anchors | None = None, games: int = 0) -> str:
    """What `verified` finds, in words: a line for each results file."""
    return "\n".join(map(str, verified(path, tasks, anchors, games)))


def verified(path: Path, tasks: Tasks | None = None, anchors: Anchors | None = None, games: int = 0) -> list[Verified]:
    """What was checked of a results file, or of all in a submission's folder; so many games of each are played anew.

    Raises BenchmarkError naming the file and the first thing that does not fit.
    """
    if not path.is_dir():
        return [_verified(path, tasks, anchors, games)]
    if not (path / METADATA).is_file():
        raise BenchmarkError(f"{path}: holds no {METADATA}: expected a submission, or the names of its results files")
    files, metadata = results_files(path), read_metadata(path / METADATA)
    check_together(path, metadata, {file: read_results(file) for file in files}, seeds=MIN_SEEDS)
    return [_verified(file, tasks, anchors, games) for file in files]


def _verified(path: Path, tasks: Tasks | None, anchors: Anchors | None, games: int) -> Verified:
    results, known = read_results(path), tasks or shipped()
    try:
        check(results, tasks, anchors)
        players = {task: name for task, name in _players(results, known, path).items() if name is not None}
        agent = _check_agent(results, known, players)
        with one_thread():  # as they were played
            asked = _check_records(results, known)
            anew, why = _replayed_games(results, known, players, runs_of(path), games)
    except (BenchmarkError, PlayerError) as error:
        raise BenchmarkError(f"{path}: {error}{_of_another_version(results)}") from None
    former = sum(known.task(task.id).former for task in results.tasks)
    why += f"; {counted(former, 'task')} of rules as they were, whose records are not played" if former else ""
    return Verified(path, results, asked, anew, f"{agent}{why}")


def _of_another_version(results: Results) -> str:
    """What may be why it does not fit: the file is of another version. Nothing where it is of this one."""
    from theogony import __version__

    if results.theogony == __version__:
        return ""
    return f" (theogony {results.theogony:.40} measured it, and this is {__version__})"


def _players(results: Results, known: Tasks, path: Path) -> dict[str, PlayerName | None]:
    tasks = [known.task(played.id) for played in results.tasks]
    return {task.id: player_at_hand(results.agent, task, task.make_game(), path) for task in tasks}


def _replayed_games(
    results: Results, known: Tasks, players: dict[str, PlayerName], runs: Path, count: int
) -> tuple[int, str]:
    """How many games were played anew, and in words why not more. Raises BenchmarkError."""
    if not count:
        return 0, ""
    if thinks_by_time(results.agent.player):
        return 0, "; it thinks by time, and such games do not repeat"
    here = {task: name for task, name in players.items() if not known.task(task).former}
    played = replay(results, known, here, runs, count)
    missing = len(results.tasks) - len(players)
    return played, f"; in {counted(missing, 'task')} {why_not(results.agent)}" if missing else ""


# ---------------------------------------------------------------------------------------------------- without playing


def check(results: Results, tasks: Tasks | None = None, anchors: Anchors | None = None) -> None:
    """Everything but records and the agent's own files. Raises BenchmarkError."""
    known = tasks or shipped()
    members, games = [task.id for task in known.suite(results.suite)], dict[str, Game]()
    for played in results.tasks:
        task = known.task(played.id)
        if task.id not in members or task.id in games:
            why = "there twice" if task.id in games else f"not of {results.suite}"
            raise BenchmarkError(f"task {task.id} is {why}")
        if played.deals < task.deals:
            few = f"a trial of {played.deals} of its {task.deals} deals (`run --deals`), no result of the suite"
            raise BenchmarkError(f"task {task.id}: {few}")
        games[task.id] = task.make_game()
        here = played_task(task, games[task.id], shipped_anchors() if anchors is None else anchors)
        _same(f"task {task.id}", played.model_dump(), here.model_dump())
    _check_series(results, known, games)
    _check_crashes(results)
    check_track(results.agent)
    _check_training(results, known, games)
    check_claims(results, games)
    found = figures_of(results.tasks, results.games)
    for name in ("figures", "scores", "overall"):
        _same(name, _plain(getattr(results, name)), _plain(getattr(found, name)))


def _check_series(results: Results, known: Tasks, games: dict[str, Game]) -> None:
    """Every deal in every seat against every opponent is there once, with rewards that the game can pay."""
    expected = [
        (task.id, against, seat)
        for task in (known.task(played.id) for played in results.tasks)
        for against in task.opponents
        for seat in task.seats(games[task.id], against)
    ]
    found = [(one.task, one.against, one.seat) for one in results.games]
    if found != expected:
        missing = next(iter(dict.fromkeys(expected).keys() - found), None)
        what = "are in another order or twice" if missing is None else f"of {missing} are missing"
        raise BenchmarkError(f"games {what}")
    for one in results.games:
        task, game = known.task(one.task), games[one.task]
        where = f"{one.task} against {one.against} in seat {one.seat}"
        if not len(one.results) == len(one.rewards) == task.deals:
            found_deals = min(len(one.results), len(one.rewards))
            raise BenchmarkError(f"{where}: {found_deals} deals were played, {task.deals} were expected")
        for deal, (letter, reward) in enumerate(zip(one.results, one.rewards, strict=True)):
            if not possible(letter, reward, task.reward, game):  # pyright: ignore[reportArgumentType]
                raise BenchmarkError(f"{where}: deal {deal} cannot end in {letter!r} with a reward of {reward}")


def _check_crashes(results: Results) -> None:
    """The crashes that are named are those that were counted."""
    counted = {
        (one.task, one.against, deal, one.seat)
        for one in results.games
        for deal, letter in enumerate(one.results)
        if letter == "C"
    }
    named = {(one.task, one.against, one.deal, one.seat) for one in results.crashes}
    if counted != named or len(named) != len(results.crashes):
        raise BenchmarkError(f"crashes: {len(results.crashes)} are named, {len(counted)} were counted, or they differ")


def _check_training(results: Results, known: Tasks, games: dict[str, Game]) -> None:
    """Of an agent that `run` trained, there is one training for each task, by the rules of its track."""
    track, times = results.agent.track, results.seconds.training
    expected = [] if track is None else [task.id for task in results.tasks]
    if [one.task for one in results.training] != expected or [one.task for one in times] != expected:
        raise BenchmarkError(f"training: expected one for each of {len(expected)} tasks, with its times")
    for one, seconds in zip(results.training, times, strict=True):
        check_training(one, seconds, results.agent, known.task(one.task), games[one.task])


# ---------------------------------------------------------------------------------------------------- records, agent


def _check_records(results: Results, known: Tasks) -> int:
    """Every record that should be there is, playing it gives what was counted, and opponents play so again.

    Returns how many decisions of opponents that were. Raises BenchmarkError.
    """
    table, asked = BenchmarkTable(results.agent), 0
    games = {played.id: known.task(played.id).make_game() for played in results.tasks}
    wanted = list(_wanted(results.tasks, known, games))
    found = [(one.task, one.against, one.deal, one.seat) for one in results.records]
    if found != wanted:
        missing = next((key for key in wanted if key not in found), None)
        raise BenchmarkError(f"records: that of {missing} is missing" if missing else "records: there are too many")
    series = {(one.task, one.against, one.seat): one for one in results.games}
    for sample in results.records:
        task, game = known.task(sample.task), games[sample.task]
        if task.former:  # its rules are no longer there
            continue
        one = series[sample.task, sample.against, sample.seat]
        letter, reward = one.results[sample.deal], one.rewards[sample.deal]
        try:
            actions = _check_sample(sample, task, game, letter, reward)
            asked += check_opponent(table, sample, task, game, actions)
        except BenchmarkError as error:
            where = f"{sample.task} against {sample.against}, deal {sample.deal}"
            raise BenchmarkError(f"record of {where}: {error}") from None
    return asked


def _wanted(played: list[PlayedTask], known: Tasks, games: dict[str, Game]) -> Iterator[tuple[str, str, int, int]]:
    for task in (known.task(one.id) for one in played):
        for against in task.opponents:
            seats = task.seats(games[task.id], against)
            for deal in range(min(task.records, task.deals)):
                yield task.id, against, deal, seats[deal % len(seats)]


def _check_sample(sample: Sample, task: Task, game: Game, letter: str, reward: float) -> list[int]:
    """One record, played again. Returns its actions. Raises BenchmarkError."""
    position = _replayed(sample, game)
    if letter == "C":
        if position.over != RUNNING or (sample.against != TEAM and position.actor != sample.seat):
            raise BenchmarkError("a crash was counted, but the game did not stop at a decision of the agent")
        return list(position.actions)
    if position.over == RUNNING:
        raise BenchmarkError("the game is not over")
    _same("result", letter, result_of(position, sample.seat))
    paid = float(position.rewards(task.reward)[sample.seat])
    if not np.isclose(reward, paid, atol=CLOSE, rtol=0):
        raise BenchmarkError(f"a reward of {reward} was counted, but playing gives {paid:.6f}")
    return list(position.actions)


def _replayed(sample: Sample, game: Game) -> Position:
    """The game of a record, played again in its deal. Raises BenchmarkError."""
    moves, position = sample.moves, Position(game, deal_seed(sample.deal))
    _same("seed", moves.seed, position.seed)
    _same("components", moves.components, position.game.component_digest)  # of several packs, that of this deal
    for number, action in enumerate(moves.played(), 1):
        try:
            position.play(action)
        except IllegalAction as error:
            raise BenchmarkError(f"decision {number}: {error}") from None
    _same("state hash", moves.hash, position.hash())
    return position


def _check_agent(results: Results, known: Tasks, players: dict[str, PlayerName]) -> str:
    """Compare digests and kind of the agent with what is at hand; what was found, in words. Raises BenchmarkError."""
    agent, seen, kinds = results.agent, 0, list[Kind]()
    for played in results.tasks:
        written, player = agent.sha256[played.id], players.get(played.id)
        if player is None:
            continue
        game = known.task(played.id).make_game()
        try:
            here = digest_of(player, game)
            if here != written:
                shown = [f"{one[:16]}..." if one else "none" for one in (here, written)]
                raise BenchmarkError(f"agent: {player} has SHA-256 {shown[0]} now, {shown[1]} was measured")
            seen += here is not None
            if agent.track is None:  # else the training says it
                kinds.append(kind_here(player, game))
        except (PlayerError, ModuleNotFoundError):
            continue  # it, or a library that it needs, is not at hand
    if kinds:
        check_kind(agent, kinds, len(kinds) == len(results.tasks))
    weights = sum(digest is not None for digest in agent.sha256.values())
    return f"SHA-256 of the agent compared in {seen} of {weights} tasks" if weights else "the agent has no weights"


def _plain(value: object) -> object:
    if isinstance(value, list):
        return [_plain(one) for one in value]
    return value.model_dump() if hasattr(value, "model_dump") else value  # pyright: ignore[reportAttributeAccessIssue]


def _same(what: str, written: object, here: object) -> None:
    """Raise BenchmarkError naming the first place where two trees of plain data differ."""
    if isinstance(written, dict) and isinstance(here, dict) and written.keys() == here.keys():
        label = ", ".join(str(here[key]) for key in ("task", "against") if isinstance(here.get(key), str))
        for key in here:
            _same(f"{what}{f' ({label})' if label else ''}: {key}", written[key], here[key])
    elif isinstance(written, list | tuple) and isinstance(here, list | tuple) and len(written) == len(here):
        for one, other in zip(written, here, strict=True):
            _same(what, one, other)
    elif isinstance(written, float) and isinstance(here, float) and abs(written - here) < CLOSE:
        return
    elif written != here:
        raise BenchmarkError(f"{what} is {written!r:.100}, {here!r:.100} was expected")
