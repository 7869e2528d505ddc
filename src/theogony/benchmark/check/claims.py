"""What a results file says of its agent must fit together: player, kind, track, weights, and the files of all seeds."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from theogony.benchmark.agents import KINDS, SEARCHES, Agent, Kind, kind_of_player, learns
from theogony.benchmark.play.training import is_training_file, kind_of_training
from theogony.benchmark.programs import is_program
from theogony.benchmark.results.file import Results
from theogony.benchmark.results.submission import METADATA, Metadata
from theogony.benchmark.tasks import BenchmarkError
from theogony.envs.core.game import Game
from theogony.envs.core.players import make_player
from theogony.envs.core.thinking.player_names import RUN, PlayerError, PlayerName, parse_player
from theogony.training.players.plan_player import PLAN, PlanOptions, parse_plan
from theogony.training.players.search.names import parse_search
from theogony.training.players.search.options import SearchOptions

PLAIN = ("random", "greedy")  # made of their name alone


def check_track(agent: Agent) -> None:
    """Whether the agent is of those that learn within a track, where it names one. Raises BenchmarkError."""
    if (is_training_file(agent.player) or is_program(agent.player)) != (agent.track is not None):
        raise BenchmarkError(f"agent: {agent.player}: a training file or a program has a track, and nothing else has")


def check_claims(results: Results, games: Mapping[str, Game]) -> None:
    """Whether the agent can be what the file says, without reading anything of it. Its training was checked before.

    Raises BenchmarkError.
    """
    agent, tasks = results.agent, [played.id for played in results.tasks]
    if agent.trained != learns(agent.player, agent.track):
        raise BenchmarkError(f"agent: trained is {str(agent.trained).lower()}, which does not fit {agent.player}")
    for task in tasks:
        if task not in agent.sha256 or (agent.sha256[task] is None and learns(agent.player, agent.track)):
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
