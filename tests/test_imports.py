"""Imports go one way: below a part stands only what it is built from."""

import ast
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PARTS = ("envs", "wrappers", "training", "configs")
# Each module may import those of its own rank and below. The ranks of files inside a game:
GAME_RANKS = {"components": 0, "state": 1, "actions": 1, "rules": 2, "observe": 3, "heuristic": 3, "render": 3}
# A game has further files of free names; the environment and the package itself see everything.
GAME_TOP = 4
PART_ORDER = ("envs.core", "envs", "wrappers", "training")
ROOT_RANK = len(PART_ORDER)


def module_name(path: Path) -> str:
    """The dotted name under which a file of the repository is installed."""
    parts = path.relative_to(ROOT).with_suffix("").parts
    parts = parts[1:] if parts[0] == "src" else ("theogony", *parts)
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


MODULES = {module_name(path): path for part in (*PARTS, "src") for path in (ROOT / part).rglob("*.py")}
GAMES = sorted(path.parent.name for path in (ROOT / "envs").glob("*/components.py"))


def import_nodes(node: ast.AST) -> Iterator[ast.Import | ast.ImportFrom]:
    """All imports of a syntax tree, also those inside functions; not those for type checkers only."""
    if isinstance(node, ast.If) and ast.unparse(node.test) in ("TYPE_CHECKING", "typing.TYPE_CHECKING"):
        return
    if isinstance(node, ast.Import | ast.ImportFrom):
        yield node
    for child in ast.iter_child_nodes(node):
        yield from import_nodes(child)


def imported_names(path: Path) -> Iterator[str]:
    """Absolute dotted names which a file imports; for `from a import b` this is `a.b`."""
    package = module_name(path).split(".")
    if path.name != "__init__.py":
        package.pop()
    for node in import_nodes(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        else:
            base = package[: len(package) - node.level + 1] if node.level else []
            base = [*base, *(node.module or "").split(".")] if node.module else base
            yield from (".".join([*base, alias.name]) for alias in node.names)


@cache
def direct_imports(module: str) -> frozenset[str]:
    """The project's own modules which a module imports; names that are no modules count as their module."""
    found = set()
    for name in imported_names(MODULES[module]):
        if name.split(".")[0] != "theogony":
            continue
        while name not in MODULES and "." in name:
            name = name.rpartition(".")[0]
        if name in MODULES:
            found.add(name)
    return frozenset(found - {module})


def within(module: str, package: str) -> bool:
    return module == package or module.startswith(package + ".")


def game_rank(module: str, game: str) -> int | None:
    """Rank of a module inside a game, None for files without a place in the order."""
    inner = module.removeprefix(f"theogony.envs.{game}").strip(".").split(".")[0]
    return GAME_TOP if inner in ("", f"{game}_v0") else GAME_RANKS.get(inner)


def part_rank(module: str) -> int:
    """Rank of the top-level parts: core, games, wrappers, training, command line."""
    for rank, package in enumerate(PART_ORDER):
        if within(module, f"theogony.{package}"):
            return rank
    return ROOT_RANK


@pytest.mark.parametrize("game", GAMES)
def test_order_inside_a_game(game: str) -> None:
    package = f"theogony.envs.{game}"
    for module in (name for name in MODULES if within(name, package)):
        rank = game_rank(module, game)
        if rank is None:
            continue
        # Follow files without a rank, so that they are no way round the order.
        seen: set[str] = set()
        waiting = [name for name in direct_imports(module) if within(name, package)]
        while waiting:
            name = waiting.pop()
            if name in seen:
                continue
            seen.add(name)
            found = game_rank(name, game)
            assert found is None or found <= rank, f"{module} must not import {name}"
            waiting += [other for other in direct_imports(name) if within(other, package)]


def test_order_between_parts() -> None:
    for module in MODULES:
        for name in direct_imports(module) - {"theogony"}:
            assert part_rank(name) <= part_rank(module), f"{module} must not import {name}"


def test_parts_do_not_import_the_root() -> None:
    """The package root gathers everything; only its version may be read from below."""
    allowed = {f"theogony.{name}" for name in (*PARTS, "__version__")}
    for module, path in MODULES.items():
        if part_rank(module) < ROOT_RANK:
            for name in imported_names(path):
                if name.split(".")[0] == "theogony":
                    assert ".".join(name.split(".")[:2]) in allowed, f"{module} must not import {name}"


def test_games_do_not_import_each_other() -> None:
    for game in GAMES:
        for module in (name for name in MODULES if within(name, f"theogony.envs.{game}")):
            for name in direct_imports(module):
                own = within(name, f"theogony.envs.{game}") or within(name, "theogony.envs.core")
                assert own or not name.startswith("theogony.envs."), f"{module} must not import {name}"


def test_no_bare_imports_of_the_parts() -> None:
    """From the repository root `import envs` works, and gives a second copy of every class."""
    files = [
        *MODULES.values(),
        *(path for top in ("tests", "benchmarks", "docs", "examples") for path in (ROOT / top).rglob("*.py")),
    ]
    for path in files:
        for name in imported_names(path):
            assert name.split(".")[0] not in PARTS, f"{path.relative_to(ROOT)}: write theogony.{name}"


def test_training_hides_no_library() -> None:
    """A script's own folder comes first on sys.path, so training/queue.py would replace the library's queue."""
    for path in (ROOT / "training").rglob("*"):
        assert path.stem not in {*sys.stdlib_module_names, "torch"} or path.stem.startswith("__"), path
