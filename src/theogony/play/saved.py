"""What is kept of a game that is being played: its record, and beside it who sits where behind which link.

The record holds every decision before anybody hears of it. The file beside it, `NAME.table.json`, can be read by its
owner only: whoever knows a link has that seat.
"""

from __future__ import annotations

import contextlib
import json
import secrets
import time
from pathlib import Path
from typing import Annotated

from theogony.envs.core.untrusted.checked import checked
from theogony.envs.core.untrusted.files import make_folder, replace_file
from theogony.envs.core.untrusted.models import BaseModel, ConfigDict, Field
from theogony.envs.core.untrusted.outside import read_json
from theogony.training.storage.disk import LEFTOVER, InUse, locked

FORMAT = 1
FOLDER = Path("theogony-games")
BITS = 144  # of a link: nobody guesses that
LARGEST = 1 << 16  # bytes of the file

Link = Annotated[str, Field(pattern=r"^[A-Za-z0-9_-]{24,64}$")]


class TableError(ValueError):
    """The file beside a record is damaged, or is of another table."""


class Kept(BaseModel):
    """The file beside a record: the seats, the link of each seat (empty for a bot) and of those who look on."""

    model_config = ConfigDict(extra="forbid", strict=True)

    theogony_table: int = FORMAT
    seats: list[str] = Field(min_length=1, max_length=8)
    links: list[Link | None]
    watch: Link
    port: int = Field(ge=0, le=65535)


def new_link() -> str:
    """A link that nobody can guess."""
    return secrets.token_urlsafe(BITS // 8)


def new_table(seats: list[str]) -> Kept:
    """Links for the people among these seats."""
    links = [new_link() if name == "human" else None for name in seats]
    return Kept(seats=seats, links=links, watch=new_link(), port=0)


def new_record(game: str, folder: Path = FOLDER) -> Path:
    """A name for the record of a new game. Raises OSError when its folder cannot be made."""
    make_folder(folder)
    stamp = time.strftime("%Y-%m-%d-%H%M%S")
    names = (folder / f"{game}-{stamp}{tail}.jsonl" for tail in ("", *(f"-{k}" for k in range(2, 1000))))
    return next(name for name in names if not name.exists())


def beside(record: Path) -> Path:
    """The file of the table whose record this is."""
    return record.with_name(f"{record.stem}.table.json")


def lock_of(record: Path) -> Path:
    """The file whose lock is held by the process that plays on this record."""
    return record.with_name(f".{record.name}.lock")


def remove_leftovers(folder: Path) -> None:
    """Remove what games that were killed left half-written in a folder; a game that is running keeps its files."""
    left = [path for path in folder.glob(".*.tmp") if LEFTOVER.fullmatch(path.name)]
    for lock in folder.glob(".*.lock") if left else ():
        record = lock.with_name(lock.name[1 : -len(".lock")])
        own = (record.name, beside(record).name)
        halves = [path for path in left if path.name[1:].rsplit(".", 3)[0] in own]  # .NAME.PROCESS.DRAWN.tmp
        with contextlib.suppress(InUse, OSError), locked(lock, "") if halves else contextlib.nullcontext():
            for path in halves:
                path.unlink(missing_ok=True)


def write_table(kept: Kept, record: Path) -> None:
    """Write the file beside a record, for its owner only. Raises OSError."""
    replace_file(beside(record), json.dumps(kept.model_dump(), indent=1).encode() + b"\n", private=True)


def read_table(record: Path, players: int) -> Kept | None:
    """The file beside a record of a game for so many players; None where there is none. Raises TableError."""
    path = beside(record)
    if not path.exists():
        return None
    kept = checked(Kept, read_json(path, str(path), TableError, LARGEST), f"{path}: is not of a table", TableError)
    if kept.theogony_table != FORMAT or not len(kept.seats) == len(kept.links) == players:
        raise TableError(f"{path}: is of another table than the record: it has {len(kept.seats)} seats, not {players}")
    if any((link is None) != (name != "human") for name, link in zip(kept.seats, kept.links, strict=True)):
        raise TableError(f"{path}: a link for every seat of a person was expected, and for no other")
    return kept
