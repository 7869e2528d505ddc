"""A results file: what was played, how each game ended, the figures that follow; and a submission of several."""

from __future__ import annotations

import contextlib
import functools
import gzip
import json
import zlib
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Literal, TypeVar

import numpy as np
from pydantic import AfterValidator, Field, TypeAdapter, ValidationError

from theogony.benchmark.agents import Agent
from theogony.benchmark.tasks import BenchmarkError, Count, Share, Strict, Task, Time, Trained, TrainingSeconds
from theogony.envs.core.gamerecord import RecordError
from theogony.envs.core.position import Position
from theogony.envs.core.untrusted.checked import checked
from theogony.envs.core.untrusted.files import replace_file
from theogony.envs.core.untrusted.outside import MAX_TEXT, check_plain_text, parse_json, read_bytes, read_json
from theogony.envs.core.untrusted.outside_yaml import read_yaml

# ---- What the figures of all results have in common: what a game is worth, and how a number is rounded

WORTH = {"W": 1.0, "D": 0.5, "L": 0.0, "C": 0.0}  # of a game won, drawn, lost, lost by a crash
DIGITS = 6  # the last bits of a mean are not the same on every machine


def rounded(number: float | np.floating | np.ndarray) -> float:
    """A number as it stands in a results file.

    >>> rounded(2 / 3), rounded(-1e-9)
    (0.666667, 0.0)
    """
    return round(float(number), DIGITS) + 0.0  # no -0.0


# ---- What a score of 0 and of 1 is: mean rewards of random and of the reference player, measured on the same deals
#
# They are in `anchors.json`, which `keeping.py` writes, with the mean reward of every single deal: on other deals 0
# and 1 would have been others, and the intervals of scores take that into account.

ANCHORS = Path(__file__).with_name("anchors.json")
LEAST = 0.02  # difference of rewards below which 0 and 1 are not told apart


class Anchor(Strict):
    """The mean rewards that score 0 and 1 against each opponent of a task; `player` is who scores 1.

    `deals` holds by opponent what 0 and 1 got on average in each deal; it is empty where only the means are known.
    """

    player: str
    task_digest: str
    theogony: str
    opponents: dict[str, tuple[float, float]]
    deals: dict[str, tuple[list[float], list[float]]] = {}

    def score(self, against: str, reward: float) -> float | None:
        """The score of a mean reward; None against whom 0 and 1 are not known, or not told apart."""
        if against not in self.opponents:
            return None
        zero, one = self.opponents[against]
        return None if one - zero < LEAST else (reward - zero) / (one - zero)

    def of(self, task: Task) -> Anchor | None:
        """What 0 and 1 are in a task, or in its first deals alone; None where that was measured for another task."""
        if self.task_digest == task.digest:
            return self
        deals, measured = task.deals, max((len(zero) for zero, _ in self.deals.values()), default=0)
        if deals >= measured or task.model_copy(update={"deals": measured}).digest != self.task_digest:
            return None
        first = {against: (zero[:deals], one[:deals]) for against, (zero, one) in self.deals.items()}
        means = {against: (sum(zero) / deals, sum(one) / deals) for against, (zero, one) in first.items()}
        return self.model_copy(update={"task_digest": task.digest, "opponents": means, "deals": first})


Anchors = dict[str, Anchor]  # by the id of the task
_FILE = TypeAdapter(Anchors)


def read_anchors(path: Path) -> Anchors:
    """The anchors of a file. Raises BenchmarkError."""
    try:
        return _FILE.validate_json(json.dumps(read_json(path, str(path), BenchmarkError)))
    except ValidationError as error:
        raise BenchmarkError(f"{path}: {error.errors()[0]['msg']}") from None


@functools.cache
def shipped_anchors() -> Anchors:
    """Those of this version."""
    return read_anchors(ANCHORS)


# ---- The results file: what was played, how each game ended, and the figures that follow from it
#
# Everything but `seconds` and `machine` follows from the tasks, the agent and its seed.

FORMAT = "theogony-benchmark-1"
Form = TypeVar("Form", bound=Strict)
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

    def score(self, against: str, reward: float) -> float | None:
        """The score of a mean reward, where it is known what 0 and 1 are."""
        return None if self.anchor is None else self.anchor.score(against, reward)


class Series(Strict):
    """All games of an agent in one seat against one opponent: a letter and a reward a deal, in the order of deals."""

    task: str
    against: str
    seat: Count
    results: Annotated[str, Field(pattern=r"^[WDLC]*$")]
    rewards: list[float]

    def key(self, deal: int) -> tuple[str, str, int, int]:
        """What names the game of a deal."""
        return self.task, self.against, deal, self.seat


class OfGame(Strict):
    """What is said of one game."""

    task: str
    against: str
    deal: Count
    seat: Count

    @property
    def key(self) -> tuple[str, str, int, int]:
        """Which game it is."""
        return self.task, self.against, self.deal, self.seat


class Crash(OfGame):
    """A game that the agent lost by an error or an illegal action."""

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


class Sample(OfGame):
    """The record of one game."""

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
    return checked(Results, content, str(path), BenchmarkError)


def read_formed(form: type[Form], path: Path, kind: str, formats: Sequence[str], problem: type[Exception]) -> Form:
    """The content of a file of one of these formats, whose texts are for readers alone, `kind` in words. Raises
    `problem`: no such file, or another form."""
    data = read_json(path, str(path), problem)
    if not isinstance(data, dict) or data.get("format") not in formats:
        raise problem(f"{path}: is no {kind}: expected the format {formats[0]!r}")
    try:
        check_plain_text(data)
    except ValueError as error:
        raise problem(f"{path}: {error}") from None
    return checked(form, data, str(path), problem)


def begins_as(path: Path, formats: Sequence[str]) -> bool:
    """Whether a file says that it is of one of these formats; what is no plain file, or cannot be read, does not."""
    with contextlib.suppress(OSError):
        if path.is_file():
            with path.open("rb") as file:
                head = file.read(200)
            return any(f'"{one}"'.encode() in head for one in formats)
    return False


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


# ---- A submission: a folder with `metadata.yaml` and a results file for each seed of the agent

METADATA = "metadata.yaml"
EXPLOITS = "exploits"  # the folder of a submission that says how far it can be beaten
MIN_SEEDS = 5  # of the training of an agent that learns
LONGEST_NAME = 80
FIELDS = (
    "expected texts as name, authors and description, true or false as trained; of an agent that learnt also a whole "
    "number as decisions and a text as code or config"
)


def _printable(text: str) -> str:
    """Raises ValueError for signs that steer a terminal or turn the direction of writing; lines may end."""
    check_plain_text(text.split("\n"))
    return text


Text = Annotated[str, Field(min_length=1, max_length=2000), AfterValidator(_printable)]
Name = Annotated[str, Field(min_length=1, max_length=LONGEST_NAME), AfterValidator(_printable)]


class Metadata(Strict):
    """Who submits what. `trained`: it learns, and so needs five seeds; the reference player is measured as it is.

    `before`: share of games won against greedy before learning, by table (`orbis-2p`), where learning curves do not
    begin there.
    """

    name: Name
    authors: Text
    description: Text
    trained: bool
    decisions: Annotated[int, Field(ge=0)] | None = None  # of the learner, in training
    before: dict[Text, Share] = Field(default_factory=dict)
    code: Text | None = None
    config: Text | None = None


def read_metadata(path: Path) -> Metadata:
    """The metadata of a submission. Raises BenchmarkError naming the field, and what all of them are."""
    content, _ = read_yaml(path, str(path), BenchmarkError)
    try:
        return checked(Metadata, content, str(path), BenchmarkError)
    except BenchmarkError as error:
        raise BenchmarkError(f"{error}; {FIELDS}") from None


def results_files(folder: Path) -> list[Path]:
    """The results files of a submission. Raises BenchmarkError when there is none."""
    files = sorted([*folder.glob("*.json"), *folder.glob("*.json.gz")])
    if not files:
        raise BenchmarkError(f"{folder}: holds no results file: expected one *.json for each seed")
    return without_links([folder / METADATA, *files])[1:]


def without_links(files: list[Path]) -> list[Path]:
    """The files themselves. Raises BenchmarkError for a link, which could lead out of the submission."""
    for file in files:
        if file.is_symlink():
            raise BenchmarkError(f"{file}: is a link; expected what it leads to")
    return files
