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


@pytest.mark.parametrize("name", MISTAKES)
def test_a_mistake_is_reported_once_with_its_line(name: str, tmp_path: Path) -> None:
    right, wrong, reason = MISTAKES[name]
    shutil.copytree(TOY, tmp_path / "wrong", ignore=shutil.ignore_patterns("__pycache__"))
    for file in (tmp_path / "wrong").glob("*.py"):
        text = file.read_text().replace("bluff", "wrong")
        if file.name == "rules.py":
            assert text.count(right) >= 1
            text = text.replace(right, wrong, 1)
            changed = text
        file.write_text(text)
    program = "from theogony.envs import load; from theogony.envs.core.conformance import check; import wrong.game\n"
    program += "report = check(load('wrong.game')); print(*(f.message for f in report.failures), sep='\\n')"
    done = subprocess.run([sys.executable, "-c", program], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    [line] = done.stdout.splitlines()
    assert line.startswith("wrong/rules.py:") or line.startswith(str(tmp_path / "wrong" / "rules.py"))
    assert reason in line
    number = int(line.split(":")[1])
    source = changed.splitlines()[number - 1].strip()
    assert source and f": {source}: " in line


@pytest.mark.parametrize(
    ("right", "wrong", "reason"),
    [
        ("if g.bid > 0:", "if g.bid > 0", "if g.bid > 0: SyntaxError: expected ':'"),
        ("import DOUBT", "import DUOBT", "import DUOBT: ImportError: cannot import name 'DUOBT' from 'wrong.actions'"),
        ("NONE = -1", "NONE = [-1][1]", "NONE = [-1][1]  # no seat: IndexError: list index out of range"),
    ],
)
def test_a_game_that_cannot_be_imported_says_where(right: str, wrong: str, reason: str, tmp_path: Path) -> None:
    shutil.copytree(TOY, tmp_path / "wrong", ignore=shutil.ignore_patterns("__pycache__"))
    for file in (tmp_path / "wrong").glob("*.py"):
        text = file.read_text().replace("bluff", "wrong")
        file.write_text(text.replace(right, wrong, 1) if file.name == "rules.py" else text)
    program = (
        "from theogony.envs import load\ntry:\n    load('wrong.game')\nexcept ValueError as error:\n    print(error)"
    )
    done = subprocess.run([sys.executable, "-c", program], cwd=tmp_path, capture_output=True, text=True, check=True)
    assert done.stdout.startswith("'wrong.game' cannot be imported: wrong/rules.py:")
    assert reason in done.stdout and len(done.stdout.splitlines()) == 1
