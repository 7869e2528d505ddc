"""Games that players of this project have played, written down as other programs write them."""

from __future__ import annotations

import gzip
import json
import random
from collections.abc import Callable, Iterable
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from theogony.envs.core.players import Views, make_player
from theogony.envs.core.position import Position
from theogony.envs.terra_mystica.components import CHAOS_MAGICIANS, SH, TP
from theogony.envs.terra_mystica.game import SPEC
from theogony.envs.terra_mystica.ledger.ledger import written_rows, written_setup
from theogony.envs.terra_mystica.snapshot import snapshot

Row = tuple[str, list[str], dict[str, Any]]  # a faction, its commands, and the position after them ({}: not stated)
Wish = Callable[[Position, str], bool]  # whether an action, as text, is to be played wherever it is legal


def played(factions: Iterable[str], seed: int = 0, wish: Wish = lambda position, text: False) -> Position:
    """A whole game of greedy players who do what is wished."""
    names = list(factions)
    position = Position(SPEC.configure({"players": len(names)}), seed)
    player, rng = make_player("greedy", position.game), np.random.default_rng(seed)
    for name in names:
        position.play(position.game.actions.parse(f"setup {name}"))
    while not position.over:
        legal = [int(action) for action in position.legal_actions()]
        wished = [action for action in legal if wish(position, position.game.actions.text(action))]
        position.play(wished[0] if wished else int(player.act(Views.at(position), rng)[0]))
    return position


def rows_of(position: Position) -> list[Row]:
    """Its rows, with the position after each."""
    return [
        (faction, commands, json.loads(json.dumps(snapshot(position.game, position.states[after]))))
        for faction, commands, after in written_rows(position)
    ]


def in_pieces(rows: list[Row], seed: int, share: float = 1.0) -> list[Row]:
    """Rows cut between their commands, in a share of the places. The position is stated after the last piece."""
    rng, out = random.Random(seed), list[Row]()
    for faction, commands, state in rows:
        ends = [k for k in range(1, len(commands)) if rng.random() < share] + [len(commands)]
        starts = [0, *ends[:-1]]
        out += [(faction, commands[a:b], state if b == ends[-1] else {}) for a, b in zip(starts, ends, strict=True)]
    return out


def ledger_of(position: Position, rows: list[Row]) -> str:
    """The ledger of a game with other rows."""
    written = [f"{faction}: {'. '.join(commands)}" for faction, commands, _ in rows]
    return "\n".join([*written_setup(position), *written, ""])


def recording_of(position: Position, rows: list[Row]) -> list[dict[str, Any]]:
    """The lines of a recorded game with the positions that its rows state."""
    setup = {"step": 0, "kind": "setup", "faction": "", "commands": list(written_setup(position)), "state": {}}
    return [setup] + [
        {"step": step, "kind": "row", "faction": faction, "commands": list(commands), "state": state}
        for step, (faction, commands, state) in enumerate(rows, 1)
    ]


def write_lines(lines: list[dict[str, Any]], path: Path) -> Path:
    """A recording as a file, packed when its name ends in .gz."""
    content = "".join(json.dumps(line) + "\n" for line in lines).encode()
    path.write_bytes(gzip.compress(content) if path.suffix == ".gz" else content)
    return path


def last_of_the_round(position: Position) -> bool:
    """Whether all others have passed."""
    g = position.g
    return int(g.passed[: g.players].sum()) == g.players - 1


@cache
def game_of_five() -> Position:
    """A game of five in which whoever is last in a round keeps the cult step of FAV6 for the end."""

    def wish(position: Position, text: str) -> bool:
        return text == "+FAV6" or (text == "action FAV6" and last_of_the_round(position))

    return played(("mermaids", "halflings", "fakirs", "witches", "dwarves"), 3, wish)


@cache
def game_of_double_turns() -> Position:
    """The Chaos Magicians hurry to their stronghold, then dig and build first in a double turn and often pass in it."""

    def wish(position: Position, text: str) -> bool:
        g, names = position.g, ("to SH", "action ACTC")
        if g.faction[position.actor] != CHAOS_MAGICIANS:
            return False
        built = g.built[position.actor]
        if g.turns_left == 2:
            return text.startswith(("build", "transform")) and not text.endswith("partly")
        if built[SH] and g.specials_used[position.actor].any():
            return text.startswith("pass")
        return text.endswith(names) or (not built[TP] and text.endswith("to TP"))

    return played(("chaosmagicians", "cultists", "engineers"), 1, wish)
