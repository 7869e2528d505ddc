"""A mistake in a rule is reported once, with its file, line and reason, before anything is compiled."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

TOY = Path(__file__).parents[1] / "toy" / "bluff"

# what is written instead of what, in rules.py, and what is said of it
MISTAKES = {
    "misspelt_field": ("g.strikes[loser]", "g.strike[loser]", "g has no field 'strike'; did you mean 'strikes'?"),
    "misspelt_twice": ("g.strikes", "g.strike", "g has no field 'strike'; did you mean 'strikes'?"),
    "misspelt_table": ("t.highest + 1", "t.higest + 1", "t has no field 'higest'; did you mean 'highest'?"),
    "undefined_name": ("g.over = ENDED", "g.over = END", "END is not defined; did you mean"),
    "wrong_argument_count": (
        "roll(g, t, g.rng, NONE)\n\n\n",
        "roll(g, t, g.rng)\n\n\n",
        "roll takes 4 arguments (g, t, rng, keep), 3 are given",
    ),
    "missing_return": (
        "    if g.over == 0:\n        roll(",
        "    if g.over == 0:\n        return 1\n    if g.over == 1:\n        roll(",
        "resample returns a value elsewhere, but not when it ends here",
    ),
    "return_of_nothing": (
        "t.faces[below(rng",
        "t.faces[score(g, t, g.strikes) + below(rng",
        "score returns nothing, but a value is taken from it",
    ),
    "overflow": ("action + 1, g.actor", "1000 * (action + 1), g.actor", "OverflowError: Python integer"),
    "turn_not_set": ("    g.turn = g.actor\n", "", "no rule sets g.turn"),
    "index_out_of_bounds": ("t.faces[below(rng", "t.faces[6 + below(rng", "IndexError: index"),
}  # fmt: skip


# the same for what a game does in plain Python
ELSEWHERE = [
    ("render.py", "g.strikes[s]", "g.strike[s]", "AttributeError: 'record' object has no attribute 'strike'"),
    ("game.py", "int(g.rounds_over)", "int(g.dice[9])", "IndexError: index 9 is out of bounds"),
    ("components.py", "t.rounds = t.scale", "t.rouns = t.scale", "AttributeError: "),
]


def copy_with(folder: Path, name: str, right: str, wrong: str) -> str:
    """Write the toy game under another name, with a mistake in one of its files. Returns the text of that file."""
    shutil.copytree(TOY, folder / "wrong", ignore=shutil.ignore_patterns("__pycache__"))
    for file in (folder / "wrong").glob("*.py"):
        text = file.read_text().replace("bluff", "wrong")
        if file.name == name:
            assert right in text
            text = text.replace(right, wrong)
        file.write_text(text)
    return (folder / "wrong" / name).read_text()


def said(folder: Path, program: str) -> str:
    """The one line that a program in a folder prints."""
    done = subprocess.run([sys.executable, "-c", program], cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    [line] = done.stdout.splitlines()
    return line


CHECK = """
from theogony.envs import load
from theogony.envs.core.conformance import check
print(*(failure.message for failure in check(load("wrong.game")).failures), sep="\\n")
"""
LOAD = """
from theogony.envs import load
try:
    load("wrong.game")
except ValueError as error:
    print(error)
"""


@pytest.mark.parametrize(
    ("file", "right", "wrong", "reason"), [*(("rules.py", *mistake) for mistake in MISTAKES.values()), *ELSEWHERE]
)
def test_a_mistake_is_reported_once_with_its_line(
    file: str, right: str, wrong: str, reason: str, tmp_path: Path
) -> None:
    changed = copy_with(tmp_path, file, right, wrong)
    line = said(tmp_path, CHECK)
    assert line.startswith(f"wrong/{file}:") and reason in line
    source = changed.splitlines()[int(line.split(":")[1]) - 1].strip()
    assert source and f": {source.removesuffix(":")}: " in line


@pytest.mark.parametrize(
    ("right", "wrong", "reason"),
    [
        ("if g.bid > 0:", "if g.bid > 0", "if g.bid > 0: SyntaxError: expected ':'"),
        ("import DOUBT", "import DUOBT", "import DUOBT: ImportError: cannot import name 'DUOBT' from 'wrong.actions'"),
        ("NONE = -1", "NONE = [-1][1]", "NONE = [-1][1]  # no seat: IndexError: list index out of range"),
    ],
)
def test_a_game_that_cannot_be_imported_says_where(right: str, wrong: str, reason: str, tmp_path: Path) -> None:
    copy_with(tmp_path, "rules.py", right, wrong)
    line = said(tmp_path, LOAD)
    assert line.startswith("'wrong.game' cannot be imported: wrong/rules.py:") and reason in line
