"""The folder of a tournament: what it is (`tournament.json`) and a line for every deal that was played (`games.jsonl`).

A tournament that was stopped goes on from there, with more games or more players if they are wanted.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, ClassVar

from pydantic import BaseModel, ConfigDict

from theogony.envs.core.gamerecord import plain_options
from theogony.envs.core.untrusted.checked import checked
from theogony.envs.core.untrusted.files import naming, replace_file
from theogony.envs.core.untrusted.outside import parse_json, read_bytes, read_json
from theogony.training.rating.tournament import Dealt, Plan, weights_of_runs
from theogony.training.storage.disk import LEFTOVER, remove_leftovers
from theogony.training.storage.lock import LOCK

FORMAT = "theogony-tournament-1"
HEADER, GAMES = "tournament.json", "games.jsonl"
LARGEST, LONGEST = 4 << 30, 1 << 20  # bytes of all games, and of a line


class TournamentError(ValueError):
    """A folder holds no tournament, or another one; the message names the file and what was expected."""


def refuse_foreign(path: Path) -> None:
    """Raise TournamentError for a folder of somebody else, before anything is written there."""
    ours = (path / HEADER).exists() or not path.exists()
    if not ours and any(there.name != LOCK and not LEFTOVER.fullmatch(there.name) for there in path.iterdir()):
        raise TournamentError(f"{path}: holds other files and no {HEADER}; expected a new folder or a tournament's")


class Folder:
    """Where the games of a tournament are kept. Raises TournamentError when another one is there."""

    def __init__(self, path: Path, plan: Plan) -> None:
        self.path, self.plan = path, plan
        header = identity(plan)
        if (path / HEADER).exists():
            _check_same(path / HEADER, header)
        remove_leftovers(path)
        replace_file(path / HEADER, json.dumps(header, indent=1).encode())

    def read(self) -> list[Dealt]:
        """What was played so far. A last line that a kill cut off is removed. Raises TournamentError naming a line that
        is none, is there twice, or cannot be."""
        path = self.path / GAMES
        if not path.exists():
            return []
        *lines, rest = read_bytes(path, str(path), TournamentError, LARGEST).split(b"\n")
        found: dict[tuple[tuple[str, ...], int], Dealt] = {}
        for number, line in enumerate(lines, 1):
            what = f"{path}: line {number}"
            dealt = checked(Dealt, parse_json(line, what, TournamentError, LONGEST), what, TournamentError)
            try:
                self.plan.check(dealt)
            except ValueError as error:
                raise TournamentError(f"{what}: {error}") from None
            key = (tuple(dealt.lineup), dealt.deal)
            if key in found:
                raise TournamentError(f"{what}: deal {dealt.deal} of {', '.join(dealt.lineup)} is there twice")
            found[key] = dealt
        if rest:
            replace_file(path, b"".join(line + b"\n" for line in lines))
        return list(found.values())

    def keep(self, results: Iterable[Dealt]) -> Iterator[Dealt]:
        """Pass results on, each written down at once."""
        path = self.path / GAMES
        for result in results:
            line = result.model_dump_json(exclude_none=True).encode() + b"\n"
            with naming(path), path.open("ab") as file:
                file.write(line)
            yield result


def identity(plan: Plan) -> dict[str, Any]:
    """What must be the same for games to belong to one tournament."""
    game = plan.game
    return {
        "format": FORMAT,
        "game": game.spec.name,
        "version": game.spec.version,
        "options": plain_options(game),
        "components": game.component_digest,
        "seed": plan.seed,
        "weights": weights_of_runs(plan.players),
    }


class _TournamentHeader(BaseModel):
    """What `tournament.json` holds; `identity` makes it."""

    model_config: ClassVar[ConfigDict] = ConfigDict(extra="forbid", strict=True)

    format: str
    game: str
    version: int
    options: dict[str, Any]
    components: str
    seed: int
    weights: dict[str, str]


def _check_same(path: Path, wanted: dict[str, Any]) -> None:
    """Raise TournamentError unless the header there is that of this tournament; takes over the weights it knows."""
    content = read_json(path, str(path), TournamentError)
    found = checked(_TournamentHeader, content, f"{path}: is no header of a tournament", TournamentError).model_dump()
    for name in ("format", "game", "version", "options", "components", "seed"):
        if found[name] != wanted[name]:
            raise TournamentError(
                f"{path}: {name} was {found[name]!r}, now it is {wanted[name]!r}; expected another folder"
            )
    for player, digest in found["weights"].items():
        if wanted["weights"].setdefault(player, digest) != digest:
            raise TournamentError(f"{path}: {player} has learnt since its games there; expected another folder")
