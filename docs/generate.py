"""Write the generated parts of the documentation anew: `make docs`, or `python docs/generate.py --check` to compare.

A page marks them: whatever stands between `<!-- generated: options -->` and `<!-- end -->` is replaced by the table of
that name. Large tables are not committed: the site has them where `<!-- built: cards -->` stands, and
`python docs/generate.py orbis` (or `results`) prints the page with them. Those of docs/games/<game>.md are made from
the code of the game (`TABLES`); a game can have tables of its own, in `TABLES` of a module `docs_tables` anywhere in
its folder. Those of other pages are in `OTHER_PAGES`. Stubs of the `<game>_v<n>` modules and the rules that `TextEnv`
tells are written as well.
"""

from __future__ import annotations

import argparse
import functools
import importlib
import inspect
import itertools
import re
import runpy
import sys
import typing
from collections.abc import Callable
from pathlib import Path
from types import UnionType
from typing import Any, Literal

import training_file
from prompts import option_prompts, prompt, prompt_path
from seats import seats
from stubs import path_of, stub

from theogony.envs import GAMES as GAME_NAMES
from theogony.envs import load
from theogony.envs.core import record
from theogony.envs.core.contract import table
from theogony.envs.core.game import GameSpec
from theogony.envs.core.vocabulary import ACTION

DOCS = Path(__file__).parent
GAMES = DOCS / "games"
OTHER_PAGES: dict[str, dict[str, Callable[[], str]]] = {
    "training_file": {"keys": training_file.keys},
    "model_ladder": {"ladder": lambda: ladder_table()},
    "results": {"figures": lambda: result_figures()},
}
PART = re.compile(r"(<!-- generated: (\w+) -->\n).*?(<!-- end -->)", re.DOTALL)
BUILT = re.compile(r"<!-- built: (\w+) -->")
FIELD = re.compile(r'^\s*\("(?P<name>\w+)", .*\),\s*# (?P<meaning>.*)$', re.MULTILINE)


def ladder_table() -> str:
    """The anchors of every table, with the games that each has played."""
    from theogony.models.ladder import ANCHORS, shipped_ladders

    rows = []
    for name, ladder in sorted(shipped_ladders().tables.items()):
        found = {anchor.player: anchor for anchor in ladder.anchors}
        shares = {name: "" if found[name].won is None else f" ({found[name].won:.0%})" for name in ANCHORS}
        points = [f"{found[anchor].points:+.0f}{shares[anchor]}".replace("+0", "0") for anchor in ANCHORS]
        spread = max((anchor.high - anchor.low) / 2 for anchor in ladder.anchors if anchor.player in ANCHORS)
        rows.append([name, *points, f"±{spread:.0f}", found[ANCHORS[0]].games])
    return table(["table", *(f"`{name}`" for name in ANCHORS), "95 %, the widest", "games of each"], rows)


def result_figures() -> str:
    """All figures of the players that come with the project."""
    return runpy.run_path(str(DOCS.parent / "tools" / "results.py"))["figures_of_site"]()


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


def moves(spec: GameSpec) -> str:
    """What each kind of action does, in the words of the vocabulary, with the text of the last one."""
    game = spec.configure()
    rows = []
    for block in game.actions.blocks:
        last = _example(game.actions, block)
        entry = game.vocabulary[ACTION, block.kind]
        rows.append([f"`{game.actions.text(last)}`", f"{entry.name}: {entry.does}" if entry.does else entry.name])
    return table(["text, for example", "what it does"], rows)


def _example(codec: Any, block: Any) -> int:
    """The last action of a block, or the last one that does not name the same twice (three red for one red)."""
    found = range(codec.first[block.kind], codec.first[block.kind] + len(block.actions))
    pairs = ((action, codec.decode(action)[1]) for action in reversed(found))
    return next((action for action, arguments in pairs if len(set(arguments)) == len(arguments)), found[-1])


def _axis(axis: list[Any]) -> str:
    """The labels of an axis, shortened where there are many."""
    labels = [str(label) for label in axis]
    return ", ".join(labels) if len(labels) <= 6 else f"{labels[0]} to {labels[-1]}"


def features(spec: GameSpec) -> str:
    """The fields of the observation, with default options."""
    return spec.configure().features.table()


def numbers(groups: dict[str, dict[str, int]]) -> str:
    """What the numbers of rows of attributes are, in order; in brackets the count that is 1.0, where it is not 1."""
    rows = []
    for name, group in groups.items():
        parts = []
        for of, listed in itertools.groupby(group, key=lambda what: what.rpartition(": ")[0]):
            words = ", ".join(what.rpartition(": ")[2] + f" ({group[what]})" * (group[what] > 1) for what in listed)
            parts.append(f"{of}: {words}" if of else words)
        rows.append([f"`{name}`", len(group), "; ".join(parts)])
    return table(["row", "numbers", "in order"], rows)


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
    return table(["players", "decisions in a game, at most", "observation", "actions", "bytes of a position"], rows)


TABLES: dict[str, Callable[[GameSpec], str]] = {
    f.__name__: f for f in (options, actions, moves, features, state, sizes, seats)
}


def tables(game: str) -> dict[str, Callable[[GameSpec], str]]:
    """All tables by name: those of every game, and those of this one."""
    folder = GAMES.parents[1] / "envs"
    own = [path.relative_to(folder).with_suffix("").parts for path in (folder / game).rglob("docs_tables.py")]
    found = dict(TABLES)
    for parts in own:
        module = importlib.import_module(".".join(("theogony.envs", *parts)))
        found |= module.TABLES
        if groups := getattr(module, "NUMBERS", None):
            found["numbers"] = lambda spec, groups=groups: numbers(groups)
    return found


def tables_of_page(path: Path) -> dict[str, Callable[[], str]]:
    """All tables that a page may ask for, by name."""
    if path.stem in OTHER_PAGES:
        return OTHER_PAGES[path.stem]
    spec = load(f"theogony.envs.{path.stem}.game")  # registered or not yet
    return {name: functools.partial(make, spec) for name, make in tables(path.stem).items()}


def page(path: Path, text: str | None = None) -> str:
    """Return a page, or a text for it, with its generated parts made anew. Raises ValueError for an unknown table."""
    known = tables_of_page(path)

    def fill(match: re.Match[str]) -> str:
        if match[2] not in known:
            raise ValueError(f"{path.name}: there is no table {match[2]!r}, only {', '.join(known)}")
        return f"{match[1]}{known[match[2]]()}\n{match[3]}"

    return PART.sub(fill, path.read_text("utf-8") if text is None else text)


def whole(path: Path, text: str | None = None) -> str:
    """Return a page as the site has it: with the large tables, which are not committed."""
    text = path.read_text("utf-8") if text is None else text
    return page(path, BUILT.sub(r"<!-- generated: \1 -->\n<!-- end -->", text))


def _written(due: dict[Path, str], check: bool) -> list[Path]:
    """The files whose text was another, which are written unless they are only checked."""
    stale = [path for path, text in due.items() if not path.exists() or path.read_text("utf-8") != text]
    for path in stale:
        print(f"{path.name} {'is out of date: run make docs' if check else 'written'}")
        if not check:
            path.write_text(due[path], "utf-8")
    return stale


def main() -> int:
    """Write what is out of date, or say it."""
    parser = argparse.ArgumentParser(description="Generated parts of the documentation")
    parser.add_argument("--check", action="store_true", help="write nothing; fail when a page is out of date")
    names = [*GAME_NAMES, "results"]
    parser.add_argument("page", nargs="?", choices=names, help="print this page with all its tables")
    arguments = parser.parse_args()
    if arguments.page:
        print(whole((GAMES if arguments.page in GAME_NAMES else DOCS) / f"{arguments.page}.md"))
        return 0
    pages = sorted(GAMES.glob("*.md"))
    others = [DOCS / f"{name}.md" for name in OTHER_PAGES]
    stale = _written({path: page(path) for path in (*pages, *others)}, arguments.check)
    due = {path_of(spec): stub(spec) for spec in map(load, GAME_NAMES)}
    for path in pages:  # what is told in play is taken from the pages, as they are by now
        due |= {prompt_path(path): prompt(path, whole(path))} | option_prompts(path)
    stale += _written(due, arguments.check)
    return 1 if stale and arguments.check else 0


if __name__ == "__main__":
    sys.exit(main())
