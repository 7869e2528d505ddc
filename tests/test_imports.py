"""Imports go one way: below a part stands only what it is built from. Every game has the same rooms."""

import ast
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PARTS = ("envs", "wrappers", "training", "configs")
# The rooms of a game: what each is, and its rank. A module may import those of its own rank and below.
FILE, PACKAGE, EITHER = {"file"}, {"package"}, {"file", "package"}
ROOMS = {
    "components": (PACKAGE, 0),
    "state": (FILE, 1),
    "actions": (FILE, 1),
    "rules": (PACKAGE, 2),
    "observe": (EITHER, 3),
    "rows": (FILE, 3),
    "heuristic": (EITHER, 3),
    "render": (PACKAGE, 3),
    "vocabulary": (EITHER, 3),
    "breakdown": (FILE, 3),
    "story": (FILE, 3),
    "invariant": (FILE, 3),
    "generate": (FILE, 3),
    "game": (FILE, 5),
}
OWN_ROOMS = {
    "terra_mystica": {
        "plans": (FILE, 3),  # how far a plan goes
        "ledger": (PACKAGE, 3),  # games as people write them down
        "snapshot": (FILE, 3),  # a position as plain data
        "docs_tables": (FILE, 6),  # tables of the pieces, for the page
    },
    "innovation": {
        "cards": (PACKAGE, 1),  # the cards and their language
        "snapshot": (FILE, 3),  # positions as JSON
    },
    "god_of_war": {
        "snapshot": (FILE, 3),  # a position as plain data
        "codes": (FILE, 0),  # numeric codes of what components say in words, and frames of the agenda
        "docs_tables": (FILE, 6),  # what is printed and what is reconstructed, for the page
    },
}
TOP = 6  # <game>_v0 and the package itself see everything
# Where in `rules` the six functions that `SPEC` names are found, and what every `components` has.
RULES = {
    "setup": "setup",
    "legal": "legal",
    "apply": "turn",
    "score": "scoring",
    "standing": "scoring",
    "resample": "resample",
}
COMPONENTS = {"pieces", "checks", "tables"}  # printed numbers and names; what is refused; the record `t`
# Files of the benchmark: each imports those before it alone.
BENCHMARK = (
    "tasks programs tuning agents results score training games marks verify run exploit report regret keeping".split()
)
PART_ORDER = ("console", "envs.core", "fence", "envs", "verification", "wrappers", "training")
ROOT_RANK = len(PART_ORDER)


def module_name(path: Path) -> str:
    """The dotted name under which a file of the repository is installed."""
    parts = path.relative_to(ROOT).with_suffix("").parts
    parts = parts[1:] if parts[0] == "src" else ("theogony", *parts)
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


MODULES = {module_name(path): path for part in (*PARTS, "src") for path in (ROOT / part).rglob("*.py")}
GAMES = sorted(path.parent.name for path in (ROOT / "envs").glob("*/game.py") if path.parent.name != "core")


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


def rooms(game: str) -> dict[str, tuple[set[str], int]]:
    """Name -> (file or package, rank) of everything that a game's folder holds."""
    return {**ROOMS, **OWN_ROOMS.get(game, {}), f"{game}_v0": (FILE, TOP)}


def found_rooms(folder: Path) -> dict[str, str]:
    """Name -> file or package of what a game's folder holds, its data and its own `__init__` apart."""
    files = {path.stem: "file" for path in folder.glob("*.py") if path.stem != "__init__"}
    return files | {path.parent.name: "package" for path in folder.glob("*/__init__.py")}


def misplaced(found: dict[str, str], expected: dict[str, tuple[set[str], int]]) -> list[str]:
    """What is wrong with the rooms of a game, a sentence each."""
    wrong = [f"{name} is no room of a game" for name in found if name not in expected]
    wrong += [f"{name} is missing" for name in expected if name not in found]
    for name, kind in found.items():
        if name in expected and kind not in expected[name][0]:
            wrong.append(f"{name} is a {kind}, not a {' or '.join(expected[name][0])}")
    return sorted(wrong)


def game_rank(module: str, game: str) -> int:
    """Rank of a module inside a game."""
    inner = module.removeprefix(f"theogony.envs.{game}").strip(".").split(".")[0]
    return rooms(game).get(inner, (FILE, TOP))[1]


def part_rank(module: str) -> int:
    """Rank of the top-level parts: core, games, wrappers, training, command line."""
    for rank, package in enumerate(PART_ORDER):
        if within(module, f"theogony.{package}"):
            return rank
    return ROOT_RANK


@pytest.mark.parametrize("game", GAMES)
def test_every_game_has_the_same_rooms(game: str) -> None:
    assert not misplaced(found_rooms(ROOT / "envs" / game), rooms(game))


def test_rooms_that_are_wrong_are_named() -> None:
    found = {name: "package" for name in rooms("orbis") if name != "rules"} | {"rules": "file", "wording": "file"}
    del found["state"]
    files = {name for name, (kinds, _) in rooms("orbis").items() if kinds == FILE} - {"state"}
    assert misplaced(found, rooms("orbis")) == sorted(
        [
            *(f"{name} is a package, not a file" for name in files),
            "rules is a file, not a package",
            "state is missing",
            "wording is no room of a game",
        ]
    )


@pytest.mark.parametrize("game", GAMES)
def test_order_inside_a_game(game: str) -> None:
    package = f"theogony.envs.{game}"
    for module in (name for name in MODULES if within(name, package)):
        for name in direct_imports(module):
            if within(name, package):
                assert game_rank(name, game) <= game_rank(module, game), f"{module} must not import {name}"


@pytest.mark.parametrize("game", GAMES)
def test_rules_hand_out_six_functions(game: str) -> None:
    """What SPEC names, each from the file of the same name in every game; other rooms import single rules."""
    rules = ROOT / "envs" / game / "rules" / "__init__.py"
    listed = [
        ast.literal_eval(node.value)
        for node in ast.parse(rules.read_text(encoding="utf-8")).body
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "__all__"
    ]
    expected = {f"theogony.envs.{game}.rules.{file}.{name}" for name, file in RULES.items()}
    assert set(imported_names(rules)) == expected and listed == [sorted(RULES)]


@pytest.mark.parametrize("game", GAMES)
def test_components_have_the_same_files(game: str) -> None:
    found = {path.stem for path in (ROOT / "envs" / game / "components").glob("*.py")}
    assert found >= COMPONENTS, f"{game}: components lack {COMPONENTS - found}"


@pytest.mark.slow
def test_order_between_parts() -> None:
    for module in MODULES:
        for name in direct_imports(module) - {"theogony"}:
            assert part_rank(name) <= part_rank(module), f"{module} must not import {name}"


@pytest.mark.slow
def test_parts_do_not_import_the_root() -> None:
    """The package root gathers everything; only its version may be read from below."""
    allowed = {f"theogony.{name}" for name in (*PARTS, "console", "fence", "verification", "__version__")}
    for module, path in MODULES.items():
        if part_rank(module) < ROOT_RANK:
            for name in imported_names(path):
                if name.split(".")[0] == "theogony":
                    assert ".".join(name.split(".")[:2]) in allowed, f"{module} must not import {name}"


def test_order_inside_the_benchmark() -> None:
    """From what is played to the commands of those who keep the leaderboard."""
    package = "theogony.benchmark"
    ranks = {f"{package}.{name}": rank for rank, name in enumerate(BENCHMARK, 1)}
    mine = [name for name in MODULES if within(name, package)]

    def rank(name: str) -> int:
        return next((rank for room, rank in ranks.items() if within(name, room)), 0)

    assert {rank(name) for name in mine} == set(range(len(BENCHMARK) + 1))
    for module in mine:
        for name in direct_imports(module):
            assert rank(name) <= rank(module), f"{module} must not import {name}"


def test_games_do_not_import_each_other() -> None:
    for game in GAMES:
        for module in (name for name in MODULES if within(name, f"theogony.envs.{game}")):
            for name in direct_imports(module):
                own = within(name, f"theogony.envs.{game}") or within(name, "theogony.envs.core")
                assert own or not name.startswith("theogony.envs."), f"{module} must not import {name}"


@pytest.mark.slow
def test_no_bare_imports_of_the_parts() -> None:
    """From the repository root `import envs` works, and gives a second copy of every class."""
    files = [
        *MODULES.values(),
        *(path for top in ("tests", "tools", "docs", "examples") for path in (ROOT / top).rglob("*.py")),
    ]
    for path in files:
        for name in imported_names(path):
            assert name.split(".")[0] not in PARTS, f"{path.relative_to(ROOT)}: write theogony.{name}"


def test_training_hides_no_library() -> None:
    """A script's own folder comes first on sys.path, so training/queue.py would replace the library's queue."""
    for path in (ROOT / "training").rglob("*"):
        assert path.stem not in {*sys.stdlib_module_names, "torch"} or path.stem.startswith("__"), path
