"""The folder of a tournament: what it is (`tournament.json`) and a line for every deal that was played (`games.jsonl`).

A tournament that was stopped goes on from there, with more games or more players if they are wanted.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from theogony.envs.core.checked import checked
from theogony.envs.core.files import replace_file
from theogony.envs.core.gamerecord import plain_options
from theogony.training.tournament import Dealt, Plan, weights_of_runs

FORMAT = "theogony-tournament-1"
HEADER, GAMES = "tournament.json", "games.jsonl"


class TournamentError(ValueError):
    """A folder holds no tournament, or another one; the message names the file and what was expected."""


class Folder:
    """Where the games of a tournament are kept. Raises TournamentError when another one is there."""

    def __init__(self, path: Path, plan: Plan) -> None:
        self.path = path
        path.mkdir(parents=True, exist_ok=True)
        header = identity(plan)
        if (path / HEADER).exists():
            _check_same(path / HEADER, header)
        elif any(path.iterdir()):
            raise TournamentError(f"{path}: holds other files and no {HEADER}; expected a new folder or a tournament's")
        replace_file(path / HEADER, json.dumps(header, indent=1).encode())

    def read(self) -> list[Dealt]:
        """What was played so far. A last line that a kill cut off is removed."""
        path, found = self.path / GAMES, []
        lines = path.read_bytes().split(b"\n") if path.exists() else [b""]
        for number, line in enumerate(lines[:-1], 1):
            found.append(checked(Dealt, line, f"{path}: line {number}", TournamentError))
        if lines[-1]:
            replace_file(path, b"".join(line + b"\n" for line in lines[:-1]))
        return found

    def keep(self, results: Iterable[Dealt]) -> Iterator[Dealt]:
        """Pass results on, each written down at once."""
        with (self.path / GAMES).open("ab") as file:
            for result in results:
                file.write(result.model_dump_json(exclude_none=True).encode() + b"\n")
                file.flush()
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


def _check_same(path: Path, wanted: dict[str, Any]) -> None:
    """Raise TournamentError unless the header there is that of this tournament; takes over the weights it knows."""
    try:
        found = json.loads(path.read_text("utf-8"))
        weights = dict(found["weights"])
    except (OSError, ValueError, KeyError, TypeError):
        raise TournamentError(f"{path}: cannot be read as the header of a tournament") from None
    for name in ("format", "game", "version", "options", "components", "seed"):
        if found.get(name) != wanted[name]:
            raise TournamentError(
                f"{path}: {name} was {found.get(name)!r}, now it is {wanted[name]!r}; expected another folder"
            )
    for player, digest in weights.items():
        if wanted["weights"].setdefault(player, digest) != digest:
            raise TournamentError(f"{path}: {player} has learnt since its games there; expected another folder")
