"""The records of a tournament: a folder of files DEAL_TURN_0-1-1.jsonl, and `players.json`, which numbers the players.

A number stays whose it is: where a tournament goes on with more players, no game takes the place of another.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any, ClassVar, NamedTuple

from pydantic import BaseModel, ConfigDict

from theogony.envs.core.game import Game
from theogony.envs.core.gamerecord import plain_options
from theogony.envs.core.untrusted.checked import checked
from theogony.envs.core.untrusted.files import make_folder, replace_file
from theogony.envs.core.untrusted.outside import parse_json, read_bytes

PLAYERS = "players.json"
LARGEST = 1 << 20  # bytes of that file


class _Numbered(BaseModel):
    """What `players.json` holds."""

    model_config: ClassVar[ConfigDict] = ConfigDict(extra="forbid", strict=True)

    tournament: dict[str, Any]
    players: list[str]


class Records(NamedTuple):
    """A folder of records, and the players in the order of their numbers."""

    folder: Path
    players: tuple[str, ...]

    def path(self, seats: Sequence[str], deal: int, turn: int) -> Path:
        """The file of a game: its deal, the turn of its seats in that deal, and who sits where."""
        table = "-".join(str(self.players.index(name)) for name in seats)
        return self.folder / f"{deal:06}_{turn}_{table}.jsonl"

    def seats(self, path: Path) -> list[str]:
        """Who sat where, as the name of a record says. Empty for another name."""
        numbers = path.stem.rpartition("_")[2].split("-")
        known = all(number.isdecimal() and int(number) < len(self.players) for number in numbers)
        return [self.players[int(number)] for number in numbers] if known else []


def open_records(folder: Path, game: Game, seed: int, players: Sequence[str]) -> Records:
    """The folder for the records of a tournament; new players come behind those that have a number.

    Raises ValueError where it holds games of another tournament, which would be written over.
    """
    version, components = game.spec.version, game.component_digest
    said = {"game": game.spec.name, "version": version, "options": plain_options(game), "components": components}
    said = json.loads(json.dumps(said | {"seed": seed}))
    known: list[str] = []
    if (folder / PLAYERS).exists():
        found = _read(folder)
        if differs := next((key for key in said if found.tournament.get(key) != said[key]), None):
            raise ValueError(f"{folder}: holds games of another tournament: {differs} differs; name another folder")
        known = found.players
    elif any(folder.glob("*.jsonl")):
        raise ValueError(f"{folder}: holds records and no {PLAYERS}; expected a new folder or a tournament's")
    numbered = (*known, *sorted(set(players) - set(known)))
    make_folder(folder)
    replace_file(folder / PLAYERS, json.dumps({"tournament": said, "players": numbered}, indent=1).encode() + b"\n")
    return Records(folder, numbered)


def read_records(folder: Path) -> Records:
    """The folder of a tournament's records. Raises ValueError for what is none."""
    return Records(folder, tuple(_read(folder).players))


def _read(folder: Path) -> _Numbered:
    path = folder / PLAYERS
    content = read_bytes(path, str(path), ValueError, LARGEST)
    parse_json(content, str(path), ValueError)
    return checked(_Numbered, content, str(path), ValueError)
