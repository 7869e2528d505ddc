"""Write the generated parts of the documentation anew: `make docs`, or `python docs/generate.py --check` to compare.

`python docs/generate.py --pictures GAME ...` draws docs/games/<game>.svg, a position that greedy players reach.

A page docs/games/<game>.md marks them: whatever stands between `<!-- generated: actions -->` and `<!-- end -->` is
replaced by the table of that name (`TABLES`), made from the code of the game. A game can have tables of its own, in
`TABLES` of a module `docs_tables` anywhere in its folder. Stubs of the `<game>_v<n>` modules and the rules that
`TextEnv` tells are written as well.
"""

from __future__ import annotations

import argparse
import importlib
import inspect
import re
import sys
import typing
from collections.abc import Callable
from pathlib import Path
from types import UnionType
from typing import Any, Literal

import numpy as np
from prompts import prompt, prompt_path
from stubs import path_of, stub

from theogony.envs import GAMES as GAME_NAMES
from theogony.envs import load
from theogony.envs.core import record
from theogony.envs.core.game import GameSpec
from theogony.envs.core.players import KernelPlay
from theogony.envs.core.position import Position

GAMES = Path(__file__).parent / "games"
PART = re.compile(r"(<!-- generated: (\w+) -->\n).*?(<!-- end -->)", re.DOTALL)
FIELD = re.compile(r'^\s*\("(?P<name>\w+)", .*\),\s*# (?P<meaning>.*)$', re.MULTILINE)


def table(heads: list[str], rows: list[list[Any]]) -> str:
    """A Markdown table."""
    lines = [heads, ["---"] * len(heads), *rows]
    return "\n".join("| " + " | ".join(str(cell) for cell in line) + " |" for line in lines)


def options(spec: GameSpec) -> str:
    """Options, their values and defaults."""
    rows = []
    for name, field in spec.options.model_fields.items():
        values = ", ".join(map(str, spec.players)) if name == "players" else _values(field.annotation)
        default = f"the file `{field.default.name}`" if isinstance(field.default, Path) else f"`{field.default!r}`"
        rows.append([f"`{name}`", values, default, field.description or ""])
    return table(["option", "values", "default", "meaning"], rows)


def _values(annotation: Any) -> str:
    if typing.get_origin(annotation) is Literal:
        return ", ".join(f"`{value!r}`" for value in typing.get_args(annotation))
    if isinstance(annotation, UnionType) or typing.get_origin(annotation) is typing.Union:
        return " or ".join(_values(part) for part in typing.get_args(annotation))
    return {
        bool: "`True`, `False`",
        int: "number",
        float: "number",
        str: "text",
        Path: "path",
        type(None): "`None`",
    }.get(annotation, "value")


def actions(spec: GameSpec) -> str:
    """The blocks of the action codec."""
    codec, rows = spec.configure().actions, []
    for block in codec.blocks:
        first, count = codec.first[block.kind], len(block.actions)
        axes = " × ".join(_axis(axis) for axis in block.axes) or "one"
        last = first + count - 1
        rows.append(
            [f"{first} to {last}" if count > 1 else first, f"`{block.kind}`", count, axes, f"`{codec.text(last)}`"]
        )
    return table(["id", "kind", "number", "arguments", "text of the last one"], rows)


def _axis(axis: list[Any]) -> str:
    """The labels of an axis, shortened where there are many."""
    labels = [str(label) for label in axis]
    return ", ".join(labels) if len(labels) <= 6 else f"{labels[0]} to {labels[-1]}"


def features(spec: GameSpec) -> str:
    """The fields of the observation, with default options."""
    return spec.configure().features.table()


def state(spec: GameSpec) -> str:
    """The fields of the state record; what they mean is said beside them in the source."""
    module = sys.modules[spec.options.__module__]
    sources = inspect.getsource(record) + inspect.getsource(module)
    meanings = {match["name"]: match["meaning"] for match in FIELD.finditer(sources)}
    dtype, rows = spec.configure().state, []
    for name in dtype.names or ():
        base, shape = dtype[name].subdtype or (dtype[name], ())
        size = " × ".join(map(str, shape)) or "1"
        rows.append([f"`{name}`", f"{base.str.lstrip('|<')}", size, meanings.get(name, "")])
    return table(["field", "type", "shape", "meaning"], rows)


def sizes(spec: GameSpec) -> str:
    """What grows with the number of players."""
    rows = []
    for players in spec.players:
        game = spec.configure({"players": players})
        bound = spec.decision_bound(game.options) if spec.decision_bound else "not bounded"
        rows.append([players, bound, game.features.length, game.actions.size, game.state.itemsize])
    return table(["players", "decisions in a game", "observation", "actions", "bytes of a position"], rows)


TABLES: dict[str, Callable[[GameSpec], str]] = {f.__name__: f for f in (options, actions, features, state, sizes)}


def tables(game: str) -> dict[str, Callable[[GameSpec], str]]:
    """All tables by name: those of every game, and those of this one."""
    folder = GAMES.parents[1] / "envs"
    own = [path.relative_to(folder).with_suffix("").parts for path in (folder / game).rglob("docs_tables.py")]
    found = dict(TABLES)
    for parts in own:
        found |= importlib.import_module(".".join(("theogony.envs", *parts))).TABLES
    return found


def page(path: Path) -> str:
    """A page with its generated parts made anew. Raises ValueError for a table that there is not."""
    spec = load(f"theogony.envs.{path.stem}.game")  # registered or not yet
    known = tables(path.stem)

    def fill(match: re.Match[str]) -> str:
        if match[2] not in known:
            raise ValueError(f"{path.name}: there is no table {match[2]!r}, only {', '.join(known)}")
        return f"{match[1]}{known[match[2]](spec)}\n{match[3]}"

    return PART.sub(fill, path.read_text("utf-8"))


def picture(spec: GameSpec) -> str:
    """The SVG of a position for the public, about the middle of a game between greedy players."""
    position, stream = Position(spec.configure(), 1), np.array([1], np.uint64)
    greedy = KernelPlay(position.game)
    while not position.over:
        position.play(greedy.choose(position, 1.0, stream))
    for _ in range(len(position.actions) // 2):
        position.undo()
    return spec.render_svg(position.game, position.g, None)


def main() -> int:
    parser = argparse.ArgumentParser(description="Generated parts of the documentation")
    parser.add_argument("--check", action="store_true", help="write nothing; fail when a page is out of date")
    parser.add_argument("--pictures", nargs="+", metavar="GAME", default=[], help="draw these games anew")
    arguments = parser.parse_args()
    for name in arguments.pictures:
        (GAMES / f"{name}.svg").write_text(picture(load(name)), "utf-8")
    pages = [path for path in sorted(GAMES.glob("*.md")) if PART.search(path.read_text("utf-8"))]
    stale = [path for path in pages if page(path) != path.read_text("utf-8")]
    due = {path_of(spec): stub(spec) for spec in map(load, GAME_NAMES)} | {
        prompt_path(path): prompt(path) for path in pages
    }
    stale += [path for path, text in due.items() if not path.exists() or path.read_text("utf-8") != text]
    for path in stale:
        print(f"{path.name} {'is out of date: run make docs' if arguments.check else 'written'}")
        if not arguments.check:
            path.write_text(due[path] if path in due else page(path), "utf-8")
    return 1 if stale and arguments.check else 0


if __name__ == "__main__":
    sys.exit(main())
