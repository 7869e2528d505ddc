"""`theogony benchmark verify`: whether a results file fits its tasks, its games, its records and its agent.

Whatever does not fit is named, the first thing only: a file with one fault is not looked at further.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from theogony.benchmark.anchors import Anchors, shipped_anchors
from theogony.benchmark.digests import digest_of
from theogony.benchmark.games import lost_reward, result_of
from theogony.benchmark.results import PlayedTask, Results, Sample, read_results
from theogony.benchmark.run import played_task, runs_of
from theogony.benchmark.score import figures_of
from theogony.benchmark.submission import METADATA, MIN_SEEDS, read_metadata, results_files
from theogony.benchmark.tasks import TEAM, BenchmarkError, Task, Tasks, shipped
from theogony.benchmark.training import check_training
from theogony.envs.core.game import Game
from theogony.envs.core.gamerecord import RecordError, read_record
from theogony.envs.core.player_names import PlayerError
from theogony.envs.core.position import Position
from theogony.envs.core.record import RUNNING
from theogony.envs.core.reserved import deal_seed

CLOSE = 2e-6  # figures are rounded to six digits


def verify(path: Path, tasks: Tasks | None = None, anchors: Anchors | None = None) -> str:
    """A line that says what was checked of a results file, or of all in a submission's folder.

    Raises BenchmarkError naming the file and the first thing that does not fit.
    """
    if path.is_dir():
        return _verify_folder(path, tasks, anchors)
    results = read_results(path)
    try:
        check(results, tasks, anchors)
        _check_records(results, tasks or shipped())
        agent = _check_agent(results, tasks or shipped(), runs_of(path))
    except BenchmarkError as error:
        raise BenchmarkError(f"{path}: {error}") from None
    games = sum(len(one.results) for one in results.games)
    return f"{path}: {len(results.tasks)} tasks, {games:,} games, {len(results.records)} records played again; {agent}"


def _verify_folder(path: Path, tasks: Tasks | None, anchors: Anchors | None) -> str:
    metadata, files = read_metadata(path / METADATA), results_files(path)
    lines = [verify(file, tasks, anchors) for file in files]
    agents = [read_results(file).agent for file in files]
    for file, agent in zip(files, agents, strict=True):
        if agent.name != metadata.name:
            raise BenchmarkError(f"{file}: is of {agent.name!r}, but {METADATA} is of {metadata.name!r}")
    seeds = len({agent.seed for agent in agents})
    if (metadata.trained or any(agent.trained for agent in agents)) and seeds < MIN_SEEDS:
        raise BenchmarkError(
            f"{path}: {seeds} training seeds are too few; expected {MIN_SEEDS} of an agent that learns"
        )
    return "\n".join(lines)


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
        games[task.id] = task.make_game()
        here = played_task(task, games[task.id], shipped_anchors() if anchors is None else anchors)
        _same(f"task {task.id}", played.model_dump(), here.model_dump())
    _check_series(results, known, games)
    _check_crashes(results)
    _check_training(results)
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
        missing = next((key for key in expected if key not in found), None)
        what = "are in another order or twice" if missing is None else f"of {missing} are missing"
        raise BenchmarkError(f"games {what}")
    for one in results.games:
        task, game = known.task(one.task), games[one.task]
        where = f"{one.task} against {one.against} in seat {one.seat}"
        if not len(one.results) == len(one.rewards) == task.deals:
            found_deals = min(len(one.results), len(one.rewards))
            raise BenchmarkError(f"{where}: {found_deals} deals were played, {task.deals} were expected")
        for deal, (letter, reward) in enumerate(zip(one.results, one.rewards, strict=True)):
            if not _possible(letter, reward, task, game):
                raise BenchmarkError(f"{where}: deal {deal} cannot end in {letter!r} with a reward of {reward}")


def _possible(letter: str, reward: float, task: Task, game: Game) -> bool:
    """Whether a game with this end can pay this."""
    lost = lost_reward(task.reward, game)
    if letter == "C":
        return abs(reward - lost) < CLOSE
    if letter == "W":
        return abs(reward - 1.0) < CLOSE
    return lost - CLOSE < reward < 1.0 - CLOSE


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


def _check_training(results: Results) -> None:
    """Of an agent that `run` trained, there is one training for each task, by the rules of its track."""
    track, times = results.agent.track, results.seconds.training
    expected = [] if track is None else [task.id for task in results.tasks]
    if [one.task for one in results.training] != expected or [one.task for one in times] != expected:
        raise BenchmarkError(f"training: expected one for each of {len(expected)} tasks, with its times")
    for one, seconds in zip(results.training, times, strict=True):
        assert track is not None
        check_training(one, seconds, track, results.agent.seed)


# ---------------------------------------------------------------------------------------------------- records, agent


def _check_records(results: Results, known: Tasks) -> None:
    """Every record that should be there is, and playing it gives what was counted."""
    games = {played.id: known.task(played.id).make_game() for played in results.tasks}
    wanted = list(_wanted(results.tasks, known, games))
    found = [(one.task, one.against, one.deal, one.seat) for one in results.records]
    if found != wanted:
        missing = next((key for key in wanted if key not in found), None)
        raise BenchmarkError(f"records: that of {missing} is missing" if missing else "records: there are too many")
    series = {(one.task, one.against, one.seat): one for one in results.games}
    for sample in results.records:
        one = series[sample.task, sample.against, sample.seat]
        letter, reward = one.results[sample.deal], one.rewards[sample.deal]
        try:
            _check_sample(sample, known.task(sample.task), games[sample.task], letter, reward)
        except (RecordError, BenchmarkError) as error:
            where = f"{sample.task} against {sample.against}, deal {sample.deal}"
            raise BenchmarkError(f"record of {where}: {error}") from None


def _wanted(played: list[PlayedTask], known: Tasks, games: dict[str, Game]) -> Iterator[tuple[str, str, int, int]]:
    for task in (known.task(one.id) for one in played):
        for against in task.opponents:
            seats = task.seats(games[task.id], against)
            for deal in range(min(task.records, task.deals)):
                yield task.id, against, deal, seats[deal % len(seats)]


def _check_sample(sample: Sample, task: Task, game: Game, letter: str, reward: float) -> None:
    """One record, played again. Raises RecordError or BenchmarkError."""
    position = _replayed(sample.lines, game)
    _same("seed", position.seed, deal_seed(sample.deal))
    _same("options", position.game.options, game.options)
    _same("components", position.game.component_digest, game.component_digest)
    if letter == "C":
        if position.over != RUNNING or (sample.against != TEAM and position.actor != sample.seat):
            raise BenchmarkError("a crash was counted, but the game did not stop at a decision of the agent")
        return
    if position.over == RUNNING:
        raise BenchmarkError("the game is not over")
    _same("result", letter, result_of(position, sample.seat))
    paid = float(position.rewards(task.reward)[sample.seat])
    if not np.isclose(reward, paid, atol=CLOSE, rtol=0):
        raise BenchmarkError(f"a reward of {reward} was counted, but playing gives {paid:.6f}")


def _replayed(lines: list[str], game: Game) -> Position:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "game.jsonl"
        path.write_text("".join(f"{line}\n" for line in lines), "utf-8")
        try:
            return read_record(path, lambda _: game.spec)
        except RecordError as error:
            raise RecordError(str(error).removeprefix(f"{path}: ")) from None


def _check_agent(results: Results, known: Tasks, runs: Path) -> str:
    """Compare the digests of the agent with what is here; what was found, in words. Raises BenchmarkError."""
    agent, seen = results.agent, 0
    for played in results.tasks:
        written = agent.sha256.get(played.id)
        if played.id not in agent.sha256:
            raise BenchmarkError(f"agent: its SHA-256 in {played.id} is missing")
        if written is None:
            continue
        task = known.task(played.id)
        game = task.make_game()
        player = agent.player_for(task, game, runs)
        try:
            here = digest_of(player, game)
        except (PlayerError, ModuleNotFoundError):
            continue  # it is not at hand
        if here is not None and here != written:
            raise BenchmarkError(f"agent: {player} has SHA-256 {here[:16]}... now, {written[:16]}... was measured")
        seen += here is not None
    weights = sum(digest is not None for digest in agent.sha256.values())
    return f"{seen} of {weights} digests of the agent compared" if weights else "the agent has no weights"


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
