"""The results file of a language model: what was played, how each game ended, what it took, and the figures."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import Field

from theogony.benchmark.results.file import Machine
from theogony.benchmark.tasks import Strict
from theogony.benchmark.trained import Count, Time
from theogony.envs.core.untrusted.checked import checked
from theogony.envs.core.untrusted.files import replace_file
from theogony.envs.core.untrusted.outside import check_plain_text, parse_json, read_bytes
from theogony.models.ask.said import ModelError
from theogony.models.play.settings import Settings
from theogony.models.play.transcript import End, OfJob

FORMAT = "theogony-models-1"
Share = Annotated[float, Field(ge=0, le=1)]


class Manners(Strict):
    """How an endpoint was asked; None: its own default."""

    temperature: float | None
    reply_tokens: Count | None


class PlayedTable(Strict):
    """A table as it was played, and the SHA-256 of the weights of those who sat there."""

    name: Annotated[str, Field(pattern=r"^[a-z0-9_]{1,60}-[1-9]\d{0,2}p$")]
    game: str
    version: int
    options: dict[str, Any]
    components: str
    prompt: str  # digest of what stands at the head of every request, in the first game
    against: dict[str, str | None]


class PlayedGame(OfJob, End):
    """One game. Replies: at how many decisions the model was asked, and how often its first reply was legal."""

    asked: Count
    first_legal: Count
    replies: Count
    read: Count
    written: Count
    counted: bool
    cost: Time
    seconds: Time
    transcript: str
    sha256: Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]


class Against(Strict):
    """All games of a table against one player. `share`: of the win, a draw as one half; of a team, its mean reward."""

    table: str
    against: str
    games: Count
    wins: Count
    draws: Count
    losses: Count
    share: Share
    low: Share
    high: Share


class Rating(Strict):
    """Elo points on the ladder of a table, `random` at 0, with the 95 % interval."""

    table: str
    points: float
    low: float
    high: float


class Legal(Strict):
    """The share of decisions whose first reply was legal, with Wilson's interval, and what else is form, not play."""

    asked: Count
    first: Share
    low: Share
    high: Share
    invalid: Count
    random_moves: Count
    forfeited: Count


class Spent(Strict):
    """What all games took. `counted`: tokens are the endpoint's own numbers, else estimates."""

    replies: Count
    read: Count
    written: Count
    counted: bool
    cost: Time
    seconds: Time
    tokens_a_game: Time


class Learnt(Strict):
    """The mean reward of the first, second ... game of those that share lessons."""

    table: str
    against: str
    rewards: list[float]


class Figures(Strict):
    """All that follows from the games."""

    against: list[Against]
    ratings: list[Rating]
    legal: Legal
    spent: Spent
    learnt: list[Learnt]


class Results(Strict):
    """A whole results file."""

    format: Literal["theogony-models-1"]
    kind: Literal["language model", "program"]
    theogony: str
    name: str
    model: str
    sha256: str | None  # of a program
    settings: Settings
    track: str
    manners: Manners
    tables: list[PlayedTable]
    games: list[PlayedGame]
    figures: Figures
    machine: Machine


def read_results(path: Path) -> Results:
    """The content of a results file. Raises ModelError: no such file, or another form."""
    content = read_bytes(path, str(path), ModelError)
    data = parse_json(content, str(path), ModelError)
    if not isinstance(data, dict) or data.get("format") != FORMAT:
        raise ModelError(f"{path}: is no results file of a language model: expected the format {FORMAT!r}")
    try:
        check_plain_text(data)
    except ValueError as error:
        raise ModelError(f"{path}: {error}") from None
    results = checked(Results, content, str(path), ModelError)
    names = [table.name for table in results.tables]
    if len(set(names)) < len(names) or not {one.table for one in results.games} <= set(names):
        raise ModelError(f"{path}: tables: expected each that was played, once")
    if (results.kind == "program") != (results.sha256 is not None):
        raise ModelError(f"{path}: sha256: expected that of a program, and none of a language model")
    if not results.games:
        raise ModelError(f"{path}: games: expected at least one")
    return results


def write_results(results: Results, path: Path) -> None:
    """Write a results file, whole or not at all. Raises OSError."""
    replace_file(path, json.dumps(results.model_dump(), indent=1, ensure_ascii=False).encode() + b"\n")


def is_results(path: Path) -> bool:
    """Whether a file says that it holds results of a language model."""
    try:
        with path.open("rb") as file:
            return f'"format": "{FORMAT}"'.encode() in file.read(200)
    except OSError:
        return False


def digest_of_games(results: Results) -> str:
    """SHA-256 of what was measured; figures, which follow from it, are not in it."""
    content = json.dumps(results.model_dump(exclude={"figures", "machine"}), sort_keys=True)
    return hashlib.sha256(content.encode()).hexdigest()


def games_folder(results: Path) -> Path:
    """The folder of the transcripts of a results file: `orbis.json` has `orbis.games`."""
    return results.with_name(f"{results.name.removesuffix('.json')}.games")
