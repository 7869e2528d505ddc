"""The results file: what was played, how each game ended, and the figures that follow from it.

Everything but `seconds` and `machine` follows from the tasks, the agent and its seed.
"""

from __future__ import annotations

import gzip
import json
import zlib
from pathlib import Path
from typing import Annotated, Literal

from pydantic import Field

from theogony.benchmark.agents import Agent
from theogony.benchmark.results.anchors import Anchor
from theogony.benchmark.tasks import BenchmarkError, Strict
from theogony.benchmark.trained import Count, Time, Trained, TrainingSeconds
from theogony.envs.core.gamerecord import RecordError
from theogony.envs.core.position import Position
from theogony.envs.core.untrusted.checked import checked
from theogony.envs.core.untrusted.files import replace_file
from theogony.envs.core.untrusted.outside import MAX_TEXT, parse_json, read_bytes

FORMAT = "theogony-benchmark-1"
PACKED, GZIP = ".gz", 31  # the ending of a packed file, and what zlib calls that form


class PlayedTask(Strict):
    """A task as it was played: what must be the same for figures to be compared."""

    id: str
    digest: str
    game: str
    version: int
    components: str
    first_seed: int
    deals: Count
    opponents: dict[str, str | None]  # SHA-256 of the weights of those that have any
    anchor: Anchor | None


class Series(Strict):
    """All games of an agent in one seat against one opponent: a letter and a reward a deal, in the order of deals."""

    task: str
    against: str
    seat: Count
    results: Annotated[str, Field(pattern=r"^[WDLC]*$")]
    rewards: list[float]


class Crash(Strict):
    """A game that the agent lost by an error or an illegal action."""

    task: str
    against: str
    deal: Count
    seat: Count
    error: str


class Moves(Strict):
    """A game by the seed and the components it was dealt from, its actions, and a hash of the position that these led
    to: playing it again proves it."""

    seed: int
    components: str
    actions: Annotated[str, Field(pattern=r"^([0-9]{1,9}( [0-9]{1,9})*)?$")]
    hash: str

    @classmethod
    def of(cls, position: Position) -> Moves:
        """Return the moves of a game so far. Raises RecordError when playing them again leads elsewhere."""
        again = Position(position.game, position.seed)
        for action in position.actions:
            again.play(action)
        if again.key() != position.key():
            raise RecordError("playing the game again leads to another position: it was changed from outside")
        actions = " ".join(map(str, position.actions))
        return cls(seed=again.seed, components=again.game.component_digest, actions=actions, hash=again.hash())

    def played(self) -> list[int]:
        """Return the actions."""
        return [int(one) for one in self.actions.split()]


class Sample(Strict):
    """The record of one game."""

    task: str
    against: str
    deal: Count
    seat: Count
    moves: Moves


class Figure(Strict):
    """Counts by seat, the mean reward over all, and the score with its 95 % interval, of one task and opponent."""

    task: str
    against: str
    wins: list[Count]
    draws: list[Count]
    losses: list[Count]  # crashes among them
    crashes: list[Count]
    reward: float
    score: float | None
    low: float | None
    high: float | None


class Score(Strict):
    """The score of a task: the mean over its opponents, with its 95 % interval over deals."""

    task: str
    one: str  # the player that scores 1
    score: float
    low: float
    high: float


class Overall(Strict):
    """The interquartile mean of the scores of `tasks` tasks, with its 95 % interval over deals."""

    tasks: Count
    iqm: float
    low: float
    high: float
    optimality_gap: float


class Seconds(Strict):
    """Time of the games: on the clock, of all processors, and of those the agent's decisions; then of the training."""

    wall: Time
    cpu: Time
    agent_cpu: Time
    training: list[TrainingSeconds]


class Machine(Strict):
    """Where it was played."""

    system: str
    processor: str
    processors: int
    python: str
    numpy: str
    numba: str


class Results(Strict):
    """A whole results file."""

    format: Literal["theogony-benchmark-1"]
    suite: str
    theogony: str
    agent: Agent
    tasks: list[PlayedTask]
    training: list[Trained]  # by `run`: one for each task, or none
    games: list[Series]
    crashes: list[Crash]
    figures: list[Figure]
    scores: list[Score]
    overall: Overall | None
    records: list[Sample]
    seconds: Seconds
    machine: Machine


def read_results(path: Path) -> Results:
    """The content of a results file, packed with gzip or not. Raises BenchmarkError: no such file, or another form."""
    content = parse_json(_unpacked(path), str(path), BenchmarkError)
    found = content.get("format") if isinstance(content, dict) else None
    if found != FORMAT:
        raise BenchmarkError(f"{path}: is no results file of the benchmark: expected the format {FORMAT!r}")
    return checked(Results, json.dumps(content), str(path), BenchmarkError)


def as_bytes(results: Results, path: Path) -> bytes:
    """The content of a results file; of one that is called `.gz` packed."""
    content = json.dumps(results.model_dump(), indent=1).encode() + b"\n"
    return gzip.compress(content, mtime=0) if path.suffix == PACKED else content


def write_results(results: Results, path: Path) -> None:
    """Write a results file, whole or not at all. Raises OSError."""
    replace_file(path, as_bytes(results, path))


def _unpacked(path: Path) -> bytes:
    content = read_bytes(path, str(path), BenchmarkError)
    if path.suffix != PACKED:
        return content
    unpacker = zlib.decompressobj(GZIP)
    try:
        whole = unpacker.decompress(content, MAX_TEXT + 1)
    except zlib.error as error:
        raise BenchmarkError(f"{path}: cannot be unpacked: {error}") from None
    if len(whole) > MAX_TEXT:
        raise BenchmarkError(f"{path}: is too large: at most {MAX_TEXT >> 20} MB were expected")
    if not unpacker.eof or unpacker.unused_data:
        raise BenchmarkError(f"{path}: {'goes on behind its end' if unpacker.eof else 'is cut off'}")
    return whole
