"""configs/results.yaml: whose figures docs/results.md has, and against whom."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field

from theogony.envs.core.untrusted.checked import checked
from theogony.training.config import ConfigError
from theogony.training.config.file import read_yaml


class Entry(BaseModel):
    """One line of the page, or with `also` two. A run or checkpoint knows its game and number of players; for other
    players `game` and `options` say them."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    player: str
    against: dict[str, Annotated[int, Field(ge=1)]]  # opponent -> games
    game: str = ""
    options: dict[str, Any] = {}  # in place of the defaults
    also: dict[str, Any] = {}  # options of a second line, of the same player and opponents
    title: str = ""  # shown in place of the player's name


class ResultsList(BaseModel):
    """configs/results.yaml."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    seed: int = 0
    notes: str = ""  # said before the tables
    remarks: dict[str, str] = {}  # game -> what is said before its tables
    players: list[Entry]


def read_table(path: Path) -> ResultsList:
    """Raises ConfigError naming the key that is wrong."""
    table = checked(ResultsList, read_yaml(path)[0], str(path), ConfigError)
    return table.model_copy(update={"players": [line for entry in table.players for line in _lines(entry)]})


def _lines(entry: Entry) -> list[Entry]:
    """The line of an entry, and the one with its other options."""
    first = entry.model_copy(update={"also": {}})
    other = {"options": {**entry.options, **entry.also}}
    return [first, *([first.model_copy(update=other)] if entry.also else [])]


def key(entry: Entry) -> str:
    """What figures are filed under."""
    options = ",".join(f"{name}={value}" for name, value in sorted(entry.options.items()))
    return " ".join(part for part in (entry.player, entry.game, options) if part)
