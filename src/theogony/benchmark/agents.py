"""Who plays: agents that are measured, opponents of tasks, and the digest of what each plays by."""

from __future__ import annotations

import hashlib
import importlib.util
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any, Literal

import numpy as np
from pydantic import Field

from theogony.benchmark.programs import NETWORK, is_program
from theogony.benchmark.tasks import REFERENCE, BenchmarkError, Digest, Strict, Task, TrackName, shipped
from theogony.envs.core.game import Game
from theogony.envs.core.players import GreedyPlayer, Player, Views, make_player
from theogony.envs.core.position import Position
from theogony.envs.core.thinking.player_names import OWN, REFERENCES, PlayerError, PlayerName, parse_player, run_name
from theogony.envs.core.thinking.views import one_episode
from theogony.envs.core.untrusted.outside import read_bytes
from theogony.training.config import modules

# ---- SHA-256 of what a player plays by

LARGEST = 1 << 32  # bytes of an agent's file


def digest_of(player: str | PlayerName, game: Game) -> str | None:
    """SHA-256 of what a player plays by: weights, a file, the source of a module; None for players without any.

    Raises PlayerError or CheckpointError where it is missing.
    """
    name = parse_player(player)
    if name.kind == OWN:
        module = importlib.util.find_spec(name.text.partition(":")[0])
        source = Path((module and module.origin) or "")
        return _of_path(source) if source.is_file() else None
    if name.run is not None:
        return _of_path(Path(name.run))
    reference = name.kind if name.kind in REFERENCES else name.guide
    if not reference:
        return None
    from theogony.training.players.reference import reference_folder

    return _of_path(reference_folder(game, reference))


def _of_path(path: Path) -> str:
    if path.is_file():
        return hashlib.sha256(read_bytes(path, str(path), PlayerError, LARGEST)).hexdigest()
    if not path.exists():
        raise PlayerError(f"there is no player {str(path)!r}: no such file or folder")
    from theogony.training.storage.checkpoint import POLICY, checkpoint_path

    weights = checkpoint_path(path) / POLICY
    return hashlib.sha256(read_bytes(weights, str(weights), PlayerError, LARGEST)).hexdigest()


# ---- Opponents that are kept for the evaluation: nobody trains against them
#
# A task names one `held:orbis-2p-3f2a9c1e04d7`, which is a folder in `held_back/`. The name ends with the first
# twelve digits of the SHA-256 of its weights, so that a task, by its own digest, stands for the very same opponent.
# One that thinks ahead has its search before it, `held:mcts:64@orbis-2p-3f2a9c1e04d7`.
#
# How each was trained is in `held_back/README.md`.

HELD_BACK = Path(__file__).with_name("held_back")
PREFIX = "held:"
DIGITS = 12


def held_player(opponent: str) -> str:
    """The name by which a `held:` opponent is made: its folder, behind a search where it has one.

    Raises BenchmarkError when it is not at hand, or has changed.
    """
    from theogony.training.storage.checkpoint import POLICY

    search, at, name = opponent.removeprefix(PREFIX).rpartition("@")
    weights = HELD_BACK / name / POLICY
    if Path(name).name != name or not weights.is_file():
        raise BenchmarkError(f"{opponent}: there is no such opponent in {HELD_BACK}")
    if digest_of_weights(weights.read_bytes()) != name.rpartition("-")[2]:
        raise BenchmarkError(f"{opponent}: its weights have changed: {weights} has another SHA-256 than its name says")
    return f"{search}{at}{HELD_BACK / name}"


def digest_of_weights(weights: bytes) -> str:
    """The digits of SHA-256 by which a folder of weights is called."""
    return hashlib.sha256(weights).hexdigest()[:DIGITS]


# ---- Who an opponent of a task is: always the same, so that figures stay comparable
#
# `reference` is a reference player by the SHA-256 of its weights, which `tasks.yaml` lists, as an opponent and as an
# agent, and looks one decision ahead: `greedy@reference`. Where a later version of the package comes with a better
# one, that one goes on in `former/`.

FORMER = Path(__file__).with_name("former")
ONE_AHEAD = "greedy"  # the search of who has none


def player_of(opponent: str, game: Game) -> str:
    """The player that an opponent of a task is. Raises BenchmarkError when it is not at hand, or has changed; and
    CheckpointError when a game has no reference player."""
    return held_player(opponent) if opponent.startswith(PREFIX) else meant(opponent, game)


def meant(player: str, game: Game) -> str:
    """A player's name with that agent in place of `reference`, alone or behind a search, that tasks of this table mean.
    Alone it looks one decision ahead, whatever the package's `reference` does.

    Raises as `player_of` does.
    """
    name, table = parse_player(player), f"{game.spec.name}-{game.players}p"
    if REFERENCE not in (name.text, name.guide):
        return player
    name = parse_player(ONE_AHEAD) if name.text == REFERENCE else name
    name, wanted = parse_player(f"{name.settings}@{REFERENCE}"), shipped().references.get(table)
    if wanted is None or digest_of(REFERENCE, game) == wanted:
        return name.text
    former = FORMER / f"{table}-{wanted[:DIGITS]}"
    if not former.is_dir() or digest_of(str(former), game) != wanted:
        raise BenchmarkError(
            f"{player}: in {table} the tasks mean the one with SHA-256 {wanted[:DIGITS]}..., which is "
            f"neither in this package nor in {FORMER}"
        )
    return name.by(former).text


# ---- Who is measured: the player of a name, of which kind it is, and the digest of what it plays by
#
# Kinds are shown side by side and never mixed. An agent that counts as observation-only is given views without
# positions, so one that samples them all the same breaks off the game and has lost it.

Kind = Literal["observation-only", "lookahead", "search"]
KINDS: tuple[Kind, ...] = ("observation-only", "lookahead", "search")
SEARCHES = ("mcts", "gumbel", "flat", "plan")


class Agent(Strict):
    """An agent as a results file names it. `seed` is that of its training, or of its rng where it does not learn.

    `player` is a player's name, a training file or a program, in which {game}, {players} and {task} stand for those of
    a task, and {seed} for `seed`; `sha256` is what it plays by in each task, by the task's id, and None for players
    without weights.
    `trained`: it learnt, and is not part of this package; `track` is what `run` trained it within.
    """

    name: str
    player: Annotated[str, Field(max_length=2000)]
    kind: Kind
    sha256: dict[str, Digest | None]
    trained: bool
    track: TrackName | None
    seed: int

    def player_for(self, task: Task, game: Game, runs: Path | None) -> PlayerName:
        """The player's name in a task; `runs` holds those that `run` trained, a folder for each task."""
        if self.track is not None:
            run = (runs or Path(".")) / task.id
            return run_name(run / NETWORK if is_program(self.player) else run)
        return parse_player(meant(filled(self.player, task, game, self.seed), game))


def filled(player: str, task: Task, game: Game, seed: int) -> str:
    """A player's name, with what is played in place of {game}, {players}, {task} and {seed}."""
    parts = {"{game}": game.spec.name, "{players}": str(game.players), "{task}": task.id, "{seed}": str(seed)}
    for part, value in parts.items():
        player = player.replace(part, value)
    return player


def describe(
    player: str, name: str, seed: int, games: Sequence[tuple[Task, Game]], track: TrackName | None, runs: Path
) -> Agent:
    """What is known of an agent before it plays.

    Raises PlayerError, with the task, or CheckpointError naming what is missing.
    """
    learnt = learns(player, track)
    draft = Agent(name=name, player=player, kind=KINDS[0], sha256={}, trained=learnt, track=track, seed=seed)
    names = {task.id: draft.player_for(task, game, runs) for task, game in games}
    kinds: list[Kind] = []
    for task, game in games:
        try:
            kinds.append(kind_of_player(names[task.id], make_player(names[task.id], game)))
        except PlayerError as error:
            raise PlayerError(f"task {task.id}: {error}") from None
    digests = {task.id: digest_of(names[task.id], game) for task, game in games}
    return draft.model_copy(update={"kind": max(kinds, key=KINDS.index), "sha256": digests})


def learns(player: str, track: TrackName | None) -> bool:
    """Whether an agent learnt, and is not part of this package."""
    return track is not None or parse_player(player).run is not None


def kind_of_player(name: str | PlayerName, player: Player) -> Kind:
    """What a player uses of its views. One of the user's own says it by `kind`, or by `needs_positions`.

    Raises PlayerError for a `kind` that there is not.
    """
    name = parse_player(name)
    if name.kind in SEARCHES:
        return "search"
    own: Any = getattr(player, "kind", None)
    if own in KINDS:
        return own
    if own is not None and name.kind == OWN:
        raise PlayerError(f"player {name.text!r}: kind is {own!r:.80}; expected one of {', '.join(KINDS)}")
    if isinstance(player, GreedyPlayer):
        return "lookahead"
    if not getattr(player, "needs_positions", False):
        return "observation-only"
    return "search" if name.kind == OWN else "lookahead"


def views_of(position: Position, kind: Kind) -> Views:
    """What an agent of this kind may see of a position."""
    if kind != "observation-only":
        return Views.at(position)
    seats = np.array([position.actor], np.int8)
    codes, masks, namer = position.codes.copy(), position.mask.copy(), one_episode(position.episode_id)
    return Views(codes, masks, seats, layout=position.game.features, namer=namer)


# ---- What of the agent of a results file may be read
#
# A results file may come from a stranger, and it names its player. So only names of this package are followed, and
# files and folders beside the results file: nothing else is imported or read, unless modules are allowed, which is
# consent.


def runs_of(results: Path) -> Path:
    """Where the runs of a results file are: `orbis-0.json.gz` has `orbis-0.runs`."""
    return results.with_name(f"{results.name.removesuffix('.gz').removesuffix('.json')}.runs")


def player_at_hand(agent: Agent, task: Task, game: Game, results: Path) -> PlayerName | None:
    """The name by which the agent of a results file can be made for a task, or None where it is not at hand.

    Raises BenchmarkError for a link, which could lead anywhere.
    """
    name = agent.player_for(task, game, runs_of(results))
    if agent.track is not None:
        found = beside(Path(name.text), results)
        return None if found is None else name.by(found)
    if modules.allowed() or name.of_package:
        return name
    if name.run is None:
        return None
    run = Path(name.run)
    if run.parent == FORMER and run.name != "..":
        return name.by(run)
    found = beside(results.parent / run, results)
    if found is None and run.name:  # by its last part alone
        found = beside(results.parent / run.name, results)
    return None if found is None else name.by(found)


def why_not(agent: Agent) -> str:
    """That an agent is not at hand, in words, with what would bring it there."""
    if agent.track is None and parse_player(agent.player.replace("{", "").replace("}", "")).kind == OWN:
        return "the agent is not at hand: a class is imported with --allow-modules only"
    return "the agent is not at hand: its weights are not beside the results file"


def beside(path: Path, results: Path) -> Path | None:
    """A file or a folder, if it is there and in that of the results file. Raises BenchmarkError."""
    place = results.parent.resolve()
    try:
        found = path.resolve(strict=True)
    except (OSError, RuntimeError, ValueError):  # not there, links in a circle, or no name of a file
        return None
    if not found.is_relative_to(place):
        return None
    for one in found.rglob("*"):
        if one.is_symlink():
            raise BenchmarkError(f"{one}: is a link; expected files")
    return found
