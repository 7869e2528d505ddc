"""Who is measured: the player of a name, of which kind it is, and the digest of what it plays by.

Kinds are shown side by side and never mixed. An agent that counts as observation-only is given views without positions,
so one that samples them all the same breaks off the game and has lost it.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any, Literal

import numpy as np
from pydantic import Field

from theogony.benchmark.digests import digest_of
from theogony.benchmark.opponents import meant
from theogony.benchmark.programs import NETWORK, is_program
from theogony.benchmark.tasks import Strict, Task
from theogony.benchmark.tracks import TrackName
from theogony.envs.core.game import Game
from theogony.envs.core.players import GreedyPlayer, Player, Views, make_player
from theogony.envs.core.position import Position
from theogony.envs.core.thinking.player_names import OWN, PlayerError, PlayerName, parse_player, run_name
from theogony.envs.core.thinking.views import one_episode

Digest = Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]  # SHA-256
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
    kinds = [_kind_in(task, game, names[task.id]) for task, game in games]
    kind: Kind = next(kind for kind in reversed(KINDS) if kind in kinds)
    digests = {task.id: digest_of(names[task.id], game) for task, game in games}
    return draft.model_copy(update={"kind": kind, "sha256": digests})


def _kind_in(task: Task, game: Game, name: PlayerName) -> Kind:
    """The kind of a player in a task. Raises PlayerError, which names the task, or CheckpointError."""
    try:
        return kind_of_player(name, make_player(name, game))
    except PlayerError as error:
        raise PlayerError(f"task {task.id}: {error}") from None


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
