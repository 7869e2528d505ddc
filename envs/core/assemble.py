"""`assemble`: a `GameSpec` from the modules of a game, whose pieces are found by their names.

A game in a folder has a room for every piece (`ROOMS`); `game.py` then only says what no code can tell:

    SPEC = assemble(__name__, title="Bluff", players=(2, 3, 4), hidden=("dice",))

A game may also be a single file: then all pieces are looked for in it.
"""

from __future__ import annotations

import importlib
import importlib.util
import sys
from collections.abc import Callable, Iterable, Sequence
from types import ModuleType
from typing import Any

import numpy as np

from theogony.envs.core.contract import did_you_mean
from theogony.envs.core.game import GameSpec, Parts, SpecError
from theogony.envs.core.record import record_dtype, tables_header

ROOMS: dict[str, tuple[str, ...]] = {  # room -> the pieces that are looked for in it
    "components": ("components", "COMPONENTS", "check_components", "TABLES", "fill_tables"),
    "generate": ("generate",),
    "state": ("Options", "STATE"),
    "actions": ("CODEC",),
    "rules": ("setup", "legal", "apply", "score", "standing", "resample"),
    "plans": ("plan_stage", "pass_over"),
    "observe": ("layout", "observe"),
    "rows": ("action_rows",),
    "heuristic": ("value", "outlook"),
    "vocabulary": ("vocabulary",),
    "render": ("render_text", "render_svg", "places", "lands", "pieces", "move_text"),
    "story": ("story",),
    "invariant": ("invariant", "ranges"),
    "breakdown": ("breakdown", "account"),
    "snapshot": ("from_json", "to_json"),
}
ROOM_OF = {piece: room for room, pieces in ROOMS.items() for piece in pieces}
BUILDING = ("Options", "COMPONENTS", "STATE", "CODEC", "TABLES", "fill_tables", "layout")  # what `build` is made of
NEEDED = ("Options", "setup", "legal", "apply", "score", "observe", "render_text")
OWN = ("decision_bound", "own_limit", "progress")  # functions of `game.py` itself
HEADER_OF_TABLES = {name for name, *_ in tables_header()}
NEEDED_TO_BUILD = ("STATE", "CODEC", "layout")


def assemble(module: str, *, title: str, players: Sequence[int], **facts: Any) -> GameSpec:
    """The spec of the game whose `game.py` (or whose only file) is `module`.

    Args:
        module: `__name__` of the caller.
        title: name of the game for people.
        players: the player counts it is for.
        facts: any other field of `GameSpec`; what is given here is not looked for.

    Pieces are looked for in the module itself and then in their rooms. Without a `build` of its own, a game has `STATE`
    in `state`, `CODEC` in `actions`, `layout(players, t)` in `observe`, and perhaps `TABLES` and
    `fill_tables(t, options, data)` in `components`. Pieces that do not change with the options are a constant
    `COMPONENTS`. Raises SpecError, which names a piece that is missing and the room where it was expected.
    """
    pieces = _Pieces(module)
    found = {piece: pieces.find(piece) for piece in ROOM_OF}
    build = facts.pop("build", None) or getattr(pieces.module, "build", None)
    for piece in (*NEEDED, *(() if build else NEEDED_TO_BUILD)):
        if found[piece] is None and piece not in facts:
            raise SpecError(f"{module}: has no {piece}; it was expected in {pieces.place(piece)}")
    if found["TABLES"] is not None and not HEADER_OF_TABLES <= set(found["TABLES"].names or ()):
        raise SpecError(f"{module}: expected TABLES = record_dtype(*tables_header(), ...) in {pieces.place('TABLES')}")
    given = {piece: what for piece, what in found.items() if what is not None and piece not in BUILDING}
    given |= {name: getattr(pieces.module, name) for name in OWN if hasattr(pieces.module, name)}
    if found["COMPONENTS"] is not None:
        given["components"] = lambda options: found["COMPONENTS"]
    given |= {"name": pieces.name, "options": found["Options"], "build": build or _builder(found), **facts}
    for name in given:
        if name not in GameSpec.__dataclass_fields__:
            raise SpecError(f"{module}: a game has no {name!r}{did_you_mean(name, GameSpec.__dataclass_fields__)}")
    seats: Any = tuple(players) if isinstance(players, Iterable) else players  # GameSpec refuses the latter
    return GameSpec(module=module, title=title, players=seats, **given)


class _Pieces:
    """The modules of a game, imported when one of their pieces is looked for."""

    def __init__(self, module: str) -> None:
        self.module: ModuleType = sys.modules[module]
        package, _, last = module.rpartition(".")
        self.package = package if last == "game" else ""  # a file of another name is a whole game
        self.name = (self.package or module).rpartition(".")[2]

    def place(self, piece: str) -> str:
        """Where a piece belongs, for messages."""
        return f"{self.package}.{ROOM_OF[piece]}" if self.package else self.module.__name__

    def find(self, piece: str) -> Any:
        """A piece of the game, None where it has none."""
        if (found := _attribute(self.module, piece)) is not None:
            return found
        room = f"{self.package}.{ROOM_OF[piece]}"
        if not self.package or importlib.util.find_spec(room) is None:
            return None
        return _attribute(importlib.import_module(room), piece)


def _attribute(module: ModuleType, name: str) -> Any:
    """What a module calls so, unless that is a module again (`rules.setup` may be a file and a rule)."""
    found = getattr(module, name, None)
    return None if isinstance(found, ModuleType) else found


def _builder(found: dict[str, Any]) -> Callable[[Any, Any], Parts]:
    """The `build` of a game that brings only the pieces of it."""
    tables_dtype = found["TABLES"] or record_dtype(*tables_header())

    def build(options: Any, data: Any) -> Parts:
        tables = np.zeros(1, tables_dtype)
        if found["fill_tables"]:
            found["fill_tables"](tables[0], options, data)
        return Parts(found["STATE"], tables, found["layout"](options.players, tables[0]), found["CODEC"])

    return build
