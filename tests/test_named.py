"""What pages and docstrings name is there: files, rules, pieces of a game, names that can be imported."""

import ast
import importlib
import re
from pathlib import Path

import pytest
from test_citations import passages

from theogony.envs.core.assemble import OWN, ROOMS

ROOT = Path(__file__).parents[1]
DOCS = ROOT / "docs"
PARTS = ("envs", "wrappers", "training", "src", "configs", "tools", "docs", "examples", "paper", "tests")
SOURCES = [ROOT / "setup.py", *(path for part in PARTS[:4] for path in sorted((ROOT / part).rglob("*.py")))]
PAGES = [
    *ROOT.glob("*.md"),
    *(path for folder in ("", "questions", "games", "api") for path in (DOCS / folder).glob("*.md")),
]
PATHS = {path.relative_to(ROOT).as_posix() for part in PARTS for path in (ROOT / part).rglob("*.py")} | {"setup.py"}
ENDS = {"/".join(path.split("/")[k:]) for path in PATHS for k in range(path.count("/") + 1)}
FILE = re.compile(r"(?<![\w*./<>-])(?:\.\./)*((?:[\w-]+/)*\w[\w-]*\.py)\b(?! \w+\.\w+$)")
OF_USERS = re.compile(r"(my_\w+|strategy|file|FILE)\.py|bazaar/\w+\.py")  # made-up names of a reader's own files
FORMER = ("CHANGELOG.md",)  # pages that also tell of what is gone
IN_BACKTICKS = re.compile(r"`(\w+)(?:\.py)?`")
RULE = re.compile(r"^@rule\ndef \w+\(.*\):\n    \"\"\".*\"\"\"\n(?:(?:    .*)?\n)*(?:    .*)", re.M)


def docstring(path: Path) -> str:
    return ast.get_docstring(ast.parse(path.read_text("utf-8"))) or ""


def near(file: str, folder: Path) -> bool:
    """Whether a docstring in this folder finds the file: beside it or in a folder above, or by a path that is one."""
    above = [folder, *(parent for parent in folder.parents if parent.is_relative_to(ROOT))]
    return any((place / file).is_file() for place in above) or ("/" in file and file in ENDS)


@pytest.mark.slow
def test_files_in_docstrings_and_comments_are_beside_or_above_or_have_a_path() -> None:
    wrong = [
        f"{path.relative_to(ROOT)}:{line}: {file}"
        for path in SOURCES
        for line, text in passages(path.read_text("utf-8"))
        for file in FILE.findall(text)
        if not OF_USERS.fullmatch(file) and not near(file, path.parent)
    ]
    assert not wrong, "\n".join(wrong)


def test_files_on_pages_are_there() -> None:
    wrong = [
        f"{path.relative_to(ROOT)}: {file}"
        for path in PAGES
        if path.name not in FORMER
        for file in FILE.findall(path.read_text("utf-8"))
        if not OF_USERS.fullmatch(file) and file not in ENDS
    ]
    assert not wrong, "\n".join(wrong)


def test_lists_of_files_in_docstrings_are_whole() -> None:
    """A package whose docstring names most of its files names all of them."""
    wrong = []
    for path in SOURCES:
        files = {one.stem for one in path.parent.glob("*.py")} - {"__init__"}
        named = set(IN_BACKTICKS.findall(docstring(path))) if path.name == "__init__.py" else set()
        if len(named & files) > max(len(files) // 2, 2) and files - named:
            wrong.append(f"{path.relative_to(ROOT)}: {', '.join(sorted(files - named))}")
    assert not wrong, "\n".join(wrong)


def test_the_page_of_the_core_has_all_its_files() -> None:
    cells = "".join(re.findall(r"^\|(.*?)\|", (DOCS / "core.md").read_text("utf-8"), re.M))
    core = [path for path in (ROOT / "envs" / "core").iterdir() if not path.name.startswith("__")]
    there = {path.name + "/" * path.is_dir() for path in core if path.suffix == ".py" or path.is_dir()}
    assert there - {"compiled/"} == {name for name in re.findall(r"`([\w./]+)`", cells) if name.endswith((".py", "/"))}


def test_the_page_of_pieces_has_every_piece_with_its_file() -> None:
    rows = re.findall(r"^\| `(\w+)\.py` \|.*\|(.*)\|$", (DOCS / "game_pieces.md").read_text("utf-8"), re.M)
    found = {room: set(re.findall(r"`(\w+)", cell)) for room, cell in rows}
    assert {room: set(pieces) for room, pieces in {**ROOMS, "game": ("SPEC", *OWN)}.items()} == {
        room: found.get(room, set()) | ({"SPEC"} if room == "game" else set()) for room in (*ROOMS, "game")
    }


def test_rules_on_pages_are_those_of_a_game() -> None:
    """A rule that a page shows with the docstring of one that is played is that one, to the letter."""
    sources = "".join(
        path.read_text("utf-8") for path in [*(ROOT / "envs").rglob("*.py"), *(ROOT / "tests").rglob("*.py")]
    )
    shown = [rule for page in PAGES for rule in RULE.findall(page.read_text("utf-8"))]
    known = [rule for rule in shown if rule.split("\n")[2] in sources]
    assert len(known) >= 2
    for rule in known:
        assert rule in sources, f"no game has this rule any more:\n{rule}"


def test_the_new_game_cites_lines_that_are_there() -> None:
    lines = (ROOT / "tests" / "toy" / "bluff" / "rules.py").read_text("utf-8").splitlines()
    cited = re.findall(r"^bluff/rules\.py:(\d+): (.*?): ", (DOCS / "new_game.md").read_text("utf-8"), re.M)
    assert len(cited) == 2
    for number, line in cited:
        assert lines[int(number) - 1].strip().removesuffix(":") == line.replace("g.strike[", "g.strikes["), number


def test_pages_name_the_benchmark_that_writes_them() -> None:
    for row in (ROOT / "tools" / "README.md").read_text("utf-8").splitlines():
        script, pages = re.match(r"\| `(\w+\.\w+)` ", row), re.findall(r"`(docs/[\w/]+\.md)`", row)
        assert script is None or all(script[1] in (ROOT / page).read_text("utf-8") for page in pages), row


@pytest.mark.parametrize("page", sorted((DOCS / "api").glob("*.md")), ids=lambda page: page.stem)
def test_what_the_reference_names_can_be_imported(page: Path) -> None:
    found = re.findall(r"^::: (\S+)(?:\n +options:\n +members: \[(.*?)\])?", page.read_text("utf-8"), re.M)
    assert found
    for name, members in found:
        module, _, last = name.rpartition(".")
        thing = importlib.import_module(name) if members or name.endswith("schema") else importlib.import_module(module)
        for member in members.split(", ") if members else [last] if not name.endswith("schema") else []:
            assert hasattr(thing, member), f"{name} has no {member}"
