"""What the source of a game cites stands on the game's page, and every ruling there is named by a test.

A comment or docstring names a place as a section (`§5.1`) or a ruling (`R12`, `A25b`, `D3`). On the page
docs/games/<game>.md a section is a heading (`## §5`, or bold text at the beginning of a paragraph, `**§5.1 Take**`; a
step inside a paragraph is in parentheses, `(§8.1)`), and a ruling is a row of a table which begins with its number.
A test names a ruling in its docstring, or in its name (`test_r12_...`).
"""

import ast
import io
import re
import tokenize
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PENDING: set[str] = set()  # games whose sources are not through yet
GAMES = sorted(path.parent.name for path in (ROOT / "envs").glob("*/game.py") if path.parent.name not in {"core"})

SECTION = r"§ ?(\d+(?:\.\d+)*)"
RULING = r"\b[RAD]\d{1,3}[a-z]?\b"
CITATION = re.compile(f"{SECTION}|(?<![\\w-])({RULING})(?![-.]\\d)")


def passages(source: str) -> Iterator[tuple[int, str]]:
    """Line number and text of every comment, docstring and option description of a Python source, line by line."""
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type == tokenize.COMMENT:
            yield token.start[0], token.string
    for node in ast.walk(ast.parse(source)):
        text = None
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef) and ast.get_docstring(node) is not None:
            text = node.body[0].value  # pyright: ignore[reportAttributeAccessIssue]
        elif isinstance(node, ast.keyword) and node.arg == "description" and isinstance(node.value, ast.Constant):
            text = node.value
        if isinstance(text, ast.Constant):
            for k, line in enumerate(str(text.value).split("\n")):
                yield text.lineno + k, line


def citations(source: str) -> Iterator[tuple[int, str]]:
    """Line number and every place that a Python source cites, `§5.1` or `R12`."""
    for line, text in passages(source):
        for match in CITATION.finditer(text):
            yield line, f"§{match[1]}" if match[1] else match[2]


def places(page: str) -> set[str]:
    """Everything on a page that can be cited."""
    found = {f"§{match[1]}" for match in re.finditer(rf"(?:^#+ |^\* |\*\* ?|\(|[.,] |^){SECTION}", page, re.MULTILINE)}
    for row in re.finditer(rf"^\| *({RULING}(?:, {RULING})*) *\|", page, re.MULTILINE):
        found |= set(row[1].split(", "))
    return found


def dangling(source: str, page: str) -> list[tuple[int, str]]:
    """What a source cites and its page lacks, by line."""
    known = places(page)
    return sorted((line, place) for line, place in citations(source) if place not in known)


@pytest.mark.slow
@pytest.mark.parametrize("game", [game for game in GAMES if game not in PENDING])
def test_every_place_that_is_cited_stands_on_the_page(game: str) -> None:
    name = f"docs/games/{game}.md"
    page = (ROOT / name).read_text(encoding="utf-8")
    readers = ROOT / "src/theogony/verification"
    files = sorted([*(ROOT / "envs" / game).rglob("*.py"), *readers.glob(f"{game}.py"), *readers.glob(f"{game}/*.py")])
    cited = [place for path in files for place in citations(path.read_text(encoding="utf-8"))]
    assert cited, f"the source of {game} cites nothing: rules name their place on {name}"
    wrong = [
        f"{path.relative_to(ROOT)}:{line}: {place} is not on {name}"
        for path in files
        for line, place in dangling(path.read_text(encoding="utf-8"), page)
    ]
    assert not wrong, "\n".join(wrong)


# ---------------------------------------------------------------------------------------------------- rulings


NOT_TESTED: dict[str, dict[str, str]] = {game: {} for game in GAMES}  # rulings that no test can show, and why


def named(source: str) -> Iterator[str]:
    """The rulings that the functions of a test file name."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.FunctionDef):
            yield from (name[0].upper() + name[1:] for name in re.findall(r"_([rad]\d+[a-z]?)(?=_|$)", node.name))
            yield from (match[2] for match in CITATION.finditer(ast.get_docstring(node) or "") if match[2])


@pytest.mark.parametrize("game", GAMES)
def test_every_ruling_is_named_by_a_test(game: str) -> None:
    page = (ROOT / "docs" / "games" / f"{game}.md").read_text(encoding="utf-8")
    rulings = {place for place in places(page) if not place.startswith("§")}
    files = sorted((ROOT / "tests" / game).rglob("*.py"))
    found = {ruling for path in files for ruling in named(path.read_text(encoding="utf-8"))}
    missing = rulings - found - NOT_TESTED[game].keys()
    in_order = sorted(missing, key=lambda ruling: (int(re.sub(r"\D", "", ruling)), ruling))
    assert rulings and not missing, f"{len(missing)} of {len(rulings)} rulings have no test: {', '.join(in_order)}"
    stale = NOT_TESTED[game].keys() & found | NOT_TESTED[game].keys() - rulings
    assert not stale, f"{', '.join(sorted(stale))} need not stand in NOT_TESTED"


PAGE = """
## §1 Terms
**§2 Setup.** First (§2.1) the tiles, as in §9.

| no. | ruling |
|---|---|
| R1, R2b | yes, as A7 |
"""

SOURCE = '''"""Rules of §1.

What R1 and §2.1 say; §2.2 is not there.
"""
FIRST = 1  # ruling R2b, not R2
NAME = "R3"  # tile B2-1, R3-1


def rule():
    """Steps of §9 (A7)."""
    return field(description="who begins (D4)")  # §2, § 10
'''


def test_what_the_finder_finds() -> None:
    assert places(PAGE) == {"§1", "§2", "§2.1", "R1", "R2b"}
    assert dangling(SOURCE, PAGE) == [
        (3, "§2.2"), (5, "R2"), (10, "A7"), (10, "§9"), (11, "D4"), (11, "§10"),
    ]  # fmt: skip


TESTS = '''
"""R1."""

def test_r12_and_a25b_in_its_name():
    """Ruling R3, §4; tile R5-1."""
    # R6

class TestIt:
    def test_inside(self):
        """(D7, R8)"""
'''


def test_which_rulings_tests_name() -> None:
    assert sorted(named(TESTS)) == ["A25b", "D7", "R12", "R3", "R8"]
