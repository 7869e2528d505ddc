"""`theogony benchmark verify`: whether a results file fits its tasks, its games, its records and its agent.

Whatever does not fit is named, the first thing only: a file with one fault is not looked at further. A file may come
from a stranger: what is read of the agent that it names, `agents.py` says.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path

import numpy as np

from theogony import __version__
from theogony.benchmark.agents import (
    KINDS,
    SEARCHES,
    Agent,
    Kind,
    digest_of,
    kind_of_player,
    learns,
    player_at_hand,
    runs_of,
    why_not,
)
from theogony.benchmark.games import BenchmarkTable, Job, Letter, lost_reward, played_task, result_of, rngs
from theogony.benchmark.marks import Verified, counted
from theogony.benchmark.results import (
    EXPLOITS,
    METADATA,
    MIN_SEEDS,
    Anchors,
    Metadata,
    Results,
    Sample,
    Series,
    read_metadata,
    read_results,
    results_files,
    shipped_anchors,
    without_links,
)
from theogony.benchmark.score import Figures, figures_of
from theogony.benchmark.tasks import TEAM, BenchmarkError, Task, Tasks, shipped
from theogony.benchmark.training import check_training, is_learner, kind_of_training
from theogony.envs.core.actions import IllegalAction
from theogony.envs.core.contract import deal_seed
from theogony.envs.core.game import Game
from theogony.envs.core.players import Views, make_player
from theogony.envs.core.position import Position
from theogony.envs.core.record import RUNNING
from theogony.envs.core.thinking.player_names import RUN, PlayerError, PlayerName, parse_player
from theogony.envs.core.untrusted.outside import read_bytes
from theogony.training.players.plan_player import PLAN, PlanOptions, parse_plan
from theogony.training.players.search.options import SearchOptions, parse_search
from theogony.training.players.threads import one_thread

# ---- Which rewards a game can pay, by how it ended: a results file may claim no others

CLOSE = 2e-6  # rewards are rounded to six digits


def possible(letter: Letter, reward: float, kind: str, game: Game) -> bool:
    """Whether a game with this end can pay this."""
    if kind == "progress" and letter == "L":
        return -CLOSE < reward < 1.0 - CLOSE
    return any(abs(reward - value) < CLOSE for value in rewards_of(letter, kind, game))


def rewards_of(letter: Letter, kind: str, game: Game) -> list[float]:
    """The rewards of a letter, as `core/rewards.py` pays them; of a team that lost by progress, all from 0 to 1.

    A win is the first place alone. A draw is one shared by two or more, or a game that was cut off, which pays
    nothing; a team has none.
    """
    others, shared = game.players - 1, range(2, game.players + 1)
    if letter == "C":
        return [lost_reward(kind, game)]
    if game.spec.cooperative:
        return {"W": [1.0], "D": [], "L": [-1.0, 0.0]}[letter]
    if letter == "W":
        return [1.0]
    if kind == "outcome":
        drawn, lost = [(game.players / winners - 1.0) / others for winners in shared], [-1.0 / others]
    else:
        drawn = [(game.players - winners) / others for winners in shared]
        lost = [ahead / others for ahead in range(-others, others - 1)]
    return lost if letter == "L" else [0.0, *drawn]


# ---- What is said of an agent must fit together: player, kind, track, weights, and the files of all seeds

PLAIN = ("random", "greedy")  # made of their name alone


def check_claims(results: Results, games: Mapping[str, Game]) -> None:
    """Whether the agent can be what the file says, without reading anything of it. Its training was checked before.

    Raises BenchmarkError.
    """
    agent, tasks = results.agent, [played.id for played in results.tasks]
    if agent.trained != learns(agent.player, agent.track):
        raise BenchmarkError(f"agent: trained is {str(agent.trained).lower()}, which does not fit {agent.player}")
    for task in tasks:
        if task not in agent.sha256 or (agent.trained and agent.sha256[task] is None):
            raise BenchmarkError(f"agent: its SHA-256 in {task} is missing")
    kinds: list[Kind] = [kind_of_training(one) for one in results.training] if agent.track else []
    if not agent.track and parse_player(agent.player).kind in (*SEARCHES, *PLAIN):
        try:
            kinds = [kind_here(agent.player, games[task]) for task in tasks]
        except PlayerError as error:
            raise BenchmarkError(f"agent: {error}") from None
    if kinds:
        check_kind(agent, kinds, True)


def check_kind(agent: Agent, kinds: Sequence[Kind], of_all: bool) -> None:
    """The kind of an agent is that of its player, the strongest over its tasks. Raises BenchmarkError."""
    strongest = max(kinds, key=KINDS.index)
    if KINDS.index(agent.kind) < KINDS.index(strongest) or (of_all and agent.kind != strongest):
        raise BenchmarkError(f"agent: {agent.player} is no {agent.kind} agent: its kind is {strongest}")


def kind_here(player: str | PlayerName, game: Game) -> Kind:
    """The kind of a player by its name. Raises PlayerError or CheckpointError when it cannot be made."""
    name = parse_player(player)
    if name.kind in SEARCHES:
        _thinking(name)
        return "search"
    if name.kind == RUN and Path(name.text).is_file():  # a network made elsewhere
        return "observation-only"
    return kind_of_player(name, make_player(name, game))


def thinks_by_time(player: str) -> bool:
    """Whether a player is a search with a limit of time: what it plays does not repeat."""
    name = parse_player(player)
    return name.kind in SEARCHES and _thinking(name).milliseconds is not None


def _thinking(name: PlayerName) -> SearchOptions | PlanOptions:
    """How a searching player thinks, by its name. Raises PlayerError."""
    return parse_plan(name) if name.kind == PLAN else parse_search(name)[0]


# ---------------------------------------------------------------------------------------------------- of all seeds


def check_together(folder: Path, metadata: Metadata, files: Mapping[Path, Results], seeds: int = 0) -> None:
    """Whether the files of a submission are of one agent with another seed each; with `seeds`, at least so many of one
    that learns. Raises BenchmarkError."""
    groups: dict[tuple[str, ...], dict[Path, Results]] = {}
    first = next(iter(files.values()))
    for file, one in files.items():
        if one.agent.name != metadata.name:
            raise BenchmarkError(f"{file}: is of {one.agent.name!r}, but {METADATA} is of {metadata.name!r}")
        if one.agent.track != first.agent.track:
            here, there = (of.agent.track or "none" for of in (one, first))
            raise BenchmarkError(f"{file}: is of track {here}, {there} in another file: a submission has one track")
        groups.setdefault((one.suite, *(task.id for task in one.tasks)), {})[file] = one
    for group in groups.values():
        learnt = metadata.trained or any(one.agent.trained for one in group.values())
        _check_seeds(group, learnt)
        if learnt and len(group) < seeds:
            raise BenchmarkError(
                f"{folder}: {len(group)} training seeds are too few; expected {seeds} of an agent that learns"
            )


def _check_seeds(group: Mapping[Path, Results], learnt: bool) -> None:
    """No seed is there twice, and what learnt with another has other weights and other games. Raises BenchmarkError."""
    seen: dict[object, Path] = {}
    for file, one in group.items():
        same: list[tuple[object, str]] = [(("seed", one.agent.seed), f"the seed {one.agent.seed}")]
        if learnt:
            games = tuple((of.task, of.against, of.seat, of.results, tuple(of.rewards)) for of in one.games)
            digests = [(pair, f"the weights of {pair[0]}") for pair in one.agent.sha256.items() if pair[1] is not None]
            same += [(games, "the same games"), *digests]
        for key, what in same:
            if key in seen:
                differ = "each seed has weights and games of its own" if learnt else "each file has a seed of its own"
                raise BenchmarkError(f"{file}: has {what}, as {seen[key].name} has: {differ}")
            seen[key] = file


# ---- Playing again: the opponents' moves of a record, and whole games with the agent itself
#
# The opponents' random numbers follow from the deal and the seat, so against the moves of a record each must answer
# as the record says: nobody can play for it. What the agent plays only the agent can say.

MACHINES = "(on another kind of processor the last bits of a network can differ)"


def replayed(sample: Sample, game: Game, asked: Callable[[Position], int | None] = lambda _: None) -> Position:
    """The game of a record, played again in its deal. Raises BenchmarkError.

    Args:
        asked: Is given the position before each decision; where it answers, it must be as the record says.
    """
    moves, position = sample.moves, Position(game, deal_seed(sample.deal))
    _same("seed", moves.seed, position.seed)
    _same("components", moves.components, position.game.component_digest)  # of several packs, that of this deal
    for number, action in enumerate(moves.played(), 1):
        found = asked(position)
        try:
            position.play(action)
        except IllegalAction as error:
            raise BenchmarkError(f"decision {number}: {error}") from None
        if found not in (None, action):
            here, there = game.actions.text(found), game.actions.text(action)
            raise BenchmarkError(f"decision {number} is {there!r}, but {sample.against} plays {here!r}")
    _same("state hash", moves.hash, position.hash())
    return position


def _opponent(
    table: BenchmarkTable, sample: Sample, task: Task, game: Game, said: list[int]
) -> Callable[[Position], int | None]:
    """What asks the opponent of a game for each of its decisions; its answers are added to `said`."""
    opponent = table.player(sample.against, task)
    streams = rngs(Job(task, sample.against, sample.deal), game, sample.seat, 0)

    def asked(position: Position) -> int | None:
        if position.over or position.actor == sample.seat:
            return None
        said.append(int(opponent.act(Views.at(position), streams[position.actor])[0]))
        return said[-1]

    return asked


def replay(results: Results, known: Tasks, players: Mapping[str, PlayerName], runs: Path, count: int) -> int:
    """Play games of the tasks whose player is in `players` anew, drawn without replacement, half of them from those
    with a record: all, where there are fewer. Returns how many. Raises BenchmarkError."""
    table, chance = BenchmarkTable(results.agent, runs, players), random.SystemRandom()
    mine = [one for one in results.games if one.task in players]
    every = {one.key(deal): (one, deal) for one in mine for deal in range(len(one.results))}
    samples = {sample.key: sample for sample in results.records if sample.key in every}
    drawn = chance.sample(list(samples), min(len(samples), (count + 1) // 2))
    left = sorted(every.keys() - drawn)
    drawn += chance.sample(left, min(len(left), count - len(drawn)))
    for key in drawn:
        one, deal = every[key]
        _check_game(table, one, deal, known.task(one.task), samples.get(key))
    return len(drawn)


def _check_game(table: BenchmarkTable, one: Series, deal: int, task: Task, sample: Sample | None) -> None:
    """One game, with the agent in its seat. Raises BenchmarkError."""
    where = f"{one.task} against {one.against}, deal {deal} in seat {one.seat}"
    found = table.play_seat(Job(task, one.against, deal), one.seat)
    letter, reward = one.results[deal], one.rewards[deal]
    if found.result != letter or abs(found.reward - reward) > CLOSE:
        raise BenchmarkError(
            f"{where}: {letter} with a reward of {reward} was counted, but played anew it is {found.result} with "
            f"{found.reward:.6f} {MACHINES}"
        )
    if sample is not None and found.record is not None:
        there, here = sample.moves.played(), found.record.played()
        if there != here:
            number = next((k for k, pair in enumerate(zip(there, here, strict=False), 1) if pair[0] != pair[1]), 0)
            raise BenchmarkError(f"{where}: played anew, decision {number} is another than in the record {MACHINES}")


# ---- All that there is to verify in folders of submissions, for a command that runs now and then

MODELS = b'"theogony-models-1"'  # how a results file of a language model begins


def files_of(path: Path) -> list[Path]:
    """What is verified of a submission: of models each results file, of an agent the folder. A file is itself."""
    files = without_links(sorted(path.glob("*.json"))) if path.is_dir() else []
    return [one for one in files if MODELS in read_bytes(one, str(one), BenchmarkError)[:200]] or [path]


def submissions_in(folders: Sequence[Path]) -> Iterator[Path]:
    """The submissions of folders, of models their files, and files that say how far an entry can be beaten.

    Raises BenchmarkError for a folder without any.
    """
    for folder in folders:
        found = sorted(one.parent for one in folder.rglob(METADATA))
        if not found:
            raise BenchmarkError(f"{folder}: holds no submission: expected folders with {METADATA}")
        for path in found:
            yield from files_of(path)
            yield from without_links([path / EXPLOITS, *sorted((path / EXPLOITS).glob("*.json"))])[1:]


# ---- A results file as a whole


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
        mine = [known.task(played.id) for played in results.tasks]
        named = {task.id: player_at_hand(results.agent, task, task.make_game(), path) for task in mine}
        players = {task: name for task, name in named.items() if name is not None}
        agent = _check_agent(results, known, players)
        with one_thread():  # as they were played
            asked = _check_records(results, known)
            anew, why = _replayed_games(results, known, players, runs_of(path), games)
    except (BenchmarkError, PlayerError) as error:
        former = f" (theogony {results.theogony:.40} measured it, and this is {__version__})"
        raise BenchmarkError(f"{path}: {error}{former if results.theogony != __version__ else ''}") from None
    return Verified(path, results, asked, anew, f"{agent}{why}")


def _replayed_games(
    results: Results, known: Tasks, players: dict[str, PlayerName], runs: Path, count: int
) -> tuple[int, str]:
    """How many games were played anew, and in words why not more. Raises BenchmarkError."""
    if not count:
        return 0, ""
    if thinks_by_time(results.agent.player):
        return 0, "; it thinks by time, and such games do not repeat"
    played = replay(results, known, players, runs, count)
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
    if is_learner(player := results.agent.player) != (results.agent.track is not None):
        raise BenchmarkError(f"agent: {player}: a training file or a program has a track, and nothing else has")
    _check_training(results, known, games)
    check_claims(results, games)
    found, fields = figures_of(results.tasks, results.games), {*Figures._fields}
    here = results.model_copy(update=found._asdict()).model_dump(include=fields)
    for name, written in results.model_dump(include=fields).items():
        _same(name, written, here[name])


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
    letters = [(one.key(deal), letter) for one in results.games for deal, letter in enumerate(one.results)]
    counted = {key for key, letter in letters if letter == "C"}
    named = {one.key for one in results.crashes}
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
    table, said = BenchmarkTable(results.agent), list[int]()
    games = {played.id: known.task(played.id).make_game() for played in results.tasks}
    wanted = [
        (task, against, deal, known.task(task).seat_recorded(games[task], against, deal))
        for task in games
        for against in known.task(task).opponents
        for deal in range(min(known.task(task).records, known.task(task).deals))
    ]
    found = [sample.key for sample in results.records]
    if found != wanted:
        missing = next((key for key in wanted if key not in found), None)
        raise BenchmarkError(f"records: that of {missing} is missing" if missing else "records: there are too many")
    series = {(one.task, one.against, one.seat): one for one in results.games}
    for sample in results.records:
        task, game = known.task(sample.task), games[sample.task]
        one = series[sample.task, sample.against, sample.seat]
        try:
            ask = () if sample.against == TEAM else (_opponent(table, sample, task, game, said),)
            _check_end(replayed(sample, game, *ask), sample, task, one.results[sample.deal], one.rewards[sample.deal])
        except BenchmarkError as error:
            where = f"{sample.task} against {sample.against}, deal {sample.deal}"
            raise BenchmarkError(f"record of {where}: {error}") from None
    return len(said)


def _check_end(position: Position, sample: Sample, task: Task, letter: str, reward: float) -> None:
    """A game ended as it was counted. Raises BenchmarkError."""
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
